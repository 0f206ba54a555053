"""Tables of spreadsheets: a deck, or a form with a list in each row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from deckcheck.decks.decoding import MAX_LINES
from deckcheck.decks.words import column_role, header_key
from deckcheck.events.pieces import (
    ArchiveError,
    Budget,
    Hint,
    Piece,
    Rows,
    read_archive,
)
from deckcheck.messages import quote

_DECLARED_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_MAX_COLUMNS = 100
MAX_SHEET_BYTES = 16 * 2**20
"""The size of the largest spreadsheet, unpacked."""


def read_csv(text: str) -> Rows:
    """Return the rows of a table with commas, semicolons or tabs.

    Raises csv.Error for other text.
    """
    first, _, rest = text.partition("\n")
    delimiter = max(",;\t", key=first.count)
    if first.strip().lower().startswith("sep=") and rest:
        # Excel writes the delimiter into the first line: `sep=;`.
        delimiter = first.strip()[len("sep=") :][:1] or ","
        text = rest
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def read_spreadsheet(piece: Piece, budget: Budget) -> Iterator[Piece]:
    """Yield each sheet of a spreadsheet as a deck, with its rows.

    Raises ArchiveError for a large or damaged spreadsheet, and without the package that
    reads spreadsheets.
    """
    # No more is unpacked below than is counted here, and no entity becomes more.
    size = 0
    for path, data in read_archive(piece.data, budget):
        size += len(data)
        if size > MAX_SHEET_BYTES:
            raise ArchiveError(f"it holds more than {MAX_SHEET_BYTES // 2**20} MiB")
        if isinstance(data, bytes) and _DECLARED_ENTITY.search(
            data.replace(b"\0", b"")
        ):
            raise ArchiveError(f"{quote(path)} in it declares entities")
    sheets = [(title, rows) for title, rows in _read_sheets(piece.data) if rows != []]
    if not sheets:
        raise ArchiveError("it holds no list")
    for title, rows in sheets:
        origin = f"{piece.origin}: {title}" if len(sheets) > 1 else piece.origin
        hints = (*piece.hints, Hint("the sheet", title))
        sheet = replace(piece, origin=origin, data=b"", hints=hints)
        if rows is None:
            yield replace(sheet, fault="the sheet is hidden")
            continue
        yield replace(_write_table(rows, sheet), rows=rows)


def _read_sheets(data: bytes) -> Iterator[tuple[str, Rows | None]]:
    """Yield the title and the rows of each sheet, None for a hidden sheet.

    Crossed out and hidden text has the marks of text decks.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ArchiveError(
            "the package openpyxl, which reads spreadsheets, is not installed: "
            "`pip install openpyxl`"
        ) from None
    book = load_workbook(io.BytesIO(data), data_only=True, rich_text=True)
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            yield sheet.title, None
        else:
            yield sheet.title, _read_rows(sheet)


def _read_rows(sheet: Any) -> Rows:
    """Return the cells of a visible sheet, row by row, without empty rows."""
    hidden_columns: set[int] = set()
    for dimension in sheet.column_dimensions.values():
        if dimension.hidden or dimension.width == 0:
            hidden_columns.update(range(dimension.min or 0, (dimension.max or 0) + 1))
    rows = []
    for row in islice(sheet.iter_rows(max_col=_MAX_COLUMNS), MAX_LINES):
        texts = [_show_cell(cell) for cell in row]
        while texts and not texts[-1].strip():
            texts.pop()
        if not texts:
            continue
        dimension = sheet.row_dimensions.get(row[0].row)
        is_row_hidden = dimension is not None and (
            dimension.hidden or dimension.height == 0
        )
        cells = []
        for column, text in enumerate(texts, 1):
            cells.append((is_row_hidden or column in hidden_columns, text))
        rows.append(_mark_hidden(cells))
    return rows


def _mark_hidden(cells: Sequence[tuple[bool, str]]) -> list[str]:
    """Return the texts of a row's cells, each given with whether it is hidden.

    Hidden cells beside each other are a comment. A hidden number alone is crossed out
    instead: it may be a count.
    """
    row: list[str] = []
    for is_hidden, group in groupby(cells, key=itemgetter(0)):
        texts = [text for _, text in group]
        filled = [text for text in texts if text.strip()]
        if is_hidden and filled:
            hidden_text = " ".join(filled)
            texts = [""] * len(texts)
            if any(map(str.isalpha, hidden_text)):
                texts[-1] = f"<!-- {hidden_text} -->"
            else:
                texts[-1] = f"~~{hidden_text}~~"
        row += texts
    return row


def _show_cell(cell: Any) -> str:
    """Return the text of a cell, with the mark of text decks if it is crossed out."""
    value = cell.value
    if value is None:
        return ""
    if value is True:
        return "[x]"
    if value is False:
        return "[ ]"
    if isinstance(value, list):
        # Runs of text, each with a font of its own.
        return "".join(map(_show_run, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if cell.font is not None and cell.font.strike:
        return f"~~{value}~~"
    return str(value)


def _show_run(run: Any) -> str:
    """Return a run of text, which has a font or is a plain text."""
    if not hasattr(run, "font"):
        return str(run)
    if getattr(run.font, "strike", False):
        return f"~~{run.text}~~"
    return str(run.text)


def _write_table(rows: Rows, piece: Piece) -> Piece:
    """Write a table with columns of cards as CSV, any other as lines with tabs."""
    stem = piece.name.rpartition(".")[0] or piece.name
    heads = {cell.strip().lower() for cell in rows[0]}
    roles = set(map(column_role, heads))
    stream = io.StringIO()
    # `Name` alone may be the header of a deck, beside a column of counts it is not.
    if "card" in heads or ("card" in roles and {"count", "number"} & roles):
        name = f"{stem}.csv"
        csv.writer(stream, lineterminator="\n").writerows(rows)
    else:
        name = f"{stem}.deck"
        for row in rows:
            cells = [cell.replace("\n", " ") for cell in row]
            separator = "\t"
            if len(cells) == 2 and header_key(cells[0]) is not None:
                separator = ": "
            stream.write(separator.join(cells) + "\n")
    read = replace(piece, name=name, data=stream.getvalue().encode("utf-8"))
    return read.with_remark(f"read from the spreadsheet {quote(piece.name)}")
