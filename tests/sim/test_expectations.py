"""What games say of expectations, and when games go on until that is decided."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any

import numpy as np
import pytest

from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally
from deckcheck.sim.jobs import Job
from deckcheck.sim.standings import TableResult, table_result
from deckcheck.sim.stopping import (
    Expectation,
    ExpectationVerdict,
    RateInterval,
    UntilDecided,
)
from deckcheck.stats import anytime_score_interval, mean_score_interval

A, B, C, D = "abcd"


def tally_of(scores: Sequence[int]) -> Ints:
    """The tally of mirrored pairs that brought the first so many half-points."""
    sets = sum(scores)
    tally = new_tally(2, 2)
    tally[0, Head.SETS], tally[0, Head.GAMES] = sets, 2 * sets
    for row, counts in ((1, scores), (2, scores[::-1])):
        tally[row, SeatColumns.GAMES] = 2 * sets
        tally[row, SeatColumns.GAMES_SQUARED] = 4 * sets
        tally[row, SeatColumns.SHARES : SeatColumns.SHARES + 5] = counts
    return tally


def a_table(
    a: str, b: str, scores: Sequence[int], *, anytime: bool = False
) -> TableResult:
    """A table of such pairs."""
    return table_result((a, b), tally_of(scores), anytime=anytime)


def expected(
    *rates: tuple[str, str | None],
    low: float | None = None,
    high: float | None = None,
    confidence: float = 0.95,
) -> Expectation:
    return Expectation(
        "text", tuple(RateInterval(*each) for each in rates), low, high, confidence
    )


EVEN = (100, 0, 300, 0, 100)


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (None, 0.6, ExpectationVerdict.HOLDS),
        (0.4, None, ExpectationVerdict.HOLDS),
        (0.4, 0.6, ExpectationVerdict.HOLDS),
        (None, 0.51, ExpectationVerdict.OPEN),
        (0.49, 0.6, ExpectationVerdict.OPEN),
        (None, 0.4, ExpectationVerdict.FAILS),
        (0.6, None, ExpectationVerdict.FAILS),
        (0.6, 0.7, ExpectationVerdict.FAILS),
    ],
)
def test_a_rate_and_its_bounds(
    low: float | None, high: float | None, outcome: ExpectationVerdict
) -> None:
    judged = expected((A, B), low=low, high=high).judged([a_table(A, B, EVEN)])

    assert judged.outcome is outcome
    [rate] = judged.rates
    assert rate.estimate is not None
    assert rate.estimate.value == 0.5
    assert rate.estimate.interval == pytest.approx(mean_score_interval(EVEN))


def test_more_confidence_is_wider() -> None:
    table = a_table(A, B, EVEN)
    widths = []
    for confidence in (0.9, 0.95, 0.999):
        [rate] = (
            expected((A, None), high=0.5, confidence=confidence).judged([table]).rates
        )
        assert rate.estimate is not None
        low, high = rate.estimate.interval
        widths.append(high - low)

    assert widths == sorted(widths)


def test_several_rates_hold_together() -> None:
    tables = [a_table(A, B, EVEN), a_table(A, C, EVEN), a_table(B, C, EVEN)]
    both = expected((A, B), (A, C), high=0.7)
    assert both.level == pytest.approx(0.975)
    assert both.judged(tables).outcome is ExpectationVerdict.HOLDS
    # The two sides of a matchup are one figure.
    assert expected((A, B), (B, A), high=0.7).level == pytest.approx(0.95)

    tables[1] = a_table(A, C, (0, 0, 100, 0, 400))
    judged = both.judged(tables)
    assert judged.outcome is ExpectationVerdict.FAILS
    assert [each.rate.opponent for each in judged.deciding] == [C]


def test_the_mean_over_a_field_weighs_opponents_alike() -> None:
    tables = [a_table(A, B, (0, 0, 10, 0, 0)), a_table(C, A, (1000, 0, 0, 0, 0))]
    [rate] = expected((A, None), high=0.9).judged(tables).rates

    assert rate.estimate is not None
    assert rate.estimate.value == pytest.approx(0.75)
    assert rate.estimate.games == 2020


def test_looked_at_intervals_allow_for_looking() -> None:
    tables = [a_table(A, B, EVEN, anytime=True), a_table(A, C, EVEN, anytime=True)]
    [rate] = expected((A, None), high=0.9).judged(tables).rates
    assert rate.estimate is not None
    pooled = [2 * n for n in EVEN]
    assert rate.estimate.interval == pytest.approx(anytime_score_interval(pooled))

    # After other numbers of games: reaches are squared and summed.
    tables[1] = a_table(A, C, (0, 0, 40, 0, 0), anytime=True)
    [rate] = expected((A, None), high=0.9).judged(tables).rates
    assert rate.estimate is not None
    ends = [anytime_score_interval(n) for n in (EVEN, (0, 0, 40, 0, 0))]
    reach = hypot(*(0.5 - each.low for each in ends)) / 2
    assert rate.estimate.interval == pytest.approx((0.5 - reach, 0.5 + reach))


def test_games_of_a_deck_with_itself_do_not_count() -> None:
    tables = [a_table(A, A, (0, 0, 0, 0, 100)), a_table(A, B, EVEN)]
    [rate] = expected((A, None), high=0.9).judged(tables).rates

    assert rate.estimate is not None
    assert rate.estimate.value == 0.5


def test_without_games_nothing_is_decided() -> None:
    judged = expected((A, D), high=0.9).judged([a_table(A, B, EVEN)])

    assert judged.outcome is ExpectationVerdict.OPEN
    assert judged.rates[0].estimate is None


def job(number: int, a: str, b: str, sets: int = 1_000) -> Job:
    unplayed: Any = None
    return Job(number, f"{a} {b}", unplayed, (), sets, names=(a, b))


def play(rule: UntilDecided, rates: dict[int, float]) -> dict[int, int]:
    """Go on until the rule ends it; returns the sets of each job."""
    tallies: dict[int, Ints] = {}
    sets: dict[int, int] = {}
    while True:
        more = rule.more(tallies)
        if not more:
            return sets
        for each in more:
            assert each.sets > sets.get(each.number, 0)
            sets[each.number] = each.sets
            wins = round(rates[each.number] * each.sets)
            tallies[each.number] = tally_of([each.sets - wins, 0, 0, 0, wins])


def test_games_end_when_all_is_decided() -> None:
    jobs = [job(0, A, B), job(1, C, D)]
    rule = UntilDecided(jobs, [expected((A, B), high=0.8), expected((C, D), high=0.52)])
    sets = play(rule, {0: 0.5, 1: 0.5})

    assert sets[0] < 100
    assert sets[1] == 1_000
    stopped = rule.stopped([0, 1])
    assert [each.reached for each in stopped.decisions] == [True, False]
    assert [each.sets for each in stopped.decisions] == [sets[0], 1_000]


def test_matchups_of_one_mean_go_on_together() -> None:
    jobs = [job(0, A, B), job(1, A, C), job(2, B, C), job(3, C, D)]
    clear, mean = expected((A, B), high=0.9), expected((A, None), high=0.56)
    sets = play(UntilDecided(jobs, [clear, mean]), {0: 0.5, 1: 0.5, 2: 0.5, 3: 0.5})

    assert sets[0] == sets[1] > 100
    # Of these nothing is expected.
    assert sets[2] == sets[3] == 32


def test_a_group_of_groups() -> None:
    jobs = [job(0, A, B), job(1, C, D), job(2, A, D)]
    links = [expected((A, B), high=0.9), expected((C, D), high=0.9)]
    both = expected((A, B), (C, D), high=0.53)
    sets = play(UntilDecided(jobs, [*links, both]), {0: 0.5, 1: 0.5, 2: 0.5})

    assert sets[0] == sets[1] > sets[2]


def test_games_go_on_until_it_is_decided_for_all_looks() -> None:
    """What would be decided by a fixed number of games is not by looking at them."""
    scores = (0, 0, 20, 0, 12)
    tables = [a_table(A, B, scores, anytime=looks) for looks in (False, True)]
    ends = [table.performances[0].win_share for table in tables]
    fixed, looked = (share.interval.low for share in ends if share)
    between = expected((A, B), low=(fixed + looked) / 2)
    rule = UntilDecided([job(0, A, B)], [between])
    [first] = rule.more({})

    assert first.sets == sum(scores)
    assert between.judged(tables[:1]).outcome is ExpectationVerdict.HOLDS
    assert [each.sets for each in rule.more({0: tally_of(scores)})] == [40]


def test_an_expectation_that_fails_is_decided() -> None:
    rule = UntilDecided([job(0, A, B)], [expected((A, B), high=0.5)])

    assert play(rule, {0: 0.9})[0] == 32
    assert rule.stopped([0]).reached


EVEN_ODDS = (0.15, 0.2, 0.3, 0.2, 0.15)
SEEDS = 300


def by_chance(expectation: Expectation, seed: int) -> tuple[ExpectationVerdict, int]:
    """How two even matchups end that are looked at until it is decided, and when."""
    chance = np.random.default_rng(seed)
    drawn = chance.choice(5, (2, 2_000), p=EVEN_ODDS)
    jobs = [job(0, A, B, 2_000), job(1, A, C, 2_000)]
    rule = UntilDecided(jobs, [expectation])
    tallies: dict[int, Ints] = {}
    while more := rule.more(tallies):
        for each in more:
            seen = drawn[each.number, : each.sets]
            tallies[each.number] = tally_of(np.bincount(seen, minlength=5).tolist())
    tables = [
        table_result(each.names, tallies[each.number], anytime=True) for each in jobs
    ]
    sets = rule.stopped([0])
    return expectation.judged(tables).outcome, sets.decisions[0].sets


@pytest.mark.slow
def test_looking_often_decides_no_more_wrongly_than_it_says() -> None:
    on_the_bound = expected((A, None), high=0.5)
    wrong = [
        by_chance(on_the_bound, seed)[0] is not ExpectationVerdict.OPEN
        for seed in range(SEEDS)
    ]
    assert sum(wrong) <= 0.05 * SEEDS

    inside = [by_chance(expected((A, None), high=0.54), seed) for seed in range(SEEDS)]
    assert (
        sum(outcome is ExpectationVerdict.FAILS for outcome, _ in inside)
        <= 0.05 * SEEDS
    )
    assert (
        sum(outcome is ExpectationVerdict.HOLDS for outcome, _ in inside)
        >= 0.95 * SEEDS
    )
    assert sum(sets for _, sets in inside) < 0.7 * 2_000 * SEEDS
