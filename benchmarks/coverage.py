"""`python -m benchmarks.coverage`: how often what is printed is true.

Games are drawn by chance with known win rates, and given to the very functions that
commands call. Each line is one kind of figure: the worst of several cases, in which its
interval holds the true value least often, or its claim is wrong most often.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np

from deckcheck.playing.tally import Head, new_tally
from deckcheck.sim.results.played import Matchup, Performance, TableResult
from deckcheck.sim.results.standings import standings
from deckcheck.sim.stopping.expectations import Expectation, Outcome, WinRate
from deckcheck.stats import Combination, Interval, Sample, mean_of
from deckcheck.stats.equilibrium import equilibrium
from deckcheck.stats.grouped import grouped_difference
from deckcheck.stats.multiple import level_of
from deckcheck.studies.balance.cards import Worth, named_cards
from deckcheck.studies.balance.targets import gauges
from deckcheck.studies.differences import Verdict, difference_of
from deckcheck.studies.impact.swaps import Swap
from deckcheck.studies.impact.trial import Effect, Trial, Tried
from deckcheck.studies.meta.field import Field, Met, Origin
from deckcheck.studies.meta.play import meta_of
from deckcheck.studies.meta.tables import meta_answers
from deckcheck.studies.simulate.duel_page import is_better, places_of
from deckcheck.studies.solve.payoff_matrix import gain_of, rate_of

SEED = 22
LEVEL = 0.95
ORIGIN = Origin("made up", "none", ("chance",), 0, "none", "none")
GROUPS = 128

Chance = np.random.Generator
Truths = Sequence[bool]


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of figure in one situation; `play` says of one run what was true.

    A claim that was not made is not wrong, and so it counts as true.
    """

    command: str
    figure: str
    situation: str
    play: Callable[[Chance], Truths]


@dataclass(frozen=True, slots=True)
class Line:
    """How often a figure was true, of so many that were told in a case."""

    case: Case
    true: int
    told: int

    @property
    def share(self) -> float:
        """The part that was true."""
        return self.true / self.told

    @property
    def error(self) -> float:
        """The standard error of that part, were it as promised."""
        return sqrt(LEVEL * (1 - LEVEL) / self.told)


