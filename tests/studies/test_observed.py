"""How win rates with a card and without it differ, from sums over mirrored pairs."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.playing.redraws import HandSum as Moment
from deckcheck.stats import Interval
from deckcheck.stats.intervals import student_quantile
from deckcheck.studies.impact import MeasuredEffect, marked
from deckcheck.studies.swaps import Observed, _chance, _observed

PAIRS = 40


def test_a_card_seen_in_one_game_of_each_pair_is_a_paired_difference() -> None:
    """Its interval is that of the mean of differences, with Student's quantile."""
    chance = np.random.default_rng(5)
    seen, unseen = chance.integers(0, 3, (2, PAIRS))
    sums = seen + unseen
    moments = dict.fromkeys(Moment, 0) | {
        Moment.N: PAIRS,
        Moment.H: int(seen.sum()),
        Moment.NN: PAIRS,
        Moment.NH: int(seen.sum()),
        Moment.HH: int((seen * seen).sum()),
        Moment.NS: int(sums.sum()),
        Moment.HS: int((seen * sums).sum()),
    }
    whole = (PAIRS, int(sums.sum()), int((sums * sums).sum()))
    effect = _observed("card", "drawn", [*moments.values()], whole).difference
    differences = (seen - unseen) / 2
    # The pairs that could hold all games with the card decide the quantile.
    freedom = PAIRS // 2 - 1
    reach = student_quantile(0.95, freedom) * np.sqrt(differences.var() / PAIRS)

    assert effect is not None
    assert effect.value == pytest.approx(differences.mean())
    assert effect.interval.high - effect.interval.low == pytest.approx(2 * reach)


def test_an_interval_that_ends_at_nothing_has_a_chance_of_5_percent() -> None:
    assert _chance(MeasuredEffect(0.1, Interval(0.0, 0.2))) == pytest.approx(0.05)
    assert _chance(MeasuredEffect(-0.1, Interval(-0.2, 0.0))) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("rate", "shown"), [(0.01, "+10.0*"), (0.2, "+10.0 "), (None, "+10.0 ")]
)
def test_a_difference_has_a_sign_and_a_mark_if_it_is_sure(
    rate: float | None, shown: str
) -> None:
    effect = MeasuredEffect(0.1, Interval(0.0, 0.2))

    assert marked(Observed("card", "drawn", 40, 0.6, effect, rate), " ") == shown
    assert marked(Observed("card", "drawn", 4, 0.6, None, None)) == "-"
