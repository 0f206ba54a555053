"""Cases of runs that are looked at before their end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from deckcheck.sim.jobs import Job
from deckcheck.sim.stopping import Stopping, rule_of
from deckcheck.stats import mean_of, score_of
from tools.coverage.cases import Case, Chance, Play, Truths, holds
from tools.coverage.drawing import (
    alike_games,
    pairs_of,
    share_of,
    tally_of_pairs,
)

MOST = 200_000
LEADS = ((0.0, 20.0), (0.0, 100.0), (-600.0, -450.0))


def looking_cases() -> Iterator[Case]:
    """Means at every look, and tests of two leads from both sides."""
    for rate in (0.1, 0.5):
        where = f"14 at {rate}, all looks"
        yield Case("simulate", "mean after looks", where, _looks(rate), cost=8)
    for leads in LEADS:
        for error in (0.05, 0.01):
            test = Stopping(sprt=leads, alpha=error, beta=error)
            for true in leads:
                name = f"{leads[0]:g} against {leads[1]:g} Elo"
                where = f"{name}, error {error:g}, truth {true:g}"
                play = _sprt(test, true)
                yield Case(
                    "simulate", "lead accepted by `--sprt`", where, play, 1 - error, 4
                )


def _looks(rate: float) -> Play:
    """Fourteen matchups that end at different times, and their mean at every look."""

    def play(chance: Chance) -> Truths:
        counts = np.zeros((14, 5), int)
        sets = 0
        for look in (32, 50, 78, 122, 190, 297, 464, 725):
            going = 14 if look < 200 else 7
            for i in range(going):
                counts[i] += pairs_of(chance, rate, look - sets)
            sets = look
            mean = mean_of([share_of(each.tolist(), anytime=True) for each in counts])
            if not holds(mean.interval(), rate):
                return [False]
        return [True]

    return play


def _sprt(asked: Stopping, elo: float) -> Play:
    """Games of a deck whose lead is one of those tested: the other is wrong."""
    assert asked.sprt is not None
    wrong = asked.sprt[0] if elo == asked.sprt[1] else asked.sprt[1]
    rate = score_of(elo)
    table: Any = None

    def play(chance: Chance) -> Truths:
        job = Job(0, "a against b", table, ("heuristic", "heuristic"), MOST)
        rule = rule_of(asked, [job], ["a", "b"])
        counts = np.zeros(5, np.int64)
        tallies: dict[int, Any] = {}
        while more := rule.more(tallies):
            fresh = more[0].sets - int(counts.sum())
            scores = 2 * alike_games(chance, rate, fresh).sum(axis=1)
            counts += np.bincount(scores, minlength=5)
            tallies[0] = tally_of_pairs(counts.tolist())
        [decision] = rule.stopped([0]).decisions
        return [decision.decision != f"{wrong:+g} Elo accepted"]

    return play
