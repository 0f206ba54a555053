"""A report as text, Markdown, JSON, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TextIO, TypeAlias, TypeVar

from deckcheck.markup import (
    bold,
    csv_table,
    json_pieces,
    json_text,
    message,
    parquet_table,
    plain,
    table_row,
)
from deckcheck.report.page import Page, make_table_page, render_page
from deckcheck.report.tables import IN_TEXT, Report, ReportTable
from deckcheck.report.text import as_line, as_text
from deckcheck.sim.figures import COLUMN_TYPES, Row
from deckcheck.sim.provenance import Program
from deckcheck.sim.result_header import ResultHeader

# A simulation as Markdown tables


def as_markdown(report: Report) -> str:
    """Return the tables of `report` and how its games were played."""
    parts = [message(answer, bold) for answer in report.answers]
    parts += ["\n".join(_write_table(table)) for table in report.tables]
    parts.extend(f"> **Warning:** {message(note)}" for note in report.warnings)
    parts.append("\n".join(f"- {name}: {message(fact)}" for name, fact in report.facts))
    return "\n\n".join(parts) + "\n"


def _write_table(table: ReportTable) -> Iterator[str]:
    yield f"### {plain(table.title)}"
    yield ""
    yield table_row(map(plain, table.heads))
    yield table_row(["---", *["---:"] * (len(table.heads) - 1)])
    for prefix, row in zip(table.places, table.texts, strict=True):
        yield table_row(map(plain, (prefix + row[0], *row[1:])))
    if table.note is not None:
        yield ""
        yield message(table.note)


# The outputs of a result by name: table, JSON, CSV, Parquet, Markdown, page


TEXT_OUTPUTS = ("table", "line", "json", "csv", "markdown")
PAGE_OUTPUT = "html"
PARQUET_OUTPUT = "parquet"
"""The name of the binary output, whose stream needs a `buffer`."""
USUAL_WIDTH = 80


class Result(Protocol):
    """The result of a study, for programs."""

    def to_dict(self) -> Mapping[str, object]:
        """Return the result as the JSON document."""

    def to_rows(self) -> list[Row]:
        """Return the result as tidy rows."""


R = TypeVar("R", bound=Result)
Writer: TypeAlias = Callable[..., None]
Writers: TypeAlias = tuple[tuple[str, Writer], ...]


@dataclass(frozen=True)  # with slots, `Presentation[R](...)` fails in Python 3.11
class Presentation(Generic[R]):
    """The way to show the results of a study."""

    report: Callable[[R], Report]
    """Returns the main tables."""
    page: Callable[[R, Program], Page] | None = None
    """Returns the page, with the name of the program that played."""
    extra_outputs: tuple[tuple[str, Callable[[R], str]], ...] = ()
    """Outputs of this study alone, by name."""
    full: Callable[[R], Report] | None = None
    """Returns all tables, if there are more than the main ones."""

    def text(
        self,
        result: R,
        name: str,
        width: int = USUAL_WIDTH,
        *,
        full: bool = False,
        tool: Program | None = None,
    ) -> str:
        """Return `result` in the output `name`. `width` is for the table alone.

        `tool` is the program that played, by default this program.
        """
        if name == "json":
            return as_json(result)
        if name == "csv":
            return as_csv(result)
        if name == PAGE_OUTPUT:
            return render_page(self.make_page(result, tool or Program.here()))
        if name in (extra_outputs := dict(self.extra_outputs)):
            return extra_outputs[name](result)
        report = self.make_report(result, full=full).for_output(IN_TEXT)
        # Rows that are left out of an unfinished answer could not be asked for again,
        # except for a simulation, whose played games `report` shows.
        is_unfinished = isinstance(result, ResultHeader) and not result.complete
        whole = full or (is_unfinished and self.full is None)
        if name in (texts := {"markdown": as_markdown, "line": as_line}):
            return texts[name](report)
        return as_text(report, width, whole=whole)

    def make_page(self, result: R, tool: Program) -> Page:
        """Return the page of `result` alone with all tables, as `tool` played it."""
        if self.page is not None:
            return self.page(result, tool)
        assert isinstance(result, ResultHeader)
        return make_table_page(result, self.make_report(result, full=True), tool)

    def make_report(self, result: R, *, full: bool) -> Report:
        """Return the tables of `result`."""
        make = self.report
        if full and self.full is not None:
            make = self.full
        return make(result)

    def writers(self, *, full: bool = False, tool: Program | None = None) -> Writers:
        """Return every output by its name, see `deckcheck.reporters.Reporter`."""
        names = (*report_names(), *(name for name, _ in self.extra_outputs))
        text = partial(self.text, full=full, tool=tool)
        writers = dict(text_writers(names, text, lambda result: result.to_rows()))
        return tuple({**writers, "json": _write_json}.items())


def _write_json(result: Result, stream: TextIO, *_: object) -> None:
    # Piece by piece: the text of many decks would fill the memory.
    stream.writelines(json_pieces(result.to_dict()))


def text_writers(
    names: Iterable[str],
    text: Callable[[Any, str, int], str],
    rows: Callable[[Any], Sequence[Row]],
) -> Writers:
    """Return outputs by name from functions for the text of a result and for its rows.

    `text` takes the name and the width, too.
    """

    def writer(name: str) -> Writer:
        def write(result: Any, stream: TextIO, *_: object) -> None:
            stream.write(text(result, name, measure_width(stream)))

        return write

    def as_parquet(result: Any, stream: TextIO, *_: object) -> None:
        stream.buffer.write(parquet_table(rows(result), COLUMN_TYPES))

    return (*((name, writer(name)) for name in names), (PARQUET_OUTPUT, as_parquet))


def as_json(result: Result) -> str:
    """Return the JSON document of `result`."""
    return json_text(result.to_dict())


def as_csv(result: Result) -> str:
    """Return the tidy rows of `result` below a line of column names."""
    return csv_table(result.to_rows())


def report_names() -> tuple[str, ...]:
    """Return the outputs that all results have as text, the default first."""
    return (*TEXT_OUTPUTS, PAGE_OUTPUT)


def measure_width(stream: TextIO) -> int:
    """Return the width of a terminal in characters, 80 for other streams."""
    if not stream.isatty():
        return USUAL_WIDTH
    import shutil

    return shutil.get_terminal_size().columns
