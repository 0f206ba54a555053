"""JSON Schemas of what `deckcheck validate` writes for programs."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    CHANGE,
    COUNT,
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
from deckcheck.validation.documents import SCHEMA_VERSION

__all__ = [
    "CODE",
    "FINDING",
    "FINDING_LINE_SCHEMA",
    "POSITION",
    "SEVERITY",
    "STATISTICS_SCHEMA",
    "VALIDATION_SCHEMA",
]


SEVERITY: Schema = {"enum": ["error", "warning", "note"]}
CODE: Schema = {"type": "string", "pattern": "^D[A-Z][0-9]{3}$"}
POSITION = object_of({"line": COUNTING, "column": COUNTING})
_SPAN: Schema = {"start": POSITION, "end": POSITION}
_KIND: Schema = {"code": CODE, "name": TEXT, "severity": SEVERITY}
FINDING: Schema = {
    **_KIND,
    "message": TEXT,
    "path": TEXT,
    **_SPAN,
    "notes": list_of(TEXT),
    "help": TEXT_OR_NULL,
    "related": list_of(object_of({"message": TEXT, **_SPAN})),
}
_DECK = object_of(
    {
        "path": TEXT,
        "index": COUNT,
        "name": TEXT_OR_NULL,
        "format": TEXT_OR_NULL,
        "snapshot": TEXT_OR_NULL,
        "legal": FLAG,
        "findings": list_of(object_of(FINDING)),
    }
)

VALIDATION_SCHEMA: Schema = {
    "title": "deckcheck validate",
    "description": "What `deckcheck validate --output-format json` prints.",
    **object_of(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "tool": TOOL,
            "digest": TEXT_OR_NULL,
            "summary": object_of(
                {
                    "decks": COUNT,
                    "legal": COUNT,
                    "findings": COUNT,
                    "suppressed": COUNT,
                }
            ),
            "left_out": object_of(
                {"others": mapping_of(COUNT), "own": COUNT, "excluded": COUNT}
            ),
            "changes": list_of(CHANGE),
            "decks": list_of(_DECK),
        }
    ),
}
"""The schema of the output `json`."""

FINDING_LINE_SCHEMA: Schema = {
    "title": "deckcheck validate, one line",
    "description": "A line of `deckcheck validate --output-format jsonl`.",
    **object_of(
        {
            **FINDING,
            "index": COUNT,
            "deck": TEXT_OR_NULL,
            "format": TEXT_OR_NULL,
            "snapshot": TEXT_OR_NULL,
        }
    ),
}
"""The schema of one line of the output `jsonl`."""

STATISTICS_SCHEMA: Schema = {
    "title": "deckcheck validate --statistics",
    "description": "What `--statistics --output-format json` prints.",
    **list_of(object_of({**_KIND, "count": COUNTING})),
}
"""The schema of counts of findings."""
