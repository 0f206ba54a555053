"""A table of real games: reading it, and what is wrong with it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    pilots: tuple[str, ...] = ()
    """The players of `a` and `b`; empty if the file does not name them."""


@dataclass(frozen=True, slots=True)
class GamesTable:
    """The games of a file."""

    path: str
    noun: str
    """The heading of the first column, `deck` or `player`."""
    format: str
    """The format of all games; empty if the file names none."""
    games: tuple[RealGame, ...]
    """The games. Without players, those of a deck against itself are left out."""
    faults: tuple[str, ...] = ()
    """Peculiarities of its lines, a sentence each without a full stop."""


@dataclass(frozen=True)
class _LineReader:
    """Reads the lines of a file, with each name as it was first spelt."""

    noun: str
    has_pilots: bool
    spellings: dict[str, str] = field(default_factory=dict)

    def read_game(self, place: str, cells: Mapping[str, str]) -> RealGame:
        """Return the game of a line. Raises UsageError for a fault."""
        a, b = (self._find_name(place, cells, n) for n in (self.noun, "opponent"))
        columns = _PILOTS if self.has_pilots else ()
        pilots = tuple(self._find_name(place, cells, n, "@") for n in columns)
        if pilots and pilots[0] == pilots[1]:
            message = f"{place} {quote(pilots[0])} plays on both sides"
            raise UsageError(message, _PILOTS_HELP)
        text = cells["winner"]
        sides = {a, *pilots[:1]}, {b, *pilots[1:]}
        won = [make_key(text) in map(make_key, names) for names in sides]
        if all(won) and pilots:
            message = f"{place} The winner {quote(text)} may be either side"
            raise UsageError(message, f"Write {choice(pilots)}")
        if not any(won) and text.lower() not in _DRAW_WORDS:
            message = f"{place} The winner is {quote(text)}"
            raise UsageError(message, f"Write {quote(a)}, {quote(b)} or `draw`")
        return RealGame(a, b, (1 + won[0] - won[1]) / 2, pilots)

    def _find_name(
        self, place: str, cells: Mapping[str, str], column: str, kind: str = ""
    ) -> str:
        text = cells.get(column, "")
        if not text:
            help = _PILOTS_HELP if kind else _HELP
            raise UsageError(f"{place} The {column} is missing", help)
        return self.spellings.setdefault(kind + make_key(text), text)


def make_key(name: str) -> str:
    return normalise(name) or name


def read_games(file: Path) -> GamesTable:
    """Read a table of games. Raises UsageError with the line of a fault."""
    rows = _read_rows(file)
    heading = [cell.lower().replace("_", " ") for cell in rows[0][1]] if rows else []
    noun = next((word for word in ("deck", "player") if word in heading), None)
    if noun is None or not {"opponent", "winner"} <= set(heading):
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
        if row == rows[0][1]:  # tables put one after the other
            continue
        if not cells.get("winner"):
            unfinished.append(line)
            continue
        games.append(reader.read_game(f"{file}:{line}:", cells))
        lines[tuple(map(make_key, row))] += 1
        formats[cells.get("format", "")] = None
    mirrors = [game for game in games if game.a == game.b]
    if len(mirrors) == len(games):
        help = "Type the winner of each game" if unfinished else _HELP
        raise UsageError(f"{quote(str(file))} has no game of two {noun}s", help)
    if len(formats) > 1:
        named = choice([name or "none" for name in list(formats)[:3]], "and")
        raise UsageError(
            f"{quote(str(file))} has games of {len(formats)} formats: {named}",
            "Keep the games of each format in a file of its own",
        )
    has_dates = not {"date", "round"}.isdisjoint(heading)
    repeated = lines.total() - len(lines) if has_dates else 0
    faults = _describe_lines(
        noun, unfinished, 0 if has_pilots else len(mirrors), repeated
    )
    kept = [game for game in games if has_pilots or game.a != game.b]
    return GamesTable(str(file), noun, "".join(formats), tuple(kept), tuple(faults))


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


def _describe_lines(
    noun: str, unfinished: Sequence[int], mirrors: int, repeated: int
) -> Iterator[str]:
    if unfinished:
        listed = ", ".join(map(str, unfinished[:_MAX_LISTED_LINES]))
        more = ", ..." if len(unfinished) > _MAX_LISTED_LINES else ""
        lines = plural(len(unfinished), "line")
        yield f"{lines} without a winner left out: {listed}{more}"
    if mirrors:
        yield f"{game_count(mirrors)} of a {noun} against itself left out"
    if repeated:
        lines = plural(repeated, "line")
        yield f"{lines} repeated with the same date or round, and counted"
