"""Tables of real games: reading them, and the faults of their lines."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deckcheck.cards.names import normalise
from deckcheck.files import read_input
from deckcheck.findings import UsageError
from deckcheck.messages import choice, game_count, plural, quote

MAX_TABLE_BYTES = 2**24
_MAX_LISTED_LINES = 5
_DRAW_WORDS = ("draw", "drawn", "tie", "tied", "-")
_PILOTS = ("player", "opponent player")
_HELP = "Begin the file with `deck,opponent,winner`, and write a line for each game"
_PILOTS_HELP = (
    "Name the player of each deck, or leave out the columns `player` and "
    "`opponent player`"
)


@dataclass(frozen=True, slots=True)
class RealGame:
    """A game that people played."""

    a: str
    b: str
    score: float
    """The score of `a`: 1, 0.5 or 0."""
    pilots: tuple[str, ...]
    """The players of `a` and `b`; empty if the file does not name them."""


@dataclass(frozen=True, slots=True)
class GamesTable:
    """The games of a file."""

    path: str
    noun: str
    """The heading of the first column, `deck` or `player`."""
    format: str
    """The format of all games, empty if the file names none."""
    games: tuple[RealGame, ...]
    """The games. Without players, games of a deck against itself are left out."""
    faults: tuple[str, ...] = ()
    """Peculiarities of its lines, a sentence each without a full stop."""


@dataclass(frozen=True)
class _LineReader:
    """Reads the lines of a file, with each name as it was first spelt."""

    noun: str
    has_pilots: bool
    spellings: dict[str, str] = field(default_factory=dict)
    """The first spelling of each name. Keys of players begin with `@`."""

    def read_game(self, place: str, cells: Mapping[str, str]) -> RealGame:
        """Return the game of a line. Raises UsageError for a fault.

        Messages begin with `place`, the file and the line.
        """
        a = self._find_name(place, cells, self.noun)
        b = self._find_name(place, cells, "opponent")
        pilots: tuple[str, ...] = ()
        if self.has_pilots:
            first = self._find_pilot(place, cells, "player")
            second = self._find_pilot(place, cells, "opponent player")
            pilots = (first, second)
            if first == second:
                message = f"{place} {quote(first)} plays on both sides"
                raise UsageError(message, _PILOTS_HELP)
        winner = cells["winner"]
        has_a_won = _is_named(winner, (a, *pilots[:1]))
        has_b_won = _is_named(winner, (b, *pilots[1:]))
        if has_a_won and has_b_won and pilots:
            message = f"{place} The winner {quote(winner)} may be either side"
            raise UsageError(message, f"Write {choice(pilots)}")
        if not has_a_won and not has_b_won and winner.lower() not in _DRAW_WORDS:
            message = f"{place} The winner is {quote(winner)}"
            raise UsageError(message, f"Write {quote(a)}, {quote(b)} or `draw`")
        score = 0.5
        if has_a_won != has_b_won:
            score = 1.0 if has_a_won else 0.0
        return RealGame(a, b, score, pilots)

    def _find_name(self, place: str, cells: Mapping[str, str], column: str) -> str:
        """Return the name in a column as it was first spelt."""
        text = cells.get(column, "")
        if not text:
            raise UsageError(f"{place} The {column} is missing", _HELP)
        return self.spellings.setdefault(make_key(text), text)

    def _find_pilot(self, place: str, cells: Mapping[str, str], column: str) -> str:
        """Return the name of a player in a column as it was first spelt."""
        text = cells.get(column, "")
        if not text:
            raise UsageError(f"{place} The {column} is missing", _PILOTS_HELP)
        return self.spellings.setdefault(f"@{make_key(text)}", text)


def _is_named(winner: str, names: Sequence[str]) -> bool:
    """Report whether a winner is one of the names of a side."""
    return make_key(winner) in map(make_key, names)


def make_key(name: str) -> str:
    """Return a name by which its spellings are equal."""
    return normalise(name) or name


def read_games(file: Path) -> GamesTable:
    """Read a table of games. Raises UsageError with the line of a fault."""
    rows = _read_rows(file)
    first_row: list[str] = []
    if rows:
        _, first_row = rows[0]
    heading = [cell.lower().replace("_", " ") for cell in first_row]
    noun = "deck" if "deck" in heading else "player"
    if not {noun, "opponent", "winner"} <= set(heading):
        message = f"{quote(str(file))} has no columns `deck`, `opponent` and `winner`"
        raise UsageError(message, _HELP)
    has_pilots = noun == "deck" and not set(_PILOTS).isdisjoint(heading)
    reader = _LineReader(noun, has_pilots)
    games: list[RealGame] = []
    unfinished: list[int] = []
    lines: Counter[tuple[str, ...]] = Counter()
    formats: dict[str, None] = {}
    for line, row in rows[1:]:
        cells = dict(zip(heading, row, strict=False))
        if row == first_row:  # tables put one after the other
            continue
        if not cells.get("winner"):
            unfinished.append(line)
            continue
        games.append(reader.read_game(f"{file}:{line}:", cells))
        lines[tuple(map(make_key, row))] += 1
        formats[cells.get("format", "")] = None
    others = [game for game in games if game.a != game.b]
    if not others:
        help = "Type the winner of each game" if unfinished else _HELP
        raise UsageError(f"{quote(str(file))} has no game of two {noun}s", help)
    if len(formats) > 1:
        named = choice([name or "none" for name in list(formats)[:3]], "and")
        raise UsageError(
            f"{quote(str(file))} has games of {len(formats)} formats: {named}",
            "Keep the games of each format in a file of its own",
        )
    faults = []
    if unfinished:
        faults.append(_describe_unfinished(unfinished))
    if not has_pilots and len(others) < len(games):
        mirrors = game_count(len(games) - len(others))
        faults.append(f"{mirrors} of a {noun} against itself left out")
        games = others
    repeated = lines.total() - len(lines)
    if repeated and not {"date", "round"}.isdisjoint(heading):
        repeats = plural(repeated, "line")
        faults.append(f"{repeats} repeated with the same date or round, and counted")
    return GamesTable(str(file), noun, "".join(formats), tuple(games), tuple(faults))


def _read_rows(file: Path) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with the number of its line."""
    data = read_input(file, MAX_TABLE_BYTES + 1)
    if len(data) > MAX_TABLE_BYTES:
        message = f"{quote(str(file))} is larger than {MAX_TABLE_BYTES // 2**20} MiB"
        raise UsageError(message, "Split it into several files")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"{quote(str(file))} is not text in UTF-8"
        raise UsageError(message, "Save it as CSV in UTF-8") from None
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            # A spreadsheet may begin a file with the line `sep=;`.
            if any(cells) and (rows or not cells[0].lower().startswith("sep=")):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise UsageError(f"{file}:{reader.line_num}: {error}", _HELP) from None
    return rows


def _describe_unfinished(lines: Sequence[int]) -> str:
    """Return how many lines have no winner, and the numbers of the first."""
    listed = [str(line) for line in lines[:_MAX_LISTED_LINES]]
    if len(lines) > _MAX_LISTED_LINES:
        listed.append("...")
    number = plural(len(lines), "line")
    return f"{number} without a winner left out: {', '.join(listed)}"
