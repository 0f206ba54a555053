"""Endgames with open hands, solved exactly: who finds a move that wins?"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from deciding import choose_move

from benchmarks.endgames.positions import (
    FILE,
    HARD,
    open_position,
    read,
    winning_moves,
)
from benchmarks.endgames.solving import DEPTH, WON, solve
from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.rng import seed_generator
from deckcheck.policies.host.registry import read_policy
from deckcheck.policies.host.workspace import extra_players, new_workspace

SEED = 3


@cache
def solved(file=FILE):
    """The positions of a file, each with the moves that win in it."""
    positions = read(file)
    return [
        (position, winning_moves(*open_position(position))) for position in positions
    ]


def share_of_wins_found(name: str, file=FILE) -> float:
    """In how many of the positions a player makes a move that wins."""
    player = read_policy(name)
    p = new_workspace("gwent", "two", extra_players([player.policy], "gwent", "two"))[0]
    found = 0
    for number, (position, winning) in enumerate(solved(file)):
        states, x = open_position(position)
        x.budget[:] = player.budget
        seed_generator(x.rng, SEED, number, 0)
        count = legal_moves(states[0], x)
        found += int(choose_move(states[0], x, player.policy, count, p)) in winning
    return found / len(solved(file))


@pytest.mark.slow
def test_there_are_a_hundred_positions_that_can_be_lost() -> None:
    for position, winning in solved():
        states, x = open_position(position)

        assert 0 < len(winning) < legal_moves(states[0], x)
    assert len(solved()) == 100


@pytest.mark.slow
def test_who_plays_the_solution_wins_and_who_misses_it_may_lose() -> None:
    """The solver is right: its wins are won against rules of thumb, move by move."""
    for position, _ in solved()[:12]:
        states, x = open_position(position)
        s, player = states[0], int(to_move(states[0]))
        while not is_over(s):
            if to_move(s) == player:
                move = winning_moves(states, x)[0]
            else:
                move = heuristic_move(s, x, legal_moves(s, x))
            apply_move(s, x, move)

        assert returns(s, player) == WON


@pytest.mark.slow
def test_the_value_of_one_side_is_what_the_other_is_denied() -> None:
    for position, _ in solved():
        states, x = open_position(position)
        lines = np.zeros((DEPTH, len(x.moves) + 3), np.int64)
        values = []
        for player in range(2):
            states, x = open_position(position)
            values.append(int(solve(states, x, lines, player, 10**6)))

        assert sum(values) == WON
        assert values[to_move(open_position(position)[0][0])] == WON


@pytest.mark.slow
@pytest.mark.parametrize(("player", "share"), [("search:256", 0.95), ("learned", 0.85)])
def test_players_find_a_move_that_wins(player: str, share: float) -> None:
    assert share_of_wins_found(player) >= share


@pytest.mark.slow
def test_in_the_hard_positions_few_moves_win() -> None:
    for position, winning in solved(HARD):
        states, x = open_position(position)

        assert 0 < 3 * len(winning) <= legal_moves(states[0], x)
    assert len(solved(HARD)) == 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "least", "most"),
    [
        ("random", 0.15, 0.4),
        ("heuristic", 0.6, 0.8),
        ("learned", 0.8, 0.95),
        ("search:256", 0.85, 1.0),
    ],
)
def test_hard_positions_tell_the_players_apart(
    player: str, least: float, most: float
) -> None:
    assert least <= share_of_wins_found(player, HARD) <= most
