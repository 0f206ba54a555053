"""The finished blocks of a run directory: `blocks.jsonl`, to which lines are added.

Kept in memory are the sum of each job and the places of its lines: their number grows
with the run, not their tallies.
"""

from __future__ import annotations

import os
import shlex
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.files import open_file, unusable
from deckcheck.findings.words import plural, printable
from deckcheck.playing.tally import Ints
from deckcheck.sim.errors import UnrecordedError
from deckcheck.sim.jobs.tallies import PackedTally
from deckcheck.sim.runs.documents import replace_file
from deckcheck.sim.runs.lines import Line, read_line, written

BLOCKS = "blocks.jsonl"
OTHER_COUNTS = "this line counts other things than those before it"


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
    """What is known of one job: the places of its lines by their sets, and the sum."""

    def __init__(self) -> None:
        self.places: list[_Place] = []
        self.tally: PackedTally | None = None


class BlockFile:
    """The blocks of a folder as they are now, and those that are added.

    A last line that was not written to its end is passed over. Raises UsageError where
    another line is damaged, or has sets that stand in a line before it; with `mends`
    such lines are left out.
    """

    def __init__(self, folder: Path, *, mends: bool = False) -> None:
        self.file = folder / BLOCKS
        self._known: dict[Key, _Known] = defaultdict(_Known)
        self._handle: int | None = None
        self._size = self._count = 0
        self._wrong: dict[int, str] = {}
        self._state = self._stat()
        for text in self.lines():
            try:
                fault = self._note(read_line(text), len(text))
            except ValueError:
                fault = "this line is damaged"
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

    def tally(self, key: Key, end: int) -> Ints | None:
        """The sum over the blocks of a job that end with set `end - 1` or before."""
        places = self._places(key)
        if all(place.sets.stop <= end for place in places):
            packed = self._known[key].tally if places else None
            return None if packed is None else packed.unpacked()
        total: Ints | None = None
        for line in self._read([place for place in places if place.sets.stop <= end]):
            total = line.tally if total is None else total + line.tally
        return total

    def refusal(self, key: Key, is_right: Callable[[Line], bool]) -> UsageError:
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
            try:
                replace_file(self.file, right)
            except OSError as error:
                raise unusable("write", self.file, error) from None
        return len(self._wrong)

    def open_to_add(self) -> None:
        """Begin to write; what is left of a line that was torn is removed."""
        with self._said_plainly():
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._handle = os.open(self.file, flags, 0o666)
            os.ftruncate(self._handle, self._size)

    def add(self, lines: Sequence[Line]) -> None:
        """Write blocks, and see that they are on the disk; else UnrecordedError.

        Raises UsageError for a block that counts other things than those before.
        """
        assert self._handle is not None
        for line in lines:
            if not self._is_alike(line):
                raise UsageError(
                    f"{self._named} has blocks of table {line.job} that count other "
                    "things: an earlier deckcheck played them",
                    "Begin another run",
                )
        texts = [written(line) for line in lines]
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

    def _note(self, line: Line, length: int) -> str | None:
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
        before = known_sets.tally
        total = line.tally if before is None else before.unpacked() + line.tally
        known_sets.tally = PackedTally.of(total)
        return None

    def _pass_over(self, length: int) -> None:
        self._count += 1
        self._size += length

    def _is_alike(self, line: Line) -> bool:
        """Whether a block counts what those before it count."""
        key = Key(line.part, line.job)
        tally = self._known[key].tally if key in self._known else None
        return tally is None or tally.shape == line.tally.shape

    def _read(self, places: list[_Place]) -> Iterator[Line]:
        """The lines at these places once more."""
        with self._opened() as stream:
            for place in places:
                if stream is not None:
                    stream.seek(place.offset)
                try:
                    yield read_line(stream.readline() if stream is not None else b"")
                except ValueError:
                    self._wrong = {place.number: "this line is damaged"}
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
        try:
            is_there = os.path.lexists(self.file)
            with open_file(self.file) if is_there else nullcontext() as stream:
                yield stream
        except OSError as error:
            raise unusable("read", self.file, error) from None

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
