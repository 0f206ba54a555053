"""The page to publish as HTML: one file that needs no other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TextIO

from deckcheck.events.event import Event
from deckcheck.events.page import allowed, format_line, rows_of
from deckcheck.events.verdicts import count
from deckcheck.findings.style import PLAIN, Style
from deckcheck.pages import render
from deckcheck.reporters.base import left_out_line


def write_html(event: Event, stream: TextIO, style: Style, with_summary: bool) -> None:
    """Write one page for a screen and for paper."""
    rows = rows_of(event)
    factions = Counter(name for row in rows for name in row.factions if name)
    page = render(
        Path(__file__).with_name("page.html"),
        name=event.file.name,
        date=event.file.date,
        format=format_line(event),
        allowed=allowed(event),
        rows=rows,
        count=count(event, PLAIN),
        left_out=left_out_line(event.run),
        revealed=event.is_revealed,
        seals=any(row.seals for row in rows),
        salts=any(row.salts for row in rows),
        leaders=any(name for row in rows for name in row.leaders),
        factions=sorted(factions.items(), key=lambda item: (-item[1], item[0])),
        groups=[
            group for group in event.groups if group.findings and event.is_revealed
        ],
        digest=event.format.digest,
    )
    stream.write(page)
