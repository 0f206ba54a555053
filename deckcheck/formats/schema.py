"""The JSON Schema of format files."""

from __future__ import annotations

from deckcheck.cards.words import Identifier, Name
from deckcheck.findings.json_schema import Schema, json_schema
from deckcheck.formats.file import FormatFile
from deckcheck.formats.seating import Seating
from deckcheck.formats.vocabulary import VOCABULARY, Entry, Settings


def format_schema() -> Schema:
    """The schema of one file, the vocabulary of its constraints included.

    What only a merged format shows (an entry that changes nothing, a setting that the
    inherited rule does not know) passes the schema and is found by the loader.
    """
    fields = json_schema(Entry)["properties"]
    # A file of a user's own calls cards and leaders by any of their names.
    for key in ("cards", "leaders"):
        fields[key]["items"] = json_schema(Name)
    points = {"type": "integer", "minimum": 1}
    fields["points"] = _points(fields["points"]["description"], points)
    entries = [_entry(rule, s, fields) for rule, s in VOCABULARY.items()]
    schema = json_schema(FormatFile)
    constraints = {
        "type": "object",
        "description": "New, replaced, changed or (nothing) repealed constraints.",
        "propertyNames": json_schema(Identifier),
        "additionalProperties": {
            "anyOf": [*entries, _change(fields), {"type": "null"}]
        },
    }
    schema["properties"]["constraints"] = constraints
    schema["$defs"]["FormatChange"]["properties"]["constraints"] = constraints
    schema["properties"]["seating"] = {
        **json_schema(Seating),
        "description": "The players of a game, and how many decks one file holds.",
    }
    return schema


def _entry(rule: str, settings: Settings, fields: Schema) -> Schema:
    properties = {name: fields[name] for name in ("statement", *settings.names)}
    schema = {
        "title": rule,
        "description": settings.meaning,
        "type": "object",
        "properties": {"rule": {**fields["rule"], "const": rule}, **properties},
        "required": ["rule", *settings.required],
        "additionalProperties": False,
    }
    if settings.any_of:
        schema["anyOf"] = [{"required": [name]} for name in settings.any_of]
    return schema


def _points(description: str, points: Schema) -> Schema:
    """The schema of `points`, those of each card."""
    return {
        "description": description,
        "type": "object",
        "additionalProperties": points,
    }


def _change(fields: Schema) -> Schema:
    text = fields["points"]["description"]
    points = {"type": ["integer", "null"], "minimum": 1}
    fields = {**fields, "points": _points(text, points)}
    settings = {
        name: {
            "description": f"{field['description']} Null removes the setting.",
            "anyOf": [field, {"type": "null"}],
        }
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
