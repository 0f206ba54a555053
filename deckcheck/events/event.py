"""An event: its file, its players, their lists, its salts."""

from __future__ import annotations

import datetime
import hmac
import os
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path, PurePath
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from deckcheck.cards import Root
from deckcheck.cards.models import Name
from deckcheck.cards.names import normalise
from deckcheck.cards.storage import list_defects
from deckcheck.decks import DECK_SUFFIXES, LeftOut
from deckcheck.decks.files import missing, shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import (
    Source,
    SourceDefect,
    SourceError,
    read_json,
    read_toml,
)
from deckcheck.documents.records import did_you_mean
from deckcheck.events.wording import ENGLISH_CODE, languages
from deckcheck.fields import CLOSED
from deckcheck.files import add_checksum, is_whole, refuse_deck
from deckcheck.findings import Finding, Severity, UsageError
from deckcheck.formats.model import Format
from deckcheck.markup import document_head, json_text
from deckcheck.messages import choice, option, quote
from deckcheck.validation import DeckReport, FileReport, Validation

# Names of players: their order, and the names of files that belong to them

_WORD_BREAKS = re.compile(r"[\W_]+")
_MAX_BYTES = 200
# Windows does not allow files of these names, with any suffix.
_DEVICE_NAMES = {"aux", "con", "nul", "prn"}
_DEVICE_NAMES |= {port + digit for port in ("com", "lpt") for digit in "123456789"}


def sort_key(name: str) -> tuple[list[str], str, str]:
    """Sort names by their letters, word by word, then by accents.

    This is the Unicode collation without any language: `Å` is an `A`, as in English,
    German or Dutch, and does not follow `Z`, as in Swedish.
    """
    words = [normalise(word) for word in _WORD_BREAKS.split(name)]
    letters = [word for word in words if word]
    return letters, unicodedata.normalize("NFKD", name).casefold(), name


def list_keys(file: str) -> tuple[str, ...]:
    """Return the normalised names that the player of a file may have.

    Suffixes do not matter: `anna_nowak.deck.txt`.
    """
    path = PurePath(file)
    stem = path.stem
    while PurePath(stem).suffix.lower() in DECK_SUFFIXES:
        stem = PurePath(stem).stem
    return normalise(stem), normalise(path.name)


def may_name(stated: str, name: str) -> bool:
    """Report whether a stated name may mean a player.

    Words may be in any order, and some may be missing or additional: `Nowak, Anna`,
    `Anna`, `Anna Nowak (Kraków)`.
    """
    stated_words = set(count_words(stated))
    other = set(count_words(name))
    return stated_words <= other or other <= stated_words


_UMLAUT_E = re.compile("(?<=[aou])e")


def count_words(name: str) -> Counter[str]:
    """Count the words of a name, in which `Mueller` is `Müller`."""
    words = (_UMLAUT_E.sub("", normalise(part)) for part in _WORD_BREAKS.split(name))
    return Counter(word for word in words if word)


# Other words in names of files and subjects of emails.
_FILLER_WORDS = frozenset(
    """
    aw by copy corrected deck decklist decks final for from fw fwd lineup list
    lists my new of re the updated version wg
    """.split()
)
_VERSION_WORD = re.compile(r"v?\d+")
_BRACKETED_TEXT = re.compile(r"\([^)]*\)")


def names_whole(text: str, name: str, others: Collection[str]) -> bool:
    """Report whether a text is a whole name, its words in any order, and nothing else.

    Remarks in brackets do not count, nor do numbers, words such as `deck` and `others`,
    unless the name has them.
    """
    whole = count_words(name)
    if count_words(text) == whole:
        return True
    stated_words = count_words(_BRACKETED_TEXT.sub(" ", text))
    fillers = _FILLER_WORDS.union(*map(count_words, others))
    for word in list(stated_words):
        if word not in whole and (word in fillers or _VERSION_WORD.fullmatch(word)):
            del stated_words[word]
    return stated_words == whole


def file_stem(name: str) -> str:
    """Return a safe name of a file for a player, without suffix: `anna_nowak`.

    Different players have different files, within the limit of 200 bytes.
    """
    words = (normalise(word) for word in _WORD_BREAKS.split(name))
    whole = "_".join(word for word in words if word)
    stem = whole.encode("utf-8")[:_MAX_BYTES].decode("utf-8", errors="ignore")
    if not stem:
        return "player_" + "_".join(f"{ord(character):x}" for character in name[:8])
    return f"{stem}_" if stem in _DEVICE_NAMES else stem


# The event file: its content, with the places

_DAY_PATTERN = re.compile(r"(?<!\d)[0-9]{4}-[0-9]{2}-[0-9]{2}(?!\d)")


