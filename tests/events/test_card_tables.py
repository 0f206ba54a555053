"""All lists of an event in one table: it adds up to the lists."""

import csv
import io
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from helpers.events import read

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.events import check_event
from deckcheck.events.card_tables import write_table, write_workbook
from deckcheck.messages import printable

openpyxl = pytest.importorskip("openpyxl")


def make_table(name: str) -> None:
    """Write a table of the event."""
    assert main(["event", "event.toml", "--table", name, "-qq"]) in (0, 1)


def read_entries() -> list[dict[str, str]]:
    """Return the rows of the table as CSV."""
    make_table("cards.csv")
    return list(csv.DictReader(io.StringIO(read("cards.csv"))))


def read_sheets() -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each sheet of the table as a workbook."""
    make_table("cards.xlsx")
    book = openpyxl.load_workbook("cards.xlsx")
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_each_card_of_each_list_is_a_row(cup: Path) -> None:
    copies: Counter[tuple[str, str]] = Counter()
    for row in read_entries():
        copies[row["player"], row["card"]] += int(row["copies"])
    expected: Counter[tuple[str, str]] = Counter()
    names = load_database("gwent").cards
    event = check_event(Path("event.toml"))
    for player in event.players:
        for report in player.decks:
            assert report.deck is not None
            for card, number in report.deck.counts().items():
                expected[player.title, names[card].name] += number

    assert copies == expected
    make_table("cards.html")
    page = unescape(read("cards.html"))
    assert [card for _, card in copies if card not in page] == []
    workbook = write_table(event, Path("a.xlsx"))
    assert write_table(event, Path("b.xlsx")) == workbook


def test_the_tables_of_a_workbook_count_the_same_lists(troubled: Path) -> None:
    entries, sheets = read_entries(), read_sheets()
    copies = sum(int(row["copies"]) for row in entries)

    # Cleo has no list, and the list of `dora.deck` is of no player.
    assert {row["player"] for row in entries} == {"Anna Nowák", "Ben Ito"}
    assert {row["player"]: row["legal"] for row in entries}["Ben Ito"] == "no"
    assert [str(cell) for cell in sheets["entries"][0]] == list(entries[0])
    assert len(sheets["entries"]) == 1 + len(entries)
    assert sum(row[4] for row in sheets["cards"][1:]) == copies  # type: ignore[misc]
    assert sum(row[5] for row in sheets["decks"][1:]) == copies  # type: ignore[misc]
    for name in ("factions", "leaders"):
        shares = [row[2] for row in sheets[name][1:]]
        assert sum(shares) == pytest.approx(1)  # type: ignore[arg-type]
    decks = [row[2] for row in sheets["cards"][1:]]
    assert decks == sorted(decks, reverse=True)  # type: ignore[type-var]


def test_a_workbook_without_lists_has_heads_alone(cup: Path) -> None:
    for file in Path("lists").iterdir():
        file.unlink()

    assert [len(rows) for rows in read_sheets().values()] == [1] * 5


def test_a_cell_is_text_that_a_spreadsheet_does_not_compute() -> None:
    for text in ("=1+1", "@anna", "a & <b>", "\x07bell", " space ", "é\U0001f3b4"):
        data = write_workbook({"cards": [("card",), (text,), (7,), (0.25,)]})
        book = openpyxl.load_workbook(io.BytesIO(data))
        cells = [row[0] for row in book["cards"].iter_rows()]

        assert [cell.data_type for cell in cells[1:]] == ["s", "n", "n"], text
        assert cells[1].value == printable(text)
