"""Checks an event: its date, its lists, whose they are."""

from __future__ import annotations

import contextlib
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import Root
from deckcheck.cards.names import closest, normalise
from deckcheck.decks import (
    DeckText,
    Header,
    LeftOut,
    decode_deck,
    read_found,
    shown_path,
)
from deckcheck.decks.decoding import read_bytes
from deckcheck.decks.files import find_event_lists, restrict_to_checkout
from deckcheck.documents.readers import Source
from deckcheck.events.event import (
    ORIGINALS_FOLDER,
    Event,
    EventFile,
    ListFile,
    PlayerGroup,
    file_stem,
    list_keys,
    may_name,
    open_event,
    sort_key,
)
from deckcheck.files import folder_fault, path_fault, relative_path
from deckcheck.findings import START, Related, Severity, UsageError
from deckcheck.formats import SnapshotError, load_format
from deckcheck.formats.model import LATEST, Format, split_id
from deckcheck.messages import option, plural, quote
from deckcheck.rules import (
    IDENTICAL_LISTS,
    LATE_LIST,
    MISSING_LIST,
    OTHER_DATE,
    OTHER_FILE,
    OTHER_PLAYER,
    REPEATED_PLAYER,
    SEVERAL_DECKS,
    SEVERAL_LISTS,
    UNKNOWN_PLAYER,
)
from deckcheck.validation import DeckReport, FileReport, Validator

# The date to judge an event by: its own, or another date with a notice

DATE_GROUP = "Date of the event"


class Dating(NamedTuple):
    """The format and the date of an event. `as_of` is another date."""

    path: Path
    file: EventFile
    source: Source
    root: Root
    as_of: str | None

    @property
    def format(self) -> str:
        """The format of the event. A path starts at the folder of the event file."""
        stated = self.file.format
        is_path = stated.startswith(".")
        return str(self.path.parent / stated) if is_path else stated

    def validator(self) -> tuple[Validator, Format]:
        """Return the validator of the lists, and its format.

        The format of the event may name the snapshot. Otherwise `as_of` chooses it, or
        the event's own day. Raises UsageError for an unknown format, and for a date
        before its first snapshot.
        """
        snapshot = split_id(self.format)[1]
        if snapshot is not None and self.as_of is not None:
            names = quote(f"@{snapshot}")
            message = f"{option('as-of')} changes nothing: the event names {names}"
            raise UsageError(message, "Remove either")
        date = None if snapshot else self.as_of or self.file.day or LATEST
        try:
            judge = Validator(self.format, self.root, suppressions=False, as_of=date)
            fmt = judge.load(self.format)
        except SnapshotError as error:
            if self.as_of is not None:
                raise
            raise self._place_error("date" if date else "format", error) from None
        except UsageError as error:
            raise self._place_error("format", error) from None
        return judge, fmt

    def reports(self, fmt: Format) -> list[FileReport]:
        """Return the note on a snapshot that the event's day did not choose."""
        wrong = self._describe_date(fmt)
        if wrong is None:
            return []
        message, help = wrong
        position = self.source.document.span(("date",))
        path = self.source.path
        text = self.source.document.text
        finding = OTHER_DATE.at(path, position, message, help=help)
        return [FileReport.of(finding, DATE_GROUP, text)]

    def _describe_date(self, fmt: Format) -> tuple[str, str | None] | None:
        day = self.file.day
        snapshot = split_id(self.format)[1]
        if self.as_of not in (None, day):
            date = quote(self.file.date)
            return f"Lists are judged as of {self.as_of}, not of {date}", None
        if snapshot is None and day is not None:
            return None
        if snapshot is None:
            date = quote(self.file.date)
            message = f"{date} names no day, so the last snapshot counts: {fmt.month}"
            example = "Begin it with the day, as in `2026-03-14 and 15`"
            return message, f"{example}, or pass {option('as-of')}"
        if day is None or self._find_snapshot(day) == snapshot:
            return None
        return (
            f"Lists are judged by the snapshot {snapshot}, not as of {day}",
            f"Leave {quote(f'@{snapshot}')} out, and the date chooses",
        )

    def _find_snapshot(self, day: str) -> str | None:
        """Return the snapshot that a day chooses, None before the first snapshot."""
        try:
            return load_format(split_id(self.format)[0], self.root, day).snapshot
        except SnapshotError:
            return None

    def _place_error(self, key: str, error: UsageError) -> UsageError:
        message, *defects = error.message.splitlines()
        placed = str(self.source.defect((key,), message))
        return UsageError("\n".join((placed, *defects)), error.help)


