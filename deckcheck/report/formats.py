"""The outputs of a simulation by name."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, TextIO, TypeAlias

from deckcheck.analysis.comparison import ComparisonResult
from deckcheck.analysis.impact_result import ImpactResult
from deckcheck.analysis.meta_result import MetaResult
from deckcheck.findings import UsageError
from deckcheck.findings.json_text import json_text
from deckcheck.report.balances import balance_report
from deckcheck.report.changes import Changes, changes_report
from deckcheck.report.comparisons import comparison_report
from deckcheck.report.duels import duel_report
from deckcheck.report.found import found_report
from deckcheck.report.html.page import page_of, written
from deckcheck.report.impacts import impact_report
from deckcheck.report.markdown import as_markdown
from deckcheck.report.matches import match_report
from deckcheck.report.meta import meta_report
from deckcheck.report.sections import Report
from deckcheck.report.solutions import solution_report
from deckcheck.report.tables import table_report
from deckcheck.report.text import as_text
from deckcheck.sim.document import Data, Row
from deckcheck.sim.result import SimulationResult
from deckcheck.workshop.balancing_result import BalanceResult
from deckcheck.workshop.found import FoundDeck
from deckcheck.workshop.solving_result import SolveResult

__all__ = [
    "balance_writers",
    "changes_writers",
    "check_reported",
    "comparison_writers",
    "found_writers",
    "impact_writers",
    "meta_writers",
    "report_names",
    "report_of",
    "solution_writers",
    "width_of",
    "write_report",
    "writers",
]

NAMES = ("table", "json", "csv", "markdown")
PAGE = "html"
USUAL_WIDTH = 80
Writer: TypeAlias = Callable[..., None]
SIMULATIONS = {"duel": duel_report, "match": match_report}
OTHERS: Mapping[type, Callable[[Any], Report]] = {
    BalanceResult: balance_report,
    Changes: changes_report,
    ComparisonResult: comparison_report,
    FoundDeck: found_report,
    ImpactResult: impact_report,
    MetaResult: meta_report,
    SolveResult: solution_report,
}
"""What is shown of results of other kinds than simulations."""


class Result(Protocol):
    """What came of games, for programs."""

    def to_dict(self) -> Data:
        """As the JSON document."""

    def to_rows(self) -> list[Row]:
        """As flat rows."""


def report_of(result: Any, all_matchups: bool = False) -> Report:
    """Return what is shown of a result of any kind; all matchups if `all_matchups`."""
    if isinstance(result, SimulationResult):
        return SIMULATIONS.get(result.play, table_report)(result, all_matchups)
    return OTHERS[type(result)](result)


def check_reported(result: object) -> None:
    """Raise UsageError for what is no result of which there is a report."""
    if not isinstance(result, (SimulationResult, *OTHERS)):
        raise UsageError(
            f"A {type(result).__name__} has no report", "Give it a result of deckcheck"
        )


def as_json(result: Result) -> str:
    """Return the JSON document of `result`."""
    return json_text(result.to_dict())


def as_csv(result: Result) -> str:
    """Return the flat rows of `result` below a line of column names."""
    rows = result.to_rows()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def report_names() -> tuple[str, ...]:
    """Return the names of all outputs, the default first."""
    return (*NAMES, PAGE)


def write_report(
    result: Any,
    name: str,
    width: int = USUAL_WIDTH,
    *,
    all_matchups: bool = False,
) -> str:
    """Return `result` in the output `name`; `width` is for the table alone.

    Of many matchups, tables or matches, `table` and `markdown` show all in an overview
    and ten in detail, unless `all_matchups`.
    """
    return _written(result, name, width, _reported(name, all_matchups))


def width_of(stream: TextIO) -> int:
    """How many characters a line of `stream` holds; 80 where it is no terminal."""
    if not stream.isatty():
        return USUAL_WIDTH
    import shutil

    return shutil.get_terminal_size().columns


def writers(*, all_matchups: bool = False) -> tuple[tuple[str, Writer], ...]:
    """Every output of a simulation by its name; see `deckcheck.reporters.Reporter`."""
    return tuple(
        (name, _writer(name, _reported(name, all_matchups))) for name in report_names()
    )


def comparison_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of a comparison by its name."""
    return _writers(comparison_report)


def impact_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of the cards of a deck weighed, by its name."""
    return _writers(impact_report)


def found_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of a deck that was found; `deck` is the deck as a file."""
    return (*_writers(found_report), ("deck", _write_deck))


def _write_deck(result: FoundDeck, stream: TextIO, *_: object) -> None:
    stream.write(result.text)


def meta_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of what to bring, by its name."""
    return _writers(meta_report)


def changes_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of what changed between two runs, by its name."""
    return _writers(changes_report)


def _reported(name: str, all_matchups: bool) -> Callable[[Any], Report]:
    """What is shown of a result in the output `name`; a page has everything."""
    return partial(report_of, all_matchups=all_matchups or name == PAGE)


def balance_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of a balanced field by its name; `set` is the file of a set."""
    return (*_writers(balance_report), ("set", _write_set))


def solution_writers() -> tuple[tuple[str, Writer], ...]:
    """Every output of what to bring; `decks` are the decks of the mix as a file."""
    return (*_writers(solution_report), ("decks", _write_decks))


def _write_decks(result: SolveResult, stream: TextIO, *_: object) -> None:
    stream.write(result.text)


def _write_set(result: BalanceResult, stream: TextIO, *_: object) -> None:
    stream.write(result.set_text())


def _writers(reported: Callable[[Any], Report]) -> tuple[tuple[str, Writer], ...]:
    return tuple((name, _writer(name, reported)) for name in report_names())


def _writer(name: str, reported: Callable[[Any], Report]) -> Writer:
    def write(result: Result, stream: TextIO, *_: object) -> None:
        stream.write(_written(result, name, width_of(stream), reported))

    return write


def _written(
    result: Result, name: str, width: int, reported: Callable[[Any], Report]
) -> str:
    """A result in the output `name`."""
    if name == "json":
        return as_json(result)
    if name == "csv":
        return as_csv(result)
    if name == PAGE:
        return written(page_of(result, reported(result)))
    if name == "markdown":
        return as_markdown(reported(result))
    return as_text(reported(result), width)
