"""Seals: hashes of all lists, so that a later change shows."""

from __future__ import annotations

import json
from pathlib import Path

from deckcheck.events.checking import Event
from deckcheck.findings import UsageError
from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import quote

__all__ = ["changes", "seal"]


def seal(event: Event) -> str:
    """The seal of the lists: JSON with the SHA-256 of each file."""
    document = {"schema_version": 1, "event": event.file.name, "lists": event.hashes}
    return json_text(document, sort_keys=True)


def changes(event: Event, sealed: Path) -> list[str]:
    """What differs from a seal; UsageError when that cannot be read."""
    try:
        before = json.loads(sealed.read_text(encoding="utf-8"))["lists"]
        before = {str(name): str(value) for name, value in before.items()}
    except OSError as error:
        message = f"Seal {quote(str(sealed))} cannot be read: {error.strerror}"
        raise UsageError(message) from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{quote(str(sealed))} is no seal") from None
    found = []
    for name in sorted({*before, *event.hashes}):
        if before.get(name) != event.hashes.get(name):
            is_gone, is_new = name not in event.hashes, name not in before
            how = "is gone" if is_gone else "is new" if is_new else "has changed"
            found.append(f"{quote(name)} {how} since the seal")
    return found
