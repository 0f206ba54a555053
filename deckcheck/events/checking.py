"""Checking an event: reading its lists, judging them, and finding their players."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import Root, normalise
from deckcheck.decks import DeckText, LeftOut, decode_deck, read_found, shown_path
from deckcheck.decks.discovery import lists_in
from deckcheck.decks.files import read_bytes
from deckcheck.events.dating import DATE, Dating
from deckcheck.events.event import Event, ListFile
from deckcheck.events.file import EventFile, open_event
from deckcheck.events.matching import OTHERS, match, other_files
from deckcheck.events.names import list_keys
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Source
from deckcheck.findings.files import folder_fault, path_fault
from deckcheck.findings.words import quote


def check_event(path: Path, root: Root = None, as_of: str | None = None) -> Event:
    """Read an event file and check its players and lists.

    A list belongs to the player whose name its file has, whatever case, accents, dashes
    or spaces: `anna_nowak.deck` to Anna Nowak. It is one deck, or a whole lineup where
    the format asks for that. The day of the event chooses the snapshot of its format,
    unless `as_of` is another date. Raises UsageError for an event file that cannot be
    read, for a missing folder, an unknown format and one that there was not yet.
    """
    file, source = open_event(path)
    for key, stated in (("format", file.format), ("lists", file.lists)):
        fault = path_fault(stated)
        if fault is not None:
            raise UsageError(str(source.defect((key,), fault)))
    left_out = LeftOut()
    lists = _read_lists(path, file, source, left_out)
    dating = Dating(path, file, source, root, as_of)
    validator, fmt = dating.validator()
    run = validator.check_all(lists.texts)
    folder = shown_path(path.parent / file.lists)
    players, others = match(file, source, run.reports, folder)
    files = tuple(lists.files)
    event = Event(file, source, fmt, players, others, files, root, left_out)
    event = event.adding(other_files(lists.others, file), OTHERS)
    return event.adding(dating.reports(fmt), DATE)


class _Lists(NamedTuple):
    """The folder of lists: their texts, the hashes of their bytes, what is no list."""

    texts: list[DeckText]
    files: list[ListFile]
    others: list[str]


def _read_lists(
    path: Path, event: EventFile, source: Source, left_out: LeftOut
) -> _Lists:
    """Read the folder of lists; what is no list is counted in `left_out`.

    A file that is named like a player is a list, whatever it holds.
    """
    folder = path.parent / event.lists
    fault = folder_fault(folder)
    if fault is not None:
        message = f"the folder {quote(str(folder))} {fault}"
        raise UsageError(str(source.defect(("lists",), message)))
    players = set(map(normalise, event.players))

    def is_list(file: str) -> bool:
        return not players.isdisjoint(list_keys(file))

    deck_files, others = lists_in(str(folder), is_list, left_out)
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
