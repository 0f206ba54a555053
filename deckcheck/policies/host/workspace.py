"""The players' workspace: data of those who are compiled only when they are seated.

A workspace begins with a field whose name lists these players. Without it, the record
of some players would begin as that of more players does, and numba would take one for
a kind of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from deckcheck.engine.host.registry import load_game
from deckcheck.policies.codes import Policy
from deckcheck.policies.host.learned import (
    fill_learned,
    fill_second_learned,
    is_learned,
    learned_dtype,
    second_learned_dtype,
    weights_file,
)
from deckcheck.policies.host.registry import has_style, policy_number, read_policy
from deckcheck.policies.host.search import is_advised, search_dtype

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
    "learned": ExtraPlayer(learned_dtype, fill_learned),
    "learned_2": ExtraPlayer(second_learned_dtype, fill_second_learned),
    "search": ExtraPlayer(search_dtype),
}
"""By name, which is that of their record in the workspace as well."""

RECORD_OF = {
    Policy.LEARNED: "learned",
    Policy.LEARNED_2: "learned_2",
    Policy.SEARCH: "search",
    Policy.FIRST_SEARCH: "search",
}
"""The extra player whose record each of these policies needs."""

ASKED_TOGETHER = {"learned", "search"}


def played_as(policy: int, game: str, variant: str) -> int:
    """The policy that plays in this seat: the heuristic for one that knows no such
    game, and the first version of `learned` where the second has no weights.
    """
    if policy not in (Policy.LEARNED, Policy.LEARNED_2):
        return policy
    if not is_learned(game, variant):
        return int(Policy.HEURISTIC)
    has_second = weights_file(game, variant, version=2).exists()
    return policy if has_second else int(Policy.LEARNED)


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
    """Whether the heuristic plays in the place of another player."""
    is_other = policy != Policy.HEURISTIC
    return is_other and played_as(policy, game, variant) == Policy.HEURISTIC


def extra_players(policies: Iterable[int], game: str, variant: str) -> tuple[str, ...]:
    """The names of the extra players among those with these numbers, sorted.

    Where `search` asks `learned`, most of either is compiled for both: so they come
    together, compiled once and not twice.
    """
    names = {RECORD_OF[Policy(policy)] for policy in policies if policy in RECORD_OF}
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
