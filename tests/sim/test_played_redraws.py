"""Redraws as an experiment wants them, in games that are the same but for these."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from redraw_games import SETS, a_table, played, tried

from deckcheck.playing.kernel import Head, Ints, Way
from deckcheck.playing.redraws import Redraws, games_played
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.playing.versions import VERSION, scores_of

UNCOMPILED = """
from redraw_games import a_table, tried
for line in tried(a_table("gwent/standard", "sane_random")):
    print(*line)
print("then")
for line in tried(a_table("sg_gwint/approximation", "sane_random")):
    print(*line)
"""


def a_hand(table: Redraws) -> tuple[int, ...]:
    """The first ten cards of the list, among them copies."""
    cards = Counter(table.table.read_contexts()[0]["deck"][VERSION].tolist())
    return tuple(sorted(card for card in cards.elements() if card))[8:18]


@pytest.fixture(scope="module")
def table() -> Redraws:
    return a_table()


@pytest.fixture(scope="module")
def tally(table: Redraws) -> Ints:
    return table.play(1, 0, 0, SETS)


def test_own_redraws_change_no_game(table: Redraws, tally: Ints) -> None:
    plain = table.table.play(1, 0, 0, SETS)
    counted = tally[: len(plain)].copy()
    counted[0, Head.CHECKSUM] = plain[0, Head.CHECKSUM]

    np.testing.assert_array_equal(counted, plain)
    assert tally[0, Head.CHECKSUM] != plain[0, Head.CHECKSUM]


def test_a_card_is_kept_or_sent_back_once(table: Redraws) -> None:
    _, natural, own = played(table, Way.OWN)
    for slot, card in enumerate(table.cards):
        _, dealt, kept = played(table, Way.KEPT, card)
        has = dealt[:, slot] > 0
        np.testing.assert_array_equal(dealt, natural)
        assert not kept[has, slot].any()
        _, dealt, sent = played(table, Way.SENT, card)
        np.testing.assert_array_equal(dealt, natural)
        assert (sent[has, slot] == 1).all()
        # The others are the player's own choice, two in all.
        assert sent[has, -1].max() <= 3
    assert own[:, -1].max() == 3
    assert not played(table, Way.ALL_KEPT)[2][:, :-1].any()


def test_both_games_of_a_pair_deal_the_same_hand(table: Redraws) -> None:
    _, dealt, _ = played(table, Way.OWN)

    np.testing.assert_array_equal(dealt[::2], dealt[1::2])
    assert (dealt.sum(axis=1) == 10).all()
    assert len({tuple(row) for row in dealt.tolist()}) > SETS / 2


def test_a_certain_hand_is_dealt(table: Redraws) -> None:
    hand = a_hand(table)
    _, dealt, sent = played(replace(table, hand=hand), Way.SENT, hand[0])
    counts = Counter(hand)

    assert all(tuple(row) == tuple(counts[c] for c in table.cards) for row in dealt)
    assert (sent[:, table.cards.index(hand[0])] == 1).all()
    # What is drawn for it is not always the same card: the rest is shuffled.
    _, _, own = played(replace(table, hand=hand), Way.OWN)
    assert len({tuple(row) for row in own.tolist()}) > 1


def test_blocks_add_up(table: Redraws, tally: Ints) -> None:
    parts = table.play(1, 0, 0, 20) + table.play(1, 0, 20, SETS - 20)

    np.testing.assert_array_equal(table.moments(tally), table.moments(parts))
    assert games_played(tally) == games_played(parts)


@pytest.mark.parametrize("is_dealt", [False, True])
def test_games_that_would_be_the_same_are_not_played_again(
    table: Redraws, monkeypatch: pytest.MonkeyPatch, is_dealt: bool
) -> None:
    table = replace(table, hand=a_hand(table)) if is_dealt else table
    few = table.play(1, 0, 0, SETS)
    monkeypatch.setattr(Redraws, "draws_no_lots", False)
    every = table.play(1, 0, 0, SETS)

    np.testing.assert_array_equal(table.moments(few), table.moments(every))
    assert games_played(few) < games_played(every)


def test_moments_are_those_of_single_games(table: Redraws, tally: Ints) -> None:
    moments = table.moments(tally)
    _, dealt, own = played(table, Way.OWN)
    for slot, card in list(enumerate(table.cards))[:4]:
        kept, sent = (
            scores_of(played(table, way, card)[0], by_game=True)
            for way in (Way.KEPT, Way.SENT)
        )
        has = (dealt[:, slot] > 0).astype(int)
        n, k, r = (part[::2] + part[1::2] for part in (has, kept * has, sent * has))
        row = dict(zip(Moment, moments[slot].tolist(), strict=True))
        assert row[Moment.SETS] == (n > 0).sum()
        assert row[Moment.BY_PLAYER] == (own[:, slot] > 0).sum()
        expected = [n, k, r, n * n, n * k, n * r, k * k, k * r, r * r]
        assert moments[slot].tolist()[2:] == [int(column.sum()) for column in expected]


@pytest.mark.compiled
def test_uncompiled_games_are_the_same() -> None:
    """And SG Gwint, where cards go under the deck, redraws in the same ways."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", UNCOMPILED],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[1],
        env=environment,
        text=True,
    )
    gwent, sg_gwint = (
        [[int(word) for word in line.split()] for line in part.strip().splitlines()]
        for part in ran.stdout.split("then")
    )

    assert gwent == tried(a_table(policy="sane_random"))
    check_sg_gwint(sg_gwint)


def check_sg_gwint(lines: list[list[int]]) -> None:
    """Of each way there are outcomes, hands and what was sent back, of two games."""
    width = len(a_table("sg_gwint/approximation").cards)
    for way, dealt, sent in zip(Way, lines[1::3], lines[2::3], strict=True):
        hands = np.array(dealt[1:]).reshape(2, width)
        back = np.array(sent[1:]).reshape(2, width + 1)
        slot = int(hands[0].argmax())
        assert (hands.sum(axis=1) == 10).all()
        assert back[:, -1].min() >= 1
        assert back[:, -1].max() <= 3
        if way is Way.SENT:
            assert (back[:, slot] == 1).all()
        if way is Way.KEPT:
            assert not back[:, slot].any()
        if way is Way.ALL_KEPT:
            assert (back[:, -1] == 1).all()


def test_a_hand_of_another_size_tells_nothing(table: Redraws) -> None:
    nine = replace(table, hand=a_hand(table)[:9])
    tally = nine.play(1, 0, 0, 4)

    assert not nine.moments(tally).any()
    assert games_played(tally) == 8
