"""A folder of mails and files, turned into a folder of lists: what to write where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from deckcheck.cards import CardDatabase
from deckcheck.decks import decode_deck, shown_path
from deckcheck.decks.converting import Converter, is_broken
from deckcheck.decks.reader import guess_way, parse_decks
from deckcheck.decks.writers import write_decks
from deckcheck.events.file import EventFile
from deckcheck.events.intake.archives import is_litter
from deckcheck.events.intake.ledger import Ledger
from deckcheck.events.intake.owners import Owner, owner_of
from deckcheck.events.intake.pieces import Budget, Hint, Piece
from deckcheck.events.intake.placing import Placing
from deckcheck.events.intake.unpacking import unpacked
from deckcheck.findings import UsageError
from deckcheck.findings.files import open_file
from deckcheck.findings.words import quote

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
class Collection:
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
    inbox: Path, file: EventFile, db: CardDatabase, lists: Path, old: Ledger
) -> Collection:
    """Decide what becomes of everything that arrived; nothing is written here.

    `db` has the cards of the event's format, `lists` is its folder of lists, `old` says
    what was collected before. The same folder gives the same lists.
    """
    placing = Placing(lists, old)
    pieces = [piece for one in _wholes(inbox) for piece in unpacked(one, Budget())]
    owners = [owner_of((*_stated(p), *p.hints), file.players) for p in pieces]
    seen: dict[tuple[str, bytes], str] = {}
    arrivals = [
        _arrival(piece, owner, db, placing, seen)
        for piece, owner in zip(pieces, owners, strict=True)
    ]
    players = {owner.player for owner in owners if owner.player is not None}
    placing.remove_stale({piece.place for piece in pieces}, players)
    return Collection(
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
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot read {quote(shown_path(file))}: {reason}") from None


def _stated(piece: Piece) -> Iterator[Hint]:
    """Whose a list says that it is."""
    if piece.fault is None:
        for raw in parse_decks(decode_deck(piece.data, piece.name)):
            for header in raw.headers.get("player", ()):
                yield Hint("its line `Player`", header.value)


def _arrival(
    piece: Piece,
    owner: Owner,
    db: CardDatabase,
    placing: Placing,
    seen: dict[tuple[str, bytes], str],
) -> Arrival:
    """Choose what becomes of a piece; `seen` has the lists of players so far."""
    if piece.fault is not None and not piece.data:
        return Arrival(piece, owner, None, f"not taken: {piece.fault}", is_wrong=True)
    suffix, data, remark = PurePath(piece.name).suffix, piece.data, ""
    if piece.fault is None:
        suffix, data, remark = _as_text(piece, db)
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


def _as_text(piece: Piece, db: CardDatabase) -> tuple[str, bytes, str]:
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
    converter = Converter(own=db)
    try:
        sheets, _, findings = converter.sheets(converter.read(source, way))
        if is_broken(findings):
            return suffix, piece.data, ""
        text = write_decks("text", sheets, db).text
    except UsageError:
        # What cannot be written as text is judged as it is.
        return suffix, piece.data, ""
    return ".deck", text.encode("utf-8"), f"written as text, from {way}"
