"""Threads that play at one table at the same time get the games of one alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from typing import Any, TypeVar

import numpy as np
import pytest

import deckcheck
from deckcheck.decks import Deck
from deckcheck.engine.gwent.context import GwentMatchRules
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing import redraws as watched_module
from deckcheck.playing import table as table_module
from deckcheck.playing.table import Table, open_table, records_of, seat
from deckcheck.playing.versions import (
    Counted,
    open_seat,
    retuned,
    seat_candidates,
    seat_version,
    seat_versions,
    with_swapped_decks,
)
from deckcheck.sim.matches import MatchTable
from deckcheck.studies.swaps import watched_table

POOL = Path(__file__).parents[2] / "decks" / "gwen_t" / "pool"
POLICY = "sane_random"
FORMAT = load_format("gwen_t/pool")
DATABASE = database_of(FORMAT)
NUMBERS = load_game(FORMAT.game).card_numbers(DATABASE)
SEED, SETS, THREADS = 5, 2, 3
AT_ONCE = 1e-5  # seconds
PATIENCE = 120.0

T = TypeVar("T")


@pytest.fixture(scope="module")
def decks() -> list[Deck]:
    return deckcheck.read(POOL)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(AT_ONCE)
    yield
    sys.setswitchinterval(before)


def table(decks: list[Deck]) -> Table:
    return seat_version(
        FORMAT, DATABASE, seat(decks[0], POLICY), seat(decks[1], POLICY)
    )


def versions(decks: list[Deck]) -> Any:
    opponent, *own = (seat(deck, POLICY) for deck in decks[:3])
    return seat_versions(FORMAT, DATABASE, opponent, own, [(0, 1)])


def candidates(decks: list[Deck]) -> Any:
    seat = open_seat(table(decks), NUMBERS, decks[1].counts())
    counts = [(0, deck.counts()) for deck in decks[1:3]]
    return seat_candidates([seat], NUMBERS, counts)


def contrasts(decks: list[Deck]) -> Any:
    counts = [deck.counts() for deck in decks[1:3]]
    weights = [((1, 1), (0, -1))]
    return with_swapped_decks(table(decks), NUMBERS, counts, weights)


def matches(decks: list[Deck]) -> Any:
    one = table(decks)
    nine = replace(one, contexts=one.contexts * 9)
    return MatchTable(nine, (3, 3), ("random", "random"), {}, GwentMatchRules())


PLAYERS: dict[str, Callable[[list[Deck]], Any]] = {
    "a table": table,
    "a counted one": lambda decks: Counted(table(decks)),
    "a watched one": lambda decks: watched_table(
        table(decks), NUMBERS, list(decks[1].counts())
    ),
    "a retuned one": lambda decks: retuned(table(decks), [table(decks[1:])], 3),
    "contrasts": contrasts,
    "candidates": candidates,
    "versions": versions,
    "matches": matches,
}


def in_threads(play: Callable[[int], T], starts: list[int]) -> list[T]:
    """What a thread for each start returns.

    Those that share records may never end, so nobody waits for them for ever.
    """
    played: dict[int, T] = {}

    def keep(start: int) -> None:
        played[start] = play(start)

    threads = [Thread(target=keep, args=[start], daemon=True) for start in starts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return [played[start] for start in starts]


@pytest.mark.parametrize("player", PLAYERS)
def test_one_thread_plays_at_a_time(
    decks: list[Deck], player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, most = [], []
    lock = Lock()

    def slowly(play: Callable[..., None]) -> Callable[..., None]:
        def played(*arguments: Any) -> None:
            under_way.append(1)
            most.append(len(under_way))
            sleep(0.01)
            under_way.pop()
            with lock:  # the games themselves are safe
                play(*arguments)

        return played

    for module, name in ((table_module, "play_games"), (watched_module, "watch_games")):
        play = getattr(module, name)
        monkeypatch.setattr(module, name, slowly(play))
    played = PLAYERS[player](decks)
    in_threads(lambda start: played.play(SEED, 1, start, 1), [0, 1, 2])

    assert set(most) == {1}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("player", PLAYERS)
def test_threads_play_as_one_does(decks: list[Deck], player: str) -> None:
    played = PLAYERS[player](decks)
    starts = [SETS * turn for turn in range(THREADS)]

    def play(start: int) -> Any:
        return played.play(SEED, 1, start, SETS)

    alone = [play(start) for start in starts]
    for one, other in zip(alone, in_threads(play, starts), strict=True):
        np.testing.assert_array_equal(one, other)


def test_who_opens_a_table_gets_records_of_their_own(decks: list[Deck]) -> None:
    """A replay is told in records in which nobody else plays."""
    one, other = open_table(table(decks)), open_table(table(decks))
    with records_of(table(decks)) as kept:
        for records in zip(one, other, kept, strict=False):
            assert len({id(each) for each in records}) == len(records)
            assert not np.shares_memory(records[0], records[1])


@pytest.mark.usefixtures("hasty")
def test_simulations_in_threads(decks: list[Deck]) -> None:
    def checksum(seed: int) -> str:
        return deckcheck.simulate(
            *decks[:2], games=4, seed=seed, policies=POLICY
        ).checksum

    seeds = list(range(THREADS))
    alone = [checksum(seed) for seed in seeds]
    assert in_threads(checksum, seeds) == alone
