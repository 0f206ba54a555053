"""Events: their dates, names and sets, and the lists of their players."""

import io
import json
import os
import random
import shutil
import zipfile
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.findings import validate_text

from deckcheck.cli import main
from deckcheck.events.checking import _find_identical
from deckcheck.events.event import sort_key

# The date of an event chooses the snapshot of its format, or it is told.

Captured = pytest.CaptureFixture[str]
LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
history:
  - snapshot: 2025-12-07
    constraints: {bans: {rule: banned, cards: [Ballista]}}
"""


@pytest.fixture
def league(cup: Path) -> None:
    """The event of 2025-12-06 by a format that bans a card of Ben's the day after."""
    Path("league.yaml").write_text(LEAGUE, encoding="utf-8")
    edit("gwent/standard", "./league.yaml")


def edit(old: str, new: str) -> None:
    file = Path("event.toml")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def found(*words: str, code: int = 0) -> list[str]:
    output = ("--output-format", "concise:found", "-qq")
    assert main(["event", "event.toml", *output, *words]) == code
    return Path("found").read_text(encoding="utf-8").splitlines()


BANNED = "error[DB101] banned-card: 2 copies of `Ballista`, which is banned"


@pytest.mark.usefixtures("league")
def test_the_day_of_the_event_chooses_the_first_of_several() -> None:
    assert found() == []
    edit("2025-12-06", "2025-12-06 to 2025-12-07")
    assert found() == []
    edit("2025-12-06 to 2025-12-07", "2025-12-07")
    [line] = found(code=1)
    assert line.endswith(BANNED)


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(
    ("change", "words", "said"),
    [
        (
            ("2025-12-06", "2025-10-31"),
            (),
            "event.toml:2:8: format `league.yaml` has no snapshot as early as "
            "`2025-10-31`\nhelp: The first is `2025-11`\n",
        ),
        (
            None,
            ("--as-of", "2025-10"),
            "Format `league.yaml` has no snapshot as early as `2025-10`\n"
            "help: The first is `2025-11`\n",
        ),
        (
            ("league.yaml", "league.yaml@2025-11"),
            ("--as-of", "2025-11"),
            "`--as-of` changes nothing: the event names `@2025-11`\n"
            "help: Remove either\n",
        ),
    ],
)
def test_a_day_without_a_snapshot_and_two_dates_are_errors(
    capsys: Captured, change: tuple[str, str] | None, words: tuple[str, ...], said: str
) -> None:
    if change is not None:
        edit(*change)

    assert stderr_of(capsys, "event", "event.toml", *words) == f"error: {said}"


@pytest.mark.usefixtures("league")
def test_another_date_is_told() -> None:
    *lines, note = found("--as-of", "2026-01", code=1)

    assert [line.partition(": ")[2] for line in lines] == [BANNED]
    assert note == (
        "event.toml:2:8: note[DE109] other-date: "
        "Lists are judged as of 2026-01, not of `2025-12-06`"
    )
    assert found("--as-of", "2025-12-06") == []


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(
    ("snapshot", "notes"), [("2025-11", 0), ("2025-12-07", 1)], ids=["own", "other"]
)
def test_a_snapshot_that_the_event_names_counts(snapshot: str, notes: int) -> None:
    edit("league.yaml", f"league.yaml@{snapshot}")
    lines = found(code=notes)

    assert sum("other-date" in line for line in lines) == notes
    assert (len(lines) == 2) == bool(notes)


# Every file in the folder of lists gets a verdict: whose it is, and what is wrong.

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


def run(*words: str) -> int:
    return main(["event", "event.toml", *words])


def verdicts() -> dict[str, str]:
    run("--output-format", "json:found.json", "-qq")
    event = json.loads(Path("found.json").read_text(encoding="utf-8"))["event"]
    return {player["name"]: player["verdict"] for player in event["players"]}


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "Leader: The Siegemaster\n")
    return stream.getvalue()


SENT = {
    "ben_ito.csv": (b"item;price\nScorch;3\n", "The table has no column `card`"),
    "Ben Itö.zip": (
        zipped("ben.deck"),
        "File looks like a ZIP archive, a spreadsheet or a word processor's "
        "document, not like a decklist",
    ),
    "ben_ito.JPG": (
        b"\xff\xd8\xff\xe0" + bytes(100),
        "File looks like a JPEG image, not like a decklist",
    ),
    "ben-ito.png": (PNG, "File looks like a PNG image, not like a decklist"),
    "ben_ito.html": (
        b"<!DOCTYPE html>\n<p>2 Ballista</p>\n",
        "Cannot be read as a deck: HTML",
    ),
    "ben_ito": (b"", "File holds no deck"),
    "ben_ito.pdf": (b"%PDF-1.7\n", "File looks like a PDF document, not"),
}


