"""The JSON Schema of decks in YAML and JSON, for editors."""

from __future__ import annotations

from deckcheck.decks.cardlines import MAX_COUNT
from deckcheck.decks.headers import HEADERS
from deckcheck.findings.shapes import Schema, list_of, mapping_of

__all__ = ["deck_schema"]

_MEANINGS = {
    "name": "What the deck is called.",
    "format": "The format to judge it by, such as gwent/standard.",
    "faction": "Its faction; may be left out, the leader tells it.",
    "leader": "Its leader, with name and title.",
}
_HEADER: Schema = {"type": ["string", "number"]}
_CARDS: Schema = {
    "description": "Cards by name with their counts, or a list of card lines.",
    "anyOf": [
        mapping_of({"type": "integer", "minimum": 1, "maximum": MAX_COUNT}),
        list_of({"type": "string", "pattern": r"\S"}),
    ],
}


def deck_schema(formats: list[str]) -> Schema:
    """The schema of a file: one deck, or several under `decks`.

    `formats` are offered by editors; any other text is allowed too. Keys are in lower
    case, though the reader takes any.
    """
    headers: Schema = {
        key: {"description": _MEANINGS.get(key, "For your own use."), **_HEADER}
        for key in HEADERS
    }
    headers["format"] = {
        "description": _MEANINGS["format"],
        "anyOf": [{"enum": formats}, {"type": "string"}],
    }
    headers["leader"] = {
        "description": _MEANINGS["leader"],
        "anyOf": [_HEADER, list_of(_HEADER)],
    }
    deck: Schema = {
        "type": "object",
        "properties": {**headers, "cards": _CARDS},
        "additionalProperties": False,
    }
    several: Schema = {
        "type": "object",
        "properties": {
            **headers,
            "decks": {
                "description": "The decks of a lineup, a team or a table; headers "
                "beside them hold for each that does not state them itself.",
                "minItems": 1,
                **list_of({"$ref": "#/$defs/deck"}),
            },
        },
        "required": ["decks"],
        "additionalProperties": False,
    }
    one: Schema = {"$ref": "#/$defs/deck"}
    return {
        "title": "deck",
        "description": "A decklist, or several.",
        "type": "object",
        "if": {"required": ["decks"]},
        "then": several,
        "else": one,
        "$defs": {"deck": deck},
    }
