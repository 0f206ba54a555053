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

import deckcheck
from deckcheck.engine.host.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.host.redraws import Moment, Redraws, games_played
from deckcheck.playing.host.table import records_of, seat
from deckcheck.playing.host.versions import VERSION, numbers_of, scores_of, seat_version
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.redrawing import Way, play_redraws
from deckcheck.playing.tally import Head, Ints

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SETS = 60
UNCOMPILED = """
from test_played_redraws import a_table, tried
for line in tried(a_table("gwent/standard", "sane_random")):
    print(*line)
print("then")
for line in tried(a_table("sg_gwint/approximation", "sane_random")):
    print(*line)
"""


def a_table(format: str = "gwent/standard", policy: str = "heuristic") -> Redraws:
    """A table at which every card of the second deck is tried."""
    fmt = load_format(format)
    database = database_of(fmt)
    files = sorted((ROOT / "decks" / format).glob("*.deck"))
    if format == "gwent/standard":
        files = [STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"]
    opponent, own = deckcheck.read(*files[:2])
    table = seat_version(fmt, database, seat(opponent, policy), seat(own, policy))
    numbers = load_game(fmt.game).card_numbers(database)
    place = numbers_of(table, numbers, own.counts())
    return Redraws(table, tuple(place.values()))


def a_hand(table: Redraws) -> tuple[int, ...]:
    """The first ten cards of the list, among them copies."""
    cards = Counter(table.table.read_contexts()[0]["deck"][VERSION].tolist())
    return tuple(sorted(card for card in cards.elements() if card))[8:18]


def played(
    table: Redraws, way: Way, card: int = 0, sets: int = SETS
) -> tuple[Ints, Ints, Ints]:
    """The outcomes of some games, what was dealt, and what was sent back."""
    games = table.table.games_of_sets(0, np.arange(sets))
    outcomes = np.empty((len(games), Outcome.PLACE + 8), np.int64)
    dealt = np.zeros((len(games), len(table.cards)), np.int64)
    sent = np.zeros((len(games), len(table.cards) + 1), np.int64)
    slots = np.full(4096, -1, np.int64)
    slots[list(table.cards)] = np.arange(len(table.cards))
    hand, at = np.array(table.hand, np.int64), np.zeros(1, np.int64)
    with records_of(table.table) as records:
        play_redraws(
            *(*records, 1, games, outcomes, VERSION, int(way), card),
            *(hand, slots, dealt, sent, at),
        )
    return outcomes, dealt, sent


def tried(table: Redraws) -> list[list[int]]:
    """What each way makes of a dealt card in a pair of games, as numbers to compare."""
    lines = []
    _, dealt, _ = played(table, Way.OWN, sets=1)
    card = table.cards[int(dealt[0].argmax())]
    for way in Way:
        outcomes, dealt, sent = played(table, way, card, sets=1)
        lines += [[int(way), *map(int, row.ravel())] for row in (outcomes, dealt, sent)]
    return lines


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
        cwd=Path(__file__).parent,
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
