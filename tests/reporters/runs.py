"""Runs to report, made without any card database."""

from __future__ import annotations

import io
from types import MappingProxyType

from deckcheck.decks import Deck, DeckSource
from deckcheck.findings import Finding, Position, Related, Severity, Span
from deckcheck.formats.model import Format
from deckcheck.reporters import REPORTERS, Style
from deckcheck.validation import DeckReport, Validation

__all__ = ["FORMAT", "TEXT", "finding", "report", "span", "written"]

TEXT = """\
Name: Swarm
Leader: Eredin
3 Nekker
2 Ghoul
\t4 Nekker // more
"""

FORMAT = Format(
    id="gwent/standard",
    game="gwent",
    name="standard",
    title="Standard",
    snapshot="2025-10",
    constraints=(),
    options=MappingProxyType({}),
    digest="0123456789ab",
    origin="gwent/formats/standard.yaml",
)


def span(line: int, start: int, end: int) -> Span:
    return Span(Position(line, start), Position(line, end))


def finding(
    place: Span,
    message: str = "7 copies of `Nekker`, at most 3 allowed",
    severity: Severity = Severity.ERROR,
    *,
    notes: tuple[str, ...] = (),
    help: str | None = None,
    related: tuple[Related, ...] = (),
    path: str = "decks/swarm.deck",
) -> Finding:
    return Finding(
        code="DL103",
        name="too-many-copies",
        severity=severity,
        message=message,
        path=path,
        span=place,
        notes=notes,
        help=help,
        related=related,
    )


def report(*findings: Finding, text: str = TEXT, index: int = 0) -> DeckReport:
    source = DeckSource("decks/swarm.deck", index)
    deck = Deck(source, "Swarm", None, None, None, (), span(1, 7, 12), {})
    return DeckReport(source, deck, FORMAT, findings, text)


def written(
    name: str, *reports: DeckReport, color: bool = False, with_summary: bool = False
) -> str:
    """What the reporter `name` writes about `reports`."""
    stream = io.StringIO()
    run = Validation(reports)
    dict(REPORTERS)[name](run, stream, Style(color), with_summary)
    return stream.getvalue()
