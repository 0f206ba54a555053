"""The measurement of how often what is printed is true, and the table made of it."""

import re
from pathlib import Path

import pytest

from tools.coverage.cases import Case, measured
from tools.coverage.catalogue import every_case

NUMBERS = Path(__file__).parents[2] / "docs" / "explanation" / "numbers.md"
ROW = re.compile(r"^\| (\w+) \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+ \|", re.M)
LEAST = 93.5
"""The worst that an interval of 95 % may do, in %."""


pytestmark = pytest.mark.slow


def of_each_figure() -> dict[tuple[str, str], Case]:
    """One case of each kind of figure, the last."""
    return {(case.command, case.figure): case for case in every_case()}


def test_the_table_has_what_is_measured() -> None:
    rows = ROW.findall(NUMBERS.read_text("utf-8"))

    assert {(command, figure) for command, figure, *_ in rows} == {*of_each_figure()}
    for command, figure, nominal, true in rows:
        assert float(true) >= LEAST - 95 + float(nominal), (command, figure)


def test_a_case_of_each_figure_can_be_played() -> None:
    for case in of_each_figure().values():
        line = measured(case, 1)
        assert 0 <= line.true <= line.count > 0, case
