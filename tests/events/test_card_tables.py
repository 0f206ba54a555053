"""All lists of an event in one table: it adds up to the lists."""

import csv
import io
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.events import check_event
from deckcheck.events.card_tables import write_table, write_workbook

openpyxl = pytest.importorskip("openpyxl")


def read_entries() -> list[dict[str, str]]:
    assert main(["event", "event.toml", "--table", "cards.csv", "-qq"]) in (0, 1)
    text = Path("cards.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def read_sheets() -> dict[str, list[tuple[object, ...]]]:
    main(["event", "event.toml", "--table", "cards.xlsx", "-qq"])
    book = openpyxl.load_workbook("cards.xlsx")
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


@pytest.mark.usefixtures("cup")
def test_each_card_of_each_list_is_a_row() -> None:
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


@pytest.mark.usefixtures("troubled")
def test_the_tables_of_a_workbook_count_the_same_lists() -> None:
    entries, sheets = read_entries(), read_sheets()
    players = {row["player"] for row in entries}
    copies = sum(int(row["copies"]) for row in entries)

    # Cleo has no list, and the list of `dora.deck` is of no player.
    assert players == {"Anna Nowák", "Ben Ito"}
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


@pytest.mark.usefixtures("cup")
def test_a_workbook_has_the_same_bytes_at_every_time() -> None:
    event = check_event(Path("event.toml"))

    assert write_table(event, Path("a.xlsx")) == write_table(event, Path("b.xlsx"))


@pytest.mark.parametrize(
    "text", ["=1+1", "a & <b>", "\x07bell", " space ", "é\U0001f3b4"]
)
def test_a_cell_is_text_that_a_spreadsheet_does_not_compute(text: str) -> None:
    data = write_workbook({"cards": [("card",), (text,), (7,), (0.25,)]})
    book = openpyxl.load_workbook(io.BytesIO(data))
    cells = [row[0] for row in book["cards"].iter_rows()]

    assert [cell.data_type for cell in cells[1:]] == ["s", "n", "n"]
    assert str(cells[1].value).lstrip("'").strip()[-1] == text.strip()[-1]


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("name", ["cards", "cards.txt", "cards.deck", "cards.xls"])
def test_a_table_needs_a_suffix(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["event", "event.toml", "--table", name]) == 2

    assert "End its name with `.csv`, `.xlsx` or `.html`" in capsys.readouterr().err
    assert not Path(name).exists()


@pytest.mark.usefixtures("cup")
def test_a_page_has_every_card() -> None:
    cards = {row["card"] for row in read_entries()}
    main(["event", "event.toml", "--table", "cards.html", "-qq"])
    page = unescape(Path("cards.html").read_text(encoding="utf-8"))

    assert [card for card in cards if card not in page] == []
    assert "Illegal decks are counted" not in page


@pytest.mark.usefixtures("troubled")
def test_a_page_warns_of_illegal_decks() -> None:
    main(["event", "event.toml", "--table", "cards.html", "-qq"])

    assert "Illegal decks are counted" in Path("cards.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("cup")
def test_an_event_without_lists_has_tables_without_rows() -> None:
    for file in Path("lists").iterdir():
        file.unlink()

    assert read_entries() == []
    assert Path("cards.csv").read_text().startswith("player,deck,")
    assert [len(rows) for rows in read_sheets().values()] == [1] * 5
    assert main(["event", "event.toml", "--table", "cards.html", "-qq"]) == 1
