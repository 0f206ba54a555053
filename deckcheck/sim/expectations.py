"""Expectations of win rates, and whether games bear them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from deckcheck.fields import CLOSED
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Estimate, average

RATE_DIGITS = 9
"""Digits after the point of the ends of an interval. Machines differ in the others."""


class ExpectationVerdict(StrEnum):
    """The verdict of games on an expectation, with the confidence asked for."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RateInterval:
    """The win rate of a deck against an opponent, or over all tables that it sits at.

    Where several sit at a table, it is the part of the games that the deck wins.
    """

    __pydantic_config__ = CLOSED

    deck: str
    opponent: str | None = None

    def is_at(self, entrants: Sequence[str]) -> bool:
        """Report whether games of these entrants count.

        Games of a deck with itself do not.
        """
        if self.opponent is not None:
            return set(entrants) == {self.deck, self.opponent}
        return self.deck in entrants and len(set(entrants)) > 1


@dataclass(frozen=True, slots=True)
class Expectation:
    """Win rates that are expected between two bounds, or above or below a bound."""

    __pydantic_config__ = CLOSED

    LEAST: ClassVar[float] = 0.0

    text: str
    """The words in which a plan states it."""
    rates: tuple[RateInterval, ...]
    low: float | None
    """The lower bound, or None without one."""
    high: float | None
    """The upper bound, or None without one."""
    confidence: float
    """The chance that the intervals of all rates hold the true values together."""

    @property
    def level(self) -> float:
        """The confidence of each interval by itself (Bonferroni).

        The rates of two decks against each other count once.
        """
        rates = {frozenset((r.deck, r.opponent)) for r in self.rates}
        return 1 - (1 - self.confidence) / len(rates)

    def judge(self, tables: Sequence[TableResult]) -> Judged:
        """Return the outcome by the games of these tables."""
        rates = [self._judge_rate(rate, tables) for rate in self.rates]
        return Judged(self, tuple(rates))

    def _judge_rate(
        self, rate: RateInterval, tables: Sequence[TableResult]
    ) -> JudgedRate:
        """Return the mean of a rate over its tables, all with the same weight."""
        shares = []
        for table in tables:
            if rate.is_at(table.entrants):
                performance = table.performances[table.entrants.index(rate.deck)]
                if performance.games:
                    shares.append(performance.share)
        mean = average(shares).estimate(self.level) if shares else None
        return JudgedRate(rate, mean, self.judge_estimate(mean))

    def judge_estimate(self, estimate: Estimate | None) -> ExpectationVerdict:
        """Return the verdict on a measured value, which is None without games."""
        if estimate is None:
            return ExpectationVerdict.OPEN
        lower_bound = self.LEAST if self.low is None else self.low
        upper_bound = 1.0 if self.high is None else self.high
        low = round(estimate.interval.low, RATE_DIGITS)
        high = round(estimate.interval.high, RATE_DIGITS)
        if lower_bound <= low and high <= upper_bound:
            return ExpectationVerdict.HOLDS
        if high < lower_bound or low > upper_bound:
            return ExpectationVerdict.FAILS
        return ExpectationVerdict.OPEN


@dataclass(frozen=True, slots=True)
class JudgedRate:
    """A measured win rate, and its outcome."""

    rate: RateInterval
    estimate: Estimate | None
    """The measured rate, or None without games."""
    outcome: ExpectationVerdict


@dataclass(frozen=True, slots=True)
class Judged:
    """An expectation, and the estimate of each of its rates."""

    expectation: Expectation
    rates: tuple[JudgedRate, ...]

    @property
    def outcome(self) -> ExpectationVerdict:
        """The verdict: failure if a rate fails, and success if all hold."""
        outcomes = {rate.outcome for rate in self.rates}
        if ExpectationVerdict.FAILS in outcomes:
            return ExpectationVerdict.FAILS
        if ExpectationVerdict.OPEN in outcomes:
            return ExpectationVerdict.OPEN
        return ExpectationVerdict.HOLDS

    @property
    def deciding(self) -> tuple[JudgedRate, ...]:
        """The rates that decide the outcome, the rate closest to a bound first."""
        rates = [rate for rate in self.rates if rate.outcome is self.outcome]
        return tuple(sorted(rates, key=self._measure_room))

    def _measure_room(self, rate: JudgedRate) -> float:
        """Return how far inside its bounds a rate is."""
        if rate.estimate is None:
            return 0.0
        rooms = []
        if self.expectation.low is not None:
            rooms.append(rate.estimate.value - self.expectation.low)
        if self.expectation.high is not None:
            rooms.append(self.expectation.high - rate.estimate.value)
        return min(rooms)
