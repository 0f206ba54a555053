"""A table with a row for each game of a run, written to a CSV or a Parquet file.

Blocks come in any order, rows are written in one. So the rows of each block are kept on
disk as they come, and put in order at the end: memory does not grow with the games.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np

from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.markup import as_cell, parquet_modules
from deckcheck.messages import quote
from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.sim.blocks import Unrecorded, find_gaps
from deckcheck.sim.jobs import Block, Job

TABLE_SUFFIXES = (".csv", ".parquet")
OF_SET = 0
GAME_COLUMN = 1
OUTCOME_COLUMN = GAME_COLUMN + len(ListedGame)
DRAW_CELL = ""
LARGEST_GROUP = 200_000

Columns: TypeAlias = "dict[str, list[Any] | Ints]"


@dataclass(frozen=True, slots=True)
class _Part:
    """The place of the rows of a block."""

    job: int
    sets: range
    offset: int
    shape: tuple[int, int]


class GamesTable(Unrecorded):
    """Gathers the rows of blocks, and writes them to `file` in the end.

    As a `Record` it remembers the blocks whose rows it has, and of tallies nothing.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._parts: list[_Part] = []
        self._size = 0
        with usable("write", file):
            folder = file.absolute().parent
            self._spool: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115

    def keep(self, block: Block, rows: Ints) -> None:
        """Keep the rows of a block, see `GameLog.rows`."""
        sets = range(block.first_set, block.first_set + block.sets)
        shape = (rows.shape[0], rows.shape[1])
        self._parts.append(_Part(block.job.number, sets, self._size, shape))
        with usable("write", self.file):
            self._spool.seek(self._size)
            self._size += self._spool.write(np.ascontiguousarray(rows).data)

    def missing(self, job: Job) -> list[range]:
        """Return the sets of `job` without rows."""
        written = (part.sets for part in self._parts if part.job == job.number)
        return find_gaps(range(job.sets), sorted(written, key=lambda sets: sets.start))

    def write(self, work: Sequence[Job], seed: int) -> None:
        """Write all rows, by table and game, as a whole file or not at all."""
        order = {job.number: i for i, job in enumerate(work)}
        parts = sorted(self._parts, key=lambda p: (order[p.job], p.sets.start))
        most = max(job.entrants for job in work)
        draft = self.file.with_name(f".{self.file.name}.part")
        with usable("write", self.file):
            try:
                with row_writer(self.file, draft) as write:
                    for part in parts:
                        job = work[order[part.job]]
                        columns = _make_columns(self._read_rows(part), job, most)
                        rows = part.shape[0]
                        table = {"table": [1 + order[part.job]] * rows}
                        write({**table, **columns, "seed": [seed] * rows})
                os.replace(draft, self.file)
            finally:
                with suppress(OSError):
                    os.unlink(draft)
        self._spool.close()

    def _read_rows(self, part: _Part) -> Ints:
        self._spool.seek(part.offset)
        rows, columns = part.shape
        data = self._spool.read(8 * rows * columns)
        return np.frombuffer(data, np.int64).reshape(rows, columns)


def check_games_table(file: Path) -> None:
    """Refuse a file that cannot be written, before a long run rather than after it."""
    if file.suffix.lower() not in TABLE_SUFFIXES:
        raise UsageError(
            f"The games table is written as CSV or Parquet, not as {quote(file.name)}",
            "Name a file that ends with `.csv` or `.parquet`",
        )
    if file.suffix.lower() == ".parquet":
        parquet_modules()


