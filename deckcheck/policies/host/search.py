"""The record `q` of `search`: the games it plays on trial, and their outcomes."""

from __future__ import annotations

import numpy as np

from deckcheck.engine.host.registry import load_game
from deckcheck.policies.solving import COLUMNS, DEPTH

INT = np.int64


def is_advised(game: str, variant: str) -> bool:
    """Whether `search` asks `learned` and solves endgames in this variant of a game."""
    return variant in getattr(load_game(game), "ADVISED", ())


def search_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """The record for this variant of a game; only one that is advised has a solver."""
    state, context = load_game(game).RECORDS[variant]
    moves = context["moves"].shape
    fields = [
        ("world", state, (1,)),  # what the player sees, the rest at random
        ("trial", state, (1,)),  # the same after a candidate, played to its end
        ("context", context, (1,)),  # the players, as far as it knows them
        ("candidate", INT, moves),
        ("score", INT, moves),  # what it won on trial, in `ONE`
    ]
    if is_advised(game, variant):
        return np.dtype([*fields, ("solver", solver_dtype(game, variant))])
    return np.dtype(fields)


def solver_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """The record of what solves endgames, for this variant of a game."""
    state, context = load_game(game).RECORDS[variant]
    (moves,) = context["moves"].shape
    return np.dtype(
        [
            ("line", state, (DEPTH,)),  # positions that follow each other
            ("tree", INT, (DEPTH, COLUMNS + moves)),  # what was tried in each
            ("tried", INT),  # the moves made on trial
        ]
    )
