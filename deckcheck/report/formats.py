"""The outputs of a simulation by name."""

from __future__ import annotations

import csv
import io
from typing import Protocol

from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import printable
from deckcheck.report.lineups import lineup_report
from deckcheck.report.markdown import as_markdown
from deckcheck.report.matches import match_report
from deckcheck.report.sections import Report
from deckcheck.report.tables import table_report
from deckcheck.report.text import as_text
from deckcheck.sim.lineup_result import LineupResult
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.table_result import TableResult

__all__ = ["Result", "report_names", "report_of", "write_report"]

NAMES = ("table", "json", "csv", "markdown")


class Result(Protocol):
    """The result of a simulation, of whatever kind."""

    def to_dict(self) -> dict[str, object]: ...
    def to_rows(self) -> list[dict[str, str | int | float | None]]: ...


def report_of(result: Result) -> Report:
    """Return what is shown of `result`: each kind of it has a report of its own."""
    if isinstance(result, LineupResult):
        return lineup_report(result)
    if isinstance(result, TableResult):
        return table_report(result)
    if isinstance(result, SimulationResult):
        return match_report(result)
    raise TypeError(f"no report for {type(result).__name__}")


def as_json(result: Result) -> str:
    """Return the JSON document of `result`."""
    return json_text(result.to_dict())


def as_csv(result: Result) -> str:
    """Return the flat rows of `result` below a line of column names.

    CSV has no escapes, so what may steer a terminal is shown as in messages.
    """
    rows = result.to_rows()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: printable(v) if isinstance(v, str) else v for key, v in row.items()}
        for row in rows
    )
    return text.getvalue()


def report_names() -> tuple[str, ...]:
    """Return the names of all outputs, the default first."""
    return NAMES


def write_report(result: Result, name: str, width: int = 80) -> str:
    """Return `result` in the output `name`; `width` is for the table alone."""
    if name == "json":
        return as_json(result)
    if name == "csv":
        return as_csv(result)
    if name == "markdown":
        return as_markdown(report_of(result))
    return as_text(report_of(result), width)
