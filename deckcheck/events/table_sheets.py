"""Sheets for the table: a page for each player, by which a judge counts a deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, starmap
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.decks.model import Sheet, make_sheet, sections
from deckcheck.events.event import Event, PlayerGroup
from deckcheck.events.pages import format_line
from deckcheck.events.wording import ENGLISH_CODE, Wording
from deckcheck.findings import Severity
from deckcheck.formats import database_of
from deckcheck.formats.model import Constraint, Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.wording import limits
from deckcheck.messages import plural
from deckcheck.pages import render

SEAL_DIGITS = 8
"""The printed digits of a seal, enough to distinguish lists."""

_LIMIT_MARKS = "abcdefghijklmnopqrstuvwxyz"
_MAX_PROBLEMS = 4
_LETTER_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)
_READABLE_SIZE = 7.0
_MAX_COLUMNS = 6
_ROOM_WIDTH = 184.0
_ROOM_HEIGHT = 190.0
_COLUMN_GAP = 6.0
_POINT_SIZE, _LINE_HEIGHT, _LETTER_WIDTH, _NAME_MARGIN = 0.353, 1.5, 0.55, 7.0
"""Sizes of letters in points, the least one that reads well, the most columns, the room
for cards and limits in mm, a point in mm, and as parts of the size: a line, a letter,
and the text next to a name.

Letter paper is shorter than A4, A4 narrower than Letter.
"""


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
    """A printed deck. `limits` are rules to check, each with its mark."""

    name: str
    faction: str | None
    leader: str | None
    parts: tuple[SheetPart, ...]
    total: int
    limits: tuple[tuple[str, str], ...]

    def lines(self, width: float) -> int:
        """Count the lines that its cards take in a column of `width` letters."""
        texts = [self.name, self.faction or "", self.leader or ""]
        for part in self.parts:
            texts += [row.name + (row.own_name or "") for row in part.rows]
        columns = max(1, int(width))
        lines = sum(-(-len(text) // columns) for text in texts)
        return lines + 2 * len(self.parts) + 3


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
        """How many columns the cards are set in."""
        return self._layout[0]

    @property
    def size(self) -> float:
        """The size of the letters in points, so that all fits on the page."""
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
        width = (
            (_ROOM_WIDTH - _COLUMN_GAP * (columns - 1)) / columns / (_POINT_SIZE * size)
        )
        letters = (width - _NAME_MARGIN) / _LETTER_WIDTH
        lines = [deck.lines(letters) for deck in self.decks]
        # Of several decks each begins a column of its own.
        deepest = max(lines, default=0) * -(-len(lines) // columns)
        if len(lines) == 1:
            deepest = -(-lines[0] // columns) + 3
        below = sum(-(-len(deck.limits) // 2) for deck in self.decks) + 1
        room = _ROOM_HEIGHT - 4.5 * (len(self.problems) + 1) - 4.0 * below
        return deepest * size * _POINT_SIZE * _LINE_HEIGHT <= room


def write_sheets(
    sheets: Sequence[TableSheet], title: str, rounds: Sequence[RoundSheet] = ()
) -> str:
    """Write an HTML file that prints a page for each sheet, on A4 and on Letter."""
    template = Path(__file__).with_name("sheets.html")
    return render(template, sheets=sheets, rounds=rounds, title=title)


# The pairings of an event, with space for results

_MAX_TABLES = 16
"""The most tables on a page."""
_MAX_ALL_AGAINST_ALL = 10
"""The most players of whom each meets each other."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a table."""

    player: str
    deck: str
    """The name of the deck; empty for a player with several decks, or with none."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet."""

    round: int
    table: int
    first: Seat
    second: Seat


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """One page with tables of a round."""

    event: str
    about: str
    """The date and the format."""
    round: int
    pairings: tuple[Pairing, ...]
    resting: str
    """The player without an opponent, or empty text."""
    shows_decks: bool
    results: str
    """The name of the file to type the results into."""


