"""Seals of lists, and what stays secret until the event."""

import json
import os
import re
import shutil
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.commands import stderr_of

from deckcheck import __version__
from deckcheck.cards import card_db_root, load_database
from deckcheck.cli import main
from deckcheck.cli.settings import NOT_IN_FILES
from deckcheck.decks import DeckText
from deckcheck.events import check_event, read_salts
from deckcheck.events.event import sealed_hash
from deckcheck.formats import load_format
from deckcheck.formats.wording import limits
from deckcheck.validation import Validation, Validator

# Seals: what they cover, what is refused, and what shows later.

Captured = pytest.CaptureFixture[str]

CUP = "Winter cup"
LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
constraints:
  specials: {max: 9}
"""


SALTED = ("--salts", "salts.json")
SEAL = ("event", "event.toml", "--seal", "seal.json", *SALTED)


def run(*words: str) -> int:
    """Run the command with the organiser's salts, where they are needed."""
    needed = {"--seal", "--verify"} & set(words) and "--salts" not in words
    return main(["event", "event.toml", *words, *(SALTED if needed else ())])


def found(*words: str, code: int = 1) -> list[str]:
    """What differs from the seal, a line each."""
    output = ("--output-format", "concise:found", "-qq")
    assert run("--verify", "seal.json", *output, *words) == code
    return Path("found").read_text(encoding="utf-8").splitlines()


def remedies() -> dict[str, str]:
    """What to do about what differs from the seal, by the names of findings."""
    output = ("--output-format", "jsonl:found.jsonl", "-qq")
    assert run("--verify", "seal.json", *output) == 1
    lines = Path("found.jsonl").read_text(encoding="utf-8").splitlines()
    return {each["name"]: each["help"] for each in map(json.loads, lines)}


def seals() -> list[dict[str, object]]:
    content = json.loads(Path("seal.json").read_text(encoding="utf-8"))
    assert content["schema_version"] == 1
    assert content["tool"]["name"] == "deckcheck"
    listed = content["seals"]
    assert isinstance(listed, list)
    return listed


