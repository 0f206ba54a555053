"""Exact chances of hands, and histograms of whole numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple, TypeAlias

# How many cards of a group a hand holds: exact chances, without any simulation
#
# A deck is known by four numbers. *Wanted* cards are the cards of the group, *drawing*
# cards bring more cards when they are played. A card may be both.


@dataclass(frozen=True, slots=True)
class Kinds:
    """The numbers of cards of a deck that are wanted, drawing, both, and neither."""

    wanted: int
    drawing: int
    both: int
    others: int

    @property
    def cards(self) -> int:
        """The number of all cards of the deck."""
        return self.wanted + self.drawing + self.both + self.others


class Hand(NamedTuple):
    """The cards seen by a player: wanted, drawing, both."""

    wanted: int
    drawing: int
    both: int
    beneath: int = 0
    """The cards below the deck, neither wanted nor drawing, which are drawn last."""

    @property
    def useful(self) -> int:
        """The number of cards that are not given back."""
        return self.wanted + self.drawing + self.both


Hands: TypeAlias = Mapping[Hand, float]
"""The chance of each hand. All chances add up to 1."""


def opening(deck: Kinds, size: int) -> Hands:
    """Return the hands of `size` cards: the multivariate hypergeometric distribution.

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
    """Return the hands of `size` cards after giving back up to `times` useless cards.

    A card neither wanted nor drawing is given back as long as the hand has any.
    The new card is drawn first. The card given back goes `under` the deck, or is
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
            for drawn, part in _draw_one(deck, hand, left):
                after[drawn._replace(beneath=hand.beneath + under)] += chance * part
        hands = after
    return hands


def play_drawing_cards(deck: Kinds, hands: Hands, size: int, cards: int) -> Hands:
    """Return the cards in the hand after every drawing card was played.

    Each drawing card brings `cards` from the deck, which may be drawing cards as well.
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
            for seen, part in _draw_one(deck, hand, left):
                after[seen, drawn + 1] += chance * part
        states = after
    return ended


def at_least(hands: Hands, number: int) -> float:
    """Return the chance of `number` wanted cards or more."""
    chances = (p for hand, p in hands.items() if hand.wanted + hand.both >= number)
    return min(1.0, sum(chances))


def mean_wanted(hands: Hands) -> float:
    """Return the mean number of wanted cards."""
    return sum(p * (hand.wanted + hand.both) for hand, p in hands.items())


def _draw_one(deck: Kinds, hand: Hand, left: int) -> Iterator[tuple[Hand, float]]:
    """Yield each hand after another card of the `left` in the deck, with its chance."""
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


# Counts of whole numbers, in bins of equal width

BIN_WIDTHS = (1, 3, 5, 15, 25)
MAX_BINS = 31


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of whole numbers: bin i has `width` numbers from `first + i * width` on.

    The first and the last bin hold a number, if there are any.
    """

    first: int
    counts: tuple[int, ...]
    width: int = 1

    @classmethod
    def of(cls, counts: Sequence[int], first: int = 0) -> Histogram:
        """Return the histogram of `counts[i]` times the number `first + i`."""
        there = [i for i, count in enumerate(counts) if count]
        if not there:
            return cls(first, ())
        return cls(first + there[0], tuple(counts[there[0] : there[-1] + 1]))

    @property
    def total(self) -> int:
        """The number of counted numbers."""
        return sum(self.counts)

    @property
    def last(self) -> int:
        """The greatest number of the last bin."""
        return self.first + len(self.counts) * self.width - 1

    @property
    def mean(self) -> float:
        """The mean of numbers in the middle of their bins, or 0 without numbers."""
        middle = (self.width - 1) / 2
        values = ((self.first + i * self.width + middle, n) for i, n in self._bins())
        return sum(value * n for value, n in values) / (self.total or 1)

    def rebin(self, width: int) -> Histogram:
        """Return the histogram in wider bins, with 0 in the middle of a bin.

        Raises ValueError unless `width` is odd and the present bins have a width of 1.
        """
        if self.width != 1 or width % 2 == 0:
            raise ValueError(f"no bins of {width} from bins of {self.width}")
        half = width // 2
        low = (self.first + half) // width
        high = (self.last + half) // width
        counts = [0] * (high - low + 1) if self.counts else []
        for i, count in self._bins():
            counts[(self.first + i + half) // width - low] += count
        return Histogram(low * width - half, tuple(counts), width)

    def ends(self, beyond: float = 0.005) -> tuple[int, int]:
        """Return numbers below and above which at most a share of `beyond` is.

        Both are `first` without numbers.
        """
        if not self.counts:
            return self.first, self.first
        most = beyond * self.total
        low = 0
        left = self.counts[low]
        while left <= most:
            low += 1
            left += self.counts[low]
        high = len(self.counts) - 1
        right = self.counts[high]
        while right <= most:
            high -= 1
            right += self.counts[high]
        return self.first + low * self.width, self.first + (high + 1) * self.width - 1

    def reverse(self) -> Histogram:
        """Return the histogram of all numbers with the other sign."""
        return Histogram(-self.last, self.counts[::-1], self.width)

    def fold(self) -> Histogram:
        """Return the histogram of all numbers without their sign.

        Raises ValueError unless the bins have a width of 1.
        """
        if self.width != 1:
            raise ValueError(f"bins of {self.width} cannot be folded")
        counts = [0] * (1 + max(abs(self.first), abs(self.last)))
        for i, count in self._bins():
            counts[abs(self.first + i)] += count
        return Histogram.of(counts)

    @classmethod
    def sum(cls, parts: Iterable[Histogram]) -> Histogram:
        """Return the numbers of several histograms, whose bins have a width of 1."""
        filled = [part for part in parts if part.counts]
        if not filled:
            return cls(0, ())
        first = min(part.first for part in filled)
        counts = [0] * (1 + max(part.last for part in filled) - first)
        for part in filled:
            for i, count in part._bins():
                counts[part.first + i - first] += count
        return cls(first, tuple(counts))

    def _bins(self) -> Iterable[tuple[int, int]]:
        """Return the index and the count of each bin."""
        return enumerate(self.counts)


def round_width(histogram: Histogram) -> int:
    """Return the least bin width with which almost all numbers need few bins."""
    low, high = histogram.ends()
    for width in BIN_WIDTHS:
        if high - low < MAX_BINS * width:
            return width
    return BIN_WIDTHS[-1]
