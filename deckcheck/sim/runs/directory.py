"""A run directory: a simulation, and the blocks of it that were played."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.playing.tally import Ints
from deckcheck.sim.blocks import Block, Job
from deckcheck.sim.record import MEASURING
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.runs.blocks import BlockFile, Key
from deckcheck.sim.runs.file import RUN, RunFile, read_run_file
from deckcheck.sim.runs.lines import Line
from deckcheck.sim.runs.lock import LOCK, Lock
from deckcheck.sim.runs.shard import Shard, read_shard
from deckcheck.sim.simulation import Simulation

__all__ = ["RunDirectory", "new_run", "open_run", "write_run_file"]

DRAFT = ".run.json.part"


class RunDirectory:
    """A folder with `run.json` and `blocks.jsonl`; `kept_open` lets blocks be added."""

    def __init__(self, folder: Path, file: RunFile, simulation: Simulation) -> None:
        self.folder = folder
        self.file = file
        self.simulation = simulation
        self.blocks = BlockFile(folder)

    @property
    def shard(self) -> Shard | None:
        """The part of the games that is played here; None for all."""
        return read_shard(self.file.shard) if self.file.shard else None

    def part(self, name: str) -> Part:
        """The record of one part of the run, for `play_jobs`."""
        # What decides how all go on is measured in each shard.
        shard = None if name == MEASURING else self.shard
        return Part(self.blocks, name, shard)

    def extended(self, games: int) -> RunDirectory:
        """The same run with more games; UsageError for fewer, and for a shard."""
        request = self.simulation.setting.request
        if games == request.games:
            return self
        name = quote(str(self.folder))
        if games < request.games:
            raise UsageError(
                f"{name} has {request.games:,} games, and cannot have {games:,}",
                "Name a greater number, or begin another run",
            )
        if self.shard is not None:
            raise UsageError(
                f"{name} is shard {self.shard}, and cannot be extended alone",
                "Merge all shards, and extend the run that this gives",
            )
        file = replace(self.file, request=replace(request, games=games))
        setting = replace(self.simulation.setting, request=file.request)
        more = replace(self.simulation, setting=setting)
        found = RunDirectory(self.folder, file, more)
        with found.locked():
            write_run_file(self.folder, file)
        return found

    def run(self, **options: Any) -> SimulationResult:
        """Play what is missing; see `Simulation.run`."""
        with self.kept_open():
            return self.simulation.run(records=self.part, **options)

    def result(self) -> SimulationResult:
        """What was played so far; UsageError if that is nothing."""
        found = self.simulation.recalled(self.part)
        if found is None:
            raise UsageError(
                f"No game of {quote(str(self.folder))} has been played",
                f"`deckcheck resume {self.folder}` plays it",
            )
        return found

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing; raises UsageError if one is."""
        lock = Lock(self.folder)
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Let blocks be added; nobody else may meanwhile."""
        with self.locked():
            # Another process may have added some before we had the lock.
            self.blocks = BlockFile(self.folder)
            self.blocks.open_to_add()
            try:
                yield
            finally:
                self.blocks.close()


class Part:
    """One part of a run as a `Record`: the games, or what was measured before them."""

    def __init__(self, blocks: BlockFile, name: str, shard: Shard | None) -> None:
        self._blocks = blocks
        self._name = name
        self._shard = shard

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """How many sets of `job` were played before, and their tally."""
        key = Key(self._name, job.number)
        sets = [s for s in self._blocks.sets(key) if s.stop <= job.sets]
        return sum(map(len, sets)), self._blocks.tally(key, job.sets)

    def missing(self, job: Job) -> list[range]:
        """The sets of `job` that are to be played here."""
        sets = range(job.sets)
        own = self._shard.of(sets) if self._shard else sets
        return gaps(own, self._blocks.sets(Key(self._name, job.number)))

    def add(self, block: Block, tally: Ints) -> None:
        """Write a block down."""
        sets = range(block.first_set, block.first_set + block.sets)
        self._blocks.add(Line(self._name, block.job.number, sets, tally))


def gaps(wanted: range, played: Sequence[range]) -> list[range]:
    """What of `wanted` is in none of the ranges `played`, which are in order."""
    found, at = [], wanted.start
    for sets in played:
        found.append(range(at, min(sets.start, wanted.stop)))
        at = max(at, sets.stop)
    found.append(range(at, wanted.stop))
    return [sets for sets in found if sets]


def new_run(
    folder: Path,
    simulation: Simulation,
    *,
    shard: str | None = None,
    card_db: Root = None,
) -> RunDirectory:
    """Begin a run in `folder`, or take up the same one again.

    Raises UsageError for a folder that holds another run, saying what differs, or
    anything else.
    """
    own = str(read_shard(shard)) if shard else None
    stopping = simulation.setting.request.stopping
    if own and stopping.looks:
        raise UsageError(
            f"`{str(stopping).partition(' ')[0]}` looks at all games, a shard has some",
            "Play the run in one folder, or a fixed number of games in shards",
        )
    file = RunFile.of(simulation, own, card_db)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        holds = set(os.listdir(folder)) - {LOCK, DRAFT}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot write to {quote(str(folder))}: {reason}") from None
    if RUN in holds:
        _check_same(folder, read_run_file(folder), file)
    elif holds:
        raise UsageError(
            f"{quote(str(folder))} holds files that are no run",
            "Name an empty folder, or one that does not exist",
        )
    run = RunDirectory(folder, file, simulation)
    if RUN not in holds:
        with run.locked():
            write_run_file(folder, file)
    return run


def open_run(
    folder: Path, card_db: Root = None, *, only_read: bool = False
) -> RunDirectory:
    """The run in `folder`; UsageError if there is none that can be played here.

    One that is `only_read` may have been played by another engine, or with other cards.
    """
    file = read_run_file(folder)
    simulation = file.simulation(folder, card_db, only_read=only_read)
    return RunDirectory(folder, file, simulation)


def _check_same(folder: Path, there: RunFile, asked: RunFile) -> None:
    name = quote(str(folder))
    found = list(there.differences(asked))
    if not found:
        return
    games, wanted = there.request.games, asked.request.games
    only_games = replace(asked, request=replace(asked.request, games=games))
    if not list(there.differences(only_games)) and wanted > games:
        raise UsageError(
            f"{name} has {games:,} games, not {wanted:,}",
            f"`deckcheck resume {folder} --games {wanted}` extends it",
        )
    raise UsageError(
        f"{name} holds another run: {found[0]}",
        f"Name another folder, or go on with it: `deckcheck resume {folder}`",
    )


def write_run_file(folder: Path, file: RunFile) -> None:
    """Write `run.json` whole or not at all, so that it outlives a power cut."""
    draft = folder / DRAFT
    try:
        with open(draft, "w", encoding="utf-8") as stream:
            stream.write(file.text())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, folder / RUN)
        if hasattr(os, "O_DIRECTORY"):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(handle)
            os.close(handle)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot write {quote(str(folder / RUN))}: {reason}") from None
