"""Read tables of cards, in text decks and as CSV, and write CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deckcheck.cards import CardDatabase
from deckcheck.decks.findings import (
    DUPLICATE_HEADER,
    IMPOSSIBLE_COUNT,
    MALFORMED_DECK,
    MALFORMED_DOCUMENT,
    UNKNOWN_HEADER,
)
from deckcheck.decks.lines import MAX_LINE, check_count, clean_line, says_nothing
from deckcheck.decks.model import (
    DeckSource,
    Header,
    Heading,
    Line,
    RawDeck,
    Sheet,
    WrittenDeck,
    card_order,
    lost_reserves,
    single_value,
)
from deckcheck.decks.words import (
    HEADERS,
    Below,
    column_role,
    header_key,
    read_titles,
    usual_heading,
)
from deckcheck.findings import (
    Finding,
    Rule,
    Span,
    UsageError,
    on_line,
    split_lines,
)
from deckcheck.markup import guard_formula, remove_guard
from deckcheck.messages import quote

# The lines of a deck, gathered from a document or a table


class Gatherer:
    """Gathers the lines of a deck, and the findings about its notation."""

    holder = "card"
    """The word for the part of a file that holds a card."""

    def __init__(self, source: DeckSource) -> None:
        self.source = source
        self.headers: dict[str, list[Line]] = {}
        self.lines: list[Line] = []
        self.findings: list[Finding] = []
        self.unread_lines = 0

    def report(self, rule: Rule, span: Span, message: str, help: str | None) -> None:
        """Add a finding."""
        self.findings.append(rule.at(self.source.path, span, message, help=help))

    def refuse(self, rule: Rule, span: Span, message: str, help: str) -> None:
        """Add a finding about a card that cannot be read."""
        self.unread_lines += 1
        self.report(rule, span, message, help)

    def add_header(self, key: str, value: str, span: Span) -> None:
        """Add a header."""
        self.headers.setdefault(key, []).append(header_line(key, value, span))

    def add_card(
        self, name: str, number: str, span: Span, count_span: Span, doubt: str = ""
    ) -> None:
        """Add a card with a separate count."""
        count = check_count(number)
        if isinstance(count, str):
            help = f"Write how many copies the deck has, or remove the {self.holder}"
            self.refuse(IMPOSSIBLE_COUNT, count_span, count, help)
            return
        doubt = doubt or clean_line(Line(name, span)).doubt
        self.lines.append(Line(name, span, doubt=doubt, count=count))

    def deck(self, span: Span) -> RawDeck:
        """Return the deck, which `span` covers."""
        headers = [line for lines in self.headers.values() for line in lines]
        lines = (*headers, *self.lines)
        findings = tuple(self.findings)
        return RawDeck(self.source, lines, findings, span, self.unread_lines)


def header_line(key: str, value: str, span: Span) -> Line:
    """Return the line of a header, by its key."""
    return Line(value, span, key=key, header=Header(value, span))


# Columns, which are known by their heads

CELL_DELIMITERS = ",;\t|"
MIN_NUMBERED_ROWS = 4
"""The number of rows from which rising numbers may be row numbers."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table."""

    roles: tuple[str, ...]
    """A word of `column_role` for each column, but `number`. Empty if unknown."""
    heads: tuple[Line, ...]
    delimiter: str
    has_weak_count: bool
    """The column of counts may have row numbers instead."""


def read_columns(text: Line, delimiter: str) -> Columns | None:
    """Return the columns that a line of heads names, None without a column of cards."""
    heads = split_row(text, delimiter)
    roles = [column_role(remove_guard(head.text)) or "" for head in heads]
    for index, head in enumerate(heads):
        # A second column of cards may be a header, such as `Name`.
        if roles[index] == "card" and roles.count("card") > 1:
            roles[index] = header_key(head.text) or "card"
    if roles.count("card") != 1:
        return None
    has_count = "count" in roles
    has_weak_count = not has_count and "number" in roles
    for index, role in enumerate(roles):
        is_second = role == "count" and "count" in roles[:index]
        # A column of numbers has the counts unless another column has them.
        if role == "number":
            roles[index] = "idle" if has_count else "count"
            has_count = True
        elif is_second:
            roles[index] = ""
    return Columns(tuple(roles), tuple(heads), delimiter, has_weak_count)


