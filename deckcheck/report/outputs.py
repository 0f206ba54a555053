"""The outputs of a result by name: table, JSON, CSV, Parquet, Markdown, page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TextIO, TypeAlias, TypeVar

from deckcheck.findings.csv_text import csv_table
from deckcheck.findings.json_text import json_pieces, json_text
from deckcheck.findings.parquet import parquet_table
from deckcheck.report.html.model import Page
from deckcheck.report.html.page import written
from deckcheck.report.markdown import as_markdown
from deckcheck.report.sections import Report
from deckcheck.report.text import as_text
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.results.figures import Row
from deckcheck.sim.results.tidy import TYPES

NAMES = ("table", "json", "csv", "markdown")
PAGE = "html"
PARQUET = "parquet"
"""The output that is no text: its writer needs a stream with a `buffer`."""
USUAL_WIDTH = 80


class Result(Protocol):
    """The result of a study, for programs."""

    def to_dict(self) -> Mapping[str, object]:
        """As the JSON document."""

    def to_rows(self) -> list[Row]:
        """As tidy rows."""


R = TypeVar("R", bound=Result)
Writer: TypeAlias = Callable[..., None]
Writers: TypeAlias = tuple[tuple[str, Writer], ...]


@dataclass(frozen=True)  # with slots, `Presentation[R](...)` fails in Python 3.11
class Presentation(Generic[R]):
    """How the results of a study are shown.

    `report` returns the tables, all matchups if its second argument is true; `page`
    the page, of which the program that played is named. `own` are outputs that only
    this study has, by name.
    """

    report: Callable[[R, bool], Report]
    page: Callable[[R, Program], Page]
    own: tuple[tuple[str, Callable[[R], str]], ...] = ()

    def text(
        self,
        result: R,
        name: str,
        width: int = USUAL_WIDTH,
        *,
        all_matchups: bool = False,
        tool: Program | None = None,
    ) -> str:
        """Return `result` in the output `name`; `width` is for the table alone.

        `tool` is the program that played, this one if it is left out.
        """
        if name == "json":
            return as_json(result)
        if name == "csv":
            return as_csv(result)
        if name == PAGE:
            return written(self.page(result, tool or Program.here()))
        if name in (own := dict(self.own)):
            return own[name](result)
        report = self.report(result, all_matchups)
        if name == "markdown":
            return as_markdown(report)
        return as_text(report, width, whole=all_matchups)

    def writers(
        self, *, all_matchups: bool = False, tool: Program | None = None
    ) -> Writers:
        """Every output by its name; see `deckcheck.reporters.Reporter`."""
        names = (*report_names(), *(name for name, _ in self.own))
        texts = ((name, self._writer(name, all_matchups, tool)) for name in names)
        return (*texts, (PARQUET, _write_parquet))

    def _writer(self, name: str, all_matchups: bool, tool: Program | None) -> Writer:
        def write(result: R, stream: TextIO, *_: object) -> None:
            if name == "json":
                stream.writelines(json_pieces(result.to_dict()))
                return
            width = width_of(stream)
            text = self.text(result, name, width, all_matchups=all_matchups, tool=tool)
            stream.write(text)

        return write


def as_json(result: Result) -> str:
    """Return the JSON document of `result`."""
    return json_text(result.to_dict())


def as_csv(result: Result) -> str:
    """Return the tidy rows of `result` below a line of column names."""
    return csv_table(result.to_rows())


def write_parquet(rows: Sequence[Row], stream: TextIO) -> None:
    """Write tidy rows as Parquet."""
    stream.buffer.write(parquet_table(rows, TYPES))


def _write_parquet(result: Result, stream: TextIO, *_: object) -> None:
    write_parquet(result.to_rows(), stream)


def report_names() -> tuple[str, ...]:
    """Return the outputs that all results have as text, the default first."""
    return (*NAMES, PAGE)


def width_of(stream: TextIO) -> int:
    """How many characters a line of `stream` holds; 80 where it is no terminal."""
    if not stream.isatty():
        return USUAL_WIDTH
    import shutil

    return shutil.get_terminal_size().columns
