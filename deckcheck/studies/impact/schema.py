"""The JSON Schema of what `impact` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import COUNT, COUNTING, TEXT, Schema, list_of, object_of
from deckcheck.sim.results.schema import HEAD
from deckcheck.studies.impact.observed import WAYS

__all__ = ["IMPACT_SCHEMA"]

_DIFFERENCE: Schema = {"type": "number"}
_EFFECT: Schema = {
    "difference": _DIFFERENCE,
    "interval": {"type": "array", "items": _DIFFERENCE, "minItems": 2, "maxItems": 2},
}
_RATE: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_CARD = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "copies": COUNTING,
        "worth": object_of(_EFFECT),
        "most_against": TEXT,
        "observed": list_of(
            object_of(
                {
                    "way": {"enum": [*WAYS]},
                    "games": COUNT,
                    "win_rate": _RATE,
                    "difference": {"type": ["number", "null"]},
                    "interval": {"anyOf": [_EFFECT["interval"], {"type": "null"}]},
                    "false_discovery_rate": _RATE,
                }
            )
        ),
        "against": list_of(object_of({"opponent": TEXT, **_EFFECT})),
        "alternatives": list_of(object_of({"id": TEXT, "name": TEXT, **_EFFECT})),
    }
)
IMPACT_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck impact",
    "description": "What `deckcheck impact --output-format json` prints.",
    **object_of(
        {
            **HEAD,
            "schema_version": {"const": 2},
            "answer": TEXT,
            "deck": TEXT,
            "average": list_of(TEXT),
            "cut": TEXT,
            "cards": list_of(_CARD),
        }
    ),
}
