"""Pages of many decks: small, and with a way to all that they leave out."""

from __future__ import annotations

import json
import re

import pytest
from results import deck, result_of

from deckcheck.report.page import (
    MOST_BLOCKS,
    MOST_RATES,
    MOST_ROWS,
    Figures,
    Heatmap,
    Notes,
    Page,
    Section,
    cut,
    written,
)
from deckcheck.report.tables import ReportTable, words
from deckcheck.sim.provenance import Program
from deckcheck.stats import Estimate, Interval
from deckcheck.studies.simulation_page import simulation_page

LARGEST = 2_000_000


def rate(a: int, b: int) -> Estimate:
    value = 0.5 + (b - a) / 1000
    return Estimate(value, Interval(value - 0.05, value + 0.04), 2000)


def matrix(decks: int) -> Heatmap:
    names = tuple(f"A deck with a long name, {i}" for i in range(decks))
    rates = tuple(
        tuple(None if a == b else rate(a, b) for b in range(decks))
        for a in range(decks)
    )
    return Heatmap("Who wins", names, rates)


def page_of(*blocks: object) -> str:
    section = Section("a", "A", blocks)  # type: ignore[arg-type]
    return written(Page("T", "", ("Yes.",), (), (section,), "0"))


def data_of(page: str) -> dict[str, list[object]]:
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', page)
    data: dict[str, list[object]] = json.loads(text)
    return data


def test_thirty_decks_have_a_cell_for_each_two_and_more_have_a_picture() -> None:
    few, many = page_of(matrix(30)), page_of(matrix(31))

    assert few.count('<td class="cell') == 870
    assert "<canvas" not in few
    assert many.count('<td class="cell') == 0
    assert many.count("<canvas") == 1


def test_a_picture_has_the_rates_of_one_half() -> None:
    data = data_of(page_of(matrix(31)))

    assert len(data["names"]) == 31
    assert len(data["rates"]) == 31 * 30 // 2
    assert data["rates"][0] == [501, 451, 541, 2000]
    assert data["rates"][-1] == [501, 451, 541, 2000]


def test_a_picture_of_other_columns_has_all_rates() -> None:
    rates = tuple(tuple(rate(a, b) for b in range(100)) for a in range(10))
    columns = tuple(map(str, range(100)))
    page = page_of(Heatmap("Who", tuple("abcdefghij"), rates, "", columns))

    assert len(data_of(page)["rates"]) == 1000


def test_two_hundred_decks_are_a_small_picture() -> None:
    assert len(page_of(matrix(200))) < LARGEST / 2


def test_what_is_too_much_even_for_a_picture_is_elsewhere() -> None:
    columns = tuple(map(str, range(MOST_RATES + 1)))
    page = page_of(Heatmap("Who", ("a",), ((rate(0, 1),) * len(columns),), "", columns))

    assert "<canvas" not in page
    assert "outputs json and csv" in page


def test_names_in_data_end_no_script() -> None:
    wide = matrix(40)
    names = ("</script><b>\u202e", *wide.names[1:])
    page = page_of(Heatmap("Who", names, wide.rates))

    assert "</script><b>" not in page
    assert "\u202e" not in page
    assert data_of(page)["names"][0] == "</script><b>\\u202e"


@pytest.mark.parametrize(("rows", "is_cut"), [(MOST_ROWS, False), (5000, True)])
def test_a_list_ends_where_a_reader_stops(rows: int, is_cut: bool) -> None:
    table = ReportTable("All", words("a"), tuple((f"row {i}",) for i in range(rows)))
    notes = Notes(tuple(f"note {i}" for i in range(rows)))
    page = page_of(Figures(table), notes)

    assert ("row 450" in page, "note 450" in page) == (False, False)
    assert page.count("The first 450 of 5,000 are shown") == (2 if is_cut else 0)
    assert ("row 449" in page, "note 449" in page) == (True, True)


def test_a_section_ends_after_a_hundred_tables() -> None:
    blocks = (Notes(("x",)),) * (MOST_BLOCKS + 5)
    [section] = cut(Page("", "", (), (), (Section("a", "", blocks),), "")).sections

    assert len(section.blocks) == MOST_BLOCKS + 1
    assert section.blocks[-1] == Notes(
        ("The first 100 of 105 are shown; all are in the outputs json and csv.",)
    )


def test_a_round_robin_of_many_decks_shows_its_most_decisive_matchups() -> None:
    result = result_of(*(deck(f"Deck {i}") for i in range(32)))
    page = written(simulation_page(result, Program.here()))

    assert len(data_of(page)["rates"]) == 496
    # And the best answer to each.
    assert page.count(" against Deck ") == MOST_ROWS + 32
    assert "The first 450 of 496 are shown" in page
