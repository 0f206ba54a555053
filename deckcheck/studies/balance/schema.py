"""The JSON Schema of what `balance` prints."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    TEXT,
    Schema,
    list_of,
    mapping_of,
    object_of,
)
from deckcheck.sim.results.schema import HEAD
from deckcheck.studies.balance.targets import Verdict

__all__ = ["BALANCE_SCHEMA"]

_NUMBER: Schema = {"type": "number"}
_ENDS: Schema = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}
_EFFECT = object_of({"difference": _NUMBER, "interval": _ENDS})
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_RATE = object_of({"win_rate": _SHARE, "interval": _ENDS, "games": COUNT})
_VERDICTS = [verdict.value for verdict in Verdict]
_OUTCOME = object_of(
    {
        "kind": {"enum": ["deck", "faction"]},
        "name": TEXT,
        "target": {"anyOf": [_ENDS, {"type": "null"}]},
        "verdict": {"enum": [*_VERDICTS, None]},
        "before": _RATE,
        "after": _RATE,
        "confirmed": {"anyOf": [_RATE, {"type": "null"}]},
        "confirmed_verdict": {"enum": [*_VERDICTS, None]},
    }
)
_CARD = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "kind": TEXT,
        "decks": COUNTING,
        "use": _SHARE,
        "worth": _EFFECT,
        "peers": _NUMBER,
        "above": _EFFECT,
    }
)
_CHANGE = object_of(
    {"id": TEXT, "name": TEXT, "was": mapping_of(COUNT), "now": mapping_of(COUNT)}
)
_CHOSEN = object_of(
    {
        "id": TEXT,
        "name": TEXT,
        "chosen": _SHARE,
        "was": mapping_of(COUNT),
        "now": mapping_of(COUNT),
    }
)
BALANCE_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck balance",
    "description": "What `deckcheck balance --output-format json` prints.",
    **object_of(
        {
            **HEAD,
            "schema_version": {"const": 2},
            "answer": TEXT,
            "verdict": {"enum": _VERDICTS},
            "bounds": TEXT,
            "confirm": {"type": ["string", "null"]},
            "cards_tried": COUNT,
            "sets_tried": COUNT,
            "balanced": list_of(_CHOSEN),
            "choices": list_of(
                object_of({"changes": list_of(_CHANGE), "share": _SHARE})
            ),
            "targets": list_of(_OUTCOME),
            "cards": list_of(_CARD),
        }
    ),
}
