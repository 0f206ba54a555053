"""The finished blocks of a run: `blocks.jsonl`, to which lines are added."""

from __future__ import annotations

import json
import os
import shlex
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from sys import intern
from typing import NamedTuple

import numpy as np

from deckcheck.files import open_file, unusable, usable
from deckcheck.findings import UsageError
from deckcheck.messages import plural, printable
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.jobs import PackedTally
from deckcheck.sim.run_files import replace_file, with_crc, without_crc

# A finished block as a line.
#
# A tally is mostly zeros where several sit at a table, so that only the other cells are
# written: how many zeros stand before each of them, and its value.


class Key(NamedTuple):
    """A job by its number, and the part of the run that it belongs to."""

    part: str
    job: int


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


_ENCODER = json.JSONEncoder(separators=(",", ":"))


def read_line(line: bytes, start: int) -> BlockLine:
    """The block of a line of the run; raises ValueError for one whose CRC is wrong."""
    data = json.loads(without_crc(line, start))
    pairs = np.array(data["cells"], np.int64).reshape(-1, 2)
    at = np.cumsum(pairs[:, 0] + 1) - 1
    tally = PackedTally.at(tuple(data["shape"]), at, pairs[:, 1])
    if len(at) and at[-1] >= prod(tally.shape):
        raise ValueError("a cell that is not there")
    sets = range(data["first"], data["first"] + data["sets"])
    return BlockLine(intern(data["part"]), data["job"], sets, tally)


# All blocks of a folder

BLOCKS = "blocks.jsonl"
OTHER_COUNTS = "this line does not count the same things as those before it"
DAMAGED = "this line is damaged, or is of another run"


class BlockFile:
    """The blocks of a folder as they are now, and those that are added.

    `start` is that of the CRCs of the run. A last line that was not written to its end
    is passed over. Raises UsageError where another line is damaged, is of another run,
    or has sets that stand in a line before it; with `mends` such lines are left out.
    """

    def __init__(self, folder: Path, start: int, *, mends: bool = False) -> None:
        self.file = folder / BLOCKS
        self.start = start
        self._blocks: dict[Key, list[BlockLine]] = {}
        self._size = 0
        self._wrong: dict[int, str] = {}
        self._handle: int | None = None
        for number, text in enumerate(self.lines(), start=1):
            self._size += len(text)
            try:
                fault = self._keep(read_line(text, start))
            except ValueError:
                fault = DAMAGED
            if fault is not None:
                self._wrong[number] = fault
        if self._wrong and not mends:
            raise self._refusal()

    def lines(self) -> Iterator[bytes]:
        """All whole lines as they stand in the file."""
        if os.path.lexists(self.file):
            with usable("read", self.file), open_file(self.file) as stream:
                yield from (text for text in stream if text.endswith(b"\n"))

    def jobs(self) -> list[Key]:
        """Every job that has blocks."""
        return sorted(self._blocks)

    def sets(self, key: Key) -> list[range]:
        """The sets of a job that were played, in order."""
        return [block.sets for block in self._blocks.get(key, ())]

    def tally(self, key: Key, end: int) -> PackedTally | None:
        """The sum over the blocks of a job that end with set `end - 1` or before."""
        total: PackedTally | None = None
        for block in self._blocks.get(key, ()):
            if block.sets.stop <= end:
                total = block.tally.added_to(total)
        return total

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
        text = b"".join(written(line, self.start) for line in lines)
        with self._said_plainly():
            try:
                rest = memoryview(text)
                while rest:
                    rest = rest[os.write(self._handle, rest) :]
                os.fsync(self._handle)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(self._handle, self._size)
                raise
        self._size += len(text)
        for line in lines:
            self._keep(line)

    def close(self) -> None:
        """End writing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @property
    def _named(self) -> str:
        return printable(str(self.file))

    @property
    def _resume(self) -> str:
        return f"deckcheck resume {shlex.quote(str(self.file.parent))}"

    def _keep(self, line: BlockLine) -> str | None:
        """Take a block to those of its job, in order; if it must not be, why not."""
        if not self._is_alike(line):
            return OTHER_COUNTS
        own = self._blocks.setdefault(Key(line.part, line.job), [])
        at = bisect(own, line.sets.start, key=lambda block: block.sets.start)
        for other in own[max(0, at - 1) : at + 1]:
            first = max(other.sets.start, line.sets.start)
            last = min(other.sets.stop, line.sets.stop) - 1
            if first <= last:
                return (
                    f"sets {first} to {last} of table {line.job} are in a line before "
                    "it too"
                )
        own.insert(at, line)
        return None

    def _is_alike(self, line: BlockLine) -> bool:
        """Whether a block counts what those before it count."""
        own = self._blocks.get(Key(line.part, line.job))
        return not own or own[0].tally.shape == line.tally.shape

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
    def _said_plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UnrecordedError(
                unusable("write", self.file, error).message,
                f"Make room, and `{self._resume}` goes on; nothing that was played "
                "before is lost",
            ) from error
