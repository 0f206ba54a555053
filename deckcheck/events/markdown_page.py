"""The page to publish as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from deckcheck.events.event import Event
from deckcheck.events.page import allowed, format_line, rows_of
from deckcheck.events.verdicts import count
from deckcheck.findings import Finding
from deckcheck.findings.markdown_text import code, message, plain, table_row
from deckcheck.findings.style import PLAIN, Style
from deckcheck.reporters.base import left_out_line


def write_markdown(
    event: Event, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write title, format, a table of players, and what is legal.

    What is wrong with lists is there too when the event is revealed.
    """
    stream.writelines(f"{line}\n" for line in _lines(event))


def _lines(event: Event) -> Iterator[str]:
    yield f"# {plain(event.file.name)}"
    yield f"\n{plain(event.file.date)}, {plain(format_line(event))}"
    yield from _table(event)
    yield f"\n{count(event, PLAIN)}"
    yield from (f"\n{message(line)}" for line in left_out_line(event.run))
    is_told = event.is_revealed
    shown_groups = [group for group in event.groups if group.findings and is_told]
    if shown_groups:
        yield "\n## Problems and notes"
    for group in shown_groups:
        yield f"\n### {plain(group.title)}\n"
        yield from map(_item, group.findings)
    yield "\n## What is legal\n"
    yield from _bullets(allowed(event))


def _table(event: Event) -> Iterator[str]:
    """The players, with a column for whatever anybody has."""
    rows = rows_of(event)
    columns = (
        ("player", [plain(row.player) for row in rows]),
        ("deck", [plain(", ".join(row.decks)) for row in rows]),
        ("verdict" if event.is_revealed else "list", [row.verdict for row in rows]),
        ("seal", [" ".join(map(code, row.seals)) for row in rows]),
        ("salt", [" ".join(map(code, row.salts)) for row in rows]),
    )
    shown = [(head, cells) for head, cells in columns if any(cells)]
    yield f"\n{table_row(head for head, _ in shown)}"
    yield f"{'|---' * len(shown)}|"
    for cells in zip(*(cells for _, cells in shown), strict=True):
        yield table_row(cells)


def _bullets(lines: Sequence[str]) -> Iterator[str]:
    return (f"- {message(line)}" for line in lines)


def _item(finding: Finding) -> str:
    start = finding.span.start
    place = code(f"{finding.path}:{start.line}:{start.column}")
    help = f". {message(finding.help)}" if finding.help else ""
    kind = f"{finding.severity} {finding.name}"
    return f"- {place}: {kind}: {message(finding.message)}{help}"
