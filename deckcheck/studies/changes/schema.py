"""The JSON Schema of what `report --compare` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    FLAG,
    TEXT,
    TOOL,
    Schema,
    list_of,
    object_of,
)

__all__ = ["CHANGES_SCHEMA"]

_RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_DIFFERENCE: Schema = {"type": "number", "minimum": -1, "maximum": 1}


def _ends(of: Schema) -> Schema:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2}


_MEASURED = object_of({"games": COUNT, "win_rate": _RATE, "interval": _ends(_RATE)})

_CHANGE = object_of(
    {
        "name": TEXT,
        "before": _MEASURED,
        "after": _MEASURED,
        "difference": _DIFFERENCE,
        "interval": _ends(_DIFFERENCE),
        "clear": FLAG,
        "same_games": FLAG,
    }
)
CHANGES_SCHEMA = object_of(
    {
        "schema_version": {"const": 2},
        "tool": TOOL,
        "answer": TEXT,
        "settings": list_of(TEXT),
        "alone": list_of(TEXT),
        "decks": list_of(_CHANGE),
        "changes": list_of(_CHANGE),
    }
)
"""What differs between two runs, and win rates by how much they changed."""