# Matching lists and players, with findings about the rest

STRAY_GROUP = "Lists without a player"
OTHER_GROUP = "Files other than lists"
_NAME_IT = "Name the file after its player"
_KEEP_OUTSIDE = "Keep it outside of the folder of lists"
_CHOOSE_LIST = "Take the list that arrived in time, or accept this list by `late`"
_ASK_WHOSE = "Ask whose list it is, and rename the file, or correct the line `Player`"

_List = tuple[DeckReport, ...]


def match(
    file: EventFile, source: Source, reports: Sequence[DeckReport], folder: str
) -> tuple[tuple[PlayerGroup, ...], tuple[PlayerGroup, ...]]:
    """Return the players with their lists, in order, and the lists without a player.

    `reports` has the decks of all lists, file by file. `folder` is the folder of the
    lists, as findings show it.
    """
    owners = file.keys
    departed = {owners[normalise(name)]: why for name, why in file.gone.items()}
    lists: dict[str, list[_List]] = {name: [] for name in owners.values()}
    strays: list[_List] = []
    for path, decks in groupby(reports, lambda report: report.source.path):
        keys = [key for key in list_keys(path) if key in owners]
        found = lists[owners[keys[0]]] if keys else strays
        found.append(tuple(decks))
    lists |= {name: [] for name in departed}
    findings = _find_repeated(file, source, owners)
    for name, owned in lists.items():
        findings[name] += _check_lists(name, owned)
        findings[name] += _check_headers(name, owned, owners)
        if not owned and name not in departed:
            findings[name].append(_report_missing(name, file, source, folder))
    for name, report in _find_identical(lists):
        findings[name].append(report)
    players = []
    for name in sorted(lists, key=sort_key):
        group = PlayerGroup(
            name, _join_lists(lists[name]), tuple(findings[name]), departed.get(name)
        )
        players.append(group)
    unknown = tuple(_report_unknown(group, owners, source.path) for group in strays)
    others = (PlayerGroup(STRAY_GROUP, _join_lists(strays), unknown),) if strays else ()
    return tuple(players), others


def report_other_files(files: Sequence[str], event: EventFile) -> Iterator[FileReport]:
    """Yield a note for each file without the name of a list or of a player."""
    owners = event.keys
    for path in map(shown_path, files):
        name = Path(path).name
        near = _find_near_player(path, owners)
        message = f"{quote(name)} is not a list, nor named after a player"
        help = f"Did you mean {quote(near)}? {_NAME_IT}" if near else _KEEP_OUTSIDE
        yield FileReport.of(OTHER_FILE.at(path, START, message, help=help), name, "")


def _find_near_player(path: str, owners: dict[str, str]) -> str | None:
    """Find the player whom the name of a file or of its folder nearly has."""
    folder = owners.get(normalise(Path(path).parent.name))
    near = closest(list_keys(path)[0], list(owners), limit=1)
    return folder or (owners[near[0]] if near else None)


def _join_lists(lists: Sequence[_List]) -> _List:
    return tuple(deck for decks in lists for deck in decks)


def _find_repeated(
    file: EventFile, source: Source, owners: dict[str, str]
) -> defaultdict[str, list[FileReport]]:
    """Report names that the event file has twice, by player."""
    found: defaultdict[str, list[FileReport]] = defaultdict(list)
    first: dict[str, int] = {}
    for index, name in enumerate(file.players):
        key = normalise(name)
        before = first.setdefault(key, index)
        if before == index:
            continue
        span = source.document.span(("players", before))
        message = f"Player {quote(name)} is registered since line {span.start.line}"
        finding = REPEATED_PLAYER.at(
            source.path,
            source.document.span(("players", index)),
            message,
            help="Remove either, or add a second name to each player",
            related=[Related(span, "first here")],
        )
        report = FileReport.of(finding, owners[key], source.document.text)
        found[owners[key]].append(report)
    return found