@pytest.mark.parametrize("name", SENT)
def test_what_is_named_like_a_player_is_the_list_of_that_player(
    cup: Path, name: str, capsys: Captured
) -> None:
    data, message = SENT[name]
    (cup / "lists" / "ben_ito.deck").unlink()
    (cup / "lists" / name).write_bytes(data)

    [line, *more] = found(code=1)
    assert line.startswith(f"lists/{name}:1:1: error[DP")
    assert message in line
    assert "missing-list" not in "".join(more)
    assert verdicts()["Ben Ito"] == "illegal"
    run("--letters", "letters", "-qq")
    letter = Path("letters/ben_ito.txt").read_text(encoding="utf-8")
    assert "Your list is not accepted: 1 problem.\n" in letter
    assert "No list has arrived" not in letter


@pytest.mark.parametrize(
    "name", ["ben_ito.md", "ben_ito.deck.txt", "Ben Ito", "BEN.ITO"]
)
def test_a_list_with_a_strange_suffix_is_judged(cup: Path, name: str) -> None:
    (cup / "lists" / "ben_ito.deck").rename(cup / "lists" / name)

    assert found() == []
    assert verdicts()["Ben Ito"] == "legal"


def test_a_letter_sent_back_is_no_list(cup: Path) -> None:
    run("--letters", "letters", "-qq")
    (cup / "lists" / "ben_ito.deck").unlink()
    shutil.copy("letters/ben_ito.txt", "lists/ben_ito.txt")

    [line] = found(code=1)
    assert line.endswith("Cannot be read as a deck: a letter of deckcheck")


def test_a_dangling_link_is_no_list(cup: Path) -> None:
    (cup / "lists" / "ben_ito.deck").unlink()
    os.symlink("gone.deck", cup / "lists" / "ben_ito.deck")

    [line] = found(code=1)
    assert line.endswith("Cannot be read as a deck: it does not exist")
    assert verdicts()["Ben Ito"] == "illegal"


def test_the_event_itself_is_no_other_file(cup: Path) -> None:
    for file in (cup / "lists").iterdir():
        file.rename(cup / file.name)
    edit('"lists"', '"."')

    assert run("-qq") == 0
    assert "Left out" not in "".join(found())


def test_whose_list_it_may_be_is_said(cup: Path) -> None:
    """By its header, by the name of its folder, by a name that is near."""
    deck = (cup / "lists" / "ben_ito.deck").read_text(encoding="utf-8")
    (cup / "lists" / "ben_ito.deck").unlink()
    (cup / "lists" / "list.txt").write_text(f"Player: Ben Ito\n{deck}")
    (cup / "lists" / "Ben Ito").mkdir()
    (cup / "lists" / "Ben Ito" / "deck.txt").write_text(deck)
    (cup / "lists" / "ben_ita.deck").write_text(deck)

    run("--output-format", "jsonl:found", "-qq")
    lines = [json.loads(line) for line in Path("found").read_text().splitlines()]
    strays = [line for line in lines if line["name"] == "unknown-player"]
    assert len(strays) == 3
    assert all(line["help"].startswith("Did you mean `Ben Ito`? ") for line in strays)


def by(player: str, file: str) -> None:
    """Let a list say whose it is."""
    path = Path("lists") / file
    deck = path.read_text(encoding="utf-8")
    path.write_text(f"Player: {player}\n{deck}", encoding="utf-8")


@pytest.mark.parametrize(
    "player", ["Ben Ito", "ben ito", "Ito, Ben", "Ben", "Ben Ito (Osaka)", "BÉN ITO"]
)
def test_a_list_may_say_whose_it_is(cup: Path, player: str) -> None:
    by(player, "ben_ito.deck")

    assert found() == []


