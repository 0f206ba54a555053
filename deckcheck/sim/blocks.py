"""The finished blocks of a run, in memory and in `blocks.jsonl`."""

from __future__ import annotations

import json
import os
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from math import prod
from pathlib import Path
from sys import intern
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from deckcheck.files import open_file, unusable, usable
from deckcheck.findings import UsageError
from deckcheck.messages import plural, printable
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.jobs import Block, Job, SetPlayer
from deckcheck.sim.playing_blocks import PackedTally
from deckcheck.sim.run_files import (
    replace_file,
    resume_command,
    with_crc,
    without_crc,
)

# What a job plays, as a short text.


class Key(NamedTuple):
    """A job by its number, the part of the run that it belongs to, and its table.

    `table` is the fingerprint of the table where the number alone does not name it.
    """

    part: str
    job: int
    table: str = ""


DIGEST_BYTES = 8


def fingerprint_table(table: SetPlayer) -> str:
    """Return a fingerprint of all that decides the games at a table, but the seed.

    Equal tables have the same fingerprint in every process, however they were made.
    """
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in _flatten(table):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _flatten(value: object) -> Iterator[bytes]:
    """Yield a value as bytes, nested values in order, groups with type and size."""
    if isinstance(value, bytes):
        yield value
    elif value is None or isinstance(value, str | int | float):
        yield repr(value).encode()
    elif is_dataclass(value):
        yield type(value).__qualname__.encode()
        for each in fields(value):
            yield from _flatten(getattr(value, each.name))
    elif isinstance(value, Mapping):
        yield b"mapping %d" % len(value)
        for item in value.items():
            yield from _flatten(item)
    elif isinstance(value, frozenset):
        yield from _flatten(sorted(value, key=repr))
    elif isinstance(value, Sequence):
        yield b"sequence %d" % len(value)
        for element in value:
            yield from _flatten(element)
    else:
        raise TypeError(f"no fingerprint of a {type(value).__qualname__}")


# A finished block as a line.
#
# A tally is mostly zeros where several sit at a table, so that only the other cells are
# written: how many zeros stand before each of them, and its value.


class BlockLine(NamedTuple):
    """The sets `sets` of a job, and their tally."""

    key: Key
    sets: range
    tally: PackedTally


def write_line(line: BlockLine, start: int) -> bytes:
    """Return the line with its end and its CRC, which begins with `start`, the run's.

    `read_line` returns the block again.
    """
    places, cells = line.tally.pairs()
    pairs = np.stack([places, cells], axis=1)
    pairs[1:, 0] -= places[:-1] + 1  # the zeros since the cell before
    data = {
        **line.key._asdict(),
        "first": line.sets.start,
        "sets": len(line.sets),
        "shape": line.tally.shape,
        "cells": pairs.ravel().tolist(),
    }
    return with_crc(_COMPACT_ENCODER.encode(data).encode() + b"\n", start)


_COMPACT_ENCODER = json.JSONEncoder(separators=(",", ":"))


def read_line(text: bytes, start: int) -> BlockLine:
    """Return the block of a line of the run. Raises ValueError if its CRC is wrong."""
    data = json.loads(without_crc(text, start))
    pairs = np.array(data["cells"], np.int64).reshape(-1, 2)
    places = np.cumsum(pairs[:, 0] + 1) - 1
    tally = PackedTally.at(tuple(data["shape"]), places, pairs[:, 1])
    if len(places) and places[-1] >= prod(tally.shape):
        raise ValueError("a cell that is not there")
    sets = range(data["first"], data["first"] + data["sets"])
    key = Key(intern(data["part"]), data["job"], intern(data["table"]))
    return BlockLine(key, sets, tally)


# The memory of a run for its blocks: none, or a run directory.

MAIN_PART = "games"
"""The part of a run that all other parts lead up to."""

MEASURING_PART = "measuring"
"""The part in which decks of lineups are measured against each other."""

