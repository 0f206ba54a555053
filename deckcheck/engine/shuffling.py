"""Cards in a random order that does not depend on the order they came in.

What a player cannot see is dealt anew from such an order: the same information gives
the same draw, whatever the truth behind it.
"""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Cells


@jit
def mix(cards: Cells, count: int, rng: Cells) -> None:
    """Put the first `count` of `cards` into a random order, by `rng`."""
    for i in range(1, count):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
    for i in range(count - 1, 0, -1):
        j = draw_below(rng, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
