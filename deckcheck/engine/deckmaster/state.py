"""Deckmaster: words and cards as numbers, and the records of state and context."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from deckcheck.engine.jit import Card, jit
from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The words of Deckmaster as numbers (rules 1.2, 1.4)


class Element(IntEnum):
    """The elements, at most one for each card."""

    NONE = 0
    FIRE = 1
    ICE = 2
    POISON = 3


class Status(IntEnum):
    """The status of a card hit by an element, with the number of the element."""

    NEUTRAL = 0
    BURNING = 1
    FROZEN = 2
    POISONED = 3


ARROW_BITS = {"up": 1, "left": 2, "right": 4, "down": 8}
"""The bit of each arrow."""


@jit
def card_parts(card: Card) -> tuple[int, int, int]:
    """Return power, element and arrows of a card by its number."""
    rest = card - 1
    return (rest >> 6) + 1, (rest >> 4) & 3, rest & 15


def card_code(power: int, element: int, arrows: int) -> int:
    """Return the number of a card, 1 to 320. `arrows` has a bit for each direction."""
    return 1 + ((power - 1) * 4 + element) * 16 + arrows


# -----------------------------------------------------------------------------
# The records a game of Deckmaster lives in: the state `s` and the context `x`
#
# Every field is an int64 cell or array. Cards are the numbers of `card_code`, 0 is no
# card. The nine spaces of the board are numbered row by row. A set of spaces has a bit
# for each.

INT = np.int64

MAX_DECK = 60  # cards in one deck
SPACE_COUNT = 9
SPACE_SET_COUNT = 1 << SPACE_COUNT
# A `target` has a space in its lowest four bits, and above them the arrow back.
SPACE_MASK = 15
ARROW_BIT = 4
MAX_RANDOM_CARDS = 1200  # equally likely random cards, some of them alike

STATE = np.dtype(
    [
        ("rng", INT, (4,)),  # the chance of this game
        ("turn", INT),  # the player to move
        ("first", INT),  # who began
        ("turns", INT),  # cards placed so far
        ("history", INT),  # 32-bit hash of the placements so far
        ("points", INT, (2,)),
        ("n_deck", INT),
        ("deck", INT, (MAX_DECK,)),  # the top card is the last one
        ("empty", INT),  # the set of spaces without a card
        ("poisoned", INT),  # the set of spaces with a poisoned card
        ("card", INT, (SPACE_COUNT,)),  # the card there, or 0
        ("arrows", INT, (SPACE_COUNT,)),  # its arrows, a bit for each
        ("power", INT, (SPACE_COUNT,)),  # its power now
        ("status", INT, (SPACE_COUNT,)),
        # events whose numbers are compared with reference figures
        ("fusions", INT),
        ("burnouts", INT),
        ("poison_deaths", INT),
    ]
)

OPTION_FLAGS: Flags = {
    "attack_power": {"start": "power_at_start"},
    "dying_card_retaliates": {False: "dying_stay_quiet"},
    "score_burnout": {True: "score_burnout"},
}
"""The options of play, see `registry.fill_options`."""

CONTEXT = np.dtype(
    [
        # the deck that both players share, or the cards of a random deck
        ("random_deck", INT),
        ("n_deck", INT),
        ("deck", INT, (MAX_DECK,)),
        ("n_drawn", INT),
        ("drawn", INT, (MAX_RANDOM_CARDS,)),
        # the spaces that a card attacks, by its space and arrows, in order of attacks
        ("n_targets", INT, (SPACE_COUNT, 16)),
        ("target", INT, (SPACE_COUNT, 16, 4)),  # with its arrow that points back
        ("becomes", INT, (4, 4)),  # the status after a hit, by old status and element
        # sets of spaces
        ("lowest", INT, (SPACE_SET_COUNT,)),  # the first space of a set
        *((name, INT) for name in option_fields((), OPTION_FLAGS)),
        # players of the seats, who begins, and their own chance
        ("policy", INT, (2,)),
        ("budget", INT, (2,)),  # of players with a budget
        ("coin", INT),
        ("rng", INT, (4,)),
        # buffers
        ("moves", INT, (SPACE_COUNT,)),
        ("kept_points", INT, (2,)),
        ("kept_counts", INT, (5,)),
        ("kept_card", INT, (SPACE_COUNT,)),
        ("kept_arrows", INT, (SPACE_COUNT,)),
        ("kept_power", INT, (SPACE_COUNT,)),
        ("kept_status", INT, (SPACE_COUNT,)),
        # for the heuristic: how many of five attackers destroy a card, by whether the
        # card points back (0 or 1) and by its power
        ("kills", INT, (2, 6)),
    ]
)