@pytest.fixture
def sealed(cup: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """An event, sealed on the evening of the 5th of December."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764957600")
    assert run("--seal", "seal.json") == 0
    capsys.readouterr()
    return cup


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_seal_says_what_was_judged_and_by_what(sealed: Path) -> None:
    [seal] = seals()

    fingerprint = check_event(Path("event.toml")).format.fingerprint
    salts = read_salts(Path("salts.json"))
    lists = {
        file.name: sealed_hash(salts.of(file.name, CUP), file.read_bytes())
        for file in (sealed / "lists").iterdir()
    }
    assert {
        key: seal[key] for key in seal if key not in ("rules", "cards", "decks")
    } == {
        "event": "Winter cup",
        "lists": lists,
        "date": "2025-12-05T18:00:00Z",
        "tool": __version__,
        "format": "gwent/standard",
        "snapshot": "2025-10",
        "fingerprint": fingerprint,
        "hash": "SHA-256 of salt and list",
        "salts": salts.mark,
    }


def test_errors_hinder_a_seal(troubled: Path, capsys: Captured) -> None:
    said = stderr_of(capsys, *SEAL, code=1)
    assert said.endswith("\nNothing was sealed, because there are errors\n")
    assert not Path("seal.json").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--seal", "seal.json"),
            "error: `--seal` needs `--salts FILE`, which hides the lists behind their "
            "seals\nhelp: Name a file to keep and never to publish. It is made if "
            "missing\n",
        ),
        (
            (*SALTED, "--reseal", "Ben was ill"),
            "error: `--reseal` works with `--seal FILE` only",
        ),
        (
            (*SALTED, "--seal", "a.json", "--verify", "b.json"),
            "error: `--seal` and `--verify` cannot be used together",
        ),
        (
            (*SALTED, "--seal", "lists/seal.json"),
            "error: `lists/seal.json` of `--seal` would be taken for a list\n"
            "help: Choose a place outside `lists`\n",
        ),
        (
            ("--salts", "lists/salts.json"),
            "error: `lists/salts.json` of `--salts` would be taken for a list\n",
        ),
        (
            (*SALTED, "--verify", "gone.json"),
            "error: Seal `gone.json` does not exist\nhelp: Check the path\n",
        ),
        (
            (*SALTED, "--seal", "notes.txt"),
            "error: `notes.txt` is not a seal",
        ),
        (
            (*SALTED, "--seal", "notes.txt", "--reseal", "Ben was ill"),
            "error: `notes.txt` is not a seal",
        ),
    ],
)
def test_misuse(cup: Path, words: tuple[str, ...], said: str, capsys: Captured) -> None:
    Path("notes.txt").write_text("Ask Ben.\n", encoding="utf-8")

    assert stderr_of(capsys, "event", "event.toml", *words).startswith(said)
    assert Path("notes.txt").read_text(encoding="utf-8") == "Ask Ben.\n"
    assert not [*Path("lists").glob("*.json")]


def test_reseal_keeps_the_history(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = seals()
    assert found(code=0) == []
    edit(sealed / "lists" / "ben_ito.deck", "\n", "  \n")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764961200")

    assert run("--seal", "seal.json", "--reseal", "Ben was ill") == 0
    old, new = seals()
    assert old == first
    assert "reason" not in old
    assert new["reason"] == "Ben was ill"
    assert new["date"] == "2025-12-05T19:00:00Z"
    assert new["lists"] != old["lists"]
    assert found(code=0) == []


def test_reseal_states_every_difference(sealed: Path, capsys: Captured) -> None:
    edit(sealed / "lists/ben_ito.deck", "2 Ballista", "1 Ballista\nKeira Metz")
    edit(sealed / "lists/ben_ito.deck", "3 Decoy", "2 Decoy\nBiting Frost")
    edit(sealed / "lists/anna-nowak.deck", "\n", "  \n")
    again = ("--seal", "seal.json", "--reseal", "Ben was ill")
    assert run(*again) == 0

    since = "Since the seal of 2025-12-05T18:00:00Z: "
    told = [line for line in capsys.readouterr().err.splitlines() if since in line]
    changed = "The list has changed since the seal of 2025-12-05T18:00:00Z. "
    assert told == [
        f"{since}Anna Nowák: {changed}It is read as the same deck",
        f"{since}Ben Ito: {changed}`2 Ballista` became `1 Ballista`. "
        "`1 Biting Frost` is new. `3 Decoy` became `2 Decoy`. `1 Keira Metz` is new",
    ]
    assert run(*again) == 0
    assert "Z: nothing has changed\n" in capsys.readouterr().err
    assert len(seals()) == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            (),
            "error: `seal.json` already holds the seal of 2025-12-05T18:00:00Z\n"
            "help: Compare with `--verify`, or add a seal with `--reseal REASON`\n",
        ),
        (("--reseal", ""), "error: `--reseal` needs a reason"),
        (("--reseal", " "), "error: `--reseal` needs a reason"),
    ],
)
def test_a_seal_is_not_replaced_and_reseal_needs_a_reason(
    sealed: Path, more: tuple[str, ...], said: str, capsys: Captured
) -> None:
    before = Path("seal.json").read_bytes()

    assert stderr_of(capsys, *SEAL, *more).startswith(said)
    assert Path("seal.json").read_bytes() == before


def test_verify_says_what_has_changed(sealed: Path, capsys: Captured) -> None:
    """The copy that was kept shows it; one that was changed as well shows nothing."""
    edit(sealed / "lists/ben_ito.deck", "2 Ballista", "3 Ballista")
    run("--verify", "seal.json")
    assert "  = note: `2 Ballista` became `3 Ballista`\n" in capsys.readouterr().out

    for copy in Path("originals/sealed").iterdir():
        copy.write_bytes(copy.read_bytes().replace(b"2 Ballista", b"1 Ballista"))
    run("--verify", "seal.json")
    assert "became" not in capsys.readouterr().out


def test_a_list_that_is_read_otherwise_is_a_finding(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_all = Validator.check_all

    def read_less(self: Validator, texts: list[DeckText]) -> Validation:
        less = ("2 Ballista", "1 Ballista")
        return check_all(self, [replace(t, text=t.text.replace(*less)) for t in texts])

    monkeypatch.setattr(Validator, "check_all", read_less)
    [line] = [line for line in found() if "changed-list" in line]
    assert line == (
        "lists/ben_ito.deck:1:1: error[DE201] changed-list: "
        "The list is not read as it was by the seal of 2025-12-05T18:00:00Z"
    )
    assert remedies()["changed-list"] == (
        "Compare the deck in a new letter with the cards that the player brings"
    )


def test_a_seal_of_another_event_is_none(sealed: Path, capsys: Captured) -> None:
    """With one file of salts equal lists of two events have different hashes."""
    [first] = seals()
    edit(sealed / "event.toml", "Winter cup", "Spring cup")
    assert run("--verify", "seal.json") == 2
    assert "`seal.json` is of the event `Winter cup`" in capsys.readouterr().err
    assert run("--seal", "other.json", "--salts", "salts.json") == 0
    [second] = json.loads(Path("other.json").read_text(encoding="utf-8"))["seals"]
    for key in ("lists", "decks"):
        hashes = [{*seal[key].values()} for seal in (first, second)]  # type: ignore[attr-defined]
        assert not hashes[0] & hashes[1]


@pytest.mark.parametrize("name", ["seal.json", "salts.json"])
def test_what_was_edited_is_not_believed(
    sealed: Path, name: str, capsys: Captured
) -> None:
    data = Path(name).read_text(encoding="utf-8")
    key = re.findall("[0-9a-f]{64}", data)[0]
    other = key.translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))
    Path(name).write_text(data.replace(key, other), encoding="utf-8")

    verify = ("event", "event.toml", "--verify", "seal.json", *SALTED)
    said = " ".join(stderr_of(capsys, *verify).split())
    assert "has changed since it was written" in said


def test_a_player_proves_a_list_by_one_line(sealed: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", "--salts", "salts.json", "--letters", "l"]) == 0
    letter = Path("l/ben_ito.txt").read_text(encoding="utf-8")
    [line] = re.findall('--verify-list LIST "(.*)"\n', letter)
    mine, other = "lists/ben_ito.deck", "lists/anna-nowak.deck"
    shutil.copy(mine, "mine.deck")
    edit(Path("mine.deck"), "2 Ballista", "2x ballista  # mine")
    capsys.readouterr()

    cases: list[tuple[str, tuple[str, ...], int, str]] = [
        (mine, (), 0, "This is the checked list, byte for byte\n"),
        ("mine.deck", (), 0, "The bytes differ from the checked list, but not"),
        (other, (), 1, "This is not the checked list\n"),
        (mine, ("--verify", "seal.json"), 0, "`seal.json` has its hash\n"),
        ("gone.deck", (), 2, ""),
    ]
    for list_file, words, code, said in cases:
        proof = line.replace(" ", "\n ", 2)
        assert main(["event", "--verify-list", list_file, proof, *words]) == code
        assert said in capsys.readouterr().out
    assert main(["event", "--verify-list", mine, "no line"]) == 2
    assert "`no line` is not the line of a letter" in capsys.readouterr().err


def test_drop_outs_and_replacements_are_no_errors(sealed: Path) -> None:
    shutil.move("lists/ben_ito.deck", "lists/cleo.deck")
    event = Path("event.toml").read_text(encoding="utf-8")
    Path("event.toml").write_text(
        f'{event}replaced = {{"Ben Ito" = "Cleo"}}\n', encoding="utf-8"
    )
    kinds = [re.findall(r" (\w+)\[\w+\] ([\w-]+):", line) for line in found(code=0)]
    assert sorted(kinds) == [[("note", "new-list")], [("note", "removed-list")]]

    Path("event.toml").write_text(f'{event}dropped = ["Ben Ito"]\n', encoding="utf-8")
    assert "unknown-player" in "".join(found())
    Path("lists/cleo.deck").unlink()
    assert re.findall("note.* removed-list", "".join(found(code=0)))
    assert run("--output-format", "markdown:page.md") == 0
    page = Path("page.md").read_text(encoding="utf-8")
    assert "| Ben Ito | dropped out |\n" in page
    assert "\n1 player, 1 list, 1 legal\n" in page


def test_verdicts_are_a_table(troubled: Path) -> None:
    assert run("--verdicts", "verdicts.csv", "-qq") == 1
    rows = Path("verdicts.csv").read_text(encoding="utf-8").splitlines()

    assert rows == [
        "player,list,deck,legal,codes,reason",
        "Anna Nowák,lists/anna-nowak.deck,The swarm,yes,,",
        "Ben Ito,lists/ben_ito.deck,Siege masters,no,DL103,"
        '"5 copies of `Ballista`, at most 2 allowed"',
        "Cleo,,,no,DE101,Player `Cleo` has no list",
        ",lists/dora.deck,Siege masters,no,DE102,The list belongs to no player",
    ]


def test_changed_new_and_removed_lists_show(sealed: Path) -> None:
    edit(sealed / "lists" / "ben_ito.deck", "\n", "  \n")
    Path("lists/anna-nowak.deck").rename("lists/Anna Nowak.txt")

    assert found() == [
        "lists/Anna Nowak.txt:1:1: error[DE202] new-list: "
        "The list was added after the seal of 2025-12-05T18:00:00Z",
        "seal.json:11:28: error[DE203] removed-list: "
        "The list `anna-nowak.deck` is gone since the seal of 2025-12-05T18:00:00Z",
        "lists/ben_ito.deck:1:1: error[DE201] changed-list: "
        "The list has changed since the seal of 2025-12-05T18:00:00Z",
    ]
    assert remedies() == {
        "new-list": "Remove the file",
        "removed-list": "Restore the sealed list",
        "changed-list": "Restore the sealed list",
    }


def test_of_several_seals_the_last_one_is_pointed_at(sealed: Path) -> None:
    assert run("--seal", "seal.json", "--reseal", "Ben was ill") == 0
    Path("lists/anna-nowak.deck").unlink()
    lines = Path("seal.json").read_text(encoding="utf-8").splitlines()
    places = [n for n, line in enumerate(lines, start=1) if "anna-nowak" in line]

    [line] = [line for line in found() if "removed-list" in line]
    assert line.startswith(f"seal.json:{max(places[:-1])}:")
    assert len(places) == 4


def test_changed_rules_show(cup: Path, capsys: Captured) -> None:
    Path("league.yaml").write_text(LEAGUE, encoding="utf-8")
    edit(cup / "event.toml", "gwent/standard", "./league.yaml")
    assert run("--seal", "seal.json") == 0
    edit(cup / "league.yaml", "title: League", "title: The league")
    assert found(code=0) == []

    edit(cup / "league.yaml", "max: 9", "max: 10")
    edit(cup / "league.yaml", "extends", "# No fewer specials.\nextends")
    edit(cup / "league.yaml", "specials: {max: 10}", "units: {min: 20}")
    [line] = found()
    assert line.startswith(
        "event.toml:3:10: error[DE204] changed-rules: "
        "The rules of the format have changed since the seal of 20"
    )
    assert run("--verify", "seal.json") == 1
    out = capsys.readouterr().out
    assert "  = note: Sealed by league.yaml (2025-11), rules fingerprint " in out
    assert "  = note: Now judged by league.yaml (2025-11), rules fingerprint " in out


def test_changed_card_data_is_a_warning(sealed: Path) -> None:
    """And another format is other rules."""
    shutil.copytree(card_db_root() / "gwent", sealed / "db" / "gwent")
    edit(sealed / "db" / "gwent" / "cards.yaml", "strength: 15", "strength: 14")

    assert found("--card-db", "db", code=0) == [
        "event.toml:3:10: warning[DE205] changed-cards: "
        "The card data has changed since the seal of 2025-12-05T18:00:00Z"
    ]
    edit(sealed / "event.toml", "gwent/standard", "gwent/two_vs_two")
    assert "error[DE204] changed-rules" in found()[0]


def test_the_bytes_that_were_judged_are_sealed(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that changes between judging and sealing is sealed as judged."""
    list_of_ben = cup / "lists" / "ben_ito.deck"
    judged = list_of_ben.read_bytes()
    check_all = Validator.check_all

    def change_then_check(self: Validator, texts: list[DeckText]) -> Validation:
        list_of_ben.write_text("Leader: nobody\n", encoding="utf-8")
        return check_all(self, texts)

    with monkeypatch.context() as patched:
        patched.setattr(Validator, "check_all", change_then_check)
        assert run("--seal", "seal.json") == 0

    salt = read_salts(Path("salts.json")).of("ben_ito.deck", CUP)
    lists = seals()[0]["lists"]
    assert lists["ben_ito.deck"] == sealed_hash(salt, judged)  # type: ignore[index]


def test_a_broken_clock_is_misuse(
    cup: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")

    assert run("--seal", "seal.json") == 2
    assert capsys.readouterr().err == (
        "error: Variable `SOURCE_DATE_EPOCH` is not a number of seconds: `yesterday`\n"
        "help: Unset it, or give seconds since 1970\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 1", "`seal.json` is not a seal: seal.json:1:1: "),
        ("{}", "`seal.json` is not a seal: it holds no sealed lists"),
        ("[]", "`seal.json` is not a seal: it holds no sealed lists"),
        ('{"schema_version": 1, "seals": []}', "it holds no sealed lists"),
        ('{"schema_version": 1, "seals": [{}]}', "it has changed since it was written"),
        ('{"schema_version": 2, "seals": [{}]}', "a newer version of deckcheck wrote"),
    ],
)
def test_a_seal_must_be_one(
    cup: Path, capsys: Captured, text: str, message: str
) -> None:
    Path("seal.json").write_text(text, encoding="utf-8")

    for words in (
        ("--verify", "seal.json"),
        ("--seal", "seal.json", "--reseal", "Ben was ill"),
    ):
        assert run(*words) == 2
        assert message in capsys.readouterr().err


