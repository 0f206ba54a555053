"""Cases of versions of a deck, of searches that choose one, and of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import with_cells
from deckcheck.playing.versions import SCORE_COUNT, Versions
from deckcheck.sim.standings import rank_entrants
from deckcheck.stats.combinations import grouped_difference
from deckcheck.studies.changes import PairedRuns
from deckcheck.studies.duels import combine_differences
from deckcheck.studies.history import make_history
from deckcheck.studies.validation_games import list_step_pairs, summarize_validation
from tools.coverage.cases import (
    LEVEL,
    Case,
    Chance,
    Play,
    Truths,
    holds,
    round_robin,
    tally_of_pairs,
)

GROUPS = 128
FEW, MANY = 10, 300
CANDIDATES = 10
CHANGES = (0.05, 0.02, 0.0, -0.03)
"""In which part of the pairs each of several changes gains, or loses, a half-point."""

MARGIN = 0.005

VALIDATIONS = (
    ("tune", "gain in validation games", "gain"),
    ("tune", "better in validation games", "verdict"),
    ("build", "win rate in validation games", "rate"),
)
FIELDS = {
    "even field": (0.5, 0.5, 0.5),
    "field of 2 to 98%": (0.02, 0.3, 0.98),
    "field of 5%": (0.05,) * 5,
}


def version_cases() -> Iterator[Case]:
    """What `compare`, `tune` and `build` say of versions."""
    for pairs in (10, 200):
        where = f"{pairs} pairs"
        yield Case("compare", "difference", where, _difference(pairs))
        yield Case("compare", "verdicts of 15 rows", where, _rows(pairs))
    for name, rates in FIELDS.items():
        for pairs in (FEW, MANY):
            where = f"best of {CANDIDATES}, {name}, {pairs} pairs"
            for command, figure, what in VALIDATIONS:
                play = _validation(rates, pairs, what)
                yield Case(command, figure, where, play, cost=2)
            even = [1 / len(rates)] * len(rates)
            uneven = [1 - sum(even[1:]) / 2, *(share / 2 for share in even[1:])]
            for what, shares in (("even", even), ("uneven", uneven)):
                where = f"{len(CHANGES)} changes, {name}, {what} shares, {pairs} pairs"
                play = _changes_of(rates, shares, pairs)
                cost = 2 if shares is even and pairs == FEW else 12
                yield Case("tune", "gains of all changes", where, play, cost=cost)


def change_cases() -> Iterator[Case]:
    """What `report --compare` says of two runs."""
    for pairs in (40, 128, 1_000):
        where = f"same shuffles, {pairs} pairs"
        yield Case("report", "change, same shuffles", where, _change(pairs))
    for rate in (0.02, 0.3, 0.5):
        for pairs in (10, 300):
            where = f"other seeds, 2 decks at {rate}, {pairs} pairs"
            play = _changes(rate, 2, pairs, "rates")
            yield Case("report", "change, other seeds", where, play)
            where = f"other seeds, 5 decks at {rate}, {pairs} pairs"
            play = _changes(rate, 5, pairs, "rates")
            yield Case("report", "all changes of matchups", where, play, cost=12)
            play = _changes(rate, 5, pairs, "decks")
            yield Case("report", "all changes of decks", where, play, cost=12)
            where = f"3 runs, 4 decks at {rate}, {pairs} pairs"
            play = _history(rate, pairs)
            yield Case("report", "all changes over runs", where, play, cost=6)


def _joint(chance: Chance, pairs: int, rate: float = 0.5, gain: float = 0.0) -> Ints:
    """Two versions in the same games, which differ in up to one pair in five."""
    own = chance.binomial(4, rate, pairs)
    other = np.where(chance.random(pairs) < 0.2, chance.binomial(4, rate, pairs), own)
    joint = np.zeros((SCORE_COUNT, SCORE_COUNT), np.int64)
    np.add.at(joint, (own, np.minimum(4, other + (chance.random(pairs) < gain))), 1)
    return joint


def _difference(pairs: int) -> Play:
    def play(chance: Chance) -> Truths:
        joints = [_joint(chance, pairs) for _ in range(3)]
        difference = combine_differences(
            ("old", "new"), joints, margin=0.0, anytime=False
        )
        return [holds(difference.interval, 0.0)]

    return play


def _rows(pairs: int) -> Play:
    """Fifteen opponents against whom both do alike: a verdict on one is wrong."""

    def play(chance: Chance) -> Truths:
        options: dict[str, Any] = {"margin": 0.0, "anytime": False, "together": 15}
        differences = (
            combine_differences(("old", "new"), [_joint(chance, pairs)], **options)
            for _ in range(15)
        )
        return [not any(each.verdict.is_sure for each in differences)]

    return play


def _validation(rates: Sequence[float], pairs: int, what: str) -> Play:
    """The best of several decks, chosen by games and validated by others.

    They change 0 to 5% of pairs for the better; where it is asked what is said to be
    better or worse, none does, so both are wrong.
    """
    most = 0.0 if what == "verdict" else 0.05
    gains = np.linspace(0.0, most, CANDIDATES)
    truths = gains * np.mean(1 - np.array(rates) ** 4) / 4

    def play(chance: Chance) -> Truths:
        drawn = [
            _gained([_pair(chance, r, pairs, gain) for r in rates]) for gain in gains
        ]
        best = int(np.argmax(drawn))
        fresh = _tallies([_pair(chance, r, pairs, gains[best]) for r in rates])
        field = [(str(i), 1 / len(rates)) for i in range(len(rates))]
        validation = summarize_validation("", field, *fresh, MARGIN).field
        [difference] = validation.differences
        if what == "gain":
            return [holds(difference.interval, truths[best])]
        if what == "rate":
            truth = float(np.mean(rates)) + truths[best]
            return [holds(validation.win_rates[1].interval, truth)]
        return [not difference.verdict.is_sure]

    return play


def _changes_of(rates: Sequence[float], shares: Sequence[float], pairs: int) -> Play:
    """Decks a change apart, against opponents who come with these shares.

    The intervals of single changes hold jointly, and so do those of all so far.
    """
    steps = [_means(rate) for rate in rates]
    means = np.array(shares) @ np.array(steps)
    own, so_far = np.diff(means), means[1:] - means[0]

    def play(chance: Chance) -> Truths:
        sets = [max(2, round(len(rates) * pairs * share)) for share in shares]
        drawn = [_path(chance, r, n) for r, n in zip(rates, sets, strict=True)]
        field = [(str(i), share) for i, share in enumerate(shares)]
        validation = summarize_validation("", field, *_tallies(drawn), MARGIN)
        return [
            all(
                holds(g.step.interval, t)
                for g, t in zip(validation.gains, own, strict=True)
            ),
            all(
                holds(g.so_far.interval, t)
                for g, t in zip(validation.gains, so_far, strict=True)
            ),
        ]

    return play


def _means(rate: float) -> list[float]:
    """The win rate of each deck of a path against one opponent."""
    scores = np.arange(SCORE_COUNT)
    chances = np.array([comb(4, s) * rate**s * (1 - rate) ** (4 - s) for s in scores])
    means = [float(chances @ scores) / 4]
    for gain in CHANGES:
        by = int(np.sign(gain))
        moves = np.where(
            (scores + by >= 0) & (scores + by < SCORE_COUNT), abs(gain), 0.0
        )
        chances = chances * (1 - moves) + np.roll(chances * moves, by)
        means.append(float(chances @ scores) / 4)
    return means


def _path(chance: Chance, rate: float, pairs: int) -> Ints:
    """The scores of each deck in the same pairs; changes move some by a half-point."""
    scores = [chance.binomial(4, rate, pairs)]
    for gain in CHANGES:
        moved = (chance.random(pairs) < abs(gain)) * int(np.sign(gain))
        scores.append(np.clip(scores[-1] + moved, 0, SCORE_COUNT - 1))
    return np.array(scores)


def _pair(chance: Chance, rate: float, pairs: int, gain: float) -> Ints:
    """The scores of the base and of a deck that was found in the same pairs."""
    joint = _joint(chance, pairs, rate, gain)
    places = np.repeat(np.arange(joint.size), joint.ravel())
    return np.array(np.divmod(places, SCORE_COUNT))


def _gained(drawn: Sequence[Ints]) -> float:
    return sum(float(new.sum() - old.sum()) for old, new in drawn)


def _tallies(drawn: Sequence[Ints]) -> tuple[list[Versions], list[Ints]]:
    """Decks that lead from a base to another one, as they play each opponent."""
    table: Any = SimpleNamespace(tally_shape=tally_of_pairs([0] * SCORE_COUNT).shape)
    decks = len(drawn[0])
    versions = Versions(table, ((),) * decks, list_step_pairs(decks))
    tallies = []
    for scores in drawn:
        counts = [np.bincount(own, minlength=SCORE_COUNT).tolist() for own in scores]
        joint = [
            np.bincount(
                scores[a] * SCORE_COUNT + scores[b], minlength=SCORE_COUNT * SCORE_COUNT
            )
            for a, b in versions.pairs
        ]
        cells = np.concatenate([*counts, *joint])
        tallies.append(with_cells(tally_of_pairs(counts[0]), cells))
    return [versions] * len(tallies), tallies


def _change(pairs: int) -> Play:
    """Two runs with the same shuffles, whose scores differ in one pair in five."""

    def play(chance: Chance) -> Truths:
        old = chance.binomial(4, 0.5, pairs)
        by = np.where(chance.random(pairs) < 0.5, 1, -1)
        new = np.where(chance.random(pairs) < 0.2, np.clip(old + by, 0, 4), old)
        rest = np.arange(pairs) % GROUPS
        before, after = (np.bincount(rest, s, GROUPS).astype(int) for s in (old, new))
        change = grouped_difference(before.tolist(), after.tolist(), pairs, 4)
        return [holds(change.estimate(LEVEL, pairs).interval, 0.0)]

    return play


def _run(chance: Chance, rate: float, decks: int, pairs: int, seed: int) -> Any:
    """A run in which the first deck has this rate against all others."""
    names = [str(i) for i in range(decks)]
    rates = np.full((decks, decks), 0.5)
    rates[0, 1:] = rate
    matchups = round_robin(chance, rates, pairs)
    return SimpleNamespace(
        seed=seed,
        tables=[matchup.table for matchup in matchups],
        standings=lambda: rank_entrants(names, matchups),
    )


def _changes(rate: float, decks: int, pairs: int, what: str) -> Play:
    """Two runs of the same decks with other shuffles: nothing has changed."""

    def play(chance: Chance) -> Truths:
        before, after = (_run(chance, rate, decks, pairs, seed) for seed in (1, 2))
        runs = PairedRuns(before, after, {})
        changes = runs.list_rates() if what == "rates" else runs.list_decks()
        return [all(holds(change.by.interval, 0.0) for change in changes)]

    return play


def _history(rate: float, pairs: int) -> Play:
    """Three runs of four decks with other shuffles: nothing has changed."""

    def play(chance: Chance) -> Truths:
        drawn = [_run(chance, rate, 4, pairs, seed) for seed in range(3)]
        runs: Any = [
            SimpleNamespace(folder=Path(f"{run.seed}"), result=lambda run=run: run)
            for run in drawn
        ]
        module = "deckcheck.studies.history"
        with (
            mock.patch(f"{module}.compare_settings", return_value=()),
            mock.patch(f"{module}.find_untouched_decks", return_value=()),
        ):
            history = make_history(runs)
        changes = [*history.changes, *(step.change for step in history.steps)]
        return [all(holds(change.by.interval, 0.0) for change in changes)]

    return play
