"""Gwent: the words of its rules as numbers, and the verbs of its moves."""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.primitives import VERB_BIT

# -----------------------------------------------------------------------------
# The words of the rules as numbers: rows, kinds, abilities, leaders, moves, options
#
# Names equal the codes in `card_db/gwent/*.yaml` in upper case. Loading refuses a card
# or leader whose code has no member here.


class Kind(IntEnum):
    """Kinds of cards. 0 is no card."""

    UNIT = 1
    HERO = 2
    SPECIAL = 3
    WEATHER = 4


class Ability(IntEnum):
    """Abilities of cards, a bit each. A card has the sum of its abilities."""

    AGILE = 1 << 0
    MEDIC = 1 << 1
    MORALE_BOOST = 1 << 2
    MUSTER = 1 << 3
    SPY = 1 << 4
    TIGHT_BOND = 1 << 5
    COMMANDERS_HORN = 1 << 6
    SCORCH = 1 << 7
    SCORCH_CLOSE = 1 << 8
    SCORCH_RANGED = 1 << 9
    SCORCH_SIEGE = 1 << 10
    DECOY = 1 << 11
    MARDROEME = 1 << 12
    BERSERKER = 1 << 13
    SUMMON_AVENGER = 1 << 14
    WEATHER_FROST = 1 << 15
    WEATHER_FOG = 1 << 16
    WEATHER_RAIN = 1 << 17
    WEATHER_STORM = 1 << 18
    WEATHER_CLEAR = 1 << 19


class Weather(IntEnum):
    """The positions of weather cards on the board. Clear Weather has no position."""

    CLEAR = -1
    FROST = 0
    FOG = 1
    RAIN = 2
    STORM = 3


class FactionAbility(IntEnum):
    """Faction abilities (rules 1.7)."""

    NONE = 0
    DRAW_AFTER_WIN = 1
    WIN_TIES = 2
    KEEP_ONE_UNIT = 3
    CHOOSE_STARTER = 4
    RETURN_TWO_UNITS = 5


class Leader(IntEnum):
    """Leader abilities (rules 1.9.2). 0 is no leader."""

    NONE = 0
    PLAY_FOG_FROM_DECK = 1
    CLEAR_WEATHER = 2
    HORN_OWN_SIEGE = 3
    SCORCH_ENEMY_SIEGE = 4
    SCORCH_ENEMY_RANGED = 5
    PLAY_RAIN_FROM_DECK = 6
    PEEK_THREE_HAND_CARDS = 7
    CANCEL_ENEMY_LEADER = 8
    TAKE_FROM_ENEMY_DISCARD = 9
    RANDOM_REVIVE = 10
    HORN_OWN_CLOSE = 11
    RESTORE_OWN_DISCARD = 12
    DISCARD_TWO_PICK_ONE = 13
    PLAY_ANY_WEATHER_FROM_DECK = 14
    DOUBLE_SPIES = 15
    SCORCH_ENEMY_CLOSE = 16
    HORN_OWN_RANGED = 17
    EXTRA_OPENING_CARD = 18
    PLAY_FROST_FROM_DECK = 19
    OPTIMISE_AGILE_ROWS = 20
    RESHUFFLE_DISCARDS = 21
    HALF_WEATHER = 22
    PLAY_TIGHT_BOND_COPY_FROM_DECK = 23
    PLAY_MARDROEME_FROM_DECK = 24
    PLAY_STORM_FROM_DECK = 25


class Slot(IntEnum):
    """The special card in the slot beside a row."""

    EMPTY = 0
    HORN = 1
    MARDROEME = 2


class Phase(IntEnum):
    """The decision of the player to move."""

    STARTER = 0
    REDRAW = 1
    PLAY = 2
    MEDIC = 3
    DECOY = 4
    ENEMY_DISCARD = 5
    OWN_DISCARD = 6
    DISCARD_TWO = 7
    FROM_DECK = 8
    WEATHER_FROM_DECK = 9
    BOND_COPY = 10
    MARDROEME_ROW = 11
    OVER = 12
    AUTOMA_DISCARD = 13
    RECIPIENT = 14  # the opponent who gets a spy
    OPPONENT = 15  # the opponent at whom a leader is aimed
    VOID_LEADER = 16  # the player whose leader White Flame voids


class RandomPick(IntEnum):
    """The causes of random picks, named where a scenario lacks an answer."""

    KEPT = 0  # the unit that Monsters keep
    RETURNING = 1  # the units that return to Skellige
    REVIVED = 2  # the unit of a medic under Invader of the North
    SEEN = 3  # the cards that Emperor of Nilfgaard sees
    LEADER = 4  # the unit that the automa's Invader of the North deploys
    PLAN = 5  # the card of a plan of the automa, among equally good plans
    STARTER = 6  # the starter of a round at a table, among equal best scorers
    ROW = 7  # the row of a plan, among equally good plans with the same card


class AutomaAction(IntEnum):
    """The noted actions of an automa."""

    LAY = 0  # a card in a row of a side, or beside it
    PLAY = 1  # a card in no row
    HIDE = 2  # a Decoy with a card under it
    TURN_UP = 3  # a card from under a Decoy
    LEADER = 4  # a leader of the pile
    MOVE = 5  # an agile unit to a row
    NOTHING = 6  # no card, as the deck is empty
    COUNT = 7  # the totals of the user and of the automa at the end of a round


class Verb(IntEnum):
    """Kinds of moves. A move is `verb << 24 | who << 16 | row << 12 | card`."""

    PASS = 0
    PLAY = 1
    LEADER = 2
    CHOOSE = 3
    REDRAW = 4
    KEEP_HAND = 5
    START = 6
    VOID = 7


# -----------------------------------------------------------------------------
# The role of a card. Every card has one


class Role(IntEnum):
    """The use of a card, by the ability that matters most for its play."""

    HERO = 0
    CLOSE = 1
    RANGED = 2
    SIEGE = 3
    AGILE = 4
    SPY = 5
    MEDIC = 6
    MUSTER = 7
    BOND = 8
    MORALE = 9
    HORN_UNIT = 10
    SCORCH_UNIT = 11
    TURNING = 12  # Berserkers, Ermion, and units that summon when they leave
    DECOY = 13
    HORN = 14
    SCORCH = 15
    FROST = 16
    FOG = 17
    RAIN = 18
    STORM = 19
    CLEAR = 20
    MARDROEME = 21


# -----------------------------------------------------------------------------
# The verbs of moves, as numbers. `engine.primitives` makes moves of them.
#
# Two copies of a card in hand are one move. Every choice is a move of its own.

PASS = int(Verb.PASS) << VERB_BIT
KEEP_HAND = int(Verb.KEEP_HAND) << VERB_BIT
USE_LEADER = int(Verb.LEADER) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT
CHOOSE = int(Verb.CHOOSE) << VERB_BIT
REDRAW = int(Verb.REDRAW) << VERB_BIT
START = int(Verb.START) << VERB_BIT
VOID = int(Verb.VOID) << VERB_BIT
