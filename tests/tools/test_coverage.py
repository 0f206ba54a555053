"""How often what is printed is true, and the table of `numbers.md` made of it."""

import re
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from tools.coverage import __main__ as command
from tools.coverage.cases import Case, Line, measured, worst
from tools.coverage.table import (
    HEAD,
    METHODS,
    NUMBERS,
    every_case,
    kinds_of,
    read_rows,
    row_of,
    with_rows,
)

PACKAGE = Path(__file__).parents[2] / "deckcheck"
LEAST = 93.5
"""The worst that an interval of 95% may do, in %."""
CASES = list(every_case())


def named(case: Case) -> str:
    return f"{case.command}: {case.figure}, {case.situation}"


QUICK = [
    case
    for case in (min(of, key=lambda case: case.cost) for of in kinds_of(CASES).values())
    if case.cost <= 2
]
"""One case of each kind; in the night all are measured."""


def check(case: Case, runs: int) -> None:
    line = measured(case, runs * case.cost)

    # Hundreds of cases are tried, and 93.5% are enough of 95%.
    error = sqrt(case.level * (1 - case.level) / runs)
    assert line.lead >= -0.015 - 3.5 * error, f"{100 * line.share:.1f}%"


@pytest.mark.parametrize("case", QUICK, ids=named)
def test_intervals_hold_and_claims_are_right(case: Case) -> None:
    check(case, 60)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=named)
def test_they_are_right_in_every_situation(case: Case) -> None:
    check(case, 200)


def test_every_command_that_prints_an_interval_is_measured() -> None:
    commands = {case.command for case in CASES}

    assert commands >= {
        *("balance", "build", "compare", "expect", "impact", "meta", "report"),
        *("simulate", "solve", "tune"),
    }


def test_the_error_is_that_of_runs_whose_figures_go_together() -> None:
    together = Case("a", "b", "c", lambda chance: [chance.random() < 0.5] * 9)
    apart = replace(together, play=lambda chance: [*(chance.random(9) < 0.5)])
    never = replace(together, play=lambda _: [True] * 9)

    assert measured(together, 400).error == pytest.approx(0.025, abs=1e-3)
    assert measured(apart, 400).error == pytest.approx(0.025 / 3, abs=1e-3)
    assert measured(never, 400).error == pytest.approx(sqrt(0.95 * 0.05 / 3600))
    # The same cases give the same table.
    assert measured(together, 20) == measured(together, 20)


# The table: what is measured, how it is made, and how it is written.


def test_a_row_is_the_case_that_was_true_least_often_for_what_it_promises() -> None:
    case = Case("simulate", "place", "here", lambda _: [True])
    strict = replace(case, level=0.99, situation="there")
    lines = [Line(case, 0.95, 0.01), Line(strict, 0.96, 0.01)]

    assert worst(lines) is lines[1]
    method = METHODS["simulate", "place"]
    row = f"| simulate | place | {method} | 99 | 96.0 | 1.0 | there |"
    assert row_of(lines[1]) == row


def test_a_kind_of_figure_without_a_method_is_refused() -> None:
    assert {*kinds_of(CASES)} == {*METHODS}
    with pytest.raises(ValueError, match="odds of rain"):
        kinds_of([*CASES, replace(CASES[0], figure="odds of rain")])


def test_each_source_of_a_method_is_cited_in_full() -> None:
    text = " ".join(
        "".join(p.read_text("utf-8") for p in PACKAGE.rglob("*.py")).split()
    )
    text = text.replace("# ", "")
    for method in METHODS.values():
        for names, year in re.findall(r"([A-Z]\w+(?: \w+ [A-Z]\w+)*) (\d{4})", method):
            cited = ".{1,90}".join(re.split(r" and ", names))
            assert re.search(rf"{cited}.{{1,90}}\({year}\)", text), (names, year)


def test_no_row_of_the_page_is_too_bad() -> None:
    cases = {
        (*kind, case.situation) for kind, of in kinds_of(CASES).items() for case in of
    }
    for (name, figure), cells in read_rows(NUMBERS.read_text("utf-8")).items():
        nominal, true, _, case = cells[3:]
        assert (name, figure, case) in cases
        assert float(true) >= LEAST - 95 + float(nominal), (name, figure)


def test_only_rows_that_were_measured_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "numbers.md"
    kinds = [
        ("simulate", "win rate"),
        ("simulate", "win rate by who begins"),
        ("impact", "the card to cut"),
        ("meta", "ratings"),
    ]
    old = "".join(f"| {command} | {figure} | old |\n" for command, figure in kinds)
    page.write_text(f"Before.\n\n{HEAD}{old}\nAfter.\n", "utf-8")
    monkeypatch.setattr(command, "NUMBERS", page)
    for words in ("impact the card", "simulate win rate"):
        ask = ["coverage", "--write", "--runs", "2", "--only", words]
        monkeypatch.setattr("sys.argv", ask)
        command.main()

    written = page.read_text("utf-8")
    rows = read_rows(written)
    assert [*rows] == kinds
    assert [cells[2] for cells in rows.values()] == [
        *(METHODS[kind] for kind in kinds[:3]),
        "old",
    ]
    assert written.startswith("Before.\n\n|")
    assert written.endswith("|\n\nAfter.\n")
    with pytest.raises(ValueError, match="has no table"):
        with_rows("Nothing.", {})


@pytest.mark.slow
def test_a_case_of_each_figure_can_be_played() -> None:
    for cases in kinds_of(CASES).values():
        assert 0 <= measured(cases[-1], 1).share <= 1, cases[-1]
