"""The workspace of the bots `search` and `learned`: their records and their weights.

It is never compiled. In its terms, an extra player is a bot with a record in the
workspace, and a network is a small neural network with learned weights.
"""

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
# The record `q` of `search`: the games it plays on trial, and their outcomes

INT = np.int64
Dtype = np.dtype[np.void]


def has_variant(game: str, variant: str, attribute: str) -> bool:
    """Report whether a game's `attribute`, such as `LEARNED_VARIANTS`, has a variant.

    A game that no bot has learned lacks the attribute.
    """
    return variant in getattr(load_game(game), attribute, ())


def has_endgame_solver(game: str, variant: str) -> bool:
    """Report whether `search` asks `learned-1` and solves endgames in this variant."""
    return has_variant(game, variant, "ADVISED_VARIANTS")


def make_search_record(game: str, variant: str) -> Dtype:
    """Return the record of `search`, with a solver in variants that have one."""
    state, context = load_game(game).RECORD_TYPES[variant]
    moves = context["moves"].shape
    fields = [
        ("world", state, (1,)),  # the player's view, with the rest at random
        ("trial", state, (1,)),  # the world after a candidate, played to its end
        ("context", context, (1,)),  # the players, as far as `search` knows them
        ("candidate", INT, moves),
        ("score", INT, moves),  # the sum of a candidate's results, in `SURE_CHANCE`
    ]
    if has_endgame_solver(game, variant):
        return np.dtype([*fields, ("solver", make_solver_record(game, variant))])
    return np.dtype(fields)


def make_solver_record(game: str, variant: str) -> Dtype:
    """Return the record of the solver of endgames."""
    state, context = load_game(game).RECORD_TYPES[variant]
    (moves,) = context["moves"].shape
    return np.dtype(
        [
            ("line", state, (MAX_DEPTH,)),  # positions that follow each other
            ("tree", INT, (MAX_DEPTH, FIRST_MOVE + moves)),  # the moves of each
            ("tried", INT),  # how many moves were made on trial
        ]
    )


# -----------------------------------------------------------------------------
# The record `q` of `learned`: the view of its seat, its weights, and trial states
#
# Weights are files in `weights/`, a file for each game, variant and version of the
# player. `tools/training` makes them.

WEIGHTS_FOLDER = Path(__file__).parent / "weights"
MAX_WORLDS = 8  # no game asks for more, see `possible_worlds`
RATING_WEIGHTS = {"learned": 6, "learned_3": 4}
"""The version of the file by which each player rates moves."""
VALUE_WEIGHTS = {"learned_1": 1, "learned_3": 2}
"""The version of the file by which each player values positions."""

RATED_PARTS = ("turn", "choice")
"""The networks that rate moves of a turn, and answers to choices between turns."""
RATING_ARRAYS = ("first", "first_bias", "trait", "last")
VALUE_ARRAYS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


def is_learned(game: str, variant: str) -> bool:
    """Report whether positions of this variant have learned values, as for `learned-1`.

    In other variants the heuristic plays for all learned bots.
    """
    return has_variant(game, variant, "LEARNED_VARIANTS")


def make_value_network(features: int, stages: int) -> Dtype:
    """Return the record of the network by which `learned-1` values positions."""
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


def make_learned_1_record(game: str, variant: str) -> Dtype:
    """Return the record of `learned-1`: its network, and the positions it values."""
    module = load_game(game)
    state, context = module.RECORD_TYPES[variant]
    moves = context["moves"].shape
    seats = state["n_hand"].shape[0]
    view, stages = module.LEARNED_VARIANTS[variant]
    features = np.dtype(list(view))["features"].shape[0]
    assert features <= LISTED_FEATURES
    return np.dtype(
        [
            *view,
            *make_value_network(features, stages).descr,
            ("sure", INT),  # 1: look for a pass that wins. 0 while training
            # for each seat, the features that first_sum was computed from
            ("summed", INT, (seats, features)),
            # the features that differ from the summed features
            ("changed", INT, (LISTED_FEATURES + 1,)),
            ("first_sum", np.int32, (seats, FIRST_UNITS)),
            ("unit", INT, (FIRST_UNITS,)),
            ("second_sum", INT, (SECOND_UNITS,)),
            ("chance", INT, (CHANCE_ENTRIES,)),  # the chance at each step of the logit
            ("world", state, (MAX_WORLDS,)),
            ("trial", state, (3,)),  # after a move, an answer to its choice, a pass
            ("option", INT, moves),
            ("worlds", INT, moves),  # how many worlds to try each move in
            ("tried", INT, moves),  # how many worlds each move was tried in
            ("total", INT, moves),  # sum of the chances of each move over its worlds
            ("value", INT, moves),  # mean of these chances
            ("answer", INT, moves),  # answers to a choice within a move
        ]
    )


