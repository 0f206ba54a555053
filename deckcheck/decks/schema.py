"""The JSON Schema of decks in YAML and JSON, for editors."""

from __future__ import annotations

from deckcheck.decks.cardlines import MAX_COUNT
from deckcheck.decks.headers import HEADERS
from deckcheck.findings.json_schema import Schema

_MEANINGS = {
    "name": "What the deck is called.",
    "format": "The format to judge it by, such as gwent/standard.",
    "faction": "Its faction; may be left out, the leader tells it.",
    "leader": "Its leader, with name and title.",
}
_HEADER: Schema = {"type": ["string", "number"]}
_COPIES: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_COUNT}
_CARDS: Schema = {
    "description": "Cards by name with their counts, or a list of card lines.",
    "anyOf": [
        {"type": "object", "additionalProperties": _COPIES},
        {"type": "array", "items": {"type": "string", "pattern": r"\S"}},
    ],
}
_RESERVES: Schema = {
    **_CARDS,
    "description": "Cards beside the deck, in games that have them, as `cards`.",
}
_DECKS: Schema = {
    "description": "The decks of a lineup, a team or a table; headers beside them hold "
    "for each that does not state them itself.",
    "minItems": 1,
    "type": "array",
    "items": {"$ref": "#/$defs/deck"},
}


def deck_schema(formats: list[str]) -> Schema:
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


def _headers(formats: list[str]) -> Schema:
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
        "anyOf": [_HEADER, {"type": "array", "items": _HEADER}],
    }
    return headers


def _closed(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
