"""Write CSV, JSON, Markdown, HTML and Parquet so that no text in them acts as code."""

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

FORMULA_GUARD = "'"
_NUMBER_CELL = re.compile(
    r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?", re.ASCII | re.IGNORECASE
)
# Spreadsheets take full-width signs for the others, and look past what is blank.
_FORMULA_START = re.compile(r"'*\s*[=+\-@＝＋－＠\t\r\n]")


def csv_table(rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows below a line of column names. A row may lack some columns."""
    import csv

    rows = list(rows)
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writerow({column: as_cell(column) for column in columns})
    for row in rows:
        writer.writerow({column: as_cell(value) for column, value in row.items()})
    return text.getvalue()


def as_cell(value: object) -> object:
    """Return a value as a cell for spreadsheets and terminals. Only texts change."""
    return _clean_text(value) if isinstance(value, str) else value


@lru_cache(maxsize=1024)
def _clean_text(text: str) -> str:
    return guard_formula(printable(text))


def guard_formula(text: str) -> str:
    """Put a `'` before `text` if a spreadsheet would take it for a formula.

    `remove_guard` gives it back.
    """
    is_formula = _FORMULA_START.match(text) and not _NUMBER_CELL.fullmatch(text)
    return FORMULA_GUARD + text if is_formula else text


def remove_guard(text: str) -> str:
    """Remove the `'` that `guard_formula` put before a text."""
    is_guarded = text.startswith(FORMULA_GUARD) and _FORMULA_START.match(text)
    return text[1:] if is_guarded else text


# JSON as our outputs write it: readable, and nothing in it steers a terminal

PARTS_PER_PIECE = 10_000
"""How many parts of the encoder, of a few bytes each, make one piece."""


def tool() -> Tool:
    """Return the name and version of this program, as documents have them."""
    return {"name": "deckcheck", "version": __version__}


def document_head(version: int = 1) -> dict[str, Any]:
    """Return the first keys of every document, which distinguish it from decks.

    `version` is the version of its keys.
    """
    return {"schema_version": version, "tool": tool()}


def json_text(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> str:
    """Write one JSON document and a line end, on one line if `indent` is None.

    Letters of any language are kept. Hidden characters are escaped, also where JSON
    itself allows them: control characters, marks of writing direction, and the like.
    """
    return "".join(json_pieces(content, indent, sort_keys=sort_keys))


def json_pieces(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> Iterator[str]:
    """Write the document of `json_text` in pieces, for documents of any size."""
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    parts = encoder.iterencode(content)
    if indent is None:  # faster in one piece
        parts = iter([encoder.encode(content)])
    while piece := "".join(islice(parts, PARTS_PER_PIECE)):
        if not piece.isascii() or "\x7f" in piece:
            # The encoder has escaped all characters below the space. So a line end
            # belongs to the layout.
            piece = re.sub(HIDDEN, _escape_hidden, piece)
        yield piece
    yield "\n"


def _escape_hidden(match: re.Match[str]) -> str:
    import json

    return "\n" if match[0] == "\n" else json.dumps(match[0])[1:-1]


# Markdown as our outputs write it: no text in it is taken for markup, or links.
#
# GitHub and GitLab also turn `@name`, `#1`, `GH-1`, `:name:` and addresses into links
# and notifications, whatever is before them. An invisible character in between
# prevents this. Written as `&#8203;`, it can be seen in the source.

LINK_BREAKER = "&#8203;"
_MARKUP_SIGNS = re.compile(r"[\\`*_\[\]<>~&#$]")
_LINK_STARTS = re.compile(
    r"""
      (?<= [@#!$%^&~] ) (?= \w )     # people, issues, requests, labels, epics
    | (?<= \b GH- ) (?= \d )
    | (?<= : ) (?= // )
    | (?<= \b www ) (?= \. )
    | (?<= : ) (?= [a-z0-9_+-]+ : )  # small pictures
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BACK_TICKED = re.compile(r"`([^`]*)`")


def plain(text: str) -> str:
    """Return `text`, such as a name, on one line and without effect as markup."""
    shown = " ".join(printable(text).split())
    parts = _LINK_STARTS.split(shown)
    return LINK_BREAKER.join(_MARKUP_SIGNS.sub(r"\\\g<0>", part) for part in parts)


def code(text: str) -> str:
    """Return `text` as code, which holds no markup and no links."""
    shown = printable(text)
    if not shown.strip():
        return ""
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    room = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{room}{shown}{room}{fence}"


def bold(text: str) -> str:
    """Return `text` in bold, and otherwise plain."""
    shown = plain(text)
    return f"**{shown}**" if shown else ""


def message(text: str, quoted: Callable[[str], str] = code) -> str:
    """Return a sentence of ours with its back-ticked parts `quoted`, the rest plain."""
    parts = _BACK_TICKED.split(printable(text))
    for index, part in enumerate(parts):
        parts[index] = quoted(part) if index % 2 else _plain_with_edges(part)
    return "".join(parts)


def table_row(cells: Iterable[str]) -> str:
    """Join cells of Markdown to a row of a table."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _plain_with_edges(text: str) -> str:
    """Make a part of a sentence plain, and keep the spaces at its ends."""
    shown = plain(text)
    if not shown:
        return " " if text else ""
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{shown}{after}"


# Small tables of HTML, as notebooks show the value of a cell

MAX_SHOWN_ROWS = 50


def html_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str]
) -> str:
    """Write a table with its head, and the notes below it, all texts escaped."""
    head = _html_row(columns, "th")
    body = "".join(_html_row(row, "td") for row in rows[:MAX_SHOWN_ROWS])
    if len(rows) > MAX_SHOWN_ROWS:
        notes = [f"... and {len(rows) - MAX_SHOWN_ROWS:,} more rows", *notes]
    below = "<br>".join(map(_escape_cell, notes))
    return f"<table>{head}{body}</table><p>{below}</p>"


def _html_row(cells: Iterable[object], tag: str) -> str:
    shown = "".join(f"<{tag}>{_escape_cell(cell)}</{tag}>" for cell in cells)
    return f"<tr>{shown}</tr>"


def _escape_cell(cell: object) -> str:
    return escape(printable("" if cell is None else str(cell)))


# Parquet, which needs the package `pyarrow`


def parquet_modules() -> tuple[Any, Any]:
    """Return `pyarrow` and its part for Parquet. Raises UsageError without it."""
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
    """Return a file of rows with the same columns. `kinds` are the types of numbers."""
    arrow, parquet = parquet_modules()
    names = list(rows[0]) if rows else list(kinds)
    columns = []
    for name in names:
        columns.append((name, arrow.type_for_alias(kinds.get(name, "string"))))
    schema = arrow.schema(columns)
    stream = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows), schema), stream)
    return stream.getvalue()
