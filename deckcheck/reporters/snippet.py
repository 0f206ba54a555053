"""Source lines with carets under what a finding is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckcheck.findings import Span
from deckcheck.findings.columns import width
from deckcheck.findings.words import printable

__all__ = ["Mark", "draw", "split_lines"]

TAB = "    "
WIDEST = 100
CONTEXT = 20
CUT = "..."


@dataclass(frozen=True, slots=True)
class Mark:
    """What to underline: with carets for the finding itself, else with dashes."""

    span: Span
    label: str
    is_primary: bool


def split_lines(text: str) -> list[str]:
    """The lines of a text as positions count them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def draw(
    lines: Sequence[str], marks: Sequence[Mark]
) -> Iterator[tuple[int | None, str, Mark | None]]:
    """The marked lines in order: number, text, None; then None, underline, mark.

    `...` stands for left-out lines. Tabs are spread to spaces, control characters
    escaped, long lines cut around the mark.
    """
    last = None
    for mark in sorted(marks, key=lambda mark: (mark.span, not mark.is_primary)):
        number = mark.span.start.line
        if number > len(lines):
            continue
        source = lines[number - 1]
        start = min(mark.span.start.column - 1, len(source))
        end = len(source)
        if mark.span.end.line == number:
            end = min(max(mark.span.end.column - 1, start), end)
        before, marked, after = _window(source, start, end)
        if number != last:
            if last is not None and number > last + 1:
                yield None, CUT, None
            yield number, before + marked + after, None
        last = number
        sign = "^" if mark.is_primary else "-"
        underline = " " * width(before) + sign * max(width(marked), 1)
        yield None, f"{underline} {mark.label}".rstrip(), mark


def _window(source: str, start: int, end: int) -> tuple[str, str, str]:
    """What to show of a line: before, inside and after the marked stretch."""
    head, tail = "", ""
    if len(source) > WIDEST:
        if start > WIDEST // 2:
            cut = start - CONTEXT
            source, start, end, head = source[cut:], start - cut, end - cut, CUT
        if len(source) > WIDEST:
            source, tail = source[:WIDEST], CUT
            end = min(end, WIDEST)
    parts = (source[:start], source[start:end], source[end:])
    before, marked, after = (printable(part.replace("\t", TAB)) for part in parts)
    return head + before, marked, after + tail
