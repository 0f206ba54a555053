"""What the workspaces of `learned` have in common, whatever the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from deckcheck.engine.seeing.heaps import CARDS_READ, GAIN

INT = np.int64
HEAPS = 4


def hand_fields(
    zone: int, features: int, sets: int = CARDS_READ
) -> tuple[tuple[Any, ...], ...]:
    """The fields for hands and decks, and for the view as a whole.

    A heap is described by `zone` numbers; gains are summed for `sets` of cards.
    """
    return (
        ("heap", INT, (HEAPS, zone)),
        ("gains", INT, (sets, GAIN)),
        ("exposed", INT),  # own cards that everybody knows
        ("doubled", INT),  # own cards that another one of the hand would muster
        ("bonded", INT),  # strength that copies in hand give each other
        ("known_worth", INT),
        ("expected_worth", INT),
        ("known", INT),  # cards of the enemy's hand that the player knows
        ("unknown", INT),
        ("unseen", INT),  # unknown cards, and those of the deck
        ("expected", INT),
        ("expected_big", INT),
        ("features", INT, (features,)),
    )
