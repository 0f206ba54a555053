"""The outputs of a simulation by name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import TextIO, TypeAlias

from deckcheck.report.duels import duel_report
from deckcheck.report.markdown import as_markdown
from deckcheck.report.matches import match_report
from deckcheck.report.sections import Report
from deckcheck.report.tables import table_report
from deckcheck.report.text import as_text
from deckcheck.sim.result import SimulationResult

__all__ = ["report_names", "report_of", "width_of", "write_report", "writers"]

NAMES = ("table", "json", "csv", "markdown")
USUAL_WIDTH = 80
Writer: TypeAlias = Callable[..., None]
REPORTS = {"duel": duel_report, "match": match_report}


def report_of(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return what is shown of `result`, by the way to play."""
    return REPORTS.get(result.play, table_report)(result, all_matchups)


def as_json(result: SimulationResult) -> str:
    """Return the JSON document of `result`."""
    return json.dumps(result.to_dict(), indent=2, ensure_ascii=False) + "\n"


def as_csv(result: SimulationResult) -> str:
    """Return the flat rows of `result` below a line of column names."""
    rows = result.to_rows()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def report_names() -> tuple[str, ...]:
    """Return the names of all outputs, the default first."""
    return NAMES


def write_report(
    result: SimulationResult,
    name: str,
    width: int = USUAL_WIDTH,
    *,
    all_matchups: bool = False,
) -> str:
    """Return `result` in the output `name`; `width` is for the table alone.

    Of many matchups, tables or matches, `table` and `markdown` show all in an overview
    and ten in detail, unless `all_matchups`.
    """
    if name == "json":
        return as_json(result)
    if name == "csv":
        return as_csv(result)
    if name == "markdown":
        return as_markdown(report_of(result, all_matchups))
    return as_text(report_of(result, all_matchups), width)


def width_of(stream: TextIO) -> int:
    """How many characters a line of `stream` holds; 80 where it is no terminal."""
    if not stream.isatty():
        return USUAL_WIDTH
    import shutil

    return shutil.get_terminal_size().columns


def writers(*, all_matchups: bool = False) -> tuple[tuple[str, Writer], ...]:
    """Every output of a simulation by its name; see `deckcheck.reporters.Reporter`."""
    return tuple((name, _writer(name, all_matchups)) for name in NAMES)


def _writer(name: str, all_matchups: bool) -> Writer:
    def write(result: SimulationResult, stream: TextIO, *_: object) -> None:
        width = width_of(stream)
        stream.write(write_report(result, name, width, all_matchups=all_matchups))

    return write
