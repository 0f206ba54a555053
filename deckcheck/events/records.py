"""The record of collected lists, and their files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.decks import shown_path
from deckcheck.documents.readers import Source, SourceError, read_json
from deckcheck.events.event import Event, EventFile, ListFile, file_stem
from deckcheck.events.pieces import Piece
from deckcheck.files import add_checksum, is_whole
from deckcheck.findings import UsageError
from deckcheck.markup import document_head, json_text
from deckcheck.messages import quote

# The record of collected lists, a file beside the originals

RECORDS_FILE = "collected.json"


@dataclass(frozen=True, slots=True)
class Record:
    """A list that came in, and the file that it was written to."""

    place: str
    """Where it was, as in `mail.eml: list.txt`."""
    source: str
    """The SHA-256 of the list as it arrived."""
    player: str | None
    """Its player, None if unknown."""
    file: str
    """Its file in the folder of lists."""
    written: str
    """The SHA-256 of the file as it was written."""
    time: str | None = None
    """The time of arrival, if known."""
    is_moved: bool = False
    """Whether somebody has moved the file to where it is."""


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal digits."""
    return sha256(data).hexdigest()


def write_records(records: Sequence[Record], event: str) -> str:
    """Return the content of the file of records."""
    content = [asdict(record) for record in records]
    return json_text(
        add_checksum({**document_head(), "event": event, "collected": content})
    )


def read_records(folder: Path, event: str) -> tuple[Record, ...]:
    """Read the records in a folder of originals, none before the first collection.

    Raises UsageError for another file of that name, a changed file, and the file of
    another event.
    """
    file = folder / RECORDS_FILE
    if not os.path.lexists(file):
        return ()
    shown = shown_path(file)
    reason = ""
    try:
        data = Source.open(file, shown, read_json).document.data
        match data:
            case {"schema_version": 1, "event": other} if other != event:
                reason = f": it is of the event {quote(str(other))}"
            case {"schema_version": 1, "collected": list(records)} if is_whole(data):
                return tuple(Record(**record) for record in records)
    except (SourceError, TypeError) as error:
        reason = f": {error}"
    help = (
        "Move the file away. Until then all files in the folder of lists count as yours"
    )
    raise UsageError(f"{quote(shown)} does not say what was collected{reason}", help)


# The deadline, by the time of a mail or of the row of a form


def describe_lateness(time: datetime | None, file: EventFile) -> str | None:
    """Return `it arrived on ..., after the deadline`, None for a list in time.

    A time without a zone is in the zone of the deadline.
    """
    deadline = file.moment
    if time is None or deadline is None:
        return None
    time = time if time.tzinfo is not None else time.replace(tzinfo=deadline.tzinfo)
    if time <= deadline:
        return None
    shown = time.astimezone(deadline.tzinfo)
    return f"it arrived on {shown:%Y-%m-%d at %H:%M}, after the deadline"


def find_late_lists(event: Event) -> Iterator[tuple[ListFile, str]]:
    """Yield each late list of an event, and how late it is.

    It stays late when somebody edits or moves its file. A file with the same bytes as a
    list in time is not late.
    """
    records = read_records(event.originals, event.file.name)
    for file in event.files:
        times = [record.time for record in _find_records(file, event, records)]
        known = [datetime.fromisoformat(time) for time in times if time is not None]
        if not known or None in times:
            continue
        late = [describe_lateness(time, event.file) for time in known]
        if None not in late:
            yield file, late[0] or ""


def _find_records(
    file: ListFile, event: Event, records: Sequence[Record]
) -> list[Record]:
    """Return the records of a file: of its bytes and its player, else of its name."""
    here = [record for record in records if record.file == file.name]
    players = (event.find_owner(file.name), None)
    same = []
    for record in records:
        if record.written == file.sha256 and record.player in players:
            same.append(record)
    return same or here


# Files for lists, so that running again changes nothing

UNKNOWN_FOLDER = "unknown"
"""The folder of lists that belong to nobody, and the end of their names."""

