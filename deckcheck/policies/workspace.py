"""Records and weights that players need (never compiled)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deckcheck.engine.registry import load_game
from deckcheck.policies.players import (
    CHANCE_ENTRIES,
    FIRST_MOVE,
    FIRST_UNITS,
    LISTED_FEATURES,
    LISTED_TRAITS,
    LOGIT_LIMIT,
    MAX_DEPTH,
    SECOND_UNITS,
    STEP_BITS,
    SURE_CHANCE,
    UNIT_BITS,
)
from deckcheck.policies.registry import Policy, has_style, policy_number, read_policy

# -----------------------------------------------------------------------------
# The record `q` of `search`: the games it plays on trial, and their outcomes.

INT = np.int64


def is_advised(game: str, variant: str) -> bool:
    """Report whether `search` asks `learned` and solves endgames in this variant."""
    return variant in getattr(load_game(game), "ADVISED_VARIANTS", ())


def search_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record of `search`, with a solver in advised variants."""
    state, context = load_game(game).RECORD_TYPES[variant]
    moves = context["moves"].shape
    fields = [
        ("world", state, (1,)),  # what the player sees, the rest at random
        ("trial", state, (1,)),  # the same after a candidate, played to its end
        ("context", context, (1,)),  # the players, as far as it knows them
        ("candidate", INT, moves),
        ("score", INT, moves),  # what it won on trial, in `SURE_CHANCE`
    ]
    if is_advised(game, variant):
        return np.dtype([*fields, ("solver", solver_dtype(game, variant))])
    return np.dtype(fields)


def solver_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record of the solver of endgames."""
    state, context = load_game(game).RECORD_TYPES[variant]
    (moves,) = context["moves"].shape
    return np.dtype(
        [
            ("line", state, (MAX_DEPTH,)),  # positions that follow each other
            ("tree", INT, (MAX_DEPTH, FIRST_MOVE + moves)),  # what was tried in each
            ("tried", INT),  # the moves made on trial
        ]
    )


# -----------------------------------------------------------------------------
# The record `q` of `learned`: the view of its seat, its weights, and trial states.
#
# Weights are files in `weights/`, a file for each game, variant and version of the
# player. `tools/training` makes them.

WEIGHTS_FOLDER = Path(__file__).parent / "weights"
MAX_WORLDS = 8  # no game asks for more, see `possible_worlds`

RATED_PARTS = ("turn", "choice")
"""What is rated: the moves of a turn, and the answers to choices between turns."""
RATING_ARRAYS = ("first", "first_bias", "trait", "last")
VALUE_ARRAYS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


def is_learned(game: str, variant: str) -> bool:
    """Report whether `learned` knows this variant. Otherwise the heuristic plays."""
    return variant in getattr(load_game(game), "LEARNED_VARIANTS", {})


def weights_dtype(features: int, stages: int) -> np.dtype[np.void]:
    """Return the record of the weights of features for each stage of a game."""
    return np.dtype(
        [
            ("first", np.int32, (features, FIRST_UNITS)),
            ("first_bias", np.int32, (FIRST_UNITS,)),
            ("second", np.int32, (stages, SECOND_UNITS, FIRST_UNITS)),
            ("second_bias", INT, (stages, SECOND_UNITS)),
            ("last", np.int32, (stages, SECOND_UNITS)),
            ("last_bias", INT, (stages,)),
        ]
    )


def learned_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record of a learned value of positions."""
    module = load_game(game)
    state, context = module.RECORD_TYPES[variant]
    moves = context["moves"].shape
    seats = state["n_hand"].shape[0]
    seeing, stages = module.LEARNED_VARIANTS[variant]
    features = np.dtype(list(seeing))["features"].shape[0]
    assert features <= LISTED_FEATURES
    return np.dtype(
        [
            *seeing,
            *weights_dtype(features, stages).descr,
            ("sure", INT),  # whether it knows a pass that wins: not in training
            ("summed", INT, (seats, features)),  # by seat, the features of its sums
            ("changed", INT, (LISTED_FEATURES + 1,)),  # which of them are others now
            ("first_sum", np.int32, (seats, FIRST_UNITS)),
            ("unit", INT, (FIRST_UNITS,)),
            ("second_sum", INT, (SECOND_UNITS,)),
            ("chance", INT, (CHANCE_ENTRIES,)),  # of each step of a logit
            ("world", state, (MAX_WORLDS,)),
            ("trial", state, (3,)),  # after a move, an answer to its choice, a pass
            ("option", INT, moves),
            ("worlds", INT, moves),  # in which it should be tried
            ("tried", INT, moves),
            ("total", INT, moves),  # of the chances found
            ("value", INT, moves),  # their mean
            ("answer", INT, moves),  # to a choice within a move
        ]
    )


