"""Odds of the cards in an opening hand: exact, without simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Set
from dataclasses import dataclass
from math import sqrt

from deckcheck.cards import Card, Leader
from deckcheck.formats import Format
from deckcheck.stats.hands import (
    Kinds,
    after_drawing,
    at_least,
    mean_of,
    opening,
    redrawn,
)
from deckcheck.studies.deck_stats.composition import Composition


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that one would like to hold, under a name."""

    name: str
    cards: frozenset[Card]


@dataclass(frozen=True, slots=True)
class Opening:
    """The first hand: its cards, redraws, and what a card that draws brings.

    `strength` is the mean printed strength of the hand before redraws and `spread` its
    standard deviation.
    """

    size: int
    redraws: int
    strength: float
    spread: float


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of at least one, two, ... cards of a group, and the mean in hand.

    `opening` is for the hand as dealt, `redrawn` after redraws that give back what is
    neither of the group nor draws cards, `drawn` once all cards that draw were played
    besides; it is None where the deck has none.
    """

    group: Group
    copies: int
    mean: float
    opening: float
    redrawn: float
    drawn: float | None


def opening_of(deck: Composition, fmt: Format, leader: Leader | None) -> Opening | None:
    """The first hand in a format; None in games without hands."""
    size = fmt.options.get("hand_size")
    if not isinstance(size, int) or isinstance(size, bool) or deck.cards == 0:
        return None
    for opening_odds in deck.db.game.odds.opening:
        if leader is not None and leader.ability == opening_odds.ability:
            size += leader.amount or opening_odds.cards or 0
    size = min(size, deck.cards)
    total = sum((card.strength or 0) * n for card, n in deck.counts.items())
    squares = sum((card.strength or 0) ** 2 * n for card, n in deck.counts.items())
    mean = total / deck.cards
    variance = squares / deck.cards - mean**2
    left = (deck.cards - size) / max(deck.cards - 1, 1)
    redraws = fmt.options.get("redraws", 0)
    return Opening(
        size, int(redraws), size * mean, sqrt(max(0.0, size * variance * left))
    )


def usual_groups(deck: Composition) -> Iterator[Group]:
    """Each kind, each ability and each card of a deck, unless it is all of the deck."""
    game = deck.db.game
    for kind in game.kinds:
        yield from _group(deck, kind, {c for c in deck.counts if c.kind == kind})
    for code in deck.abilities:
        name = code.replace("_", " ")
        yield from _group(deck, name, {c for c in deck.counts if c.has(code)})
    for card, _ in sorted(deck.counts.items(), key=lambda item: -item[1]):
        yield Group(card.name, frozenset({card}))


def odds_of(deck: Composition, hand: Opening, group: Group, number: int = 1) -> Odds:
    """The chances of `number` cards of `group` or more."""
    draws = {draw.ability: draw.cards or 0 for draw in deck.db.game.odds.draws}
    brought = max(
        (
            ability.amount or draws[ability.code]
            for card in deck.counts
            for ability in card.abilities
            if ability.code in draws
        ),
        default=0,
    )
    kinds = _kinds(deck, group, draws)
    under = deck.db.game.odds.redrawn == "under"
    dealt = opening(kinds, hand.size)
    mended = redrawn(kinds, dealt, hand.size, hand.redraws, under=under)
    drawn = after_drawing(kinds, mended, hand.size, brought) if brought else None
    return Odds(
        group,
        sum(n for card, n in deck.counts.items() if card in group.cards),
        mean_of(dealt),
        at_least(dealt, number),
        at_least(mended, number),
        None if drawn is None else at_least(drawn, number),
    )


def _group(deck: Composition, name: str, cards: Set[Card]) -> Iterator[Group]:
    if 0 < len(cards) < len(deck.counts):
        yield Group(name, frozenset(cards))


def _kinds(deck: Composition, group: Group, draws: Container[str]) -> Kinds:
    numbers: Counter[tuple[bool, bool]] = Counter()
    for card, number in deck.counts.items():
        is_drawing = any(ability.code in draws for ability in card.abilities)
        numbers[card in group.cards, is_drawing] += number
    return Kinds(
        numbers[True, False],
        numbers[False, True],
        numbers[True, True],
        numbers[False, False],
    )
