"""The JSON Schema of what `deckcheck event` writes for programs."""

from __future__ import annotations

from typing import cast

from deckcheck.findings.shapes import FLAG, TEXT, Schema, list_of, object_of
from deckcheck.reporters.schema import FINDING, VALIDATION_SCHEMA

_HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SEAL: Schema = {"anyOf": [_HASH, {"type": "null"}]}
_FINDINGS = list_of(object_of(FINDING))
_PLAYER = object_of(
    {
        "name": TEXT,
        "verdict": {
            "enum": [
                *("legal", "illegal", "no list", "several lists"),
                "of another player",
            ]
        },
        "lists": list_of(object_of({"path": TEXT, "sha256": _HASH, "seal": _SEAL})),
        "findings": _FINDINGS,
    }
)
_EVENT = object_of(
    {
        "path": TEXT,
        "name": TEXT,
        "date": TEXT,
        "format": TEXT,
        "snapshot": TEXT,
        "sound": FLAG,
        "players": list_of(_PLAYER),
        "findings": _FINDINGS,
    }
)

EVENT_OUTPUT_SCHEMA: Schema = {
    "title": "deckcheck event",
    "description": "What `deckcheck event --output-format json` prints.",
    **object_of({**cast("Schema", VALIDATION_SCHEMA["properties"]), "event": _EVENT}),
}
"""The schema of the output `json`: that of `validate`, and `event`."""
