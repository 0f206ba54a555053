"""Many random games with all decks and all leaders, and the same compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from gwent_census import census

from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    set_up,
)
from deckcheck.playing.kernel import Head, SeatColumns, start_game

GAMES = 1_000_000

CHECKSUMS = """
import sys
sys.path.insert(0, "tests/engine")
from conftest import Tables
tables = Tables()
for number, policy in enumerate(["random", "sane_random", "heuristic"] * 4):
    table = tables.seat(number, 3 * number + 7, policy, policy)
    print(table.play(5, number, 0, 2).tolist())
"""


def seatings(tables):
    """Every ordered pair of sample decks, with leaders going round the factions."""
    leaders = {
        faction: [
            x.id for x in tables.database.leaders.values() if x.faction == faction
        ]
        for faction in tables.database.factions
    }
    count = len(tables.decks)
    for i in range(count):
        for j in range(count):
            for step in range(5):
                mine = leaders[tables.decks[i].faction]
                yours = leaders[tables.decks[j].faction]
                yield i, j, (mine[(j + step) % 5], yours[(i + 2 * step) % 5])


@pytest.mark.slow
def test_a_million_random_games_end(tables):
    """All pairs of sample decks and all leaders; a crash raises with its seed."""
    places = list(seatings(tables))
    pairs = GAMES // 2 // len(places)
    games = 0
    for number, (i, j, leaders) in enumerate(places):
        tally = tables.seat(i, j, leaders=leaders).play(1, number, 0, pairs)
        games += tally[0, Head.GAMES]
        assert tally[1, SeatColumns.SHARES :].sum() == pairs

    assert len({leaders for *_, leaders in places}) >= 25 * 25 / 2
    assert games == GAMES


@pytest.mark.slow
def test_no_card_is_lost_with_any_leader(tables):
    for number, (i, j, leaders) in enumerate(seatings(tables)):
        if number % 13:
            continue
        states, context = tables.open(tables.seat(i, j, leaders=leaders))
        s, x = states[0], context[0]
        start_game(s, x, 2, number, 0, 0)
        set_up(s, x)
        before = census(s, x)
        while not is_over(s):
            count = legal_moves(s, x)
            assert len(set(x.moves[:count].tolist())) == count > 0
            apply_move(s, x, x.moves[(7 * s.turns + number) % count])
            now = census(s, x)
            assert sum(now.values()) + s.n_removed == sum(before.values())
            assert not now - before


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

    assert outputs[0].count("\n") == 12
    assert outputs[0] == outputs[1]
