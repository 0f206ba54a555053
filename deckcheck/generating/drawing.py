"""Drawing the cards of one random deck within the limits of its format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from deckcheck.cards import CardDatabase
from deckcheck.formats import Format
from deckcheck.generating.described import random_card
from deckcheck.generating.limits import Bound, bounds_for_a_deck

ROUNDS = 3_000
"""Exchanges tried before a deck is given up."""

BY_KIND = "uniform_kind"

MADE_UP = 300
"""Described cards that are looked at before exchanges begin."""


def draw_cards(
    fmt: Format, db: CardDatabase, allowed: Mapping[str, int], chance: Random
) -> Counter[str] | None:
    """Random cards out of those allowed, by id; None if no legal deck was found.

    All copies are shuffled, and cards taken from the top as long as they fit. What is
    then missing is mended by exchanges at random that lead no further away.
    """
    deck = _Deck(bounds_for_a_deck(fmt, db, chance), db)
    for id in _pile(fmt, db, allowed, chance):
        if deck.counts[id] < allowed.get(id, 0) and deck.has_room_for(id):
            deck.put_in(id)
        if db.description is not None and not deck.missing():
            break
    return _mended(deck, allowed, chance)


class _Deck:
    """The cards drawn so far, and the sums that the bounds are about."""

    def __init__(self, bounds: list[Bound], db: CardDatabase) -> None:
        self.bounds = bounds
        self.db = db
        self.cards: list[str] = []
        self.counts: Counter[str] = Counter()
        self.totals = [0] * len(bounds)
        self._weights: dict[str, list[int]] = {}

    def weights(self, id: str) -> list[int]:
        """What a card adds to each sum."""
        if id not in self._weights:
            card = self.db.cards[id]
            self._weights[id] = [bound.weigh(card) for bound in self.bounds]
        return self._weights[id]

    def has_room_for(self, id: str) -> bool:
        """Whether a card leads above no bound that it counts for."""
        sums = zip(self.bounds, self.totals, self.weights(id), strict=True)
        return all(not weight or total + weight <= b.high for b, total, weight in sums)

    def put_in(self, id: str) -> None:
        """Add a card."""
        self.cards.append(id)
        self.counts[id] += 1
        self.totals = [
            a + b for a, b in zip(self.totals, self.weights(id), strict=True)
        ]

    def take_out(self, place: int) -> str:
        """Remove the card at a place of `cards`, whose last card takes the place."""
        id = self.cards[place]
        self.cards[place] = self.cards[-1]
        self.cards.pop()
        self.counts[id] -= 1
        self.totals = [
            a - b for a, b in zip(self.totals, self.weights(id), strict=True)
        ]
        return id

    def missing(self) -> int:
        """By how much the sums miss their bounds, all together."""
        sums = zip(self.bounds, self.totals, strict=True)
        return sum(bound.distance(total) for bound, total in sums)


def _pile(
    fmt: Format, db: CardDatabase, allowed: Mapping[str, int], chance: Random
) -> Iterator[str]:
    """Cards in a random order: all copies, or some hundred that are made up.

    With `uniform_kind` for the option of play that the game names, each pick is one of
    the kinds that are left, all equally likely.
    """
    if db.description is not None:
        for _ in range(MADE_UP):
            yield random_card(fmt, db, chance)
        return
    if db.game.random is not None and fmt.options[db.game.random] == BY_KIND:
        yield from _kind_by_kind(allowed, chance)
        return
    pile = [id for id, count in allowed.items() for _ in range(count)]
    chance.shuffle(pile)
    yield from pile


def _kind_by_kind(allowed: Mapping[str, int], chance: Random) -> Iterator[str]:
    left = dict(allowed)
    while left:
        id = chance.choice(list(left))
        yield id
        left[id] -= 1
        if not left[id]:
            del left[id]


def _mended(
    deck: _Deck, allowed: Mapping[str, int], chance: Random
) -> Counter[str] | None:
    """The deck within its bounds, by single cards put in, taken out or exchanged."""
    ids = list(allowed)
    missing = deck.missing()
    for _ in range(ROUNDS if ids else 0):
        if not missing:
            break
        kind = chance.randrange(3)
        added = chance.choice(ids) if kind > 0 else None
        removed = None
        if kind < 2 and deck.cards:
            removed = deck.take_out(chance.randrange(len(deck.cards)))
        if added is not None and deck.counts[added] < allowed[added]:
            deck.put_in(added)
        else:
            added = None
        now = deck.missing()
        if now <= missing:
            missing = now
            continue
        if added is not None:
            deck.take_out(len(deck.cards) - 1)
        if removed is not None:
            deck.put_in(removed)
    return None if missing else +deck.counts