def measured(case: Case, runs: int) -> Line:
    """Play a case so many times; the same each time."""
    chance = np.random.default_rng([SEED, *case.situation.encode()])
    # Resampling takes its time.
    count = max(1, runs // 8) if case.command == "meta" else runs
    found = [each for _ in range(count) for each in case.play(chance)]
    return Line(case, sum(found), len(found))


def every_case() -> Iterator[Case]:
    """Every kind of figure, in the situations that are hard for it."""
    for rate in (0.02, 0.2, 0.5, 0.98):
        for pairs in (10, 300):
            yield Case(
                "simulate", "win rate", f"{rate}, {pairs} pairs", _rate(rate, pairs)
            )
    for rate, decks, pairs in SIZES:
        where = f"{decks} decks at {rate}, {pairs} pairs"
        yield Case("simulate", "mean over opponents", where, _mean(rate, decks, pairs))
        yield Case("check", "decision on a mean", where, _check(rate, decks, pairs))
    for decks, pairs in ((2, 50), (5, 20), (15, 50)):
        where = f"{decks} equal decks, {pairs} pairs"
        yield Case("simulate", "ahead of all others", where, _ahead(decks, pairs))
        yield Case("simulate", "place", where, _place(decks, pairs))
        yield Case("meta", "more than any other", where, _weights(decks, pairs))
    for players, sets in ((3, 10), (3, 200), (5, 50)):
        where = f"table of {players}, {sets} sets"
        yield Case("simulate", "best at the table", where, _table(players, sets))
    yield Case("simulate", "mean after looks", "14 at 0.1, all looks", _looks(0.1))
    yield Case("simulate", "mean after looks", "14 at 0.5, all looks", _looks(0.5))
    for pairs in (10, 50, 500):
        where = f"circle of 55 to 45, {pairs} pairs"
        yield Case("meta", "circles", where, _circles(0.0, 0.2, 3, pairs))
        where = f"5 decks without circles, {pairs} pairs"
        yield Case("meta", "circles", where, _circles(0.4, 0.0, 5, pairs))
        where = f"6 decks with circles, {pairs} pairs"
        yield Case("meta", "circles", where, _circles(0.4, 0.3, 6, pairs))
        where = f"3 decks in a circle, {pairs} pairs"
        yield Case("meta", "shares of the mix", where, _shares(3, pairs))
    for pairs in (20, 300):
        where = f"4 decks, {pairs} pairs"
        yield Case("solve", "most that a deck gains", where, _gain(pairs))
        yield Case("balance", "rates of all decks", where, _gauges(pairs))
    for pairs in (1, 2, 6, 50, 500):
        for opponents in (1, 3):
            where = f"{opponents} opponents, {pairs} pairs"
            yield Case("impact", "worth of a card", where, _worth(pairs, opponents))
    for pairs in (10, 200):
        where = f"{pairs} pairs"
        yield Case("balance", "card above its peers", where, _peers(pairs))
        yield Case("compare", "difference", where, _difference(pairs))
        yield Case("compare", "verdicts of 15 rows", where, _rows(pairs))
    for pairs in (40, 128, 1_000):
        yield Case("report", "change between runs", f"{pairs} pairs", _change(pairs))


SIZES = (
    (0.03, 3, 10),
    (0.03, 15, 10),
    (0.5, 15, 2),
    (0.5, 2, 10),
    (0.98, 15, 50),
    (0.3, 15, 300),
)


def pairs_of(chance: Chance, rate: float, number: int) -> tuple[int, ...]:
    """What so many mirrored pairs of independent games came to."""
    won = chance.binomial(2, rate, number)
    return tuple(np.bincount(2 * won, minlength=5).tolist())


def holds(interval: Interval, truth: float) -> bool:
    """Whether an interval holds a value, but for the last digits."""
    return interval.low - 1e-9 <= truth <= interval.high + 1e-9


def share_of(counts: Sequence[int], *, anytime: bool = False) -> Combination:
    """A win rate of its own."""
    return Combination.of(Sample(tuple(counts), 2 * sum(counts), anytime=anytime))


def table_of(names: Sequence[str], scores: Sequence[Sequence[int]]) -> TableResult:
    """A table at which each entrant came to these shares."""
    sets = sum(scores[0])
    own = [
        Performance(len(names) * sets, 0, 0, None, None, None, tuple(each))
        for each in scores
    ]
    nothing = (0.0, 0.0)
    return TableResult(
        tuple(names), len(names) * sets, sets, 0, tuple(own), (), (), *nothing
    )


def round_robin(chance: Chance, rates: Any, pairs: int) -> list[Matchup]:
    """Decks that all met each other."""
    found = []
    for a, b in combinations(range(len(rates)), 2):
        counts = pairs_of(chance, rates[a][b], pairs)
        found.append(Matchup(table_of((f"{a}", f"{b}"), (counts, counts[::-1]))))
    return found


def even(decks: int) -> Any:
    """Win rates of decks that are all alike."""
    return np.full((decks, decks), 0.5)


def field_of(chance: Chance, rates: Any, pairs: int) -> Field:
    """The same as `meta` reads it."""
    names = tuple(str(i) for i in range(len(rates)))
    met = tuple(
        Met(f"{a}", f"{b}", pairs_of(chance, rates[a][b], pairs))
        for a, b in combinations(range(len(rates)), 2)
    )
    return Field(names, met, "deck", "game", ORIGIN)


def _rate(rate: float, pairs: int) -> Callable[[Chance], Truths]:
    return lambda c: [holds(share_of(pairs_of(c, rate, pairs)).interval(), rate)]


def _mean(rate: float, decks: int, pairs: int) -> Callable[[Chance], Truths]:
    """The first deck has this rate against all others."""
    rates = even(decks)
    rates[0, 1:] = rate
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        found = standings(names, round_robin(chance, rates, pairs))
        return [holds(each.interval, rate) for each in found if each.deck == "0"]

    return play


def _check(rate: float, decks: int, pairs: int) -> Callable[[Chance], Truths]:
    """What is expected holds by nothing, and fails by nothing."""
    rates = even(decks)
    rates[0, 1:] = rate
    wanted = (WinRate("0"),)
    expected = [
        Expectation("above", wanted, rate + 1e-6, None, LEVEL),
        Expectation("below", wanted, None, rate - 1e-6, LEVEL),
    ]

    def play(chance: Chance) -> Truths:
        tables = [each.table for each in round_robin(chance, rates, pairs)]
        return [e.judged(tables).outcome is not Outcome.HOLDS for e in expected]

    return play


def _ahead(decks: int, pairs: int) -> Callable[[Chance], Truths]:
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        best, *rest = standings(names, round_robin(chance, even(decks), pairs))
        return [not all(is_better(best, each) for each in rest)]

    return play


def _place(decks: int, pairs: int) -> Callable[[Chance], Truths]:
    """Of equal decks no place is known, so any that is told is wrong."""
    names = [str(i) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        found = standings(names, round_robin(chance, even(decks), pairs))
        return [place == f"1 to {decks}" for place in places_of(found)]

    return play


def _weights(decks: int, pairs: int) -> Callable[[Chance], Truths]:
    weights = [float(i + 1) for i in range(decks)]

    def play(chance: Chance) -> Truths:
        found = meta_of(field_of(chance, even(decks), pairs), weights, resamples=1)
        return ["more than any other" not in next(meta_answers(found))]

    return play


def _table(players: int, sets: int) -> Callable[[Chance], Truths]:
    """Equal players, one of whom wins each game."""
    names = [str(i) for i in range(players)]
    full = int(np.lcm.reduce(range(1, players + 1)))

    def play(chance: Chance) -> Truths:
        won = chance.multinomial(players, [1 / players] * players, sets)
        counts = [np.bincount(full * w, minlength=full * players + 1) for w in won.T]
        table = table_of(names, [each.tolist() for each in counts])
        shares = [each.share.value for each in table.performances]
        best = int(np.argmax(shares))
        rest = [i for i in range(players) if i != best]
        return [not all(table.difference(best, i).interval.low > 0 for i in rest)]

    return play


def _looks(rate: float) -> Callable[[Chance], Truths]:
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


def _circles(
    straight: float, circles: float, decks: int, pairs: int
) -> Callable[[Chance], Truths]:
    """Log-odds from strengths and from circles; what is true is told by many games."""
    drawn = np.random.default_rng(decks)
    strength = straight * drawn.standard_normal(decks)
    round_ = drawn.standard_normal((decks, decks))
    if decks == 3:
        round_ = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    odds = strength[:, None] - strength + circles * (round_ - round_.T) / 2
    rates = 1 / (1 + np.exp(-odds))
    edges = np.array([np.eye(decks)[a] - np.eye(decks)[b] for a, b in _pairs(decks)])
    true = np.array([odds[a, b] for a, b in _pairs(decks)])
    rest = true - edges @ np.linalg.pinv(edges) @ true
    share = float(rest @ rest / (true @ true))

    def play(chance: Chance) -> Truths:
        found = meta_of(field_of(chance, rates, pairs), resamples=1)
        return [holds(found.cycles.interval, share)]

    return play


def _pairs(decks: int) -> list[tuple[int, int]]:
    return list(combinations(range(decks), 2))


def _shares(decks: int, pairs: int) -> Callable[[Chance], Truths]:
    """A circle, of which all decks are in the mix."""
    rates = np.array([[0.5, 0.6, 0.35], [0.4, 0.5, 0.62], [0.65, 0.38, 0.5]])
    truth = equilibrium(rates[:decks, :decks]).shares

    def play(chance: Chance) -> Truths:
        found = meta_of(field_of(chance, rates, pairs), resamples=100)
        shares = [player.share.interval for player in found.players]
        return [holds(i, t) for i, t in zip(shares, truth, strict=True)]

    return play


def _gain(pairs: int) -> Callable[[Chance], Truths]:
    """Six decks against a mix of four, the best of whom gains 2 points."""
    shares = (0.4, 0.3, 0.2, 0.1)
    level = level_of(6)

    def play(chance: Chance) -> Truths:
        ends = []
        for lead in (0.02, 0.02, 0.01, 0.0, -0.1, -0.3):
            met = [rate_of(pairs_of(chance, 0.5 + lead, pairs)) for _ in shares]
            ends.append(gain_of(met, shares).interval(level).high)
        return [max(0.0, *ends) >= 0.02]

    return play


def _gauges(pairs: int) -> Callable[[Chance], Truths]:
    met = _pairs(4)
    rates = (0.9, 0.95, 0.97, 0.5, 0.6, 0.55)
    asked = gauges(["a", "b", "c", "d"], [None] * 4, [1.0, 2.0, 3.0, 4.0], met)

    def play(chance: Chance) -> Truths:
        scores = [pairs_of(chance, rate, pairs) for rate in rates]
        level = level_of(len(asked))
        return [
            all(
                holds(g.estimate(scores, level).interval, g.value(rates)) for g in asked
            )
        ]

    return play


def _worth(pairs: int, opponents: int) -> Callable[[Chance], Truths]:
    """A card that changes one pair in ten, mostly for the better."""
    swap = Swap("a", "b")
    trial = Trial((), {"a": (swap,)})

    def play(chance: Chance) -> Truths:
        tried = [_contrast(chance, pairs) for _ in range(opponents)]
        tables = [SimpleNamespace(sums=lambda _, sums=sums: sums) for sums, _ in tried]
        found = Tried(trial, tables, [tally for _, tally in tried])  # type: ignore[arg-type]
        return [holds(found.worth("a").interval, CHANGED * 0.4 * 0.5)]

    return play


CHANGED = 0.1


def _contrast(chance: Chance, pairs: int) -> tuple[Any, Any]:
    """Sums of a contrast in half-points, and a tally of so many sets."""
    signs = np.where(chance.random(pairs) < 0.7, 2, -2)
    by = np.where(chance.random(pairs) < CHANGED, signs, 0)
    tally = new_tally(2, 2)
    tally[0, Head.SETS] = pairs
    return np.array([[by.sum()], [(by * by).sum()]]), tally


def _peers(pairs: int) -> Callable[[Chance], Truths]:
    """Eight cards of two decks, all worth the same, one of them measured again."""
    ids = [f"card {i}" for i in range(8)]
    cards = {id: SimpleNamespace(name=id, kind="unit") for id in ids}
    database: Any = SimpleNamespace(cards=cards)

    def worth(chance: Chance, deck: int, count: int) -> Worth:
        trial = Trial((), {"a": (Swap("a", "b"),)})
        sums, tally = _contrast(chance, count)
        table: Any = SimpleNamespace(sums=lambda _: sums)
        effect: Effect = Tried(trial, [table], [tally]).worth("a")
        low, high = effect.interval
        return Worth(effect, {deck: (high - low) / 2})

    def play(chance: Chance) -> Truths:
        worths = {id: worth(chance, i % 2, pairs) for i, id in enumerate(ids)}
        again = {ids[0]: worth(chance, 0, 4 * pairs)}
        [place] = named_cards(worths, again, database, [1.0, 1.0])
        return [holds(place.above.interval, 0.0)]

    return play


def _joint(chance: Chance, pairs: int, gain: float = 0.0) -> Any:
    """Two versions in the same games, which differ in one pair in five."""
    own = chance.binomial(4, 0.5, pairs)
    by = np.where(chance.random(pairs) < 0.5 + gain, 1, -1)
    other = np.where(chance.random(pairs) < 0.2, np.clip(own + by, 0, 4), own)
    joint = np.zeros((5, 5), np.int64)
    np.add.at(joint, (own, other), 1)
    return joint


def _difference(pairs: int) -> Callable[[Chance], Truths]:
    def play(chance: Chance) -> Truths:
        joints = [_joint(chance, pairs) for _ in range(3)]
        found = difference_of((0, 1), joints, margin=0.0, anytime=False)
        return [holds(found.interval, 0.0)]

    return play


def _rows(pairs: int) -> Callable[[Chance], Truths]:
    """Fifteen opponents against whom both do alike: a verdict on one is wrong."""

    def play(chance: Chance) -> Truths:
        sure = (Verdict.BETTER, Verdict.WORSE)
        options: dict[str, Any] = {"margin": 0.0, "anytime": False, "together": 15}
        found = (
            difference_of((0, 1), [_joint(chance, pairs)], **options) for _ in range(15)
        )
        return [not any(each.verdict in sure for each in found)]

    return play


def _change(pairs: int) -> Callable[[Chance], Truths]:
    """Two runs with the same shuffles, whose scores differ in one pair in five."""

    def play(chance: Chance) -> Truths:
        old = chance.binomial(4, 0.5, pairs)
        by = np.where(chance.random(pairs) < 0.5, 1, -1)
        new = np.where(chance.random(pairs) < 0.2, np.clip(old + by, 0, 4), old)
        rest = np.arange(pairs) % GROUPS
        before, after = (np.bincount(rest, s, GROUPS).astype(int) for s in (old, new))
        found = grouped_difference(before.tolist(), after.tolist(), pairs, 4)
        return [holds(found.estimate(LEVEL, pairs).interval, 0.0)]

    return play


def worst(lines: Sequence[Line]) -> list[Line]:
    """Of each kind of figure the case in which it was true least often."""
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        key = (line.case.command, line.case.figure)
        if key not in found or line.share < found[key].share:
            found[key] = line
    return list(found.values())


def main() -> None:
    """Print a table in Markdown: each kind of figure in its worst case, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("--runs", type=int, default=2_000, help="of most cases")
    parser.add_argument("--all", action="store_true", help="show all cases")
    options = parser.parse_args()
    print("| command | figure | true in | worst case |\n|---|---|---:|---|")
    lines = []
    for case in every_case():
        lines.append(measured(case, options.runs))
        if options.all:
            print(_row(lines[-1]), flush=True)
    for line in () if options.all else worst(lines):
        print(_row(line))


def _row(line: Line) -> str:
    case, share = line.case, f"{100 * line.share:.1f} %"
    return f"| {case.command} | {case.figure} | {share} | {case.situation} |"


if __name__ == "__main__":
    main()
