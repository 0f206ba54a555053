"""When a run stops: rules, and what is expected of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot
from typing import Any

import numpy as np
import pytest
from helpers.results import tally_of

from deckcheck.findings import UsageError
from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally
from deckcheck.sim.expectations import Expectation, ExpectationVerdict, RateInterval
from deckcheck.sim.jobs import Job
from deckcheck.sim.stopping import (
    Adaptive,
    Stopping,
    StoppingRule,
    checkpoints,
    make_expectation_rule,
    make_rule,
)
from deckcheck.sim.table_results import TableResult, estimate_shares, make_table_result
from deckcheck.stats import anytime_score_interval, mean_score_interval

# Rules that stop a run, on tallies drawn by chance: no game is played.

EVEN = (0.15, 0.2, 0.3, 0.2, 0.15)
BETTER = (0.05, 0.15, 0.3, 0.25, 0.25)


def job(number: int, sets: int, names: Sequence[str] = ("a", "b")) -> Job:
    unplayed: Any = None
    label = " against ".join(names)
    return Job(number, label, unplayed, ("random",) * 2, sets, names=tuple(names))


def drawn(odds: Sequence[float], sets: int, number: int) -> Ints:
    """The tally of the first `sets` games or game pairs of job `number`."""
    chance, scored = np.random.default_rng(number), len(odds)
    return scored_tally(np.bincount(chance.choice(scored, sets, p=odds), None, scored))


def scored_tally(scores: Sequence[int]) -> Ints:
    """The tally of games or pairs: `scores[i]` brought the first one i half-points."""
    scored, sets = len(scores), sum(scores)
    games = scored // 2
    tally = new_tally(2, games)
    tally[0, Head.SETS], tally[0, Head.GAMES] = sets, games * sets
    for row, counts in ((1, scores), (2, scores[::-1])):
        tally[row, SeatColumns.GAMES] = games * sets
        tally[row, SeatColumns.GAMES_SQUARED] = games**2 * sets
        tally[row, SeatColumns.SHARES : SeatColumns.SHARES + scored] = counts
    return tally


def finish(rule: StoppingRule, odds: Mapping[int, Sequence[float]]) -> dict[int, int]:
    """Play what the rule asks for; returns the sets of each job."""
    sets: dict[int, int] = {}
    while work := rule.more({n: drawn(odds[n], s, n) for n, s in sets.items()}):
        for each in work:
            assert each.sets > sets.get(each.number, 0)
            sets[each.number] = each.sets
    return sets


def test_looks_come_at_growing_distances_and_at_the_end() -> None:
    found = list(checkpoints(1_000))

    assert found[:4] == [32, 40, 50, 62]
    assert found[-1] == 1_000
    assert all(a < b <= 1.25 * a for a, b in pairwise(found))
    assert list(checkpoints(20)) == [20]


class TestWidth:
    def test_stops_once_every_interval_is_narrow(self) -> None:
        jobs = [job(0, 100_000), job(1, 100_000)]
        rule = make_rule(Stopping(until_width=0.05), jobs)
        odds = {0: EVEN, 1: (0.0, 0.0, 1.0, 0.0, 0.0)}
        sets = finish(rule, odds)

        assert sets[1] < sets[0] < 100_000
        for number, decision in enumerate(rule.make_outcome([0, 1]).decisions):
            tally = drawn(odds[number], sets[number], number)
            [low, high] = estimate_shares(tally, 2, anytime=True)[0].interval
            assert decision.reached
            assert high - low <= 0.05

    def test_the_widest_interval_counts(self) -> None:
        """Of three at a table one never wins, which is known soon."""
        won_in_turn = [[((1, 2, 3), (0, 0, 0), 0)] * 3, [((2, 1, 3), (0, 0, 0), 0)] * 3]
        tally = tally_of(won_in_turn * 16)
        shares = estimate_shares(tally, 3, anytime=True)
        widths = [share.interval.high - share.interval.low for share in shares]
        table = replace(job(0, 1_000, ("a", "b", "c")), entrants=3, games=3)
        rule = make_rule(Stopping(until_width=sum(sorted(widths)[:2]) / 2), [table])
        [first] = rule.more({})

        assert widths[2] < widths[0] == pytest.approx(widths[1])
        assert first.sets == 32
        assert [each.sets for each in rule.more({0: tally})] == [40]

    def test_says_when_the_games_ended_first_or_nothing_was_looked_at(self) -> None:
        """As of a run that was interrupted before its first look."""
        rule = make_rule(Stopping(until_width=0.001), [job(0, 500)])
        assert finish(rule, {0: EVEN}) == {0: 500}
        assert not rule.make_outcome([0]).reached

        rule = make_rule(Stopping(until_width=0.05), [job(0, 500)])
        rule.more({})
        [decision] = rule.make_outcome([0]).decisions
        assert (decision.reached, decision.decision) == (False, "not decided")


class TestTest:
    def test_accepts_the_lead_that_there_is(self) -> None:
        rule = make_rule(Stopping(sprt=(0, 30)), [job(0, 10**6), job(1, 10**6)])
        sets = finish(rule, {0: BETTER, 1: EVEN})
        decisions = rule.make_outcome([0, 1]).decisions

        assert decisions[0].decision == "+30 Elo accepted"
        assert decisions[1].decision == "+0 Elo accepted"
        assert max(sets.values()) < 10_000
        first, second = (decision.log_likelihood_ratio or 0 for decision in decisions)
        assert first > 2.94 > -2.94 > second

    def test_games_that_are_no_pairs_are_tested_one_by_one(self) -> None:
        """As where an ability decides who begins: three scores, a game each."""
        table = replace(job(0, 10**6), games=1)
        rule = make_rule(Stopping(sprt=(0, 30)), [table])
        finish(rule, {0: [0.4, 0.05, 0.55]})

        assert rule.make_outcome([0]).decisions[0].decision == "+30 Elo accepted"


class TestOrder:
    names = ("good", "fair", "twin", "poor")
    strength = (0.62, 0.5, 0.5, 0.35)

    def odds(self) -> dict[int, list[float]]:
        found = {}
        for number, (a, b) in enumerate(combinations(range(4), 2)):
            lead = (self.strength[a] - self.strength[b]) / 2
            found[number] = [0.15 - lead / 2, 0.2 - lead / 2, 0.3]
            found[number] += [0.2 + lead / 2, 0.15 + lead / 2]
        return found

    def test_spends_the_games_on_those_that_are_alike(self) -> None:
        pairs = combinations(self.names, 2)
        jobs = [job(number, 2_000, pair) for number, pair in enumerate(pairs)]
        rule = make_rule(Stopping(adaptive=True), jobs)
        assert isinstance(rule, Adaptive)
        sets = finish(rule, self.odds())

        assert rule.race.settled == {"good", "poor"}
        assert sets[2] < 1_000 < sets[3]  # good against poor, fair against twin
        # All games of an open deck are as many.
        assert len({sets[0], sets[3], sets[4], sets[1], sets[5]}) == 1
        stopped = rule.make_outcome(range(6))
        assert stopped.decisions[2].reached
        assert not stopped.decisions[3].reached
        assert stopped.open == ("fair", "twin")


REFUSED: tuple[dict[str, Any], ...] = (
    *({"until_width": 0.1, "adaptive": True}, {"until_width": 0.0}),
    *({"until_width": 1.0}, {"sprt": (5, 0)}, {"sprt": (0, 5), "alpha": 0.7}),
    *({"sprt": (0, 201), "elo": "normalised"}, {"sprt": (-6500, 0)}),
    *({"sprt": (0, 1e6)}, {"sprt": (0, float("inf"))}),
    {"sprt": (float("nan"), 5)},
)


def test_refuses_what_makes_no_sense() -> None:
    for asked in REFUSED:
        with pytest.raises(UsageError):
            Stopping(**asked)
    table = replace(job(0, 100, ("a", "b", "c")), entrants=3, games=3)
    with pytest.raises(UsageError, match="there are 3 at a table here"):
        make_rule(Stopping(sprt=(0, 5)), [table])
    with pytest.raises(UsageError, match="three decks"):
        make_rule(Stopping(adaptive=True), [job(0, 100)])


# What games say of expectations, and when games go on until that is decided.

A, B, C, D = "abcd"


def a_table(
    a: str, b: str, scores: Sequence[int], *, anytime: bool = False
) -> TableResult:
    """A table of such pairs."""
    return make_table_result((a, b), scored_tally(scores), anytime=anytime)


def expected(
    *rates: tuple[str, str | None],
    low: float | None = None,
    high: float | None = None,
    confidence: float = 0.95,
) -> Expectation:
    return Expectation(
        "text", tuple(RateInterval(*each) for each in rates), low, high, confidence
    )


LEVEL = (100, 0, 300, 0, 100)


def test_a_rate_and_its_bounds() -> None:
    bounds = {
        ExpectationVerdict.HOLDS: [(None, 0.6), (0.4, None), (0.4, 0.6)],
        ExpectationVerdict.OPEN: [(None, 0.51), (0.49, 0.6)],
        ExpectationVerdict.FAILS: [(None, 0.4), (0.6, None), (0.6, 0.7)],
    }
    table = a_table(A, B, LEVEL)
    for outcome, several in bounds.items():
        for low, high in several:
            judged = expected((A, B), low=low, high=high).judge([table])
            assert judged.outcome is outcome, (low, high)
    for level in (0.9, 0.95, 0.999):
        sure = expected((A, None), high=0.5, confidence=level)
        [rate] = sure.judge([table]).rates
        assert rate.estimate.value == 0.5
        wide = mean_score_interval(LEVEL, level)
        assert rate.estimate.interval == pytest.approx(wide), level


def test_several_rates_hold_together() -> None:
    tables = [a_table(A, B, LEVEL), a_table(A, C, LEVEL), a_table(B, C, LEVEL)]
    both = expected((A, B), (A, C), high=0.7)
    assert both.level == pytest.approx(0.975)
    assert both.judge(tables).outcome is ExpectationVerdict.HOLDS
    # The two sides of a matchup are one figure.
    assert expected((A, B), (B, A), high=0.7).level == pytest.approx(0.95)

    tables[1] = a_table(A, C, (0, 0, 100, 0, 400))
    judged = both.judge(tables)
    assert judged.outcome is ExpectationVerdict.FAILS
    assert [each.rate.opponent for each in judged.deciding] == [C]


def test_the_mean_over_a_field_weighs_opponents_alike() -> None:
    """Games of a deck with itself do not count."""
    tables = [a_table(A, B, (0, 0, 10, 0, 0)), a_table(C, A, (1000, 0, 0, 0, 0))]
    mirror = a_table(A, A, (0, 0, 0, 0, 100))
    for played in (tables, [mirror, *tables]):
        [rate] = expected((A, None), high=0.9).judge(played).rates
        assert rate.estimate.value == pytest.approx(0.75)
        assert rate.estimate.games == 2020
    without_games = expected((A, D), high=0.9).judge(tables)
    assert without_games.outcome is ExpectationVerdict.OPEN
    assert without_games.rates[0].estimate is None


def test_looked_at_intervals_allow_for_looking() -> None:
    tables = [a_table(A, B, LEVEL, anytime=True), a_table(A, C, LEVEL, anytime=True)]
    [rate] = expected((A, None), high=0.9).judge(tables).rates
    pooled = [2 * n for n in LEVEL]
    assert rate.estimate.interval == pytest.approx(anytime_score_interval(pooled))

    # After other numbers of games: reaches are squared and summed.
    tables[1] = a_table(A, C, (0, 0, 40, 0, 0), anytime=True)
    [rate] = expected((A, None), high=0.9).judge(tables).rates
    ends = [anytime_score_interval(n) for n in (LEVEL, (0, 0, 40, 0, 0))]
    reach = hypot(*(0.5 - each.low for each in ends)) / 2
    assert rate.estimate.interval == pytest.approx((0.5 - reach, 0.5 + reach))


def between(*pairs: str) -> list[Job]:
    """Jobs of pairs of decks."""
    return [job(i, 1_000, tuple(pair)) for i, pair in enumerate(pairs)]


def play(rule: StoppingRule, rate: float = 0.5) -> dict[int, int]:
    """Go on until the rule ends it; returns the sets of each job."""
    tallies: dict[int, Ints] = {}
    sets: dict[int, int] = {}
    while more := rule.more(tallies):
        for each in more:
            assert each.sets > sets.get(each.number, 0)
            sets[each.number] = each.sets
            wins = round(rate * each.sets)
            tallies[each.number] = scored_tally([each.sets - wins, 0, 0, 0, wins])
    return sets


def test_games_end_when_all_is_decided() -> None:
    sides = [expected((A, B), high=0.8), expected((C, D), high=0.52)]
    rule = make_expectation_rule(between("ab", "cd"), sides)
    sets = play(rule)

    assert sets[0] < 100
    assert sets[1] == 1_000
    stopped = rule.make_outcome([0, 1])
    assert [each.reached for each in stopped.decisions] == [True, False]
    assert [each.sets for each in stopped.decisions] == [sets[0], 1_000]
    failing = make_expectation_rule(between("ab"), [expected((A, B), high=0.5)])
    assert play(failing, 0.9)[0] == 32
    assert failing.make_outcome([0]).reached


def test_matchups_of_one_expectation_go_on_together() -> None:
    clear, mean = expected((A, B), high=0.9), expected((A, None), high=0.56)
    sets = play(make_expectation_rule(between("ab", "ac", "bc", "cd"), [clear, mean]))
    assert sets[0] == sets[1] > 100
    # Of these nothing is expected.
    assert sets[2] == sets[3] == 32

    links = [clear, expected((C, D), high=0.9)]
    both = expected((A, B), (C, D), high=0.53)
    sets = play(make_expectation_rule(between("ab", "cd", "ad"), [*links, both]))
    assert sets[0] == sets[1] > sets[2]


def test_games_go_on_until_it_is_decided_for_all_looks() -> None:
    """What would be decided by a fixed number of games is not by looking at them."""
    scores = (0, 0, 20, 0, 12)
    tables = [a_table(A, B, scores, anytime=looks) for looks in (False, True)]
    ends = [table.performances[0].win_share for table in tables]
    fixed, looked = (share.interval.low for share in ends if share)
    between = expected((A, B), low=(fixed + looked) / 2)
    rule = make_expectation_rule([job(0, 1_000, (A, B))], [between])
    [first] = rule.more({})

    assert first.sets == sum(scores)
    assert between.judge(tables[:1]).outcome is ExpectationVerdict.HOLDS
    assert [each.sets for each in rule.more({0: scored_tally(scores)})] == [40]


def find_verdict(wanted: Expectation, seed: int) -> ExpectationVerdict:
    """Return the verdict on two even matchups that are played until it is decided."""
    odds = np.random.default_rng(seed).choice(5, (2, 2_000), p=EVEN)
    jobs = [job(0, 2_000, (A, B)), job(1, 2_000, (A, C))]
    rule = make_expectation_rule(jobs, [wanted])
    tallies: dict[int, Ints] = {}
    while more := rule.more(tallies):
        for each in more:
            counts = np.bincount(odds[each.number, : each.sets], minlength=5)
            tallies[each.number] = scored_tally(counts.tolist())
    tables = [make_table_result(j.names, tallies[j.number], anytime=True) for j in jobs]
    return wanted.judge(tables).outcome


@pytest.mark.slow
@pytest.mark.parametrize(
    ("high", "true"), [(0.5, ExpectationVerdict.OPEN), (0.54, ExpectationVerdict.HOLDS)]
)
def test_looking_until_it_is_decided_errs_in_at_most_5_of_100_runs(
    high: float, true: ExpectationVerdict
) -> None:
    wanted = expected((A, None), high=high)
    right = sum(find_verdict(wanted, seed) is true for seed in range(300))

    assert right >= 0.95 * 300