DONE_NEW = "new"
DONE_UNCHANGED = "unchanged"
DONE_REPLACED = "replaces an earlier list"
DONE_EDITED = "kept as you have changed it"
DONE_MOVED = "kept where you have moved it"
DONE_REMOVED = "left out, since you have removed it"


class PlacedList(NamedTuple):
    """The file of a list in the folder of lists, and the action."""

    file: str
    done: str
    is_another: bool = False
    """Whether the player has another list, too."""


class Placing:
    """Chooses files for the lists of the inbox, by the records of earlier runs.

    Lists edited, moved or removed by hand stay as they are, and so do sealed lists.
    """

    def __init__(
        self,
        folder: Path,
        records: Sequence[Record],
        sealed: Collection[bytes],
        pieces: Sequence[Piece],
    ) -> None:
        """Match `pieces`, the content of the inbox, with the records."""
        self.folder = folder
        self.sealed = sealed
        self.writes: dict[str, bytes] = {}
        self.removed: list[str] = []
        self.records: list[Record] = []
        self.taken: dict[str, str | None] = {}
        self.handled: set[Record] = set()
        self.old = list(records)
        self.places = {piece.origin for piece in pieces}
        self.known = _match_records(pieces, records)
        self.contents = self._read_folder()
        for record in self.known.values():
            path = self._find_by_hand(record)
            if path is not None:
                self.taken.setdefault(path, record.player)

    def _read_folder(self) -> dict[str, bytes]:
        """Return the content of each file in the folder of lists."""
        contents: dict[str, bytes] = {}
        if not self.folder.is_dir():
            return contents
        for file in sorted(self.folder.rglob("*")):
            if file.is_file():
                contents[file.relative_to(self.folder).as_posix()] = file.read_bytes()
        return contents

    def _find_by_hand(self, record: Record) -> str | None:
        """Return the file of a list edited, moved or sealed since."""
        now = self.contents.get(record.file)
        if now is not None and record.is_moved:
            return record.file
        if now is None or self._belongs_elsewhere(record.file, now, record):
            return self._find_moved(record)
        if hash_bytes(now) != record.written or now in self.sealed:
            return record.file
        return None

    def _find_moved(self, record: Record) -> str | None:
        """Return the new file of a moved list, perhaps over another list."""
        for path, data in self.contents.items():
            is_same = hash_bytes(data) == record.written
            if is_same and not self._belongs_elsewhere(path, data, record):
                return path
        return None

    def _belongs_elsewhere(self, path: str, data: bytes, record: Record) -> bool:
        """Report whether a file has the bytes of another record."""
        checksum = hash_bytes(data)
        for other in self.old:
            is_same = other.file == path and other.written == checksum
            if is_same and other != record:
                return True
        return False

    def place(
        self, piece: Piece, player: str | None, suffix: str, data: bytes
    ) -> PlacedList:
        """Choose the file of a list. The second list of a player is in a folder `2`."""
        record = self.known.get(make_key(piece))
        placed = None
        if record is not None:
            self.handled.add(record)
            placed = self._keep(record, player, suffix)
        if placed is None:
            placed = self._choose(piece, player, suffix, data)
        written = hash_bytes(data)
        by_hand = (DONE_EDITED, DONE_MOVED, DONE_REMOVED)
        if record is not None and placed.done in by_hand:
            written = record.written
        time = None if piece.time is None else piece.time.isoformat()
        origin, source = make_key(piece)
        is_moved = placed.done == DONE_MOVED
        made = Record(origin, source, player, placed.file, written, time, is_moved)
        self.records.append(made)
        return placed

    def _keep(
        self, record: Record, player: str | None, suffix: str
    ) -> PlacedList | None:
        """Return the file of a list changed by hand, None for any other."""
        path = self._find_by_hand(record)
        if path is None:
            now = self.contents.get(record.file)
            is_gone = now is None or self._belongs_elsewhere(record.file, now, record)
            # A folder without any list is filled anew.
            if is_gone and self.contents:
                return PlacedList(record.file, DONE_REMOVED)
            return None
        now = self.contents[path]
        if path != record.file or record.is_moved:
            return PlacedList(path, DONE_MOVED)
        if record.player is None and player is not None and now not in self.sealed:
            # Its player is known now: it goes to them as it was edited.
            for target in _list_paths(PurePath(path).stem, player, suffix):
                if target not in self.taken and target not in self.contents:
                    self.writes[target] = now
                    self.removed.append(path)
                    self.taken[target] = player
                    return PlacedList(target, DONE_EDITED)
        is_edited = hash_bytes(now) != record.written
        return PlacedList(path, DONE_EDITED if is_edited else DONE_UNCHANGED)

    def _choose(
        self, piece: Piece, player: str | None, suffix: str, data: bytes
    ) -> PlacedList:
        """Return the first file that the list may have, which is written."""
        stem = PurePath(piece.name).stem
        for number, path in enumerate(_list_paths(stem, player, suffix)):
            now = self.contents.get(path)
            if path in self.taken:
                # The list that the organiser has made of an earlier list.
                if now == data and player is not None and self.taken[path] == player:
                    return PlacedList(path, DONE_UNCHANGED)
                continue
            if now is None:
                done = DONE_NEW
            elif now == data:
                done = DONE_UNCHANGED
            elif now not in self.sealed and self._is_ours(path, now):
                done = DONE_REPLACED
            else:
                continue
            self.taken[path] = player
            if done != DONE_UNCHANGED:
                self.writes[path] = data
            return PlacedList(path, done, player is not None and number > 0)
        raise AssertionError("there is always another folder")

    def _is_ours(self, path: str, now: bytes) -> bool:
        """Report whether a file is as it was collected."""
        checksum = hash_bytes(now)
        records = (record for record in self.old if record.file == path)
        return any(record.written == checksum for record in records)

    def remove_stale(self, players: Collection[str]) -> None:
        """Remove untouched lists that are out of date.

        These are the earlier list of a player with a later list, a list whose source
        has changed, and a list with another file now.
        """
        current = set(self.known.values())
        for record in self.old:
            now = self.contents.get(record.file)
            is_sealed = now is not None and now in self.sealed
            is_ours = now is not None and hash_bytes(now) == record.written
            is_meant = (
                record in current
                or record.place in self.places
                or record.player in players
            )
            if is_ours and is_meant and not is_sealed:
                if record.file not in {*self.taken, *self.removed}:
                    self.removed.append(record.file)
            elif record not in self.handled:
                self.records.append(record)

    def sorted_records(self) -> list[Record]:
        """Return the records of this run, each once."""
        return sorted(
            set(self.records), key=lambda r: (r.file, r.place, r.source, r.player or "")
        )


