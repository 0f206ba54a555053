"""Sentences that say no more than the games do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from deckcheck.report.tables import LEANING, run_facts
from deckcheck.sim.standings import StoppingOutcome, TableDecision
from deckcheck.stats import Estimate, Interval
from deckcheck.studies.compare import _times_ahead
from deckcheck.studies.solve_result import SolveResult
from deckcheck.studies.swaps import MeasuredEffect, Observed


@pytest.mark.parametrize(
    ("new", "old", "times"),
    [(0.652, 0.644, 52), (0.6442, 0.644, 47), (0.75, 0.25, 100), (0.25, 0.75, 100)],
)
def test_a_small_difference_is_seldom_seen_in_100_games(
    new: float, old: float, times: int
) -> None:
    assert _times_ahead(new, old) == times


@pytest.mark.parametrize(
    ("ends", "most"),
    [([(-0.02, 0.088), (-0.01, 0.058)], 0.088), ([(-0.3, -0.121)], 0.0), ([], None)],
)
def test_no_bound_lies_below_the_table_or_below_nothing(
    ends: list[tuple[float, float]], most: float | None
) -> None:
    gains = [Estimate(low, Interval(low, high), 100) for low, high in ends]
    result: Any = SimpleNamespace(answers=[SimpleNamespace(gain=g) for g in gains])

    assert SolveResult.most_gained.fget(result) == most  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ends", "is_solved", "claim"),
    [
        (
            [(-0.02, 0.088), (-0.01, 0.058)],
            True,
            "No deck that was found gains more than 8.8 points",
        ),
        ([(-0.3, -0.121)], True, "No deck that was found gains more than 0.0 points"),
        (
            [(-0.02, 0.088)],
            False,
            "The search did not show that no deck gains more than 5 points",
        ),
        ([], False, "What gains against that was not measured"),
    ],
)
def test_what_solve_says_is_what_the_intervals_show(
    ends: list[tuple[float, float]], is_solved: bool, claim: str
) -> None:
    gains = [Estimate((a + b) / 2, Interval(a, b), 100) for a, b in ends]
    entrant = SimpleNamespace(name="other")
    again = Estimate(0.031, Interval(-0.01, 0.07), 100)
    answers = [
        SimpleNamespace(gain=gain, entrant=entrant, confirmed=again) for gain in gains
    ]
    field = [SimpleNamespace(name="own", share=Estimate(1.0, Interval(1, 1), 1))]
    result: Any = SimpleNamespace(
        field=field,
        answers=answers,
        is_solved=is_solved,
        bound=0.05,
        confirm="learned",
        players=("heuristic", "learned"),
    )
    result.gain = SolveResult.gain.fget(result)  # type: ignore[attr-defined]
    result.most_gained = SolveResult.most_gained.fget(result)  # type: ignore[attr-defined]

    answer = SolveResult.answer.fget(result)  # type: ignore[attr-defined]
    assert f". {claim}" in answer
    assert ("No deck that was found" in answer) == is_solved
    both = "the stronger player `learned 1`, most was gained by `other`: +3.1 (-1.0 to"
    assert (both in answer) == bool(ends)


def stopped_by(*ratios: float | None) -> Any:
    """The facts of a run whose tables a rule stopped."""
    decisions = tuple(TableDecision(32, True, "+20 Elo accepted", r) for r in ratios)
    run: Any = SimpleNamespace(
        decks=(),
        format="made up",
        month="2026-01",
        seed=1,
        checksum="",
        digest="",
        changes=(),
        games_per_second=None,
        stopped=StoppingOutcome("once", decisions),
    )
    return dict(run_facts(run, "heuristic", "64"))


def test_rates_after_a_test_are_said_to_lean() -> None:
    assert stopped_by(3.0, -3.0)["win rates"] == LEANING
    assert "lean to the lead that was accepted" in LEANING
    assert "win rates" not in stopped_by(None)


@pytest.mark.parametrize(("rate", "is_sure"), [(0.05, True), (0.051, False)])
def test_what_is_sure_may_be_chance_in_5_of_100(rate: float, is_sure: bool) -> None:
    effect = MeasuredEffect(0.1, Interval(0.02, 0.18))

    assert Observed("a", "drawn", 60, 0.6, effect, rate).is_sure == is_sure
