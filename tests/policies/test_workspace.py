"""The players' workspace: data of those who are compiled only when they are seated."""

from __future__ import annotations

from itertools import combinations, permutations

import numba
import numpy as np
import pytest

from deckcheck.engine.jit import entry, jit
from deckcheck.engine.registry import GAMES, UnplayedCode, load_game
from deckcheck.policies.players import has_record, if_seated
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import (
    EXTRA_PLAYERS,
    extra_players,
    new_workspace,
    played_as,
)


def players_of(game: str, variant: str) -> list[str]:
    """The extra players who know this variant of a game."""
    return [
        name
        for name in sorted(EXTRA_PLAYERS)
        if played_as(Policy[name.upper()], game, variant) == Policy[name.upper()]
    ]


KINDS = [
    (game, variant, extras)
    for game in GAMES
    for variant in load_game(game).RECORDS
    for size in range(len(EXTRA_PLAYERS) + 1)
    for extras in combinations(players_of(game, variant), size)
]


def test_basic_players_need_no_workspace() -> None:
    assert extra_players([Policy.RANDOM, Policy.HEURISTIC], "gwent", "two") == ()
    assert new_workspace("gwent", "two", ()).dtype.itemsize == 8


def test_extra_players_are_named_once_and_in_order() -> None:
    policies = [Policy.SEARCH, Policy.RANDOM, Policy.SEARCH]

    assert extra_players(policies, "deckmaster", "two") == ("search",)


@pytest.mark.parametrize("policy", [Policy.SEARCH, Policy.LEARNED])
def test_search_and_learned_come_together_where_both_know_the_game(
    policy: Policy,
) -> None:
    """So they are compiled once for both."""
    assert extra_players([policy], "gwent", "two") == ("learned", "search")
    assert extra_players([Policy.SEARCH], "gwent", "many") == ("search",)


def test_search_asks_learned_only_where_it_is_advised() -> None:
    """Beside `learned`, too: its games would depend on who sits at the table."""
    advised = new_workspace("gwent", "two", ("learned", "search"))[0].search
    alone = new_workspace("gwent", "many", ("search",))[0].search

    assert "solver" in advised.dtype.names
    assert "solver" not in alone.dtype.names
    assert has_record(np.dtype([("search", advised.dtype)]), "search.solver")
    assert not has_record(np.dtype([("search", alone.dtype)]), "search.solver")


def test_no_workspace_starts_like_another() -> None:
    """It would be a subtype: games without a player would be played with him."""
    kinds = {new_workspace(*kind).dtype: kind for kind in KINDS}
    types = [numba.from_dtype(np.dtype(list(dtype.descr))) for dtype in kinds]

    assert len(types) > len(EXTRA_PLAYERS)
    for one, other in permutations(types, 2):
        assert one.can_convert_to(None, other) is None


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_player_is_named_after_it(game: str) -> None:
    for variant in load_game(game).RECORDS:
        workspace = new_workspace(game, variant, ("search",))

        assert workspace.dtype.names == ("players_search", "search")


@jit
def seven(s, x, p, count):
    return 7 * p.search.candidate.shape[0]


choose = if_seated("search", seven)


@entry
def ask(p):
    return choose(p, p, p, 1)


def test_who_is_not_seated_cannot_be_asked() -> None:
    """Nor is it compiled: `seven` needs a record that is not there."""
    moves = load_game("deckmaster").RECORDS["two"][1]["moves"].shape[0]

    assert ask(new_workspace("deckmaster", "two", ("search",))[0]) == 7 * moves
    with pytest.raises(UnplayedCode):
        ask(new_workspace("deckmaster", "two", ())[0])
