"""Tables of reports: what the cells of each unit show."""

from __future__ import annotations

import pytest

from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    IN_PERCENT,
    MEAN,
    PERCENT,
    POINTS,
    Column,
    ReportTable,
    Unit,
    numbers,
)
from deckcheck.stats import Estimate, Interval


@pytest.mark.parametrize(
    ("unit", "value", "shown"),
    [
        (COUNT, 1234567, "1,234,567"),
        (CHANGE, -1, "-1"),
        (CHANGE, 2, "+2"),
        (MEAN, 2.345678, "2.35"),
        (PERCENT, 0.31249, "31.2 %"),
        (IN_PERCENT, 0.31249, "31.2"),
        (POINTS, 0.019, "+1.9"),
        (POINTS, -0.0004, "+0.0"),
        (POINTS, None, "-"),
    ],
)
def test_numbers_have_the_look_of_their_unit(
    unit: Unit, value: float | None, shown: str
) -> None:
    assert unit.number(value) == shown


def test_the_ends_of_an_interval_have_neither_plus_nor_unit() -> None:
    assert POINTS.ends(Interval(-0.004, 0.0199)) == "-0.4 to 2.0"
    assert PERCENT.ends(Interval(0.301, 0.323), "-") == "30.1-32.3"
    assert PERCENT.ends(None) == "-"


def test_a_measured_column_shows_the_value_and_its_interval() -> None:
    columns = (
        Column("deck"),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "games", "left"),
    )
    rate = Estimate(0.312, Interval(0.301, 0.323), 4000)
    rows = (("A", rate, 4000, "1/2"), ("B", None, 0, None))
    table = ReportTable("Rates", columns, rows)

    assert table.heads == ("deck", "win rate", "95 % interval", "games", "left")
    assert table.is_number == (False, True, True, True, True)
    assert table.texts == (
        ("A", "31.2 %", "30.1 to 32.3", "4,000", "1/2"),
        ("B", "-", "-", "0", "-"),
    )


def test_a_cell_that_is_no_measured_column_shows_the_value_alone() -> None:
    rate = Estimate(0.312, Interval(0.301, 0.323), 4000)
    columns = (Column(""), Column("1", IN_PERCENT))

    assert ReportTable("", columns, (("A", rate),)).texts == (("A", "31.2"),)
