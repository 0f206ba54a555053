"""Stand-ins for the engine: results and games that are known."""

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.playing.table import Table
from deckcheck.sim.jobs import Job
from deckcheck.sim.matches import MAX_MATCH_GAMES, derive_number
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.seating import pair_up
from deckcheck.sim.selection import Chances


class Breaking:
    """A user who presses Ctrl-C at a call of `watch`, by its number."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __call__(self, _: Progress) -> None:
        self.calls -= 1
        if not self.calls:
            raise KeyboardInterrupt


# Stands in for tables of the engine: results that are known.

FATAL_SET = 70


class Fake:
    """Tally of three sums that tell every set apart: count, set, scrambled set."""

    entrant_in = ((0, 1),)

    def begin(self, number: int, first_set: int, sets: int) -> None:
        """What happens before a block is played."""

    def play(
        self, seed: int, number: int, first_set: int, sets: int, *_: object
    ) -> Ints:
        self.begin(number, first_set, sets)
        numbers = np.arange(first_set, first_set + sets, dtype=np.int64)
        scrambled = (numbers * 2_654_435_761 + seed * 97 + number * 40_503) % 1_000_003
        return np.array([sets, numbers.sum(), scrambled.sum()], dtype=np.int64)


class Crashing(Fake):
    """Raises an error in one set."""

    def begin(self, number: int, first_set: int, sets: int) -> None:
        if FATAL_SET in range(first_set, first_set + sets):
            raise IndexError("row 3 of 3")


class Deadly(Fake):
    """Kills its own process in one set, as a system short of memory would."""

    def begin(self, number: int, first_set: int, sets: int) -> None:
        if FATAL_SET in range(first_set, first_set + sets):
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Noted(Fake):
    """Takes note of what it was asked to play."""

    calls: list[tuple[int, int]] = field(default_factory=list)

    def begin(self, number: int, first_set: int, sets: int) -> None:
        self.calls.append((number, sets))


def jobs_of(
    decks: int,
    sets: int,
    policies: Sequence[str] = ("heuristic",) * 9,
    table: Fake | None = None,
) -> list[Job]:
    """A round robin of `decks` decks."""
    return [
        Job(
            p.number,
            "a against b",
            table or Fake(),
            (policies[p.a], policies[p.b]),
            sets,
        )
        for p in pair_up(decks)
    ]


# Games of tournament matches without the engine: decks have chances.


class FakeGames:
    """Stands in for `play_listed`: games fall as the chances say."""

    def __init__(self, chances: Sequence[Sequence[Chances]]) -> None:
        self.cells = [cell for row in chances for cell in row]
        self.played: list[tuple[int, ...]] = []

    @property
    def table(self) -> Table:
        return Table("fake", "two", tuple(b"" for _ in self.cells), streams=4)

    def __call__(self, table: Table, seed: int, games: Ints) -> Ints:
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 8), np.int64)
        for game, outcome in zip(games.tolist(), outcomes, strict=True):
            at, stream = game[ListedGame.CONTEXT], game[ListedGame.STREAM]
            assert stream // table.streams // MAX_MATCH_GAMES % len(self.cells) == at
            self.played.append(tuple(game))
            win, draw = self.cells[at]
            number = derive_number(seed, *game) / 2**64
            outcome[GameOutcome.HISTORY] = derive_number(seed, *game) % 2**40
            places = ((1, 2), (1, 1), (2, 1))[(number >= win) + (number >= win + draw)]
            outcome[GameOutcome.PLACE : GameOutcome.PLACE + 2] = places
        return outcomes
