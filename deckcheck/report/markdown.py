"""A simulation as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.findings.words import printable
from deckcheck.report.sections import Report, Table

__all__ = ["as_markdown"]

SPECIAL = "\\`*_|<>[]"


def as_markdown(report: Report) -> str:
    """Return the tables of `report` and how its games were played."""
    parts = [_strong(each) for each in report.answers]
    parts += ["\n".join(_table_lines(table)) for table in report.tables]
    parts.extend(f"> **Warning:** {_safe(note)}" for note in report.warnings)
    parts.append("\n".join(f"- {name}: {_safe(fact)}" for name, fact in report.facts))
    return "\n\n".join(parts) + "\n"


def _table_lines(table: Table) -> Iterator[str]:
    yield f"### {_safe(table.title)}"
    yield ""
    yield _line(table.columns)
    yield _line(["---", *["---:"] * (len(table.columns) - 1)])
    for place, row in zip(table.places, table.rows, strict=True):
        yield _line([_safe(cell) for cell in (place + row[0], *row[1:])])
    if table.note is not None:
        yield ""
        yield _safe(table.note)


def _strong(text: str) -> str:
    """A sentence with what it quotes in bold."""
    parts = text.split("`")
    return "".join(
        f"**{_safe(part)}**" if i % 2 and part else _kept(part)
        for i, part in enumerate(parts)
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _safe(text: str) -> str:
    """Return `text` so that nothing in a deck's name is taken for Markdown."""
    return _kept(" ".join(text.split()))


def _kept(text: str) -> str:
    """The same with its spaces."""
    return "".join(f"\\{c}" if c in SPECIAL else c for c in printable(text))
