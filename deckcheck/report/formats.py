"""The outputs of a simulation by name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

from deckcheck.report.markdown import as_markdown
from deckcheck.report.text import as_text
from deckcheck.sim.document import as_row
from deckcheck.sim.result import SimulationResult

__all__ = ["REPORTS", "report_names", "write_report"]


def as_json(result: SimulationResult) -> str:
    """Return the JSON document of `result`."""
    return json.dumps(result.to_dict(), indent=2, ensure_ascii=False) + "\n"


def as_csv(result: SimulationResult) -> str:
    """Return one line for each matchup below a line of column names."""
    rows = [as_row(matchup) for matchup in result.matchups]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


REPORTS: tuple[tuple[str, Callable[[SimulationResult], str]], ...] = (
    ("table", as_text),
    ("json", as_json),
    ("csv", as_csv),
    ("markdown", as_markdown),
)


def report_names() -> tuple[str, ...]:
    """Return the names of all outputs, the default first."""
    return tuple(name for name, _ in REPORTS)


def write_report(result: SimulationResult, name: str, width: int = 80) -> str:
    """Return `result` in the output `name`; `width` is for the table alone."""
    if name == "table":
        return as_text(result, width)
    return dict(REPORTS)[name](result)
