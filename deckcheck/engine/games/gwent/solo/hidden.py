"""Hidden information of the automa: all that it has not yet turned up."""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.hidden import determinize as determinize_two
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.jit import entry
from deckcheck.engine.shuffling import mix
from deckcheck.engine.types import Context, Player, State


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Order the automa's deck, the cards under its Decoys and its leaders anew.

    The order of the own deck and the future chance of the game are new as well.
    """
    for i in range(s.n_hidden):
        x.pool[i] = s.hidden[i, 0]
    for i in range(s.n_deck[AUTOMA]):
        x.pool[s.n_hidden + i] = s.deck[AUTOMA, i]
    mix(x.pool, s.n_hidden + s.n_deck[AUTOMA], x.rng)
    for i in range(s.n_hidden):
        s.hidden[i, 0] = x.pool[i]
    for i in range(s.n_deck[AUTOMA]):
        s.deck[AUTOMA, i] = x.pool[s.n_hidden + i]
    mix(s.leaders, s.n_leaders, x.rng)
    determinize_two(s, x, player)
