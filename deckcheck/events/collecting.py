"""A folder of arrivals turned into a folder of lists."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise
from deckcheck.decks import Deck, decode_deck, shown_path
from deckcheck.decks.differences import describe_differences
from deckcheck.decks.reader import guess_notation, parse_decks
from deckcheck.decks.rewriting import Converter, is_broken, write_decks
from deckcheck.events.event import (
    Event,
    EventFile,
    count_words,
    file_stem,
    names_whole,
)
from deckcheck.events.forms import drop_zone, form_pieces, read_form
from deckcheck.events.pieces import (
    BY_ADDRESS,
    BY_FILE,
    Budget,
    Hint,
    Piece,
    is_litter,
    list_path_hints,
)
from deckcheck.events.recognising import ListRecogniser
from deckcheck.events.records import (
    DONE_EDITED,
    DONE_MOVED,
    DONE_REMOVED,
    PlacedList,
    Placing,
    Record,
    describe_lateness,
)
from deckcheck.events.seals import read_decks
from deckcheck.events.unpacking import unpack
from deckcheck.files import open_file
from deckcheck.findings import Severity
from deckcheck.messages import plural, printable, quote

# The owner of a list, by all hints in it and around it, without a guess


class Owner(NamedTuple):
    """The player of a list or None, and the reason."""

    player: str | None
    reason: str


def find_owner(hints: Collection[Hint], event: EventFile) -> Owner:
    """Find the only player whom the hints name, by the whole name, an id or an address.

    The owner stays open if hints name different players, and if the address of the mail
    is not the player's in the event file.
    """
    named: dict[str, list[str]] = {}
    for hint in hints:
        player = _find_named_player(hint, event)
        if player is not None:
            named.setdefault(player, []).append(hint.by)
    if not named:
        return Owner(None, "nothing in it names a registered player")
    if len(named) > 1:
        reasons_given = []
        for name, by in named.items():
            reasons_given.append(f"{quote(name)} by {_join_reasons(by)}")
        return Owner(None, f"it could belong to {', or '.join(reasons_given)}")
    [(player, reasons)] = named.items()
    addresses = {hint.text.casefold() for hint in hints if hint.by == BY_ADDRESS}
    expected = ""
    for name, address in event.addresses.items():
        if event.keys[normalise(name)] == player:
            expected = address.casefold()
    if expected and addresses and expected not in addresses:
        reason = "but was not sent from their registered address"
        return Owner(None, f"it names {quote(player)}, {reason}")
    return Owner(player, f"by {_join_reasons(reasons)}")


def _join_reasons(reasons: Iterable[str]) -> str:
    """Join reasons: `the file name and the sender`."""
    return " and ".join(dict.fromkeys(reasons))


def _find_named_player(hint: Hint, event: EventFile) -> str | None:
    """Find the player whom a hint names, None where several fit."""
    keys = event.keys
    if hint.by == BY_ADDRESS:
        sender_address = hint.text.casefold()
        names = []
        for name, address in event.addresses.items():
            if address.casefold() == sender_address:
                names.append(keys[normalise(name)])
    elif normalise(hint.text) in keys:
        return keys[normalise(hint.text)]
    else:
        everybody = dict.fromkeys(keys.values())
        names = [n for n in everybody if names_whole(hint.text, n, [event.name])]
    return names[0] if len(names) == 1 else None


# A folder of emails and files, turned into a folder of lists

MAX_FILE_BYTES = 64 * 2**20
"""Most bytes of a file of the inbox that is read."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A list from the inbox."""

    piece: Piece
    owner: Owner
    file: str | None
    """The file in the folder of lists."""
    action: str
    """The action in words."""
    is_wrong: bool = False
    """It needs the organiser."""


@dataclass(frozen=True, slots=True)
class CollectedLists:
    """The changes of a run: files to write and to remove in the folder of lists."""

    arrivals: tuple[Arrival, ...]
    writes: dict[str, bytes]
    removed: tuple[str, ...]
    records: tuple[Record, ...]


