"""The role of a card: one for each, and a lane for its strength."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """What a card is there for; of several abilities the one that decides its use.

    Units that do no more than lie there come first, and specials last.
    """

    SHIELDED = 0
    CLOSE = 1
    RANGED = 2
    SIEGE = 3
    AGILE = 4
    SPY = 5
    MEDIC = 6
    MUSTER = 7
    BOND = 8
    MORALE = 9
    LAGER_UNIT = 10
    SCORCH_UNIT = 11
    BRINGER = 12  # units that bring reserves, at once or when they are destroyed
    TURNING = 13  # units that transform, or make others transform
    GROWING = 14  # units that devour or reinforce
    MOVER = 15  # of units and weather, of a hand, or of an opponent's spirits
    LASTING = 16  # units that stay or return
    DECOY = 17
    LAGER = 18
    SCORCH = 19
    FROST = 20
    FOG = 21
    RAIN = 22
    STORM = 23  # weather on several rows
    CLEAR = 24
    MARDROEME = 25
    TRICK = 26  # any other special, and tokens


class Lane(IntEnum):
    """Where the printed strength of a card counts; that with a shield is apart."""

    CLOSE = 0
    RANGED = 1
    SIEGE = 2
    AGILE = 3
    SHIELDED = 4


ROLES = len(Role)
LANES = len(Lane)
ZONE = ROLES + LANES
"""Numbers that describe a heap of cards: how many of each role, strength by lane."""
