"""A report as text, Markdown, JSON, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from deckcheck.messages import option, plural, printable
from deckcheck.report.page import Page, make_table_page, render_page
from deckcheck.report.tables import IN_TEXT, Report, ReportTable
from deckcheck.sim.figures import COLUMN_TYPES, Row
from deckcheck.sim.provenance import Program
from deckcheck.sim.standings import ResultHeader
from deckcheck.terminal import cut_apart, width, wrap, wrap_words

# Tables as aligned lines of a given width


COLUMN_GAP = "  "
MIN_LABEL_WIDTH = 16


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a table: heads, rows, and a prefix for the name of each row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    matrix: bool
    whole: bool


def table_lines(table: ReportTable, room: int) -> Iterator[str]:
    """Yield the lines of a table under its title, `room` columns wide at most."""
    yield from wrap(printable(table.title), room)
    yield ""
    columns = tuple(map(printable, table.heads))
    rows = tuple(tuple(map(printable, row)) for row in table.texts)
    texts = _Texts(columns, rows, table.places, table.matrix, table.whole)
    yield from _lay_out_body(texts, room)
    if table.note is not None:
        yield ""
        yield from wrap(printable(table.note), room)


def _lay_out_body(table: _Texts, room: int) -> Iterator[str]:
    label, *figures = _measure_columns(table)
    left = room - sum(figures) - len(COLUMN_GAP) * len(figures)
    if _are_labels_distinct(left, label, table):
        yield from _lay_side_by_side(table, min(label, left), figures)
    elif table.matrix:
        yield from _lay_in_parts(table, min(label, room // 3), max(figures), room)
    elif left >= 0:
        yield from _lay_in_pairs(table, figures, room)
    else:
        yield from _spell_out(table, room)


def _are_labels_distinct(left: int, label: int, table: _Texts) -> bool:
    """Report whether names `label` wide stay distinct in `left` columns.

    A third of a name may be cut, or more in a matrix, whose parts repeat the names.
    """
    if table.whole:
        return left >= label
    uncut = 0 if table.matrix else label * 2 // 3
    return left >= min(label, max(MIN_LABEL_WIDTH, uncut))


def _lay_side_by_side(
    table: _Texts, label: int, figures: Sequence[int]
) -> Iterator[str]:
    yield _join_cells(table.columns, label, figures)
    for name, row in zip(_cut_names(table, label), table.rows, strict=True):
        yield _join_cells((name, *row[1:]), label, figures)


def _cut_names(table: _Texts, room: int) -> Iterator[str]:
    """Yield the names of the rows after their places, cut to fit."""
    places = table.places
    left = room - width("".join(places[:1]))
    shown = cut_apart((row[0] for row in table.rows), left)
    for number, row in zip(places, table.rows, strict=True):
        yield number + shown[row[0]]


def _lay_in_pairs(table: _Texts, figures: Sequence[int], room: int) -> Iterator[str]:
    """Yield two lines for each row: its name, and its figures below."""
    yield _join_cells(("", *table.columns[1:]), 0, figures)
    for number, row in zip(table.places, table.rows, strict=True):
        yield from wrap(row[0], room, number)
        yield _join_cells(("", *row[1:]), 0, figures)


def _spell_out(table: _Texts, room: int) -> Iterator[str]:
    """Yield each row by itself: its name, and below it each figure with its column."""
    for index, (number, row) in enumerate(zip(table.places, table.rows, strict=True)):
        if index:
            yield ""
        yield from wrap(row[0], room, number)
        pairs = zip(table.columns[1:], row[1:], strict=True)
        *most, last = (f"{column} {cell}" for column, cell in pairs)
        yield from wrap_words(
            [*(f"{longest}," for longest in most), last], room, COLUMN_GAP
        )


def _lay_in_parts(table: _Texts, label: int, figure: int, room: int) -> Iterator[str]:
    """Yield as many columns at a time as fit, with the names each time."""
    fitting = max(1, (room - label) // (figure + len(COLUMN_GAP)))
    for first in range(1, len(table.columns), fitting):
        if first > 1:
            yield ""
        part = slice(first, first + fitting)
        columns = (table.columns[0], *table.columns[part])
        rows = tuple((row[0], *row[part]) for row in table.rows)
        some = replace(table, columns=columns, rows=rows)
        yield from _lay_side_by_side(some, label, [figure] * (len(columns) - 1))


def _join_cells(row: Sequence[str], label: int, figures: Sequence[int]) -> str:
    cells = [row[0] + " " * (label - width(row[0]))]
    for cell, room in zip(row[1:], figures, strict=True):
        cells.append(" " * (room - width(cell)) + cell)
    return COLUMN_GAP.join(cells).rstrip()


def _measure_columns(table: _Texts) -> list[int]:
    places = max(map(width, table.places), default=0)
    columns = zip(table.columns, *table.rows, strict=True)
    label, *figures = (max(map(width, column)) for column in columns)
    return [places + label, *figures]


# A simulation as plain text: aligned, for screens of any width and for pipes


MIN_WIDTH = 40
SCREEN_LINES = 24
"""The most lines of an answer, unless all of it is asked for."""
ROWS_ON_SCREEN = 10
TITLE_AND_GAPS = 6
"""Lines of a table's title and head, and between the parts of an answer."""
MAIN_FACTS = tuple(
    """
    format cards policies selection field weights games stopped intervals seed
    checksum advice
    """.split()
)


