"""Findings: a remark about one place of one text, its rule, and errors of users."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

# Lines as every position counts them: whatever editors and emails end a line with

LINE_END = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")


def split_lines(text: str) -> list[str]:
    """Return the lines of a text as positions count them."""
    return LINE_END.split(text)


# The errors a user can cause: each ends in one sentence on stderr and exit code 2.
#
#     UsageError            an option, the configuration, no such file, unknown format
#         DatabaseError     a defect in a card database (deckcheck.cards)
#         FormatError       a defect in a format file (deckcheck.formats)
#         ScenarioError     a defect in a scenario file (deckcheck.scenarios)
#
# A broken deck is not an error: it is a list of findings.


class UsageError(Exception):
    """A usage error, with its remedy in `help`.

    `message` is one sentence without a full stop; `help` is the remedy or None. The
    command line shows both on stderr and ends with exit code 2.
    """

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        """Return the message and the remedy, as a traceback shows them."""
        return self.message if self.help is None else f"{self.message}. {self.help}"

    def __reduce__(self) -> tuple[type[UsageError], tuple[str, str | None]]:
        return type(self), (self.message, self.help)


# A finding: a remark about one place of one deck


class Severity(StrEnum):
    """How much a finding weighs; an error makes a deck illegal."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


# Named tuples: made by the hundred thousand, ordered, and quick to define at start-up.
class Position(NamedTuple):
    """A place in a text: line and column in characters, both counted from 1."""

    line: int
    column: int


class Span(NamedTuple):
    """A stretch of text; `end` is the position just after the last character."""

    start: Position
    end: Position


START = Span(Position(1, 1), Position(1, 1))
"""Where a finding points that is about a whole text."""


def on_line(line: int, start: int, end: int) -> Span:
    """Return the stretch between two columns of a line."""
    return Span(Position(line, start), Position(line, end))


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding, and why."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: the mistake, its place, its rule, and the remedy."""

    code: str
    """The code of the rule, such as `DL102`, which is never reused."""
    name: str
    """The name of the rule, such as `too-many-copies`, which is never reused."""
    severity: Severity
    message: str
    """One sentence with the numbers found and allowed."""
    path: str
    span: Span
    notes: tuple[str, ...] = ()
    """The rule of a format, and its file."""
    help: str | None = None
    """The remedy."""
    related: tuple[Related, ...] = ()
    excess: int = field(default=0, compare=False)
    """How many cards or points the deck is away from the limit, if they count."""

    @property
    def place(self) -> str:
        """`siege.deck:3:1`; the path is as the system has it, see `printable`."""
        start = self.span.start
        return f"{self.path}:{start.line}:{start.column}"

    @property
    def kind(self) -> str:
        """`error[DL102]`."""
        return f"{self.severity}[{self.code}]"


# The one order in which findings are shown


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings by file, line, column, code: equal input gives equal bytes."""
    return tuple(sorted(findings, key=_order_key))


def _order_key(finding: Finding) -> tuple[str, int, int, str, str]:
    start = finding.span.start
    return finding.path, start.line, start.column, finding.code, finding.message


# A kind of finding


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding; `deckcheck.rules.explain` says what `deckcheck rule` shows.

    `name` is read after the word "allow": allow `too-many-copies`.
    """

    code: str
    name: str
    summary: str
    severity: Severity = Severity.ERROR

    @property
    def family(self) -> str:
        """The first letters of the code, which say what it is about."""
        return self.code[:2]

    @property
    def about(self) -> str:
        """What has the finding: `deck`, `event` or `plan`."""
        return {"DE": "event", "DW": "plan"}.get(self.family, "deck")

    @property
    def example(self) -> str:
        """What its examples are, to begin a sentence with: `A deck`."""
        return f"{'An' if self.about == 'event' else 'A'} {self.about}"

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        notes: Iterable[str] = (),
        help: str | None = None,
        related: Iterable[Related] = (),
        severity: Severity | None = None,
        excess: int = 0,
    ) -> Finding:
        """Make a finding of this kind, by default with the severity of its rule."""
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            message=message,
            path=path,
            span=span,
            notes=tuple(notes),
            help=help,
            related=tuple(related),
            excess=excess,
        )
