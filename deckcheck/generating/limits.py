"""The limits of a format on numbers and sums of a deck, as figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import Leader
from deckcheck.formats import Condition, Constraint, Format

USUAL_SIZE = 40
"""Cards of a deck where no limit of the format is about all of them."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A sum over the cards of a deck, from `low` to `high`; both ends are allowed."""

    low: int
    high: int
    weigh: Callable[[Card], int]

    def distance(self, total: int) -> int:
        """By how much a sum misses the bound."""
        return max(self.low - total, total - self.high, 0)


def bounds_for_a_deck(fmt: Format, db: CardDatabase, chance: Random) -> list[Bound]:
    """The limits of the format, numbers of cards drawn at random between their ends.

    A number without an upper end is the lower end, and the highest number drawn is a
    limit only: cards of that sort may be fewer. Limits of the same cards are one.
    """
    bounds = []
    counts = (c.condition for c in fmt.constraints if c.rule == "count")
    for condition in dict.fromkeys(counts):
        low, high = _ends_of_all(fmt, condition)
        drawn = low if high is None else chance.randint(low, max(low, high))
        bounds.append(Bound(low, drawn, _one_if(condition)))
    for constraint in fmt.constraints:
        if constraint.rule == "sum":
            low, high = _ends(constraint)
            most = 10**9 if high is None else high
            bounds.append(Bound(low, most, _strength_if(constraint.condition)))
        points = constraint.settings.get("points")
        if constraint.rule == "points" and isinstance(points, Mapping):
            most = _ends(constraint)[1] or 0
            bounds.append(Bound(0, most, partial(_worth, points)))
    if not any(bound.weigh(card) for bound in bounds for card in db.cards.values()):
        bounds.append(Bound(1, USUAL_SIZE, lambda card: 1))
    return bounds


def copies_allowed(
    fmt: Format, db: CardDatabase, cards: Iterable[Card]
) -> dict[str, int]:
    """How many copies of each of these cards a deck may hold; none that it may not."""
    # Those without a condition are about leaders alone.
    limits = [
        (limit.condition, 0 if limit.rule == "banned" else _ends(limit)[1] or 0)
        for limit in fmt.constraints
        if limit.rule in ("banned", "restricted") and limit.condition != Condition()
    ]
    allowed = {}
    for card in cards:
        # A deck is made to be played, which takes the values of its cards.
        most = card.copies if card.deckable and card.known else 0
        most = min([most, *(n for about, n in limits if about.matches(card))])
        if most > 0:
            allowed[card.id] = most
    return allowed


def leaders_allowed(fmt: Format, db: CardDatabase) -> list[Leader]:
    """The leaders that a deck may name, in the order of the database."""
    banned = {
        str(leader)
        for constraint in fmt.constraints
        if constraint.rule == "banned"
        for leader in constraint.leaders
    }
    return [
        leader
        for leader in db.leaders.values()
        if leader.known and leader.id not in banned
    ]


def has_leaders(fmt: Format) -> bool:
    """Whether a deck of the format names a leader."""
    return any(
        constraint.rule == "leader" and constraint.settings.get("count")
        for constraint in fmt.constraints
    )


def _worth(points: Mapping[str, int], card: Card) -> int:
    return points.get(card.id, 0)


def _ends(constraint: Constraint) -> tuple[int, int | None]:
    low, high = (constraint.settings.get(key) for key in ("min", "max"))
    return (
        low if isinstance(low, int) else 0,
        high if isinstance(high, int) else None,
    )


def _ends_of_all(fmt: Format, condition: Condition) -> tuple[int, int | None]:
    """The ends that all numbers of the same cards allow together."""
    same = (
        _ends(constraint)
        for constraint in fmt.constraints
        if constraint.rule == "count" and constraint.condition == condition
    )
    lows, highs = zip(*same, strict=True)
    return max(lows), min((high for high in highs if high is not None), default=None)


def _one_if(condition: Condition) -> Callable[[Card], int]:
    return lambda card: int(condition.matches(card))


def _strength_if(condition: Condition) -> Callable[[Card], int]:
    return lambda card: (card.strength or 0) if condition.matches(card) else 0