def _report_missing(
    name: str, file: EventFile, source: Source, folder: str
) -> FileReport:
    stem = file_stem(name)
    if normalise(stem) != normalise(name):
        stem = name
    replaced = {new: ("replaced", old) for old, new in file.replaced.items()}
    position = replaced.get(name) or ("players", file.players.index(name))
    finding = MISSING_LIST.at(
        source.path,
        source.document.span(position),
        f"Player {quote(name)} has no list",
        help=f"Add the list as {quote(f'{folder}/{stem}.deck')}",
    )
    return FileReport.of(finding, name, source.document.text)


def _report_unknown(decks: _List, owners: dict[str, str], event: str) -> FileReport:
    path = decks[0].source.path
    headers = _find_player_headers(decks)
    stated = (owners.get(normalise(header.value)) for header in headers)
    near = next(filter(None, stated), None) or _find_near_player(path, owners)
    help = f"{_NAME_IT}, or register the player in {quote(event)}"
    if near:
        help = f"Did you mean {quote(near)}? {help}"
    finding = UNKNOWN_PLAYER.at(path, START, "The list belongs to no player", help=help)
    return FileReport.of(finding, Path(path).name, decks[0].text)


def _check_lists(name: str, lists: Sequence[_List]) -> Iterator[FileReport]:
    """Report several lists of a player, and several decks in a list."""
    for decks in lists[1:]:
        first = quote(lists[0][0].source.path)
        message = f"{quote(name)} has another list, {first}"
        help = "Keep one of the two files, and remove the other"
        finding = SEVERAL_LISTS.at(decks[0].source.path, START, message, help=help)
        yield FileReport.of(finding, name, decks[0].text)
    for decks in lists:
        if len(decks) > 1 and not _is_one_list(decks):
            position = decks[1].deck.span if decks[1].deck else START
            message = f"The list holds {plural(len(decks), 'deck')}, expected 1"
            help = "Keep a single deck, or choose a format with lineups"
            finding = SEVERAL_DECKS.at(
                decks[0].source.path, position, message, help=help
            )
            yield FileReport.of(finding, name, decks[0].text)


def _find_player_headers(decks: _List) -> Iterator[Header]:
    """Yield the headers of a list that name its player."""
    for report in decks:
        if report.deck is not None:
            yield from report.deck.headers.get("player", ())


def _check_headers(
    name: str, lists: Sequence[_List], owners: Mapping[str, str]
) -> Iterator[FileReport]:
    """Report lists that name a different player from their file.

    The name of another registered player is an error. Any other name may be a different
    spelling.
    """
    for decks in lists:
        for header in _find_player_headers(decks):
            other = owners.get(normalise(header.value))
            if other == name or (other is None and may_name(header.value, name)):
                continue
            others = (owner for owner in owners.values() if owner != name)
            other = other or next(
                (n for n in others if may_name(header.value, n)), None
            )
            message = f"The list is of {quote(header.value)}, its file of {quote(name)}"
            path = decks[0].source.path
            weight = None if other else Severity.WARNING
            finding = OTHER_PLAYER.at(
                path, header.span, message, help=_ASK_WHOSE, severity=weight
            )
            yield FileReport.of(finding, name, decks[0].text)


def _is_one_list(decks: _List) -> bool:
    """Report whether the format wants several decks in a file."""
    formats = [report.format for report in decks if report.format is not None]
    return any(fmt.seating.holds != "deck" for fmt in formats)


def _find_identical(lists: dict[str, list[_List]]) -> Iterator[tuple[str, FileReport]]:
    """Report lists with the cards and leaders of an earlier list, by player."""
    first: dict[object, str] = {}
    for player in sorted(lists, key=sort_key):
        for decks in lists[player]:
            contents = [
                _make_content(decks),
                *(_make_content((deck,)) for deck in decks),
            ]
            owners = [first.setdefault(x, player) if x else player for x in contents]
            number = next(
                (n for n, owner in enumerate(owners) if owner != player), None
            )
            if number is not None:
                what = f"Deck {number} of the list" if number else "The list"
                finding = IDENTICAL_LISTS.at(
                    decks[0].source.path,
                    START,
                    f"{what} has the same cards and leaders "
                    f"as that of {quote(owners[number])}",
                    help="Ask both players whether this is intended",
                )
                yield player, FileReport.of(finding, player, decks[0].text)


