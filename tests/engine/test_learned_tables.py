"""What `learned` sees of a table, and that it lets none wait for ever."""

from __future__ import annotations

import pytest
from deciding import choose_move
from many_tables import FOUR, THREE

from deckcheck.engine.contract import (
    apply_move,
    features,
    is_over,
    legal_moves,
    set_up,
    to_move,
)
from deckcheck.engine.gwent.board import KNOWN_TO_ALL, KNOWN_TO_SIDE
from deckcheck.engine.gwent.codes import PASS
from deckcheck.engine.gwent.features import LONG_GAME
from deckcheck.playing.kernel import start_game
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import new_workspace

pytestmark = pytest.mark.compiled


def begin(tables, table, seed):
    mode, numbers = table
    seated = tables.seat_many(mode, numbers, *["heuristic"] * len(numbers))
    states, contexts = tables.open_many(seated)
    s, x = states[0], contexts[0]
    start_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    return s, x


def play_on(s, x):
    """Play a game to its end; yields before each move with the number of moves."""
    while not is_over(s):
        yield legal_moves(s, x)
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, x.policy[to_move(s)], count))


def test_nobody_waits_for_ever(tables):
    """All players may pass in every round, so two who wait would never end."""
    p = new_workspace("gwent", "many", ("learned",))[0]
    passes = 0
    for seed in range(4):
        s, x = begin(tables, THREE, seed)
        for count in play_on(s, x):
            if count == 1 or choose_move(s, x, Policy.LEARNED, count, p) != PASS:
                continue
            passes += 1
            s.round_no, round_no = LONG_GAME + 1, s.round_no
            assert choose_move(s, x, Policy.LEARNED, legal_moves(s, x), p) != PASS
            s.round_no = round_no
    assert passes > 3


def test_a_seat_does_not_see_who_looked_at_its_cards(tables):
    """Rules 4.7.2: whoever used the leader "is the only one who knows the cards"."""
    q = new_workspace("gwent", "many", ("learned",))[0].learned
    s, x = begin(tables, FOUR, 1)
    for step, _ in zip(range(12), play_on(s, x), strict=False):
        player, before = step % 4, s.seen.copy()
        views = []
        for mark in (0, KNOWN_TO_SIDE << x.side[(player + 1) % 4], KNOWN_TO_ALL):
            s.seen[player, : s.n_hand[player]] = mark
            features(s, x, q, player)
            views.append(q.features.tolist())
        s.seen[:] = before

        assert views[0] == views[1]
        assert (views[0] != views[2]) == (s.n_hand[player] > 0)
