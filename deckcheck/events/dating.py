"""The date that an event is judged by: its own, or another one with a notice."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import Root
from deckcheck.decks import DeckSource
from deckcheck.events.file import EventFile
from deckcheck.findings import Finding, UsageError
from deckcheck.findings.documents import Source
from deckcheck.findings.options import option
from deckcheck.findings.words import quote
from deckcheck.formats import SnapshotError, load_format
from deckcheck.formats.ids import split_id
from deckcheck.formats.models import Format
from deckcheck.rules.event_rules import OTHER_DATE
from deckcheck.validation import FileReport, Validator

DATE = "Date of the event"


class Dating(NamedTuple):
    """What an event says of its format and its date; `as_of` is another date."""

    path: Path
    file: EventFile
    source: Source
    root: Root
    as_of: str | None

    @property
    def format(self) -> str:
        """The format of the event; a path starts at the folder of the event file."""
        stated = self.file.format
        is_path = stated.startswith(".")
        return str(self.path.parent / stated) if is_path else stated

    def validator(self) -> tuple[Validator, Format]:
        """What judges the lists, and the format by which it does.

        The snapshot is the one that the format of the event names, else that of
        `as_of`, else that of the event's own day. Raises UsageError for an unknown
        format, and for a date before its first snapshot.
        """
        snapshot = split_id(self.format)[1]
        if snapshot is not None and self.as_of is not None:
            names = quote(f"@{snapshot}")
            message = f"{option('as-of')} changes nothing: the event names {names}"
            raise UsageError(message, "Leave one of the two out")
        date = None if snapshot else self.as_of or self.file.day
        try:
            judge = Validator(self.format, self.root, suppressions=False, as_of=date)
        except SnapshotError as error:
            if self.as_of is not None:
                raise
            raise self._placed("date" if date else "format", error) from None
        except UsageError as error:
            raise self._placed("format", error) from None
        assert judge.format is not None
        return judge, judge.format

    def reports(self, fmt: Format) -> list[FileReport]:
        """What is said where something else than the event's day chose the snapshot."""
        wrong = self._other_date(fmt)
        if wrong is None:
            return []
        message, help = wrong
        place = self.source.document.span(("date",))
        path, text = self.source.path, self.source.document.text
        finding: Finding = OTHER_DATE.at(path, place, message, help=help)
        return [FileReport(DeckSource(path), DATE, (finding,), text)]

    def _other_date(self, fmt: Format) -> tuple[str, str | None] | None:
        day, snapshot = self.file.day, split_id(self.format)[1]
        if self.as_of not in (None, day):
            date = quote(self.file.date)
            return f"Lists are judged as of {self.as_of}, not of {date}", None
        if snapshot is None:
            return None if day else self._no_day(fmt)
        if day is None or self._snapshot_at(day) == snapshot:
            return None
        return (
            f"Lists are judged by the snapshot {snapshot}, not as of {day}",
            f"Leave {quote(f'@{snapshot}')} out, and the date chooses",
        )

    def _no_day(self, fmt: Format) -> tuple[str, str]:
        date = quote(self.file.date)
        return (
            f"{date} names no day, so that the last snapshot counts: {fmt.month}",
            "Begin it with the day, as in `2026-03-14 and 15`, or pass "
            f"{option('as-of')}",
        )

    def _snapshot_at(self, day: str) -> str | None:
        """The snapshot that a day chooses; None where there was none yet."""
        try:
            return load_format(split_id(self.format)[0], self.root, day).snapshot
        except SnapshotError:
            return None

    def _placed(self, key: str, error: UsageError) -> UsageError:
        return UsageError(str(self.source.defect((key,), error.message)), error.help)
