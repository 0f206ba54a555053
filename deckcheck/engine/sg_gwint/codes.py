"""SG Gwint: the words of its rules as numbers, and the verbs of its moves."""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.jit import Move, Row, Side, jit
from deckcheck.engine.primitives import ROW_BIT, VERB_BIT, WHO_BIT

# -----------------------------------------------------------------------------
# The words of the rules as numbers: rows, kinds, abilities, leaders, moves, options
#
# Names equal the codes in `card_db/sg_gwint/` in upper case. Loading refuses a card or
# leader whose code has no member here.


class Kind(IntEnum):
    """Kinds of cards, units first. 0 is no card."""

    BRONZE = 1
    SILVER = 2
    GOLD = 3
    SPECIAL = 4
    TOKEN = 5
    LEADER = 6  # a leader among the weather


class Ability(IntEnum):
    """Abilities of cards, a bit each. A card has the sum of its abilities.

    From SPY on they are carried out when the card comes into play, lowest bit first
    (rules 9.27).
    """

    TENACITY = 1 << 0
    IMMUNITY = 1 << 1
    TIGHT_BOND = 1 << 2
    MORALE_BOOST = 1 << 3
    MAHAKAM_LAGER = 1 << 4
    GUARDIAN = 1 << 5
    RETURN_ON_LOSS = 1 << 6
    OPENING_CARD = 1 << 7
    DEMOTIVATION_TOKEN = 1 << 8
    REINFORCEMENT_TOKEN = 1 << 9
    SPY = 1 << 10
    EXCHANGE = 1 << 11
    MUSTER = 1 << 12
    BRING_RESERVES = 1 << 13
    MARDROEME = 1 << 14
    TRANSFORM = 1 << 15
    DEVOUR = 1 << 16
    REINFORCEMENT = 1 << 17
    ATTACH = 1 << 18
    DEMOTIVATION = 1 << 19
    RELOCATE = 1 << 20
    MANIPULATION = 1 << 21
    DIPLOMACY = 1 << 22
    DESTROY_UNIT = 1 << 23
    ROW_SCORCH = 1 << 24
    SCORCH = 1 << 25
    WEATHER = 1 << 26
    CLEAR_WEATHER = 1 << 27
    MOVE_WEATHER = 1 << 28
    DECOY = 1 << 29
    MEDIC = 1 << 30


class FactionAbility(IntEnum):
    """Faction abilities (rules 7)."""

    NONE = 0
    DRAW_AFTER_WIN = 1
    WIN_TIES = 2
    KEEP_ONE_UNIT = 3
    CHOOSE_STARTER = 4
    PLAY_TWO_UNITS = 5


class Leader(IntEnum):
    """Leader abilities (rules 10). 0 is no leader."""

    NONE = 0
    PULL_UNIT = 1
    CARD_FROM_DECK = 2
    WEATHER_FROM_DECK = 3
    WEATHER = 4
    CLEAR_WEATHER = 5
    SCORCH = 6
    DRAW_CARDS = 7
    LINKED_CARDS = 8
    WEATHERPROOF = 9
    OPENING_CARDS = 10
    UNKNOWN = 11  # refused before a game starts


class Phase(IntEnum):
    """The decision of the player to move."""

    ANNOUNCE = 0  # whether Scoia'tael chooses who starts round 1
    STARTER = 1  # the player who starts
    CLAIM = 2  # the player who starts this round, if Scoia'tael chooses
    KLEPNA = 3  # the row of the opening card
    REDRAW = 4
    PLAY = 5
    LAND = 6  # the row of a card that comes into play
    MEDIC = 7  # a unit of the player's own graveyard
    DECOY = 8  # a unit to take back
    DEVOUR = 9
    REINFORCE = 10
    ATTACH = 11
    RELOCATE = 12
    MANIPULATE = 13
    DIPLOMACY = 14
    DESTROY = 15
    MOVE_TO = 16  # the row to which the chosen unit moves
    EXCHANGE = 17  # a hand card to discard
    FROM_DECK = 18  # a card of the deck, for a leader
    SKY = 19  # a weather card to move
    SKY_ROW = 20  # the row to which it moves
    OVER = 21


class Stage(IntEnum):
    """The stages of a match, which decisions interrupt.

    A match begins ANNOUNCING, DEALING, REDRAWING, TOSSING, OPENING, in the short order
    with the coin before the hands. A later round begins AFTERMATH, DRAWING, REDRAWING,
    CLAIMING, RETURNING. Both lead to TURNS.
    """

    TURNS = 0
    ANNOUNCING = 1  # Scoia'tael may announce the ability
    DEALING = 2
    REDRAWING = 3
    TOSSING = 4  # the coin, and who starts
    OPENING = 5  # Klepna
    AFTERMATH = 6  # guardians of the last round bring their cards
    DRAWING = 7
    CLAIMING = 8  # Scoia'tael may choose who starts
    RETURNING = 9  # Skellige's units


class RandomPick(IntEnum):
    """The causes of random picks, named where a scenario lacks an answer."""

    KEPT = 0  # the unit that stays for the Monsters (7.1)
    RETURNING = 1  # the units that return to Skellige (7.11)


class Verb(IntEnum):
    """Kinds of moves. A move is `verb << 24 | side << 16 | row << 12 | card`.

    Where a card on the battlefield is chosen, `card` is its index in the row.
    """

    PASS = 0
    PLAY = 1
    LEADER = 2
    LAY = 3  # one of the cards of a leader, at any moment
    CHOOSE = 4
    DECLINE = 5
    DISCARD = 6
    REDRAW = 7
    KEEP_HAND = 8
    START = 9
    ANNOUNCE = 10


# -----------------------------------------------------------------------------
# The verbs of moves, as numbers. `engine.primitives` makes moves of them.
#
# Two copies of a card in hand are one move. A card on the battlefield is chosen by its
# index in the row. Every choice is a move of its own.

PASS = int(Verb.PASS) << VERB_BIT
PLAY = int(Verb.PLAY) << VERB_BIT
USE_LEADER = int(Verb.LEADER) << VERB_BIT
LAY = int(Verb.LAY) << VERB_BIT
CHOOSE = int(Verb.CHOOSE) << VERB_BIT
DECLINE = int(Verb.DECLINE) << VERB_BIT
DISCARD = int(Verb.DISCARD) << VERB_BIT
REDRAW = int(Verb.REDRAW) << VERB_BIT
KEEP_HAND = int(Verb.KEEP_HAND) << VERB_BIT
START = int(Verb.START) << VERB_BIT
ANNOUNCE = int(Verb.ANNOUNCE) << VERB_BIT


@jit
def encode_row(side: Side, row: Row) -> Move:
    """Return the part of a move that names a row of a side."""
    return side << WHO_BIT | row << ROW_BIT