def list_originals(inbox: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file of a folder in order, with its path there, or the file itself.

    Hidden files of operating systems are left out.
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


class CollectingEvent(NamedTuple):
    """An event that collects lists."""

    file: EventFile
    """The content of its file."""
    database: CardDatabase
    """Its cards."""
    lists: Path
    """The folder of its lists."""
    decks_per_list: int
    """How many decks a list has: more than 1 where players bring lineups."""
    records: Sequence[Record]
    """The lists collected before."""
    sealed: Collection[bytes]
    """The sealed lists."""

    @property
    def is_strict(self) -> bool:
        """Whether the time of a list decides what happens to it."""
        return self.file.moment is not None and self.file.late is not None


def collect(inbox: Path, event: CollectingEvent) -> CollectedLists:
    """Choose an action for each list of the inbox, without writing anything.

    The same folder gives the same lists.
    """
    chooser = _Chooser(event)
    owned = []
    for file in _read_files(inbox):
        for chosen in chooser.choose_lists(list(unpack(file, Budget()))):
            piece, stated = _find_stated_players(chosen)
            owned.append((piece, find_owner((*stated, *piece.hints), event.file)))
    if event.decks_per_list > 1:
        owned = _join_lineups(owned, event)
    owned = _set_spare_files_aside(owned)
    pieces = [piece for piece, _ in owned]
    placing = Placing(event.lists, event.records, event.sealed, pieces)
    placer = _Placer(event, placing)
    arrivals = [placer.place(piece, owner) for piece, owner in owned]
    players = {arrival.owner.player for arrival in arrivals if arrival.file}
    placing.remove_stale({player for player in players if player})
    records = tuple(placing.sorted_records())
    return CollectedLists(
        tuple(arrivals), placing.writes, tuple(placing.removed), records
    )


# Lists among other texts: emails, other files, rows of forms

NO_LIST = "it contains no list"
TEXT_LEFT_OUT = "ignored the text of the mail, because a file is attached"


class _Chooser:
    """Chooses the lists among everything that a file held."""

    def __init__(self, event: CollectingEvent) -> None:
        self.event = event
        self.recogniser = ListRecogniser(event.database)
        self.keys = event.file.keys
        self.words = {word for name in self.keys.values() for word in count_words(name)}

    def choose_lists(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """Yield the lists of a file of the inbox, mail by mail or all together."""
        for mail, group in groupby(pieces, key=lambda piece: piece.mail):
            parts: list[Piece] = []
            for piece in group:
                parts += self._read_form(piece) or [piece]
            if mail:
                yield from self._choose_in_mail(parts)
            else:
                yield from map(self._read_letter, parts)

    def _read_form(self, piece: Piece) -> list[Piece]:
        """Return the list in each row of a form. Other files have none."""
        if not piece.rows:
            return []
        form = read_form(piece.rows, self.recogniser, self._names_player)
        if form is None:
            return []
        file = self.event.file
        return list(form_pieces(form, piece, file.moment, self.event.is_strict))

    def _names_player(self, text: str) -> bool:
        """Report whether a cell names a registered player."""
        # Most cells have no word of any name, and are not compared with all names.
        if normalise(text) in self.keys:
            return True
        is_near = not self.words.isdisjoint(count_words(text))
        hint = Hint("the row", text)
        return is_near and _find_named_player(hint, self.event.file) is not None

    def _read_letter(self, piece: Piece) -> Piece:
        """Return the piece with the list of a letter alone, or with a fault."""
        if not piece.is_letter or piece.fault is not None:
            return piece
        names = " ".join(hint.text for hint in piece.hints)
        found = self.recogniser.find_list(piece.data.decode("utf-8"), names)
        if found is None:
            return replace(piece, data=b"", fault=NO_LIST)
        if not found.left_out:
            return piece
        lines = plural(len(found.left_out), "line")
        first = quote(found.left_out[0], 40)
        remark = f"ignored {lines} around the list, beginning with {first}"
        return replace(piece.with_remark(remark), data=found.text.encode("utf-8"))

    def _choose_in_mail(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """Yield the lists of a mail: its files, or else its text.

        A text whose list differs from the files is a second list. If the mail has no
        list at all, its first file counts as a list that cannot be read, unless its
        player has sent another list.
        """
        rows: list[Piece] = []
        texts: list[Piece] = []
        files: list[Piece] = []
        other_files: list[Piece] = []
        for piece in map(self._read_letter, pieces):
            if piece.is_letter and piece.is_form_row:
                rows.append(piece)
            elif piece.is_letter:
                texts.append(piece)
            elif self._holds_list(piece):
                files.append(piece)
            else:
                other_files.append(piece)
        lists = [*rows, *files]
        found = [text for text in texts if text.fault is None]
        if lists:
            second = [text for text in found if not self._is_among(text, lists)]
            has_text = any(piece.is_letter and piece.data.strip() for piece in pieces)
            if has_text and not second:
                lists[0] = lists[0].with_remark(TEXT_LEFT_OUT)
            found = [*lists, *second]
        if found:
            yield _note_files(found[0], other_files)
            yield from found[1:]
        elif other_files:
            spare = replace(other_files[0], is_spare=True)
            yield _note_files(spare, other_files[1:])
        else:
            yield from texts[:1]

    def _holds_list(self, piece: Piece) -> bool:
        """Report whether a file can be read and has cards of the game in it."""
        source = decode_deck(piece.data, piece.name)
        if piece.fault is not None or source.finding is not None:
            return False
        if self.recogniser.holds_list(source.text):
            return True
        return any(deck.entries for deck in self._read_piece(piece))

    def _is_among(self, text: Piece, lists: Iterable[Piece]) -> bool:
        """Report whether a list has the same cards as a text."""
        decks = self._read_piece(text)
        database = self.event.database
        for piece in lists:
            others = self._read_piece(piece)
            if len(others) == len(decks) and not describe_differences(
                others, decks, database
            ):
                return True
        return False

    def _read_piece(self, piece: Piece) -> list[Deck]:
        try:
            return read_decks(piece.data, piece.name, self.event.database)
        except Exception:
            # A reader failed, which is a finding of the file itself later.
            return []


def _note_files(piece: Piece, files: Sequence[Piece]) -> Piece:
    """Return a list with the remark that files of its mail are left out."""
    for file in files:
        fault = file.fault or NO_LIST
        piece = piece.with_remark(f"ignored {quote(file.name)}: {fault}")
    return piece


def _set_spare_files_aside(
    owned: Sequence[tuple[Piece, Owner]],
) -> list[tuple[Piece, Owner]]:
    """Replace each file of a mail without a list by a fault.

    The file stays only if its player has sent no list at all.
    """
    players = set()
    for piece, owner in owned:
        if not piece.is_spare and piece.data:
            players.add(owner.player)
    result = []
    for piece, owner in owned:
        has_other = owner.player is None or owner.player in players
        if piece.is_spare and has_other:
            fault = piece.fault or NO_LIST
            result.append((replace(piece, data=b"", fault=fault), owner))
        else:
            result.append((piece, owner))
    return result


# Lineups, which may come deck by deck


def _join_lineups(
    owned: Sequence[tuple[Piece, Owner]], event: CollectingEvent
) -> list[tuple[Piece, Owner]]:
    """Join the decks of a lineup that arrived separately to a list.

    With anything else from the player, or more decks than a lineup has, all stay as
    they are: nobody knows which decks the player means.
    """
    parts: dict[str, dict[bytes, Piece | None]] = {}
    for piece, owner in owned:
        if owner.player is not None and _is_readable(piece, event):
            pieces_of_player = parts.setdefault(owner.player, {})
            pieces_of_player.setdefault(piece.data, _read_part(piece, event.database))
    joined = {}
    for player, pieces_of_player in parts.items():
        decks = [deck for deck in pieces_of_player.values() if deck is not None]
        if len(decks) == len(pieces_of_player) <= event.decks_per_list:
            joined[player] = _join_parts(decks, event.decks_per_list)
    result = []
    joined_players = set()
    for piece, owner in owned:
        lineup = joined.get(owner.player or "")
        if lineup is None or not _is_readable(piece, event):
            result.append((piece, owner))
        elif owner.player not in joined_players:
            joined_players.add(owner.player)
            result.append((lineup, owner))
    return result


def _is_readable(piece: Piece, event: CollectingEvent) -> bool:
    """Report whether a piece has neither a fault nor a refused time."""
    return piece.fault is None and not _is_refused(piece, event)


def _read_part(piece: Piece, database: CardDatabase) -> Piece | None:
    """Return a piece as the text of a single deck, None for anything else."""
    suffix, data, remark = _convert_to_text(piece, database)
    if suffix != ".deck" or len(read_decks(data, piece.name, database)) != 1:
        return None
    part = replace(piece, name=f"{PurePath(piece.name).stem}.deck", data=data)
    return part.with_remark(remark) if remark else part


def _join_parts(parts: list[Piece], decks_per_list: int) -> Piece:
    """Return the decks of a lineup as a single list, with all remarks."""
    texts, times = [], []
    remarks: dict[str, None] = {}
    for part in parts:
        texts.append(part.data.rstrip(b"\n") + b"\n")
        remarks |= dict.fromkeys(part.remarks)
        if part.time is not None:
            times.append(part.time)
    missing = decks_per_list - len(parts)
    if missing:
        number = f"{len(parts)} of {decks_per_list} decks"
        remarks[f"{number} of the lineup, {missing} missing"] = None
    return replace(
        parts[0],
        origin=" + ".join(part.origin for part in parts),
        data=b"---\n".join(texts),
        remarks=tuple(remarks),
        time=max(times, key=drop_zone, default=None),
    )


def _read_files(inbox: Path) -> Iterator[Piece]:
    """Yield the files of a folder as they are."""
    for path, file in list_originals(inbox):
        origin = shown_path(file)
        name = PurePath(path).name
        fault, data = None, b""
        if file.is_symlink():
            fault = "it is a link to another file"
        else:
            try:
                with open_file(file) as stream:
                    data = stream.read(MAX_FILE_BYTES + 1)
            except OSError as error:
                fault = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        if len(data) > MAX_FILE_BYTES:
            fault, data = f"it is larger than {MAX_FILE_BYTES // 2**20} MiB", b""
        yield Piece(origin, name, data, list_path_hints(PurePath(path)), fault=fault)


def _find_stated_players(piece: Piece) -> tuple[Piece, list[Hint]]:
    """Find the players that a list names, or add a fault where it is unreadable."""
    if piece.fault is not None:
        return piece, []
    try:
        hints = []
        for raw in parse_decks(decode_deck(piece.data, piece.name)):
            for header in raw.headers.get("player", ()):
                hints.append(Hint("its line `Player`", header.value))
        return piece, hints
    except Exception as error:
        # A list that no reader was made for must not keep others from arriving.
        return replace(piece, fault=f"it cannot be read: {printable(str(error))}"), []


def _is_refused(piece: Piece, event: CollectingEvent) -> bool:
    """Report whether a piece has an unclear time, or is late where that is refused."""
    is_late = describe_lateness(piece.time, event.file) is not None
    return piece.time_fault is not None or (event.file.late == "refuse" and is_late)


class _Placer:
    """Chooses the action for each list of the inbox."""

    def __init__(self, event: CollectingEvent, placing: Placing) -> None:
        self.event = event
        self.placing = placing
        self.origins: dict[tuple[str, bytes], str] = {}
        """Where each list so far came from, by its player and its bytes."""

    def place(self, piece: Piece, owner: Owner) -> Arrival:
        """Refuse a piece, or choose its file in the folder of lists."""
        if piece.fault is not None and not piece.data:
            is_wrong = piece.fault != NO_LIST or not piece.is_letter
            return Arrival(piece, owner, None, f"not taken: {piece.fault}", is_wrong)
        late = describe_lateness(piece.time, self.event.file)
        if _is_refused(piece, self.event):
            action = f"refused: {piece.time_fault or late}"
            return Arrival(piece, owner, None, action, is_wrong=True)
        if late:
            piece = piece.with_remark(f"late: {late}")
        return self._place_list(piece, owner)

    def _place_list(self, piece: Piece, owner: Owner) -> Arrival:
        """Choose the file of a list, unless its player has sent the same list before.

        The list is a piece that is not refused.
        """
        suffix, data, conversion = safe_suffix(piece.name), piece.data, ""
        if piece.fault is None:
            suffix, data, conversion = _convert_to_text(piece, self.event.database)
        player = owner.player
        before = None
        if player is not None:
            origin = self.origins.get((player, data))
            if origin is not None:
                action = f"the same list again as {quote(origin)}"
                return Arrival(piece, owner, None, action)
            before = self.placing.contents.get(f"{file_stem(player)}{suffix}")
        placed = self.placing.place(piece, player, suffix, data)
        if placed.done == DONE_REMOVED:
            return Arrival(piece, owner, None, placed.done)
        if player is not None:
            self.origins[player, data] = piece.origin
        if placed.done == DONE_MOVED:
            hint = Hint(BY_FILE, PurePath(placed.file).stem)
            owner = find_owner([hint], self.event.file)
        if conversion:
            piece = piece.with_remark(conversion)
        is_changed_by_hand = placed.done in (DONE_EDITED, DONE_MOVED)
        if before is not None:
            if before != data and not is_changed_by_hand:
                for change in _compare_lists(before, data, self.event.database):
                    piece = piece.with_remark(change)
            if before in self.event.sealed and placed.is_another:
                piece = piece.with_remark("the sealed list stays as it is")
        is_stray = player is None and not is_changed_by_hand
        is_wrong = placed.is_another or piece.fault is not None or is_stray
        action = _describe_action(placed, piece.fault)
        return Arrival(piece, owner, placed.file, action, is_wrong)


def _describe_action(placed: PlacedList, fault: str | None) -> str:
    """Return the action of a placed list in words, with its fault."""
    action = placed.done
    if placed.is_another:
        action += ", another list of this player"
    return action if fault is None else f"{action}: {fault}"


def _compare_lists(before: bytes, after: bytes, database: CardDatabase) -> list[str]:
    """Describe the changes from a player's list to the next."""
    old = read_decks(before, "list.deck", database)
    new = read_decks(after, "list.deck", database)
    differences = describe_differences(old, new, database)
    return differences or ["read as the same deck as before"]


def safe_suffix(name: str) -> str:
    """Return the suffix of a file, unless it is strange."""
    suffix = PurePath(name).suffix
    return suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", suffix) else ""


def _convert_to_text(piece: Piece, database: CardDatabase) -> tuple[str, bytes, str]:
    """Return suffix and bytes of the list to write, and the conversion in words.

    Tables, documents and codes without any error become text. Others stay as they are.
    """
    suffix = safe_suffix(piece.name)
    source = decode_deck(piece.data, piece.name)
    if source.finding is not None:
        return suffix, piece.data, ""
    notation = guess_notation(source)
    if notation == "text":
        return ".deck", source.text.encode("utf-8"), ""
    converter = Converter(league_cards=database)
    try:
        sheets, _, findings = converter.sheets(converter.read_decks(source, notation))
        if is_broken(findings):
            return suffix, piece.data, ""
        text = write_decks("text", sheets, database).text
    except Exception:
        # A list without a text form is judged as it is.
        return suffix, piece.data, ""
    return ".deck", text.encode("utf-8"), f"converted to text from {notation.upper()}"


# The report of a collection: a line for each list


def report_lines(collection: CollectedLists, event: Event) -> Iterator[str]:
    """Yield a line for each list of the inbox: its action and its verdict."""
    verdicts = _count_errors(event)
    arrived = unplaced = untimed = 0
    for arrival in collection.arrivals:
        piece = arrival.piece
        yield _describe_arrival(arrival, event, verdicts)
        for remark in piece.remarks:
            yield f"  {printable(remark)}"
        if piece.fault != NO_LIST:
            arrived += 1
            unplaced += arrival.owner.player is None
        if arrival.file is not None:
            untimed += piece.time is None
    for path in collection.removed:
        yield f"removed {quote(f'{event.file.lists}/{path}')}: another list arrived"
    yield ""
    missing = [p.title for p in event.players if not p.lists and p.departure is None]
    counts = [plural(arrived, "list") + " arrived"]
    if unplaced:
        counts.append(f"{unplaced} without a player")
    if missing:
        counts.append(f"{len(missing)} missing")
    if untimed and event.file.moment is not None:
        counts.append(f"{untimed} of unknown time (not compared with the deadline)")
    yield ", ".join(counts)
    for name in missing:
        yield f"  no list from {quote(name)}"


def _describe_arrival(
    arrival: Arrival, event: Event, verdicts: Mapping[str, int]
) -> str:
    """Return `mail.eml: list.txt -> lists/ben_ito.deck, new, Ben Ito ...: legal`."""
    player, reason = arrival.owner
    whose = f"{player or 'unknown player'} ({reason})"
    origin = printable(arrival.piece.origin)
    if arrival.file is None:
        return printable(f"{origin}: {whose}: {arrival.action}")
    file = f"{event.file.lists}/{arrival.file}"
    verdict = "unreadable"
    if file in verdicts:
        verdict = plural(verdicts[file], "error") if verdicts[file] else "legal"
    return printable(f"{origin} -> {file}, {arrival.action}, {whose}: {verdict}")


def _count_errors(event: Event) -> dict[str, int]:
    """Count the errors of each list, by its path below the folder of the event.

    A file without a verdict, such as a picture without a player, has none.
    """
    names = {file.path: f"{event.file.lists}/{file.name}" for file in event.files}
    counts = dict.fromkeys(names.values(), 0)
    for finding in event.run.findings:
        if finding.severity is Severity.ERROR and finding.path in names:
            counts[names[finding.path]] += 1
    return counts
