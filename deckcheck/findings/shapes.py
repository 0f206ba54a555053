"""The words of JSON Schema, for schemas that are written by hand."""

from __future__ import annotations

Schema = dict[str, object]

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
COUNTING: Schema = {"type": "integer", "minimum": 1}


def object_of(properties: Schema, **optional: object) -> Schema:
    """An object that has all of `properties`, perhaps `optional` ones and more."""
    return {
        "type": "object",
        "properties": {**properties, **optional},
        "required": list(properties),
    }


def list_of(items: Schema) -> Schema:
    """A list of any length."""
    return {"type": "array", "items": items}


TOOL = object_of({"name": {"const": "deckcheck"}, "version": TEXT})
"""What wrote a document; see `document_head`."""

CHANGE = object_of(
    {
        "set": TEXT,
        "about": {"enum": ["card", "leader"]},
        "id": TEXT,
        "name": TEXT,
        "was": TEXT_OR_NULL,
        "now": TEXT_OR_NULL,
    }
)
"""What a set does to a card or leader: null for what is added, or removed."""


def mapping_of(values: Schema) -> Schema:
    """An object with any keys."""
    return {"type": "object", "additionalProperties": values}
