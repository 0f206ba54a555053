"""The page to publish as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from deckcheck.events.event import Event
from deckcheck.events.page import allowed, format_line, rows_of
from deckcheck.events.verdicts import count
from deckcheck.findings import Finding
from deckcheck.findings.style import PLAIN, Style
from deckcheck.reporters.markdown import code_span, plain_text

__all__ = ["write_markdown"]


def write_markdown(
    event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write title, format, a table of players, what is wrong, and what is legal."""
    stream.writelines(f"{line}\n" for line in _lines(event))


def _lines(event: Event) -> Iterator[str]:
    yield f"# {plain_text(event.file.name)}"
    yield f"\n{plain_text(event.file.date)}, {plain_text(format_line(event))}"
    yield "\n| player | deck | verdict |\n|---|---|---|"
    for row in rows_of(event):
        cells = (row.player, ", ".join(row.decks), row.verdict)
        yield f"| {' | '.join(map(plain_text, cells))} |"
    yield f"\n{count(event, PLAIN)}"
    told = [group for group in event.groups if group.findings]
    if told:
        yield "\n## Problems and notes"
    for group in told:
        yield f"\n### {plain_text(group.title)}\n"
        yield from map(_item, group.findings)
    yield "\n## What is legal\n"
    yield from _bullets(allowed(event))


def _bullets(lines: Sequence[str]) -> Iterator[str]:
    return (f"- {plain_text(line)}" for line in lines)


def _item(finding: Finding) -> str:
    start = finding.span.start
    place = code_span(f"{finding.path}:{start.line}:{start.column}")
    help = f". {plain_text(finding.help)}" if finding.help else ""
    kind = f"{finding.severity} {finding.name}"
    return f"- {place}: {kind}: {plain_text(finding.message)}{help}"
