"""Gwen't: the words of its rules as numbers, and the records of state and context."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from deckcheck.engine.primitives import RowName
from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The words of the rules as numbers: rows, kinds, effects, moves
#
# Names equal the codes in `card_db/gwen_t/*.yaml` in upper case. Loading refuses a card
# whose code has no member here.

NO_ROW = -1


class Kind(IntEnum):
    """Kinds of cards. 0 is no card."""

    UNIT = 1
    WEATHER = 2


class Effect(IntEnum):
    """Effects of cards (rules 5). 0 is the null effect."""

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
    """Kinds of moves. A move is `verb << 24 | index in the hand << 12 | card`."""

    PASS = 0
    PLAY = 1


# -----------------------------------------------------------------------------
# The records a game of Gwen't lives in: the state `s` and the context `x`
#
# Every field is an int64 cell or array. One record serves two to six players, whose
# number is in it. Cards are numbers from 1 (see `context`), 0 is none. Going over
# a size raises IndexError instead of playing a wrong game.

INT = np.int64

MAX_PLAYERS = 6
MAX_KINDS = 64  # different cards a card database may hold
MAX_DECK = 48  # cards in one deck
MAX_HAND = 16  # cards in one hand
ROWS = 3

STATE = np.dtype(
    [
        ("rng", INT, (4,)),  # the chance of this game
        ("players", INT),
        ("over", INT),
        ("turn", INT),  # the player to move
        ("round_no", INT),  # from 1
        ("first", INT),  # who began the game
        ("winner", INT),  # the last player left, -1 for none
        ("turns", INT),  # moves made so far
        ("history", INT),  # 32-bit hash of the moves so far
        ("standing", INT),  # players with gems
        ("order", INT, (MAX_PLAYERS,)),  # the players with gems, in turn order
        ("position", INT),  # index in `order` of the player to move
        ("n_passed", INT),
        ("passed", INT, (MAX_PLAYERS,)),
        ("pass_order", INT, (MAX_PLAYERS,)),  # the players, as they passed
        ("gems", INT, (MAX_PLAYERS,)),
        ("place", INT, (MAX_PLAYERS,)),  # final places, 0 for players still in the game
        ("score", INT, (MAX_PLAYERS,)),  # at the end of the last round
        ("points", INT, (MAX_PLAYERS,)),  # scores of all rounds together
        ("n_hand", INT, (MAX_PLAYERS,)),
        ("hand", INT, (MAX_PLAYERS, MAX_HAND)),
        ("n_deck", INT, (MAX_PLAYERS,)),
        ("deck", INT, (MAX_PLAYERS, MAX_DECK)),  # the top card is the last one
        ("n_discard", INT, (MAX_PLAYERS,)),
        ("discard", INT, (MAX_PLAYERS, MAX_DECK)),  # cards that left the board
        ("n_row", INT, (MAX_PLAYERS, ROWS)),
        ("row", INT, (MAX_PLAYERS, ROWS, MAX_DECK)),
        ("stacked", INT, (MAX_PLAYERS, ROWS, MAX_DECK)),  # strengths with effects
        ("total", INT, (MAX_PLAYERS, ROWS)),  # sums of `stacked`
        ("gained", INT, (MAX_PLAYERS, ROWS, MAX_DECK)),  # above the weather (5.8)
        ("gains", INT, (MAX_PLAYERS, ROWS)),  # sums of `gained`
        ("weather", INT),  # the card in effect
        ("weather_by", INT),  # who played it
        ("weather_row", INT),  # the row it covers, -1 for none
    ]
)

NUMBER_OPTIONS = (
    "gems",
    "deck_size",
    "hand_size",
    "hand_limit",
    "cards_per_round",
    "weather_strength",
)
OPTION_FLAGS: Flags = {
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
        ("kind", INT, (MAX_KINDS,)),
        ("row", INT, (MAX_KINDS,)),
        ("strength", INT, (MAX_KINDS,)),
        ("effect", INT, (MAX_KINDS,)),
        ("effect_row", INT, (MAX_KINDS,)),  # of a unit, or the row that weather covers
        ("copies", INT, (MAX_KINDS,)),  # in the pool
        # the seats
        ("players", INT),
        ("n_deck", INT, (MAX_PLAYERS,)),
        ("deck", INT, (MAX_PLAYERS, MAX_DECK)),
        ("by_place", INT, (MAX_PLAYERS,)),  # 1: the places of the deck are shuffled
        ("random_deck", INT, (MAX_PLAYERS,)),  # 1: a new random deck for each game
        ("coin", INT),  # who begins
        *((name, INT) for name in option_fields(NUMBER_OPTIONS, OPTION_FLAGS)),
        # players of the seats, and their own chance
        ("policy", INT, (MAX_PLAYERS,)),
        ("budget", INT, (MAX_PLAYERS,)),  # of players with a budget
        ("rng", INT, (4,)),
        # buffers
        ("moves", INT, (MAX_HAND + 1,)),
        ("places", INT, (2 * MAX_DECK,)),  # cards during a shuffle, by place
        ("left", INT, (MAX_KINDS,)),  # the rest of a pool
        ("n_kinds", INT),
        ("kinds", INT, (MAX_KINDS,)),  # the cards not used up
        ("unseen", INT, (MAX_HAND + MAX_DECK,)),
        # scenarios: shuffles leave the decks as they are
        ("scripted", INT),
    ]
)
