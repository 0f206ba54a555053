"""The player who has learned what a position is worth: its eyes, weights, strength."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest
from learned_ways import KNOWN

from deckcheck import read
from deckcheck.engine.features import LIMIT
from deckcheck.engine.registry import GAMES, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, SeatColumns, new_tally
from deckcheck.playing.table import seat, set_table
from deckcheck.policies.players import ONE
from deckcheck.policies.workspace import (
    WEIGHTS,
    chances,
    is_learned,
    new_workspace,
    stand_ins,
    weights_file,
)

DIGESTS = {
    ("gwent", "two", 1): "48f8b5689f27f3ef",
    ("gwent", "two", 2): "45757aa820f9fdcf",
    ("gwent", "many", 1): "93cd0e2aae4f9c79",
    ("sg_gwint", "duel", 1): "4ef3021bfb13b223",
}
"""Of the weights, by game, variant and version."""

FORMAT = load_format("gwent/standard")
CHECKSUM = """
import sys
sys.path.insert(0, "tests/policies")
from learned_ways import KNOWN
for way in KNOWN[GAME]:
    print(way.table(["PLAYER", "heuristic"], rotation=1).play(5, 0, 0, 1).tolist())
"""

every_weights = pytest.mark.parametrize(("game", "variant", "version"), DIGESTS)


def python(*arguments: str, uncompiled: bool) -> str:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": str(int(uncompiled))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module", params=KNOWN, ids="-".join)
def positions(request):
    program = "tests/policies/learned_positions.py"
    lines = python(program, *request.param, uncompiled=True)
    return [json.loads(line) for line in lines.splitlines()]


def test_its_games_are_those_with_weights():
    assert {(game, variant) for game, variant, _ in DIGESTS} == set(KNOWN)
    for game in GAMES:
        for variant in load_game(game).RECORDS:
            assert is_learned(game, variant) == ((game, variant) in KNOWN)


def test_it_sees_nothing_that_is_hidden(positions):
    """Whatever the enemy holds and however the decks lie, it looks the same."""
    assert sum(position["differs"] for position in positions) > len(positions) / 2
    assert all(position["same"] for position in positions)


def test_hidden_cards_change_no_move(positions):
    moves = [position["moves"] for position in positions if position["moves"]]

    assert len(moves) > 5
    assert all(here == there for here, there in moves)


def test_a_match_that_a_pass_wins_is_won(positions):
    won = {each["won"] for each in positions if each["won"] is not None}

    assert won == {ONE}


def test_every_feature_is_written_within_its_limits(positions):
    assert all(position["written"] for position in positions)
    assert 100 < max(position["largest"] for position in positions) <= LIMIT


@every_weights
def test_the_weights_are_those_of_the_training(game, variant, version):
    digest = sha256()
    with np.load(weights_file(game, variant, version)) as weights:
        for name in WEIGHTS:
            digest.update(np.ascontiguousarray(weights[name]).tobytes())

    assert digest.hexdigest()[:16] == DIGESTS[game, variant, version]
    assert weights_file(game, variant, version).stat().st_size < 200_000


def test_each_version_goes_by_its_own_weights():
    workspace = new_workspace("gwent", "two", ("learned", "learned_2"))[0]
    for version, net in ((1, workspace.learned), (2, workspace.learned_2.net)):
        with np.load(weights_file("gwent", "two", version)) as weights:
            assert (net.first == weights["first"]).all()


@every_weights
def test_no_sum_of_the_first_layer_needs_more_than_32_bits(game, variant, version):
    with np.load(weights_file(game, variant, version)) as weights:
        largest = LIMIT * np.abs(weights["first"].astype(np.int64)).sum(axis=0)
        largest += np.abs(weights["first_bias"])

    assert largest.max() < 2**31


def test_the_table_of_chances_is_even_and_rises():
    table = np.array(chances())

    assert (np.diff(table) >= 0).all()
    assert np.abs(table[:-1] + table[-2::-1] - ONE).max() <= 1
    assert table[len(table) // 2 - 1] == ONE // 2


def test_the_heuristic_stands_in_where_it_knows_no_game():
    assert stand_ins(["learned", "random"], "gwen_t", "two") == ("learned",)
    assert stand_ins(["learned-2", "search"], "gwen_t", "two") == ("learned-2",)
    assert stand_ins(["learned", "random"], "gwent", "two") == ()
    assert not is_learned("gwent", "solo")


def test_a_game_that_it_does_not_know_is_played_by_the_heuristic():
    fmt = load_format("gwen_t/pool")
    decks = read("decks/gwen_t/pool")[:2]
    tables = [
        set_table(fmt, database_of(fmt), [seat(deck, policy) for deck in decks])
        for policy in ("learned", "heuristic")
    ]

    assert tables[0].extras == ()
    assert tables[0].contexts == tables[1].contexts


@pytest.mark.slow
@every_weights
def test_compiled_and_uncompiled_it_plays_the_same_game(game, variant, version):
    player = "learned" if version == 1 else f"learned-{version}"
    program = CHECKSUM.replace("GAME", str((game, variant))).replace("PLAYER", player)
    outputs = {python("-c", program, uncompiled=each) for each in (False, True)}

    assert len(outputs) == 1


def score(player: str, other: str, sets: int) -> float:
    """The share of points against another player, each sample deck on both sides."""
    decks, database = read("decks/gwent/standard"), database_of(FORMAT)
    total = new_tally(2, 2)
    for i, first in enumerate(decks):
        for step in (0, 4, 7, 11):
            second = decks[(i + step) % len(decks)]
            table = set_table(
                FORMAT, database, [seat(first, player), seat(second, other)]
            )
            total += table.play(11, i, 0, sets)
    wins, shared = total[1, SeatColumns.WINS], total[1, SeatColumns.SHARED]
    return (wins + shared / 2) / total[0, Head.GAMES]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "other", "least"),
    [
        ("learned", "heuristic-1", 0.62),
        ("learned", "sane_random", 0.90),
        ("learned-2", "heuristic-1", 0.64),
        ("learned-2", "learned", 0.5),
    ],
)
def test_it_is_as_good_as_the_page_says(player, other, least):
    assert score(player, other, sets=10) > least
