"""The lists in a form, found by the content of its columns and not by their heads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from deckcheck.decks.words import header_key
from deckcheck.events.pieces import BY_ADDRESS, Hint, Piece, Rows
from deckcheck.events.recognising import ListRecogniser
from deckcheck.events.times import read_stamp, read_times

Columns = tuple[int, ...]
"""Columns that are read together: a name or a time may take two."""

MAX_COLUMNS = 40
"""Columns of a table that are looked at, from the left."""
MAX_NAME_COLUMNS = 12
"""Columns among which to look for a pair that makes a name or a time."""
MAX_CELL = 80
"""Most characters of a name or a time."""

_PLAYER_HEADS = frozenset({"player name", "your name", "full name"})
_MAIL_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.\w+")
NO_TIMES = "no column of the form has the times of its rows"


class Form(NamedTuple):
    """A form: its rows, and where lists, players and times are."""

    rows: Rows
    """The rows of answers, each as long as the others."""
    heads: Sequence[str]
    """The heads of the columns, or empty without heads."""
    lists: Columns
    """Each column of lists."""
    player: Columns
    """The column of players, or two with the parts of their names."""
    times: tuple[Columns, ...]
    """Each column of times, or two with date and clock."""


def read_form(
    rows: Rows, recogniser: ListRecogniser, names_player: Callable[[str], bool]
) -> Form | None:
    """Find the columns of a form, None for another table.

    A form has lists in cells, and a player or a time beside them.
    """
    width = min(max(map(len, rows), default=0), MAX_COLUMNS)
    empty = [""] * width
    cells = [[*row, *empty][:width] for row in rows]
    lists = _find_list_columns(cells, width, recogniser)
    if not lists:
        return None
    is_headed = not any(recogniser.holds_list(cells[0][column]) for column in lists)
    heads, answers = cells[0], cells[1:]
    short = []
    for column in range(width):
        longest = max((len(row[column]) for row in answers), default=0)
        if column not in lists and longest <= MAX_CELL:
            short.append(column)
    player = _find_best_columns(cells, short, names_player)
    if is_headed and not player:
        player_columns = [c for c in short if _is_player_head(heads[c])]
        player = tuple(player_columns[:1])
    if not is_headed or (player and names_player(_join_cells(heads, player))):
        heads, answers = [""] * width, cells
    free = [column for column in short if column not in player]
    times = _find_time_columns(answers, free)
    if not player and not times:
        return None
    return Form(answers, heads, lists, player, times)


def _find_list_columns(cells: Rows, width: int, recogniser: ListRecogniser) -> Columns:
    """Return each column in which half of the answers or more are lists."""
    columns = []
    for column in range(width):
        filled = [row[column] for row in cells if row[column].strip()]
        lists = sum(map(recogniser.holds_list, filled))
        if lists and 2 * lists >= len(filled) - 1:
            columns.append(column)
    return tuple(columns)


def _is_player_head(head: str) -> bool:
    bare = head.strip().lower()
    return header_key(bare) == "player" or bare in _PLAYER_HEADS


def _join_cells(row: Sequence[str], columns: Columns) -> str:
    return " ".join(row[column].strip() for column in columns).strip()


def _find_best_columns(
    rows: Rows, candidates: Sequence[int], is_meant: Callable[[str], bool]
) -> Columns:
    """Return the column, or else two, in which most cells are as they are meant."""
    best: Columns = ()
    most = 0
    singles: list[Columns] = [(column,) for column in candidates]
    pairs = list(combinations(candidates[:MAX_NAME_COLUMNS], 2))
    for columns in [*singles, *pairs]:
        if len(columns) == 2 and 2 * most >= len(rows) - 1:
            break
        hits = sum(is_meant(_join_cells(row, columns)) for row in rows)
        if hits > most:
            best = columns
            most = hits
    return best


def _find_time_columns(rows: Rows, candidates: Sequence[int]) -> tuple[Columns, ...]:
    """Return the columns with times, or the columns of date and of clock."""
    found: list[Columns] = []
    for column in candidates:
        filled = [row[column] for row in rows if row[column].strip()]
        stamps = [cell for cell in filled if read_stamp(cell) is not None]
        if filled and 2 * len(stamps) >= len(filled):
            found.append((column,))
    if not found:
        pair = _find_best_columns(
            rows, candidates, lambda text: read_stamp(text) is not None
        )
        if pair:
            found.append(pair)
    return tuple(found)


def form_pieces(
    form: Form, piece: Piece, deadline: datetime | None, is_strict: bool
) -> Iterator[Piece]:
    """Yield the list of each answer, with its player and its time.

    A row without a clear time has the time of the mail with the form. Without a mail,
    and where late lists are treated differently (`is_strict`), it has a `time_fault`.
    """
    times = _read_row_times(form, deadline)
    start = 2 if any(form.heads) else 1
    for number, (row, time) in enumerate(zip(form.rows, times, strict=True), start):
        hints = _find_hints(form, row)
        name = f"row {number}"
        if hints:
            name = hints[0].text
        for column in form.lists:
            if not row[column].strip():
                continue
            origin = f"{piece.origin}: row {number}"
            if len(form.lists) > 1:
                origin += f", {form.heads[column] or f'column {column + 1}'}"
            made = Piece(
                origin,
                f"{name}.deck",
                row[column].encode("utf-8"),
                hints,
                piece.remarks,
                time=piece.time,
                is_letter=True,
                is_form_row=True,
            )
            if isinstance(time, datetime):
                made = replace(made, time=time)
            elif piece.time is None and is_strict:
                made = replace(made, time_fault=time)
            elif form.times and _join_cells(row, form.times[0]):
                made = made.with_remark(time)
            yield made


def _find_hints(form: Form, row: Sequence[str]) -> tuple[Hint, ...]:
    """Return the hints of a row to its player: the name, and addresses."""
    name = re.sub(r"<!--|-->|~~", "", _join_cells(row, form.player)).strip()
    hints = [Hint("the row", name)] if name else []
    for column, cell in enumerate(row):
        if column not in form.lists and _MAIL_ADDRESS.fullmatch(cell.strip()):
            hints.append(Hint(BY_ADDRESS, cell.strip()))
    return tuple(hints)


def _read_row_times(form: Form, deadline: datetime | None) -> list[datetime | str]:
    """Return the time of each row, the last of several: a form was sent at its end."""
    times: list[datetime | str] = [NO_TIMES] * len(form.rows)
    for columns in form.times:
        cells = [_join_cells(row, columns) for row in form.rows]
        for number, time in enumerate(read_times(cells, deadline)):
            before = times[number]
            is_first = columns == form.times[0]
            if is_first or isinstance(time, str):
                times[number] = time if is_first else before
            elif isinstance(before, str) or drop_zone(time) > drop_zone(before):
                times[number] = time
    return times


def drop_zone(time: datetime) -> datetime:
    """Return a time as the clock shows it, to compare times with and without a zone."""
    return time.replace(tzinfo=None)
