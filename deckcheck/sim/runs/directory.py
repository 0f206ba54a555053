"""A run directory: a study, and the blocks of it that were played."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar, Unpack, cast

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.findings.files import unusable
from deckcheck.findings.words import quote
from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.jobs.record import MEASURING, Played
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.runs.blocks import BlockFile, Key
from deckcheck.sim.runs.counts import adds_up
from deckcheck.sim.runs.documents import draft_of
from deckcheck.sim.runs.file import (
    Kinds,
    RunFile,
    question_data,
    read_run_file,
)
from deckcheck.sim.runs.lines import Line
from deckcheck.sim.runs.lock import LOCK, Lock, ReadOnlyError
from deckcheck.sim.runs.series import RUN
from deckcheck.sim.runs.shard import Shard, read_shard
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import RunOptions, Study

S_co = TypeVar("S_co", bound=Study[Any, Any], covariant=True)
S = TypeVar("S", bound=Study[Any, Any])
R = TypeVar("R")


class RunDirectory(Generic[S_co]):
    """A folder with `run.json` and `blocks.jsonl`; `kept_open` lets blocks be added."""

    def __init__(self, folder: Path, file: RunFile, study: S_co) -> None:
        self.folder = folder
        self.file = file
        self.study = study
        self.blocks = BlockFile(folder)
        self.refusal: UsageError | None = None

    @property
    def shard(self) -> Shard | None:
        """The part of the games that is played here; None for all."""
        return read_shard(self.file.shard) if self.file.shard else None

    def part(self, name: str) -> Part:
        """The record of one part of the run, for `play_jobs`."""
        # What decides how all go on is measured in each shard.
        shard = None if name == MEASURING else self.shard
        return Part(self.blocks, name, shard, self.refusal)

    def extended(self, games: int) -> RunDirectory[S_co]:
        """The same run with more games.

        Raises UsageError for fewer, for a shard, and for a study that cannot have more.
        """
        study = self.study.extended(games)
        before = self.file.request["games"]
        if games == before:
            return self
        name = quote(str(self.folder))
        if games < before:
            raise UsageError(
                f"{name} has {before:,} games, and cannot have {games:,}",
                "Name a greater number, or begin another run",
            )
        if self.shard is not None:
            raise UsageError(
                f"{name} is shard {self.shard}, and cannot be extended alone",
                "Merge all shards, and extend the run that this gives",
            )
        file = replace(self.file, request=question_data(study.spec.question))
        directory = RunDirectory(self.folder, file, study)
        with directory.locked():
            file.write(self.folder)
        return directory

    def run(self: RunDirectory[Study[Any, R]], **options: Unpack[RunOptions]) -> R:
        """Play what is missing; see `Study.run`."""
        with self.kept_open():
            return self.study.run(records=self.part, **options)

    def outcome(self: RunDirectory[Study[Any, R]]) -> R:
        """What came of a study of any kind; UsageError unless it is complete."""
        self.refusal = UsageError(
            f"{quote(str(self.folder))} is not complete",
            f"`deckcheck resume {self.folder}` plays what is missing",
        )
        return self.study.run(records=self.part)

    def result(self: RunDirectory[Simulation]) -> SimulationResult:
        """What was played so far; UsageError if that is nothing."""
        result = self.study.recalled(self.part)
        if result is None:
            raise UsageError(
                f"No game of {quote(str(self.folder))} has been played",
                f"`deckcheck resume {self.folder}` plays it",
            )
        return result

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
        """Let blocks be added; nobody else may meanwhile.

        Where nothing can be written, a run that is complete can be read all the same.
        """
        try:
            lock = Lock(self.folder)
        except ReadOnlyError as error:
            self.refusal = UsageError(
                f"{error.message}; the run is not complete",
                "Copy the folder, and resume the copy",
            )
            yield
            return
        try:
            # Another process may have added some before we had the lock.
            if not self.blocks.is_current():
                self.blocks = BlockFile(self.folder)
            self.blocks.open_to_add()
            yield
        finally:
            self.blocks.close()
            lock.release()


SimulationRun: TypeAlias = RunDirectory[Simulation]


class Part:
    """One part of a run as a `Record`: the games, or what was measured before them.

    `refusal` is raised when anything is missing that may not be played.
    """

    def __init__(
        self,
        blocks: BlockFile,
        name: str,
        shard: Shard | None,
        refusal: UsageError | None = None,
    ) -> None:
        self._blocks = blocks
        self._name = name
        self._shard = shard
        self._refusal = refusal

    def played(self, job: Job) -> tuple[int, Ints | None]:
        """How many sets of `job` were played before, and their tally.

        Raises UsageError for counts that do not add up.
        """
        key = Key(self._name, job.number)
        stretches = [s for s in self._blocks.sets(key) if s.stop <= job.sets]
        sets, tally = sum(map(len, stretches)), self._blocks.tally(key, job.sets)
        if tally is not None and not adds_up(job, sets, tally):
            raise self._blocks.refusal(
                key, lambda line: adds_up(job, len(line.sets), line.tally)
            )
        return sets, tally

    def missing(self, job: Job) -> list[range]:
        """The sets of `job` that are to be played here.

        Raises the refusal, if there is one and there are some.
        """
        sets = range(job.sets)
        own = self._shard.of(sets) if self._shard else sets
        stretches = gaps(own, self._blocks.sets(Key(self._name, job.number)))
        if stretches and self._refusal is not None:
            raise self._refusal
        return stretches

    def add(self, played: Played) -> None:
        """Write blocks down."""
        self._blocks.add(
            [
                Line(
                    self._name,
                    block.job.number,
                    range(block.first_set, block.first_set + block.sets),
                    tally,
                )
                for block, tally in played
            ]
        )


def gaps(wanted: range, played: Sequence[range]) -> list[range]:
    """What of `wanted` is in none of the ranges `played`, which are in order."""
    stretches, at = [], wanted.start
    for sets in played:
        stretches.append(range(at, min(sets.start, wanted.stop)))
        at = max(at, sets.stop)
    stretches.append(range(at, wanted.stop))
    return [sets for sets in stretches if sets]


def new_run(
    folder: Path, study: S, *, shard: str | None = None, card_db: Root = None
) -> RunDirectory[S]:
    """Begin a run in `folder`, or take up the same one again.

    Raises UsageError for a folder that holds another run, saying what differs, or
    anything else, and for a shard of a study that cannot be played in shards.
    """
    part = read_shard(shard) if shard else None
    if part is not None:
        study.check_shards(part.shards)
    file = RunFile.of(study, str(part) if part else None, card_db)
    if os.path.isfile(folder):
        raise UsageError(
            f"Run {quote(str(folder))} is a file, not a folder",
            "Name an empty folder, or one that does not exist",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        holds = set(os.listdir(folder)) - {LOCK, draft_of(folder / RUN).name}
    except OSError as error:
        raise unusable("write to", folder, error) from None
    if RUN in holds:
        _check_same(folder, read_run_file(folder), file, study)
    elif holds:
        raise UsageError(
            f"{quote(str(folder))} holds files that are no run",
            "Name an empty folder, or one that does not exist",
        )
    run = RunDirectory(folder, file, study)
    if RUN not in holds:
        with run.locked():
            file.write(folder)
    return run


def open_run(
    folder: Path, card_db: Root = None, *, only_read: bool = False
) -> SimulationRun:
    """The simulation in `folder`; UsageError if none is there that can be played here.

    One that is `only_read` may have been played by another engine, or with other cards.
    """
    file = read_run_file(folder)
    simulation = file.study(
        folder, {Simulation.KIND: Simulation}, card_db, only_read=only_read
    )
    return RunDirectory(folder, file, cast(Simulation, simulation))


def open_study(
    folder: Path, kinds: Kinds, card_db: Root = None
) -> RunDirectory[Study[Any, Any]]:
    """The study of one of these kinds in `folder`, to go on with; see `open_run`."""
    file = read_run_file(folder)
    study = file.study(folder, kinds, card_db, only_read=False)
    return RunDirectory(folder, file, study)


def mend_run(folder: Path) -> int:
    """Drop the lines of a run that are damaged; returns how many there were.

    Lines whose sets stand in a line before them are dropped too. Raises UsageError
    where there is no run, and while another process writes it.
    """
    read_run_file(folder)
    lock = Lock(folder)
    try:
        return BlockFile(folder, mends=True).drop_wrong()
    finally:
        lock.release()


def _check_same(
    folder: Path, there: RunFile, spec: RunFile, study: Study[Any, Any]
) -> None:
    name = quote(str(folder))
    differences = list(there.differences(spec))
    if not differences:
        return
    games, wanted = (file.request.get("games") for file in (there, spec))
    only_games = replace(spec, request={**spec.request, "games": games})
    is_longer = games and wanted and wanted > games and _can_have(study, wanted)
    if is_longer and not list(there.differences(only_games)):
        raise UsageError(
            f"{name} has {games:,} games, not {wanted:,}",
            f"`deckcheck resume {folder} --games {wanted}` extends it",
        )
    raise UsageError(
        f"{name} holds another run: {differences[0]}",
        f"Name another folder, or go on with it: `deckcheck resume {folder}`",
    )


def _can_have(study: Study[Any, Any], games: int) -> bool:
    try:
        study.extended(games)
    except UsageError:
        return False
    return True
