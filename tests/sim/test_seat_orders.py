"""The games of sets: whose turn it is to begin, who sits where, by which chance."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from deckcheck.playing import table as host
from deckcheck.playing.kernel import GameOutcome, Head, Ints, ListedGame
from deckcheck.playing.table import STREAMS, Table, circular_orders

ORDERS = circular_orders(4)
TABLE = Table("gwent", "many", (b"",) * len(ORDERS), tuple(ORDERS), rotation=4)
NUMBER = 3


def test_the_orders_of_the_seats_go_round() -> None:
    games = TABLE.games_of_sets(NUMBER, np.arange(4, 4 + 2 * len(ORDERS)))
    sets = games[:, ListedGame.CONTEXT].reshape(-1, 4)

    assert (sets == sets[:, :1]).all()
    assert sets[:, 0].tolist() == [4, 5, 0, 1, 2, 3] * 2


def test_everybody_sits_next_to_everybody_as_often() -> None:
    games = TABLE.games_of_sets(NUMBER, np.arange(len(ORDERS)))
    pairs = Counter(
        frozenset((order[seat - 1], order[seat]))
        for context in games[:, ListedGame.CONTEXT].tolist()
        for order in [ORDERS[context]]
        for seat in range(4)
    )

    assert len(pairs) == 6
    assert len(set(pairs.values())) == 1


def test_each_seat_begins_once_in_the_same_shuffles() -> None:
    games = TABLE.games_of_sets(NUMBER, np.array([8, 9]))

    assert games[:, ListedGame.BEGINNER].tolist() == [0, 1, 2, 3] * 2
    assert games[:, ListedGame.COUNTER].tolist() == [8] * 4 + [9] * 4
    assert len(set(games[:, ListedGame.STREAM].tolist())) == 1


def test_tables_share_no_stream() -> None:
    first, second = (
        TABLE.games_of_sets(number, np.arange(3))[:, ListedGame.STREAM]
        for number in (NUMBER, NUMBER + 1)
    )

    assert (second - first >= STREAMS).all()


def test_sets_that_are_played_a_part_at_a_time_are_played_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[Ints] = []

    def play(_: Table, __: int, games: Ints) -> Ints:
        played.append(games)
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 4 * 4), np.int64)
        outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + 4] = [1, 2, 3, 4]
        outcomes[:, GameOutcome.PLACE + 8 : GameOutcome.PLACE + 12] = [0, 1, 2, 3]
        return outcomes

    monkeypatch.setattr(host, "play_listed", play)
    monkeypatch.setattr(host, "SETS_AT_ONCE", 7)
    tally = TABLE.play(1, NUMBER, 5, 20)

    assert [len(games) // 4 for games in played] == [7, 7, 6]
    games = TABLE.games_of_sets(NUMBER, np.arange(5, 25))
    assert np.concatenate(played).tolist() == games.tolist()
    assert (tally[0, Head.SETS], tally[0, Head.GAMES]) == (20, 80)