def _make_columns(rows: Ints, job: Job, most: int) -> Columns:
    """Return the cells of rows by column name, for at most `most` entrants."""
    contexts = rows[:, GAME_COLUMN + ListedGame.CONTEXT]
    outcome = rows[:, OUTCOME_COLUMN:]
    # From the order of the game to that of the entrants.
    orders = np.argsort(np.array(job.table.entrant_in), axis=1)
    positions = orders[contexts % len(orders)]
    kinds = np.split(outcome[:, GameOutcome.PLACE :], 4, axis=1)
    places = np.take_along_axis(kinds[0], positions, axis=1)
    points = np.take_along_axis(kinds[1], positions, axis=1)
    seats = np.take_along_axis(kinds[2], positions, axis=1)
    entrant_names = np.array(job.decks or (job.names,), dtype=object)
    names = entrant_names[contexts % len(entrant_names)]
    chosen = np.arange(len(rows))
    won = (places == 1).sum(axis=1) == 1
    winners = names[chosen, places.argmin(axis=1)]
    # Numbers of games, or of matches, from 1.
    numbers = (
        rows[:, GAME_COLUMN + ListedGame.COUNTER] * job.games + rows[:, OF_SET] + 1
    )
    sets = rows[:, GAME_COLUMN + ListedGame.COUNTER] + 1
    columns: Columns = {"set": sets, "game": numbers}
    if job.decks:
        columns["game_of_match"] = _number_within_matches(rows)
    columns |= {
        "starter": names[chosen, seats.argmin(axis=1)].tolist(),
        "winner": np.where(won, winners, DRAW_CELL).tolist(),
        "rounds": outcome[:, GameOutcome.ROUNDS],
        "turns": outcome[:, GameOutcome.TURNS],
        "lead": outcome[:, GameOutcome.LEAD],
    }
    for i in range(job.entrants):
        columns[f"entrant_{i + 1}"] = names[:, i].tolist()
        columns[f"place_{i + 1}"] = places[:, i]
        columns[f"points_{i + 1}"] = points[:, i]
    for i in range(job.entrants, most):
        for cell in ("entrant", "place", "points"):
            columns[f"{cell}_{i + 1}"] = [None] * len(rows)
    return columns


def _number_within_matches(rows: Ints) -> Ints:
    """Return the numbers of the games in their matches, from 1."""
    key = rows[:, [GAME_COLUMN + ListedGame.COUNTER, OF_SET]]
    begins = np.ones(len(rows), bool)
    begins[1:] = (key[1:] != key[:-1]).any(axis=1)
    first = np.flatnonzero(begins)
    within: Ints = np.arange(len(rows)) - first[np.cumsum(begins) - 1] + 1
    return within


@contextmanager
def row_writer(file: Path, draft: Path) -> Iterator[Callable[[Columns], None]]:
    """Yield a writer of rows into `draft`, in the format of the suffix of `file`."""
    opened = (
        _open_parquet_writer if file.suffix.lower() == ".parquet" else _open_csv_writer
    )
    with opened(draft) as write:
        yield write


@contextmanager
def _open_csv_writer(file: Path) -> Iterator[Callable[[Columns], None]]:
    with open(file, "w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        heads: list[str] = []

        def write(columns: Columns) -> None:
            if not heads:
                heads.extend(columns)
                rows.writerow(heads)
            cells = (map(as_cell, _list_plain(column)) for column in columns.values())
            rows.writerows(zip(*cells, strict=True))

        yield write


@contextmanager
def _open_parquet_writer(file: Path) -> Iterator[Callable[[Columns], None]]:
    """Yield a writer that gathers rows, since each group costs room of its own."""
    arrow, parquet = parquet_modules()
    groups: list[Any] = []
    opened: list[Any] = []

    def flush() -> None:
        table = arrow.concat_tables(groups)
        if not opened:
            opened.append(parquet.ParquetWriter(file, table.schema))
        opened[0].write_table(table)
        groups.clear()

    def write(columns: Columns) -> None:
        arrays = {}
        for name, column in columns.items():
            cells = _list_plain(column)
            if name == "winner":
                # A draw has no winner: null, as readers of CSV take an empty cell.
                cells = [None if cell == DRAW_CELL else cell for cell in cells]
            arrays[name] = arrow.array(cells, _find_kind(arrow, name))
        groups.append(arrow.table(arrays))
        if sum(group.num_rows for group in groups) >= LARGEST_GROUP:
            flush()

    try:
        yield write
        if groups:
            flush()
    finally:
        for writer in opened:
            writer.close()


def _find_kind(arrow: Any, name: str) -> Any:
    is_name = name in ("starter", "winner") or name.startswith("entrant")
    return arrow.string() if is_name else arrow.int64()


def _list_plain(column: list[Any] | Ints) -> Sequence[Any]:
    return column if isinstance(column, list) else column.tolist()
