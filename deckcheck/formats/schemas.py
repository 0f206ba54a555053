"""The JSON Schemas of decks, formats and sets, for editors."""

from __future__ import annotations

from deckcheck.cards.models import Card, Identifier, LeaderRecord, Name
from deckcheck.cards.sets import FIXED, SetFile
from deckcheck.decks.lines import MAX_COUNT
from deckcheck.decks.model import HEADERS
from deckcheck.documents.records import JsonSchema, json_schema
from deckcheck.formats.drafts import FormatFile
from deckcheck.formats.model import ConstraintEntry, Seating
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Legality

# The JSON Schema of decks in YAML and JSON, for editors.

_MEANINGS = {
    "name": "What the deck is called.",
    "format": "The format to judge it by, such as gwent/standard.",
    "faction": "Its faction; may be left out, the leader tells it.",
    "leader": "Its leader, with name and title.",
}
_HEADER: JsonSchema = {"type": ["string", "number"]}
_COPIES: JsonSchema = {"type": "integer", "minimum": 1, "maximum": MAX_COUNT}
_CARDS: JsonSchema = {
    "description": "Cards by name with their counts, or a list of card lines.",
    "anyOf": [
        {"type": "object", "additionalProperties": _COPIES},
        {"type": "array", "items": {"type": "string", "pattern": r"\S"}},
    ],
}
_RESERVES: JsonSchema = {
    **_CARDS,
    "description": "Cards beside the deck, in games that have them, as `cards`.",
}
_DECKS: JsonSchema = {
    "description": "The decks of a lineup, a team or a table; headers beside them hold "
    "for each that does not state them itself.",
    "minItems": 1,
    "type": "array",
    "items": {"$ref": "#/$defs/deck"},
}


def deck_schema(formats: list[str]) -> JsonSchema:
    """The schema of a file: one deck, or several under `decks`.

    `formats` are offered by editors; any other text is allowed too. Keys are in lower
    case, though the reader takes any.
    """
    headers = _headers(formats)
    return {
        "title": "deck",
        "description": "A decklist, or several.",
        "type": "object",
        "if": {"required": ["decks"]},
        "then": _closed({**headers, "decks": _DECKS}),
        "else": {"$ref": "#/$defs/deck"},
        "$defs": {"deck": _closed({**headers, "cards": _CARDS, "reserves": _RESERVES})},
    }


def _headers(formats: list[str]) -> JsonSchema:
    headers: JsonSchema = {
        key: {"description": _MEANINGS.get(key, "For your own use."), **_HEADER}
        for key in HEADERS
    }
    headers["format"] = {
        "description": _MEANINGS["format"],
        "anyOf": [{"enum": formats}, {"type": "string"}],
    }
    headers["leader"] = {
        "description": _MEANINGS["leader"],
        "anyOf": [_HEADER, {"type": "array", "items": _HEADER}],
    }
    return headers


def _closed(properties: JsonSchema) -> JsonSchema:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


# The JSON Schema of format files.


def format_schema() -> JsonSchema:
    """The schema of one file, the vocabulary of its constraints included.

    What only a merged format shows (an entry that changes nothing, a setting that the
    inherited rule does not know) passes the schema and is found by the loader.
    """
    fields = json_schema(ConstraintEntry)["properties"]
    # A file of a user's own calls cards and leaders by any of their names.
    for key in ("cards", "leaders"):
        fields[key]["items"] = json_schema(Name)
    points = {"type": "integer", "minimum": 1}
    fields["points"] = _points(fields["points"]["description"], points)
    entries = [_entry(legality, fields) for legality in VOCABULARY.values()]
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
    schema["$defs"]["DatedChange"]["properties"]["constraints"] = constraints
    schema["properties"]["seating"] = {
        **json_schema(Seating),
        "description": "The players of a game, and how many decks one file holds.",
    }
    return schema


def _entry(legality: Legality, fields: JsonSchema) -> JsonSchema:
    rule = {**fields["rule"], "const": legality.word}
    properties = {name: fields[name] for name in ("statement", *legality.settings)}
    schema = {
        "title": legality.word,
        "description": legality.meaning,
        "type": "object",
        "properties": {"rule": rule, **properties},
        "required": ["rule", *legality.required],
        "additionalProperties": False,
    }
    if legality.any_of:
        schema["anyOf"] = [{"required": [name]} for name in legality.any_of]
    return schema


def _points(description: str, points: JsonSchema) -> JsonSchema:
    """The schema of `points`, those of each card."""
    return {
        "description": description,
        "type": "object",
        "additionalProperties": points,
    }


def _change(fields: JsonSchema) -> JsonSchema:
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


# The JSON Schema of a set.

LEFT_OUT = ("number", "provenance")
"""What a set need not say of a card or leader."""


def set_schema() -> JsonSchema:
    """A list of cards, or what is added, changed and removed, see `SetFile`."""
    card, leader = (json_schema(model) for model in (Card, LeaderRecord))
    definitions = {**card.pop("$defs", {}), **leader.pop("$defs", {})}
    for shape in (card, leader):
        shape["required"] = [key for key in shape["required"] if key not in LEFT_OUT]
    change = {"anyOf": [_changes(shape) for shape in (card, leader)]}
    whole = json_schema(SetFile)
    whole["properties"]["cards"]["items"] = card
    whole["properties"]["leaders"]["items"] = leader
    changes = whole["properties"]["change"]
    # The pattern of names would let changes of every form pass.
    del changes["patternProperties"]
    changes["additionalProperties"] = change
    return {"anyOf": [{"type": "array", "items": card}, whole], "$defs": definitions}


def _changes(record: JsonSchema) -> JsonSchema:
    """What may differ in a card or leader that is described by a schema."""
    fields = {k: v for k, v in record["properties"].items() if k not in FIXED}
    return {
        "type": "object",
        "properties": fields,
        "additionalProperties": False,
        "minProperties": 1,
    }