@dataclass(frozen=True, slots=True)
class EventFile:
    """The content of an event file."""

    __pydantic_config__ = CLOSED

    name: Name
    """The name of the event."""
    date: Name
    """The date of the event: a date such as `2025-12-06`, or words."""
    format: Name
    """The format that lists are judged by, with its snapshot."""
    lists: Name
    """The folder of the lists, seen from the folder of this file."""
    players: tuple[Name, ...]
    """The names of the players who are registered."""
    ids: dict[Name, Name] = field(default_factory=dict)
    """Other names of lists, such as a number, by the name of the player."""
    addresses: dict[Name, Name] = field(default_factory=dict)
    """The email address from which a player's lists come, by the name of the player."""
    dropped: tuple[Name, ...] = ()
    """The players who have dropped out, and need no list any more."""
    replaced: dict[Name, Name] = field(default_factory=dict)
    """Who plays instead of a player, by the name of the player."""
    deadline: Name | None = None
    """When lists have to be there: `2026-03-12, 20:00 Europe/Prague`, or in words."""
    late: Literal["refuse", "accept-with-note"] | None = None
    """The treatment of later lists. It requires a deadline with a time zone."""
    language: Name = ENGLISH_CODE
    """The language of letters to players."""
    languages: dict[Name, Name] = field(default_factory=dict)
    """The language of the letter to a player, by the name of the player."""

    @property
    def moment(self) -> datetime.datetime | None:
        """The deadline. None for a deadline in words or without a time zone."""
        return _parse_moment(self.deadline or "")

    @property
    def gone(self) -> dict[str, str]:
        """Why each player who does not play after all is gone."""
        reasons = dict.fromkeys(self.dropped, "dropped out")
        for name, other in self.replaced.items():
            reasons[name] = f"replaced by {other}"
        return reasons

    @property
    def keys(self) -> dict[str, str]:
        """The player of each normalised name and id, including departed players."""
        everybody = (*reversed(self.players), *self.replaced.values())
        named = {normalise(name): name for name in everybody}
        by_id = {normalise(id): named[normalise(name)] for name, id in self.ids.items()}
        return by_id | named

    @property
    def day(self) -> str | None:
        """The first day of the event. None for a date in words."""
        return _find_day(self.date)

    def find_language(self, player: str) -> str:
        """Return the code of the language of the letter to a player."""
        codes = {normalise(name): code for name, code in self.languages.items()}
        return codes.get(normalise(player), self.language)


def _find_day(date: str | None) -> str | None:
    day = _DAY_PATTERN.search(date or "")
    return day[0] if day is not None else None


_MOMENT_PATTERN = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ,]+(\d\d?:\d\d)(?::\d\d)?\s*"
    r"(?:(?P<utc>Z|UTC|GMT)?(?P<offset>[+-]\d\d:?\d\d)?|(?P<zone>[A-Z][\w/+-]+))"
)


def _parse_moment(text: str) -> datetime.datetime | None:
    match = _MOMENT_PATTERN.fullmatch(text.strip())
    if match is None or not any(match.group("utc", "offset", "zone")):
        return None
    try:
        time = datetime.datetime.fromisoformat(f"{match[1]} {match[2]:0>5}")
        if match["zone"] is not None:
            return time.replace(tzinfo=ZoneInfo(match["zone"]))
        return datetime.datetime.fromisoformat(f"{time}{match['offset'] or '+00:00'}")
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def open_event(path: Path) -> tuple[EventFile, Source]:
    """Read an event file. Raises UsageError with all of its defects."""
    if not os.path.lexists(path):
        raise missing(path, "event file")
    refuse_deck(path, "an event file")
    shown = shown_path(path)
    defects: list[SourceDefect] = []
    try:
        source = Source.open(path, shown, read_toml)
    except SourceError as error:
        raise _make_error(shown, [error.defect]) from None
    file = source.read_record(EventFile, source.document.data, (), defects)
    if file is None:
        raise _make_error(shown, defects)
    if not file.players:
        defects.append(source.defect(("players",), "no player is registered"))
    defects += _check_players(file, source)
    defects += _check_days(file, source)
    defects += _check_languages(file, source)
    if defects:
        raise _make_error(shown, defects)
    return file, source


def _check_days(file: EventFile, source: Source) -> Iterator[SourceDefect]:
    days = {"date": file.day, "deadline": _find_day(file.deadline)}
    possible = {key: day for key, day in days.items() if day and _is_possible(day)}
    for key, day in days.items():
        if day is not None and key not in possible:
            yield source.defect((key,), f"there is no such day as {quote(day)}")
    if len(possible) == len(days) and possible["deadline"] > possible["date"]:
        message = f"{quote(possible['deadline'])} is after the event"
        yield source.defect(("deadline",), message)
    if file.late is not None and file.moment is None:
        key = "deadline" if file.deadline else "late"
        example = quote("2026-03-12, 20:00 Europe/Prague")
        message = f"`late` needs a deadline with a time zone, as in {example}"
        yield source.defect((key,), message)


def _check_players(file: EventFile, source: Source) -> Iterator[SourceDefect]:
    """Report names of nobody, and keys that two players share."""
    players = [*file.players, *file.replaced.values()]
    known = set(map(normalise, players))
    for index, name in enumerate(file.dropped):
        if normalise(name) not in known:
            message = f"no player {quote(name)} is registered"
            message += did_you_mean(name, players)
            yield source.defect(("dropped", index), message)
    for key in ("ids", "addresses", "replaced", "languages"):
        for name in getattr(file, key):
            if normalise(name) not in known:
                message = f"no player {quote(name)} is registered"
                message += did_you_mean(name, players)
                yield source.key_defect((key, name), message)
    registered = set(map(normalise, file.players))
    for name, other in file.replaced.items():
        if normalise(other) in registered:
            message = f"{quote(other)} is registered already"
            yield source.defect(("replaced", name), message)
    taken = Counter(map(normalise, (*file.ids.values(), *known)))
    for name, id in file.ids.items():
        if taken[normalise(id)] > 1:
            message = f"{quote(id)} is the id or the name of another player, too"
            yield source.defect(("ids", name), message)


def _check_languages(file: EventFile, source: Source) -> Iterator[SourceDefect]:
    codes = languages()
    wanted: list[tuple[Location, str]] = [(("language",), file.language)]
    wanted += [(("languages", name), code) for name, code in file.languages.items()]
    for location, code in wanted:
        if code not in codes:
            message = f"unknown language {quote(code)}, languages are {choice(codes)}"
            yield source.defect(location, message)


def _is_possible(day: str) -> bool:
    """Report whether a day exists."""
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _make_error(path: str, defects: list[SourceDefect]) -> UsageError:
    return UsageError(list_defects(f"Event file {quote(path)}", defects))


# Salts, which hide lists behind their seals until the organiser reveals them.
#
# A seal of the bytes of a list alone would tell who plays a known deck, and who plays
# the same: anybody can hash all likely decks.

HASH_METHOD = "SHA-256 of salt and list"
"""The content of seals, in words."""

_SALT_DIGITS = 32
_KEY_PATTERN = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Salts:
    """The organiser's key, 64 hexadecimal digits, from which every salt is made."""

    key: str = field(repr=False)

    def of(self, name: str, event: str) -> str:
        """Return the salt of the list of a name in an event, 32 hexadecimal digits.

        It does not depend on the cards of the list, so that a letter stays true. A
        suffix, case, accents, dashes and spaces of the name do not matter. A key may
        serve several events: the salt depends on the name of the event.
        """
        return self._make_code(f"salt {event}\0{list_keys(name)[0]}")[:_SALT_DIGITS]

    @property
    def mark(self) -> str:
        """A public mark of the key, so that another key is noticed."""
        return self._make_code("mark")[:12]

    def _make_code(self, purpose: str) -> str:
        key = bytes.fromhex(self.key)
        return hmac.new(key, purpose.encode("utf-8"), sha256).hexdigest()


def sealed_hash(salt: str, data: bytes) -> str:
    """Hash a list for its seal, like `(printf %s SALT; cat LIST) | sha256sum`."""
    return sha256(salt.encode("ascii") + data).hexdigest()


def new_salts() -> Salts:
    """Make salts that nobody can guess."""
    return Salts(secrets.token_hex(32))


def read_salts(path: Path) -> Salts:
    """Read a file of salts. Raises UsageError for a missing or another file."""
    source = open_own(path, "file of salts", "holds no salts")
    match source.document.data:
        case {"schema_version": 1, "salts_key": str(key)} if _KEY_PATTERN.fullmatch(
            key
        ):
            if is_whole(source.document.data):
                return Salts(key)
            message = f"{quote(source.path)} has changed since it was written"
            raise UsageError(message, "Restore it from a copy: no other salts will do")
    help = f"Name the file that {option('salts')} made"
    raise UsageError(f"{quote(source.path)} holds no salts", help)


def open_own(path: Path, what: str, otherwise: str) -> Source:
    """Open a JSON file of ours. Raises UsageError if missing or unreadable."""
    if not os.path.lexists(path):
        raise missing(path, what)
    shown = shown_path(path)
    try:
        return Source.open(path, shown, read_json)
    except SourceError as error:
        raise UsageError(f"{quote(shown)} {otherwise}: {error}") from None


def write_salts(path: Path, salts: Salts, event: str) -> None:
    """Write salts to a new file that only its owner can read. Raises OSError."""
    content = {
        **document_head(),
        "event": event,
        "note": "The organiser's: keep it, and publish it never",
        "salts_key": salts.key,
    }
    text = json_text(add_checksum(content))
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(number, "w", encoding="utf-8") as stream:
        stream.write(text)


# A checked event: its players with their lists and findings


@dataclass(frozen=True, slots=True)
class ListFile:
    """A file of the folder of lists."""

    name: str
    """The path below the folder."""
    path: str
    data: bytes = field(repr=False)
    """The bytes as judged."""

    @property
    def sha256(self) -> str:
        """The hash of the list alone. It reveals the players of a known deck."""
        return sha256(self.data).hexdigest()


ORIGINALS_FOLDER = "originals"
"""The folder next to an event file with the inbox and the sealed lists."""


@dataclass(frozen=True, slots=True)
class PlayerGroup:
    """The lists and findings of a player, or under another title."""

    title: str
    decks: tuple[DeckReport, ...] = ()
    """The decks of all lists, in the order of the files."""
    reports: tuple[FileReport, ...] = ()
    """The findings besides the decks themselves."""
    departure: str | None = None
    """The reason why the player does not play. Their lists are not judged."""

    @property
    def run(self) -> Validation:
        """The group as a run that reporters can write."""
        return Validation(self.decks, self.reports)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return self.run.findings

    @property
    def lists(self) -> tuple[tuple[DeckReport, ...], ...]:
        """The decks of each file."""
        files = groupby(self.decks, lambda report: report.source.path)
        return tuple(tuple(decks) for _, decks in files)

    @property
    def paths(self) -> tuple[str, ...]:
        """The path of each file, as findings show it."""
        return tuple(decks[0].source.path for decks in self.lists)

    def owns(self, report: FileReport) -> bool:
        """Report whether a finding is about a list of this player, present or not."""
        is_named = normalise(self.title) in list_keys(report.name)
        return report.source.path in self.paths or is_named


@dataclass(frozen=True, slots=True)
class Event:
    """A checked event."""

    file: EventFile
    source: Source
    """The event file with its positions."""
    format: Format
    players: tuple[PlayerGroup, ...]
    """All registered players and replacements, in the order of their names."""
    others: tuple[PlayerGroup, ...]
    """The lists and the findings without a player."""
    files: tuple[ListFile, ...]
    root: Root = None
    """The folder of card databases."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """Counts of other files among the lists."""
    salts: Salts | None = None
    """The salts that hide lists behind their seals."""
    is_revealed: bool = False
    """Pages to publish show decks."""
    originals: Path = Path(ORIGINALS_FOLDER)
    """The folder of the inbox and the sealed lists."""

    @property
    def groups(self) -> tuple[PlayerGroup, ...]:
        """All groups, players first."""
        return (*self.players, *self.others)

    @property
    def run(self) -> Validation:
        """The whole event as a run that reporters can write."""
        decks: list[DeckReport] = []
        reports: list[FileReport] = []
        for group in self.groups:
            decks += group.decks
            reports += group.reports
        return Validation(tuple(decks), tuple(reports), self.left_out)

    @property
    def gone(self) -> dict[str, str]:
        """Why each player who does not play after all is gone."""
        return {p.title: p.departure for p in self.players if p.departure is not None}

    def find_owner(self, name: str) -> str | None:
        """Find the player of a list by its file, also a player who is gone."""
        owners = self.file.keys
        for key in list_keys(name):
            if key in owners:
                return owners[key]
        return None

    def seal(self, file: ListFile) -> str | None:
        """Return the hash of a list in a seal, None without salts."""
        salt = self.salt(file)
        if salt is None:
            return None
        return sealed_hash(salt, file.data)

    def salt(self, file: ListFile) -> str | None:
        """Return the salt of a list, None without salts."""
        if self.salts is None:
            return None
        return self.salts.of(file.name, self.file.name)

    @property
    def is_sound(self) -> bool:
        """Whether no finding is an error."""
        findings = self.run.findings
        return not any(finding.severity is Severity.ERROR for finding in findings)

    def with_reports(self, reports: Iterable[FileReport], title: str) -> Event:
        """Add findings to the player of their list, or else below `title`."""
        rest = list(reports)
        players = []
        for player in self.players:
            of_player, of_others = list(player.reports), []
            for report in rest:
                if player.owns(report):
                    of_player.append(replace(report, name=player.title))
                else:
                    of_others.append(report)
            rest = of_others
            players.append(replace(player, reports=tuple(of_player)))
        others = self.others
        if rest:
            others = (*others, PlayerGroup(title, reports=tuple(rest)))
        return replace(self, players=tuple(players), others=others)
