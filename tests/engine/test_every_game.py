"""What every game must keep, whatever it is called and however many play it.

`samples.py` lists the games; nothing here knows any of them.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from deciding import choose_move, dealt_alike
from samples import SAMPLES, opened

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    pass_move,
    place,
    points,
    returns,
    rounds_played,
    seat_of,
    set_up,
    to_move,
)
from deckcheck.engine.primitives import seed_generator
from deckcheck.playing.kernel import Head, start_game

every_game = pytest.mark.parametrize("sample", SAMPLES, ids=str)

CHECKSUMS = """
import sys
sys.path.insert(0, "tests/engine")
from samples import SAMPLES
for number, sample in enumerate(SAMPLES):
    for policy in ("random", "sane_random", "heuristic"):
        tally = sample.table(policy).play(5, number, 0, 1)
        print(sample, policy, tally.tolist())
"""


def begin(sample, *policies, seed=1, beginner=0):
    states, s, x = opened(sample.table(*policies or ("random",)))
    start_game(s, x, seed, 0, 0, beginner)
    set_up(s, x)
    return states, s, x


def play_on(s, x):
    """Play a game to its end; yields before each move with the number of moves."""
    while not is_over(s):
        count = legal_moves(s, x)
        yield count
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, x.policy[to_move(s)], count))


def sides_of(sample, x):
    """The side of each player; where there are no teams, everybody is one."""
    if "side" not in x.dtype.names:
        return list(range(sample.players))
    return x.side[: sample.players].tolist()


@every_game
@pytest.mark.parametrize("policy", ["random", "sane_random", "heuristic"])
def test_games_end_and_no_card_is_lost(sample, policy):
    _, s, x = begin(sample, policy)
    before = sample.census(s, x)

    for _ in play_on(s, x):
        now = sample.census(s, x)
        assert sum(now.values()) == sum(before.values())
        assert not set(now - before) - {0}

    assert sum(sample.census(s, x).values()) == sum(before.values())
    assert legal_moves(s, x) == 0


@every_game
def test_places_are_shared_by_ties_and_none_is_left_out(sample):
    for seed in range(8):
        _, s, x = begin(sample, "random", seed=seed)
        for _ in play_on(s, x):
            pass
        places = sorted(int(place(s, x, i)) for i in range(sample.players))

        assert places == [1 + sum(p < q for p in places) for q in places]
        assert min(int(points(s, x, i)) for i in range(sample.players)) >= 0


@every_game
def test_half_points_go_by_the_first_place(sample):
    """A player wins alone in it, draws who shares it, and has those of a team."""
    for seed in range(8):
        _, s, x = begin(sample, "random", seed=seed)
        for _ in play_on(s, x):
            pass
        sides = sides_of(sample, x)
        first = {side for side in sides if place(s, x, side) == 1}

        for player, side in enumerate(sides):
            expected = 0 if side not in first else 2 if len(first) == 1 else 1
            assert returns(s, x, player) == expected


@every_game
def test_legal_moves_are_never_empty_and_never_repeated(sample):
    _, s, x = begin(sample, "random", seed=2)
    for count in play_on(s, x):
        moves = x.moves[:count].tolist()

        assert moves
        assert len(set(moves)) == len(moves)
        assert pass_move(s, x) in (-1, *moves)


@every_game
def test_every_legal_move_can_be_played(sample):
    states, s, x = begin(sample, "random", seed=3)
    for step, count in enumerate(play_on(s, x)):
        if step % 5:
            continue
        for move in x.moves[:count].tolist():
            states[1] = states[0]
            apply_move(states[1], x, move)

            assert states[1].turns == s.turns + 1


@every_game
def test_a_copy_of_a_state_is_independent(sample):
    states, s, x = begin(sample, "random", seed=4)
    before = sample.snapshot(s)
    states[1] = states[0]
    while not is_over(states[1]):
        apply_move(states[1], x, x.moves[legal_moves(states[1], x) - 1])

    assert sample.snapshot(s) == before


@every_game
def test_thinking_changes_nothing(sample):
    _, s, x = begin(sample, "heuristic", "random", seed=5)
    for count in play_on(s, x):
        before = sample.snapshot(s)
        move = heuristic_move(s, x, count)

        assert sample.snapshot(s) == before
        assert move in x.moves[:count]


@every_game
@pytest.mark.parametrize("policy", [0, 1, 2])
def test_players_decide_by_what_they_can_see(sample, policy):
    states, s, x = begin(sample, "heuristic", "sane_random", seed=6)
    for step, _ in enumerate(play_on(s, x)):
        if step % 3:
            continue
        player = to_move(s)
        chosen = []
        for world in range(3):
            states[1] = states[0]
            if world:
                seed_generator(x.rng, step, world, 0)
                determinize(states[1], x, player)
            seed_generator(x.rng, step, 0, 0)
            count = legal_moves(states[1], x)
            chosen.append(int(choose_move(states[1], x, policy, count)))

        assert len(set(chosen)) == 1


@every_game
def test_determinize_keeps_what_is_known(sample):
    states, s, x = begin(sample, "random", seed=7)
    changed = 0
    for _ in play_on(s, x):
        states[1] = states[0]
        player = to_move(s)
        determinize(states[1], x, player)
        before, after = sample.snapshot(states[0]), sample.snapshot(states[1])
        for name in before:
            if name not in (*sample.hidden, "rng"):
                assert after[name] == before[name], name

        assert after["hand"][player] == before["hand"][player]
        if sample.decks:
            assert sample.census(states[1], x) == sample.census(s, x)
        changed += after[sample.hidden[0]] != before[sample.hidden[0]]

    assert changed > 0


@every_game
def test_what_is_known_alone_decides_what_is_dealt_anew(sample):
    states, s, x = begin(sample, "random", seed=7)
    for step, _ in enumerate(play_on(s, x)):
        player = to_move(s)
        one, other = dealt_alike(states, x, player, sample.snapshot, step)

        assert one == other


@every_game
def test_a_set_has_the_same_shuffles_whoever_begins(sample):
    hands = []
    for beginner in range(sample.players):
        _, s, x = begin(sample, "random", seed=8, beginner=beginner)
        sizes = [int(cards_left(s, x, player)) for player in range(sample.players)]
        hands.append(sample.dealt(s, sizes))
        seats = [int(seat_of(s, x, i)) for i in range(sample.players)]

        assert sorted(seats) == list(range(sample.players))
        assert rounds_played(s) == 1

    assert all(hand == hands[0] for hand in hands)


@every_game
def test_a_table_can_be_played_in_any_blocks(sample):
    table = sample.table("random")
    whole = table.play(5, 0, 0, 4)
    parts = [table.play(5, 0, first, 2) for first in (2, 0)]
    added = parts[0] + parts[1]
    added[0, Head.CHECKSUM] &= (1 << 48) - 1

    assert whole.tolist() == added.tolist()


@every_game
def test_seed_table_and_set_make_different_games(sample):
    table = sample.table("random")
    ways = [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1)]
    sums = [int(table.play(*way, 1)[0, Head.CHECKSUM]) for way in ways]

    assert len(set(sums)) == len(sums)


@pytest.mark.slow
def test_compiled_and_uncompiled_play_the_same_games():
    outputs = []
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", CHECKSUMS],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(done.stdout)

    assert outputs[0].count("\n") == 3 * len(SAMPLES)
    assert outputs[0] == outputs[1]
