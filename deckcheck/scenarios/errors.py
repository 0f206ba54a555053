"""Faults of a scenario file, and reasons why a move is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.findings.documents import Location
from deckcheck.findings.errors import UsageError
from deckcheck.findings.finding import Span
from deckcheck.findings.words import joined


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at one place of a scenario file; `help` is the remedy or None."""

    path: str
    span: Span
    message: str
    help: str | None = None

    def __str__(self) -> str:
        start = self.span.start
        return f"{self.path}:{start.line}:{start.column}: {self.message}"


class ScenarioError(UsageError):
    """Scenario files that are missing or wrong; one line for each fault."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        helps = (fault.help for fault in faults)
        super().__init__("\n".join(map(str, faults)), joined(helps))


class BadPosition(ValueError):
    """A scenario that reads well but cannot be set up or played.

    `location` leads to the value in the file.
    """

    def __init__(
        self, location: Location, message: str, help: str | None = None
    ) -> None:
        super().__init__(message)
        self.location = location
        self.message = message
        self.help = help


class Refused(BadPosition):
    """A move or a choice that the rules forbid; `reason` says why, if it is known."""

    def __init__(
        self,
        location: Location,
        what: str,
        reason: str | None,
        help: str | None = None,
    ) -> None:
        super().__init__(location, f"{what}: {reason}" if reason else what, help)
        self.reason = reason


class Unclear(BadPosition):
    """A move that leaves something open: a row, a choice, the outcome of chance."""