def test_a_seal_with_another_suffix_may_lie_among_the_lists(cup: Path) -> None:
    edit(cup / "event.toml", 'lists = "lists"', 'lists = "."')

    assert run("--seal", "cup.seal", "--salts", "../salts.json") == 0
    assert run("--verify", "cup.seal", "--salts", "../salts.json") == 0


def test_what_has_not_changed_is_told(cup: Path, capsys: Captured) -> None:
    assert stderr_of(capsys, *SEAL, code=0) == (
        "Salts written to `salts.json`: keep this file, and never publish it\n"
        "2 lists sealed in `seal.json`\n"
    )
    assert stat.S_IMODE(os.stat("salts.json").st_mode) == 0o600
    [seal] = seals()
    since = f"unchanged since the seal of {seal['date']}\n"
    verify = ("event", "event.toml", "--verify", "seal.json", *SALTED)
    assert stderr_of(capsys, *verify, code=0) == f"2 lists {since}"

    edit(cup / "lists" / "ben_ito.deck", "Ballista", "Ballista  ")
    assert stderr_of(capsys, *verify, code=1) == f"1 of 2 lists {since}"
    assert stderr_of(capsys, *verify, "-q", code=1) == ""


def test_a_file_that_is_not_there(cup: Path, capsys: Captured) -> None:
    assert stderr_of(capsys, "event", "evnt.toml") == (
        "error: Event file `evnt.toml` does not exist\n"
        "help: Did you mean `event.toml`?\n"
    )