def split_row(line: Line, delimiter: str) -> list[Line]:
    """Return the cells of a line, each at its place.

    Where quotes hide the cells, their place is the whole line.
    """
    text = line.text
    if delimiter == "|":
        text = text.strip("| \t")
    if '"' in text:
        values = next(csv.reader([text], delimiter=delimiter), [])
        return [replace(line, text=value.strip()) for value in values]
    column = line.text.find(text)
    cells = []
    for value in text.split(delimiter):
        span = line.part(column, column + len(value))
        cells.append(Line(value, span).spelt(value))
        column += len(value) + 1
    return cells


# Rows of a table to the lines of its decks


class Table:
    """Reads the rows of a table, each into the deck that it names."""

    def __init__(self, path: str, columns: Columns, *, is_single: bool = False) -> None:
        self.path = path
        self.columns = columns
        self.is_single = is_single
        self.decks: dict[str, TableDeck] = {}
        self.unknown: dict[int, list[str]] = {}
        self.counts: list[str] = []

    def add_row(self, cells: Sequence[Line], span: Span) -> TableDeck:
        """Read a row, and return its deck."""
        row: dict[str, Line] = {}
        others: list[Line] = []
        for role, cell in zip(self.columns.roles, cells, strict=False):
            if role == "idle":
                others.append(cell)
            elif role:
                row.setdefault(role, cell)
        key = ""
        for role in ("deck", "name"):
            if role in row and not key and not self.is_single:
                key = remove_guard(row[role].text)
        start = TableDeck(DeckSource(self.path, len(self.decks)), span)
        deck = self.decks.setdefault(key, start)
        for index, role in enumerate(self.columns.roles):
            if not role:
                text = cells[index].text.strip() if index < len(cells) else ""
                self.unknown.setdefault(index, []).append(text)
        if "count" in row:
            self.counts.append(row["count"].text.strip())
        deck.add_row(row, others, span)
        for cell in cells[len(self.columns.roles) :]:
            if cell.text.strip():
                message = f"{quote(cell.text)} is beyond the {len(self.columns.heads)}"
                message += " columns of the table"
                help = "Write it into a row of its own, or name its column"
                deck.refuse(MALFORMED_DECK, cell.span, message, help)
        return deck

    def finish(self) -> None:
        """Report columns that may choose among the cards, with the first deck."""
        deck = next(iter(self.decks.values()), None)
        if deck is None:
            return
        for index, values in self.unknown.items():
            head = self.columns.heads[index]
            if head.text or any(values):
                self._report_unknown_column(deck, head, values)
        rising = [str(number) for number in range(1, len(self.counts) + 1)]
        is_long = len(rising) >= MIN_NUMBERED_ROWS
        if self.columns.has_weak_count and is_long and self.counts == rising:
            head = self.columns.heads[self.columns.roles.index("count")]
            message = f"Column {quote(head.text)} may have counts or numbers of rows"
            help = "Call it `count`, or remove it"
            deck.refuse(MALFORMED_DECK, head.span, message, help)

    def _report_unknown_column(
        self, deck: TableDeck, head: Line, values: Sequence[str]
    ) -> None:
        """Report an unknown column: an error if it may tell the rows apart."""
        different = set(values)
        if not any(different):
            return
        message = f"Unknown column {quote(head.text)}"
        has_numbers = any(value.isdecimal() for value in different)
        is_doubtful = any(map(_sets_aside, [head.text, *different]))
        if has_numbers or len(different) > 1 or is_doubtful:
            help = "Remove it, and the rows of cards that you don't play"
            deck.report(MALFORMED_DECK, head.span, message, help)
        else:
            help = "Every row has the same value there: remove it"
            deck.report(UNKNOWN_HEADER, head.span, message, help)


def _sets_aside(text: str) -> bool:
    """Report whether a word of a table leaves open whether its row is meant."""
    heading = usual_heading(text)
    if heading is not None:
        return heading[1] in (Below.ASIDE, Below.RESERVES)
    return bool(text and clean_line(Line(text, on_line(1, 1, len(text) + 1))).doubt)


