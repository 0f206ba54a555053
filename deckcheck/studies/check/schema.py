"""The JSON Schema of what `check` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    TEXT,
    TEXT_OR_NULL,
    TOOL,
    Schema,
    list_of,
    object_of,
)
from deckcheck.sim.results.schema import SIMULATION_SCHEMA

__all__ = ["CHECK_SCHEMA"]

_RATE: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_ENDS: Schema = {
    "type": ["array", "null"],
    "items": {"type": "number"},
    "minItems": 2,
    "maxItems": 2,
}
_OUTCOME: Schema = {"enum": ["holds", "fails", "open"]}

CHECK_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck check",
    "description": "What `deckcheck check --output-format json` prints.",
    **object_of(
        {
            "schema_version": {"const": 1},
            "tool": TOOL,
            "plan": TEXT,
            "answer": TEXT,
            "summary": object_of({"holds": COUNT, "fails": COUNT, "open": COUNT}),
            "expectations": list_of(
                object_of(
                    {
                        "experiment": TEXT,
                        "text": TEXT,
                        "line": COUNTING,
                        "column": COUNTING,
                        "low": _RATE,
                        "high": _RATE,
                        "confidence": {"type": "number"},
                        "outcome": _OUTCOME,
                        "rates": list_of(
                            object_of(
                                {
                                    "deck": TEXT,
                                    "opponent": TEXT_OR_NULL,
                                    "games": COUNT,
                                    "win_rate": _RATE,
                                    "interval": _ENDS,
                                    "outcome": _OUTCOME,
                                }
                            )
                        ),
                    }
                )
            ),
            "experiments": list_of(
                object_of(
                    {
                        "name": TEXT,
                        "result": {
                            key: value
                            for key, value in SIMULATION_SCHEMA.items()
                            if key != "$schema"
                        },
                    }
                )
            ),
        }
    ),
}
"""The schema of the outcomes of a plan's expectations."""
