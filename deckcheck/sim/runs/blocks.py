"""The finished blocks of a run directory: `blocks.jsonl`, to which lines are added.

Kept in memory are the sum of each job and the places of its lines: their number grows
with the run, not their tallies.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.reads import note_read
from deckcheck.findings.words import printable, quote
from deckcheck.playing.tally import Ints
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.runs.lines import Line, read_line, written

__all__ = ["BLOCKS", "BlockFile", "Key"]

BLOCKS = "blocks.jsonl"


class Key(NamedTuple):
    """A job by its number, and the part of the run that it belongs to."""

    part: str
    job: int


class _Place(NamedTuple):
    """Where the line of some sets begins in the file."""

    sets: range
    offset: int


class _Known:
    """What is known of one job."""

    def __init__(self) -> None:
        self.places: list[_Place] = []
        self.tally: Ints | None = None


class BlockFile:
    """The blocks of a folder as they are now, and those that are added.

    A last line that was not written to its end is passed over. Raises UsageError for
    any other line that is damaged, and for sets that stand there twice.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / BLOCKS
        self._known: dict[Key, _Known] = defaultdict(_Known)
        self._handle: int | None = None
        self._size = 0
        for number, text in enumerate(self.lines(), start=1):
            try:
                line = read_line(text)
            except ValueError:
                raise UsageError(
                    f"{printable(str(self.file))}:{number}: this line is damaged",
                    "Delete this line, and its games are played again",
                ) from None
            self._note(line, len(text))
        for key in self._known:
            self._check_apart(key)

    def lines(self) -> Iterator[bytes]:
        """All whole lines as they stand in the file."""
        note_read(self.file)
        with suppress(FileNotFoundError), open(self.file, "rb") as stream:
            for text in stream:
                if text.endswith(b"\n"):
                    yield text

    def jobs(self) -> list[Key]:
        """Every job of which there are blocks."""
        return sorted(self._known)

    def sets(self, key: Key) -> list[range]:
        """The sets of a job that were played, in order."""
        places = self._known[key].places if key in self._known else ()
        return sorted((p.sets for p in places), key=lambda sets: sets.start)

    def tally(self, key: Key, end: int) -> Ints | None:
        """The sum over the blocks of a job that end with set `end - 1` or before."""
        if key not in self._known:
            return None
        known = self._known[key]
        if all(place.sets.stop <= end for place in known.places):
            return known.tally
        total: Ints | None = None
        with open(self.file, "rb") as stream:
            for place in known.places:
                if place.sets.stop <= end:
                    stream.seek(place.offset)
                    tally = read_line(stream.readline()).tally
                    total = tally if total is None else total + tally
        return total

    def open_to_add(self) -> None:
        """Begin to write; what is left of a line that was torn is removed."""
        with self._said_plainly():
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._handle = os.open(self.file, flags, 0o666)
            os.ftruncate(self._handle, self._size)

    def add(self, line: Line) -> None:
        """Write a block, and see that it is on the disk; else UnrecordedError.

        Raises UsageError for a block that counts other things than those before.
        """
        assert self._handle is not None
        self._check_alike(line)
        text = written(line)
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
        self._note(line, len(text))

    def close(self) -> None:
        """End writing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _check_apart(self, key: Key) -> None:
        """Refuse sets that are counted twice."""
        for before, after in pairwise(self.sets(key)):
            if after.start < before.stop:
                raise UsageError(
                    f"{printable(str(self.file))} has sets {after.start} to "
                    f"{min(before.stop, after.stop) - 1} of table {key.job} twice",
                    "Delete one of the lines, and what is missing is played again",
                )

    def _check_alike(self, line: Line) -> None:
        """Refuse to add up blocks that count different things."""
        key = Key(line.part, line.job)
        known = self._known[key].tally if key in self._known else None
        if known is not None and known.shape != line.tally.shape:
            raise UsageError(
                f"{printable(str(self.file))} has blocks of table {line.job} that "
                "count different things: an earlier deckcheck played some of them",
                "`deckcheck report` shows what that one played; begin another run",
            )

    def _note(self, line: Line, length: int) -> None:
        self._check_alike(line)
        known = self._known[Key(line.part, line.job)]
        known.places.append(_Place(line.sets, self._size))
        known.tally = line.tally if known.tally is None else known.tally + line.tally
        self._size += length

    @contextmanager
    def _said_plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UnrecordedError(
                f"Cannot write {quote(str(self.file))}: {reason}",
                f"Make room, and `deckcheck resume {self.file.parent}` goes on; "
                "nothing that was played before is lost",
            ) from error
