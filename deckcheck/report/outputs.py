"""A report as text, Markdown, JSON, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TextIO, TypeAlias, TypeVar

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
from deckcheck.messages import option, plural, printable
from deckcheck.report.page import Page, written
from deckcheck.report.tables import Report, ReportTable
from deckcheck.sim.figures import TYPES, Row
from deckcheck.sim.provenance import Program
from deckcheck.terminal import cut_apart, width, wrap, wrap_words

# Tables as aligned lines of a given width


GAP = "  "
SHORTEST_LABEL = 16


@dataclass(frozen=True, slots=True)
class _Texts:
    """What a table shows: heads, rows, and what stands before the name of each row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    matrix: bool
    whole: bool


def table_lines(table: ReportTable, room: int) -> Iterator[str]:
    """The table under its title, in lines of `room` columns at most."""
    yield from wrap(printable(table.title), room)
    yield ""
    columns = tuple(map(printable, table.heads))
    rows = tuple(tuple(map(printable, row)) for row in table.texts)
    texts = _Texts(columns, rows, table.places, table.matrix, table.whole)
    yield from _body_lines(texts, room)
    if table.note is not None:
        yield ""
        yield from wrap(printable(table.note), room)


def _body_lines(table: _Texts, room: int) -> Iterator[str]:
    label, *figures = _column_widths(table)
    left = room - sum(figures) - len(GAP) * len(figures)
    if _is_enough(left, label, table):
        yield from _side_by_side(table, min(label, left), figures)
    elif table.matrix:
        yield from _in_parts(table, min(label, room // 3), max(figures), room)
    elif left >= 0:
        yield from _stacked(table, figures, room)
    else:
        yield from _spelled_out(table, room)


def _is_enough(left: int, label: int, table: _Texts) -> bool:
    """Whether names that need `label` columns can be told in those that are left.

    A third of a name may be cut; in a matrix, whose parts repeat the names, more.
    """
    if table.whole:
        return left >= label
    kept = 0 if table.matrix else label * 2 // 3
    return left >= min(label, max(SHORTEST_LABEL, kept))


def _side_by_side(table: _Texts, label: int, figures: Sequence[int]) -> Iterator[str]:
    yield _line(table.columns, label, figures)
    for name, row in zip(_names(table, label), table.rows, strict=True):
        yield _line((name, *row[1:]), label, figures)


def _names(table: _Texts, room: int) -> Iterator[str]:
    """The names of the rows behind their places, cut to fit."""
    places = table.places
    left = room - width("".join(places[:1]))
    shown = cut_apart((row[0] for row in table.rows), left)
    for place, row in zip(places, table.rows, strict=True):
        yield place + shown[row[0]]


def _stacked(table: _Texts, figures: Sequence[int], room: int) -> Iterator[str]:
    """Each row on two lines: its name, and its figures below."""
    yield _line(("", *table.columns[1:]), 0, figures)
    for place, row in zip(table.places, table.rows, strict=True):
        yield from wrap(row[0], room, place)
        yield _line(("", *row[1:]), 0, figures)


def _spelled_out(table: _Texts, room: int) -> Iterator[str]:
    """Each row by itself: its name, and below it each figure with its column."""
    for number, (place, row) in enumerate(zip(table.places, table.rows, strict=True)):
        if number:
            yield ""
        yield from wrap(row[0], room, place)
        pairs = zip(table.columns[1:], row[1:], strict=True)
        *most, last = (f"{column} {cell}" for column, cell in pairs)
        yield from wrap_words([*(f"{longest}," for longest in most), last], room, GAP)


def _in_parts(table: _Texts, label: int, figure: int, room: int) -> Iterator[str]:
    """As many columns at a time as fit, with the names each time."""
    fitting = max(1, (room - label) // (figure + len(GAP)))
    for first in range(1, len(table.columns), fitting):
        if first > 1:
            yield ""
        part = slice(first, first + fitting)
        columns = (table.columns[0], *table.columns[part])
        rows = tuple((row[0], *row[part]) for row in table.rows)
        some = replace(table, columns=columns, rows=rows)
        yield from _side_by_side(some, label, [figure] * (len(columns) - 1))


def _line(row: Sequence[str], label: int, figures: Sequence[int]) -> str:
    cells = [row[0] + " " * (label - width(row[0]))]
    for cell, room in zip(row[1:], figures, strict=True):
        cells.append(" " * (room - width(cell)) + cell)
    return GAP.join(cells).rstrip()


def _column_widths(table: _Texts) -> list[int]:
    places = max(map(width, table.places), default=0)
    columns = zip(table.columns, *table.rows, strict=True)
    label, *figures = (max(map(width, column)) for column in columns)
    return [places + label, *figures]


# A simulation as plain text: aligned, for screens of any width and for pipes


NARROWEST = 40
MOST_ROWS = 100
MOST_IN_MATRIX = 40


def as_text(report: Report, width: int = 80, *, whole: bool = False) -> str:
    """Return the tables of `report`, laid out for `width` columns (40 at least).

    Long tables end where a reader stops, unless they are to be `whole`.
    """
    width = max(width, NARROWEST)
    paragraphs = [
        "\n".join(wrap(printable(answer), width)) for answer in report.answers
    ]
    paragraphs += [
        "\n".join(table_lines(table, width) if whole else _lines(table, width))
        for table in report.tables
    ]
    notes = [wrap(printable(f"warning: {note}"), width) for note in report.warnings]
    paragraphs.extend("\n".join(lines) for lines in notes)
    label = max(len(name) for name, _ in report.facts)
    paragraphs.append(
        "\n".join(
            line
            for name, fact in report.facts
            for line in wrap(printable(fact), width, f"{name:<{label}}{GAP}")
        )
    )
    return "\n\n".join(paragraphs) + "\n"


def _lines(table: ReportTable, width: int) -> Iterator[str]:
    """The lines of a table, or of its first rows and where the others are."""
    rows = len(table.rows)
    if table.matrix and len(table.columns) - 1 > MOST_IN_MATRIX:
        yield from wrap(
            printable(f"{table.title}: {_elsewhere(plural(rows, 'row'))}"), width
        )
        return
    more = rows - MOST_ROWS
    if more <= 0:
        yield from table_lines(table, width)
        return
    yield from table_lines(replace(table, rows=table.rows[:MOST_ROWS]), width)
    yield ""
    yield from wrap(_elsewhere(plural(more, "more row")), width)


def _elsewhere(rows: str) -> str:
    """Where rows are that are not shown."""
    return f"{rows}, which {option('output-format', 'html:page.html')} has"


# A simulation as Markdown tables


def as_markdown(report: Report) -> str:
    """Return the tables of `report` and how its games were played."""
    parts = [message(answer, bold) for answer in report.answers]
    parts += ["\n".join(_table_lines(table)) for table in report.tables]
    parts.extend(f"> **Warning:** {message(note)}" for note in report.warnings)
    parts.append("\n".join(f"- {name}: {message(fact)}" for name, fact in report.facts))
    return "\n\n".join(parts) + "\n"


def _table_lines(table: ReportTable) -> Iterator[str]:
    yield f"### {plain(table.title)}"
    yield ""
    yield table_row(map(plain, table.heads))
    yield table_row(["---", *["---:"] * (len(table.heads) - 1)])
    for place, row in zip(table.places, table.texts, strict=True):
        yield table_row(map(plain, (place + row[0], *row[1:])))
    if table.note is not None:
        yield ""
        yield message(table.note)


# The outputs of a result by name: table, JSON, CSV, Parquet, Markdown, page


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
