"""The contract, and hidden information."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.deckmaster.context import card_numbers, fill_context, variant_of
from deckcheck.engine.deckmaster.heuristic import heuristic_move
from deckcheck.engine.deckmaster.rules import (
    STATUSES,
    apply_move,
    draw_random_cards,
    legal_moves,
    set_up,
)
from deckcheck.engine.deckmaster.state import CONTEXT, STATE, Element, Status
from deckcheck.engine.jit import Context, Move, Player, State, entry
from deckcheck.engine.primitives import draw_below, mix, renew_chance, seed_generator

# -----------------------------------------------------------------------------
# Hidden information: the deck below its top card (rules 8.27).


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
    renew_chance(s, x)


# -----------------------------------------------------------------------------
# Deckmaster, as the contract of the engine wants it.

# The records of the state and of the context, by variant of the game.
RECORDS = {"two": (STATE, CONTEXT)}
CARRIED_OUT = {
    "two": {
        Status: STATUSES,
        # An element does what the status of its number does.
        Element: dict.fromkeys(Element, tuple(Status)),
    }
}


@entry
def is_over(s: State) -> bool:
    """Whether the deck is empty (rules 2.5)."""
    return s.n_deck == 0


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """2 for more points than the other, 1 for as many, 0 for fewer (rules 6.3)."""
    if s.points[0] == s.points[1]:
        return 1
    return 2 if s.points[player] > s.points[1 - player] else 0


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """1 for the winner and for both after a draw, 2 for the loser."""
    return 2 if s.points[entrant] < s.points[1 - entrant] else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Points for destroyed cards."""
    return s.points[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for who began, 1 for the other."""
    return (entrant - s.first) % s.points.shape[0]


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Points of the player less those of the other."""
    return s.points[player] - s.points[1 - player]


@entry
def rounds_played(s: State) -> int:
    """Number of the current round, in which each player places a card."""
    return max((s.turns + 1) // s.points.shape[0], 1)


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """The drawn card, for the player whose turn it is; there is no hand."""
    return int(s.n_deck > 0 and s.turn == entrant)


@entry
def pass_move(s: State, x: Context) -> Move:
    """Nobody can pass: the drawn card must be placed (rules 8.19)."""
    return -1


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Never, since nobody can pass."""
    return False


register(sys.modules[__name__], STATE)
