"""A log of the automa's deeds, so that scenarios and replays can tell them."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Row, Side, State

NO_ROW = -1


@jit
def note_deed(
    s: State, x: Context, deed: int, card: Card, row: Row, side: Side
) -> None:
    """Note a deed, unless it is only tried or there is no room left."""
    if s.trying or x.n_deeds == x.deeds.shape[0]:
        return
    x.deeds[x.n_deeds, 0] = deed
    x.deeds[x.n_deeds, 1] = card
    x.deeds[x.n_deeds, 2] = row
    x.deeds[x.n_deeds, 3] = side
    x.n_deeds += 1
