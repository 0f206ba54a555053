"""Every file in the folder of lists gets a verdict: whose it is, and what is wrong."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


def run(*words: str) -> int:
    return main(["event", "event.toml", *words])


def found(code: int = 1) -> list[str]:
    assert run("--output-format", "concise:found", "-qq") == code
    return Path("found").read_text(encoding="utf-8").splitlines()


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

    [line, *more] = found()
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

    assert found(code=0) == []
    assert verdicts()["Ben Ito"] == "legal"


def test_a_letter_sent_back_is_no_list(cup: Path) -> None:
    run("--letters", "letters", "-qq")
    (cup / "lists" / "ben_ito.deck").unlink()
    shutil.copy("letters/ben_ito.txt", "lists/ben_ito.txt")

    [line] = found()
    assert line.endswith("Cannot be read as a deck: a letter of deckcheck")


def test_a_dangling_link_is_no_list(cup: Path) -> None:
    (cup / "lists" / "ben_ito.deck").unlink()
    os.symlink("gone.deck", cup / "lists" / "ben_ito.deck")

    [line] = found()
    assert line.endswith("Cannot be read as a deck: it does not exist")
    assert verdicts()["Ben Ito"] == "illegal"


def test_other_files_are_notes_and_counted(cup: Path, capsys: Captured) -> None:
    (cup / "lists" / "README.md").write_text("Lists go here.\n")
    (cup / "lists" / "ben_ita.zip").write_bytes(zipped("ben.deck"))
    (cup / "lists" / ".hidden").write_text("x")

    assert run("--output-format", "full") == 0
    out = capsys.readouterr().out
    assert "Files that are no lists\n" in out
    assert "note[DE107] other-file: `README.md` is no list, and named like no" in out
    assert "help: Keep it outside of the folder of lists\n" in out
    assert "help: Did you mean `Ben Ito`? Name the file after its player\n" in out
    assert (
        "Winter cup: 2 players, 2 lists, 2 legal (2 notes)\nLeft out: 1 .md, 1 .zip\n"
    ) in out


def test_the_event_itself_is_no_other_file(cup: Path) -> None:
    for file in (cup / "lists").iterdir():
        file.rename(cup / file.name)
    text = Path("event.toml").read_text(encoding="utf-8")
    Path("event.toml").write_text(text.replace('"lists"', '"."'), encoding="utf-8")

    assert run("-qq") == 0
    assert "Left out" not in "".join(found(code=0))


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

    assert found(code=0) == []


@pytest.mark.parametrize("player", ["Anna Nowak", "Nowák, Anna", "Anna"])
def test_a_list_of_another_player_is_an_error(
    cup: Path, player: str, capsys: Captured
) -> None:
    by(player, "ben_ito.deck")

    assert found() == [
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

    [line] = found(code=0)
    assert "warning[DE108] other-player: The list is of `Benny`" in line
    assert verdicts()["Ben Ito"] == "legal"


def test_swapped_lists_are_not_sealed(cup: Path, capsys: Captured) -> None:
    by("Anna Nowák", "anna-nowak.deck")
    by("Ben Ito", "ben_ito.deck")
    one, other = Path("lists/anna-nowak.deck"), Path("lists/ben_ito.deck")
    one.rename("x")
    other.rename(one)
    Path("x").rename(other)

    assert [line.split()[2] for line in found()] == ["other-player:"] * 2
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


def test_names_in_other_syntaxes_count_too(cup: Path) -> None:
    Path("lists/ben_ito.deck").unlink()
    Path("lists/ben_ito.yaml").write_text(
        "spieler: Anna Nowak\nleader: The Siegemaster\ncards: {Ballista: 2}\n"
    )

    assert any("other-player" in line for line in found())


def test_no_comment_makes_a_list_legal(cup: Path) -> None:
    file = Path("lists/ben_ito.deck")
    deck = file.read_text(encoding="utf-8").replace("2 Ballista", "9 Ballista")
    file.write_text(f"# deckcheck: ignore[too-many-copies]\n{deck}", encoding="utf-8")

    [line] = found()
    assert "too-many-copies" in line
