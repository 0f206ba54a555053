"""Changes of single cards within bounds: what may be tried, and the cards after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.changes import Change
from deckcheck.decks import Deck
from deckcheck.formats import Format
from deckcheck.studies.impact.swaps import average_cards, legal_swaps

What: TypeAlias = Literal["copies", "strength"]
LEAST = 1
"""The least strength, and the fewest copies, that a card is changed to."""

MEASURED = 3
"""How many steps in each direction are measured; the others lie between them."""

STAND_INS = 5
THE_PLAN = "the plan"


@dataclass(frozen=True, slots=True)
class Step:
    """So much more, or less, strength of a card; or so many fewer copies of it."""

    card: str
    what: What
    by: int


def steps_of(card: Card, strength: int, most: int | None, limits: bool) -> list[Step]:
    """All steps of a card with at most `strength` up or down, and with `limits`.

    `most` is the largest strength that the game can hold.
    """
    steps: list[Step] = []
    if card.strength is not None:
        for by in range(-strength, strength + 1):
            new = card.strength + by
            if by and new >= LEAST and (most is None or new <= most):
                steps.append(Step(card.id, "strength", by))
    if limits:
        steps += [Step(card.id, "copies", LEAST - n) for n in range(card.copies, 1, -1)]
    return steps


def measured(steps: Sequence[Step]) -> list[Step]:
    """Of the steps of one card those that are played: evenly spread, the ends too."""
    measured_steps: list[Step] = []
    for what, sign in (("strength", -1), ("strength", 1), ("copies", -1)):
        one_way = [s for s in steps if s.what == what and s.by * sign > 0]
        one_way.sort(key=lambda step: abs(step.by))
        count = min(MEASURED, len(one_way))
        places = {round((i + 1) * len(one_way) / count) - 1 for i in range(count)}
        measured_steps += [one_way[place] for place in sorted(places)]
    return measured_steps


def in_order(steps: Sequence[Step], cards: Sequence[str]) -> tuple[Step, ...]:
    """The steps in the order of the cards."""
    place = {card: i for i, card in enumerate(cards)}
    return tuple(sorted(steps, key=lambda step: (place[step.card], step.what, step.by)))


def changed_cards(database: CardDatabase, steps: Sequence[Step]) -> CardDatabase:
    """The cards after these steps, of which no two are about the same of one card."""
    cards: dict[str, Card] = {}
    for step in steps:
        card = cards.get(step.card, database.cards[step.card])
        value = getattr(card, step.what) + step.by
        cards[step.card] = replace(card, **{step.what: value})
    return database.with_changes(
        [
            Change(database.cards[id], card, THE_PLAN, is_own=True)
            for id, card in cards.items()
        ]
    )


def deck_within(
    deck: Deck, fmt: Format, database: CardDatabase, limited: Sequence[str]
) -> Deck | None:
    """The deck without copies that `database` does not allow of the cards `limited`.

    In the place of each stands an average card that is legal there; None if none is.
    """
    for card in limited:
        while deck.counts()[card] > database.cards[card].copies:
            swaps = legal_swaps(deck, fmt, database)
            usual = average_cards(deck, swaps, database, STAND_INS)
            fitting = [swap for swap in swaps if swap.out == card]
            if not fitting:
                return None
            middle = len(usual) // 2
            wanted = [*usual[middle:], *usual[:middle]]
            by_card = {swap.into: swap for swap in fitting}
            cards = (by_card[card_id] for card_id in wanted if card_id in by_card)
            deck = next(cards, fitting[0]).of(deck)
    return deck


def between(by: int, effects: Mapping[int, float]) -> float:
    """The effect of a step that lies between those that are `known`, or is one."""
    if by in effects:
        return effects[by]
    points = sorted({0: 0.0, **effects}.items())
    for (low, a), (high, b) in pairwise(points):
        if low < by < high:
            return a + (b - a) * (by - low) / (high - low)
    raise ValueError(f"{by} lies outside of {points}")
