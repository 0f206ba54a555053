"""The JSON Schema of what `tune` and `build` print."""

from __future__ import annotations

from deckcheck.findings.shapes import COUNT, TEXT, Schema, list_of, object_of
from deckcheck.sim.results.schema import HEAD
from deckcheck.studies.differences import Verdict

__all__ = ["BUILD_SCHEMA", "TUNE_SCHEMA"]

_RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_RATE_OR_NULL: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_DIFFERENCE: Schema = {"type": "number", "minimum": -1, "maximum": 1}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_CARDS = list_of(object_of({"id": TEXT, "name": TEXT, "copies": {"type": "integer"}}))


def _ends(of: Schema) -> Schema:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2}


def _or_null(of: Schema) -> Schema:
    return {"anyOf": [of, {"type": "null"}]}


_WIN_RATE = object_of({"games": COUNT, "win_rate": _RATE, "interval": _ends(_RATE)})
_AGAINST: Schema = {
    "win_rate": _WIN_RATE,
    "win_rate_of_base": _or_null(_WIN_RATE),
    "difference": _or_null(
        object_of(
            {
                "difference": _DIFFERENCE,
                "interval": _ends(_DIFFERENCE),
                "verdict": {"enum": [verdict.value for verdict in Verdict]},
            }
        )
    ),
}
_PROOF = _or_null(
    object_of(
        {
            "policy": TEXT,
            "games": COUNT,
            "field": object_of(_AGAINST),
            "opponents": list_of(object_of({"name": TEXT, **_AGAINST})),
        }
    )
)


def _schema(command: str) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"deckcheck {command}",
        "description": f"What `deckcheck {command} --output-format json` prints.",
        **object_of(
            {
                **HEAD,
                "schema_version": {"const": 2},
                "answer": TEXT,
                "deck": TEXT,
                "base": _TEXT_OR_NULL,
                "faction": _TEXT_OR_NULL,
                "leader": _TEXT_OR_NULL,
                "base_leader": _TEXT_OR_NULL,
                "cards": _CARDS,
                "swaps": _CARDS,
                "text": TEXT,
                "search": object_of(
                    {
                        "games": COUNT,
                        "decks": COUNT,
                        "expected_win_rate": _RATE,
                        "expected_win_rate_of_base": _RATE_OR_NULL,
                    }
                ),
                "proof": _PROOF,
                "confirmed": _PROOF,
            }
        ),
    }


TUNE_SCHEMA = _schema("tune")
BUILD_SCHEMA = _schema("build")