@pytest.mark.parametrize("player", ["Anna Nowak", "Nowák, Anna", "Anna"])
def test_a_list_of_another_player_is_an_error(
    cup: Path, player: str, capsys: Captured
) -> None:
    by(player, "ben_ito.deck")

    assert found(code=1) == [
        "lists/ben_ito.deck:1:9: error[DE108] other-player: "
        f"The list is of `{player}`, its file of `Ben Ito`"
    ]
    assert verdicts() == {"Anna Nowák": "legal", "Ben Ito": "of another player"}
    run()
    assert (
        "Winter cup: 2 players, 2 lists, 1 legal, 1 of another player (1 error)\n"
        in capsys.readouterr().out
    )


def test_of_nobody_who_is_registered_is_a_warning(cup: Path) -> None:
    by("Benny", "ben_ito.deck")

    [line] = found()
    assert "warning[DE108] other-player: The list is of `Benny`" in line
    assert verdicts()["Ben Ito"] == "legal"


def test_swapped_lists_are_not_sealed(cup: Path, capsys: Captured) -> None:
    by("Anna Nowák", "anna-nowak.deck")
    by("Ben Ito", "ben_ito.deck")
    one, other = Path("lists/anna-nowak.deck"), Path("lists/ben_ito.deck")
    one.rename("x")
    other.rename(one)
    Path("x").rename(other)

    assert [line.split()[2] for line in found(code=1)] == ["other-player:"] * 2
    assert run("--seal", "seal.json", "--salts", "salts.json") == 1
    assert not Path("seal.json").exists()


def test_the_letter_shows_nothing_of_the_list_of_another(cup: Path) -> None:
    by("Anna Nowak", "ben_ito.deck")
    run("--letters", "letters", "-qq")

    letter = Path("letters/ben_ito.txt").read_text(encoding="utf-8")
    assert (
        "1. The list that the organiser has of yours is of another player\n" in letter
    )
    assert "What to do: Ask the organiser which list is yours" in letter
    assert not [word for word in ("Anna", "SHA-256", "ben_ito.deck") if word in letter]


def test_no_comment_makes_a_list_legal(cup: Path) -> None:
    file = Path("lists/ben_ito.deck")
    deck = file.read_text(encoding="utf-8").replace("2 Ballista", "9 Ballista")
    file.write_text(f"# deckcheck: ignore[too-many-copies]\n{deck}", encoding="utf-8")

    [line] = found(code=1)
    assert "too-many-copies" in line


# The order of names.


def test_letters_come_before_accents_and_words_before_longer_words() -> None:
    expected = [
        *("Åke Aas", "ake berg", "Anna-Lena Ek", "Anna Nowak", "Anna Nowák"),
        *("Annabel Abt", "Łukasz", "Luke", "Ørsted", "Óscar", "Oskar", "Straße"),
        *("Strasser", "Zoë", "Žofie", "Ωmega"),
    ]
    shuffled = random.Random(1).sample(expected, len(expected))

    assert sorted(shuffled, key=sort_key) == expected


# An event of a format whose sets change cards.


def test_the_summary_says_what_sets_change(cup: Path, capsys: Captured) -> None:
    league = "title: League\nextends: gwent/standard\nsets: [winter.yaml]\n"
    Path("league.yaml").write_text(league, encoding="utf-8")
    Path("winter.yaml").write_text("change: {Catapult: {strength: 10}}\n")
    edit("gwent/standard", "league.yaml")

    shown = stdout_of(capsys, "event", "event.toml")
    assert "\nwinter.yaml changes Catapult (strength 10, not 8)\n" in shown

    shown = stdout_of(capsys, "event", "event.toml", "--output-format", "json")
    [found] = json.loads(shown)["changes"]
    assert (found["id"], found["set"]) == ("catapult", "winter.yaml")


def test_a_deck_of_a_lineup_that_another_player_has_is_told() -> None:
    folder = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
    swarm, siege, ships = (
        (folder / f"{name}.deck").read_text(encoding="utf-8")
        for name in ("mo_swarm", "nr_siege_masters", "sk_longships")
    )
    lists = {
        "Anna": [validate_text(f"{swarm}---\n{siege}", "anna.deck").reports],
        "Ben": [validate_text(f"{ships}---\n{siege}", "ben.deck").reports],
        "Cleo": [validate_text(ships + "Unheard of\n", "cleo.deck").reports],
    }
    told = {
        player: found.findings[0].message for player, found in _find_identical(lists)
    }

    same = "has the same cards and leaders as that of"
    assert told == {
        "Ben": f"Deck 2 of the list {same} `Anna`",
        "Cleo": f"The list {same} `Ben`",
    }
