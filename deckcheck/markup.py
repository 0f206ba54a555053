"""Text of outputs that nothing in it can steer: CSV, JSON, Markdown, HTML, Parquet."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from deckcheck.findings import UsageError
from deckcheck.messages import HIDDEN, printable
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.documents.records import Tool


# CSV as our outputs write it: no text in it is a formula, or steers a terminal.
#
# A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, which
# may send what is in the table elsewhere. Texts that begin so get a `'` in front.

GUARD = "'"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?", re.ASCII | re.IGNORECASE)
# Spreadsheets take full-width signs for the others, and look past what is blank.
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠\t\r\n]")


def csv_table(rows: Iterable[Mapping[str, object]]) -> str:
    """The rows below a line of column names; a row may lack some columns."""
    import csv

    rows = list(rows)
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writerow({column: shown(column) for column in columns})
    for row in rows:
        writer.writerow({column: shown(value) for column, value in row.items()})
    return text.getvalue()


def shown(value: object) -> object:
    """A value as a cell for spreadsheets and terminals; only texts change."""
    return _shown(value) if isinstance(value, str) else value


@lru_cache(maxsize=1024)
def _shown(text: str) -> str:
    return guarded(printable(text))


def guarded(text: str) -> str:
    """`text` as no formula: with a `'` in front if it begins as one, and is no number.

    `unguarded` gives it back.
    """
    is_formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return GUARD + text if is_formula else text


def unguarded(text: str) -> str:
    """What stood in a cell before it was `guarded`."""
    return text[1:] if text[:1] == GUARD and _FORMULA.match(text) else text


# JSON as our outputs write it: readable, and nothing in it steers a terminal.

PARTS_AT_ONCE = 10_000
"""Of some bytes each."""


def tool() -> Tool:
    """This program, as documents name it."""
    return {"name": "deckcheck", "version": __version__}


def document_head(version: int = 1) -> dict[str, Any]:
    """What every document of ours begins with, by which it is known among decks.

    `version` is that of its keys.
    """
    return {"schema_version": version, "tool": tool()}


def json_text(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> str:
    """One JSON document and a line end, on one line if `indent` is None.

    Letters of any language stand as they are. What is hidden is escaped, also what JSON
    itself lets pass: control characters, marks of writing direction, and the like.
    """
    return "".join(json_pieces(content, indent, sort_keys=sort_keys))


def json_pieces(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> Iterator[str]:
    """The same in pieces, for documents whose text would fill the memory."""
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    # On one line it is written at once, and fast.
    parts = (
        iter([encoder.encode(content)])
        if indent is None
        else encoder.iterencode(content)
    )
    while piece := "".join(islice(parts, PARTS_AT_ONCE)):
        if not piece.isascii() or "\x7f" in piece:
            # Those below the space are escaped already; a line end is one of the
            # layout.
            piece = re.sub(HIDDEN, _kept_or_escaped, piece)
        yield piece
    yield "\n"


def _kept_or_escaped(match: re.Match[str]) -> str:
    import json

    return "\n" if match[0] == "\n" else json.dumps(match[0])[1:-1]


# Markdown as our outputs write it: no text in it is taken for markup, or links.
#
# GitHub and GitLab also turn `@name`, `#1`, `GH-1`, `:name:` and addresses into links
# and notifications, whatever stands before them. An invisible character in between
# keeps them from it; written as `&#8203;`, it can be seen in the source.

APART = "&#8203;"
_MARKUP = re.compile(r"[\\`*_\[\]<>~&#$]")
_LINKED = re.compile(
    r"""
      (?<= [@#!$%^&~] ) (?= \w )     # people, issues, requests, labels, epics
    | (?<= \b GH- ) (?= \d )
    | (?<= : ) (?= // )
    | (?<= \b www ) (?= \. )
    | (?<= : ) (?= [a-z0-9_+-]+ : )  # small pictures
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED = re.compile(r"`([^`]*)`")


def plain(text: str) -> str:
    """`text`, such as a name, on one line and as it reads: nothing in it is markup."""
    shown = " ".join(printable(text).split())
    return APART.join(_MARKUP.sub(r"\\\g<0>", part) for part in _LINKED.split(shown))


def code(text: str) -> str:
    """`text` as code, which holds no markup and no links."""
    shown = printable(text)
    if not shown.strip():
        return ""
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    room = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{room}{shown}{room}{fence}"


def bold(text: str) -> str:
    """`text` in bold, and otherwise plain."""
    shown = plain(text)
    return f"**{shown}**" if shown else ""


def message(text: str, quoted: Callable[[str], str] = code) -> str:
    """A sentence of ours: what it has in back-ticks is `quoted`, the rest is plain."""
    parts = _QUOTED.split(printable(text))
    return "".join(
        quoted(part) if i % 2 else _between(part) for i, part in enumerate(parts)
    )


def table_row(cells: Iterable[str]) -> str:
    """A row of a table, of cells that are Markdown already."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _between(text: str) -> str:
    """A part of a sentence, with the spaces at its ends."""
    shown = plain(text)
    if not shown:
        return " " if text else ""
    return " " * text[0].isspace() + shown + " " * text[-1].isspace()


# Small tables of HTML, as notebooks show the value of a cell.

MOST_ROWS = 50


def html_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str]
) -> str:
    """A table with its head, and the notes below it, all texts escaped."""
    head = "".join(f"<th>{_safe(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>"
        for row in rows[:MOST_ROWS]
    )
    if len(rows) > MOST_ROWS:
        notes = [f"... and {len(rows) - MOST_ROWS:,} more rows", *notes]
    below = "<br>".join(map(_safe, notes))
    return f"<table><tr>{head}</tr>{body}</table><p>{below}</p>"


def _safe(cell: object) -> str:
    return escape(printable("" if cell is None else str(cell)))


# Parquet, which needs the package `pyarrow`.


def parquet_modules() -> tuple[Any, Any]:
    """Return `pyarrow` and its part for Parquet; UsageError where it is missing."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(
            "Parquet needs the package `pyarrow`",
            "Install it: pip install pyarrow, or write CSV",
        ) from None
    return pyarrow, parquet


def parquet_table(
    rows: Sequence[Mapping[str, object]], kinds: Mapping[str, str]
) -> bytes:
    """Return rows with the same columns as a file; `kinds` are the types of numbers."""
    arrow, parquet = parquet_modules()
    names = list(rows[0]) if rows else list(kinds)
    schema = arrow.schema(
        [(name, arrow.type_for_alias(kinds.get(name, "string"))) for name in names]
    )
    stream = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows), schema), stream)
    return stream.getvalue()
