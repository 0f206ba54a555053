"""Hidden information: the deck below its top card (rules 8.27)."""

from __future__ import annotations

from deckcheck.engine.games.deckmaster.rules.setup import draw_random_cards
from deckcheck.engine.jit import entry
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.shuffling import mix
from deckcheck.engine.types import Context, Player, State


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the rest of the deck anew, at random from `x.rng`.

    The top card is drawn and seen by both. A deck that was named is known apart from
    its order; of a random one nothing is known.
    """
    below = max(s.n_deck - 1, 0)
    if x.random_deck != 0:
        draw_random_cards(s, x, x.rng, below)
    else:
        mix(s.deck, below, x.rng)
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )
