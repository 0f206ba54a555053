"""A format: its names, the vocabulary of its constraints, its seating."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import CardChange, Condition, Identifier, Statement
from deckcheck.cards.storage import Root, card_db_folders, join_folders
from deckcheck.decks import Deck
from deckcheck.fields import CLOSED, AtLeast
from deckcheck.files import relative_path
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion

# The constraints that a format file may state, each with its settings.
#
# A new kind of constraint is a `Legality` in `deckcheck.formats.rules`, and a field of
# ConstraintEntry, if it brings a new setting.

LimitValue = Annotated[int, AtLeast(0)]
Points = Annotated[int, AtLeast(1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintEntry(Condition):
    """A constraint as a file states it. Its `Legality` knows its settings."""

    __pydantic_config__ = CLOSED

    rule: Identifier
    """The rule that judges it, such as `count`."""
    statement: Statement = ""
    """The statement of the rules that it follows. Optional in a user's own files."""
    min: LimitValue | None = None
    """The smallest number allowed."""
    max: LimitValue | None = None
    """The largest number allowed."""
    attribute: Literal["strength"] | None = None
    """The attribute to sum up."""
    leaders: tuple[Identifier, ...] = ()
    """The banned leaders."""
    count: LimitValue | None = None
    """The number of leaders."""
    same_faction: bool | None = None
    """Whether leaders have to be of the deck's faction."""
    points: dict[Identifier, Points] | None = None
    """The points of each card, by the card."""


CONDITION_KEYS = tuple(field.name for field in fields(Condition))
"""The settings that select cards."""


# The players of a game of a format, and the number of decks in a file

Some = Annotated[int, AtLeast(1)]


@dataclass(frozen=True, slots=True)
class Seating:
    """How decks meet. The default is a duel of two decks."""

    __pydantic_config__ = CLOSED

    play: Literal["duel", "shared", "table", "teams", "solo", "match"] = "duel"
    """How decks meet: in a duel, at a table, in teams, and so on."""
    min_players: Some = 2
    """The smallest number of players in a game."""
    max_players: Some = 2
    """The largest number of players in a game."""
    holds: Literal["deck", "lineup", "team", "table"] = "deck"
    """The content of a file. The decks of a file of `deck` are independent."""
    min_decks: Some = 1
    """The smallest number of decks in a file."""
    max_decks: Some = 1
    """The largest number of decks in a file."""
    single_deck: bool = True
    """Whether a file with a single deck is judged, too."""


class Play(NamedTuple):
    """A way for decks to meet: its meaning, and the numbers of players."""

    meaning: str
    fewest: int
    most: int


PLAYS: dict[str, Play] = {
    "duel": Play("two decks meet in game pairs", 2, 2),
    "shared": Play("two players share one deck", 2, 2),
    "table": Play("each for themselves, with a deck of their own", 2, 10),
    "teams": Play("two teams of two decks", 4, 4),
    "solo": Play("one deck against a faction that plays by itself", 1, 1),
    "match": Play("two lineups, the better of several games", 2, 2),
}
"""The words of `play`."""

DEFAULT_SEATING: dict[str, object] = asdict(Seating())
"""The default seating."""


_NEEDS_SEVERAL_DECKS = "`{}` is only for files that hold a lineup, a team or a table"


def contradictions(seating: Seating) -> Iterator[tuple[str, str]]:
    """Yield each key of a seating that contradicts another, and why."""
    for what in ("players", "decks"):
        low = getattr(seating, f"min_{what}")
        high = getattr(seating, f"max_{what}")
        if low > high:
            why = f"`min_{what}` {low} is greater than `max_{what}` {high}"
            yield f"min_{what}", why
    play = PLAYS[seating.play]
    for key in ("min_players", "max_players"):
        players = getattr(seating, key)
        if not play.fewest <= players <= play.most:
            seats = f"{play.fewest} to {play.most}"
            allowed = seats if play.fewest < play.most else str(play.most)
            yield key, f"`{seating.play}` is for {allowed}, `{key}` is {players}"
    is_deck = seating.holds == "deck"
    if is_deck and (seating.min_decks, seating.max_decks) != (1, 1):
        yield "max_decks", _NEEDS_SEVERAL_DECKS.format("max_decks")
    if is_deck and not seating.single_deck:
        yield "single_deck", _NEEDS_SEVERAL_DECKS.format("single_deck")


# A format: which decks are legal, and which options a game is played with


@dataclass(frozen=True, slots=True)
class Constraint:
    """A resolved constraint of a format."""

    name: str
    """The key in the format file: `specials`."""
    rule: str
    """The entry of the vocabulary that judges it: `count`, `sum`, `copies`, ..."""
    settings: MappingProxyType[str, object]
    """The settings that the files state, lists as tuples."""
    condition: Condition
    """The condition for the cards concerned."""
    statement: str
    """The statement of the rules file, or empty for a house rule."""
    origin: str
    """The file that introduced it or changed it last."""

    def number(self, key: str) -> int | None:
        """Return the whole number that it sets for `key`, if it does."""
        value = self.settings.get(key)
        return value if isinstance(value, int) else None

    @property
    def leaders(self) -> tuple[str, ...]:
        """The leaders that it names, by id."""
        named = self.settings.get("leaders")
        return named if isinstance(named, tuple) else ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format, merged with everything it inherits."""

    id: str
    """`game/name`, or the path of a file of the user's own."""
    game: str
    name: str
    title: str
    snapshot: str
    """The month or the day from which it is valid: `2025-10`."""
    constraints: tuple[Constraint, ...]
    options: MappingProxyType[str, str | int | bool]
    """The switches of play with their values."""
    fingerprint: str
    """A short hash of everything here and of the card data."""
    origin: str
    """The file, relative to the folder of card databases."""
    changes: tuple[CardChange, ...] = ()
    """The changes of its sets to the cards and leaders of the game."""
    seating: Seating = field(default_factory=Seating)
    snapshot_assumed: bool = False
    """No source gives the snapshot."""
    lineage: tuple[str, ...] = ()
    """The ids of the format and of its ancestors, the nearest first."""

    @property
    def month(self) -> str:
        """The snapshot as reports print it: `2025-10`, or `2024-01, assumed`."""
        return f"{self.snapshot}, assumed" if self.snapshot_assumed else self.snapshot

    @property
    def own_changes(self) -> tuple[CardChange, ...]:
        """The changes of sets of a user's own file, for reports."""
        return tuple(change for change in self.changes if change.is_own)


FORMAT_RECORDS = (CardChange, Condition, Constraint, Format, Seating)
"""The classes that a checked format is made of, besides cards."""


# Formats in which a deck is a whole faction, and need not be written out


def whole_faction(
    database: CardDatabase, faction: str, without: Condition | None = None
) -> Counter[str]:
    """Count all copies of the cards of a faction and the neutral cards, by id.

    Cards of the side deck and cards that fit `without` are left out. A condition
    without any list leaves out nothing.
    """
    counts: Counter[str] = Counter()
    for card in database.cards.values():
        if not card.deckable or card.faction not in (faction, database.game.neutral):
            continue
        if without is None or without.is_empty or not without.matches(card):
            counts[card.id] = card.copies
    return counts


def is_left_to_the_tool(deck: Deck) -> bool:
    """Report whether the file of a deck writes out no card at all."""
    return not deck.entries and not deck.unread


# Defects of format files


class FormatError(UsageError):
    """An unknown format, or a format file with defects.

    The message lists all defects, a line for each, as `path:line:column: message`.
    """


class SnapshotError(FormatError):
    """A snapshot that a format does not have. `first` is its earliest snapshot."""

    def __init__(self, message: str, help: str, first: str | None = None) -> None:
        """Keep the earliest snapshot, if the wanted snapshot is earlier."""
        super().__init__(message, help)
        self.first = first


# Dates of formats: a day or a whole month

DATE_PATTERN = (
    r"[0-9]{4}-(?:0[1-9]|1[0-2]"
    r"|(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
)
"""A month such as `2025-10`, or a day such as `2025-10-31`."""

LATEST = "latest"
"""The word for the last snapshot of a format, in force or not."""

_MONTH_LENGTH = len("2025-10")

CLOCK_VARIABLE = "SOURCE_DATE_EPOCH"
"""The variable that sets the time, as in reproducible builds."""


def read_clock() -> datetime:
    """Return the time in UTC, or the time that `CLOCK_VARIABLE` states.

    Raises UsageError where the variable is not a number of seconds.
    """
    seconds = os.environ.get(CLOCK_VARIABLE)
    if not seconds:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        found = quote(seconds)
        message = f"Variable `{CLOCK_VARIABLE}` is not a number of seconds: {found}"
        raise UsageError(message, "Unset it, or give seconds since 1970") from None


def read_today() -> str:
    """Return the day in UTC: `2025-10-31`. Raises UsageError for a bad clock."""
    return read_clock().date().isoformat()


def check_date(text: str) -> str | None:
    """Return a month or a day, the day of `today`, or None for the latest snapshot.

    Raises FormatError for any other text.
    """
    if text == LATEST:
        return None
    if text == "today":
        return read_today()
    if not re.fullmatch(DATE_PATTERN, text):
        message = f"{quote(text)} is not a date"
        help = "Write `2025-10`, `2025-10-31`, `today` or `latest`"
        raise FormatError(message, help)
    return text


def begins_later(fmt: Format) -> bool:
    """Report whether the snapshot of a format is not yet in force."""
    return first_day(fmt.snapshot) > read_today()


def first_day(day: str) -> str:
    """Return the first day of a snapshot or date. Empty text stays empty."""
    return f"{day}-01" if len(day) == _MONTH_LENGTH else day


def last_day(day: str) -> str:
    """Return the last day of a date."""
    return f"{day}-31" if len(day) == _MONTH_LENGTH else day


# Names of formats: ids, snapshots, dates, and files of a user's own

FORMAT_SUFFIXES = (".yaml", ".yml")


def format_ids(root: Root = None) -> list[str]:
    """Return the ids of all formats of all games, as `gwent/standard`, in order."""
    return [*format_files(root)]


def some_format_ids(root: Root) -> list[str]:
    """Return the ids of all formats. Raises UsageError without any format."""
    ids = format_ids(root)
    if not ids:
        folders = join_folders(card_db_folders(root))
        help = "A game has a folder `formats`, with a YAML file for each format"
        raise UsageError(f"No format of any game in {folders}", help)
    return ids


def format_files(root: Root) -> dict[str, Path]:
    """Return the resolved files of all formats of all games, by their ids."""
    files: dict[str, Path] = {}
    for folder in card_db_folders(root):
        for file in folder.resolve().glob("*/formats/*.yaml"):
            files[f"{file.parent.parent.name}/{file.stem}"] = file
    return dict(sorted(files.items()))


def formats_like(id: str, ids: Iterable[str]) -> list[str]:
    """Return the known formats that a misspelt id may mean, if any.

    Both its game and its name have to be near. A name alone may be of any game.
    """
    names: dict[str, list[str]] = defaultdict(list)
    for format_id in ids:
        game, _, name = format_id.partition("/")
        names[game].append(name)
    game, slash, name = id.lower().rpartition("/")
    games = [game] if game in names else nearest(game, names)
    if not slash:
        games = [known for known in names if name in names[known]] or list(names)
    near_names = ((game, nearest(name, names[game])) for game in games)
    return [f"{game}/{near[0]}" for game, near in near_names if near]


def suggest_formats(id: str, ids: Sequence[str]) -> str:
    """Return the help for an unknown format: formats near it, else all formats.

    With a known game, only the formats of that game.
    """
    game = id.lower().partition("/")[0]
    of_game = [format_id for format_id in ids if format_id.startswith(f"{game}/")]
    listed = f"Formats are {choice(ids)}"
    if of_game:
        listed = f"Formats of {quote(game)} are {choice(of_game)}"
    return suggestion(formats_like(id, ids), listed)


def file_like(id: str) -> str | None:
    """Return the help for a format file named without its suffix, or None.

    It is a path, or there is such a file.
    """
    near = [id + suffix for suffix in FORMAT_SUFFIXES if os.path.isfile(id + suffix)]
    if near:
        return f"Did you mean the file {choice(near)}?"
    if id.startswith((".", "/", "~")) or os.path.isfile(id):
        return f"A file with a format ends in {choice(FORMAT_SUFFIXES)}"
    return None


def find_by_name(format: str, root: Root) -> list[str]:
    """Return the ids of the formats that a name without a game may mean: `standard`.

    A snapshot after the name counts for nothing here.
    """
    name = split_id(format)[0].strip().lower()
    return [id for id in format_ids(root) if id.partition("/")[2] == name]


def is_file_name(format: str) -> bool:
    """Report whether the text names a format file and not a known format."""
    return format.lower().endswith(FORMAT_SUFFIXES)


def own_id(file: Path) -> str:
    """Return the name of a format of the user: its path, with forward slashes."""
    path = relative_path(file)
    return Path(file if path.startswith("..") else path).as_posix()


def split_id(id: str) -> tuple[str, str | None]:
    """Return the format and the snapshot, if any, of `gwent/advanced@2025-10`."""
    name, separator, snapshot = id.rpartition("@")
    return (name, snapshot) if separator else (id, None)
