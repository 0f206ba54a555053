"""The start of a game: an empty board, the deck face down, who begins (rules 1.1)."""

from __future__ import annotations

from deckcheck.engine.games.deckmaster.state import SETS
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Cells, Context, State


@entry
def set_up(s: State, x: Context) -> None:
    """Shuffle the deck, or make a random one; `s.rng` is seeded, `x.coin` begins."""
    s.turn = s.first = x.coin
    s.turns = s.history = 0
    s.points[0] = s.points[1] = 0
    s.fusions = s.burnouts = s.poison_deaths = 0
    s.empty = SETS - 1
    s.poisoned = 0
    for space in range(s.card.shape[0]):
        s.card[space] = s.arrows[space] = s.power[space] = s.status[space] = 0
    s.n_deck = x.n_deck
    if x.random_deck != 0:
        draw_random_cards(s, x, s.rng, s.n_deck)
        return
    for i in range(s.n_deck):
        s.deck[i] = x.deck[i]
    shuffle(s, s.rng, s.n_deck)


@jit
def draw_random_cards(s: State, x: Context, rng: Cells, count: int) -> None:
    """Put a new random card in each of the lowest `count` places of the deck."""
    for i in range(count):
        s.deck[i] = x.drawn[draw_below(rng, x.n_drawn)]


@jit
def shuffle(s: State, rng: Cells, count: int) -> None:
    """Bring the lowest `count` cards of the deck into a random order."""
    for i in range(count - 1, 0, -1):
        j = draw_below(rng, i + 1)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card
