"""What is printed is true as often as it says: a short run of the benchmark."""

from __future__ import annotations

import pytest

from benchmarks.coverage.cases import Case, measured, worst
from benchmarks.coverage.catalogue import every_case

CASES = list(every_case())


def is_quick(case: Case) -> bool:
    return case.cost <= 2


def named(case: Case) -> str:
    return f"{case.command}: {case.figure}, {case.situation}"


QUICK = [case for case in CASES if is_quick(case)]


def check(case: Case, runs: int) -> None:
    line = measured(case, runs * case.cost)

    # Hundreds of cases are tried, and 93.5 % are enough of 95 %.
    assert line.lead >= -0.015 - 3.5 * line.error, f"{100 * line.share:.1f} %"


@pytest.mark.parametrize("case", QUICK, ids=named)
def test_intervals_hold_and_claims_are_right(case: Case) -> None:
    check(case, 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in CASES if not is_quick(case)], ids=named
)
def test_those_that_take_longer_are_right_too(case: Case) -> None:
    check(case, 200)


def test_every_command_that_prints_an_interval_is_measured() -> None:
    commands = {case.command for case in CASES}

    assert commands >= {
        *("balance", "build", "compare", "expect", "impact", "meta", "report"),
        *("simulate", "solve", "tune"),
    }


def test_the_same_cases_give_the_same_table() -> None:
    case = QUICK[0]

    assert measured(case, 20) == measured(case, 20)
    assert worst([measured(case, 20)]) == [measured(case, 20)]