def rating_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record of `learned`, which rates moves."""
    module = load_game(game)
    state, context = module.RECORD_TYPES[variant]
    moves = context["moves"].shape
    seeing, stages = module.LEARNED_VARIANTS[variant]
    features = np.dtype(list(seeing))["features"].shape[0]
    traits = module.RATED_VARIANTS[variant]
    net = ratings_dtype(features, traits, stages, state["n_hand"].shape[0])
    return np.dtype(
        [
            *seeing,
            ("net", net, (2,)),  # by which moves are rated, and answers between turns
            ("changed", INT, (LISTED_FEATURES + 1,)),  # what is others than in the sums
            ("unit_sum", np.int32, (FIRST_UNITS,)),  # with the traits of a move
            ("shared", np.int32, (FIRST_UNITS,)),  # with those of all moves
            ("listed", INT),  # traits that are not 0:
            ("place", INT, (LISTED_TRAITS + 1,)),
            ("amount", INT, (LISTED_TRAITS + 1,)),
            ("gain", INT, moves),
            ("cost", INT, moves),
            *((name, INT) for name in ("lead", "most", "second_most", "average")),
            *((name, INT) for name in ("hand_worth", "least", "least_ahead")),
            ("option", INT, moves),
            ("value", INT, moves),  # of each option
            ("solver", solver_dtype(game, variant)),
        ]
    )


def ratings_dtype(
    features: int, traits: int, stages: int, seats: int
) -> np.dtype[np.void]:
    """Return the record of the weights of ratings, and the sums of views."""
    return np.dtype(
        [
            ("first", np.int32, (features, FIRST_UNITS)),
            ("first_bias", np.int32, (FIRST_UNITS,)),
            ("trait", np.int32, (traits, FIRST_UNITS)),
            ("last", np.int32, (stages, FIRST_UNITS)),
            ("summed", INT, (seats, features)),  # by seat, the features of its sums
            ("first_sum", np.int32, (seats, FIRST_UNITS)),
        ]
    )


def third_learned_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record by which `learned-3` values the positions after an answer."""
    net = learned_dtype(game, variant)
    return np.dtype([("net", net), ("solver", solver_dtype(game, variant))])


def fill_ratings(q: Any, game: str, variant: str) -> None:
    """Give `learned` its weights."""
    with np.load(weights_file(game, variant, 4)) as weights:
        for i, part in enumerate(RATED_PARTS):
            taken = {name: weights[f"{part}_{name}"] for name in RATING_ARRAYS}
            take_ratings(q["net"][i], taken)


