"""Salts: what hides lists behind their seals until the organiser reveals them.

A seal of the bytes of a list alone would tell who plays a known deck, and who plays the
same: anybody can hash all likely decks.
"""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from deckcheck.decks import shown_path
from deckcheck.decks.discovery import missing
from deckcheck.events.names import list_keys
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Source, SourceError
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.json_text import document_head, json_text
from deckcheck.findings.options import option
from deckcheck.findings.words import quote

HASHED = "SHA-256 of salt and list"
"""What seals hold, in words."""

_DIGITS = 32
_KEY = 64


@dataclass(frozen=True, slots=True)
class Salts:
    """The organiser's key, 64 hexadecimal digits, from which every salt is made."""

    key: str = field(repr=False)

    def of(self, name: str) -> str:
        """The salt of the list of this name, 32 hexadecimal digits.

        The same for whatever the list holds, so that a letter stays true; a suffix, and
        case, accents, dashes and spaces of the name do not matter.
        """
        return self._made(f"salt {list_keys(name)[0]}")[:_DIGITS]

    @property
    def mark(self) -> str:
        """What a seal may say of the key, so that another one is noticed."""
        return self._made("mark")[:12]

    def _made(self, purpose: str) -> str:
        key = bytes.fromhex(self.key)
        return hmac.new(key, purpose.encode("utf-8"), sha256).hexdigest()


def sealed_hash(salt: str, data: bytes) -> str:
    """What a seal says of a list: `(printf %s SALT; cat LIST) | sha256sum`."""
    return sha256(salt.encode("ascii") + data).hexdigest()


def new_salts() -> Salts:
    """Salts that nobody can know."""
    return Salts(secrets.token_hex(_KEY // 2))


def read_salts(path: Path) -> Salts:
    """Read a file of salts; UsageError if there is none, or it is something else."""
    if not os.path.lexists(path):
        raise missing(path, "file of salts")
    shown = shown_path(path)
    try:
        source = Source.open(path, shown, read_json)
    except SourceError as error:
        raise UsageError(f"{quote(shown)} holds no salts: {error}") from None
    match source.document.data:
        case {"schema_version": 1, "salts_key": str(key)} if _is_key(key):
            return Salts(key)
    help = f"Name the file that {option('salts')} made"
    raise UsageError(f"{quote(shown)} holds no salts", help)


def _is_key(text: str) -> bool:
    return len(text) == _KEY and set(text) <= set("0123456789abcdef")


def write_salts(path: Path, salts: Salts, event: str) -> None:
    """Keep salts in a new file that only its owner can read; OSError if that fails."""
    text = json_text(
        {
            **document_head(),
            "event": event,
            "note": "The organiser's: keep it, and publish it never",
            "salts_key": salts.key,
        }
    )
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(number, "w", encoding="utf-8") as stream:
        stream.write(text)
