"""`deckcheck convert`: inputs, outputs, exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.decks.codes import load_index

DECK = """\
Name: Test
Format: gwent/standard
Faction: Northern Realms
Leader: Foltest, The Siegemaster

Units:
2 Ballista
Thaler
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.deck").write_text(DECK, encoding="utf-8")
    return tmp_path / "a.deck"


def test_there_and_back(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "-o", "a.csv"]) == 0
    assert main(["convert", "a.csv", "--to", "yaml", "-o", "a.txt"]) == 0
    assert main(["convert", "a.txt", "--from", "yaml", "--to", "text"]) == 0

    assert capsys.readouterr().out == DECK


def test_a_share_code_is_an_argument(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    code, note = capsys.readouterr()
    assert note == "note: code cannot hold `Name`\n"

    assert main(["convert", code.strip(), "--to", "text"]) == 0
    assert capsys.readouterr().out == DECK.split("\n", 1)[1]


def test_what_cannot_be_read_is_a_finding(deck: Path, capsys: Captured) -> None:
    deck.write_text("2 Ballsta\n", encoding="utf-8")

    assert main(["convert", "a.deck", "--to", "json", "-o", "b.json"]) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.splitlines() == [
        "a.deck:1:3: error[DC101] unknown-card: Unknown card `Ballsta`",
        "help: Did you mean `Ballista`?",
    ]
    assert not deck.with_name("b.json").exists()


def test_what_nobody_can_read_needs_no_game(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    code = capsys.readouterr().out.strip()

    assert main(["convert", code[:-1], "--to", "text"]) == 1
    assert "error[DP201] malformed-document: Share code" in capsys.readouterr().err

    deck.write_text(f"{code[:-1]}\n{code}\n", encoding="utf-8")
    assert main(["convert", "a.deck", "--to", "text"]) == 1
    assert capsys.readouterr().err.startswith("a.deck:1:")

    deck.write_bytes(b"")
    assert main(["convert", "a.deck", "--to", "code"]) == 1
    assert "error[DP108] empty-deck" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["a.deck"], "Nothing says how to write the deck"),
        (["a.deck", "--to", "pdf"], "`pdf`"),
        (["b.deck", "--to", "json"], "`b.deck` does not exist"),
        ([".", "--to", "json"], "`.` is a folder"),
        (["a.deck", "-o", "no/b.json"], "Cannot write `no/b.json`"),
        (["a.deck", "--to", "json", "--game", "chess"], "nknown game `chess`"),
    ],
)
def test_misuse(deck: Path, capsys: Captured, args: list[str], error: str) -> None:
    assert main(["convert", *args]) == 2
    assert error in capsys.readouterr().err


def test_comments_that_are_lost_are_told(deck: Path, capsys: Captured) -> None:
    deck.write_text(f"# my deck\n{DECK}Ves  # the best\n", encoding="utf-8")

    assert main(["convert", "a.deck", "--to", "yaml"]) == 0
    assert capsys.readouterr().err == "note: yaml cannot hold 2 comments\n"
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    assert capsys.readouterr().err == "note: code cannot hold `Name` and 2 comments\n"


def test_comments_of_yaml_are_told(deck: Path, capsys: Captured) -> None:
    yaml = "# mine\nname: 'Deck # 2'\nformat: gwent/standard\ncards: {Ves: 1} # one\n"
    deck.with_name("a.yaml").write_text(yaml, encoding="utf-8")

    assert main(["convert", "a.yaml", "--to", "json"]) == 0
    assert capsys.readouterr().err == "note: json cannot hold 2 comments\n"


@pytest.mark.parametrize("output", ["a.deck", "link.deck"])
def test_the_deck_itself_is_not_replaced(
    deck: Path, output: str, capsys: Captured
) -> None:
    deck.write_text(f"# my deck\n{DECK}", encoding="utf-8")
    deck.with_name("link.deck").symlink_to(deck)

    assert main(["convert", "a.deck", "-o", output]) == 2

    assert capsys.readouterr().err == (
        f"error: Writing `{output}` would replace the deck itself and lose 1 comment\n"
        "help: Choose another file or pass `--force`; `deckcheck fmt` keeps comments\n"
    )
    assert deck.read_text(encoding="utf-8") == f"# my deck\n{DECK}"


def test_force_replaces_the_deck_and_tells_what_is_lost(
    deck: Path, capsys: Captured
) -> None:
    deck.write_text(f"# my deck\n{DECK}", encoding="utf-8")

    assert main(["convert", "a.deck", "-o", "a.deck", "--force"]) == 0

    assert capsys.readouterr().err == "note: text cannot hold 1 comment\n"
    assert deck.read_text(encoding="utf-8") == DECK


def test_the_page_names_the_cards_that_gwent_classic_lacks() -> None:
    db = load_database("gwent")
    numbers = load_index(db).numbers
    cards = [card.name for id, card in db.cards.items() if ("card", id) not in numbers]
    leaders = [
        leader.full_name
        for id, leader in db.leaders.items()
        if ("leader", id) not in numbers
    ]
    page = Path(__file__).parents[2] / "docs" / "how-to" / "deck-files.md"

    [line] = [
        line
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("It does not have ")
    ]
    assert re.findall("`([^`]+)`", line) == cards + leaders
