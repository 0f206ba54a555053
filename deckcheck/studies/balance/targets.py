"""Targets of a field, and its present state: rates of decks and factions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.stats import Combination, Estimate, Sample, mean_of

HALF = 0.5
TWO = 2
Scores = Sequence[Sequence[int]]
"""Of each pair of decks how often the first came to 0 to 4 half-points in a set."""


Kind: TypeAlias = Literal["deck", "faction"]


class Verdict(StrEnum):
    """What came of a target: its value is the word for it."""

    MET = "met"
    NOT_SHOWN = "not shown"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Targets:
    """Between which win rates, 0 to 1, each deck and each faction is to lie.

    None asks nothing of them.
    """

    __pydantic_config__ = CLOSED

    deck: tuple[float, float] | None = None
    faction: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        given = {"deck": self.deck, "faction": self.faction}
        for name, ends in given.items():
            if ends is not None and not 0 <= ends[0] < HALF < ends[1] <= 1:
                low, high = (f"{100 * end:g}" for end in ends)
                raise UsageError(
                    f"`{name}` is {low} to {high} %, must lie around 50 %",
                    "All win rates have a mean of 50 %",
                )
        if self.deck is None and self.faction is None:
            raise UsageError(
                "No target given", "Set `deck` or `faction` in `[targets]`"
            )


@dataclass(frozen=True, slots=True)
class Gauge:
    """A deck, or a faction, and its win rate as a sum over pairs of decks.

    `members` are the decks it is about, by their places. `parts` are pairs by their
    places, each with its weight; it is negative where the deck is the second one. Their
    sizes add up to 1.
    """

    kind: Kind
    name: str
    members: tuple[int, ...]
    parts: tuple[tuple[int, float], ...]

    def value(self, rates: Sequence[float]) -> float:
        """The win rate by those of the first decks of all pairs."""
        return sum(
            part * rates[i] if part > 0 else -part * (1 - rates[i])
            for i, part in self.parts
        )

    def shift(self, shifts: Sequence[float]) -> float:
        """By how much it moves when the rates of the pairs move."""
        return sum(part * shifts[i] for i, part in self.parts)

    def estimate(self, scores: Scores, level: float) -> Estimate:
        """The win rate with its interval."""
        weights = [abs(part) for _, part in self.parts]
        rates = []
        for i, part in self.parts:
            share = Combination.of(Sample(tuple(scores[i]), TWO * sum(scores[i])))
            rates.append(share if part > 0 else share.opposite())
        return mean_of(rates, weights).estimate(level)


@dataclass(frozen=True, slots=True)
class Aim:
    """A gauge and the range in which it is to lie."""

    gauge: Gauge
    low: float
    high: float

    def within(self, margin: float) -> tuple[float, float]:
        """The ends of the range, each closer to 50 % by `margin`, at most half way."""
        low = self.low + min(margin, (HALF - self.low) / 2) if self.low > 0 else 0.0
        high = self.high - min(margin, (self.high - HALF) / 2) if self.high < 1 else 1.0
        return low, high

    def missed_by(self, value: float, margin: float = 0.0) -> float:
        """How far a rate lies outside of the range, made narrower by `margin`."""
        low, high = self.within(margin)
        return max(0.0, low - value, value - high)


def gauges(
    names: Sequence[str],
    factions: Sequence[tuple[str, str] | None],
    weights: Sequence[float],
    pairs: Sequence[tuple[int, int]],
) -> list[Gauge]:
    """The decks, and the factions of which another one meets them.

    `factions` has the id and the name of that of each deck. A deck's opponents count by
    their `weights`, a faction's games by those of both decks; a deck does not meet
    itself, nor a faction itself.
    """
    count = len(names)
    groups: list[tuple[Kind, str, list[bool]]] = [
        ("deck", name, [i == a for a in range(count)]) for i, name in enumerate(names)
    ]
    groups += [
        ("faction", faction[1], [faction_id == faction for faction_id in factions])
        for faction in dict.fromkeys(
            faction for faction in factions if faction is not None
        )
    ]
    all_gauges = [
        Gauge(
            kind,
            name,
            tuple(i for i, is_own in enumerate(own) if is_own),
            _parts(pairs, own, weights),
        )
        for kind, name, own in groups
    ]
    return [gauge for gauge in all_gauges if gauge.parts]


def _parts(
    pairs: Sequence[tuple[int, int]], own: Sequence[bool], weights: Sequence[float]
) -> tuple[tuple[int, float], ...]:
    """The pairs of one of us with one of the others."""
    alone = sum(own) == 1
    parts = []
    for place, (a, b) in enumerate(pairs):
        if own[a] != own[b]:
            # The weight of a deck does not matter for its own rate.
            part = weights[b if own[a] else a] if alone else weights[a] * weights[b]
            parts.append((place, part if own[a] else -part))
    total = sum(abs(part) for _, part in parts)
    return tuple((place, part / total) for place, part in parts if total and part)


def verdict_on(aim: Aim, estimate: Estimate) -> Verdict:
    """What an interval says of a target."""
    low, high = estimate.interval
    if aim.low <= low and high <= aim.high:
        return Verdict.MET
    if high < aim.low or low > aim.high:
        return Verdict.MISSED
    return Verdict.NOT_SHOWN