def _make_content(decks: _List) -> object:
    """Return a value that identical lists share, empty for an unreadable list."""
    read = (report.deck for report in decks if report.deck is not None)
    content = Counter(
        (deck.leader, frozenset(deck.counts().items())) for deck in read if deck.entries
    )
    return frozenset(content.items())


# Checking an event: reading its lists, judging them, and finding their players


def check_event(
    path: Path,
    root: Root = None,
    as_of: str | None = None,
    checkout: Path | None = None,
) -> Event:
    """Read an event file and check its players and lists.

    A list belongs to the player whose name its file has, in any case, with any accents,
    dashes or spaces: `anna_nowak.deck` to Anna Nowak. It is one deck, or a whole lineup
    where the format wants a lineup. The day of the event chooses the snapshot of its
    format, unless `as_of` is another date. Only the folder of lists is taken from
    `checkout`, which is not trusted. Raises UsageError for an unreadable event file, a
    missing folder, an unknown format, and a format that did not exist on that day.
    """
    file, source = open_event(path)
    for key, stated in (("format", file.format), ("lists", file.lists)):
        fault = path_fault(stated)
        if fault is not None:
            raise UsageError(str(source.defect((key,), fault)))
    left_out = LeftOut()
    lists = _read_lists(path, file, source, left_out, checkout)
    dating = Dating(path, file, source, root, as_of)
    validator, fmt = dating.validator()
    run = validator.check_all(lists.texts)
    folder = shown_path(path.parent / file.lists)
    players, others = match(file, source, run.reports, folder)
    files = tuple(lists.files)
    originals = path.parent / ORIGINALS_FOLDER
    event = Event(
        file, source, fmt, players, others, files, root, left_out, originals=originals
    )
    event = event.with_reports(report_late_lists(event), OTHER_GROUP)
    event = event.with_reports(report_other_files(lists.others, file), OTHER_GROUP)
    return event.with_reports(dating.reports(fmt), DATE_GROUP)


def report_late_lists(event: Event) -> Iterator[FileReport]:
    """Report lists that arrived late, as `deckcheck collect` recorded."""
    if event.file.moment is None or not os.path.lexists(event.originals):
        return
    from deckcheck.events.records import find_late_lists

    severity = {"refuse": Severity.ERROR, "accept-with-note": Severity.NOTE}
    texts = {deck.source.path: deck.text for deck in event.run.reports}
    for file, late in find_late_lists(event):
        message = f"The list is late: {late}"
        weight = severity.get(event.file.late or "", Severity.WARNING)
        finding = LATE_LIST.at(
            file.path, START, message, help=_CHOOSE_LIST, severity=weight
        )
        yield FileReport.of(finding, file.name, texts.get(file.path, ""))


class _Lists(NamedTuple):
    """The folder of lists: their texts, the hashes of their bytes, and other files."""

    texts: list[DeckText]
    files: list[ListFile]
    others: list[str]


def _read_lists(
    path: Path,
    event: EventFile,
    source: Source,
    left_out: LeftOut,
    checkout: Path | None,
) -> _Lists:
    """Read the folder of lists, and count other files in `left_out`.

    A file with the name of a player is a list, regardless of its content.
    """
    folder = path.parent / event.lists
    start = relative_path(folder)
    with contextlib.chdir(checkout or os.curdir):
        if checkout is not None:
            folder = Path.cwd() / start
        fault = folder_fault(folder)
        if fault is not None:
            message = f"the folder {quote(str(folder))} {fault}"
            raise UsageError(str(source.defect(("lists",), message)))
        players = set(event.keys)

        def is_list(file: str) -> bool:
            return not players.isdisjoint(list_keys(file))

        deck_files, others = find_event_lists(str(folder), is_list, left_out)
        if checkout is not None:
            deck_files = restrict_to_checkout(deck_files)
        lists = _Lists([], [], [other for other in others if not _is_same(other, path)])
        for deck in deck_files:
            if deck.file is None:
                lists.texts.append(read_found(deck))
                continue
            data, size = read_bytes(deck.file, deck.path)
            lists.texts.append(decode_deck(data, deck.path, size))
            name = deck.file.relative_to(folder).as_posix()
            lists.files.append(ListFile(name, deck.path, data))
    return lists


def _is_same(one: str, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
