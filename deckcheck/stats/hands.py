"""How many cards of a group a hand holds: exact chances, without any simulation.

A deck is known by four numbers. The *wanted* are the cards of the group, *drawing* ones
bring more cards when they are played; a card may be both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Kinds:
    """How many cards of a deck are wanted, drawing, both, and neither."""

    wanted: int
    drawing: int
    both: int
    others: int

    @property
    def cards(self) -> int:
        """All cards of the deck."""
        return self.wanted + self.drawing + self.both + self.others


class Hand(NamedTuple):
    """What a player has seen: wanted, drawing and both; cards laid `beneath` the deck.

    Those are neither wanted nor drawing, and are drawn last.
    """

    wanted: int
    drawing: int
    both: int
    beneath: int = 0

    @property
    def useful(self) -> int:
        """All that are not given back."""
        return self.wanted + self.drawing + self.both


Hands: TypeAlias = Mapping[Hand, float]
"""The chance of each hand; together they are 1."""


def opening(deck: Kinds, size: int) -> Hands:
    """The hands of `size` cards: the multivariate hypergeometric distribution.

    A deck with fewer cards is drawn whole.
    """
    size = min(size, deck.cards)
    hands = {}
    for wanted in range(min(size, deck.wanted) + 1):
        for drawing in range(min(size - wanted, deck.drawing) + 1):
            for both in range(min(size - wanted - drawing, deck.both) + 1):
                rest = size - wanted - drawing - both
                ways = comb(deck.wanted, wanted) * comb(deck.drawing, drawing)
                ways *= comb(deck.both, both) * comb(deck.others, rest)
                if ways:
                    chance = ways / comb(deck.cards, size)
                    hands[Hand(wanted, drawing, both)] = chance
    return hands


def redrawn(deck: Kinds, hands: Hands, size: int, times: int, *, under: bool) -> Hands:
    """The hands of `size` cards after giving back up to `times` that are of no use.

    A card that is neither wanted nor drawing is given back as long as the hand has one:
    a new card is drawn first. What was given back goes `under` the deck, or is
    shuffled into it.
    """
    size = min(size, deck.cards)
    for _ in range(times):
        after: dict[Hand, float] = defaultdict(float)
        for hand, chance in hands.items():
            left = deck.cards - size - hand.beneath
            if hand.useful == size or left <= 0:
                after[hand] += chance
                continue
            for drawn, part in _draws(deck, hand, left):
                after[drawn._replace(beneath=hand.beneath + under)] += chance * part
        hands = after
    return hands


def after_drawing(deck: Kinds, hands: Hands, size: int, cards: int) -> Hands:
    """All that was in hand once every drawing card that came was played.

    Each brings `cards` from the deck, and those may be drawing cards as well.
    """
    size = min(size, deck.cards)
    ended: dict[Hand, float] = defaultdict(float)
    states = {(hand, 0): chance for hand, chance in hands.items()}
    while states:
        after: dict[tuple[Hand, int], float] = defaultdict(float)
        for (hand, drawn), chance in states.items():
            left = deck.cards - size - hand.beneath - drawn
            if left <= 0 or drawn == cards * (hand.drawing + hand.both):
                ended[hand] += chance
                continue
            for seen, part in _draws(deck, hand, left):
                after[seen, drawn + 1] += chance * part
        states = after
    return ended


def at_least(hands: Hands, number: int) -> float:
    """The chance of `number` wanted cards or more."""
    chances = (p for hand, p in hands.items() if hand.wanted + hand.both >= number)
    return min(1.0, sum(chances))


def mean_of(hands: Hands) -> float:
    """The mean number of wanted cards."""
    return sum(p * (hand.wanted + hand.both) for hand, p in hands.items())


def _draws(deck: Kinds, hand: Hand, left: int) -> Iterator[tuple[Hand, float]]:
    """Each hand after one more card of the `left` in the deck, with its chance."""
    wanted = deck.wanted - hand.wanted
    drawing = deck.drawing - hand.drawing
    both = deck.both - hand.both
    if wanted:
        yield hand._replace(wanted=hand.wanted + 1), wanted / left
    if drawing:
        yield hand._replace(drawing=hand.drawing + 1), drawing / left
    if both:
        yield hand._replace(both=hand.both + 1), both / left
    rest = left - wanted - drawing - both
    if rest > 0:
        yield hand, rest / left
