"""Checking an event: reading its lists, judging them, and finding their players."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from deckcheck.cards import Root
from deckcheck.decks import DeckText, decode_deck, shown_path
from deckcheck.decks.discovery import decks_in
from deckcheck.decks.files import read_bytes
from deckcheck.events.event import Event, ListFile
from deckcheck.events.file import open_event
from deckcheck.events.matching import match
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Source
from deckcheck.findings.files import folder_fault, path_fault
from deckcheck.findings.words import quote
from deckcheck.formats.models import Format
from deckcheck.validation import Validator

__all__ = ["check_event"]


def check_event(path: Path, root: Root = None) -> Event:
    """Read an event file and check its players and lists.

    A list belongs to the player whose name its file has, whatever case, accents, dashes
    or spaces: `anna_nowak.deck` to Anna Nowak. It is one deck, or a whole lineup where
    the format asks for that. Raises UsageError for an event file that cannot be read,
    for a missing folder and an unknown format.
    """
    file, source = open_event(path)
    for key, stated in (("format", file.format), ("lists", file.lists)):
        fault = path_fault(stated)
        if fault is not None:
            raise UsageError(str(source.defect((key,), fault)))
    notes: list[str] = []
    texts, files = _read_lists(path.parent / file.lists, source, notes)
    validator, fmt = _validator(path, file.format, source, root)
    run = validator.check_all(texts)
    folder = shown_path(path.parent / file.lists)
    players, others = match(file, source, run.reports, folder)
    return Event(file, source, fmt, players, others, tuple(files), tuple(notes), root)


def _read_lists(
    folder: Path, source: Source, notes: list[str]
) -> tuple[list[DeckText], list[ListFile]]:
    """The lists of a folder as texts, and the hashes of the very bytes of these.

    `notes` gets a sentence for each file of the folder that is no list.
    """
    fault = folder_fault(folder)
    if fault is not None:
        message = f"the folder {quote(str(folder))} {fault}"
        raise UsageError(str(source.defect(("lists",), message)))
    texts, files = [], []
    for found in decks_in(str(folder), notes):
        assert found.file is not None
        data, size = read_bytes(found.file, found.path)
        texts.append(decode_deck(data, found.path, size))
        name = found.file.relative_to(folder).as_posix()
        files.append(ListFile(name, found.path, sha256(data).hexdigest()))
    return texts, files


def _validator(
    path: Path, format: str, source: Source, root: Root
) -> tuple[Validator, Format]:
    """What judges the lists, and the format by which it does."""
    if format.startswith("."):
        format = str(path.parent / format)
    try:
        validator = Validator(format, root, suppressions=False)
    except UsageError as error:
        message = str(source.defect(("format",), error.message))
        raise UsageError(message, error.help) from None
    assert validator.format is not None
    return validator, validator.format
