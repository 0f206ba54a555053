"""Recognises files of deckcheck's own that lie among decks: they are none."""

from __future__ import annotations

import re
from pathlib import PurePath

__all__ = ["HEAD", "not_a_deck"]

HEAD = 16_384
"""How many bytes of a file are looked at."""

OUTPUT = "an output of deckcheck"
SCHEMA = "a JSON Schema"
DATA = "a format, a scenario or card data"

_JSON = (
    (r'\{(?:\s*"\w+"\s*:\s*"[^"]*",)*\s*"schema_version"\s*:', OUTPUT),
    (r'\{\s*"event"\s*:\s*"[^"]*",\s*"lists"\s*:\s*\{', OUTPUT),
    (r'\{\s*"scenarios"\s*:\s*\[', OUTPUT),
    (r'\{\s*"source"\s*:\s*\{\s*"name"\s*:\s*"deckcheck"', OUTPUT),
    (r'\{\s*"\$schema"\s*:\s*"[^"]*sarif', OUTPUT),
    (r'\{\s*"\$schema"\s*:\s*"[^"]*json-schema\.org/', SCHEMA),
    (r'\[\s*\{\s*"description"\s*:[^\n]*\s*"check_name"\s*:', OUTPUT),
    (r'\[\s*\{\s*"code"\s*:\s*"D[A-Z]\d{3}"', OUTPUT),
    (r"\[\s*\]\s*\Z", OUTPUT),
)
_LEVEL = r"(?:error|warning|note)\[D[A-Z]\d{3}\] "
_TEXT = re.compile(
    rf"{_LEVEL}|\S[^\n]*:\d+:\d+: {_LEVEL}|::(?:error|warning|notice) file="
    rf"|\s*\d+  {_LEVEL}|(?:\#\# )?\d+ decks? checked"
    # Of an event: findings below the name of a player, and the summary.
    rf"|[^\n]+\n\n{_LEVEL}|[^\n]*: \d+ players?, \d+ lists?\b"
)
# What stands below the tables of a simulation, and in the letters of an event.
_FACTS = re.compile(
    r"^checksum +[0-9a-f]+\ndigest +[0-9a-f]+$"
    r"|^\| player \| deck \| verdict \|$"
    r"|^Digest of rules and cards: [0-9a-f]+\nChecked by deckcheck ",
    re.MULTILINE,
)

_KEY = re.compile(r"^(?:- )?([A-Za-z_-]+)\s*:", re.MULTILINE)
_OF_DECKS = frozenset({"cards", "decks", "faction", "leader", "name"})
_OF_DATA = frozenset(
    {
        *("abilities", "constraints", "expect", "extends", "kinds"),
        *("moves", "options", "players", "rule", "seating", "sets", "snapshot"),
    }
)


def not_a_deck(text: str, path: str) -> str | None:
    """What a text is, by its first lines, when it is a file of deckcheck's own."""
    suffix = PurePath(path).suffix.lower()
    if suffix == ".json":
        start = text.lstrip()
        return next((kind for form, kind in _JSON if re.match(form, start)), None)
    if suffix in (".yaml", ".yml"):
        keys = {key.lower() for key in _KEY.findall(text)}
        is_card = "id" in keys and "cards" not in keys and "decks" not in keys
        is_other = bool(keys & _OF_DATA) and not keys & _OF_DECKS
        return DATA if is_card or is_other or "language" in keys else None
    if suffix == ".txt" and (_TEXT.match(text) or _FACTS.search(text)):
        return OUTPUT
    return None
