"""CSV as our outputs write it: no text in it is a formula, or steers a terminal.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, which
may send what is in the table elsewhere. Texts that begin so get a `'` in front.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from deckcheck.findings.words import printable

GUARD = "'"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?", re.ASCII | re.IGNORECASE)
# Spreadsheets take full-width signs for the others, and look past what is blank.
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠\t\r\n]")


def csv_table(rows: Iterable[Mapping[str, object]]) -> str:
    """The rows below a line of column names; a row may lack some columns."""
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
