"""The contract, and hidden information."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.gwen_t.context import fill_context, variant_of
from deckcheck.engine.gwen_t.heuristic import heuristic_move, margin
from deckcheck.engine.gwen_t.rules import (
    EFFECTS,
    PASS,
    apply_move,
    fill_pool,
    legal_moves,
    list_kinds,
    random_card,
    set_up,
)
from deckcheck.engine.gwen_t.state import CONTEXT, STATE, Effect
from deckcheck.engine.jit import Context, Move, Player, State, entry, jit
from deckcheck.engine.primitives import draw_below, mix, renew_chance, seed_generator
from deckcheck.engine.registry import card_numbers

# -----------------------------------------------------------------------------
# Hidden information: the hands of the others, and the order of the decks.
#
# Decklists are taken as known, which of their cards are in hand is not. Of a random
# deck only the pool is known, and the cards that have been played.


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    The future chance of the game is new as well.
    """
    for other in range(s.players):
        if other == player:
            mix(s.deck[other], s.n_deck[other], x.rng)
        else:
            redeal(s, x, other)
    renew_chance(s, x)


@jit
def redeal(s: State, x: Context, other: Player) -> None:
    """Hand and deck of another player, dealt anew from what they may hold."""
    hand, deck = s.n_hand[other], s.n_deck[other]
    if x.random_deck[other]:
        left = forget_played(s, x, other)
        for i in range(hand + deck):
            x.unseen[i] = random_card(x, x.rng, left - i)
    else:
        for i in range(hand):
            x.unseen[i] = s.hand[other, i]
        for i in range(deck):
            x.unseen[hand + i] = s.deck[other, i]
    mix(x.unseen, hand + deck, x.rng)
    for i in range(hand):
        s.hand[other, i] = x.unseen[i]
    for i in range(deck):
        s.deck[other, i] = x.unseen[hand + i]


@jit
def forget_played(s: State, x: Context, other: Player) -> int:
    """What is left of a player's pool but for the cards played; returns how many."""
    left = fill_pool(x)
    for i in range(s.n_discard[other]):
        x.left[s.discard[other, i]] -= 1
    left -= s.n_discard[other]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[other, row]):
            x.left[s.row[other, row, i]] -= 1
        left -= s.n_row[other, row]
    if s.weather and s.weather_by == other:
        x.left[s.weather] -= 1
        left -= 1
    list_kinds(x)
    return left


# -----------------------------------------------------------------------------
# Gwen't for two to six players, as the contract of the engine wants it.

# The records of the state and of the context, by variant of the game.
RECORDS = {"table": (STATE, CONTEXT)}
CARRIED_OUT = {"table": {Effect: EFFECTS}}


@entry
def is_over(s: State) -> bool:
    """Whether at most one player is left (rules 4.7)."""
    return s.over != 0


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """2 for the winner; 1 each for players who share the first place; else 0."""
    if s.place[player] != 1:
        return 0
    return 2 if s.winner == player else 1


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """The later the defeat, the better; defeated in the same round: the same place."""
    return s.place[entrant]


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """The scores of the player at the ends of the rounds, added up."""
    return s.points[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for who began, then in the turn order of the first round."""
    return (entrant - s.first) % s.players


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """The score of the player less the best of the others."""
    return margin(s, x, player)


@entry
def pass_move(s: State, x: Context) -> Move:
    """Passing is possible on every turn."""
    return PASS


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Whether all others have passed and are behind."""
    return s.standing - s.n_passed == 1 and margin(s, x, s.turn) > 0


register(sys.modules[__name__], STATE)
