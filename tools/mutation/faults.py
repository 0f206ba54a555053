"""Faults that once went unnoticed, put in again one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tools.mutation.running import Copy, Outcome, is_compiled

__all__ = ["FAULTS", "Fault", "read_faults", "try_faults"]

FAULTS = Path(__file__).parent / "faults.yaml"
SECONDS = 900
"""The limit of one run, of CPU."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one file: `old`, which it has exactly once, becomes `new`.

    `effect` is what a user would see, `tests` are the test files that notice.
    """

    name: str
    file: str
    old: str
    new: str
    effect: str
    tests: list[str]

    def apply(self, source: bytes) -> bytes:
        """The text of the file with the fault.

        Raises ValueError when the file does not have `old` exactly once.
        """
        count = source.count(self.old.encode())
        if count != 1:
            raise ValueError(f"`old` is in {self.file} {count} times, not once")
        return source.replace(self.old.encode(), self.new.encode())


def read_faults(path: Path = FAULTS) -> list[Fault]:
    """The faults of a file."""
    return [Fault(**entry) for entry in yaml.safe_load(path.read_text("utf-8"))]


def try_faults(faults: Sequence[Fault], copy: Copy) -> Iterator[tuple[Fault, Outcome]]:
    """Run the tests of each fault, after all of them without any.

    A fault that cannot be put in has the result "not found". Raises SystemExit when
    tests fail without a fault, since then they say nothing.
    """
    for uncompiled in (False, True):
        tests = {
            test
            for fault in faults
            for test in fault.tests
            if is_compiled(fault.file) is uncompiled
        }
        copy.check_passing(sorted(tests), SECONDS, uncompiled)
    for fault in faults:
        try:
            text = fault.apply(copy.read(fault.file))
        except ValueError as error:
            yield fault, Outcome("not found", str(error), 0.0)
        else:
            mutant = (fault.file, text)
            yield (
                fault,
                copy.test(fault.tests, SECONDS, mutant, is_compiled(fault.file)),
            )
