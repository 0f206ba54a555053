"""Games of Gwent in mirrored pairs; what holds for every game is tried elsewhere."""

from __future__ import annotations

import pytest
from deciding import choose_move
from gwent_census import census, snapshot, swapped

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    is_over,
    legal_moves,
    returns,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, start_game

PAIRS = [(0, 7), (3, 12), (16, 5), (9, 18)]


def begin(tables, pair, seed=1, policies=("random", "random"), **seating):
    states, context = tables.open(tables.seat(*pair, *policies, **seating))
    s, x = states[0], context[0]
    start_game(s, x, seed, 0, 0, seed % 2)
    set_up(s, x)
    return states, s, x


def play_on(s, x):
    """Play a game to its end; yields before each move with the number of moves."""
    while not is_over(s):
        count = legal_moves(s, x)
        yield count
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, x.policy[to_move(s)], count))


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("policy", ["random", "sane_random", "heuristic"])
def test_games_end_and_no_card_is_lost(tables, pair, policy):
    _, s, x = begin(tables, pair, policies=(policy, policy))
    before = census(s, x)

    for _ in play_on(s, x):
        now = census(s, x)
        assert sum(now.values()) + s.n_removed == sum(before.values())
        assert not now - before

    assert {returns(s, x, 0), returns(s, x, 1)} in ({0, 2}, {1})
    assert min(s.gems) == 0


@pytest.mark.parametrize("pair", [(0, 7), (3, 9), (16, 5)])
def test_exchanged_seats_play_the_mirrored_game(tables, pair):
    """The same moves from exchanged seats give the exchanged position.

    Scripted chance, since shuffles and picks go through the seats in order.
    """
    leaders = (tables.decks[pair[0]].leader, tables.decks[pair[1]].leader)
    games = []
    for seats in (pair, pair[::-1]):
        _, s, x = begin(tables, seats, policies=("sane_random", "sane_random"))
        x.scripted = 1
        x.coin = 0 if seats == pair else 1
        set_up(s, x)
        games.append((s, x))
    (s, x), (t, y) = games
    while not is_over(s):
        count = legal_moves(s, x)
        move = int(choose_move(s, x, 1, count))
        mirrored = move ^ (1 << 16) if move >> 24 == 6 else move
        apply_move(s, x, move)
        apply_move(t, y, mirrored)
        left, right = snapshot(s), swapped(snapshot(t))
        left.pop("history"), right.pop("history"), left.pop("rng"), right.pop("rng")

        assert left == right, leaders
        assert score_margin(s, x, 0) == -score_margin(s, x, 1)


def test_a_table_can_be_played_in_any_blocks(tables):
    table = tables.seat(2, 11)
    whole = table.play(5, 0, 0, 6)
    parts = table.play(5, 0, 4, 2) + table.play(5, 0, 0, 4)
    parts[0, Head.CHECKSUM] &= CHECKSUM_MASK

    assert whole.tolist() == parts.tolist()


def test_seed_pairing_and_pair_make_different_games(tables):
    table = tables.seat(2, 11)
    places = [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1)]
    sums = [int(table.play(*place, 1)[0, Head.CHECKSUM]) for place in places]

    assert len(set(sums)) == len(sums)


def test_mirrored_pairs_share_their_shuffles(tables):
    hands = []
    for mirrored in range(2):
        states, context = tables.open(tables.seat(2, 11))
        s, x = states[0], context[0]
        start_game(s, x, 1, 0, 0, mirrored)
        set_up(s, x)
        hands.append(s.hand[:, : cards_left(s, x, 0)].tolist())

        assert s.first == mirrored

    assert hands[0] == hands[1]
