"""By how much win rates differ between two runs, paired where their shuffles are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.standings import Standing
from deckcheck.sim.results.tidy import ALL
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate, Interval, difference, mean_of
from deckcheck.stats.grouped import (
    GroupedDifference,
    grouped_difference,
    mean_of_grouped,
)
from deckcheck.stats.multiple import level_of

TWO = 2


@dataclass(frozen=True, slots=True)
class Change:
    """A rate in both runs; the intervals of all differences hold together.

    `deck` is whose rate it is, `opponent` who it met, ALL for a mean. `is_same` says
    that both runs had the same games, so that nothing can differ, `is_paired` that they
    had the same shuffles.
    """

    deck: str
    opponent: str
    before: Estimate
    after: Estimate
    by: Estimate
    is_same: bool = False
    is_paired: bool = False

    @property
    def met(self) -> tuple[str, str]:
        """Who met whom."""
        return self.deck, self.opponent

    @property
    def name(self) -> str:
        """The same in words."""
        return self.deck if self.opponent == ALL else _shown(self.met)

    @property
    def is_clear(self) -> bool:
        """Whether chance alone does not explain it."""
        return not self.by.interval.low <= 0 <= self.by.interval.high

    def is_known(self, margin: float) -> bool:
        """Whether it is surely less than `margin`, or known to half of its size."""
        low, high = self.by.interval
        if max(abs(low), abs(high)) <= margin:
            return True
        return self.is_clear and high - low <= max(2 * margin, abs(self.by.value))


@dataclass(frozen=True)
class _Pair:
    """A table in both runs; `is_paired` says that its shuffles are the same."""

    before: TableResult
    after: TableResult
    is_paired: bool

    @property
    def is_same(self) -> bool:
        """Whether all that was counted is the same: then so were the games."""
        names = self.before.entrants
        return self.is_paired and replace(self.after, entrants=names) == self.before

    def by(self, entrant: int) -> GroupedDifference:
        """By how much the share of an entrant differs, of runs that are paired."""
        assert self.before.groups is not None
        assert self.after.groups is not None
        before, after = self.before.groups[entrant], self.after.groups[entrant]
        full = len(self.before.performances[entrant].scores) - 1
        return grouped_difference(before, after, self.before.sets, full)

    def change(self, entrant: int, names: Sequence[str], level: float) -> Change:
        """What changed for an entrant; `names` are those of all."""
        others = [name for i, name in enumerate(names) if i != entrant]
        old = self.before.performances[entrant].share
        new = self.after.performances[entrant].share
        games = old.games + new.games
        if self.is_same:
            by = Estimate(0.0, Interval(0.0, 0.0), games)
        elif self.is_paired:
            by = self.by(entrant).estimate(level, games)
        else:
            by = difference(new, old).estimate(level)
        same, paired = self.is_same, self.is_paired
        deck, opponent = names[entrant], ", ".join(others)
        return Change(deck, opponent, old.estimate(), new.estimate(), by, same, paired)


class PairedRuns:
    """Two runs of simulations; decks of the later one may have been `renamed`.

    Intervals hold at each of so many `looks`.
    """

    def __init__(
        self,
        before: SimulationResult,
        after: SimulationResult,
        renamed: Mapping[str, str],
        looks: int = 1,
    ) -> None:
        self._before, self._after = before, after
        self._looks = looks
        self._renamed = renamed
        old = {self._names(t, {}): (i, t) for i, t in enumerate(before.tables)}
        new = {self._names(t, renamed): (i, t) for i, t in enumerate(after.tables)}
        self._pairs: dict[tuple[str, ...], _Pair] = {}
        for names, (i, was) in old.items():
            if names in new:
                j, now = new[names]
                alike = before.seed == after.seed and i == j
                self._pairs[names] = _Pair(was, now, alike and _may_pair(was, now))
        every = dict.fromkeys((*old, *new))
        self.alone = [_shown(n) for n in every if not (n in old and n in new)]

    def rates(self) -> list[Change]:
        """What changed at each table, most of all first; where two play, of the first.

        What had the same games is no part of the correction for their number.
        """
        open_ones = sum(not pair.is_same for pair in self._pairs.values())
        rates = []
        for names, pair in self._pairs.items():
            shown = 1 if len(names) == TWO else len(names)
            level = level_of(open_ones * shown * self._looks)
            rates += [pair.change(i, names, level) for i in range(shown)]
        return sorted(rates, key=lambda rate: -abs(rate.by.value))

    def decks(self) -> list[Change]:
        """What changed of the mean win rates of decks, if they met the same ones."""
        if self.alone or len(self._pairs) < TWO:
            return []
        old = {standing.deck: standing for standing in self._before.standings()}
        new = {
            self._renamed.get(standing.deck, standing.deck): standing
            for standing in self._after.standings()
        }
        names = [name for name in old if name in new]
        open_ones = [n for n in names if not all(p.is_same for p in self._of(n))]
        level = level_of(len(open_ones) * self._looks)
        decks = [self._deck(name, old[name], new[name], level) for name in open_ones]
        return sorted(decks, key=lambda deck: -abs(deck.by.value))

    def change(
        self, deck: str, opponents: Collection[str] | None, level: float
    ) -> Estimate | None:
        """What changed of a deck's mean win rate against opponents, or against all.

        None where that was not played in both runs.
        """
        pairs = self._of(deck)
        if opponents is not None:
            met = [{deck, opponent} for opponent in opponents]
            pairs = [pair for pair in pairs if {*pair.before.entrants} in met]
        if not pairs:
            return None
        sides = [pair.before.entrants.index(deck) for pair in pairs]
        games = sum(pair.before.games + pair.after.games for pair in pairs)
        if all(pair.is_same for pair in pairs):
            return Estimate(0.0, Interval(0.0, 0.0), games)
        if all(pair.is_paired for pair in pairs):
            parts = [pair.by(i) for pair, i in zip(pairs, sides, strict=True)]
            return mean_of_grouped(parts).estimate(level, games)
        was, now = (
            mean_of([t.performances[i].share for t, i in zip(run, sides, strict=True)])
            for run in ([p.before for p in pairs], [p.after for p in pairs])
        )
        return difference(now, was).estimate(level)

    def _deck(self, name: str, was: Standing, now: Standing, level: float) -> Change:
        pairs = self._of(name)
        by = self.change(name, None, level)
        assert by is not None
        is_paired = all(pair.is_paired for pair in pairs)
        return Change(name, ALL, was.estimate, now.estimate, by, is_paired=is_paired)

    def _of(self, name: str) -> list[_Pair]:
        """The tables at which a deck met another one."""
        return [
            pair
            for names, pair in self._pairs.items()
            if name in names and len(set(names)) > 1
        ]

    def _names(self, table: TableResult, renamed: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(renamed.get(name, name) for name in table.entrants)


def _may_pair(before: TableResult, after: TableResult) -> bool:
    """Whether as many sets were played in both, and counted in groups."""
    looked = any(own.anytime for own in (*before.performances, *after.performances))
    counted = before.groups is not None and after.groups is not None
    return counted and not looked and _size(before) == _size(after)


def _size(table: TableResult) -> tuple[int, int]:
    return table.sets, table.games


def _shown(names: Sequence[str]) -> str:
    first, *others = names
    return f"{first} against {', '.join(others)}" if others else first
