"""What frames, notebooks and the prompt of Python show of a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckcheck.findings.html_text import html_table
from deckcheck.sim.results.figures import Row
from deckcheck.sim.results.tidy import ALL, ANY, COLUMNS, shown_value, tidy_frame

if TYPE_CHECKING:
    import pandas as pd


class Tabular:
    """A result that has tidy rows, and an answer: what it says in a sentence or two."""

    __slots__ = ()

    @property
    def answer(self) -> str:
        """The result in a sentence or two."""
        raise NotImplementedError

    def to_rows(self) -> list[Row]:
        """The result as tidy rows, as `--output-format csv` prints them."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """The tidy rows as a frame, for the columns see `deckcheck.frame`."""
        return tidy_frame(self.to_rows())

    def notes(self) -> list[str]:
        """What stands below the table of a notebook."""
        return [self.answer]

    def _repr_html_(self) -> str:
        """What a notebook shows: the measured values, over all opponents if possible.

        Those of single opponents, by who starts, and counts are left to `to_frame`.
        """
        rows = [row for row in self.to_rows() if row["starts"] == ANY]
        measured = [row for row in rows if row["low"] is not None] or rows
        shown = [row for row in measured if row["opponent"] == ALL] or measured
        columns = list(shown[0]) if shown else []
        further = [name for name in columns if name not in COLUMNS]
        met = [] if shown and shown[0]["opponent"] == ALL else ["opponent"]
        names = [*further, "deck", *met]
        heads = [*names, "metric", "value", "interval", "n"]
        return html_table(heads, [_cells(row, names) for row in shown], self.notes())

    def __repr__(self) -> str:
        """What the prompt shows: a line, however many games are behind it."""
        return f"<{type(self).__name__}: {self.answer}>"


def _cells(row: Row, names: Sequence[str]) -> list[object]:
    """The cells of a row as they are read."""
    metric, n = str(row["metric"]), row["n"]
    value, low, high = (shown_value(metric, row[c]) for c in ("value", "low", "high"))
    interval = f"{low} to {high}" if low else ""
    return [*(row[name] for name in names), metric, value, interval, f"{n:,}"]
