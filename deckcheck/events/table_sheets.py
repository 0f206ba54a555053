"""Sheets for the table: a page for each player, by which a judge counts a deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Sheet, make_sheet, sections
from deckcheck.events.event import Event, PlayerGroup
from deckcheck.events.pages import format_line
from deckcheck.events.pairings import RoundSheet
from deckcheck.events.wording import ENGLISH_CODE, Wording
from deckcheck.findings import Severity
from deckcheck.formats import database_of
from deckcheck.formats.model import Constraint, Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.wording import describe_limits
from deckcheck.messages import plural
from deckcheck.pages import render

SEAL_DIGITS = 8
"""The printed digits of a seal, enough to distinguish lists."""

_LIMIT_MARKS = "abcdefghijklmnopqrstuvwxyz"
_MAX_PROBLEMS = 4
"""Most problems of a deck that are printed."""

# The geometry of a page, as in `sheets.html`.

_LETTER_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)
"""Sizes of letters to try, in points."""
_READABLE_SIZE = 7.0
"""The smallest size that reads well, in points."""
_MAX_COLUMNS = 6
_PAGE_WIDTH = 184.0
"""The width for cards in mm, on A4, which is narrower than Letter."""
_PAGE_HEIGHT = 190.0
"""The height for problems, cards and limits in mm, on Letter, which is shorter than A4.
"""
_COLUMN_GAP = 6.0
"""The space between two columns in mm."""
_PROBLEM_HEIGHT = 4.5
"""The height of a problem in mm."""
_LIMIT_HEIGHT = 4.0
"""The height of a row of limits in mm."""
_LIMITS_IN_ROW = 2
_POINT_SIZE = 0.353
"""The size of a point in mm."""
_LINE_HEIGHT = 1.5
"""The height of a line of cards, as a multiple of the size of its letters."""
_LETTER_WIDTH = 0.55
"""The mean width of a letter, as a multiple of its size."""
_NAME_MARGIN = 7.0
"""The width beside the name of a card, as a multiple of the size of letters."""
_PART_HEAD_LINES = 2
"""Lines that the title of a kind of cards takes."""
_DECK_HEAD_LINES = 3
"""Lines that the head of a deck takes, in addition to its texts."""
_UNEVEN_COLUMN_LINES = 3
"""Lines by which a column of a single deck may be longer than the others."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A card of a deck: its count, its names, and the marks of limits that touch it."""

    count: int
    name: str
    own_name: str | None = None
    marks: str = ""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """The cards of a kind, below a title with their total."""

    title: str
    total: int
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True)
class PrintedDeck:
    """A deck on a sheet."""

    name: str
    faction: str | None
    leader: str | None
    parts: tuple[SheetPart, ...]
    total: int
    """The number of its cards."""
    limits: tuple[tuple[str, str], ...]
    """The rules to check, each with its mark and a sentence."""

    def count_lines(self, letters: float) -> int:
        """Return how many lines of `letters` characters the deck takes."""
        texts = [self.name, self.faction or "", self.leader or ""]
        for part in self.parts:
            texts += [row.name + (row.own_name or "") for row in part.rows]
        line_length = max(1, int(letters))
        lines = sum(ceil(len(text) / line_length) for text in texts)
        return lines + _PART_HEAD_LINES * len(self.parts) + _DECK_HEAD_LINES


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A page: player, event, problems, and decks."""

    player: str
    event: str
    date: str
    format: str
    decks: tuple[PrintedDeck, ...]
    problems: tuple[str, ...] = ()
    seals: tuple[str, ...] = ()
    fingerprint: str = ""

    @property
    def columns(self) -> int:
        """The number of columns in which the cards are printed."""
        return self._layout[0]

    @property
    def size(self) -> float:
        """The largest size of letters with which all fits on the page, in points."""
        return self._layout[1]

    @property
    def _layout(self) -> tuple[int, float]:
        """The fewest columns in which letters are large enough to read."""
        fewest = max(2, min(3, len(self.decks)))
        for smallest in (_READABLE_SIZE, 0.0):
            for columns in range(fewest, _MAX_COLUMNS + 1):
                for size in _LETTER_SIZES:
                    if size >= smallest and self._has_room(columns, size):
                        return columns, size
        return _MAX_COLUMNS, _LETTER_SIZES[-1]

    def _has_room(self, columns: int, size: float) -> bool:
        """Report whether the page has room for all decks in letters of this size."""
        letter_size = _POINT_SIZE * size
        column_width = (_PAGE_WIDTH - _COLUMN_GAP * (columns - 1)) / columns
        letters = (column_width / letter_size - _NAME_MARGIN) / _LETTER_WIDTH
        lines = [deck.count_lines(letters) for deck in self.decks]
        if len(lines) == 1:
            longest_column = ceil(lines[0] / columns) + _UNEVEN_COLUMN_LINES
        else:
            # Each of several decks begins a new column.
            longest_column = max(lines, default=0) * ceil(len(lines) / columns)
        limit_rows = 1
        for deck in self.decks:
            limit_rows += ceil(len(deck.limits) / _LIMITS_IN_ROW)
        problems_height = _PROBLEM_HEIGHT * (len(self.problems) + 1)
        room = _PAGE_HEIGHT - problems_height - _LIMIT_HEIGHT * limit_rows
        return longest_column * letter_size * _LINE_HEIGHT <= room


def write_sheets(
    sheets: Sequence[TableSheet], title: str, rounds: Sequence[RoundSheet] = ()
) -> str:
    """Write an HTML file that prints a page for each sheet, on A4 and on Letter."""
    template = Path(__file__).with_name("sheets.html")
    return render(template, sheets=sheets, rounds=rounds, title=title)


def event_sheets(event: Event) -> list[TableSheet]:
    """Make a sheet for each player, in the order of their names."""
    database = database_of(event.format, event.root)
    playing = (player for player in event.players if player.departure is None)
    return [_make_player_sheet(player, event, database) for player in playing]


def _make_player_sheet(
    player: PlayerGroup, event: Event, database: CardDatabase
) -> TableSheet:
    """Make the sheet of a player, with the first problems and seals of lists."""
    wording = Wording(event.file.find_language(player.title), database)
    decks = []
    for report in player.decks:
        if report.deck is not None:
            sheet = make_sheet(report.deck, database)
            name = report.deck.name
            decks.append(_print_deck(sheet, database, event.format, wording, name))
    errors = [f.message for f in player.findings if f.severity is Severity.ERROR]
    problems = errors[:_MAX_PROBLEMS]
    if len(errors) > _MAX_PROBLEMS:
        problems.append(f"and {plural(len(errors) - _MAX_PROBLEMS, 'problem')} more")
    seals = []
    for file in event.files:
        seal = event.seal(file) if file.path in player.paths else None
        if seal:
            seals.append(seal[:SEAL_DIGITS])
    return TableSheet(
        player=player.title,
        event=event.file.name,
        date=event.file.date,
        format=format_line(event.format),
        decks=tuple(decks),
        problems=tuple(problems),
        seals=tuple(seals),
        fingerprint=event.format.fingerprint,
    )


def deck_sheets(
    sheets: Sequence[Sheet], database: CardDatabase, fmt: Format | None
) -> list[TableSheet]:
    """Make a sheet for each deck of a file. `fmt` is its format, if known."""
    about = database.game.name if fmt is None else format_line(fmt)
    fingerprint = "" if fmt is None else fmt.fingerprint
    wording = Wording(ENGLISH_CODE, database)
    pages = []
    for sheet in sheets:
        name = _find_header(sheet, "name")
        pages.append(
            TableSheet(
                player=_find_header(sheet, "player"),
                event=_find_header(sheet, "event"),
                date=_find_header(sheet, "date"),
                format=about,
                decks=(_print_deck(sheet, database, fmt, wording, name),),
                fingerprint=fingerprint,
            )
        )
    return pages


def _find_header(sheet: Sheet, key: str) -> str:
    """Return the first value of a header, or an empty text."""
    return next(iter(sheet.headers.get(key, ())), "")


def _print_deck(
    sheet: Sheet,
    database: CardDatabase,
    fmt: Format | None,
    wording: Wording,
    name: str,
) -> PrintedDeck:
    """Return a deck as it is printed. Reserves have no marks of limits."""
    countable = [] if fmt is None else list(_find_countable_limits(fmt, database))
    marks = {}
    for index, (constraint, _) in enumerate(countable):
        marks[constraint.name] = _make_mark(index)
    parts = []
    for section in sections(sheet.cards, database):
        rows = []
        for id, count in section.cards:
            card = database.cards[id]
            card_marks = ""
            for constraint, _ in countable:
                if VOCABULARY[constraint.rule].touches(constraint, card):
                    card_marks += marks[constraint.name]
            local_name: str | None = wording.name(card)
            if local_name == card.name:
                local_name = None
            rows.append(SheetRow(count, card.name, local_name, card_marks))
        parts.append(SheetPart(section.title, section.total, tuple(rows)))
    for section in sections(sheet.reserves, database):
        rows = [SheetRow(n, database.cards[id].name) for id, n in section.cards]
        title = f"Reserves, {section.title}"
        parts.append(SheetPart(title, section.total, tuple(rows)))
    limits = []
    for constraint, sentence in countable:
        text = _count_limit(constraint, sentence, sheet.cards, database)
        limits.append((marks[constraint.name], text))
    return PrintedDeck(
        name,
        database.factions[sheet.faction].name if sheet.faction else None,
        database.leaders[sheet.leader].full_name if sheet.leader else None,
        tuple(parts),
        sum(sheet.cards.values()),
        tuple(limits),
    )


def _make_mark(index: int) -> str:
    """Return the mark of a limit by its index: `a` to `z`, then `a2`."""
    turn, letter = divmod(index, len(_LIMIT_MARKS))
    return f"{_LIMIT_MARKS[letter]}{turn + 1 if turn else ''}"


def _find_countable_limits(
    fmt: Format, database: CardDatabase
) -> Iterator[tuple[Constraint, str]]:
    """Yield the constraints that a judge can count, with their sentences."""
    sentences = describe_limits(fmt, database)
    for constraint, sentence in zip(fmt.constraints, sentences, strict=True):
        legality = VOCABULARY[constraint.rule]
        if legality.weigh is not None or legality.copies is not None:
            yield constraint, sentence


def _count_limit(
    constraint: Constraint,
    sentence: str,
    cards: Mapping[str, int],
    database: CardDatabase,
) -> str:
    """Return a limit with the count of the deck: `At most 10 special cards; here 7`."""
    legality = VOCABULARY[constraint.rule]
    if legality.weigh is None:
        return sentence
    total = 0
    for id, count in cards.items():
        card = database.cards[id]
        if card.deckable:
            total += legality.adds(constraint, card) * count
    return f"{sentence}; here {total}"
