"""JSON Schemas of what `deckcheck validate` writes for programs."""

from __future__ import annotations

from deckcheck.reporters.json import SCHEMA_VERSION

__all__ = ["FINDING_LINE_SCHEMA", "STATISTICS_SCHEMA", "VALIDATION_SCHEMA"]


def _object(properties: dict[str, object]) -> dict[str, object]:
    """The schema of an object that has all of `properties`, perhaps more."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def _list(items: dict[str, object]) -> dict[str, object]:
    return {"type": "array", "items": items}


_TEXT: dict[str, object] = {"type": "string"}
_TEXT_OR_NULL: dict[str, object] = {"type": ["string", "null"]}
_COUNT: dict[str, object] = {"type": "integer", "minimum": 0}
_COUNTING: dict[str, object] = {"type": "integer", "minimum": 1}
_SEVERITY: dict[str, object] = {"enum": ["error", "warning", "note"]}
_CODE: dict[str, object] = {"type": "string", "pattern": "^D[A-Z][0-9]{3}$"}
_POSITION = _object({"line": _COUNTING, "column": _COUNTING})
_SPAN: dict[str, object] = {"start": _POSITION, "end": _POSITION}
_KIND: dict[str, object] = {"code": _CODE, "name": _TEXT, "severity": _SEVERITY}
_FINDING: dict[str, object] = {
    **_KIND,
    "message": _TEXT,
    "path": _TEXT,
    **_SPAN,
    "notes": _list(_TEXT),
    "help": _TEXT_OR_NULL,
    "related": _list(_object({"message": _TEXT, **_SPAN})),
}
_DECK = _object(
    {
        "path": _TEXT,
        "index": _COUNT,
        "name": _TEXT_OR_NULL,
        "format": _TEXT_OR_NULL,
        "snapshot": _TEXT_OR_NULL,
        "legal": {"type": "boolean"},
        "findings": _list(_object(_FINDING)),
    }
)

VALIDATION_SCHEMA: dict[str, object] = {
    "title": "deckcheck validate",
    "description": "What `deckcheck validate --output-format json` prints.",
    **_object(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "tool": _object({"name": {"const": "deckcheck"}, "version": _TEXT}),
            "digest": _TEXT_OR_NULL,
            "summary": _object(
                {
                    "decks": _COUNT,
                    "legal": _COUNT,
                    "findings": _COUNT,
                    "suppressed": _COUNT,
                }
            ),
            "decks": _list(_DECK),
        }
    ),
}
"""The schema of the output `json`."""

FINDING_LINE_SCHEMA: dict[str, object] = {
    "title": "deckcheck validate, one line",
    "description": "A line of `deckcheck validate --output-format jsonl`.",
    **_object(
        {
            **_FINDING,
            "index": _COUNT,
            "deck": _TEXT_OR_NULL,
            "format": _TEXT_OR_NULL,
            "snapshot": _TEXT_OR_NULL,
        }
    ),
}
"""The schema of one line of the output `jsonl`."""

STATISTICS_SCHEMA: dict[str, object] = {
    "title": "deckcheck validate --statistics",
    "description": "What `--statistics --output-format json` prints.",
    **_list(_object({**_KIND, "count": _COUNTING})),
}
"""The schema of counts of findings."""
