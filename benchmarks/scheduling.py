"""Whether the scheduler keeps up with a thousand workers: a run without any game.

The workers are simulated: each block comes back at once, with a tally as it might be.
What is measured is all that one process does for a block: to cut it, to pickle its
table, to write its line to the disk, to add it up.
"""

from __future__ import annotations

import pickle
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head, Ints
from deckcheck.sim.entrants import gather
from deckcheck.sim.jobs import GAMES, Block, BlockResult
from deckcheck.sim.provenance import Program
from deckcheck.sim.run_directory import BlockFile
from deckcheck.sim.run_directory import RunPart as Part
from deckcheck.sim.scheduler import play_jobs
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports

DECKS = Path(__file__).parents[1] / "decks" / "gwent" / "standard"
CELLS = 80
SECONDS = 4.0
"""What a block of a long run takes, see `Pacer`."""


class Simulated:
    """An executor of `workers` that play in no time; it counts what it is sent."""

    def __init__(self, workers: int, tallies: dict[int, Ints]) -> None:
        self.workers = workers
        self.blocks = self.bytes = 0
        self._tallies = tallies

    def __len__(self) -> int:
        return self.workers

    def submit(
        self, fn: Callable[..., Any], /, seed: int, blocks: list[Block], rows: bool
    ) -> Future[list[BlockResult]]:
        """The blocks as if they had been played in `SECONDS` each."""
        self.bytes += len(pickle.dumps((fn, seed, blocks, rows)))
        self.blocks += len(blocks)
        done: Future[list[BlockResult]] = Future()
        done.set_result([self._played(block) for block in blocks])
        return done

    def _played(self, block: Block) -> BlockResult:
        tally = self._tallies[block.job.number].copy()
        tally[0, Head.SETS] = block.sets
        return BlockResult(tally, SECONDS, f"worker {self.blocks}", Program.here())


def dry_run(simulation: Simulation, workers: int, sets: int) -> str:
    """One line of the table: how many blocks a second one process sees to."""
    jobs = simulation.jobs()
    tallies = {job.number: _tally(job.table.tally_shape) for job in jobs}
    executor = Simulated(workers, tallies)
    with tempfile.TemporaryDirectory() as folder:
        file = BlockFile(Path(folder))
        file.open_to_add()
        start, cpu = perf_counter(), process_time()
        record = Part(file, GAMES, None)
        play_jobs(jobs, 1, executor=executor, block_sets=sets, record=record)
        seconds, used = perf_counter() - start, process_time() - cpu
        size = file.file.stat().st_size
        file.close()
        start = perf_counter()
        BlockFile(Path(folder))
        read = perf_counter() - start
    blocks = executor.blocks
    return (
        f"| {workers:,} | {len(jobs):,} | {blocks:,} | {blocks / seconds:,.0f} "
        f"| {1000 * used / blocks:.2f} | {executor.bytes / blocks / 1000:.1f} "
        f"| {size / blocks / 1000:.2f} | {1000 * read / blocks:.2f} |"
    )


def _tally(shape: tuple[int, int]) -> Ints:
    """A tally in which as many cells count something as in games of two decks."""
    tally = np.zeros(shape, np.int64)
    tally.ravel()[:CELLS] = 997 * np.arange(1, CELLS + 1) % 1_000
    return tally


def main() -> None:
    """Print the table for some numbers of workers."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=5_000)
    parser.add_argument("--decks", type=Path, default=DECKS)
    options = parser.parse_args()
    files = sorted(options.decks.glob("*.deck"))
    print(
        "| workers | tables | blocks | blocks/s | ms of CPU a block | KB sent | KB on "
        "disk | ms to read |\n|---|---|---|---|---|---|---|---|"
    )
    for workers in (10, 100, 1_000):
        simulation = simulation_of(files, options.blocks)
        print(dry_run(simulation, workers, 1_000), flush=True)


def simulation_of(files: list[Path], blocks: int) -> Simulation:
    """A round robin with about that many blocks of a thousand sets."""
    fmt = load_format("gwent/standard")
    tables = len(files) * (len(files) - 1) // 2
    sets = 1_000 * max(1, blocks // tables)
    request = Request(games=2 * sets, seed=1, policies=("heuristic",))
    reports = gather([str(file) for file in files], "gwent/standard")[0]
    return simulation_from_reports(fmt, database_of(fmt), reports, request)


if __name__ == "__main__":
    main()
