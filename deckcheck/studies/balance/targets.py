"""The wanted field and the changes allowed: targets, bounds, steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Literal, TypeAlias

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import CardChange
from deckcheck.decks import Deck
from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.formats import Format
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
from deckcheck.studies.swaps import choose_average_cards, list_legal_swaps

# Targets of a field, and its present state: rates of decks and factions


HALF = 0.5
"""The win rate of equal decks, which is the mean of every field."""
Scores = Sequence[Sequence[int]]
"""How often the first deck of a pair won `i` half-points in a set, 0 to 4:
`scores[pair][i]`.
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
    faction: tuple[float, float] | None = None

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
            rate = rates[pair] if weight > 0 else 1 - rates[pair]
            terms.append(abs(weight) * rate)
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
            rates.append(rate if weight > 0 else rate.opposite())
        return average(rates, weights).estimate(level)


@dataclass(frozen=True, slots=True)
class Aim:
    """A gauge and the target of its win rate, a range with both ends from 0 to 1."""

    gauge: Gauge
    low: float
    high: float

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
    groups: list[tuple[Kind, str, tuple[int, ...]]] = [
        ("deck", name, (i,)) for i, name in enumerate(names)
    ]
    for faction in dict.fromkeys(filter(None, factions)):
        members = tuple(i for i, other in enumerate(factions) if other == faction)
        groups.append(("faction", faction[1], members))
    gauges = []
    for kind, name, members in groups:
        parts = _weigh_pairs(pairs, members, weights)
        if parts:
            gauges.append(Gauge(kind, name, members, parts))
    return gauges


def _weigh_pairs(
    pairs: Sequence[tuple[int, int]], members: Sequence[int], weights: Sequence[float]
) -> tuple[tuple[int, float], ...]:
    """Return the pairs of a member and another deck, see `Gauge.parts`."""
    parts = []
    for pair, (a, b) in enumerate(pairs):
        if (a in members) == (b in members):
            continue
        weight = weights[a] * weights[b]
        if len(members) == 1:
            # The weight of a deck does not matter for its own rate.
            weight = weights[b if a in members else a]
        parts.append((pair, weight if a in members else -weight))
    total = sum(abs(weight) for _, weight in parts)
    return tuple((pair, weight / total) for pair, weight in parts if total and weight)


def verdict_on(aim: Aim, estimate: Estimate) -> TargetVerdict:
    """Return the verdict of an interval on a target."""
    low, high = estimate.interval
    if aim.low <= low and high <= aim.high:
        return TargetVerdict.MET
    if high < aim.low or low > aim.high:
        return TargetVerdict.MISSED
    return TargetVerdict.INCONCLUSIVE


# The spec of a balance: targets, bounds, and numbers of games

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
        words = [f"strength by {self.strength}"] if self.strength else []
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


# Changes of single cards within bounds: the steps to try, and the cards after them


ChangedField: TypeAlias = Literal["copies", "strength"]
LEAST_VALUE = 1
"""The least strength, and the fewest copies, that a card is changed to."""

MEASURED_STEPS = 3
"""How many steps in each direction are measured. Other effects are interpolated."""

AVERAGE_CARDS = 5
"""How many average cards may replace a copy that is no longer allowed."""
CHANGES_FILE_NAME = "the plan"
"""The name of the file of changes, in messages about cards of the database."""


@dataclass(frozen=True, slots=True)
class CardStep:
    """A change of the strength of a card, or of the number of its copies."""

    card: str
    """The id of the card."""
    field: ChangedField
    by: int
    """The number that is added, negative for less strength or fewer copies."""


def list_card_steps(
    card: Card, strength: int, most: int | None, limits: bool
) -> list[CardStep]:
    """Return all steps of a card within `strength` and `limits` of TargetBounds.

    `most` is the largest strength that the game can hold.
    """
    steps: list[CardStep] = []
    if card.strength is not None:
        for by in range(-strength, strength + 1):
            new = card.strength + by
            if by and new >= LEAST_VALUE and (most is None or new <= most):
                steps.append(CardStep(card.id, "strength", by))
    fewer = range(LEAST_VALUE - card.copies, 0) if limits else ()
    return steps + [CardStep(card.id, "copies", by) for by in fewer]


def choose_measured_steps(steps: Sequence[CardStep]) -> list[CardStep]:
    """Return the steps of a card to measure: MEASURED_STEPS in each direction.

    They are spread evenly and include the largest step.
    """
    chosen: list[CardStep] = []
    for field, sign in (("strength", -1), ("strength", 1), ("copies", -1)):
        direction = [s for s in steps if s.field == field and s.by * sign > 0]
        direction.sort(key=lambda step: abs(step.by))
        count = min(MEASURED_STEPS, len(direction))
        indices = {round((i + 1) * len(direction) / count) - 1 for i in range(count)}
        chosen += [direction[index] for index in sorted(indices)]
    return chosen


def sort_steps(steps: Sequence[CardStep], cards: Sequence[str]) -> tuple[CardStep, ...]:
    """Return the steps in the order of the cards, then by field and size."""
    order = {card: i for i, card in enumerate(cards)}
    return tuple(
        sorted(steps, key=lambda step: (order[step.card], step.field, step.by))
    )


def apply_steps(database: CardDatabase, steps: Sequence[CardStep]) -> CardDatabase:
    """Return the cards after these steps, at most one for each field of a card."""
    cards: dict[str, Card] = {}
    for step in steps:
        card = cards.get(step.card, database.cards[step.card])
        value = getattr(card, step.field) + step.by
        cards[step.card] = replace(card, **{step.field: value})
    changes = [
        CardChange(database.cards[id], card, CHANGES_FILE_NAME, is_own=True)
        for id, card in cards.items()
    ]
    return database.with_changes(changes)


def fit_deck(
    deck: Deck, fmt: Format, database: CardDatabase, limited: Sequence[str]
) -> Deck | None:
    """Return the deck without the copies of `limited` cards that are too many.

    A legal card of average worth replaces each, or else any legal card. Returns None if
    there is no legal card.
    """
    for card in limited:
        while deck.counts()[card] > database.cards[card].copies:
            swaps = list_legal_swaps(deck, fmt, database)
            usual = choose_average_cards(deck, swaps, database, AVERAGE_CARDS)
            swap_by_card = {swap.into: swap for swap in swaps if swap.out == card}
            if not swap_by_card:
                return None
            # The most average card is in the middle.
            middle = len(usual) // 2
            preferred = [*usual[middle:], *usual[:middle], *swap_by_card]
            replacement = next(id for id in preferred if id in swap_by_card)
            deck = swap_by_card[replacement].apply_to(deck)
    return deck


def interpolate_effect(by: int, effects: Mapping[int, float]) -> float:
    """Return the effect of a step by the measured effects of other steps.

    It is in proportion between the next smaller and the next larger step, and 0 for no
    step. Raises ValueError beyond the largest measured step.

    >>> interpolate_effect(1, {2: 0.06})
    0.03
    """
    if by in effects:
        return effects[by]
    points = sorted({0: 0.0, **effects}.items())
    for (smaller, low), (larger, high) in pairwise(points):
        if smaller < by < larger:
            return low + (high - low) * (by - smaller) / (larger - smaller)
    raise ValueError(f"{by} lies outside of {points}")
