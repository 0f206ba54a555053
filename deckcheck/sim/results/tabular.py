"""What frames, notebooks and the prompt of Python show of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.findings.html_text import html_table
from deckcheck.sim.results.figures import Row

if TYPE_CHECKING:
    import pandas as pd


class Tabular:
    """A result that has flat rows, and an answer: what it says in a sentence or two."""

    __slots__ = ()

    @property
    def answer(self) -> str:
        """The result in a sentence or two."""
        raise NotImplementedError

    def to_rows(self) -> list[Row]:
        """The result as flat rows, as `--output-format csv` prints them."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """The flat rows as a frame; columns as in `--output-format csv`."""
        import pandas as pd

        return pd.DataFrame(self.to_rows())

    def _repr_html_(self) -> str:
        """What a notebook shows: the flat rows, and the answer below them."""
        rows = self.to_rows()
        names = list(rows[0]) if rows else []
        heads = [name.replace("_", " ") for name in names]
        return html_table(heads, [list(row.values()) for row in rows], [self.answer])

    def __repr__(self) -> str:
        """What the prompt shows: a line, however many games are behind it."""
        return f"<{type(self).__name__}: {self.answer}>"
