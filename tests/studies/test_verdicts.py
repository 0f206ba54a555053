"""What headlines claim: every study's answer against its own table."""

from __future__ import annotations

import pytest

from deckcheck.report.tables import not_clear
from deckcheck.stats import Estimate, Interval, Verdict, games_needed, verdict_of


@pytest.mark.parametrize(
    ("low", "high", "margin", "word"),
    [
        (0.001, 0.05, 0.01, Verdict.BETTER),
        (-0.05, -0.001, 0.01, Verdict.WORSE),
        (-0.009, 0.009, 0.01, Verdict.EQUAL),
        (-0.01, 0.009, 0.01, Verdict.NOT_CLEAR),
        (0.0, 0.05, 0.01, Verdict.NOT_CLEAR),
        (-0.05, 0.0, 0.0, Verdict.NOT_CLEAR),
        (0.001, 0.002, 0.01, Verdict.BETTER),
    ],
)
def test_an_interval_has_one_of_four_words(
    low: float, high: float, margin: float, word: Verdict
) -> None:
    assert verdict_of(Interval(low, high), margin) is word
    assert verdict_of(Interval(-high, -low), margin) is word.opposite
    assert verdict_of(Interval(low + 0.5, high + 0.5), margin, 0.5) is word


@pytest.mark.parametrize(
    ("value", "low", "high", "margin", "games"),
    [
        (0.01, -0.01, 0.03, 0.0, 4_000),  # twice as narrow shows which is better
        (-0.01, -0.03, 0.01, 0.0, 4_000),
        (0.0, -0.02, 0.02, 0.01, 4_000),  # and here that they are equal
        (0.0, -0.02, 0.02, 0.0, None),
        (0.001, -0.02, 0.022, 0.01, 5_500),
        (1e-6, -0.5, 0.5, 0.0, None),
        (0.01, 0.0, 0.02, 0.0, 1_000),
    ],
)
def test_it_is_said_how_many_games_would_make_it_clear(
    value: float, low: float, high: float, margin: float, games: int | None
) -> None:
    figure = Estimate(value, Interval(low, high), 1_000)
    assert games_needed(value, figure.interval, 1_000, margin) == games
    said = not_clear(figure, 1_000, margin)
    assert (f"about {games:,} games" in said) if games else ("about" not in said)
