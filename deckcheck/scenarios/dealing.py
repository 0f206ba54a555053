"""Requirements of a scenario whose game is dealt by the rules."""

from __future__ import annotations

from collections.abc import Container

from deckcheck.findings.documents import Location
from deckcheck.scenarios.errors import BadPosition


def without_deck(name: str, named: Container[str]) -> BadPosition:
    """The fault of a player without a deck; `named` are those whom the file names."""
    at: Location = ("players", name) if name in named else ("deal",)
    message = f"{name} has no `deck` to be dealt from"
    return BadPosition(at, message, f"Give {name} a `deck`, its top card first")
