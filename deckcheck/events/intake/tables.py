"""Tables of spreadsheets and forms: a deck, or a list in each row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice

from deckcheck.decks.files import MAX_LINES
from deckcheck.decks.headers import header_key
from deckcheck.events.intake.archives import members
from deckcheck.events.intake.pieces import Budget, Hint, Piece
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote

Rows = Sequence[Sequence[str]]

_WIDEST = 100
_PLAYERS = frozenset({"player name", "your name", "full name"})
_LISTS = frozenset({"list", "deck", "decklist", "deck list", "your list", "your deck"})


def csv_rows(text: str) -> Rows:
    """The rows of a table with commas, semicolons or tabs; csv.Error if it is none."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def form_pieces(rows: Rows, piece: Piece) -> list[Piece]:
    """The list of each row of a form, which has columns for players and for lists.

    Empty where the table is no such form.
    """
    heads = [cell.strip().lower() for cell in rows[0]] if rows else []
    players = [n for n, head in enumerate(heads) if _is_player(head)]
    lists = [n for n, head in enumerate(heads) if head in _LISTS]
    if len(players) != 1 or len(lists) != 1:
        return []
    player, cards = players[0], lists[0]
    pieces = []
    for number, row in enumerate(rows[1:], start=2):
        cells = [*row, *[""] * len(heads)]
        if not any(cell.strip() for cell in row):
            continue
        name = cells[player].strip()
        pieces.append(
            Piece(
                f"{piece.place}: row {number}",
                f"{name or f'row {number}'}.deck",
                cells[cards].encode("utf-8"),
                (Hint("the row", name),) if name else (),
                piece.remarks,
            )
        )
    return pieces


def _is_player(head: str) -> bool:
    return header_key(head) == "player" or head in _PLAYERS


def sheet_pieces(piece: Piece, budget: Budget) -> Iterator[Piece]:
    """The lists of a spreadsheet: a form, or a deck on each of its sheets.

    Raises ArchiveError for one that is too large or damaged, and UsageError where the
    package that reads it is missing.
    """
    for _ in members(piece.data, budget):
        pass  # No more is unpacked below than was counted here.
    sheets = [(title, rows) for title, rows in _sheets(piece.data) if rows]
    for title, rows in sheets:
        where = f"{piece.place}: {title}" if len(sheets) > 1 else piece.place
        hints = (*piece.hints, Hint("the sheet", title))
        one = Piece(where, piece.name, b"", hints, piece.remarks)
        forms = form_pieces(rows, one)
        yield from forms or [_deck(rows, one)]


def _sheets(data: bytes) -> Iterator[tuple[str, Rows]]:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise UsageError(
            "Spreadsheets are read by the package openpyxl, which is not installed",
            "Install it: `pip install openpyxl`",
        ) from None
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        for sheet in book.worksheets:
            rows = sheet.iter_rows(max_col=_WIDEST, values_only=True)
            cells = ([_shown(cell) for cell in row] for row in islice(rows, MAX_LINES))
            yield sheet.title, [row for row in map(_cut, cells) if row]
    finally:
        book.close()


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    is_whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if is_whole else str(cell)  # type: ignore[call-overload]


def _cut(row: list[str]) -> list[str]:
    while row and not row[-1].strip():
        row.pop()
    return row


def _deck(rows: Rows, piece: Piece) -> Piece:
    """A table with a column `card` as CSV, any other as lines with tabs."""
    stem = piece.name.rpartition(".")[0] or piece.name
    heads = [cell.strip().lower() for cell in rows[0]]
    stream = io.StringIO()
    is_table = "card" in heads
    if is_table:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    else:
        lines = ("\t".join(cell.replace("\n", " ") for cell in row) for row in rows)
        stream.writelines(f"{line}\n" for line in lines)
    name = f"{stem}.csv" if is_table else f"{stem}.deck"
    read = Piece(
        piece.place, name, stream.getvalue().encode("utf-8"), piece.hints, piece.remarks
    )
    return read.noting(f"read from the spreadsheet {quote(piece.name)}")