# What must stay secret until the event: nothing published tells of any deck.

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SEALED = ("--seal", "seal.json", *SALTED)


def run_quietly(*words: str, code: int = 0) -> None:
    assert main(["event", "event.toml", "-q", *words]) == code


def read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


@pytest.fixture
def attacked(cup: Path) -> Path:
    """Four lists: two are the same known deck, byte by byte."""
    shutil.copy("lists/ben_ito.deck", "lists/carla_rossi.deck")
    shutil.copy(DECKS / "sk_longships.deck", "lists/dora.deck")
    text = read("event.toml").replace('"Ben Ito"', '"Ben Ito", "Carla Rossi", "Dora"')
    Path("event.toml").write_text(text, encoding="utf-8")
    return cup


def published(*words: str) -> dict[str, str]:
    """All that an organiser publishes before the event, by the name of the file."""
    pages = ("--output-format", "html:page.html", "--output-format", "markdown:page.md")
    run_quietly(*pages, *words)
    return {name: read(name) for name in ("page.html", "page.md", "seal.json")}


def secrets_of_the_game() -> set[str]:
    """Whatever could tell of a deck: names of cards, leaders, factions, decks."""
    db = load_database("gwent")
    words = {card.name for card in db.cards.values()}
    for leader in db.leaders.values():
        words |= {leader.name, leader.title, leader.full_name}
    words |= {faction.name for faction in db.factions.values()}
    words |= {re.search("Name: (.*)", read(str(file)))[1] for file in DECKS.iterdir()}  # type: ignore[index]
    legal = " ".join(limits(load_format("gwent/standard"), db))
    return {word for word in words if word and word not in legal}


