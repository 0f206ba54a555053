"""The page to publish as HTML: one file that needs no other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TextIO

from deckcheck.events.event import Event
from deckcheck.events.page import allowed, format_line, rows_of
from deckcheck.events.verdicts import count
from deckcheck.findings.style import PLAIN, Style
from deckcheck.findings.words import printable
from deckcheck.version import __version__

__all__ = ["write_html"]


def write_html(event: Event, stream: TextIO, style: Style, with_summary: bool) -> None:
    """Write one page for a screen and for paper."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    rows = rows_of(event)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    factions = Counter(name for row in rows for name in row.factions if name)
    page = environment.get_template("page.html").render(
        name=event.file.name,
        date=event.file.date,
        format=format_line(event),
        allowed=allowed(event),
        rows=rows,
        count=count(event, PLAIN),
        leaders=any(name for row in rows for name in row.leaders),
        factions=sorted(factions.items(), key=lambda item: (-item[1], item[0])),
        groups=[group for group in event.groups if group.findings],
        digest=event.format.digest,
        version=__version__,
        quoted=_quoted,
    )
    stream.write(page)


def _shown(value: object) -> object:
    """Every text of the page as it may be shown."""
    return printable(value) if isinstance(value, str) else value


def _quoted(text: str) -> str:
    """The quotes of print instead of those of a terminal."""
    return re.sub(r"`([^`]*)`", "\u201c\\1\u201d", text)
