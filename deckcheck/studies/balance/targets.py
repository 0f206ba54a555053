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
from deckcheck.studies.swaps import average_cards, legal_swaps

# Targets of a field, and its present state: rates of decks and factions


HALF = 0.5
Scores = Sequence[Sequence[int]]
"""Of each pair of decks how often the first came to 0 to 4 half-points in a set."""


Kind: TypeAlias = Literal["deck", "faction"]


class TargetVerdict(StrEnum):
    """The verdict on a target: its value is the word for it."""

    MET = "met"
    INCONCLUSIVE = "inconclusive"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Targets:
    """The ranges of win rates, 0 to 1, wanted for each deck and each faction.

    None asks nothing of them.
    """

    __pydantic_config__ = CLOSED

    deck: tuple[float, float] | None = None
    faction: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name, ends in (("deck", self.deck), ("faction", self.faction)):
            if ends is not None and not 0 <= ends[0] < HALF < ends[1] <= 1:
                low, high = (f"{100 * end:g}" for end in ends)
                raise UsageError(
                    f"`{name}` is {low} to {high}%, must lie around 50%",
                    "All win rates have a mean of 50%",
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
        """Return the win rate from the rates of the first decks of all pairs."""
        return sum(
            part * rates[i] if part > 0 else -part * (1 - rates[i])
            for i, part in self.parts
        )

    def shift(self, shifts: Sequence[float]) -> float:
        """Return how far it moves if the rates of the pairs move."""
        return sum(part * shifts[i] for i, part in self.parts)

    def estimate(self, scores: Scores, level: float) -> Estimate:
        """Return the win rate with its interval."""
        weights = [abs(part) for _, part in self.parts]
        rates = []
        for i, part in self.parts:
            share = Combination.of(Sample(tuple(scores[i]), 2 * sum(scores[i])))
            rates.append(share if part > 0 else share.opposite())
        return average(rates, weights).estimate(level)


@dataclass(frozen=True, slots=True)
class Aim:
    """A gauge and the range in which it is to lie."""

    gauge: Gauge
    low: float
    high: float

    def within(self, margin: float) -> tuple[float, float]:
        """Return the ends of the range, each closer to 50% by `margin`, at most half
        way.
        """
        low = self.low + min(margin, (HALF - self.low) / 2) if self.low > 0 else 0.0
        high = self.high - min(margin, (self.high - HALF) / 2) if self.high < 1 else 1.0
        return low, high

    def missed_by(self, value: float, margin: float = 0.0) -> float:
        """Return how far a rate is outside of the range, made narrower by `margin`."""
        low, high = self.within(margin)
        return max(0.0, low - value, value - high)


def gauges(
    names: Sequence[str],
    factions: Sequence[tuple[str, str] | None],
    weights: Sequence[float],
    pairs: Sequence[tuple[int, int]],
) -> list[Gauge]:
    """Return the decks, and the factions that another faction meets.

    `factions` has the id and the name of each deck's faction. A deck's opponents count
    by their `weights`, a faction's games by those of both decks. A deck does not meet
    itself, nor a faction itself.
    """
    groups: list[tuple[Kind, str, tuple[int, ...]]] = [
        ("deck", name, (i,)) for i, name in enumerate(names)
    ]
    for faction in dict.fromkeys(filter(None, factions)):
        members = tuple(i for i, other in enumerate(factions) if other == faction)
        groups.append(("faction", faction[1], members))
    all_gauges = [
        Gauge(kind, name, members, _list_pairs(pairs, members, weights))
        for kind, name, members in groups
    ]
    return [gauge for gauge in all_gauges if gauge.parts]


def _list_pairs(
    pairs: Sequence[tuple[int, int]], own: Sequence[int], weights: Sequence[float]
) -> tuple[tuple[int, float], ...]:
    """Return the pairs of a deck in `own` and a deck outside."""
    parts = []
    for index, (a, b) in enumerate(pairs):
        if (a in own) != (b in own):
            # The weight of a deck does not matter for its own rate.
            alone = weights[b if a in own else a]
            part = alone if len(own) == 1 else weights[a] * weights[b]
            parts.append((index, part if a in own else -part))
    total = sum(abs(part) for _, part in parts)
    return tuple((index, part / total) for index, part in parts if total and part)


def verdict_on(aim: Aim, estimate: Estimate) -> TargetVerdict:
    """Return the verdict of an interval on a target."""
    low, high = estimate.interval
    if aim.low <= low and high <= aim.high:
        return TargetVerdict.MET
    if high < aim.low or low > aim.high:
        return TargetVerdict.MISSED
    return TargetVerdict.INCONCLUSIVE


# The spec of a balance: targets, bounds, and numbers of games


VALIDATION = 4
"""Validation games of each pair of decks, as a multiple of its search games."""


@dataclass(frozen=True, slots=True)
class TargetBounds:
    """The changes that are allowed: at most so much `strength` of a card, up or down.

    With `limits` cards may be limited to fewer copies. `cards` are those that may
    change, by id, any if there are none. `changes` is how many may be made.
    """

    __pydantic_config__ = CLOSED

    strength: int = BALANCE_STRENGTH
    limits: bool = False
    cards: tuple[str, ...] = ()
    changes: int = BALANCE_CHANGES

    def __post_init__(self) -> None:
        if not self.strength and not self.limits:
            raise UsageError(
                "Nothing may be changed", "Set `strength` or `limits` in `[bounds]`"
            )

    @property
    def in_words(self) -> str:
        """What may be changed, as a report says it."""
        words = [f"strength by {self.strength}"] if self.strength else []
        words += ["fewer copies"] if self.limits else []
        return f"{' or '.join(words)}, {plural(self.changes, 'change')} at most"


@dataclass(frozen=True, slots=True)
class BalanceSpec:
    """A designer's question: `games` of each two decks, and who plays.

    `weights` say how common each deck is, in any unit; () for all alike. `cross_check`
    is another player who plays the validation games again, with `cross_check_games` of
    each deck, None for as many as are usual.
    """

    __pydantic_config__ = CLOSED

    targets: Targets
    bounds: TargetBounds
    policy: str
    games: int = BALANCE_GAMES
    seed: int = SEED
    weights: tuple[float, ...] = ()
    cross_check: str | None = None
    cross_check_games: int | None = None

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, MAX_SEED)
        check_range("games", self.games, 2, MAX_GAMES // VALIDATION)
        check_cross_check(self.cross_check, self.cross_check_games)


# Changes of single cards within bounds: what may be tried, and the cards after it


What: TypeAlias = Literal["copies", "strength"]
LEAST_VALUE = 1
"""The least strength, and the fewest copies, that a card is changed to."""

MEASURED_STEPS = 3
"""How many steps in each direction are measured; the others lie between them."""

STAND_INS = 5
THE_PLAN = "the plan"


@dataclass(frozen=True, slots=True)
class StrengthStep:
    """So much more, or less, strength of a card; or so many fewer copies of it."""

    card: str
    what: What
    by: int


def list_card_steps(
    card: Card, strength: int, most: int | None, limits: bool
) -> list[StrengthStep]:
    """Return all steps of a card with at most `strength` up or down, and with `limits`.

    `most` is the largest strength that the game can hold.
    """
    steps: list[StrengthStep] = []
    if card.strength is not None:
        for by in range(-strength, strength + 1):
            new = card.strength + by
            if by and new >= LEAST_VALUE and (most is None or new <= most):
                steps.append(StrengthStep(card.id, "strength", by))
    fewer = range(LEAST_VALUE - card.copies, 0) if limits else ()
    return steps + [StrengthStep(card.id, "copies", by) for by in fewer]


def measured(steps: Sequence[StrengthStep]) -> list[StrengthStep]:
    """Return the steps of a card to play: evenly spread, with both ends."""
    played: list[StrengthStep] = []
    for what, sign in (("strength", -1), ("strength", 1), ("copies", -1)):
        one_way = [s for s in steps if s.what == what and s.by * sign > 0]
        one_way.sort(key=lambda step: abs(step.by))
        count = min(MEASURED_STEPS, len(one_way))
        places = {round((i + 1) * len(one_way) / count) - 1 for i in range(count)}
        played += [one_way[index] for index in sorted(places)]
    return played


def in_order(
    steps: Sequence[StrengthStep], cards: Sequence[str]
) -> tuple[StrengthStep, ...]:
    """Return the steps in the order of the cards."""
    order = {card: i for i, card in enumerate(cards)}
    return tuple(sorted(steps, key=lambda step: (order[step.card], step.what, step.by)))


def changed_cards(
    database: CardDatabase, steps: Sequence[StrengthStep]
) -> CardDatabase:
    """Return the cards after these steps, each about something else."""
    cards: dict[str, Card] = {}
    for step in steps:
        card = cards.get(step.card, database.cards[step.card])
        value = getattr(card, step.what) + step.by
        cards[step.card] = replace(card, **{step.what: value})
    changes = [
        CardChange(database.cards[id], card, THE_PLAN, is_own=True)
        for id, card in cards.items()
    ]
    return database.with_changes(changes)


def deck_within(
    deck: Deck, fmt: Format, database: CardDatabase, limited: Sequence[str]
) -> Deck | None:
    """Return the deck without copies that `database` does not allow of `limited` cards.

    Each is replaced by an average card that is legal there. Returns None if there is
    none.
    """
    for card in limited:
        while deck.counts()[card] > database.cards[card].copies:
            swaps = legal_swaps(deck, fmt, database)
            usual = average_cards(deck, swaps, database, STAND_INS)
            fitting = {swap.into: swap for swap in swaps if swap.out == card}
            if not fitting:
                return None
            middle = len(usual) // 2
            wanted = [*usual[middle:], *usual[:middle], *fitting]
            deck = next(fitting[id] for id in wanted if id in fitting).of(deck)
    return deck


def between(by: int, effects: Mapping[int, float]) -> float:
    """Return the effect of a step, known or between two known steps."""
    if by in effects:
        return effects[by]
    points = sorted({0: 0.0, **effects}.items())
    for (low, a), (high, b) in pairwise(points):
        if low < by < high:
            return a + (b - a) * (by - low) / (high - low)
    raise ValueError(f"{by} lies outside of {points}")
