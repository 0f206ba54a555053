"""A folder of arrivals turned into a folder of lists."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
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
from deckcheck.events.event import Event, EventFile, ListFile, file_stem, names_whole
from deckcheck.events.seals import differences, read_decks
from deckcheck.events.unpacking import (
    ADDRESS,
    Budget,
    Hint,
    Piece,
    is_litter,
    path_hints,
    unpacked,
)
from deckcheck.files import is_whole, open_file, signed
from deckcheck.findings import Severity, UsageError
from deckcheck.markup import document_head, json_text
from deckcheck.messages import plural, printable, quote

# The record of collected lists: where each came from, as it was written.

LEDGER = "collected.json"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A list that was collected: from where, whose, hashes of piece and list, when."""

    place: str
    player: str | None
    arrived: str
    written: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All lists that were collected, by the path of each in the folder of lists."""

    lists: dict[str, LedgerEntry] = field(default_factory=dict)

    def as_json(self, event: str) -> str:
        """The file of it."""
        lists = {path: asdict(kept) for path, kept in sorted(self.lists.items())}
        content = {**document_head(), "event": event, "collected": lists}
        return json_text(signed(content))


def hash_of(data: bytes) -> str:
    """The SHA-256 of a piece or a list."""
    return sha256(data).hexdigest()


def read_ledger(folder: Path, event: str) -> Ledger:
    """Read the ledger of a folder of originals, empty where there is none yet.

    Raises UsageError for a file of its name that is something else, has changed since
    it was written, or is of another event.
    """
    file = folder / LEDGER
    if not os.path.lexists(file):
        return Ledger()
    shown, reason = shown_path(file), ""
    try:
        data = Source.open(file, shown, read_json).document.data
        match data:
            case {"schema_version": 1, "event": other} if other != event:
                reason = f": it is of the event {quote(str(other))}"
            case {"schema_version": 1, "collected": dict(lists)} if is_whole(data):
                entries = lists.items()
                return Ledger({path: LedgerEntry(**kept) for path, kept in entries})
    except (SourceError, TypeError) as error:
        reason = f": {error}"
    help = "Move the file away: the next run takes what lies in the folder for yours"
    raise UsageError(f"{quote(shown)} does not say what was collected{reason}", help)


# The deadline, by the time that a mail or the row of a form says.


def lateness(time: datetime | None, file: EventFile) -> str | None:
    """`it arrived on ..., after the deadline`; None for a list in time.

    A time without a zone is one of the zone of the deadline.
    """
    moment = file.moment
    if time is None or moment is None:
        return None
    time = time if time.tzinfo is not None else time.replace(tzinfo=moment.tzinfo)
    if time <= moment:
        return None
    shown = time.astimezone(moment.tzinfo)
    return f"it arrived on {shown:%Y-%m-%d at %H:%M}, after the deadline"


def late_entries(event: Event) -> Iterator[tuple[ListFile, str]]:
    """The lists of an event that arrived late and are as they were collected."""
    lists = read_ledger(event.originals, event.file.name).lists
    for file in event.files:
        kept = lists.get(file.name)
        if kept is None or kept.time is None or kept.written != file.sha256:
            continue
        late = lateness(datetime.fromisoformat(kept.time), event.file)
        if late is not None:
            yield file, late


# Whose a list is, by all that it says of itself, and nothing by chance.


class Owner(NamedTuple):
    """The player of a list, and by what; without a player, why there is none."""

    player: str | None
    reason: str


def owner_of(hints: Collection[Hint], event: EventFile) -> Owner:
    """The only player whom the hints name, by the whole name, an id or an address.

    Two hints that name two players leave it open, and so does a mail that is not from
    the address of the player, where the event file has one.
    """
    named: dict[str, list[str]] = {}
    for hint in hints:
        player = _named(hint, event)
        if player is not None:
            named.setdefault(player, []).append(hint.by)
    if not named:
        return Owner(None, "nothing in it names a registered player")
    if len(named) > 1:
        said = (f"{quote(name)} by {_joined(by)}" for name, by in named.items())
        return Owner(None, f"it may be of {', or '.join(said)}")
    [(player, reasons)] = named.items()
    addresses = {hint.text.casefold() for hint in hints if hint.by == ADDRESS}
    registered = {event.keys[normalise(name)]: a for name, a in event.addresses.items()}
    own = registered.get(player, "").casefold()
    if own and addresses and own not in addresses:
        return Owner(None, f"it names {quote(player)}, and is not from their address")
    return Owner(player, f"by {_joined(reasons)}")


def _joined(reasons: Iterable[str]) -> str:
    """`the file name and the sender`."""
    return " and ".join(dict.fromkeys(reasons))


def _named(hint: Hint, event: EventFile) -> str | None:
    """The player whom a hint names; None where it may name several."""
    keys = event.keys
    if hint.by == ADDRESS:
        said, stated = hint.text.casefold(), event.addresses.items()
        names = [keys[normalise(n)] for n, own in stated if own.casefold() == said]
    elif normalise(hint.text) in keys:
        return keys[normalise(hint.text)]
    else:
        everybody = dict.fromkeys(keys.values())
        names = [n for n in everybody if names_whole(hint.text, n, [event.name])]
    return names[0] if len(names) == 1 else None


# Places of lists in the folder of lists, so that running twice changes nothing.

UNKNOWN = "unknown"
"""The folder of lists that belong to nobody, and the end of their names."""


KEPT = "kept as you have changed it"


class PlacedList(NamedTuple):
    """The file of a list in the folder of lists, and what is done to it."""

    file: str
    done: str
    is_another: bool


class Placing:
    """Chooses files for lists; `writes` and `removed` are what has to be done.

    A list that somebody else wrote, or changed since it was collected, is never
    replaced, and neither is one of those that are `sealed`.
    """

    def __init__(self, folder: Path, old: Ledger, sealed: Collection[bytes]) -> None:
        self.folder = folder
        self.old = old
        self.sealed = sealed
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
            if done != KEPT:
                self.writes[path] = data
                self.lists[path] = LedgerEntry(
                    piece.place,
                    player,
                    hash_of(piece.data),
                    hash_of(data),
                    None if piece.time is None else piece.time.isoformat(),
                )
            return PlacedList(path, done, player is not None and number > 0)
        raise AssertionError("there is always another folder")

    def _done(self, path: str, piece: Piece, data: bytes) -> str | None:
        """What happens to a file; None if it is not to be touched."""
        now, kept = self.now(path), self.old.lists.get(path)
        if now is None:
            return "new"
        if now == data:
            return "unchanged"
        if now in self.sealed:
            return None
        if kept is not None and kept.written == hash_of(now):
            return "replaces an earlier list"
        if kept is not None and kept.arrived == hash_of(piece.data):
            return KEPT
        return None

    def now(self, path: str) -> bytes | None:
        """What a file of the folder of lists holds."""
        file = self.folder / path
        return file.read_bytes() if file.is_file() else None

    def remove_stale(self, places: Collection[str], players: Collection[str]) -> None:
        """Take away lists that were collected and are not what arrived any more.

        That is what came from the same place and is another list now, and an earlier
        list of a player who sent a new one.
        """
        for path, kept in self.old.lists.items():
            now = self.now(path)
            if path in self.taken or now in self.sealed:
                continue
            is_meant = kept.place in places or kept.player in players
            if now is None:
                del self.lists[path]
            elif is_meant and hash_of(now) == kept.written:
                self.removed.append(path)
                del self.lists[path]


def _paths(piece: Piece, player: str | None, suffix: str) -> Iterator[str]:
    home, stem = PurePath(), file_stem(player or PurePath(piece.name).stem)
    if player is None:
        # By its own name it might be the list of a player after all.
        home, stem = PurePath(UNKNOWN), f"{stem}_{UNKNOWN}"
    for number in count(1):
        folder = home if number == 1 else home / str(number)
        yield (folder / f"{stem}{suffix}").as_posix()


# A folder of emails and files, turned into a folder of lists: what to write where.

MAX_ORIGINAL = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Arrival:
    """A list that arrived, its owner, and its file in the folder of lists, if any.

    `done` says what is done with it. One that `is_wrong` needs the organiser.
    """

    piece: Piece
    owner: Owner
    file: str | None
    done: str
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class CollectedLists:
    """The changes of a run: files to write and to remove in the folder of lists."""

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
        links = [name for name in folders if os.path.islink(Path(folder, name))]
        for name in sorted([*names, *links]):
            path = Path(folder, name).relative_to(inbox).as_posix()
            if not is_litter(path):
                yield path, Path(folder, name)


class Inbox(NamedTuple):
    """An event that collects lists: what its file says, its cards, its folders.

    A list has `decks` decks. `old` says what was collected before, `sealed` are the
    lists that were sealed.
    """

    file: EventFile
    database: CardDatabase
    lists: Path
    decks: int
    old: Ledger
    sealed: Collection[bytes]


def collect(inbox: Path, event: Inbox) -> CollectedLists:
    """Decide what to do with everything that arrived; nothing is written here.

    The same folder gives the same lists.
    """
    placing = Placing(event.lists, event.old, event.sealed)
    pieces = [piece for one in _wholes(inbox) for piece in unpacked(one, Budget())]
    owned = []
    for whole in pieces:
        piece, stated = _stated(whole)
        owned.append((piece, owner_of((*stated, *piece.hints), event.file)))
    if event.decks > 1:
        owned = _lineups(owned, event)
    seen: dict[tuple[str, bytes], str] = {}
    arrivals = [_arrival(piece, owner, event, placing, seen) for piece, owner in owned]
    players = {a.owner.player for a in arrivals if a.file and a.owner.player}
    placing.remove_stale({piece.place for piece in pieces}, players)
    return CollectedLists(
        tuple(arrivals), placing.writes, tuple(placing.removed), Ledger(placing.lists)
    )


def _lineups(
    owned: Sequence[tuple[Piece, Owner]], event: Inbox
) -> list[tuple[Piece, Owner]]:
    """What arrived, with the decks of a lineup that came one by one as one list.

    If anything else arrived from the player, or more decks than a lineup has, all stay
    as they are: nobody knows which are meant.
    """
    parts: dict[str, dict[bytes, Piece | None]] = {}
    for piece, owner in owned:
        if owner.player is not None and _is_readable(piece, event):
            own = parts.setdefault(owner.player, {})
            own.setdefault(piece.data, _part(piece, event.database))
    joined = {}
    for player, own in parts.items():
        decks = [deck for deck in own.values() if deck is not None]
        if len(decks) == len(own) <= event.decks:
            joined[player] = _joined_parts(decks, event.decks)
    result, done = [], set()
    for piece, owner in owned:
        whole = joined.get(owner.player or "")
        if whole is None or not _is_readable(piece, event):
            result.append((piece, owner))
        elif owner.player not in done:
            done.add(owner.player)
            result.append((whole, owner))
    return result


def _is_readable(piece: Piece, event: Inbox) -> bool:
    return piece.fault is None and not _is_refused(piece, event)


def _part(piece: Piece, database: CardDatabase) -> Piece | None:
    """A piece as the text of one deck; None where it is anything else."""
    suffix, data, remark = _as_text(piece, database)
    if suffix != ".deck" or len(read_decks(data, piece.name, database)) != 1:
        return None
    part = replace(piece, name=f"{PurePath(piece.name).stem}.deck", data=data)
    return part.noting(remark) if remark else part


def _joined_parts(parts: list[Piece], decks: int) -> Piece:
    texts = [part.data.rstrip(b"\n") + b"\n" for part in parts]
    places = [part.place for part in parts]
    times = [part.time for part in parts if part.time is not None]
    remarks = dict.fromkeys(remark for part in parts for remark in part.remarks)
    if len(parts) < decks:
        number = f"{len(parts)} of {decks} decks"
        remarks[f"{number} of the lineup, {decks - len(parts)} missing"] = None
    return replace(
        parts[0],
        place=" + ".join(places),
        data=b"---\n".join(texts),
        remarks=tuple(remarks),
        time=times[-1] if times else None,
    )


def _wholes(inbox: Path) -> Iterator[Piece]:
    """The files of a folder, as they are."""
    for path, file in originals(inbox):
        place, name = shown_path(file), PurePath(path).name
        fault, data = None, b""
        if file.is_symlink():
            fault = "it is a link to another file"
        else:
            try:
                with open_file(file) as stream:
                    data = stream.read(MAX_ORIGINAL + 1)
            except OSError as error:
                fault = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        if len(data) > MAX_ORIGINAL:
            fault, data = f"it is larger than {MAX_ORIGINAL // 2**20} MiB", b""
        yield Piece(place, name, data, path_hints(PurePath(path)), fault=fault)


def _stated(piece: Piece) -> tuple[Piece, list[Hint]]:
    """Whose a list says that it is; with a fault where it cannot be read at all."""
    if piece.fault is not None:
        return piece, []
    try:
        return piece, [
            Hint("its line `Player`", header.value)
            for raw in parse_decks(decode_deck(piece.data, piece.name))
            for header in raw.headers.get("player", ())
        ]
    except Exception as error:
        # A list that no reader was made for must not keep others from arriving.
        return replace(piece, fault=f"it cannot be read: {printable(str(error))}"), []


def _is_refused(piece: Piece, event: Inbox) -> bool:
    return event.file.late == "refuse" and lateness(piece.time, event.file) is not None


def _arrival(
    piece: Piece,
    owner: Owner,
    event: Inbox,
    placing: Placing,
    seen: dict[tuple[str, bytes], str],
) -> Arrival:
    """Choose what to do with a piece; `seen` has the lists of players so far."""
    if piece.fault is not None and not piece.data:
        return Arrival(piece, owner, None, f"not taken: {piece.fault}", is_wrong=True)
    late = lateness(piece.time, event.file)
    if _is_refused(piece, event):
        return Arrival(piece, owner, None, f"refused: {late}", is_wrong=True)
    piece = piece.noting(f"late: {late}") if late else piece
    suffix, data, remark = safe_suffix(piece.name), piece.data, ""
    if piece.fault is None:
        suffix, data, remark = _as_text(piece, event.database)
    player = owner.player
    if player is not None:
        before = seen.setdefault((player, data), piece.place)
        if before != piece.place:
            done = f"the same list again as {quote(before)}"
            return Arrival(piece, owner, None, done)
    home = None if player is None else placing.now(f"{file_stem(player)}{suffix}")
    placed = placing.place(piece, player, suffix, data)
    piece = piece.noting(remark) if remark else piece
    if home is not None and home != data and placed.done != KEPT:
        for change in _changes(home, data, event.database):
            piece = piece.noting(change)
    if home in event.sealed and placed.is_another:
        piece = piece.noting("the list that was sealed stays as it is")
    is_wrong = player is None or placed.is_another or piece.fault is not None
    done = placed.done
    done += ", another list of this player" if placed.is_another else ""
    done += f": {piece.fault}" if piece.fault is not None else ""
    return Arrival(piece, owner, placed.file, done, is_wrong)


def _changes(before: bytes, after: bytes, database: CardDatabase) -> list[str]:
    """What has changed from one version of a player's list to the next."""
    old, new = (read_decks(data, "list.deck", database) for data in (before, after))
    return differences(old, new, database) or ["read as the same deck as before"]