def make_learned_record(game: str, variant: str) -> Dtype:
    """Return the record of `learned`: its two networks, and the moves it rates."""
    module = load_game(game)
    state, context = module.RECORD_TYPES[variant]
    moves = context["moves"].shape
    view, stages = module.LEARNED_VARIANTS[variant]
    features = np.dtype(list(view))["features"].shape[0]
    traits = module.RATED_VARIANTS[variant]
    net = make_rating_network(features, traits, stages, state["n_hand"].shape[0])
    return np.dtype(
        [
            *view,
            ("net", net, (len(RATED_PARTS),)),
            # the features that differ from the summed features
            ("changed", INT, (LISTED_FEATURES + 1,)),
            # first layer, with the traits of this move
            ("unit_sum", np.int32, (FIRST_UNITS,)),
            # first layer, with the traits common to all moves
            ("shared", np.int32, (FIRST_UNITS,)),
            # number of traits that are not 0; place and amount list them
            ("listed", INT),
            ("place", INT, (LISTED_TRAITS + 1,)),
            ("amount", INT, (LISTED_TRAITS + 1,)),
            # the moves compared with each other, see the game's `see_turn`
            ("gain", INT, moves),
            ("cost", INT, moves),  # the worth of the card that a move plays
            ("lead", INT),
            ("most", INT),  # the largest gain
            ("second_most", INT),
            ("average", INT),  # the mean worth of a card of the deck
            ("hand_worth", INT),
            ("least", INT),  # the smallest cost
            ("least_ahead", INT),  # the smallest cost of a move that takes the lead
            ("option", INT, moves),
            ("value", INT, moves),  # the rating of each move
            ("solver", make_solver_record(game, variant)),
        ]
    )


def make_rating_network(features: int, traits: int, stages: int, seats: int) -> Dtype:
    """Return the record of a network by which `learned` rates moves."""
    return np.dtype(
        [
            ("first", np.int32, (features, FIRST_UNITS)),
            ("first_bias", np.int32, (FIRST_UNITS,)),
            ("trait", np.int32, (traits, FIRST_UNITS)),
            ("last", np.int32, (stages, FIRST_UNITS)),
            # for each seat, the features that first_sum was computed from
            ("summed", INT, (seats, features)),
            ("first_sum", np.int32, (seats, FIRST_UNITS)),
        ]
    )


def make_learned_3_record(game: str, variant: str) -> Dtype:
    """Return the record of `learned-3`: it rates moves, and values positions."""
    return np.dtype(
        [
            ("net", make_learned_1_record(game, variant)),
            ("rating", make_learned_record(game, variant)),
        ]
    )


def weights_file(game: str, variant: str, version: int = 1) -> Path:
    """Return the file of the weights for this variant of a game."""
    suffix = "" if version == 1 else f"-{version}"
    return WEIGHTS_FOLDER / f"{game}-{variant}{suffix}.npz"