PieceKey = tuple[str, str]
"""The place of a piece, and the hash of its bytes."""


def make_key(piece: Piece) -> PieceKey:
    """Return the key of a piece."""
    return piece.origin, hash_bytes(piece.data)


def _match_records(
    pieces: Sequence[Piece], records: Sequence[Record]
) -> dict[PieceKey, Record]:
    """Return the earlier record of each piece.

    It has the same bytes at the same place, or else at a place that has gone: the file
    was renamed, or the row of the form has moved.
    """
    found: dict[PieceKey, Record] = {}
    left = {(record.place, record.source): record for record in records}
    keys = list(dict.fromkeys(make_key(piece) for piece in pieces if piece.data))
    for key in keys:
        if key in left:
            found[key] = left.pop(key)
    for key in keys:
        moved = [old for old in left if old[1] == key[1]]
        if key not in found and moved:
            found[key] = left.pop(moved[0])
    return found


def _list_paths(stem: str, player: str | None, suffix: str) -> Iterator[str]:
    """Yield the files that a list may have, in the order in which they are tried."""
    home, name = PurePath(), file_stem(player or stem)
    if player is None:
        # By its own name it might be the list of a player after all.
        home, name = PurePath(UNKNOWN_FOLDER), f"{name}_{UNKNOWN_FOLDER}"
    for number in count(1):
        folder = home if number == 1 else home / str(number)
        yield (folder / f"{name}{suffix}").as_posix()