def test_what_is_published_tells_nothing_of_decks(attacked: Path) -> None:
    run_quietly(*SEALED)
    words = secrets_of_the_game()
    assert {"Ballista", "Monsters", "Foltest, The Siegemaster", "The swarm"} <= words

    for name, text in published("--salts", "salts.json").items():
        assert not [
            word for word in words if re.search(rf"\b{re.escape(word)}\b", text)
        ]
        assert "identical" not in text, name
        assert "same cards" not in text, name
    page = read("page.md")
    assert [line for line in page.splitlines() if line.startswith("| D")] == [
        f"| Dora | admitted | `{seal_of_list('dora.deck')}` |"
    ]


def seal_of_list(name: str) -> str:
    [seal] = json.loads(read("seal.json"))["seals"]
    return seal["lists"][name]


def test_salts_are_told_to_nobody_but_their_player(attacked: Path) -> None:
    run_quietly(*SEALED, "--letters", "letters")
    salts = read_salts(Path("salts.json"))
    names = {player: f"{player}.deck" for player in ("ben_ito", "carla_rossi", "dora")}

    everything = "".join(published("--salts", "salts.json").values())
    assert salts.key not in everything
    for player, name in names.items():
        assert salts.of(name, CUP) not in everything
        letters = [
            f.stem
            for f in Path("letters").iterdir()
            if salts.of(name, CUP) in read(str(f))
        ]
        assert letters == [player]
        assert f"\nSeal: {seal_of_list(name)}\n" in read(f"letters/{player}.txt")
    assert salts.key not in "".join(read(str(f)) for f in Path("letters").iterdir())
    # A salt stays when the file is renamed, and common tools show what it makes.
    for name in ("ben_ito.deck", "Ben Ito.txt", "BEN-ITO"):
        assert f"\nSalt: {salts.of(name, CUP)}\n" in read("letters/ben_ito.txt")
    command = f"(printf %s {salts.of('BEN-ITO', CUP)}; cat lists/ben_ito.deck)"
    said = subprocess.check_output(["bash", "-c", f"{command} | sha256sum"], text=True)
    assert said.split()[0] == seal_of_list("ben_ito.deck")


