"""Changes of single cards: the steps within bounds, and cards and decks after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.models import CardChange
from deckcheck.decks import Deck
from deckcheck.formats import Format
from deckcheck.studies.swaps import choose_average_cards, list_legal_swaps

ChangedField: TypeAlias = Literal["copies", "strength"]

LEAST_VALUE = 1
"""The least strength, and the fewest copies, that a card is changed to."""

MEASURED_STEPS = 3
"""The most steps in each direction that are measured. Others are interpolated."""
AVERAGE_CARDS = 5
"""The most average cards that may replace a copy that is no longer allowed."""
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


Steps: TypeAlias = tuple[CardStep, ...]
"""Changes that are made together, at most one for each field of a card."""


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
    if limits:
        for by in range(LEAST_VALUE - card.copies, 0):
            steps.append(CardStep(card.id, "copies", by))
    return steps


def choose_measured_steps(steps: Sequence[CardStep]) -> list[CardStep]:
    """Return the steps of a card to measure: MEASURED_STEPS in each direction.

    They are spread evenly and include the largest step.
    """
    chosen: list[CardStep] = []
    for field, sign in (("strength", -1), ("strength", 1), ("copies", -1)):
        direction = [s for s in steps if s.field == field and s.by * sign > 0]
        direction.sort(key=lambda step: abs(step.by))
        count = min(MEASURED_STEPS, len(direction))
        for number in range(1, count + 1):
            # The last number is the largest step. The others share the way there.
            chosen.append(direction[round(number * len(direction) / count) - 1])
    return chosen


def sort_steps(steps: Iterable[CardStep], cards: Sequence[str]) -> Steps:
    """Return the steps in the order of the cards, then by field and size."""
    order = {card: index for index, card in enumerate(cards)}
    return tuple(
        sorted(steps, key=lambda step: (order[step.card], step.field, step.by))
    )


def apply_steps(database: CardDatabase, steps: Steps) -> CardDatabase:
    """Return the cards after some steps."""
    cards: dict[str, Card] = {}
    for step in steps:
        card = cards.get(step.card, database.cards[step.card])
        value = getattr(card, step.field) + step.by
        cards[step.card] = replace(card, **{step.field: value})
    changes = []
    for id, card in cards.items():
        before = database.cards[id]
        changes.append(CardChange(before, card, CHANGES_FILE_NAME, is_own=True))
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
            average = choose_average_cards(deck, swaps, database, AVERAGE_CARDS)
            swap_by_card = {swap.into: swap for swap in swaps if swap.out == card}
            if not swap_by_card:
                return None
            # The most average card is in the middle.
            middle = len(average) // 2
            preferred = [*average[middle:], *average[:middle], *swap_by_card]
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
