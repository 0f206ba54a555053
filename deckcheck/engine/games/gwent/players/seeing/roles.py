"""The role of a card: one for each, and a lane for its strength."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """What a card is there for; of several abilities the one that decides its use."""

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
    TURNING = 12  # Berserkers, Ermion, and who summons when it leaves
    DECOY = 13
    HORN = 14
    SCORCH = 15
    FROST = 16
    FOG = 17
    RAIN = 18
    STORM = 19
    CLEAR = 20
    MARDROEME = 21


class Lane(IntEnum):
    """Where the printed strength of a card counts; that of heroes is apart."""

    CLOSE = 0
    RANGED = 1
    SIEGE = 2
    AGILE = 3
    HERO = 4


ROLES = len(Role)
LANES = len(Lane)
ZONE = ROLES + LANES
"""Numbers that describe a heap of cards: how many of each role, strength by lane."""
