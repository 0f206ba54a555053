"""The record `q` of `learned`: what its seat sees, its weights, and trial states.

Weights are files in `weights/`, one for each game, variant and version of the player;
`benchmarks/training` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deckcheck.engine.host.registry import load_game
from deckcheck.policies.host.search import solver_dtype
from deckcheck.policies.learned.network import (
    FIRST,
    LISTED,
    LOGIT_LIMIT,
    ONE,
    SECOND,
    STEP_BITS,
    TABLE,
    UNIT_BITS,
)

INT = np.int64
FOLDER = Path(__file__).parent / "weights"
WORLDS = 8  # no game asks for more, see `possible_worlds`

WEIGHTS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


def is_learned(game: str, variant: str) -> bool:
    """Whether `learned` knows this variant of a game; else the heuristic plays."""
    return variant in getattr(load_game(game), "LEARNED", {})


def weights_dtype(features: int, stages: int) -> np.dtype[np.void]:
    """The record of the weights of the features, for each stage of a game."""
    return np.dtype(
        [
            ("first", np.int32, (features, FIRST)),
            ("first_bias", np.int32, (FIRST,)),
            ("second", np.int32, (stages, SECOND, FIRST)),
            ("second_bias", INT, (stages, SECOND)),
            ("last", np.int32, (stages, SECOND)),
            ("last_bias", INT, (stages,)),
        ]
    )


def learned_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """The record for this variant of a game."""
    module = load_game(game)
    state, context = module.RECORDS[variant]
    moves = context["moves"].shape
    seeing, stages = module.LEARNED[variant]
    features = np.dtype(list(seeing))["features"].shape[0]
    assert features <= LISTED
    return np.dtype(
        [
            *seeing,
            *weights_dtype(features, stages).descr,
            ("sure", INT),  # whether it knows a pass that wins: not in training
            ("summed", INT, (features,)),  # the features whose sums these are:
            ("changed", INT, (LISTED + 1,)),  # which of them are others now
            ("first_sum", np.int32, (FIRST,)),
            ("unit", INT, (FIRST,)),
            ("second_sum", INT, (SECOND,)),
            ("chance", INT, (TABLE,)),  # of each step of a logit
            ("world", state, (WORLDS,)),
            ("trial", state, (3,)),  # after a move, an answer to its choice, a pass
            ("option", INT, moves),
            ("worlds", INT, moves),  # in which it should be tried
            ("tried", INT, moves),
            ("total", INT, moves),  # of the chances found
            ("value", INT, moves),  # their mean
            ("answer", INT, moves),  # to a choice within a move
        ]
    )


def second_learned_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """The record of the second version, which solves endgames."""
    net = learned_dtype(game, variant)
    return np.dtype([("net", net), ("solver", solver_dtype(game, variant))])


def fill_learned(q: Any, game: str, variant: str) -> None:
    """Give the player its weights, and the table of the sigmoid."""
    _fill(q, weights_file(game, variant))


def fill_second_learned(q: Any, game: str, variant: str) -> None:
    """The same with the weights of the second version."""
    _fill(q["net"], weights_file(game, variant, 2))


def _fill(q: Any, file: Path) -> None:
    with np.load(file) as weights:
        take_weights(q, weights)
    q.sure = 1


def weights_file(game: str, variant: str, version: int = 1) -> Path:
    """Where the weights for this variant of a game lie."""
    suffix = "" if version == 1 else f"-{version}"
    return FOLDER / f"{game}-{variant}{suffix}.npz"


def take_weights(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a player, and the table of the sigmoid."""
    for name in WEIGHTS:
        # Each unit of the second layer has its weights side by side.
        turned = name == "second"
        q[name] = weights[name].swapaxes(1, 2) if turned else weights[name]
    q.chance[:] = chances()
    q.summed[:] = 0
    q.first_sum[:] = q.first_bias


@cache
def chances() -> tuple[int, ...]:
    """The sigmoid by steps of a logit, rounded in decimals: the same everywhere."""
    with localcontext() as context:
        context.prec = 40
        return tuple(
            int((ONE / (1 + (-_logit(step)).exp())).to_integral_value())
            for step in range(TABLE)
        )


def _logit(step: int) -> Decimal:
    return Decimal((step << STEP_BITS) - LOGIT_LIMIT) / (1 << UNIT_BITS)
