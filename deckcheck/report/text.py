"""A report as plain text: aligned tables, whole or for a screen, or a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deckcheck.messages import option, plural, printable
from deckcheck.report.tables import Report, ReportTable
from deckcheck.terminal import cut_apart, width, wrap, wrap_words

# Tables as aligned lines of a given width.

COLUMN_GAP = "  "
MIN_LABEL_WIDTH = 16


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a table: heads, rows, and a prefix for the name of each row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    prefixes: tuple[str, ...]
    matrix: bool
    """Whether the rows are split into parts of columns, which repeat the names."""
    whole: bool
    """Whether no name may be cut."""


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
    """Yield the names of the rows after their prefixes, cut to fit."""
    left = room - width("".join(table.prefixes[:1]))
    shown = cut_apart((row[0] for row in table.rows), left)
    for prefix, row in zip(table.prefixes, table.rows, strict=True):
        yield prefix + shown[row[0]]


def _lay_in_pairs(table: _Texts, figures: Sequence[int], room: int) -> Iterator[str]:
    """Yield two lines for each row: its name, and its figures below."""
    yield _join_cells(("", *table.columns[1:]), 0, figures)
    for prefix, row in zip(table.prefixes, table.rows, strict=True):
        yield from wrap(row[0], room, prefix)
        yield _join_cells(("", *row[1:]), 0, figures)


def _spell_out(table: _Texts, room: int) -> Iterator[str]:
    """Yield each row by itself: its name, and below it each figure with its column."""
    is_first = True
    for prefix, row in zip(table.prefixes, table.rows, strict=True):
        if not is_first:
            yield ""
        is_first = False
        yield from wrap(row[0], room, prefix)
        pairs = zip(table.columns[1:], row[1:], strict=True)
        *others, last = [f"{column} {cell}" for column, cell in pairs]
        words = [f"{pair}," for pair in others]
        yield from wrap_words([*words, last], room, COLUMN_GAP)


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
    """Return the width of the names with their prefixes, and of each other column."""
    prefix = max(map(width, table.prefixes), default=0)
    columns = zip(table.columns, *table.rows, strict=True)
    label, *figures = [max(map(width, column)) for column in columns]
    return [prefix + label, *figures]


# A whole report, for screens of any width and for pipes.

MIN_WIDTH = 40
SCREEN_LINES = 24
"""The most lines of an answer, unless all of it is asked for."""
MIN_ROWS, ROWS_ON_SCREEN = 3, 10
"""The fewest and the most rows of a table on a screen."""
TITLE_AND_GAPS = 6
"""Lines of a table's title and head, and between the parts of an answer."""
HEAD_LINES = 3
"""The part of these lines that belongs to the table: its title, a gap, its head."""
MAIN_FACTS = (
    "bot error",
    *"""
    format cards policies selection field weights games stopped intervals seed
    checksum advice
    """.split(),
)


def as_text(report: Report, room: int = 80, *, whole: bool = False) -> str:
    """Return `report` laid out for `room` columns (40 at least).

    A report longer than a screen is cut to the answer, the first rows of the first
    table and the main facts, unless `whole`.
    """
    room = max(room, MIN_WIDTH)
    rows = sum(len(table.rows) for table in report.tables)
    if whole or rows <= SCREEN_LINES:
        text = _write_all(report, room)
        if whole or text.count("\n") <= SCREEN_LINES:
            return text
    return _write_screen(report, room)


def _write_all(report: Report, room: int) -> str:
    paragraphs = _wrap_answers(report, room)
    paragraphs += ["\n".join(table_lines(table, room)) for table in report.tables]
    paragraphs += _wrap_warnings(report, room)
    label = max(len(name) for name, _ in report.facts)
    fact_lines: list[str] = []
    for name, fact in report.facts:
        fact_lines += wrap(printable(fact), room, f"{name:<{label}}{COLUMN_GAP}")
    paragraphs.append("\n".join(fact_lines))
    return "\n\n".join(paragraphs) + "\n"


def _wrap_answers(report: Report, room: int) -> list[str]:
    return ["\n".join(wrap(printable(answer), room)) for answer in report.answers]


def _wrap_warnings(report: Report, room: int) -> list[str]:
    return [
        "\n".join(wrap(printable(f"warning: {note}"), room)) for note in report.warnings
    ]


def _write_screen(report: Report, room: int) -> str:
    """Return the answers, the first rows of the first table, and the main facts."""
    above = _wrap_answers(report, room)
    below = [*_wrap_warnings(report, room), "\n".join(_main_facts(report, room))]
    taken = sum(part.count("\n") + 2 for part in (*above, *below)) + TITLE_AND_GAPS
    shown: list[str] = []
    hidden = 0
    if report.tables:
        table = report.tables[0]
        rows = min(ROWS_ON_SCREEN, max(MIN_ROWS, SCREEN_LINES - taken))
        first = table.shorten(rows, " ".join(report.answers))
        hidden = len(table.rows) - len(first.rows)
        shown = list(table_lines(first, room))
        if taken - HEAD_LINES + len(shown) > SCREEN_LINES:
            shown = list(table_lines(replace(first, note=None), room))
    more = []
    if hidden:
        more.append(plural(hidden, "more row"))
    if len(report.tables) > 1:
        more.append(plural(len(report.tables) - 1, "more table"))
    if more:
        if shown:
            shown.append("")
        shown.append(f"and {', '.join(more)}: {option('full')}")
    parts = above
    if shown:
        parts.append("\n".join(shown))
    return "\n\n".join([*parts, *below]) + "\n"


def _main_facts(report: Report, room: int) -> list[str]:
    """Return the main facts as lines, without breaking names."""
    words: list[str] = []
    for name, fact in report.facts:
        if name in MAIN_FACTS:
            first, *rest = f"{printable(fact)};".split()
            words += [f"{name} {first}", *rest]
    if words:
        words[-1] = words[-1].rstrip(";")
    return wrap_words(words, room)


# A report in one line, for a chat.

MAX_PLACES = 3
"""Places of a ranking that the line names."""


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
    rows = []
    for prefix, (name, *cells) in zip(table.places, table.texts, strict=True):
        figures = map(" ".join, zip(heads, cells[:2], strict=True))
        rows.append(f"{prefix}{name} {', '.join(figures)}")
    shown = rows[:1]
    if any(table.places):
        shown = rows[:MAX_PLACES]
    return f"{table.title.partition(': ')[0]}: {'; '.join(shown)}"
