"""The record of collected lists: where each came from, as it was written."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from deckcheck.decks import shown_path
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Source, SourceError
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.json_text import document_head, json_text
from deckcheck.findings.words import quote

LEDGER = "collected.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """A list that was collected: from where, whose, and hashes of piece and list."""

    place: str
    player: str | None
    arrived: str
    written: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All lists that were collected, by the path of each in the folder of lists."""

    lists: dict[str, Kept] = field(default_factory=dict)

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
                return Ledger({path: Kept(**kept) for path, kept in lists.items()})
    except (SourceError, TypeError) as error:
        reason = f": {error}"
    else:
        reason = ""
    help = "Move the file away: the next run takes what lies in the folder for yours"
    raise UsageError(f"{quote(shown)} does not say what was collected{reason}", help)