class TableDeck(Gatherer):
    """Gathers a deck of a table, row by row. `start` is the place of the first row."""

    holder = "row"

    def __init__(self, source: DeckSource, start: Span) -> None:
        super().__init__(source)
        self.start = start

    def add_row(self, row: dict[str, Line], others: Sequence[Line], span: Span) -> None:
        """Read a row: cells by their role, and the cells of idle columns."""
        for key in HEADERS:
            if key in row:
                value = remove_guard(row[key].text).strip()
                if value:
                    self.take_header(key, value, row[key].span)
        cell = row.get("card", Line("", span))
        name = remove_guard(cell.text).strip()
        if not name:
            message, help = "The row names no card", "Write the card, or remove the row"
            self.refuse(MALFORMED_DECK, span, message, help)
            return
        line = clean_line(Line(name, cell.span))
        doubts = [other.text for other in others if _sets_aside(other.text)]
        if doubts and not line.doubt:
            line = replace(line, doubt=doubts[0])
        count = row.get("count")
        number = remove_guard(count.text).strip() if count is not None else None
        titles = read_titles(f"{name} {number}" if number else name)
        if count is None or number is None:
            self.lines.append(line)
        elif len(titles) == 1 and (number == "" or titles[0].number is not None):
            words, below, stated = titles[0]
            heading = Heading(words, line.span, below, stated)
            self.lines.append(replace(line, heading=heading))
        else:
            bare = number.strip("xX\u00d7 ") or number
            self.add_card(name, bare, line.span, count.span, line.doubt)

    def take_header(self, key: str, value: str, span: Span) -> None:
        """Read a header, which is the same in every row."""
        if len(value) > MAX_LINE:
            message = f"Column `{key}` has {len(value):,} characters"
            help = f"At most {MAX_LINE} are allowed"
            self.report(MALFORMED_DECK, span, message, help)
            return
        if key not in self.headers:
            self.add_header(key, value, span)
        first = self.headers[key][0].text
        if first != value:
            message = f"Column `{key}` has both {quote(value)} and {quote(first)}"
            help = "Write the same in every row of a deck"
            self.report(DUPLICATE_HEADER, span, message, help)


class TextTables:
    """Reads the tables among the lines of a text deck."""

    def __init__(self, source: DeckSource) -> None:
        self.source = source
        self.lines: list[Line] = []
        self.findings: list[Finding] = []
        self.unread_lines = 0
        self.table: Table | None = None
        self.table_start = 0
        self.lines_taken = 0

    def begin(self, line: Line) -> bool:
        """Begin a table if the line is its heads, and report whether it is."""
        for delimiter in CELL_DELIMITERS:
            if delimiter not in line.text:
                continue
            columns = read_columns(line, delimiter)
            if columns is None or not ("count" in columns.roles or all(columns.roles)):
                continue
            self.finish()
            # A text deck is a single deck, regardless of its columns.
            roles = ["" if role == "deck" else role for role in columns.roles]
            columns = replace(columns, roles=tuple(roles))
            self.table = Table(self.source.path, columns, is_single=True)
            self.table_start = len(self.lines)
            return True
        return False

    def read_row(self, line: Line) -> bool:
        """Read a row of the table, and report whether the line is a row."""
        table = self.table
        if table is None or table.columns.delimiter not in line.text:
            return False
        deck = table.add_row(split_row(line, table.columns.delimiter), line.span)
        self.lines += deck.lines[self.lines_taken :]
        self.lines_taken = len(deck.lines)
        return True

    def finish(self) -> None:
        """End the table."""
        if self.table is None:
            return
        self.table.finish()
        for deck in self.table.decks.values():
            # A header stands above the cards, and is known at the end of the table.
            headers = [line for lines in deck.headers.values() for line in lines]
            self.lines[self.table_start : self.table_start] = headers
            self.findings += deck.findings
            self.unread_lines += deck.unread_lines
        self.table = None
        self.lines_taken = 0


# CSV: a table alone in its file