def pair_players(event: Event) -> list[Pairing]:
    """Pair the players for some rounds, nobody twice with the same opponent.

    Up to 10 players all meet each other. More play as many rounds as it takes to find
    a winner who won every game. The order is that of the circle method.
    """
    seats: list[Seat | None] = []
    for player in event.players:
        if player.departure is None:
            names = [report.name or "" for report in player.decks]
            seats.append(Seat(player.title, names[0] if len(names) == 1 else ""))
    if len(seats) % 2:
        seats.append(None)
    count = len(seats)
    rounds = count - 1 if count <= _MAX_ALL_AGAINST_ALL else (count - 1).bit_length()
    pairings: list[Pairing] = []
    for number in range(max(0, rounds)):
        order = [seats[0], *seats[1 + number :], *seats[1 : 1 + number]]
        table = 0
        for first, second in zip(order[: count // 2], order[::-1], strict=False):
            if first is not None and second is not None:
                table += 1
                pairings.append(Pairing(number + 1, table, first, second))
    return pairings


def round_sheets(event: Event, results: str) -> list[RoundSheet]:
    """Make the pages of all rounds. Decks are on them once the event is revealed."""
    about = f"{event.file.date}, {format_line(event.format)}"
    names = {player.title for player in event.players if player.departure is None}
    pages: list[RoundSheet] = []
    for number, group in groupby(pair_players(event), key=lambda each: each.round):
        pairings = list(group)
        playing = {seat.player for p in pairings for seat in (p.first, p.second)}
        resting = "".join(names - playing)
        for start in range(0, len(pairings), _MAX_TABLES):
            part = tuple(pairings[start : start + _MAX_TABLES])
            pages.append(
                RoundSheet(
                    event=event.file.name,
                    about=about,
                    round=number,
                    pairings=part,
                    resting=resting,
                    shows_decks=event.is_revealed,
                    results=results,
                )
            )
    return pages


def result_rows(event: Event) -> Iterator[dict[str, object]]:
    """Yield a row for each game, whose winner is still to be typed."""
    for pairing in pair_players(event):
        yield {
            "round": pairing.round,
            "table": pairing.table,
            "player": pairing.first.player,
            "deck": pairing.first.deck,
            "opponent player": pairing.second.player,
            "opponent": pairing.second.deck,
            "winner": "",
            "date": event.file.date,
            "format": event.format.id,
        }


# The sheets of players


def event_sheets(event: Event) -> list[TableSheet]:
    """Make a sheet for each player, in the order of their names."""
    database = database_of(event.format, event.root)
    playing = (player for player in event.players if player.departure is None)
    return [_make_sheet(player, event, database) for player in playing]


def _make_sheet(
    player: PlayerGroup, event: Event, database: CardDatabase
) -> TableSheet:
    wording = Wording(event.file.find_language(player.title), database)
    decks = []
    for report in player.decks:
        if report.deck is not None:
            sheet = make_sheet(report.deck, database)
            name = report.deck.name
            decks.append(_print_deck(sheet, database, event.format, wording, name))
    errors = [f.message for f in player.findings if f.severity is Severity.ERROR]
    more = len(errors) - _MAX_PROBLEMS
    shown = errors[:_MAX_PROBLEMS] + (
        [f"and {plural(more, 'problem')} more"] * (more > 0)
    )
    files = [file for file in event.files if file.path in player.paths]
    seals = [(event.seal(file) or "")[:SEAL_DIGITS] for file in files]
    return TableSheet(
        player.title,
        event.file.name,
        event.file.date,
        format_line(event.format),
        tuple(decks),
        tuple(shown),
        tuple(seal for seal in seals if seal),
        event.format.fingerprint,
    )


def deck_sheets(
    sheets: Sequence[Sheet], database: CardDatabase, fmt: Format | None
) -> list[TableSheet]:
    """Make a sheet for each deck of a file. `fmt` is its format, if known."""
    about = database.game.name if fmt is None else format_line(fmt)
    wording = Wording(ENGLISH_CODE, database)
    return [
        TableSheet(
            _find_header(sheet, "player"),
            _find_header(sheet, "event"),
            _find_header(sheet, "date"),
            about,
            (_print_deck(sheet, database, fmt, wording, _find_header(sheet, "name")),),
            fingerprint=fmt.fingerprint if fmt is not None else "",
        )
        for sheet in sheets
    ]


def _find_header(sheet: Sheet, key: str) -> str:
    return next(iter(sheet.headers.get(key, ())), "")


def _print_deck(
    sheet: Sheet,
    database: CardDatabase,
    fmt: Format | None,
    wording: Wording,
    name: str,
) -> PrintedDeck:
    touching = list(_find_countable(fmt, database)) if fmt is not None else []
    marks = dict(zip((c.name for c, _ in touching), _LIMIT_MARKS, strict=False))

    def row(id: str, count: int) -> SheetRow:
        card = database.cards[id]
        local_name = wording.name(database.cards[id])
        limits = (c for c, _ in touching if VOCABULARY[c.rule].touches(c, card))
        own_name = None if local_name == card.name else local_name
        return SheetRow(
            count, card.name, own_name, "".join(marks[c.name] for c in limits)
        )

    parts = [
        SheetPart(kind.title, kind.total, tuple(starmap(row, kind.cards)))
        for kind in sections(sheet.cards, database)
    ]
    for kind in sections(sheet.reserves, database):
        rows = tuple(SheetRow(n, database.cards[id].name) for id, n in kind.cards)
        parts.append(SheetPart(f"Reserves, {kind.title}", kind.total, rows))
    return PrintedDeck(
        name,
        database.factions[sheet.faction].name if sheet.faction else None,
        database.leaders[sheet.leader].full_name if sheet.leader else None,
        tuple(parts),
        sum(sheet.cards.values()),
        tuple(
            (
                marks[constraint.name],
                _count_limit(constraint, sentence, sheet.cards, database),
            )
            for constraint, sentence in touching
        ),
    )


def _find_countable(
    fmt: Format, database: CardDatabase
) -> Iterator[tuple[Constraint, str]]:
    """Yield the constraints that a judge can count, with their sentences."""
    for constraint, sentence in zip(
        fmt.constraints, limits(fmt, database), strict=True
    ):
        legality = VOCABULARY[constraint.rule]
        if legality.weigh is not None or legality.copies is not None:
            yield constraint, sentence


def _count_limit(
    constraint: Constraint, said: str, cards: Mapping[str, int], database: CardDatabase
) -> str:
    """Return a limit with the count of the deck: `At most 10 special cards; here 7`."""
    legality = VOCABULARY[constraint.rule]
    if legality.weigh is None:
        return said
    here = sum(
        legality.adds(constraint, database.cards[id]) * count
        for id, count in cards.items()
        if database.cards[id].deckable
    )
    return f"{said}; here {here}"