def test_runs_with_the_same_salts_give_the_same_seals(attacked: Path) -> None:
    run_quietly(*SEALED)
    key = read("salts.json")
    first = published("--salts", "salts.json")
    again = published("--salts", "salts.json")
    assert first == again
    assert read("salts.json") == key

    run_quietly("--seal", "other.json", "--salts", "others.json")
    lists = json.loads(read("other.json"))["seals"][0]["lists"]
    assert not {*lists.values()} & {seal_of_list(name) for name in lists}


def test_without_salts_lists_are_not_taken_for_compared(
    attacked: Path, capsys: Captured
) -> None:
    run_quietly(*SEALED)
    with open("lists/dora.deck", "a", encoding="utf-8") as deck:
        deck.write("# late\n")
    capsys.readouterr()

    assert main(["event", "event.toml", "--verify", "seal.json"]) == 0
    out, err = capsys.readouterr()
    assert "warning[DE207] unverified-lists: 4 lists of the seal of " in out
    assert re.search(
        "^4 lists not compared with the seal of .*: that needs `--salts", err
    )
    # With salts they are.
    verify = ("--verify", "seal.json", "--output-format")
    run_quietly(*verify, "jsonl:found", *SALTED, code=1)
    told = [json.loads(line) for line in read("found").splitlines()]
    [changed] = [each for each in told if each["name"] == "changed-list"]
    assert changed["path"] == "lists/dora.deck"
    assert changed["notes"][1] == f"Sealed {seal_of_list('dora.deck')}"
    assert not [each for each in told if each["name"] == "unverified-lists"]

    Path("lists/dora.deck").rename("lists/Dora.txt")
    run_quietly(*verify, "concise:found", code=1)
    names = re.findall(r"error\[\w+\] (\S+):", read("found"))
    assert names == ["new-list", "removed-list"]


