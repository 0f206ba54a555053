"""Win rates of decks and factions, and what is said of a target."""

from __future__ import annotations

import pytest

from deckcheck.findings import UsageError
from deckcheck.stats import Estimate, Interval
from deckcheck.stats.intervals import level_of
from deckcheck.studies.balance.targets import (
    Aim,
    Targets,
    TargetVerdict,
    gauges,
    verdict_on,
)

PAIRS = [(0, 1), (0, 2), (1, 2)]
NORTH, SOUTH = ("north", "North"), ("south", "South")
RATES = [0.6, 0.7, 0.8]


def test_decks_meet_all_others_and_factions_other_factions() -> None:
    found = gauges(["a", "b", "c"], [NORTH, NORTH, SOUTH], [1, 1, 1], PAIRS)
    values = {gauge.name: gauge.value(RATES) for gauge in found}

    assert values == pytest.approx(
        {"a": 0.65, "b": 0.6, "c": 0.25, "North": 0.75, "South": 0.25}
    )
    assert [gauge.members for gauge in found] == [(0,), (1,), (2,), (0, 1), (2,)]
    for gauge in found:
        assert sum(abs(part) for _, part in gauge.parts) == pytest.approx(1)


def test_decks_count_as_often_as_they_come() -> None:
    found = gauges(["a", "b", "c"], [NORTH, NORTH, SOUTH], [3, 1, 2], PAIRS)
    values = {gauge.name: gauge.value(RATES) for gauge in found}

    assert values["a"] == pytest.approx((0.6 + 2 * 0.7) / 3)
    assert values["b"] == pytest.approx((3 * 0.4 + 2 * 0.8) / 5)
    assert values["North"] == pytest.approx((3 * 0.7 + 0.8) / 4)


def test_a_field_of_one_faction_has_no_rate_of_it() -> None:
    found = gauges(["a", "b", "c"], [NORTH] * 3, [1, 1, 1], PAIRS)
    assert [gauge.kind for gauge in found] == ["deck"] * 3
    assert len(gauges(["a", "b", "c"], [None] * 3, [1, 1, 1], PAIRS)) == 3


def test_the_interval_is_that_of_the_decks_own_games() -> None:
    [a, b, _] = gauges(["a", "b", "c"], [None] * 3, [1, 1, 1], PAIRS)
    scores = [(10, 20, 40, 20, 10), (0, 0, 0, 0, 100), (100, 0, 0, 0, 0)]
    estimate = a.estimate(scores, 0.95)

    assert estimate.value == pytest.approx(0.75)
    assert estimate.games == 400
    low, high = estimate.interval
    assert 0.7 < low < 0.75 < high < 0.8
    wider = a.estimate(scores, level_of(20)).interval
    assert wider.low < low < high < wider.high
    assert b.estimate(scores, 0.95).value == pytest.approx(0.25)


def test_one_interval_alone_keeps_its_level() -> None:
    assert level_of(1) == pytest.approx(0.95)
    assert level_of(5) == pytest.approx(0.99)


def test_the_other_deck_sees_the_interval_from_its_side() -> None:
    a, b = gauges(["a", "b"], [None] * 2, [1, 1], [(0, 1)])
    scores = [(0, 0, 5, 5, 40)]
    low, high = a.estimate(scores, 0.95).interval
    value = a.estimate(scores, 0.95).value

    assert high - value < value - low
    assert b.estimate(scores, 0.95).interval == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((0.46, 0.54), TargetVerdict.MET),
        ((0.44, 0.54), TargetVerdict.NOT_SHOWN),
        ((0.46, 0.56), TargetVerdict.NOT_SHOWN),
        ((0.40, 0.449), TargetVerdict.MISSED),
        ((0.551, 0.6), TargetVerdict.MISSED),
    ],
)
def test_verdicts(interval: tuple[float, float], verdict: TargetVerdict) -> None:
    [gauge, _] = gauges(["a", "b"], [None, None], [1, 1], [(0, 1)])
    estimate = Estimate(sum(interval) / 2, Interval(*interval), 100)
    assert verdict_on(Aim(gauge, 0.45, 0.55), estimate) is verdict


def test_a_margin_goes_at_most_half_way() -> None:
    [gauge, _] = gauges(["a", "b"], [None, None], [1, 1], [(0, 1)])

    assert Aim(gauge, 0.45, 0.55).within(0.01) == pytest.approx((0.46, 0.54))
    assert Aim(gauge, 0.45, 0.55).within(0.2) == pytest.approx((0.475, 0.525))
    assert Aim(gauge, 0.0, 0.55).within(0.01) == pytest.approx((0.0, 0.54))
    assert Aim(gauge, 0.0, 0.55).missed_by(0.56, 0.01) == pytest.approx(0.02)
    assert Aim(gauge, 0.0, 0.55).missed_by(0.1) == 0


def test_targets_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="`deck` is 0 to 45 %, must lie around 50 %"):
        Targets(deck=(0.0, 0.45))
    with pytest.raises(UsageError, match="No target given"):
        Targets()
