"""What the user does not know of the automa: all that it has not yet turned up."""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.hidden import determinize as determinize_two
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.jit import entry
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Context, Player, State

__all__ = ["determinize"]


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Order the automa's deck, the cards under its Decoys and its leaders anew.

    The order of the own deck and the future chance of the game are new as well.
    """
    for i in range(s.n_hidden):
        card = s.hidden[i, 0]
        j = draw_below(x.rng, s.n_deck[AUTOMA] + s.n_hidden - i)
        if j < s.n_deck[AUTOMA]:
            s.hidden[i, 0] = s.deck[AUTOMA, j]
            s.deck[AUTOMA, j] = card
        else:
            other = i + j - s.n_deck[AUTOMA]
            s.hidden[i, 0] = s.hidden[other, 0]
            s.hidden[other, 0] = card
    for i in range(s.n_leaders - 1, 0, -1):
        j = draw_below(x.rng, i + 1)
        leader = s.leaders[i]
        s.leaders[i] = s.leaders[j]
        s.leaders[j] = leader
    determinize_two(s, x, player)
