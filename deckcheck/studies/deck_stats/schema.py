"""The JSON Schema of what `stats` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    FLAG,
    TEXT,
    TEXT_OR_NULL,
    TOOL,
    Schema,
    list_of,
    mapping_of,
    object_of,
)

__all__ = ["STATS_SCHEMA"]

_CHANCE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_AMOUNT: Schema = {"type": "number", "minimum": 0}
_PART = object_of({"cards": COUNT, "strength": COUNT})
_OPENING = object_of(
    {"size": COUNTING, "redraws": COUNT, "strength": _AMOUNT, "spread": _AMOUNT}
)
_ODDS = object_of(
    {
        "group": TEXT,
        "ids": list_of(TEXT),
        "copies": COUNT,
        "mean": _AMOUNT,
        "opening": _CHANCE,
        "redrawn": _CHANCE,
        "drawn": {"anyOf": [_CHANCE, {"type": "null"}]},
    }
)
_WEATHER = object_of(
    {
        "weather": TEXT,
        "rows": list_of(TEXT),
        "cards": COUNT,
        "strength": COUNT,
        "movable": COUNT,
    }
)
_DECK = object_of(
    {
        "path": TEXT,
        "index": COUNT,
        "name": TEXT,
        "format": TEXT,
        "snapshot": TEXT,
        "digest": TEXT,
        "legal": FLAG,
        "faction": TEXT_OR_NULL,
        "leader": TEXT_OR_NULL,
        "cards": COUNT,
        "units": _PART,
        "kinds": mapping_of(COUNT),
        "factions": mapping_of(COUNT),
        "rows": mapping_of(_PART),
        "abilities": mapping_of(COUNT),
        "copies": mapping_of(COUNT),
        "weather": list_of(_WEATHER),
        "scorch": _PART,
        "opening": {"anyOf": [_OPENING, {"type": "null"}]},
        "odds": list_of(_ODDS),
    }
)
STATS_SCHEMA = object_of(
    {
        "schema_version": {"const": 1},
        "tool": TOOL,
        "at_least": COUNTING,
        "decks": list_of(_DECK),
    }
)
"""One object for all decks that were named."""