def as_text(report: Report, width: int = 80, *, whole: bool = False) -> str:
    """Return `report` laid out for `width` columns (40 at least).

    A report longer than a screen is cut to the answer, the first rows of the first
    table and the main facts, unless `whole`.
    """
    width = max(width, MIN_WIDTH)
    rows = sum(len(table.rows) for table in report.tables)
    if whole or rows <= SCREEN_LINES:
        text = _write_all(report, width)
        if whole or text.count("\n") <= SCREEN_LINES:
            return text
    return _write_screen(report, width)


def _write_all(report: Report, width: int) -> str:
    paragraphs = _wrap_answers(report, width)
    paragraphs += ["\n".join(table_lines(table, width)) for table in report.tables]
    paragraphs += _wrap_warnings(report, width)
    label = max(len(name) for name, _ in report.facts)
    fact_lines: list[str] = []
    for name, fact in report.facts:
        fact_lines += wrap(printable(fact), width, f"{name:<{label}}{COLUMN_GAP}")
    paragraphs.append("\n".join(fact_lines))
    return "\n\n".join(paragraphs) + "\n"


def _wrap_answers(report: Report, width: int) -> list[str]:
    return ["\n".join(wrap(printable(answer), width)) for answer in report.answers]


def _wrap_warnings(report: Report, width: int) -> list[str]:
    return [
        "\n".join(wrap(printable(f"warning: {note}"), width))
        for note in report.warnings
    ]


def _write_screen(report: Report, width: int) -> str:
    """Return the answers, the first rows of the first table, and the main facts."""
    above = _wrap_answers(report, width)
    below = [*_wrap_warnings(report, width), "\n".join(_main_facts(report, width))]
    taken = sum(part.count("\n") + 2 for part in (*above, *below)) + TITLE_AND_GAPS
    shown: list[str] = []
    hidden = 0
    for table in report.tables[:1]:
        most = min(ROWS_ON_SCREEN, max(3, SCREEN_LINES - taken))
        first = table.shorten(most, " ".join(report.answers))
        hidden = len(table.rows) - len(first.rows)
        lines = list(table_lines(replace(first, note=None), width))
        with_note = list(table_lines(first, width))
        shown = with_note if taken - 3 + len(with_note) <= SCREEN_LINES else lines
    more = [plural(hidden, "more row")] if hidden else []
    if len(report.tables) > 1:
        more.append(plural(len(report.tables) - 1, "more table"))
    if more:
        if shown:
            shown.append("")
        shown.append(f"and {', '.join(more)}: {option('full')}")
    middle = ["\n".join(shown)] if shown else []
    return "\n\n".join([*above, *middle, *below]) + "\n"


def _main_facts(report: Report, width: int) -> list[str]:
    """Return the main facts as lines, without breaking names."""
    facts = [(name, fact) for name, fact in report.facts if name in MAIN_FACTS]
    words: list[str] = []
    for name, fact in facts:
        first, *rest = f"{printable(fact)};".split()
        words += [f"{name} {first}", *rest]
    if words:
        words[-1] = words[-1].rstrip(";")
    return wrap_words(words, width)


# A simulation in one line, for a chat


IN_LINE = 3
"""How many places of a ranking are named."""


def as_line(report: Report) -> str:
    """Return the answer of `report` on a line, or else the first rows."""
    answer = " ".join(report.answers) or _describe_first_rows(report.tables[0])
    facts = dict(report.facts)
    named = ("policies", "games", "format")
    how = [f"{name} {facts[name]}" for name in named if name in facts]
    return f"{printable(' '.join(answer.split()))} ({'; '.join(how)})\n"


def _describe_first_rows(table: ReportTable) -> str:
    """Return the first three rows of a ranking, or a row, with two figures each."""
    heads = table.heads[1:3]
    rows = [
        f"{number}{name} {', '.join(map(' '.join, zip(heads, cells[:2], strict=True)))}"
        for number, (name, *cells) in zip(table.places, table.texts, strict=True)
    ]
    some = rows[: IN_LINE if any(table.places) else 1]
    return f"{table.title.partition(': ')[0]}: {'; '.join(some)}"


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
    for number, row in zip(table.places, table.texts, strict=True):
        yield table_row(map(plain, (number + row[0], *row[1:])))
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
        return (self.full or self.report if full else self.report)(result)

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
