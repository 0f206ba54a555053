"""Expectations of win rates, and whether games bear them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deckcheck.findings.fields import CLOSED
from deckcheck.sim.results.performance import Performance
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate, mean_of

DIGITS = 9


class Outcome(StrEnum):
    """What games say of an expectation, with the confidence that was asked for."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class WinRate:
    """The win rate of a deck against an opponent, or over all tables that it sits at.

    Where several sit at a table, it is the part of the games that the deck wins.
    """

    __pydantic_config__ = CLOSED

    deck: str
    opponent: str | None = None

    def is_at(self, entrants: Sequence[str]) -> bool:
        """Whether games of these count for it; those of a deck with itself do not."""
        if self.opponent is not None:
            return set(entrants) == {self.deck, self.opponent}
        return self.deck in entrants and len(set(entrants)) > 1


@dataclass(frozen=True, slots=True)
class Expectation:
    """Win rates that are expected to lie between two bounds, or on one side of one.

    `text` is how it was written. With a chance of `confidence` the intervals of all its
    `rates` hold the true values together.
    """

    __pydantic_config__ = CLOSED

    LEAST: ClassVar[float] = 0.0

    text: str
    rates: tuple[WinRate, ...]
    low: float | None
    high: float | None
    confidence: float

    @property
    def level(self) -> float:
        """The confidence of each interval by itself (Bonferroni).

        The rates of two decks against each other are one.
        """
        rates = {frozenset((r.deck, r.opponent)) for r in self.rates}
        return 1 - (1 - self.confidence) / len(rates)

    def judged(self, tables: Sequence[TableResult]) -> Judged:
        """What the games of these tables say of it."""
        return Judged(self, tuple(self._judged(rate, tables) for rate in self.rates))

    def _judged(self, rate: WinRate, tables: Sequence[TableResult]) -> JudgedRate:
        own = [
            table.performances[table.entrants.index(rate.deck)]
            for table in tables
            if rate.is_at(table.entrants)
        ]
        mean = _mean([sample for sample in own if sample.games], self.level)
        return JudgedRate(rate, mean, self._outcome(mean))

    def _outcome(self, estimate: Estimate | None) -> Outcome:
        if estimate is None:
            return Outcome.OPEN
        low = self.LEAST if self.low is None else self.low
        high = 1.0 if self.high is None else self.high
        # Machines may differ in the last digits of what they compute.
        first, last = (round(end, DIGITS) for end in estimate.interval)
        if low <= first and last <= high:
            return Outcome.HOLDS
        return Outcome.FAILS if last < low or first > high else Outcome.OPEN


@dataclass(frozen=True, slots=True)
class JudgedRate:
    """A win rate as it was played, None without games, and what that says."""

    rate: WinRate
    estimate: Estimate | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """An expectation, and the estimate of each of its rates."""

    expectation: Expectation
    rates: tuple[JudgedRate, ...]

    @property
    def outcome(self) -> Outcome:
        """It fails if one rate does, and holds if all do."""
        outcomes = {rate.outcome for rate in self.rates}
        for worst in (Outcome.FAILS, Outcome.OPEN):
            if worst in outcomes:
                return worst
        return Outcome.HOLDS

    @property
    def deciding(self) -> tuple[JudgedRate, ...]:
        """The rates that decide the outcome, the one that is least inside first."""
        own = [rate for rate in self.rates if rate.outcome is self.outcome]
        return tuple(sorted(own, key=self._room))

    def _room(self, rate: JudgedRate) -> float:
        """How far inside its bounds a rate lies."""
        if rate.estimate is None:
            return 0.0
        low, high = self.expectation.low, self.expectation.high
        room = [] if low is None else [rate.estimate.value - low]
        room += [] if high is None else [high - rate.estimate.value]
        return min(room)


def _mean(played: Sequence[Performance], level: float) -> Estimate | None:
    """The mean win share over tables, all with the same weight, and its interval."""
    if not played:
        return None
    return mean_of([sample.share for sample in played]).estimate(level)
