"""Finished blocks on disk, resuming and merging."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from array import array
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import prod
from pathlib import Path
from sys import intern
from tempfile import mkdtemp
from typing import Any, BinaryIO, Generic, NamedTuple, TypeAlias, TypeVar, Unpack, cast

import numpy as np

from deckcheck.cards import Root
from deckcheck.files import open_file, unusable, usable
from deckcheck.findings import UsageError
from deckcheck.messages import game_count, plural, printable, quote
from deckcheck.playing.kernel import Head, Ints, SeatColumns
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.jobs import MEASURING, Job, PackedTally, Played, gaps
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_files import (
    LOCK,
    RUN,
    Lock,
    ReadOnlyError,
    Shard,
    begin_series,
    draft_of,
    read_shard,
    replace_file,
    runs_of,
    with_crc,
    without_crc,
)
from deckcheck.sim.run_settings import Kinds, RunFile, question_data, read_run_file
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import RunOptions, Study

# A finished block as a line of `blocks.jsonl`.
#
# A tally is mostly zeros where several sit at a table, so that only the other cells are
# written: how many zeros stand before each of them, and its value.

MOST_CELLS = 1 << 22
"""No tally has as many cells: such a number is damage."""
LARGEST = 1 << 62


class BlockLine(NamedTuple):
    """The sets `sets` of job number `job`, of one part of a run, and their tally."""

    part: str
    job: int
    sets: range
    tally: PackedTally


def written(line: BlockLine, start: int) -> bytes:
    """The line, with its CRC, which begins with the `start` of its run, and its end."""
    at, cells = line.tally.pairs()
    pairs = np.stack([at, cells], axis=1)
    pairs[1:, 0] -= at[:-1] + 1  # what lies between it and the one before
    data = {
        "part": line.part,
        "job": line.job,
        "first": line.sets.start,
        "sets": len(line.sets),
        "shape": line.tally.shape,
        "cells": pairs.ravel().tolist(),
    }
    return with_crc(_ENCODER.encode(data).encode() + b"\n", start)


def read_line(line: bytes, start: int) -> BlockLine:
    """The block of a line of the run; raises ValueError for anything else."""
    # Nothing is believed, nor given memory, before its CRC is right.
    text = without_crc(line, start)
    try:
        data = json.loads(text)
        job, first, sets = (_whole(data[key], LARGEST) for key in _NUMBERS)
        shape = tuple(_whole(size, MOST_CELLS) for size in data["shape"])
        cells = prod(shape)
        # Anything but whole numbers is refused by `array`.
        pairs = np.asarray(array("q", data["cells"])).reshape(-1, 2)
        at = np.cumsum(pairs[:, 0] + 1) - 1
        if not sets or cells > MOST_CELLS or len(pairs) > cells:
            raise ValueError(sets, cells)
        if len(at) and not (
            0 <= pairs[:, 0].min() <= pairs[:, 0].max() < cells > at[-1]
        ):
            raise ValueError("a cell that is not there")
        tally = PackedTally.at(shape, at, pairs[:, 1])
        part = intern(str(data["part"]))
        return BlockLine(part, job, range(first, first + sets), tally)
    except _NO_BLOCK as error:
        raise ValueError("no block") from error


_ENCODER = json.JSONEncoder(separators=(",", ":"))
_NUMBERS = ("job", "first", "sets")
_NO_BLOCK = (LookupError, TypeError, ValueError, OverflowError, RecursionError)


def _whole(value: object, most: int) -> int:
    """The value, if it is a whole number from 0 to `most`."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value


# The finished blocks of a run directory: `blocks.jsonl`, to which lines are added.
#
# Kept in memory are the sum of each job and the places of its lines: their number grows
# with the run, not their tallies.

BLOCKS = "blocks.jsonl"
OTHER_COUNTS = "this line does not count the same things as those before it"
DAMAGED = "this line is damaged, or is of another run"