def take_ratings(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a player that rates moves."""
    for name in RATING_ARRAYS:
        q[name] = weights[name]
    q["summed"][:] = 0
    q["first_sum"][:] = q["first_bias"]


def fill_learned(q: Any, game: str, variant: str) -> None:
    """Give the player its weights, and the table of the sigmoid."""
    _fill(q, weights_file(game, variant))


def fill_third_learned(q: Any, game: str, variant: str) -> None:
    """Give `learned-3` the weights by which it values positions."""
    _fill(q["net"], weights_file(game, variant, 2))


def _fill(q: Any, file: Path) -> None:
    with np.load(file) as weights:
        take_weights(q, weights)
    q.sure = 1


def weights_file(game: str, variant: str, version: int = 1) -> Path:
    """Return the file of the weights for this variant of a game."""
    suffix = "" if version == 1 else f"-{version}"
    return WEIGHTS_FOLDER / f"{game}-{variant}{suffix}.npz"


def take_weights(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a player, and the table of the sigmoid."""
    for name in VALUE_ARRAYS:
        # Each unit of the second layer has its weights side by side.
        turned = name == "second"
        q[name] = weights[name].swapaxes(1, 2) if turned else weights[name]
    q.chance[:] = chances()
    q.summed[:] = 0
    q.first_sum[:] = q.first_bias


@cache
def chances() -> tuple[int, ...]:
    """Return the sigmoid by steps of a logit, rounded the same on every machine."""
    with localcontext() as context:
        context.prec = 40
        return tuple(
            int((SURE_CHANCE / (1 + (-_logit(step)).exp())).to_integral_value())
            for step in range(CHANCE_ENTRIES)
        )


def _logit(step: int) -> Decimal:
    return Decimal((step << STEP_BITS) - LOGIT_LIMIT) / (1 << UNIT_BITS)


# -----------------------------------------------------------------------------
# The players' workspace: data of players compiled only when they are seated.
#
# A workspace begins with a field whose name lists these players. Without it, the record
# of some players would begin as the record of more players, and numba would take it for
# a kind of the other.

Dtype = np.dtype[np.void]


def leave_empty(record: Any, game: str, variant: str) -> None:
    """Let the data of a player be zero at first."""


@dataclass(frozen=True, slots=True)
class ExtraPlayer:
    """A player with data of its own.

    By game and variant, `record` returns the dtype and `fill` writes the first values.
    """

    record: Callable[[str, str], Dtype]
    fill: Callable[[Any, str, str], None] = leave_empty


EXTRA_PLAYERS = {
    "learned": ExtraPlayer(rating_dtype, fill_ratings),
    "learned_1": ExtraPlayer(learned_dtype, fill_learned),
    "learned_3": ExtraPlayer(third_learned_dtype, fill_third_learned),
    "search": ExtraPlayer(search_dtype),
}
"""By name, which is that of their record in the workspace as well."""

RECORDS_OF = {
    Policy.LEARNED: {"learned"},
    Policy.LEARNED_1: {"learned_1"},
    Policy.LEARNED_3: {"learned", "learned_3"},
    Policy.SEARCH: {"search"},
}
"""The extra players whose records each of these policies needs."""

ASKED_TOGETHER = {"learned_1", "search"}


LEARNED_POLICIES = (Policy.LEARNED, Policy.LEARNED_1, Policy.LEARNED_3)


def played_as(policy: int, game: str, variant: str) -> int:
    """Return the policy that plays in this seat.

    Without ratings of moves `learned-1` plays, and in a game without learned values
    the heuristic.
    """
    if policy not in LEARNED_POLICIES:
        return policy
    if not is_learned(game, variant):
        return int(Policy.HEURISTIC)
    return policy if is_rated(game, variant) else int(Policy.LEARNED_1)


def is_rated(game: str, variant: str) -> bool:
    """Report whether moves of this variant of a game have learned ratings."""
    return variant in getattr(load_game(game), "RATED_VARIANTS", {})


def stand_ins(policies: Iterable[str], game: str, variant: str) -> tuple[str, ...]:
    """Return the named players for whom the heuristic plays, each once."""
    has_styles = variant in getattr(load_game(game), "STYLED_VARIANTS", ())
    return tuple(
        name
        for name in dict.fromkeys(policies)
        if (has_style(read_policy(name)) and not has_styles)
        or is_stood_in_for(policy_number(name), game, variant)
    )


def is_stood_in_for(policy: int, game: str, variant: str) -> bool:
    """Report whether the heuristic plays instead of another player."""
    is_other = policy != Policy.HEURISTIC
    return is_other and played_as(policy, game, variant) == Policy.HEURISTIC


def extra_players(policies: Iterable[int], game: str, variant: str) -> tuple[str, ...]:
    """Return the names of the extra players among these numbers, sorted.

    If `search` asks `learned-1`, most of their code is common, so they are compiled
    together. If moves are rated, `learned` comes even without extra players, since its
    games are played again by rules of thumb.
    """
    known = [RECORDS_OF.get(Policy(policy), set()) for policy in policies]
    names = set().union(*known)
    if is_rated(game, variant) and not names:
        names = {"learned"}
    if names & ASKED_TOGETHER and is_advised(game, variant):
        names |= ASKED_TOGETHER
    return tuple(sorted(names))


def new_workspace(game: str, variant: str, extras: Iterable[str]) -> Any:
    """Return the workspace of games with these extra players, in an array of 1."""
    return filled_workspace(game, variant, tuple(extras)).copy()


@cache
def filled_workspace(game: str, variant: str, names: tuple[str, ...]) -> Any:
    """Return the same, made once: weights are read from a file."""
    fields = [(name, EXTRA_PLAYERS[name].record(game, variant)) for name in names]
    mark = "_".join(("players", *names))
    workspace = np.zeros(1, [(mark, np.int64), *fields]).view(np.recarray)
    for name in names:
        EXTRA_PLAYERS[name].fill(workspace[0][name], game, variant)
    return workspace
