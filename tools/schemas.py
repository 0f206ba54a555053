"""JSON Schemas of what people write and deckcheck prints, as `schema` prints them."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeAlias

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from typing_extensions import is_typeddict

from deckcheck.cards.models import Card, Identifier, LeaderRecord, Name
from deckcheck.cards.sets import UNCHANGEABLE_FIELDS, SetFile
from deckcheck.cli.application import all_options
from deckcheck.cli.configuration import file_options
from deckcheck.cli.schema import SCHEMAS, JsonSchemaKind
from deckcheck.config import make_shape
from deckcheck.decks.lines import MAX_COUNT
from deckcheck.decks.words import HEADERS
from deckcheck.formats import format_ids
from deckcheck.formats.drafts import FormatFile
from deckcheck.formats.model import ConstraintEntry, Seating
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Legality
from deckcheck.markup import json_text
from deckcheck.rules import DECK_RULES
from deckcheck.sim.records import list_keys
from deckcheck.studies import named

JsonSchema: TypeAlias = dict[str, Any]

# The JSON Schemas of documents and records, with a description of every field.


class _Described(GenerateJsonSchema):
    """Takes the docstrings of fields, and does without titles made of their names.

    Pydantic's own `use_attribute_docstrings` leaves out inherited fields, and reads the
    sources of records whenever a file is validated, not only when a schema is made.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def typed_dict_schema(self, schema: Any) -> JsonSchema:
        return _described(super().typed_dict_schema(schema), schema.get("cls"))

    def dataclass_schema(self, schema: Any) -> JsonSchema:
        described = _described(super().dataclass_schema(schema), schema["cls"])
        if self.mode == "serialization":
            # What is printed has all of them.
            described["required"] = list(described["properties"])
            for field in described["properties"].values():
                field.pop("default", None)
        return described


def json_schema(shape: Any, mode: JsonSchemaMode = "validation") -> JsonSchema:
    """The JSON Schema of a document or a record; `serialization` as it is printed."""
    return TypeAdapter(shape).json_schema(mode=mode, schema_generator=_Described)


def _described(schema: JsonSchema, shape: type | None) -> JsonSchema:
    texts = {} if shape is None else _docstrings(shape)
    for name, field in schema.get("properties", {}).items():
        if name in texts:
            field["description"] = texts[name]
    return schema


def _docstrings(shape: type) -> dict[str, str]:
    """The docstrings of the fields of a class and of those that it extends.

    Those of the document of a record are the docstrings of that record.
    """
    record = shape.__dict__.get("record")
    if record is not None:
        keys = list_keys(record)
        beside = (key.shown.shape for key in keys if key.is_beside)
        texts = {k: v for base in (record.SHAPE, *beside) for k, v in _of(base).items()}
        own = _docstrings(record)
        return texts | {key.name: own[key.name] for key in keys if not key.is_beside}
    # A TypedDict has the classes that it extends here alone.
    bases = shape.__dict__.get("__orig_bases__", shape.__bases__)
    texts = {}
    for base in bases:
        texts |= _of(base)
    for name, own in vars(shape).items():
        if isinstance(own, property):
            texts[name] = inspect.cleandoc(own.__doc__ or "").replace("\n", " ")
    return texts | _texts_in(sys.modules[shape.__module__]).get(shape.__name__, {})


def _of(base: Any) -> dict[str, str]:
    """The same, where a class has fields."""
    has_fields = is_typeddict(base) or hasattr(base, "__dataclass_fields__")
    return _docstrings(base) if has_fields else {}


@cache
def _texts_in(module: ModuleType) -> dict[str, dict[str, str]]:
    """The docstrings of the fields of all classes of a module, by class and field."""
    return {
        node.name: {
            field.target.id: inspect.cleandoc(text.value.value).replace("\n", " ")
            for field, text in pairwise(node.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.ClassDef)
    }


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


def deck_schema() -> JsonSchema:
    """The schema of a file: one deck, or several under `decks`.

    Formats of ours are offered by editors; any other text is allowed too. Keys are in
    lower case, though the reader takes any.
    """
    headers = _headers()
    return {
        "title": "deck",
        "description": "A decklist, or several.",
        "type": "object",
        "if": {"required": ["decks"]},
        "then": _closed({**headers, "decks": _DECKS}),
        "else": {"$ref": "#/$defs/deck"},
        "$defs": {"deck": _closed({**headers, "cards": _CARDS, "reserves": _RESERVES})},
    }


def _headers() -> JsonSchema:
    headers: JsonSchema = {
        key: {"description": _MEANINGS.get(key, "For your own use."), **_HEADER}
        for key in HEADERS
    }
    headers["format"] = {
        "description": _MEANINGS["format"],
        "anyOf": [{"enum": format_ids()}, {"type": "string"}],
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
        **_closed(settings),
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
    fields = {
        k: v for k, v in record["properties"].items() if k not in UNCHANGEABLE_FIELDS
    }
    return {**_closed(fields), "minProperties": 1}


# The JSON Schema of a configuration.


def config_schema() -> JsonSchema:
    """The schema of a configuration; formats of ours are offered, others allowed."""
    options = list(file_options(all_options()).values())
    schema = make_shape(options).model_json_schema()
    properties = schema["properties"]
    for property_schema in properties.values():
        # What is not said is up to the command line.
        property_schema.pop("default", None)
        property_schema.pop("title", None)
    for option in options:
        if option.has_files:
            pattern = f"^({'|'.join(option.all_words())})(:.+)?$"
            word = {"type": "string", "pattern": pattern}
            properties[option.key]["anyOf"] = [word, {"type": "array", "items": word}]
    format = {"anyOf": [{"enum": format_ids()}, {"type": "string", "pattern": r"\S"}]}
    properties["default-format"] = {
        "description": properties["default-format"]["description"],
        **format,
    }
    properties["formats"]["additionalProperties"] = format
    level = properties["severity"].pop("additionalProperties")
    properties["severity"] |= {
        "properties": {
            rule.name: {"description": f"How much `{rule.name}` weighs.", **level}
            for rule in DECK_RULES
        },
        "patternProperties": {"^[Dd][A-Za-z][0-9]{3}$": level},
        "additionalProperties": False,
    }
    return schema


# The files that are kept.

_MADE = {
    "deck": deck_schema,
    "config": config_schema,
    "set": set_schema,
    "format": format_schema,
}


def schema_of(kind: JsonSchemaKind) -> JsonSchema:
    """The JSON Schema of a kind of file or output."""
    if kind.name in _MADE:
        return _MADE[kind.name]()
    shape = named(kind.record)
    is_read = hasattr(shape, "__dataclass_fields__")
    schema = json_schema(shape, "validation" if is_read else "serialization")
    if kind.is_list:
        definitions = schema.pop("$defs", {})
        return {"type": "array", "items": schema, "$defs": definitions}
    return schema if kind.title is None else {**schema, "title": kind.title}


def text_of(kind: JsonSchemaKind) -> str:
    """The text of its file."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"deckcheck: {kind.description}",
    }
    return json_text({**head, **schema_of(kind)})


def schema_named(name: str) -> JsonSchema:
    """The JSON Schema of the kind of that name."""
    [kind] = [kind for kind in SCHEMAS if kind.name == name]
    return schema_of(kind)
