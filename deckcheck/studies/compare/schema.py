"""The JSON Schema of what `compare` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import COUNT, TEXT, Schema, list_of, object_of
from deckcheck.sim.results.schema import HEAD
from deckcheck.studies.differences import Verdict

__all__ = ["COMPARISON_SCHEMA"]

_RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_DIFFERENCE: Schema = {"type": "number", "minimum": -1, "maximum": 1}


def _ends(of: Schema) -> Schema:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2}


_WIN_RATE: Schema = {"games": COUNT, "win_rate": _RATE, "interval": _ends(_RATE)}
_DIFFERENCES = list_of(
    object_of(
        {
            "old": TEXT,
            "new": TEXT,
            "difference": _DIFFERENCE,
            "interval": _ends(_DIFFERENCE),
            "verdict": {"enum": [verdict.value for verdict in Verdict]},
            "saved": {"type": ["number", "null"], "minimum": 0},
        }
    )
)
COMPARISON_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck compare",
    "description": "What `deckcheck compare --output-format json` prints.",
    **object_of(
        {
            **HEAD,
            "schema_version": {"const": 2},
            "answer": TEXT,
            "versions": list_of(object_of({"name": TEXT, **_WIN_RATE})),
            "margin": _RATE,
            "looks": COUNT,
            "ranking": list_of(TEXT),
            "differences": _DIFFERENCES,
            "opponents": list_of(
                object_of(
                    {
                        "name": TEXT,
                        "win_rates": list_of(object_of(_WIN_RATE)),
                        "differences": _DIFFERENCES,
                    }
                )
            ),
        }
    ),
}