@pytest.mark.parametrize(
    "words",
    [("--verify", "seal.json"), ("--seal", "seal.json", "--reseal", "Ben was ill")],
)
def test_the_salts_are_those_of_the_seal(
    attacked: Path, words: tuple[str, ...], capsys: Captured
) -> None:
    run_quietly(*SEALED)
    run_quietly("--seal", "other.json", "--salts", "others.json")
    before = read("seal.json")

    assert main(["event", "event.toml", *words, "--salts", "others.json"]) == 2
    assert capsys.readouterr().err == (
        "error: These salts are not those of `seal.json`\n"
        "help: Name the file that `--salts` made when the lists were sealed\n"
    )
    assert read("seal.json") == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "`salts.json` holds no salts: salts.json:1:"),
        ("{}", "`salts.json` holds no salts"),
        ('{"schema_version": 1, "salts_key": "ab"}', "holds no salts"),
        (json.dumps({"schema_version": 1, "salts_key": "Z" * 64}), "holds no salts"),
    ],
)
def test_salts_must_be_some(
    cup: Path, text: str, message: str, capsys: Captured
) -> None:
    Path("salts.json").write_text(text, encoding="utf-8")

    assert message in stderr_of(capsys, "event", "event.toml", "--salts", "salts.json")
    assert read("salts.json") == text


def test_salts_that_are_gone_cannot_verify(attacked: Path, capsys: Captured) -> None:
    run_quietly(*SEALED)
    Path("salts.json").unlink()

    words = ("--verify", "seal.json", "--salts", "salts.json")
    assert main(["event", "event.toml", *words]) == 2
    assert "File of salts `salts.json` does not exist" in capsys.readouterr().err
    assert not Path("salts.json").exists()


def test_a_page_of_a_job_is_public_too(
    troubled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without salts it has no seals, and no file may say what is public or secret."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.path.abspath("summary.md"))
    run_quietly("--output-format", "github:annotations", code=1)

    summary = read("summary.md")
    assert "\n| player | list |\n|---|---|\n| Anna Nowák | admitted |\n" in summary
    assert "| Ben Ito | not admitted |\n| Cleo | no list |\n" in summary
    assert "Ballista" not in summary
    assert check_event(Path("event.toml")).salts is None
    assert {"reveal", "salts", "sheets", "letters", "verdicts"} <= NOT_IN_FILES


def test_reveal_shows_all_and_lets_anybody_check(attacked: Path) -> None:
    run_quietly(*SEALED)
    pages = published("--salts", "salts.json", "--reveal")
    salts = read_salts(Path("salts.json"))

    for name in ("page.html", "page.md"):
        assert "Siege masters" in pages[name]
        assert "The list has the same cards and leaders as that of" in pages[name]
        assert "Ben Ito" in pages[name]
        assert salts.of("dora.deck", CUP) in pages[name]
        assert seal_of_list("dora.deck") in pages[name]
        assert salts.key not in pages[name]
    assert "Foltest, The Siegemaster" in pages["page.html"]
    assert "Northern Realms" in pages["page.html"]