def parse_csv(text: str, path: str) -> list[RawDeck]:
    """Return every deck of a table: an empty list if no line has a word.

    The first line names the columns: cards, and optionally counts, `deck` for several
    decks, and headers. Commas, semicolons, tabs or `|` separate the cells, with `|`
    around them or not. A line `sep=;` above may choose the separator.
    """
    lines = split_lines(text)
    first = _find_content(lines)
    if first is None:
        return []
    chosen = ""
    if lines[first].lower().startswith("sep=") and len(lines[first]) > len("sep="):
        chosen = lines[first][len("sep=")]
        lines[first] = ""
        first = _find_content(lines) or 0
    first_line = _line_span(first + 1, lines[first])
    heads = Line(lines[first].lstrip("\ufeff"), first_line)
    usual = sorted(CELL_DELIMITERS, key=lines[first].count, reverse=True)
    try:
        tried = (read_columns(heads, delimiter) for delimiter in chosen or usual)
        columns = next(filter(None, tried), None)
        if columns is None:
            return [_without_cards(path, first_line)]
        table = Table(path, columns)
        for span, cells in _iterate_rows(lines, first + 1, columns.delimiter):
            table.add_row(cells, span)
    except csv.Error as error:
        finding = MALFORMED_DOCUMENT.at(path, first_line, f"No table: {error}")
        return [RawDeck.unreadable(finding)]
    table.finish()
    return [deck.deck(deck.start) for deck in table.decks.values()]


def _find_content(lines: Sequence[str]) -> int | None:
    """Return the index of the first line with a letter or a digit."""
    for index, line in enumerate(lines):
        if not says_nothing(line):
            return index
    return None


def _remove_border(cells: list[Line]) -> list[Line]:
    """Return the cells without the border at their left: none for a line across."""
    if all(says_nothing(cell.text) for cell in cells):
        return []
    return cells if cells[0].text.strip() else cells[1:]


def _without_cards(path: str, span: Span) -> RawDeck:
    """Return the deck of a table without a column of cards."""
    help = (
        "Name the columns in the first line, such as `count,card`, or move a table "
        "without a deck to another folder"
    )
    message = "The table has no column `card`"
    return RawDeck.unreadable(MALFORMED_DECK.at(path, span, message, help=help))


def _iterate_rows(
    lines: Sequence[str], first: int, delimiter: str
) -> Iterator[tuple[Span, list[Line]]]:
    """Yield the place and the cells of every row with a value, from a line on.

    The heads are in the line before. If they begin with `|`, the rows do as well.
    """
    heads = lines[first - 1].lstrip("\ufeff \t")
    is_bordered = delimiter == "|" and heads.startswith("|")
    rest = (f"{line}\n" for line in lines[first:])
    reader = csv.reader(rest, delimiter=delimiter)
    number = first + 1
    for values in reader:
        text = lines[number - 1]
        whole = _line_span(number, text)
        # Where quotes hide the cells, their place is the whole line.
        is_plain = delimiter.join(values) == text
        column = 1
        cells = []
        for value in values:
            span = on_line(number, column, column + len(value))
            cells.append(Line(value, span if is_plain else whole))
            column += len(value) + 1
        if is_bordered:
            cells = _remove_border(cells)
        if any(cell.text.strip() for cell in cells):
            yield whole, cells
        number = first + reader.line_num + 1


def _line_span(number: int, text: str) -> Span:
    """Return the place of a whole line."""
    return on_line(number, 1, len(text) + 1)


# Decks as a table: a row for each card, the headers of the deck in every row

CSV_HEADERS = ("name", "format", "faction", "leader")


def write_csv(sheets: Sequence[Sheet], database: CardDatabase) -> WrittenDeck:
    """Write decks as comma-separated values with a line of column names."""
    used = {key for sheet in sheets for key in sheet.headers}
    keys = [key for key in HEADERS if key in CSV_HEADERS or key in used]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["deck", *keys, "count", "card"])
    for number, sheet in enumerate(sheets, start=1):
        if not sheet.cards:
            message = "A CSV deck has a row for each card, and this deck has no cards"
            raise UsageError(message)
        values = [guard_formula(single_value(sheet, key, "A CSV deck")) for key in keys]
        for card in sorted(sheet.cards, key=lambda id: card_order(id, database)):
            count = sheet.cards[card]
            name = database.cards[card].name
            table.writerow([number, *values, count, guard_formula(name)])
    return WrittenDeck(out.getvalue(), lost_reserves(sheets))
