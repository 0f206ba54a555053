"""The page to publish: what it says, as Markdown and as HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from deckcheck.events.checking import Event
from deckcheck.findings.records import dataclass
from deckcheck.findings.words import plural, printable
from deckcheck.formats import database_of
from deckcheck.validation import DeckReport

__all__ = ["WRITERS", "Row", "as_html", "as_markdown", "rows_of"]

LEGAL, ILLEGAL, MISSING = "legal", "illegal", "no list"


@dataclass(frozen=True, slots=True)
class Row:
    """One player of the table; where a list has several decks, each on a line."""

    player: str
    decks: tuple[str, ...]
    factions: tuple[str, ...]
    leaders: tuple[str, ...]
    verdict: str


def rows_of(event: Event) -> list[Row]:
    """The players by name, everything as it may be printed."""
    rows = []
    for player in event.players:
        reports = event.lists.get(player, ())
        verdict = LEGAL if all(report.legal for report in reports) else ILLEGAL
        rows.append(
            Row(
                printable(player),
                tuple(printable(report.name or "") for report in reports),
                tuple(_faction(report, event.root) for report in reports),
                tuple(_leader(report, event.root) for report in reports),
                verdict if reports else MISSING,
            )
        )
    return rows


def _faction(report: DeckReport, root: Path | None) -> str:
    if report.deck is None or report.format is None or report.deck.faction is None:
        return ""
    return database_of(report.format, root).factions[report.deck.faction].name


def _leader(report: DeckReport, root: Path | None) -> str:
    if report.deck is None or report.format is None or report.deck.leader is None:
        return ""
    return database_of(report.format, root).leaders[report.deck.leader].full_name


def _count(rows: Sequence[Row]) -> str:
    lists = sum(row.verdict != MISSING for row in rows)
    return f"{plural(lists, 'list')}, {sum(row.verdict == LEGAL for row in rows)} legal"


def _formats(event: Event) -> str:
    judged = (f"{fmt.id} ({fmt.snapshot})" for fmt in event.run.formats)
    return ", ".join(judged) or event.file.format


def as_markdown(event: Event, problems: Sequence[str] = ()) -> str:
    """Title, format, a table of players, decks and verdicts; no problems."""
    rows = rows_of(event)
    lines = [
        f"# {_cell(event.file.name)}",
        "",
        f"{_cell(event.file.date)}, {_formats(event)}",
        "",
        "| player | deck | verdict |",
        "|---|---|---|",
    ]
    for row in rows:
        cells = (row.player, ", ".join(row.decks), row.verdict)
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    return "\n".join([*lines, "", _count(rows), ""])


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def as_html(event: Event, problems: Sequence[str] = ()) -> str:
    """One page that needs no other file, for a screen and for paper."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from deckcheck import __version__

    rows = rows_of(event)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    factions = Counter(name for row in rows for name in row.factions if name)
    return environment.get_template("page.html").render(
        name=printable(event.file.name),
        date=printable(event.file.date),
        formats=_formats(event),
        rows=rows,
        count=_count(rows),
        leaders=any(name for row in rows for name in row.leaders),
        factions=sorted(factions.items(), key=lambda item: (-item[1], item[0])),
        problems=[_quoted(problem) for problem in problems],
        notes=[_quoted(note) for note in event.notes],
        digest=event.run.digest,
        version=__version__,
    )


def _quoted(text: str) -> str:
    """The quotes of print instead of those of a terminal."""
    return re.sub(r"`([^`]*)`", "\u201c\\1\u201d", printable(text))


WRITERS: tuple[tuple[str, Callable[[Event, Sequence[str]], str]], ...] = (
    ("markdown", as_markdown),
    ("html", as_html),
)
"""How the page can be written, by the word of `--output-format`."""