def put_rating_weights(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a network that rates moves.

    Traits that came after the weights were learned have no weight.
    """
    for name in RATING_ARRAYS:
        q[name][:] = 0
        q[name][: len(weights[name])] = weights[name]
    q["summed"][:] = 0
    q["first_sum"][:] = q["first_bias"]


def put_value_weights(q: Any, weights: Mapping[str, Any]) -> None:
    """Put weights into the record of a player, and the table of the sigmoid."""
    for name in VALUE_ARRAYS:
        array = weights[name]
        if name == "second":  # so that the weights of a unit are side by side
            array = array.swapaxes(1, 2)
        q[name] = array
    q.chance[:] = chances()
    q.summed[:] = 0
    q.first_sum[:] = q.first_bias


@cache
def chances() -> tuple[int, ...]:
    """Return the sigmoid by steps of a logit, rounded the same on every machine."""
    table = []
    with localcontext() as context:
        context.prec = 40
        for step in range(CHANCE_ENTRIES):
            logit = Decimal((step << STEP_BITS) - LOGIT_LIMIT) / (1 << UNIT_BITS)
            chance = SURE_CHANCE / (1 + (-logit).exp())
            table.append(int(chance.to_integral_value()))
    return tuple(table)


def load_learned(q: Any, game: str, variant: str) -> None:
    """Load the weights of `learned` into its record."""
    load_rating_weights(q, weights_file(game, variant, RATING_WEIGHTS["learned"]))


def load_learned_1(q: Any, game: str, variant: str) -> None:
    """Load the weights of `learned-1` into its record."""
    load_value_weights(q, weights_file(game, variant, VALUE_WEIGHTS["learned_1"]))


def load_learned_3(q: Any, game: str, variant: str) -> None:
    """Load the weights of `learned-3` into its record."""
    version = VALUE_WEIGHTS["learned_3"]
    load_value_weights(q["net"], weights_file(game, variant, version))
    version = RATING_WEIGHTS["learned_3"]
    load_rating_weights(q["rating"], weights_file(game, variant, version))


def load_rating_weights(q: Any, file: Path) -> None:
    """Load the weights of a player that rates moves into its record."""
    with np.load(file) as weights:
        for i, part in enumerate(RATED_PARTS):
            arrays = {name: weights[f"{part}_{name}"] for name in RATING_ARRAYS}
            put_rating_weights(q["net"][i], arrays)


def load_value_weights(q: Any, file: Path) -> None:
    """Load the weights of a player that values positions into its record."""
    with np.load(file) as weights:
        put_value_weights(q, weights)
    q.sure = 1


# -----------------------------------------------------------------------------
# The players' workspace: data of players compiled only when they are seated
#
# The first field of a workspace names its players, for numba: without it, the record of
# `learned` alone would look like the beginning of the record of `learned` and `search`.


def leave_empty(record: Any, game: str, variant: str) -> None:
    """Let the data of a player be zero at first."""


@dataclass(frozen=True, slots=True)
class ExtraPlayer:
    """A player with a record in the workspace.

    By game and variant, `record` returns the dtype and `fill` writes the first values.
    """

    record: Callable[[str, str], Dtype]
    fill: Callable[[Any, str, str], None] = leave_empty


EXTRA_PLAYERS = {
    "learned": ExtraPlayer(make_learned_record, load_learned),
    "learned_1": ExtraPlayer(make_learned_1_record, load_learned_1),
    "learned_3": ExtraPlayer(make_learned_3_record, load_learned_3),
    "search": ExtraPlayer(make_search_record),
}
"""The players by the name of their record in the workspace."""

RECORDS_NEEDED = {
    Policy.LEARNED: {"learned"},
    Policy.LEARNED_1: {"learned_1"},
    Policy.LEARNED_3: {"learned_3"},
    Policy.SEARCH: {"search"},
}
"""The extra players whose records each of these policies needs."""

COMPILED_TOGETHER = {"learned_1", "search"}
"""Extra players with mostly common code.

Where `search` asks `learned-1`, every workspace with either has both.
"""

LEARNED_POLICIES = (Policy.LEARNED, Policy.LEARNED_1, Policy.LEARNED_3)


def played_as(policy: int, game: str, variant: str) -> int:
    """Return the policy that plays where `policy` is requested.

    In place of a learned policy it is `learned-1` where moves have no ratings, and the
    heuristic where positions have no learned values.
    """
    if policy not in LEARNED_POLICIES:
        return policy
    if not is_learned(game, variant):
        return int(Policy.HEURISTIC)
    return policy if is_rated(game, variant) else int(Policy.LEARNED_1)


def is_rated(game: str, variant: str) -> bool:
    """Report whether moves of this variant have learned ratings, as for `learned`."""
    return has_variant(game, variant, "RATED_VARIANTS")


def replaced_by_heuristic(
    policies: Iterable[str], game: str, variant: str
) -> tuple[str, ...]:
    """Return the named bots in whose place the heuristic plays, each once."""
    has_styles = has_variant(game, variant, "STYLED_VARIANTS")
    replaced = []
    for name in dict.fromkeys(policies):
        policy = policy_number(name)
        lacks_style = has_style(read_policy(name)) and not has_styles
        is_other = played_as(policy, game, variant) != policy
        if lacks_style or (is_other and not is_learned(game, variant)):
            replaced.append(name)
    return tuple(replaced)


def extra_players(policies: Iterable[int], game: str, variant: str) -> tuple[str, ...]:
    """Return the names of the extra players among these numbers, sorted.

    Where moves have ratings, the names are never empty: a run of `learned` is followed
    by games of the heuristic alone, and a workspace with `learned` lets both use the
    same compiled code.
    """
    names: set[str] = set()
    for policy in policies:
        names |= RECORDS_NEEDED.get(Policy(policy), set())
    if is_rated(game, variant) and not names:
        names = {"learned"}
    if names & COMPILED_TOGETHER and has_endgame_solver(game, variant):
        names |= COMPILED_TOGETHER
    return tuple(sorted(names))


def new_workspace(game: str, variant: str, extras: Iterable[str]) -> Any:
    """Return the workspace of games with these extra players, in an array of 1."""
    return _fill_workspace(game, variant, tuple(extras)).copy()


@cache
def _fill_workspace(game: str, variant: str, names: tuple[str, ...]) -> Any:
    """Return the workspace to copy. It is made once, since weights are in files."""
    fields = [(name, EXTRA_PLAYERS[name].record(game, variant)) for name in names]
    first_field = "_".join(("players", *names))
    workspace = np.zeros(1, [(first_field, np.int64), *fields]).view(np.recarray)
    for name in names:
        EXTRA_PLAYERS[name].fill(workspace[0][name], game, variant)
    return workspace
