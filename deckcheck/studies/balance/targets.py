"""The targets of a field, its win rates as sums over pairs of decks, and the spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.messages import check_range, plural
from deckcheck.sim import (
    BALANCE_CHANGES,
    BALANCE_GAMES,
    BALANCE_STRENGTH,
    MAX_GAMES,
    MAX_SEED,
    SEED,
)
from deckcheck.specs import check_cross_check
from deckcheck.stats import Combination, Estimate, Sample, average

HALF = 0.5
"""The win rate of equal decks, which is the mean of every field."""

Scores: TypeAlias = Sequence[Sequence[int]]
"""The scores of the first deck of each pair: `scores[pair][i]` sets brought it `i`
half-points of 4.
"""


Kind: TypeAlias = Literal["deck", "faction"]


class TargetVerdict(StrEnum):
    """The verdict on a target: its value is the word for it."""

    MET = "met"
    INCONCLUSIVE = "inconclusive"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Targets:
    """The ranges of win rates, 0 to 1, wanted for each deck and each faction.

    None sets no target.
    """

    __pydantic_config__ = CLOSED

    deck: tuple[float, float] | None = None
    """The lowest and the highest win rate of each deck."""
    faction: tuple[float, float] | None = None
    """The lowest and the highest win rate of each faction."""

    def __post_init__(self) -> None:
        for name, ends in (("deck", self.deck), ("faction", self.faction)):
            if ends is not None and not 0 <= ends[0] < HALF < ends[1] <= 1:
                raise UsageError(
                    f"`{name}` is {100 * ends[0]:g} to {100 * ends[1]:g}%, must lie "
                    "around 50%",
                    "All win rates have a mean of 50%",
                )
        if self.deck is None and self.faction is None:
            raise UsageError(
                "No target given", "Set `deck` or `faction` in `[targets]`"
            )


@dataclass(frozen=True, slots=True)
class Gauge:
    """A deck or a faction, and its win rate as a weighted sum over pairs of decks."""

    kind: Kind
    name: str
    """The name of the deck or faction."""
    members: tuple[int, ...]
    """The indices of the deck, or of the decks of the faction."""
    parts: tuple[tuple[int, float], ...]
    """The indices of pairs, each with its weight. It is negative where the second deck
    of the pair is a member. The absolute weights add up to 1.
    """

    def value(self, rates: Sequence[float]) -> float:
        """Return the win rate from the rates of the first decks of all pairs."""
        terms = []
        for pair, weight in self.parts:
            if weight > 0:
                terms.append(weight * rates[pair])
            else:
                terms.append(-weight * (1 - rates[pair]))
        return sum(terms)

    def shift(self, shifts: Sequence[float]) -> float:
        """Return the shift of the win rate if the rates of the pairs shift so far."""
        return sum(weight * shifts[pair] for pair, weight in self.parts)

    def estimate(self, scores: Scores, level: float) -> Estimate:
        """Return the win rate with its interval."""
        weights = [abs(weight) for _, weight in self.parts]
        rates = []
        for pair, weight in self.parts:
            sets = sum(scores[pair])
            rate = Combination.of(Sample(tuple(scores[pair]), 2 * sets))
            if weight < 0:
                rate = rate.opposite()
            rates.append(rate)
        return average(rates, weights).estimate(level)


@dataclass(frozen=True, slots=True)
class Aim:
    """A gauge and the target of its win rate, a range."""

    gauge: Gauge
    low: float
    """The lowest win rate wanted, 0 to 1."""
    high: float
    """The highest win rate wanted, 0 to 1."""

    def narrow_range(self, margin: float) -> tuple[float, float]:
        """Return the ends of the range, each moved towards 50% by `margin`.

        An end moves half of the way at most. The ends 0 and 1, which mean no bound,
        stay.
        """
        low, high = self.low, self.high
        if low > 0:
            low += min(margin, (HALF - low) / 2)
        if high < 1:
            high -= min(margin, (high - HALF) / 2)
        return low, high

    def measure_miss(self, value: float, margin: float = 0.0) -> float:
        """Return how far a rate is outside of the range, made narrower by `margin`."""
        low, high = self.narrow_range(margin)
        return max(0.0, low - value, value - high)


def make_gauges(
    names: Sequence[str],
    factions: Sequence[tuple[str, str] | None],
    weights: Sequence[float],
    pairs: Sequence[tuple[int, int]],
) -> list[Gauge]:
    """Return the gauges of all decks, and of factions with opponents.

    `factions` has the id and the name of each deck's faction, `pairs` the indices of
    both decks. The games of a deck count by the weight of the opponent, the games of a
    faction by the product of both weights. Games within a faction do not count for it.
    """
    gauges = []
    for deck, name in enumerate(names):
        parts = _weigh_pairs(pairs, [deck], weights)
        gauges.append(Gauge("deck", name, (deck,), parts))
    members: dict[tuple[str, str], list[int]] = {}
    for deck, faction in enumerate(factions):
        if faction is not None:
            members.setdefault(faction, []).append(deck)
    for (_, name), decks in members.items():
        parts = _weigh_pairs(pairs, decks, weights)
        gauges.append(Gauge("faction", name, tuple(decks), parts))
    return [gauge for gauge in gauges if gauge.parts]


def _weigh_pairs(
    pairs: Sequence[tuple[int, int]], members: Sequence[int], weights: Sequence[float]
) -> tuple[tuple[int, float], ...]:
    """Return the pairs of a member and another deck, see `Gauge.parts`."""
    parts = []
    for pair, (a, b) in enumerate(pairs):
        if (a in members) == (b in members):
            continue
        sign, member, opponent = (1, a, b) if a in members else (-1, b, a)
        weight = weights[opponent]
        if len(members) > 1:
            # The weight of a single deck does not matter for its own rate.
            weight *= weights[member]
        if weight:
            parts.append((pair, sign * weight))
    total = sum(abs(weight) for _, weight in parts)
    return tuple((pair, weight / total) for pair, weight in parts)


def judge_target(aim: Aim, estimate: Estimate) -> TargetVerdict:
    """Return the verdict of an interval on a target."""
    low, high = estimate.interval
    if aim.low <= low and high <= aim.high:
        return TargetVerdict.MET
    if high < aim.low or low > aim.high:
        return TargetVerdict.MISSED
    return TargetVerdict.INCONCLUSIVE


# The spec

VALIDATION_FACTOR = 4
"""Validation games of each pair of decks, as a multiple of its search games."""


@dataclass(frozen=True, slots=True)
class TargetBounds:
    """The changes that are allowed."""

    __pydantic_config__ = CLOSED

    strength: int = BALANCE_STRENGTH
    """The greatest change of a card's strength, up or down."""
    limits: bool = False
    """Whether cards may be limited to fewer copies."""
    cards: tuple[str, ...] = ()
    """The ids of the cards that may change. Any card may if there are none."""
    changes: int = BALANCE_CHANGES
    """The greatest number of changes."""

    def __post_init__(self) -> None:
        if not self.strength and not self.limits:
            raise UsageError(
                "Nothing may be changed", "Set `strength` or `limits` in `[bounds]`"
            )

    @property
    def in_words(self) -> str:
        """The allowed changes, as reports show them."""
        words = []
        if self.strength:
            words.append(f"strength by {self.strength}")
        if self.limits:
            words.append("fewer copies")
        return f"{' or '.join(words)}, {plural(self.changes, 'change')} at most"


@dataclass(frozen=True, slots=True)
class BalanceSpec:
    """The question of a balance, which `read_balance_plan` reads."""

    __pydantic_config__ = CLOSED

    targets: Targets
    bounds: TargetBounds
    policy: str
    """The bot that plays."""
    games: int = BALANCE_GAMES
    """The games of each pair of decks by which changes are chosen."""
    seed: int = SEED
    weights: tuple[float, ...] = ()
    """How common each deck is, in any unit. Empty if all are equally common."""
    cross_check: str | None = None
    """The second bot, which plays the validation games again."""
    cross_check_games: int | None = None
    """The games of each deck by the second bot, None for the usual number."""

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, MAX_SEED)
        check_range("games", self.games, 2, MAX_GAMES // VALIDATION_FACTOR)
        check_cross_check(self.cross_check, self.cross_check_games)