Played: TypeAlias = Sequence[tuple[Block, PackedTally]]
"""Blocks, with their tallies."""


class BlockRecord(Protocol):
    """Remembers the blocks of some jobs, which differ in their numbers."""

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Return how many sets of `job` were played before, and their tally."""

    def missing(self, job: Job) -> list[range]:
        """Return the missing sets of `job`, in order and without overlap."""

    def add(self, played: Played) -> None:
        """Record finished blocks. Raises SimulationError if it cannot."""


Records: TypeAlias = Callable[[str], BlockRecord]
"""Gives the record of a part of a run, by its name."""


class Unrecorded:
    """Remembers no blocks, so that all sets are played."""

    def find_played(self, job: Job) -> tuple[int, PackedTally | None]:
        """Return that no set was played."""
        return 0, None

    def missing(self, job: Job) -> list[range]:
        """Return all sets of `job`."""
        return [range(job.sets)]

    def add(self, played: Played) -> None:
        """Do nothing."""


def find_gaps(wanted: range, played: Sequence[range]) -> list[range]:
    """Return the ranges of `wanted` that `played`, which is in order, leaves out."""
    stretches, start = [], wanted.start
    for sets in played:
        stretches.append(range(start, min(sets.start, wanted.stop)))
        start = max(start, sets.stop)
    stretches.append(range(start, wanted.stop))
    return [sets for sets in stretches if sets]


# The blocks of a run, in memory and in its file.


class Blocks:
    """The blocks of a run in memory: in order and without overlap for each job."""

    def __init__(self) -> None:
        self._blocks: dict[Key, list[BlockLine]] = {}

    def jobs(self) -> list[Key]:
        """Return every job that has blocks."""
        return sorted(self._blocks)

    def sets(self, key: Key) -> list[range]:
        """Return the sets of a job that were played, in order."""
        return [block.sets for block in self._blocks.get(key, ())]

    def tally(self, key: Key, end: int) -> PackedTally | None:
        """Return the sum of the blocks of a job whose sets are all before set `end`."""
        total: PackedTally | None = None
        for block in self._blocks.get(key, ()):
            if block.sets.stop <= end:
                total = block.tally.added_to(total)
        return total

    def add(self, lines: Sequence[BlockLine]) -> None:
        """Take blocks, which replace any blocks with some of the same sets.

        A shorter and a longer question cut sets in different places.
        """
        for line in lines:
            for block in self._find_overlapping(line):
                self._blocks[line.key].remove(block)
            self._insert(line)

    def _find_overlapping(self, line: BlockLine) -> list[BlockLine]:
        """Return the blocks of the same job that share sets with this block."""
        blocks = self._blocks.get(line.key, [])
        first = self._place(blocks, line.sets.start)
        end = self._place(blocks, line.sets.stop - 1)
        near = blocks[max(0, first - 1) : end]
        return [block for block in near if block.sets.stop > line.sets.start]

    def _insert(self, line: BlockLine) -> None:
        blocks = self._blocks.setdefault(line.key, [])
        blocks.insert(self._place(blocks, line.sets.start), line)

    @staticmethod
    def _place(blocks: Sequence[BlockLine], first_set: int) -> int:
        """Return how many blocks begin at `first_set` or before it."""
        return bisect(blocks, first_set, key=lambda block: block.sets.start)


BLOCKS_FILE = "blocks.jsonl"
OTHER_COUNTS = "this line does not count the same things as those before it"
DAMAGED_LINE = "this line is damaged, or is of another run"


class BlockFile(Blocks):
    """The blocks of a folder as they are now, and further blocks as they are added.

    `start` is the start of the CRCs of the run. An incomplete last line is ignored.
    Raises UsageError if another line is damaged, belongs to another run, or repeats
    sets of an earlier line. With `repairs` such lines are left out instead.
    """

    def __init__(self, folder: Path, start: int, *, repairs: bool = False) -> None:
        super().__init__()
        self.file = folder / BLOCKS_FILE
        self.start = start
        self._in_file: dict[Key, list[range]] = {}
        self._size = 0
        self._faults: dict[int, str] = {}
        self._handle: int | None = None
        for number, text in enumerate(self.lines(), start=1):
            self._size += len(text)
            fault = self._take_line(text)
            if fault is not None:
                self._faults[number] = fault
        if self._faults and not repairs:
            raise self._refuse_faults()

    def lines(self) -> Iterator[bytes]:
        """Yield all whole lines of the file as they are."""
        if os.path.lexists(self.file):
            with usable("read", self.file), open_file(self.file) as stream:
                yield from (text for text in stream if text.endswith(b"\n"))

    def drop_faults(self) -> int:
        """Write the file again without the lines left out, and return their number."""
        if self._faults:
            numbered = enumerate(self.lines(), start=1)
            lines = [text for number, text in numbered if number not in self._faults]
            with usable("write", self.file):
                replace_file(self.file, lines)
            self._size = sum(map(len, lines))
        return len(self._faults)

    def open_to_add(self) -> None:
        """Begin to write, and remove an incomplete last line."""
        with self._name_disk_errors():
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._handle = os.open(self.file, flags, 0o666)
            os.ftruncate(self._handle, self._size)

    def add(self, lines: Sequence[BlockLine]) -> None:
        """Take blocks, and write those whose sets are not in the file.

        Raises UnrecordedError where a block cannot be written.
        """
        assert self._handle is not None
        new = [line for line in lines if not self._is_in_file(line)]
        self._append(self._handle, new)
        super().add(lines)
        for line in new:
            self._in_file.setdefault(line.key, []).append(line.sets)

    def close(self) -> None:
        """End writing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _append(self, handle: int, lines: Sequence[BlockLine]) -> None:
        """Write lines to the end of the file, all of them or none."""
        text = b"".join(write_line(line, self.start) for line in lines)
        with self._name_disk_errors():
            try:
                rest = memoryview(text)
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.fsync(handle)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(handle, self._size)
                raise
        self._size += len(text)

    def _take_line(self, text: bytes) -> str | None:
        """Take the block of a line, or return why it cannot be used."""
        try:
            line = read_line(text, self.start)
        except ValueError:
            return DAMAGED_LINE
        blocks = self._blocks.get(line.key)
        if blocks and blocks[0].tally.shape != line.tally.shape:
            return OTHER_COUNTS
        for block in self._find_overlapping(line):
            first = max(block.sets.start, line.sets.start)
            last = min(block.sets.stop, line.sets.stop) - 1
            return (
                f"sets {first} to {last} of table {line.key.job} are in a line before "
                "it too"
            )
        self._insert(line)
        self._in_file.setdefault(line.key, []).append(line.sets)
        return None

    def _is_in_file(self, line: BlockLine) -> bool:
        """Report whether a line of the file has some of the same sets."""
        return any(
            sets.start < line.sets.stop and line.sets.start < sets.stop
            for sets in self._in_file.get(line.key, ())
        )

    def _refuse_faults(self) -> UsageError:
        """Return the error that names the first line that cannot be used."""
        number, fault = next(iter(self._faults.items()))
        position = f"{printable(str(self.file))}:{number}"
        command = f"`{self._resume_command} --repair`"
        others = len(self._faults) - 1
        if others == 0:
            return UsageError(
                f"{position}: {fault}", f"{command} plays the games of this line again"
            )
        return UsageError(
            f"{position}: {fault}, and {plural(others, 'line')} more cannot be used",
            f"{command} plays the games of these lines again",
        )

    @property
    def _resume_command(self) -> str:
        return resume_command(self.file.parent)

    @contextmanager
    def _name_disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UnrecordedError(
                unusable("write", self.file, error).message,
                f"Make room, and `{self._resume_command}` goes on; nothing that was "
                "played before is lost",
            ) from error
