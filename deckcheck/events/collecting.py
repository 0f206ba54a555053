"""A folder of arrivals turned into a folder of lists."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks import decode_deck, shown_path
from deckcheck.decks.reader import guess_way, parse_decks
from deckcheck.decks.rewriting import Converter, is_broken, write_decks
from deckcheck.documents.readers import Source, SourceError, read_json
from deckcheck.events.event import EventFile, agrees, file_stem
from deckcheck.events.unpacking import Budget, Hint, Piece, is_litter, unpacked
from deckcheck.files import open_file, unusable
from deckcheck.findings import UsageError
from deckcheck.markup import document_head, json_text
from deckcheck.messages import quote

# The record of collected lists: where each came from, as it was written.

LEDGER = "collected.json"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A list that was collected: from where, whose, and hashes of piece and list."""

    place: str
    player: str | None
    arrived: str
    written: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All lists that were collected, by the path of each in the folder of lists."""

    lists: dict[str, LedgerEntry] = field(default_factory=dict)

    def as_json(self) -> str:
        """The file of it."""
        lists = {path: asdict(kept) for path, kept in sorted(self.lists.items())}
        return json_text({**document_head(), "collected": lists})


def hash_of(data: bytes) -> str:
    """The SHA-256 of a piece or a list."""
    return sha256(data).hexdigest()


def read_ledger(folder: Path) -> Ledger:
    """Read the ledger of a folder of originals, empty where there is none yet.

    Raises UsageError for a file of its name that is something else.
    """
    file = folder / LEDGER
    if not os.path.lexists(file):
        return Ledger()
    shown = shown_path(file)
    try:
        data = Source.open(file, shown, read_json).document.data
        match data:
            case {"schema_version": 1, "collected": dict(lists)}:
                return Ledger(
                    {path: LedgerEntry(**kept) for path, kept in lists.items()}
                )
    except (SourceError, TypeError) as error:
        reason = f": {error}"
    else:
        reason = ""
    help = "Move the file away: the next run takes what lies in the folder for yours"
    raise UsageError(f"{quote(shown)} does not say what was collected{reason}", help)


# Whose a list is, by all that it says of itself, and nothing by chance.


class Owner(NamedTuple):
    """The player of a list, and by what; without a player, why there is none."""

    player: str | None
    reason: str


def owner_of(hints: Iterable[Hint], players: Sequence[str]) -> Owner:
    """The only player whom the hints name.

    Words may stand in any order, and some may be missing or more. A hint that fits
    several players says nothing; two hints that name two players leave it open.
    """
    named: dict[str, list[str]] = {}
    for hint in hints:
        player = _named(hint.text, players)
        if player is not None:
            named.setdefault(player, []).append(hint.by)
    if len(named) == 1:
        [(player, reasons)] = named.items()
        return Owner(player, f"by {_joined(reasons)}")
    if not named:
        return Owner(None, "nothing in it names a registered player")
    said = (f"{quote(name)} by {_joined(by)}" for name, by in named.items())
    return Owner(None, f"it may be of {', or '.join(said)}")


def _joined(reasons: Iterable[str]) -> str:
    """`the file name and the sender`."""
    return " and ".join(dict.fromkeys(reasons))


def _named(text: str, players: Sequence[str]) -> str | None:
    key = normalise(text)
    if not key:
        return None
    exact = [name for name in players if normalise(name) == key]
    near = exact or [name for name in players if agrees(text, name)]
    return near[0] if len(near) == 1 else None


# Places of lists in the folder of lists, so that running twice changes nothing.

UNKNOWN = "unknown"
"""The folder of lists that belong to nobody, and the end of their names."""


class PlacedList(NamedTuple):
    """The file of a list in the folder of lists, and what is done to it."""

    file: str
    done: str
    is_another: bool


class Placing:
    """Chooses files for lists; `writes` and `removed` are what has to be done.

    A list that somebody else wrote, or changed since it was collected, is never
    replaced.
    """

    def __init__(self, folder: Path, old: Ledger) -> None:
        self.folder = folder
        self.old = old
        self.lists = dict(old.lists)
        self.writes: dict[str, bytes] = {}
        self.removed: list[str] = []
        self.taken: set[str] = set()

    def place(
        self, piece: Piece, player: str | None, suffix: str, data: bytes
    ) -> PlacedList:
        """The file of a list; the second one of a player lies in a folder `2`."""
        for number, path in enumerate(_paths(piece, player, suffix)):
            done = None if path in self.taken else self._done(path, piece, data)
            if done is None:
                continue
            self.taken.add(path)
            if done != "kept as you have changed it":
                self.writes[path] = data
                kept = LedgerEntry(
                    piece.place, player, hash_of(piece.data), hash_of(data)
                )
                self.lists[path] = kept
            return PlacedList(path, done, player is not None and number > 0)
        raise AssertionError("there is always another folder")

    def _done(self, path: str, piece: Piece, data: bytes) -> str | None:
        """What happens to a file; None if it is not to be touched."""
        now, kept = self._now(path), self.old.lists.get(path)
        if now is None:
            return "new"
        if now == data:
            return "unchanged"
        if kept is not None and kept.written == hash_of(now):
            return "replaces an earlier list"
        if kept is not None and kept.arrived == hash_of(piece.data):
            return "kept as you have changed it"
        return None

    def _now(self, path: str) -> bytes | None:
        file = self.folder / path
        return file.read_bytes() if file.is_file() else None

    def remove_stale(self, places: Collection[str], players: Collection[str]) -> None:
        """Take away lists that were collected and are not what arrived any more.

        That is what came from the same place and is another list now, and an earlier
        list of a player of whom a list arrived.
        """
        for path, kept in self.old.lists.items():
            now = self._now(path)
            if now is None and path not in self.taken:
                del self.lists[path]
            elif path not in self.taken and now is not None:
                is_meant = kept.place in places or kept.player in players
                if is_meant and hash_of(now) == kept.written:
                    self.removed.append(path)
                    del self.lists[path]


def _paths(piece: Piece, player: str | None, suffix: str) -> Iterator[str]:
    if player is not None:
        home, stem = PurePath(), file_stem(player)
    else:
        # By its own name it might be the list of a player after all.
        home, stem = (
            PurePath(UNKNOWN),
            f"{file_stem(PurePath(piece.name).stem)}_{UNKNOWN}",
        )
    for number in count(1):
        folder = home if number == 1 else home / str(number)
        yield (folder / f"{stem}{suffix}").as_posix()


# A folder of mails and files, turned into a folder of lists: what to write where.

MAX_ORIGINAL = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Arrival:
    """A list that arrived, its owner, and its file in the folder of lists, if any.

    `done` says what becomes of it. One that `is_wrong` needs the organiser.
    """

    piece: Piece
    owner: Owner
    file: str | None
    done: str
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class CollectedLists:
    """What a run does: files to write and to remove in the folder of lists."""

    arrivals: tuple[Arrival, ...]
    writes: dict[str, bytes]
    removed: tuple[str, ...]
    ledger: Ledger


def originals(inbox: Path) -> Iterator[tuple[str, Path]]:
    """Every file of a folder, or the one file, with its path in there; sorted.

    What systems leave behind is left out.
    """
    if inbox.is_file():
        yield inbox.name, inbox
        return
    for folder, folders, names in os.walk(inbox):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name).relative_to(inbox).as_posix()
            if not is_litter(path):
                yield path, Path(folder, name)


def collect(
    inbox: Path, file: EventFile, database: CardDatabase, lists: Path, old: Ledger
) -> CollectedLists:
    """Decide what becomes of everything that arrived; nothing is written here.

    `database` has the cards of the event's format, `lists` is its folder of lists,
    `old` says what was collected before. The same folder gives the same lists.
    """
    placing = Placing(lists, old)
    pieces = [piece for one in _wholes(inbox) for piece in unpacked(one, Budget())]
    owners = [owner_of((*_stated(p), *p.hints), file.players) for p in pieces]
    seen: dict[tuple[str, bytes], str] = {}
    arrivals = [
        _arrival(piece, owner, database, placing, seen)
        for piece, owner in zip(pieces, owners, strict=True)
    ]
    players = {owner.player for owner in owners if owner.player is not None}
    placing.remove_stale({piece.place for piece in pieces}, players)
    return CollectedLists(
        tuple(arrivals), placing.writes, tuple(placing.removed), Ledger(placing.lists)
    )


def _wholes(inbox: Path) -> Iterator[Piece]:
    """The files of a folder, as they are."""
    for path, file in originals(inbox):
        hints = [Hint("the file name", PurePath(path).stem)]
        folder = PurePath(path).parent.name
        if folder:
            hints.append(Hint("the folder", folder))
        place, name = shown_path(file), PurePath(path).name
        fault, data = None, b""
        if file.is_symlink():
            fault = "it is a link to another file"
        else:
            data = _read(file)
        if len(data) > MAX_ORIGINAL:
            fault, data = f"it is larger than {MAX_ORIGINAL // 2**20} MiB", b""
        yield Piece(place, name, data, tuple(hints), fault=fault)


def _read(file: Path) -> bytes:
    try:
        with open_file(file) as stream:
            return stream.read(MAX_ORIGINAL + 1)
    except OSError as error:
        raise unusable("read", shown_path(file), error) from None


def _stated(piece: Piece) -> Iterator[Hint]:
    """Whose a list says that it is."""
    if piece.fault is None:
        for raw in parse_decks(decode_deck(piece.data, piece.name)):
            for header in raw.headers.get("player", ()):
                yield Hint("its line `Player`", header.value)


def _arrival(
    piece: Piece,
    owner: Owner,
    database: CardDatabase,
    placing: Placing,
    seen: dict[tuple[str, bytes], str],
) -> Arrival:
    """Choose what becomes of a piece; `seen` has the lists of players so far."""
    if piece.fault is not None and not piece.data:
        return Arrival(piece, owner, None, f"not taken: {piece.fault}", is_wrong=True)
    suffix, data, remark = PurePath(piece.name).suffix, piece.data, ""
    if piece.fault is None:
        suffix, data, remark = _as_text(piece, database)
    player = owner.player
    if player is not None:
        before = seen.setdefault((player, data), piece.place)
        if before != piece.place:
            done = f"the same list again as {quote(before)}"
            return Arrival(piece, owner, None, done)
    placed = placing.place(piece, player, suffix, data)
    piece = piece.noting(remark) if remark else piece
    is_wrong = player is None or placed.is_another or piece.fault is not None
    done = (
        f"{placed.done}, another list of this player"
        if placed.is_another
        else placed.done
    )
    done = f"{done}: {piece.fault}" if piece.fault is not None else done
    return Arrival(piece, owner, placed.file, done, is_wrong)


def _as_text(piece: Piece, database: CardDatabase) -> tuple[str, bytes, str]:
    """Suffix and bytes of the list to write, and what was done to make it.

    Tables, documents and codes without any error become text; all else stays.
    """
    suffix = PurePath(piece.name).suffix
    source = decode_deck(piece.data, piece.name)
    if source.finding is not None:
        return suffix, piece.data, ""
    way = guess_way(source)
    if way == "text":
        return ".deck", source.text.encode("utf-8"), ""
    converter = Converter(own=database)
    try:
        sheets, _, findings = converter.sheets(converter.read(source, way))
        if is_broken(findings):
            return suffix, piece.data, ""
        text = write_decks("text", sheets, database).text
    except UsageError:
        # What cannot be written as text is judged as it is.
        return suffix, piece.data, ""
    return ".deck", text.encode("utf-8"), f"written as text, from {way}"