def safe_suffix(name: str) -> str:
    """The suffix of a file, unless no file of ours can have it."""
    suffix = PurePath(name).suffix
    return suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", suffix) else ""


def _as_text(piece: Piece, database: CardDatabase) -> tuple[str, bytes, str]:
    """Suffix and bytes of the list to write, and what was done to make it.

    Tables, documents and codes without any error become text; all else stays.
    """
    suffix = safe_suffix(piece.name)
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
    except Exception:
        # What cannot be read, or be written as text, is judged as it is.
        return suffix, piece.data, ""
    return ".deck", text.encode("utf-8"), f"written as text, from {way}"


# What is said of a collection: a line for each list


def report_lines(collection: CollectedLists, event: Event) -> Iterator[str]:
    """Return a line for each list that arrived: what was done to it, its verdict."""
    verdicts = _verdicts(event)
    for arrival in collection.arrivals:
        yield _line(arrival, event, verdicts)
        for remark in arrival.piece.remarks:
            yield f"  {printable(remark)}"
    for path in collection.removed:
        yield f"removed {quote(f'{event.file.lists}/{path}')}: another list arrived"
    yield ""
    missing = [p.title for p in event.players if not p.lists and p.gone is None]
    unplaced = sum(a.owner.player is None for a in collection.arrivals)
    counts = [plural(len(collection.arrivals), "list") + " arrived"]
    counts += [f"{unplaced} of no player"] if unplaced else []
    counts += [f"{len(missing)} missing"] if missing else []
    taken = [a.piece for a in collection.arrivals if a.file is not None]
    untimed = sum(piece.time is None for piece in taken)
    if untimed and event.file.moment is not None:
        counts.append(f"{untimed} of unknown time, not compared with the deadline")
    yield ", ".join(counts)
    for name in missing:
        yield f"  no list of {quote(name)}"


def _line(arrival: Arrival, event: Event, verdicts: Mapping[str, int]) -> str:
    """`mail.eml: list.txt -> lists/ben_ito.deck, new, Ben Ito by the sender: legal`."""
    player, reason = arrival.owner
    whose = f"{player} {reason}" if player else f"of no player, {reason}"
    place = printable(arrival.piece.place)
    if arrival.file is None:
        return printable(f"{place}: {whose}: {arrival.done}")
    file = f"{event.file.lists}/{arrival.file}"
    verdict = "no list that can be read"
    if file in verdicts:
        verdict = plural(verdicts[file], "error") if verdicts[file] else "legal"
    return printable(f"{place} -> {file}, {arrival.done}, {whose}: {verdict}")


def _verdicts(event: Event) -> dict[str, int]:
    """The number of errors of each list, by its path below the folder of the event.

    A file that was not judged, such as a picture of no player, has none.
    """
    names = {file.path: f"{event.file.lists}/{file.name}" for file in event.files}
    counts = dict.fromkeys(names.values(), 0)
    for finding in event.run.findings:
        if finding.severity is Severity.ERROR and finding.path in names:
            counts[names[finding.path]] += 1
    return counts
