"""A finding: a remark about one place of one deck."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


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
    """A stretch of text; `end` is the position just behind the last character."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding, and why."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: what is wrong, where, by which rule, and what to do about it.

    `code` (`DL102`) and `name` (`too-many-copies`) identify the rule and are never
    reused. `message` is one sentence with the numbers found and allowed; `notes` say
    which rule of which format from which file; `help` is the remedy.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    span: Span
    notes: tuple[str, ...] = ()
    help: str | None = None
    related: tuple[Related, ...] = ()
