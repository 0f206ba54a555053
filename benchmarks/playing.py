"""Speed of play: games of a core, what two workers add, blocks that are handed out."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from functools import partial
from math import ceil
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import deckcheck
from benchmarks.measuring import COMPILED, Figure
from benchmarks.reference import compiled_rate
from deckcheck.engine.registry import Seat
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head
from deckcheck.playing.table import (
    DUEL_STREAMS,
    Table,
    circular_orders,
    seat,
    set_table,
)
from deckcheck.policies.registry import policy_number
from deckcheck.sim.blocks import MAIN_PART
from deckcheck.sim.jobs import Block, Job
from deckcheck.sim.playing_blocks import BlockResult, PackedTally, play_block
from deckcheck.sim.provenance import Program
from deckcheck.sim.run_directory import BlockFile, RunPart
from deckcheck.sim.scheduler import play_jobs
from deckcheck.sim.seating import pair_up
from deckcheck.sim.workers import start_threads

__all__ = ["DEALT", "DECKS", "dealt", "duels", "games", "played"]

DECKS = (
    "mo_swarm.deck",
    "ng_spies_and_medics.deck",
    "nr_siege_masters.deck",
    "sk_longships.deck",
    "st_beautiful_archers.deck",
)
PLAYERS = ("random", "heuristic", "learned")
DEALT = ("deckmaster/standard", "gwen_t/pool")
"""Formats whose games make random decks."""
SEED = 1
PROBE_SETS = 20
BLOCKS = 8
"""Blocks that two workers play."""
HANDED_OUT, SETS = 5_000, 1_000


def games(decks: Path) -> Iterator[Figure]:
    """Yield the speed of players, of formats, of workers, and of handing out blocks."""
    for player in PLAYERS:
        tables = partial(duels, decks, player)
        yield Figure(player, "games/s", partial(_speed, tables), COMPILED)
    many = partial(_five, decks)
    yield Figure("five random at a table", "games/s", partial(_speed, many), COMPILED)
    for format in DEALT:
        tables = partial(dealt, format)
        yield Figure(f"{format}, random", "games/s", partial(_speed, tables), COMPILED)
    one = partial(_two_workers, decks)
    yield Figure("two workers", "times one", one, _two_loops)
    yield Figure("blocks handed out", "blocks/s", partial(_blocks, decks))


def duels(decks: Path, player: str) -> list[Table]:
    """A round robin of five sample decks, one of each faction, all by one player."""
    fmt = load_format("gwent/standard")
    sample = deckcheck.read(*(decks / name for name in DECKS))
    return [
        set_table(
            fmt,
            database_of(fmt),
            [seat(sample[at], player) for at in (pairing.a, pairing.b)],
            streams=DUEL_STREAMS,
        )
        for pairing in pair_up(len(sample))
    ]


def _five(decks: Path) -> list[Table]:
    fmt = load_format("gwent/free_for_all")
    sample = deckcheck.read(*(decks / name for name in DECKS))
    return [set_table(fmt, database_of(fmt), [seat(deck, "random") for deck in sample])]


def dealt(format: str) -> list[Table]:
    """A table of two players of a game that makes a random deck for every game."""
    fmt = load_format(format)
    seats = [Seat(None, policy_number("random"))] * 2
    orders = circular_orders(2)
    return [set_table(fmt, database_of(fmt), seats, orders=orders)]


def _speed(tables: Callable[[], list[Table]], seconds: float) -> Callable[[], float]:
    """Games a second of as many sets as take about `seconds`."""
    ready = tables()
    played(ready, 1)
    _, took = played(ready, PROBE_SETS)
    sets = ceil(PROBE_SETS * seconds / took)

    def speed() -> float:
        count, took = played(ready, sets)
        return count / took

    return speed


def played(tables: Sequence[Table], sets: int) -> tuple[int, float]:
    """How many games some sets at each table are, and how many seconds they take."""
    start = process_time()
    tallies = [table.play(SEED, at, 0, sets) for at, table in enumerate(tables)]
    took = process_time() - start
    return sum(int(tally[0, Head.GAMES]) for tally in tallies), took


def _two_workers(decks: Path, seconds: float) -> Callable[[], float]:
    """How many times faster two workers play the same blocks than one."""
    table = duels(decks, "heuristic")[0]
    _, took = played([table], PROBE_SETS)
    names = ("heuristic", "heuristic")
    sets = ceil(3 * PROBE_SETS * seconds / took / BLOCKS)
    return partial(
        _gain, play_block, SEED, Block(Job(0, "", table, names, sets), 0, sets)
    )


def _two_loops() -> float:
    """The same for the bare compiled loop: what the machine allows."""
    return _gain(compiled_rate)


def _gain(call: Callable[..., object], *args: object) -> float:
    seconds = []
    for number in (1, 2):
        workers = start_threads(number)
        for calls in (2 * number, BLOCKS):  # first the engine is loaded
            start = perf_counter()
            wait([workers.submit(call, *args) for _ in range(calls)])
        seconds.append(perf_counter() - start)
    return seconds[0] / seconds[1]


class Simulated:
    """An executor of a thousand workers that play in no time."""

    def __init__(self, tally: Any) -> None:
        self._result = BlockResult(PackedTally.of(tally), 4.0, "worker", Program.here())

    def __len__(self) -> int:
        return 1_000

    def submit(
        self, fn: Callable[..., Any], /, seed: int, blocks: list[Block], rows: bool
    ) -> Future[list[BlockResult]]:
        """The blocks as if they had been sent away and played."""
        pickle.dumps((fn, seed, blocks, rows))
        done: Future[list[BlockResult]] = Future()
        done.set_result([self._result] * len(blocks))
        return done


def _blocks(decks: Path, _: float) -> Callable[[], float]:
    """How many blocks a second one process cuts, adds up and writes to the disk."""
    table = duels(decks, "random")[0]
    tally = np.zeros(table.tally_shape, np.int64)
    tally.ravel()[:80] = 997 * np.arange(1, 81) % 1_000
    tally[0, Head.SETS] = SETS
    job = Job(0, "", table, ("random", "random"), SETS * HANDED_OUT)

    def speed() -> float:
        with tempfile.TemporaryDirectory() as folder:
            file = BlockFile(Path(folder), 0)
            file.open_to_add()
            start = process_time()
            record = RunPart(file, MAIN_PART, None)
            play_jobs(
                [job], SEED, executor=Simulated(tally), block_sets=SETS, record=record
            )
            took = process_time() - start
            file.close()
        return HANDED_OUT / took

    return speed
