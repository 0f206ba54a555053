"""The JSON Schema of what `solve` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    FLAG,
    TEXT,
    TEXT_OR_NULL,
    Schema,
    list_of,
    mapping_of,
    object_of,
)
from deckcheck.sim.results.schema import HEAD

__all__ = ["SOLVE_SCHEMA"]

_NUMBER: Schema = {"type": "number"}
_ENDS: Schema = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_DIFFERENCE: Schema = {"difference": _NUMBER, "interval": _ENDS, "games": COUNT}
_RATE: Schema = {"win_rate": _SHARE, "interval": _ENDS, "games": COUNT}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_ANSWER: Schema = {
    "name": TEXT,
    "hoped": _NUMBER,
    "gain": object_of(_DIFFERENCE),
    "confirmed": _or_null(object_of(_DIFFERENCE)),
}
_DECK = object_of(
    {
        "name": TEXT,
        "faction": TEXT_OR_NULL,
        "leader": TEXT_OR_NULL,
        "share": _SHARE,
        "share_interval": _ENDS,
        "payoff": _SHARE,
        "cards": mapping_of(COUNTING),
    }
)
SOLVE_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck solve",
    "description": "What `deckcheck solve --output-format json` prints.",
    **object_of(
        {
            **HEAD,
            "schema_version": {"const": 2},
            "answer": TEXT,
            "solved": FLAG,
            "bound": _SHARE,
            "gain": _or_null(object_of(_DIFFERENCE)),
            "most_gained": _or_null({"type": "number", "minimum": 0, "maximum": 1}),
            "searches": COUNT,
            "search_games": COUNTING,
            "decks_searched": COUNT,
            "factions": list_of(TEXT),
            "confirm": TEXT_OR_NULL,
            "field": list_of(_DECK),
            "answers": list_of(object_of(_ANSWER)),
            "rounds": list_of(
                object_of({"decks": COUNT, "mixed": COUNT, "joined": FLAG, **_ANSWER})
            ),
            "against": _or_null(object_of(_RATE)),
            "opponents": list_of(object_of({"name": TEXT, **_RATE})),
        }
    ),
}
