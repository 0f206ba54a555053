"""JSON Schemas of what `cards` and `formats` print."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    CHANGE,
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
from deckcheck.reporters.schema import CODE, POSITION, SEVERITY

_VERSION: Schema = {"const": 1}
_DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{12}$"}
_CARD = object_of(
    {
        "id": TEXT,
        "number": COUNTING,
        "name": TEXT,
        "faction": TEXT,
        "kind": TEXT,
        "copies": COUNTING,
        "provenance": TEXT,
        "rows": list_of(TEXT),
        "strength": {"type": ["integer", "null"], "minimum": 0},
        "abilities": list_of(
            object_of({"code": TEXT, "group": TEXT_OR_NULL, "target": TEXT_OR_NULL})
        ),
        "deckable": FLAG,
        "aliases": list_of(TEXT),
    }
)
_LEADER = object_of(
    {
        "id": TEXT,
        "number": COUNTING,
        "name": TEXT,
        "title": TEXT,
        "faction": TEXT,
        "ability": TEXT,
        "passive": FLAG,
        "provenance": TEXT,
        "aliases": list_of(TEXT),
    }
)
_FORMAT = object_of(
    {
        "id": TEXT,
        "game": TEXT,
        "title": TEXT,
        "snapshot": TEXT,
        "digest": _DIGEST,
        "origin": TEXT,
        "constraints": list_of(
            object_of(
                {
                    "name": TEXT,
                    "rule": TEXT,
                    "settings": {"type": "object"},
                    "statement": TEXT,
                    "origin": TEXT,
                }
            )
        ),
        "options": mapping_of({"type": ["string", "integer", "boolean"]}),
        "seating": {"type": "object"},
        "extra_cards": list_of(_CARD),
        "changes": list_of(CHANGE),
    }
)
_DIFFERENCE = object_of(
    {"about": TEXT, "name": TEXT, "old": TEXT_OR_NULL, "new": TEXT_OR_NULL}
)
_FINDING = object_of(
    {
        "code": CODE,
        "name": TEXT,
        "severity": SEVERITY,
        "message": TEXT,
        "start": POSITION,
        "help": TEXT_OR_NULL,
    }
)

CARDS_OUTPUT_SCHEMA: Schema = {
    "title": "deckcheck cards",
    "description": "What `deckcheck cards --output-format json` prints.",
    **object_of(
        {
            "schema_version": _VERSION,
            "tool": TOOL,
            "game": TEXT,
            "digest": _DIGEST,
            "cards": list_of(_CARD),
            "leaders": list_of(_LEADER),
            "texts": list_of(
                object_of({"ability": TEXT, "statement": TEXT, "text": TEXT})
            ),
        }
    ),
}
"""The schema of cards and leaders, listed, found or shown."""

FORMATS_OUTPUT_SCHEMA: Schema = {
    "title": "deckcheck formats",
    "description": "What `deckcheck formats --output-format json` prints; "
    "`differences` with `diff` only.",
    **object_of(
        {"schema_version": _VERSION, "tool": TOOL, "formats": list_of(_FORMAT)},
        differences=list_of(_DIFFERENCE),
    ),
}
"""The schema of formats, listed, shown or compared."""

LEGALITY_SCHEMA: Schema = {
    "title": "deckcheck formats --for",
    "description": "What `deckcheck formats --for DECK --output-format json` prints.",
    **object_of(
        {
            "schema_version": _VERSION,
            "tool": TOOL,
            "decks": list_of(
                object_of(
                    {
                        "path": TEXT,
                        "index": {"type": "integer", "minimum": 0},
                        "name": TEXT_OR_NULL,
                        "legal": list_of(TEXT),
                        "formats": list_of(
                            object_of(
                                {
                                    "format": TEXT,
                                    "legal": FLAG,
                                    "findings": list_of(_FINDING),
                                }
                            )
                        ),
                    }
                )
            ),
        }
    ),
}
"""The schema of the formats in which decks are legal."""
