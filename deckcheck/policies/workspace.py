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
    COLUMNS,
    DEPTH,
    FIRST,
    LISTED,
    LISTED_TRAITS,
    LOGIT_LIMIT,
    ONE,
    SECOND,
    STEP_BITS,
    TABLE,
    UNIT_BITS,
)
from deckcheck.policies.registry import Policy, has_style, policy_number, read_policy

# -----------------------------------------------------------------------------
# The record `q` of `search`: the games it plays on trial, and their outcomes.

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


# -----------------------------------------------------------------------------
# The record `q` of `learned`: what its seat sees, its weights, and trial states.
#
# Weights are files in `weights/`, one for each game, variant and version of the player;
# `tools/training` makes them.

FOLDER = Path(__file__).parent / "weights"
WORLDS = 8  # no game asks for more, see `possible_worlds`

RATED_PARTS = ("turn", "choice")
"""What is rated: the moves of a turn, and the answers to choices between turns."""
RATINGS = ("first", "first_bias", "trait", "last")
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
    seats = state["n_hand"].shape[0]
    seeing, stages = module.LEARNED[variant]
    features = np.dtype(list(seeing))["features"].shape[0]
    assert features <= LISTED
    return np.dtype(
        [
            *seeing,
            *weights_dtype(features, stages).descr,
            ("sure", INT),  # whether it knows a pass that wins: not in training
            (
                "summed",
                INT,
                (seats, features),
            ),  # by who saw them; whose sums these are:
            ("changed", INT, (LISTED + 1,)),  # which of them are others now
            ("first_sum", np.int32, (seats, FIRST)),
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


def rating_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """The record of `learned`, which rates moves, for this variant of a game."""
    module = load_game(game)
    state, context = module.RECORDS[variant]
    moves = context["moves"].shape
    seeing, stages = module.LEARNED[variant]
    features = np.dtype(list(seeing))["features"].shape[0]
    traits = module.RATED[variant]
    net = ratings_dtype(features, traits, stages, state["n_hand"].shape[0])
    return np.dtype(
        [
            *seeing,
            ("net", net, (2,)),  # by which moves are rated, and answers between turns
            ("changed", INT, (LISTED + 1,)),  # what is others than in the sums
            ("unit_sum", np.int32, (FIRST,)),  # with the traits of a move
            ("shared", np.int32, (FIRST,)),  # with those of all moves
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
    """The record of the weights of ratings, and the sums of what was seen."""
    return np.dtype(
        [
            ("first", np.int32, (features, FIRST)),
            ("first_bias", np.int32, (FIRST,)),
            ("trait", np.int32, (traits, FIRST)),
            ("last", np.int32, (stages, FIRST)),
            (
                "summed",
                INT,
                (seats, features),
            ),  # by who saw them; whose sums these are:
            ("first_sum", np.int32, (seats, FIRST)),
        ]
    )


def third_learned_dtype(game: str, variant: str) -> np.dtype[np.void]:
    """Return the record by which `learned-3` values what follows an answer."""
    net = learned_dtype(game, variant)
    return np.dtype([("net", net), ("solver", solver_dtype(game, variant))])


def fill_ratings(q: Any, game: str, variant: str) -> None:
    """Give `learned` its weights."""
    with np.load(weights_file(game, variant, 4)) as weights:
        for i, part in enumerate(RATED_PARTS):
            taken = {name: weights[f"{part}_{name}"] for name in RATINGS}
            take_ratings(q["net"][i], taken)


def take_ratings(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a player that rates moves."""
    for name in RATINGS:
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


# -----------------------------------------------------------------------------
# The players' workspace: data of those who are compiled only when they are seated.
#
# A workspace begins with a field whose name lists these players. Without it, the record
# of some players would begin as that of more players does, and numba would take one for
# a kind of the other.

Dtype = np.dtype[np.void]


def leave_empty(record: Any, game: str, variant: str) -> None:
    """Let the data of a player be zero at first."""


@dataclass(frozen=True, slots=True)
class ExtraPlayer:
    """A player with data of its own.

    `record` gives its dtype, and `fill` what stands in it when games begin, by game and
    variant.
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


LEARNERS = (Policy.LEARNED, Policy.LEARNED_1, Policy.LEARNED_3)


def played_as(policy: int, game: str, variant: str) -> int:
    """The policy that plays in this seat.

    Where moves have no ratings that is `learned-1`, and in a game that it does not know
    the heuristic.
    """
    if policy not in LEARNERS:
        return policy
    if not is_learned(game, variant):
        return int(Policy.HEURISTIC)
    return policy if is_rated(game, variant) else int(Policy.LEARNED_1)


def is_rated(game: str, variant: str) -> bool:
    """Whether moves of this variant of a game have learned ratings."""
    return variant in getattr(load_game(game), "RATED", {})


def stand_ins(policies: Iterable[str], game: str, variant: str) -> tuple[str, ...]:
    """Those of the players named in whose place the heuristic plays, each once."""
    has_styles = variant in getattr(load_game(game), "STYLED", ())
    return tuple(
        name
        for name in dict.fromkeys(policies)
        if (has_style(read_policy(name)) and not has_styles)
        or is_stood_in_for(policy_number(name), game, variant)
    )


def is_stood_in_for(policy: int, game: str, variant: str) -> bool:
    """Whether the heuristic plays instead of another player."""
    is_other = policy != Policy.HEURISTIC
    return is_other and played_as(policy, game, variant) == Policy.HEURISTIC


def extra_players(policies: Iterable[int], game: str, variant: str) -> tuple[str, ...]:
    """The names of the extra players among those with these numbers, sorted.

    Where `search` asks `learned-1`, most of either is compiled for both: so they come
    together, compiled once and not twice. Where moves are rated, `learned` comes with
    those who are no extra players, too: rules of thumb play again what it played.
    """
    known = [RECORDS_OF.get(Policy(policy), set()) for policy in policies]
    names = set().union(*known)
    if is_rated(game, variant) and not names:
        names = {"learned"}
    if names & ASKED_TOGETHER and is_advised(game, variant):
        names |= ASKED_TOGETHER
    return tuple(sorted(names))


def new_workspace(game: str, variant: str, extras: Iterable[str]) -> Any:
    """The workspace of games in which these extra players sit, in an array of 1."""
    return filled_workspace(game, variant, tuple(extras)).copy()


@cache
def filled_workspace(game: str, variant: str, names: tuple[str, ...]) -> Any:
    """The same, made once: weights are read from a file."""
    fields = [(name, EXTRA_PLAYERS[name].record(game, variant)) for name in names]
    mark = "_".join(("players", *names))
    workspace = np.zeros(1, [(mark, np.int64), *fields]).view(np.recarray)
    for name in names:
        EXTRA_PLAYERS[name].fill(workspace[0][name], game, variant)
    return workspace
