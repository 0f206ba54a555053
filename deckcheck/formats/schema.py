"""The JSON Schema of format files."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from deckcheck.cards.words import Identifier, Name
from deckcheck.formats.file import FormatFile
from deckcheck.formats.seating import Seating
from deckcheck.formats.vocabulary import VOCABULARY, Entry, Settings

Schema = dict[str, Any]


def format_schema() -> Schema:
    """The schema of one file, the vocabulary of its constraints included.

    What only a merged format shows (an entry that changes nothing, a setting that the
    inherited rule does not know) passes the schema and is found by the loader.
    """
    fields = TypeAdapter(Entry).json_schema()["properties"]
    # A file of a user's own calls cards and leaders by any of their names.
    names = {"type": "array", "items": TypeAdapter(Name).json_schema()}
    points = {
        "type": "object",
        "additionalProperties": {"type": "integer", "minimum": 1},
    }
    fields = {**fields, "cards": names, "leaders": names, "points": points}
    entries = [_entry(rule, s, fields) for rule, s in VOCABULARY.items()]
    schema = TypeAdapter(FormatFile).json_schema()
    constraints = {
        "type": "object",
        "description": "New, replaced, changed or (nothing) repealed constraints.",
        "propertyNames": TypeAdapter(Identifier).json_schema(),
        "additionalProperties": {
            "anyOf": [*entries, _change(fields), {"type": "null"}]
        },
    }
    schema["properties"]["constraints"] = constraints
    schema["$defs"]["FormatChange"]["properties"]["constraints"] = constraints
    schema["properties"]["seating"] = {
        **TypeAdapter(Seating).json_schema(),
        "description": "The players of a game, and how many decks one file holds.",
    }
    return schema


def _entry(rule: str, settings: Settings, fields: Schema) -> Schema:
    properties = {name: fields[name] for name in ("statement", *settings.names)}
    schema = {
        "title": rule,
        "description": settings.meaning,
        "type": "object",
        "properties": {"rule": {"const": rule}, **properties},
        "required": ["rule", *settings.required],
        "additionalProperties": False,
    }
    if settings.any_of:
        schema["anyOf"] = [{"required": [name]} for name in settings.any_of]
    return schema


def _change(fields: Schema) -> Schema:
    worth = {"type": ["integer", "null"], "minimum": 1}
    points = {"type": "object", "additionalProperties": worth}
    fields = {**fields, "points": points}
    settings = {
        name: {"anyOf": [field, {"type": "null"}]}
        for name, field in fields.items()
        if name != "rule"
    }
    return {
        "title": "change",
        "description": "Settings that differ from those of the inherited constraint.",
        "type": "object",
        "properties": settings,
        "additionalProperties": False,
        "minProperties": 1,
    }
