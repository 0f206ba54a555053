"""Rules that stop a run, on tallies drawn by chance: no game is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from tallies import tally_of

from deckcheck.findings import UsageError
from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally
from deckcheck.sim.jobs import Job
from deckcheck.sim.standings import shares_of, table_result
from deckcheck.sim.stopping import (
    Adaptive,
    Stopping,
    StoppingRule,
    checkpoints,
    rule_of,
)

EVEN = (0.15, 0.2, 0.3, 0.2, 0.15)
BETTER = (0.05, 0.15, 0.3, 0.25, 0.25)


def job(number: int, sets: int, names: Sequence[str] = ("a", "b")) -> Job:
    unplayed: Any = None
    label = " against ".join(names)
    return Job(number, label, unplayed, ("random",) * 2, sets, names=tuple(names))


def drawn(odds: Sequence[float], sets: int, number: int) -> Ints:
    """The tally of the first `sets` mirrored pairs of job `number`."""
    chance = np.random.default_rng(number)
    counts = np.bincount(chance.choice(5, sets, p=odds), minlength=5)
    tally = new_tally(2, 2)
    tally[0, Head.SETS], tally[0, Head.GAMES] = sets, 2 * sets
    for row, scores in ((1, counts), (2, counts[::-1])):
        tally[row, SeatColumns.GAMES] = 2 * sets
        tally[row, SeatColumns.GAMES_SQUARED] = 4 * sets
        tally[row, SeatColumns.SHARES : SeatColumns.SHARES + 5] = scores
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


def test_a_short_run_is_looked_at_once() -> None:
    assert list(checkpoints(20)) == [20]


class TestWidth:
    def test_stops_once_every_interval_is_narrow(self) -> None:
        jobs = [job(0, 100_000), job(1, 100_000)]
        rule = rule_of(Stopping(until_width=0.05), jobs, ())
        odds = {0: EVEN, 1: (0.0, 0.0, 1.0, 0.0, 0.0)}
        sets = finish(rule, odds)

        assert sets[1] < sets[0] < 100_000
        for number, decision in enumerate(rule.stopped([0, 1]).decisions):
            tally = drawn(odds[number], sets[number], number)
            [low, high] = shares_of(tally, 2, anytime=True)[0].interval
            assert decision.reached
            assert high - low <= 0.05

    def test_the_widest_interval_counts(self) -> None:
        """Of three at a table one never wins, which is known soon."""
        won_in_turn = [
            [((1, 2, 3), (0, 0, 0), 0)] * 3,
            [((2, 1, 3), (0, 0, 0), 0)] * 3,
        ]
        tally = tally_of(won_in_turn * 16)
        shares = shares_of(tally, 3, anytime=True)
        widths = [share.interval.high - share.interval.low for share in shares]
        table = replace(job(0, 1_000, ("a", "b", "c")), entrants=3, games=3)
        rule = rule_of(Stopping(until_width=sum(sorted(widths)[:2]) / 2), [table], ())
        [first] = rule.more({})

        assert widths[2] < widths[0] == pytest.approx(widths[1])
        assert first.sets == 32
        assert [each.sets for each in rule.more({0: tally})] == [40]

    def test_says_when_the_games_ended_first(self) -> None:
        rule = rule_of(Stopping(until_width=0.001), [job(0, 500)], ())

        assert finish(rule, {0: EVEN}) == {0: 500}
        assert not rule.stopped([0]).reached


class TestTest:
    def test_accepts_the_lead_that_there_is(self) -> None:
        rule = rule_of(Stopping(sprt=(0, 30)), [job(0, 10**6), job(1, 10**6)], ())
        sets = finish(rule, {0: BETTER, 1: EVEN})
        decisions = rule.stopped([0, 1]).decisions

        assert decisions[0].text == "+30 Elo accepted"
        assert decisions[1].text == "+0 Elo accepted"
        assert max(sets.values()) < 10_000
        assert (decisions[0].ratio or 0) > 2.94 > -2.94 > (decisions[1].ratio or 0)

    def test_needs_mirrored_pairs(self) -> None:
        table = replace(job(0, 100, ("a", "b", "c")), entrants=3, games=3)

        with pytest.raises(UsageError, match="mirrored pairs"):
            rule_of(Stopping(sprt=(0, 5)), [table], ())


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

    def rule(self, sets: int) -> Adaptive:
        pairs = combinations(self.names, 2)
        jobs = [job(number, sets, pair) for number, pair in enumerate(pairs)]
        found = rule_of(Stopping(adaptive=True), jobs, self.names)
        assert isinstance(found, Adaptive)
        return found

    def test_spends_the_games_on_those_that_are_alike(self) -> None:
        rule = self.rule(2_000)
        sets = finish(rule, self.odds())

        assert rule.race.settled == {"good", "poor"}
        assert sets[2] < 1_000 < sets[3]  # good against poor, fair against twin
        assert sum(sets.values()) <= 6 * 2_000
        stopped = rule.stopped(range(6))
        assert stopped.decisions[2].reached
        assert not stopped.decisions[3].reached
        assert stopped.open == ("fair", "twin")

    def test_gives_the_same_games_to_all_matchups_of_an_open_deck(self) -> None:
        sets = finish(self.rule(2_000), self.odds())

        assert len({sets[0], sets[3], sets[4], sets[1], sets[5]}) == 1

    def test_needs_three_decks(self) -> None:
        with pytest.raises(UsageError, match="three decks"):
            rule_of(Stopping(adaptive=True), [job(0, 100)], ("a", "b"))


@pytest.mark.parametrize(
    "asked",
    [
        {"until_width": 0.1, "adaptive": True},
        {"until_width": 0.0},
        {"until_width": 1.0},
        {"sprt": (5, 0)},
        {"sprt": (0, 5), "alpha": 0.7},
    ],
)
def test_refuses_what_makes_no_sense(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Stopping(**asked)


def test_intervals_of_a_run_that_was_looked_at_are_wider() -> None:
    tally = drawn(EVEN, 500, 1)
    fixed, looked = (table_result("ab", tally, anytime=x) for x in (False, True))
    a, b = (x.performances[0].win_share for x in (fixed, looked))

    assert a is not None
    assert b is not None
    assert b.interval.low < a.interval.low < a.interval.high < b.interval.high
