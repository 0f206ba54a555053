"""Words as numbers; state and context records."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from deckcheck.engine.primitives import RowName
from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The words of the rules as numbers: rows, kinds, effects, moves.
#
# Names equal the codes in `card_db/gwen_t/*.yaml` in upper case; loading refuses a card
# whose code has no member here.

NO_ROW = -1


class Kind(IntEnum):
    """Kinds of cards; 0 stands for no card."""

    UNIT = 1
    WEATHER = 2


class Effect(IntEnum):
    """Effects of cards (rules 5); 0 stands for the null effect."""

    NONE = 0
    TIGHT_BOND = 1
    MORALE_BOOST = 2
    BITING_FROST = 3
    IMPENETRABLE_FOG = 4
    TORRENTIAL_RAIN = 5
    CLEAR_WEATHER = 6


WEATHER_ROWS = {
    Effect.BITING_FROST: int(RowName.CLOSE),
    Effect.IMPENETRABLE_FOG: int(RowName.RANGED),
    Effect.TORRENTIAL_RAIN: int(RowName.SIEGE),
    Effect.CLEAR_WEATHER: NO_ROW,
}
"""The row that each weather covers (rules 5.4 and 5.5)."""


class Verb(IntEnum):
    """What a move does; a move is `verb << 24 | place in the hand << 12 | card`."""

    PASS = 0
    PLAY = 1


# -----------------------------------------------------------------------------
# The records a game of Gwen't lives in: the state `s` and the context `x`.
#
# Every field is an int64 cell or array. One record serves two to six players; how many
# play is in it. Cards are numbers from 1 (see `context`), 0 is none. Going over
# a size raises IndexError instead of playing a wrong game.

INT = np.int64

PLAYERS = 6
CARDS = 64  # different cards a card database may hold
DECK = 48  # cards in one deck
HAND = 16  # cards in one hand
ROWS = 3

STATE = np.dtype(
    [
        ("rng", INT, (4,)),  # the chance of this game
        ("players", INT),
        ("over", INT),
        ("turn", INT),  # the player to move
        ("round_no", INT),  # from 1
        ("first", INT),  # who began the game
        ("winner", INT),  # the one player left, -1 for none
        ("turns", INT),  # moves made so far
        ("history", INT),  # 32-bit hash of the moves so far
        ("standing", INT),  # players with gems
        ("order", INT, (PLAYERS,)),  # those in their turn order
        ("position", INT),  # place of the player to move in that order
        ("n_passed", INT),
        ("passed", INT, (PLAYERS,)),
        ("pass_order", INT, (PLAYERS,)),  # in the order of passing
        ("gems", INT, (PLAYERS,)),
        ("place", INT, (PLAYERS,)),  # final places, 0 for who is still in the game
        ("score", INT, (PLAYERS,)),  # at the end of the last round
        ("points", INT, (PLAYERS,)),  # scores of all rounds together
        ("n_hand", INT, (PLAYERS,)),
        ("hand", INT, (PLAYERS, HAND)),
        ("n_deck", INT, (PLAYERS,)),
        ("deck", INT, (PLAYERS, DECK)),  # the top card is the last one
        ("n_discard", INT, (PLAYERS,)),
        ("discard", INT, (PLAYERS, DECK)),  # cards that left the board
        ("n_row", INT, (PLAYERS, ROWS)),
        ("row", INT, (PLAYERS, ROWS, DECK)),
        ("stacked", INT, (PLAYERS, ROWS, DECK)),  # strengths with all effects
        ("total", INT, (PLAYERS, ROWS)),  # their sums
        ("gained", INT, (PLAYERS, ROWS, DECK)),  # what shows above the weather (5.8)
        ("gains", INT, (PLAYERS, ROWS)),  # their sums
        ("weather", INT),  # the card in effect
        ("weather_by", INT),  # who played it
        ("weather_row", INT),  # the row it covers, -1 for none
    ]
)

NUMBERS = (
    "gems",
    "deck_size",
    "hand_size",
    "hand_limit",
    "cards_per_round",
    "weather_strength",
)
FLAGS: Flags = {
    "sampling": {"weighted_card": "weighted_sampling"},
    "turn_order": {"pass_order": "pass_order"},
    "reshuffle_between_rounds": {True: "reshuffle"},
    "clear_board_between_rounds": {False: "board_stays"},
    "lone_tight_bond": {"doubles": "lone_bond_doubles"},
    "weather_covers": {"first": "covered_first"},
}
"""The options of play, see `registry.fill_options`."""

CONTEXT = np.dtype(
    [
        # the card table, by card number
        ("n_cards", INT),
        ("kind", INT, (CARDS,)),
        ("row", INT, (CARDS,)),
        ("strength", INT, (CARDS,)),
        ("effect", INT, (CARDS,)),
        ("effect_row", INT, (CARDS,)),  # of a unit, or the row that weather covers
        ("copies", INT, (CARDS,)),  # in the pool
        # the seats
        ("players", INT),
        ("n_deck", INT, (PLAYERS,)),
        ("deck", INT, (PLAYERS, DECK)),
        ("by_place", INT, (PLAYERS,)),  # 1: the places of the deck are shuffled
        ("random_deck", INT, (PLAYERS,)),  # 1: a new random deck for each game
        ("coin", INT),  # who begins
        *((name, INT) for name in option_fields(NUMBERS, FLAGS)),
        # players of the seats, and their own chance
        ("policy", INT, (PLAYERS,)),
        ("budget", INT, (PLAYERS,)),  # of players who have one
        ("rng", INT, (4,)),
        # buffers
        ("moves", INT, (HAND + 1,)),
        ("places", INT, (2 * DECK,)),  # cards of a shuffle by place
        ("left", INT, (CARDS,)),  # what is left of a pool
        ("n_kinds", INT),
        ("kinds", INT, (CARDS,)),  # the cards that are not used up
        ("unseen", INT, (HAND + DECK,)),
        # scenarios: shuffles leave the decks as they are
        ("scripted", INT),
    ]
)
