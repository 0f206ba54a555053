"""The words of the rules as numbers: rows, kinds, effects, moves.

Names equal the codes in `card_db/gwen_t/*.yaml` in upper case; loading refuses a card
whose code has no member here.
"""

from __future__ import annotations

from enum import IntEnum

NO_ROW = -1


class RowName(IntEnum):
    """The three rows of a side."""

    CLOSE = 0
    RANGED = 1
    SIEGE = 2


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
