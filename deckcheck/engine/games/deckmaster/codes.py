"""The words of Deckmaster as numbers (rules 1.2, 1.4)."""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card


class Element(IntEnum):
    """What a card may have at most one of."""

    NONE = 0
    FIRE = 1
    ICE = 2
    POISON = 3


class Status(IntEnum):
    """What an element makes of the card it hits; the numbers are those of elements."""

    NEUTRAL = 0
    BURNING = 1
    FROZEN = 2
    POISONED = 3


ARROW_BITS = {"up": 1, "left": 2, "right": 4, "down": 8}
"""The bit of each arrow; its opposite is the bit of `down` and so on."""


@jit
def card_parts(card: Card) -> tuple[int, int, int]:
    """Power, element and arrows of a card by its number."""
    rest = card - 1
    return (rest >> 6) + 1, (rest >> 4) & 3, rest & 15


def card_code(power: int, element: int, arrows: int) -> int:
    """The number of a card from 1 to 320; 0 is no card. `arrows` has a bit for each."""
    return 1 + ((power - 1) * 4 + element) * 16 + arrows
