"""The commands about single decks: `convert`, `fmt`, `generate` and `stats`."""

import re
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.findings import validate_files

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.decks.codes import load_index

NEAT = "Format: gwent/standard\n\nUnits:\n2 Ballista\nThaler\n"

# `deckcheck convert`.

Captured = pytest.CaptureFixture[str]


def test_a_link_to_the_deck_is_replaced_by_force_alone(
    here: Path, capsys: Captured
) -> None:
    deck = here / "a.deck"
    deck.write_text(f"# my deck\n{NEAT}", encoding="utf-8")
    deck.with_name("link.deck").symlink_to(deck)
    words = ("convert", "a.deck", "-o", "link.deck")

    assert "would replace the deck itself" in stderr_of(capsys, *words)
    assert deck.read_text(encoding="utf-8") == f"# my deck\n{NEAT}"
    said = stderr_of(capsys, *words, "--force", code=0)
    assert said == "note: text cannot hold 1 comment\n"
    assert "# my deck" not in deck.read_text(encoding="utf-8")


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


# `deckcheck fmt`.


def test_line_ends_stay_where_all_are_alike(here: Path, capsys: Captured) -> None:
    deck, windows = here / "neat.deck", NEAT.replace("\n", "\r\n").encode()
    deck.write_bytes(windows)

    assert main(["fmt", "--check", "neat.deck"]) == 0
    deck.write_bytes(windows.replace(b"Ballista", b"ballista"))
    assert main(["fmt", "neat.deck"]) == 0
    assert deck.read_bytes() == windows
    deck.write_bytes(windows.replace(b"\r\n", b"\n", 1))
    capsys.readouterr()
    assert main(["fmt", "--diff", "neat.deck"]) == 1
    out, notes = capsys.readouterr()
    assert out == ""
    assert "note: neat.deck: only line endings change\n" in notes
    assert main(["fmt", "neat.deck"]) == 0
    assert deck.read_bytes() == NEAT.encode()


# `deckcheck generate`.


def test_more_files_begin_with_the_same_ones(tmp_path: Path) -> None:
    for name, count in (("a", "3"), ("b", "12")):
        folder = str(tmp_path / name)
        assert main(["generate", "gwent/two_vs_two", "-n", count, "-o", folder]) == 0
    few, many = (
        {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )

    assert sorted(few) == [f"random_1_000{n}.deck" for n in (1, 2, 3)]
    assert max(many) == "random_1_0012.deck"
    assert few.items() < many.items()
    assert validate_files([tmp_path]).legal


def test_options_of_play_change_the_decks(capsys: Captured) -> None:
    for format, option, values in (
        ("deckmaster/standard", "arrow_model", ("by_number", "by_value")),
        ("gwen_t/pool", "sampling", ("uniform_kind", "weighted_card")),
    ):
        words = ("generate", format, "--option")
        first, second = (stdout_of(capsys, *words, f"{option}={x}") for x in values)
        assert first != second, option
