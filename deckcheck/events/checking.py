"""Checking an event: its date, its lists, and their players."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import Root
from deckcheck.decks import (
    DeckText,
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
    list_keys,
    open_event,
)
from deckcheck.events.matching import OTHER_GROUP, match_lists, report_other_files
from deckcheck.files import folder_fault, path_fault, relative_path
from deckcheck.findings import START, Severity, UsageError
from deckcheck.formats import SnapshotError, load_format
from deckcheck.formats.model import LATEST, Format, split_id
from deckcheck.messages import option, quote
from deckcheck.rules import (
    LATE_LIST,
    OTHER_DATE,
)
from deckcheck.validation import FileReport, Validator

# The date by which an event is judged: its own, or another date with a note.

DATE_GROUP = "Date of the event"


class Dating(NamedTuple):
    """The format of an event, and the date whose cards and rules count."""

    path: Path
    """The event file."""
    file: EventFile
    source: Source
    """The text of the event file, for the positions of findings."""
    root: Root
    """The folder of the card database."""
    as_of: str | None
    """The date of `--as-of`, which replaces the day of the event."""

    @property
    def format(self) -> str:
        """The format of the event. A path starts at the folder of the event file."""
        stated = self.file.format
        if stated.startswith("."):
            return str(self.path.parent / stated)
        return stated

    def load_validator(self) -> tuple[Validator, Format]:
        """Return a validator for the lists, and the format that it judges by.

        The format of the event may name the snapshot. Otherwise `as_of` chooses it, or
        the event's own day. Raises UsageError for an unknown format, and for a date
        before its first snapshot.
        """
        snapshot = split_id(self.format)[1]
        if snapshot is not None and self.as_of is not None:
            stated = quote(f"@{snapshot}")
            message = f"{option('as-of')} changes nothing: the event names {stated}"
            raise UsageError(message, "Remove either")
        date = None
        snapshot_key = "format"
        if not snapshot:
            date = self.as_of or self.file.day or LATEST
            snapshot_key = "date"
        try:
            judge = Validator(self.format, self.root, suppressions=False, as_of=date)
            fmt = judge.load(self.format)
        except SnapshotError as error:
            if self.as_of is not None:
                raise
            raise self._place_error(snapshot_key, error) from None
        except UsageError as error:
            raise self._place_error("format", error) from None
        return judge, fmt

    def report_date(self, fmt: Format) -> list[FileReport]:
        """Return the note on a snapshot that the event's day did not choose."""
        note = self._describe_date(fmt)
        if note is None:
            return []
        message, help = note
        position = self.source.document.span(("date",))
        path = self.source.path
        text = self.source.document.text
        finding = OTHER_DATE.at(path, position, message, help=help)
        return [FileReport.of(finding, DATE_GROUP, text)]

    def _describe_date(self, fmt: Format) -> tuple[str, str | None] | None:
        """Return the message and the help of the note, None if the day chooses."""
        day = self.file.day
        snapshot = split_id(self.format)[1]
        if self.as_of not in (None, day):
            date = quote(self.file.date)
            return f"Lists are judged as of {self.as_of}, not of {date}", None
        if snapshot is None and day is not None:
            return None
        if snapshot is None:
            date = quote(self.file.date)
            message = (
                f"{date} does not begin with a day such as `2026-03-14`, so the last "
                f"snapshot counts: {fmt.month}"
            )
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
        """Return the error with the position of a key of the event file."""
        message, *defects = error.message.splitlines()
        placed = str(self.source.defect((key,), message))
        return UsageError("\n".join((placed, *defects)), error.help)


# Reading the lists of an event, judging them, and finding their players.


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
    validator, fmt = dating.load_validator()
    run = validator.check_all(lists.texts)
    folder = shown_path(path.parent / file.lists)
    players, others = match_lists(file, source, run.reports, folder)
    files = tuple(lists.files)
    originals = path.parent / ORIGINALS_FOLDER
    event = Event(
        file, source, fmt, players, others, files, root, left_out, originals=originals
    )
    event = event.with_reports(report_late_lists(event), OTHER_GROUP)
    event = event.with_reports(report_other_files(lists.others, file), OTHER_GROUP)
    return event.with_reports(dating.report_date(fmt), DATE_GROUP)


_CHOOSE_LIST = "Take the list that arrived in time, or accept this list by `late`"


def report_late_lists(event: Event) -> Iterator[FileReport]:
    """Report lists that arrived late, as `deckcheck collect` recorded."""
    if event.file.moment is None or not os.path.lexists(event.originals):
        return
    from deckcheck.events.records import find_late_lists

    severities = {"refuse": Severity.ERROR, "accept-with-note": Severity.NOTE}
    severity = severities.get(event.file.late or "", Severity.WARNING)
    texts = {deck.source.path: deck.text for deck in event.run.reports}
    for file, late in find_late_lists(event):
        message = f"The list is late: {late}"
        finding = LATE_LIST.at(
            file.path, START, message, help=_CHOOSE_LIST, severity=severity
        )
        yield FileReport.of(finding, file.name, texts.get(file.path, ""))


class _Lists(NamedTuple):
    """The content of the folder of lists."""

    texts: list[DeckText]
    files: list[ListFile]
    """The lists that are files, with their bytes."""
    others: list[str]
    """The paths of other files."""


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
        lists = _Lists([], [], [file for file in others if not _is_same(file, path)])
        for deck in deck_files:
            if deck.file is None:
                lists.texts.append(read_found(deck))
                continue
            data, size = read_bytes(deck.file, deck.path)
            lists.texts.append(decode_deck(data, deck.path, size))
            name = deck.file.relative_to(folder).as_posix()
            lists.files.append(ListFile(name, deck.path, data))
    return lists


def _is_same(file: str, other: Path) -> bool:
    try:
        return os.path.samefile(file, other)
    except OSError:
        return False
