"""Endgames with open hands, solved exactly: who finds a move that wins?"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import pytest
from deciding import choose_move
from endgame_moves import SEED, moves_chosen

from benchmarks.endgames.positions import (
    FILE,
    HARD,
    open_position,
    read,
    value_of,
    winning_moves,
)
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.gwent.board import KNOWN_TO_ALL
from deckcheck.engine.primitives import seed_generator
from deckcheck.policies.players import WON
from deckcheck.policies.registry import read_policy
from deckcheck.policies.workspace import extra_players, new_workspace

CARDS_IN_DECK = 5


@cache
def solved(file=FILE):
    """The positions of a file, each with the moves that win in it."""
    positions = read(file)
    return [
        (position, winning_moves(*open_position(position))) for position in positions
    ]


def share_of_wins_found(name: str, file=FILE) -> float:
    """In how many of the positions a player makes a move that wins."""
    chosen = zip(moves_chosen(name, file), solved(file), strict=True)
    return sum(move in winning for move, (_, winning) in chosen) / len(solved(file))


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

        assert returns(s, x, player) == WON


@pytest.mark.slow
def test_the_value_of_one_side_is_what_the_other_is_denied() -> None:
    for position, _ in solved():
        values = [value_of(*open_position(position), player) for player in range(2)]

        assert sum(values) == WON
        assert values[to_move(open_position(position)[0][0])] == WON


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "share"),
    [("search:256", 0.95), ("learned", 0.85), ("learned-2", 0.98)],
)
def test_players_find_a_move_that_wins(player: str, share: float) -> None:
    assert share_of_wins_found(player) >= share


CHOSEN = """
import sys
sys.path.insert(0, "tests/engine")
from benchmarks.endgames.positions import HARD
from endgame_moves import moves_chosen
print(moves_chosen("search:64", HARD, 6))
"""


@pytest.mark.slow
def test_compiled_and_uncompiled_it_solves_alike() -> None:
    said = set()
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", CHOSEN],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)

    assert len(said) == 1


@pytest.mark.slow
@pytest.mark.parametrize("known", [0, KNOWN_TO_ALL])
def test_an_endgame_is_decided_by_what_can_be_seen(known: int) -> None:
    """With cards in the decks, whose order is hidden: dealt anew, the same move."""
    player = read_policy("search:64")
    p = new_workspace("gwent", "two", extra_players([player.policy], "gwent", "two"))[0]
    for number, position in enumerate(read(HARD)[:12]):
        states, x = open_position(position)
        s = states[0]
        s.n_deck[:] = CARDS_IN_DECK  # those that were set aside
        s.seen[:] = known
        x.budget[:] = player.budget
        chosen = set()
        for world in range(3):
            if world:
                seed_generator(x.rng, number, world, 0)
                determinize(s, x, to_move(s))
            seed_generator(x.rng, SEED, number, 0)
            count = legal_moves(s, x)
            chosen.add(int(choose_move(s, x, player.policy, count, p)))

        assert len(chosen) == 1


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
        ("search-1:256", 0.85, 0.95),
        ("search:256", 0.97, 1.0),
    ],
)
def test_hard_positions_tell_the_players_apart(
    player: str, least: float, most: float
) -> None:
    assert least <= share_of_wins_found(player, HARD) <= most
