"""The JSON Schema of what `meta` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    TEXT,
    TOOL,
    Schema,
    list_of,
    object_of,
)

__all__ = ["META_SCHEMA"]


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_NUMBER: Schema = {"type": "number"}
_RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def _ends(of: Schema) -> Schema:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2}


META_SCHEMA = object_of(
    {
        "schema_version": {"const": 2},
        "tool": TOOL,
        "format": TEXT,
        "snapshot": TEXT,
        "policies": list_of(TEXT),
        "seed": COUNT,
        "checksum": TEXT,
        "digest": TEXT,
        "of": {"enum": ["decks", "lineups"]},
        "resamples": COUNTING,
        "bootstrap_seed": COUNT,
        "misfit": _RATE,
        "misfit_interval": _ends(_RATE),
        "cycles": _RATE,
        "cycles_interval": _ends(_RATE),
        "cycle": list_of(TEXT),
        "players": list_of(
            object_of(
                {
                    "name": TEXT,
                    "share": _RATE,
                    "share_interval": _ends(_RATE),
                    "payoff": _RATE,
                    "rating": _NUMBER,
                    "rating_interval": _ends(_NUMBER),
                    "answer": object_of(
                        {"name": TEXT, "win_rate": _RATE, "interval": _ends(_RATE)}
                    ),
                    "weight": _or_null(_RATE),
                    "expected": _or_null(_RATE),
                    "expected_interval": _or_null(_ends(_RATE)),
                }
            )
        ),
    }
)
"""What to bring, a player of the field each."""