class Key(NamedTuple):
    """A job by its number, and the part of the run that it belongs to."""

    part: str
    job: int


class _Place(NamedTuple):
    """Where the line of some sets stands in the file: its number and its first byte."""

    sets: range
    number: int
    offset: int


class _Known:
    """The record of one job: the places of its lines by their sets, and the sum."""

    __slots__ = ("places", "tally")

    def __init__(self) -> None:
        self.places: list[_Place] = []
        self.tally: PackedTally | None = None


class BlockFile:
    """The blocks of a folder as they are now, and those that are added.

    `start` is that of the CRCs of the run. A last line that was not written to its end
    is passed over. Raises UsageError where another line is damaged, is of another run,
    or has sets that stand in a line before it; with `mends` such lines are left out.
    """

    def __init__(self, folder: Path, start: int, *, mends: bool = False) -> None:
        self.file = folder / BLOCKS
        self.start = start
        self._known: dict[Key, _Known] = defaultdict(_Known)
        self._handle: int | None = None
        self._size = self._count = 0
        self._wrong: dict[int, str] = {}
        self._state = self._stat()
        for text in self.lines():
            try:
                fault = self._note(read_line(text, start), len(text))
            except ValueError:
                fault = DAMAGED
                self._pass_over(len(text))
            if fault is not None:
                self._wrong[self._count] = fault
        if self._wrong and not mends:
            raise self._refusal()

    def lines(self) -> Iterator[bytes]:
        """All whole lines as they stand in the file."""
        with self._opened() as stream:
            for text in stream or ():
                if text.endswith(b"\n"):
                    yield text

    def is_current(self) -> bool:
        """Whether nobody has written to the file since it was read."""
        return self._state == self._stat()

    def jobs(self) -> list[Key]:
        """Every job that has blocks."""
        return sorted(self._known)

    def sets(self, key: Key) -> list[range]:
        """The sets of a job that were played, in order."""
        return [place.sets for place in self._places(key)]

    def tally(self, key: Key, end: int) -> PackedTally | None:
        """The sum over the blocks of a job that end with set `end - 1` or before."""
        places = self._places(key)
        if all(place.sets.stop <= end for place in places):
            return self._known[key].tally if places else None
        total: PackedTally | None = None
        for line in self._read([place for place in places if place.sets.stop <= end]):
            total = line.tally.added_to(total)
        return total

    def refusal(self, key: Key, is_right: Callable[[BlockLine], bool]) -> UsageError:
        """The error for a job whose sum is wrong: it names a line that is not right."""
        places = self._places(key)
        for place, line in zip(places, self._read(places), strict=True):
            if not is_right(line):
                return UsageError(
                    f"{self._named}:{place.number}: the counts of this line do not "
                    "add up",
                    "Delete this line, and its games are played again",
                )
        return UsageError(
            f"{self._named}: the counts of table {key.job} do not add up",
            "Delete its lines, and its games are played again",
        )

    def drop_wrong(self) -> int:
        """Write the file again without the lines that were left out; how many."""
        if self._wrong:
            lines = enumerate(self.lines(), start=1)
            right = (text for number, text in lines if number not in self._wrong)
            with usable("write", self.file):
                replace_file(self.file, right)
        return len(self._wrong)

    def open_to_add(self) -> None:
        """Begin to write; what is left of a line that was torn is removed."""
        with self._said_plainly():
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._handle = os.open(self.file, flags, 0o666)
            os.ftruncate(self._handle, self._size)

    def add(self, lines: Sequence[BlockLine]) -> None:
        """Write blocks, and see that they are on the disk; else UnrecordedError.

        Raises UsageError for a block that does not count what those before it count.
        """
        assert self._handle is not None
        for line in lines:
            if not self._is_alike(line):
                raise UsageError(
                    f"{self._named} has blocks of table {line.job} that count other "
                    "things: an earlier deckcheck played them",
                    "Begin another run",
                )
        texts = [written(line, self.start) for line in lines]
        with self._said_plainly():
            try:
                rest = memoryview(b"".join(texts))
                while rest:
                    rest = rest[os.write(self._handle, rest) :]
                os.fsync(self._handle)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(self._handle, self._size)
                raise
        for line, text in zip(lines, texts, strict=True):
            self._note(line, len(text))

    def close(self) -> None:
        """End writing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _stat(self) -> tuple[int, ...]:
        try:
            status = os.stat(self.file)
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns

    @property
    def _named(self) -> str:
        return printable(str(self.file))

    @property
    def _resume(self) -> str:
        return f"deckcheck resume {shlex.quote(str(self.file.parent))}"

    def _places(self, key: Key) -> list[_Place]:
        return self._known[key].places if key in self._known else []

    def _note(self, line: BlockLine, length: int) -> str | None:
        """Add a line to what is known; if it must not be, why not."""
        place = _Place(line.sets, self._count + 1, self._size)
        self._pass_over(length)
        if not self._is_alike(line):
            return OTHER_COUNTS
        known_sets = self._known[Key(line.part, line.job)]
        at = bisect(
            known_sets.places, line.sets.start, key=lambda stretch: stretch.sets.start
        )
        for other in known_sets.places[max(0, at - 1) : at + 1]:
            first = max(other.sets.start, line.sets.start)
            last = min(other.sets.stop, line.sets.stop) - 1
            if first <= last:
                return (
                    f"sets {first} to {last} of table {line.job} are in line "
                    f"{other.number} too"
                )
        known_sets.places.insert(at, place)
        known_sets.tally = line.tally.added_to(known_sets.tally)
        return None

    def _pass_over(self, length: int) -> None:
        self._count += 1
        self._size += length

    def _is_alike(self, line: BlockLine) -> bool:
        """Whether a block counts what those before it count."""
        key = Key(line.part, line.job)
        tally = self._known[key].tally if key in self._known else None
        return tally is None or tally.shape == line.tally.shape

    def _read(self, places: list[_Place]) -> Iterator[BlockLine]:
        """The lines at these places once more."""
        with self._opened() as stream:
            for place in places:
                if stream is not None:
                    stream.seek(place.offset)
                try:
                    text = stream.readline() if stream is not None else b""
                    yield read_line(text, self.start)
                except ValueError:
                    self._wrong = {place.number: DAMAGED}
                    raise self._refusal() from None

    def _refusal(self) -> UsageError:
        """The error for lines that are wrong, which names the first of them."""
        number, fault = next(iter(self._wrong.items()))
        others = len(self._wrong) - 1
        is_one, more = others == 0, plural(others, "line")
        return UsageError(
            f"{self._named}:{number}: {fault}"
            + ("" if is_one else f", and {more} more cannot be used"),
            f"`{self._resume} --mend` plays the games of "
            f"{'this line' if is_one else 'these lines'} again",
        )

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO | None]:
        """The file, None where there is none yet."""
        is_there = os.path.lexists(self.file)
        with (
            usable("read", self.file),
            open_file(self.file) if is_there else nullcontext() as stream,
        ):
            yield stream

    @contextmanager
    def _said_plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UnrecordedError(
                unusable("write", self.file, error).message,
                f"Make room, and `{self._resume}` goes on; nothing that was played "
                "before is lost",
            ) from error


# Consistency of tallies: whether the counts add up as those of played games do.

Row: TypeAlias = list[int]
"""A row of a tally."""
_SUMS = SeatColumns.CARDS_LEFT + 1
"""The first cells of an entrant are the sums of its cells in each seat."""
_ODD = SeatColumns.GAMES_SQUARED
"""The one of them that is not."""


def adds_up(job: Job, sets: int, tally: PackedTally) -> bool:
    """Whether a tally may be that of `sets` sets of a job.

    Above what a kind of study counts of its own, the tally has that of a table.
    """
    if tally.shape != job.table.tally_shape:
        return False
    entrants = job.entrants
    counts = tally.unpacked(rows=1 + (2 + entrants) * entrants)
    left = _balance(entrants) @ counts[1:, :_SUMS]
    left[:, _ODD] = 0
    # Of so few numbers Python's sums are quicker than those of numpy.
    head, *rows = counts[: 1 + 2 * entrants].tolist()
    own = rows[:entrants]
    return (
        _has_games(job, sets, head)
        and sum(row[SeatColumns.GAMES] for row in own) == entrants * head[Head.GAMES]
        and not left.any()
        and _has_winners(entrants, head, own)
        and _has_scores(head, rows)
    )


@cache
def _balance(entrants: int) -> Ints:
    """Weights of the rows below the first whose sums are 0.

    An entrant has the sum of its cells in each seat, a seat that of all entrants in it.
    """
    each, ones = np.eye(entrants, dtype=np.int64), np.ones((1, entrants), np.int64)
    cells = np.concatenate([np.kron(each, ones), np.kron(ones, each)])
    return np.concatenate([np.eye(2 * entrants, dtype=np.int64), -cells], axis=1)


def _has_games(job: Job, sets: int, head: Row) -> bool:
    """Whether there are as many sets and games as there should be.

    Of versions that play the same games a tally may have the first one alone.
    """
    played, games = head[Head.SETS], head[Head.GAMES]
    if min(played, games) <= 0 or played % sets or games % played:
        return False
    rotation = games // played
    is_whole = played * rotation == sets * job.games
    return is_whole or (played == sets and job.games % rotation == 0)


def _has_winners(entrants: int, head: Row, own: Sequence[Row]) -> bool:
    """Whether each game has one winner, or several who share the first place."""
    games, draws = head[Head.GAMES], head[Head.DRAWS]
    shared_games = games - sum(row[SeatColumns.WINS] for row in own)
    shared = sum(row[SeatColumns.SHARED] for row in own)
    least = min(min(row[: SeatColumns.POINTS]) for row in own)
    if least < 0 or not 0 <= draws <= shared_games:
        return False
    # All share the first place of a drawn game, two to all but one that of another.
    others = shared_games - draws
    least = entrants * draws + 2 * others
    most = entrants * draws + max(0, entrants - 1) * others
    return least <= shared <= most


def _has_scores(head: Row, rows: Sequence[Row]) -> bool:
    """Whether each set brought each entrant, and each seat, one sum of shares."""
    counts = [row[SeatColumns.SHARES :] for row in rows]
    return all(sum(own) == head[Head.SETS] and min(own) >= 0 for own in counts)


# A run directory: a study, and the blocks of it that were played.

S_co = TypeVar("S_co", bound=Study[Any, Any], covariant=True)
S = TypeVar("S", bound=Study[Any, Any])
R = TypeVar("R")


class RunDirectory(Generic[S_co]):
    """A folder with `run.json` and `blocks.jsonl`; `kept_open` lets blocks be added."""

    def __init__(self, folder: Path, file: RunFile, study: S_co) -> None:
        self.folder = folder
        self.file = file
        self.study = study
        self.blocks = BlockFile(folder, file.start)
        self.refusal: UsageError | None = None

    @property
    def shard(self) -> Shard | None:
        """The part of the games that is played here; None for all."""
        return read_shard(self.file.shard) if self.file.shard else None

    def part(self, name: str) -> RunPart:
        """The record of one part of the run, for `play_jobs`."""
        # What decides how all go on is measured in each shard.
        shard = None if name == MEASURING else self.shard
        return RunPart(self.blocks, name, shard, self.refusal)

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
                f"{name} has {game_count(before)}, and cannot have {games:,}",
                "Name a greater number, or begin another run",
            )
        if self.shard is not None:
            raise UsageError(
                f"{name} is shard {self.shard}, and cannot be extended alone",
                "Merge all shards, and extend the run that this gives",
            )
        file = replace(self.file, request=question_data(study.spec.question))
        directory = RunDirectory(self.folder, file, study)
        with Lock(self.folder):
            file.write(self.folder)
        return directory

    def run(self: RunDirectory[Study[Any, R]], **options: Unpack[RunOptions]) -> R:
        """Play what is missing; see `Study.run`."""
        with self.kept_open():
            return self.study.run(records=self.part, **options)

    def outcome(self: RunDirectory[Study[Any, R]]) -> R:
        """The result of a study of any kind; UsageError unless it is complete."""
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
        with lock:
            # Another process may have added some before we had the lock.
            if not self.blocks.is_current():
                self.blocks = BlockFile(self.folder, self.file.start)
            try:
                self.blocks.open_to_add()
                yield
            finally:
                self.blocks.close()


SimulationRun: TypeAlias = RunDirectory[Simulation]


class RunPart:
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

    def played(self, job: Job) -> tuple[int, PackedTally | None]:
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
                BlockLine(
                    self._name,
                    block.job.number,
                    range(block.first_set, block.first_set + block.sets),
                    tally,
                )
                for block, tally in played
            ]
        )


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
    with usable("write to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        holds = set(os.listdir(folder)) - {LOCK, draft_of(folder / RUN).name}
    if RUN in holds:
        there = read_run_file(folder)
        _check_same(folder, there, file, study)
        file = replace(file, identity=there.identity)
    elif holds:
        raise UsageError(
            f"{quote(str(folder))} holds files that are not a run",
            "Name an empty folder, or one that does not exist",
        )
    run = RunDirectory(folder, file, study)
    if RUN not in holds:
        with Lock(folder):
            file.write(folder)
    return run


def open_run(
    folder: Path, card_db: Root = None, *, only_read: bool = False
) -> SimulationRun:
    """The simulation in `folder`; UsageError if none is there that can be played here.

    One that is `only_read` may have been played by another engine, or with other cards.
    """
    kinds = {Simulation.KIND: Simulation}
    return cast(SimulationRun, open_study(folder, kinds, card_db, only_read=only_read))


def open_study(
    folder: Path, kinds: Kinds, card_db: Root = None, *, only_read: bool = False
) -> RunDirectory[Study[Any, Any]]:
    """The study of one of these kinds in `folder`, to continue it; see `open_run`."""
    file = read_run_file(folder)
    study = file.study(folder, kinds, card_db, only_read=only_read)
    return RunDirectory(folder, file, study)


def mend_run(folder: Path) -> int:
    """Drop the lines of a run that are damaged; returns how many there were.

    Lines whose sets stand in a line before them are dropped too. Raises UsageError
    where there is no run, and while another process writes it.
    """
    file = read_run_file(folder)
    with Lock(folder):
        return BlockFile(folder, file.start, mends=True).drop_wrong()


def _check_same(
    folder: Path, there: RunFile, spec: RunFile, study: Study[Any, Any]
) -> None:
    name = quote(str(folder))
    differences = list(there.differences(spec))
    if not differences:
        return
    games, wanted = (file.request.get("games") for file in (there, spec))
    only_games = replace(spec, request={**spec.request, "games": games})
    is_same = not list(there.differences(only_games))
    if is_same and games and wanted and wanted > games and _can_have(study, wanted):
        raise UsageError(
            f"{name} has {game_count(games)}, not {wanted:,}",
            f"`deckcheck resume {folder} --games {wanted}` extends it",
        )
    raise UsageError(
        f"{name} holds another run: {differences[0]}",
        f"Name another folder, or continue it: `deckcheck resume {folder}`",
    )


def _can_have(study: Study[Any, Any], games: int) -> bool:
    try:
        study.extended(games)
    except UsageError:
        return False
    return True


# Several run directories become one: shards, or parts that were played apart.

_ONLY_PARTS = "Only parts of the same run can be merged"


def merge_runs(folders: Sequence[Path], into: Path) -> None:
    """Write the blocks of all `folders` into the new run directory `into`.

    The order does not matter; folders of several runs are merged run by run. Raises
    UsageError for runs that differ in more than their shard, saying in what, and for
    games that two of them have.
    """
    series = [runs_of(folder) for folder in folders]
    names = series[0]
    for folder, run in zip(folders, series, strict=True):
        if run != names:
            both = " and ".join(quote(str(path)) for path in (folders[0], folder))
            raise UsageError(f"{both} hold different experiments", _ONLY_PARTS)
    if names is None:
        _merge(folders, into)
        return
    begin_series(into, names)
    for name in names:
        _merge([folder / name for folder in folders], into / name)


def _merge(folders: Sequence[Path], into: Path) -> None:
    files = [read_run_file(folder) for folder in folders]
    whole = replace(files[0], shard=None)
    for folder, file in zip(folders, files, strict=True):
        differences = list(whole.differences(replace(file, shard=None)))
        if differences:
            names = " and ".join(quote(str(path)) for path in (folders[0], folder))
            raise UsageError(
                f"{names} are of different runs: {differences[0]}", _ONLY_PARTS
            )
    pairs = zip(folders, files, strict=True)
    blocks = [BlockFile(folder, file.start) for folder, file in pairs]
    _check_apart(folders, blocks)
    _write(into, whole, _lines(blocks, whole.start))


def missing_shards(folders: Sequence[Path]) -> list[str]:
    """The shards that are in none of the folders, such as `3/8`."""
    runs = [folder / name for folder in folders for name in runs_of(folder) or ("",)]
    present = {file.shard for run in runs if (file := read_run_file(run)).shard}
    shards = {read_shard(shard).shards for shard in present if shard}
    every = [str(Shard(n + 1, count)) for count in shards for n in range(count)]
    return [shard for shard in every if shard not in present]


def _check_apart(folders: Sequence[Path], blocks: Sequence[BlockFile]) -> None:
    """Refuse games that are in two folders; what was measured is the same in all."""
    owners: dict[Key, list[tuple[range, Path]]] = defaultdict(list)
    for folder, file in zip(folders, blocks, strict=True):
        for key in file.jobs():
            if key.part != MEASURING:
                owners[key] += [(sets, folder) for sets in file.sets(key)]
    for owner in owners.values():
        owner.sort(key=lambda line: (line[0].start, line[0].stop))
        for (before, one), (after, other) in pairwise(owner):
            if after.start < before.stop:
                names = " and ".join(quote(str(folder)) for folder in (one, other))
                raise UsageError(
                    f"{names} have the same games: sets {after.start} to "
                    f"{min(before.stop, after.stop) - 1} of a table are in both",
                    "Leave one of them out",
                )


def _lines(blocks: Sequence[BlockFile], start: int) -> Iterator[bytes]:
    """The lines of all files; of what each has measured, those of the most complete.

    Their CRCs begin with `start`, that of the run which they now belong to.
    """
    measured = [
        sum(len(s) for key in f.jobs() if key.part == MEASURING for s in f.sets(key))
        for f in blocks
    ]
    best = measured.index(max(measured))
    for number, file in enumerate(blocks):
        for text in file.lines():
            line = read_line(text, file.start)
            if number == best or line.part != MEASURING:
                yield written(line, start)


def _write(into: Path, file: RunFile, lines: Iterator[bytes]) -> None:
    """Make the folder, whole or not at all."""
    with usable("write", into):
        if os.path.lexists(into) and (not os.path.isdir(into) or os.listdir(into)):
            name = quote(str(into))
            raise UsageError(
                f"{name} is there already", "Name a folder that does not exist"
            )
        into.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{into.name}.", dir=into.parent))
        try:
            draft.chmod(0o777 & ~_umask())
            replace_file(draft / BLOCKS, lines)
            file.write(draft)
            if os.path.isdir(into):
                os.rmdir(into)  # which is empty; Windows puts no folder in its place
            os.replace(draft, into)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise


def _umask() -> int:
    """What the user's new files keep from others."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
