"""Every field of every schema is described, and outputs have the limits they need."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from deckcheck.cli.schema import OUTPUTS, SCHEMAS, schema_named

NAMES = [kind.name for kind in SCHEMAS]
DATA = ("const", "default", "enum", "required")
EXAMPLES = {
    "^[0-9a-f]{12}$": "0123456789ab",
    "^[0-9a-f]{64}$": "0123456789abcdef" * 4,
    "^D[A-Z][0-9]{3}$": "DL101",
}
RUN = {"stopping", "challengers"}
TABLE = {"pairs", "rounds", "margins", "by_turn", "sets", "rounds_mean", "turns_mean"}
TABLE |= {"places_intervals", "points_intervals", "games_played", "games_drawn"}
TABLE |= {"first_choice", "seat_1_first", "seat_2_first", "chose_first", "value"}
TABLE |= {"decks"}
SIMULATION = {*RUN, *TABLE, "selections", "chances_from", "lineups"}
SIMULATION |= {"matchups", "standings"}
OPTIONAL = {
    "simulate": SIMULATION,
    "expect": SIMULATION,
    "formats-output": {"differences"},
    **dict.fromkeys(
        ("compare", "impact", "tune", "build", "solve", "solve-lineups", "balance"), RUN
    ),
    "losses": RUN,
    "redraws": RUN,
}
"""Fields that a document may do without."""

RATES = {
    "simulate": ("matchups.0.win_rate_a", "tables.0.win_share.0"),
    "compare": ("versions.0.win_rate", "differences.0.difference", "margin"),
    "expect": ("expectations.0.low", "expectations.0.rates.0.win_rate"),
    "impact": ("cards.0.observed.0.win_rate",),
    "redraws": ("own.share", "cards.0.kept.win_rate"),
    "tune": ("search.expected_win_rate", "proof.field.win_rate.win_rate"),
    "build": ("search.expected_win_rate", "proof.field.difference.difference"),
    "solve": ("field.0.share", "against.win_rate", "bound"),
    "solve-lineups": ("lineups.0.fresh.win_rate", "meetings.0.share"),
    "balance": ("targets.0.before.win_rate", "cards.0.use", "choices.0.share"),
    "stats": ("decks.0.odds.0.opening",),
    "changes": ("changes.0.before.win_rate", "changes.0.difference"),
    "losses": ("kinds.0.share", "signs.0.wins.share"),
    "meta": ("players.0.share", "players.0.answer.win_rate", "misfit"),
}
"""Fields that are a rate, a share or a difference of two, 1 at most."""


def fields(schema: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields at any depth of a schema, with the way to them."""
    if isinstance(schema, list):
        for part in schema:
            yield from fields(part, path)
    if not isinstance(schema, dict):
        return
    for key, part in schema.items():
        if key == "properties":
            for name, field in part.items():
                yield f"{path}.{name}", field
                yield from fields(field, f"{path}.{name}")
        elif key == "$defs":
            for name, definition in part.items():
                yield from fields(definition, name)
        elif key not in DATA:
            yield from fields(part, path)


def example(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """A document with all the fields of a schema, optional ones too."""
    if "$ref" in schema:
        return example(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "anyOf" in schema:
        return example(schema["anyOf"][0], definitions)
    if schema["type"] == "object":
        parts = schema.get("properties", {}).items()
        return {name: example(part, definitions) for name, part in parts}
    if schema["type"] == "array":
        return [example(schema["items"], definitions)] * schema.get("minItems", 1)
    plain = {"integer": 1, "number": 0.5, "boolean": True}
    return plain.get(schema["type"], EXAMPLES.get(schema.get("pattern", ""), "text"))


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a document."""
    if path:
        yield path
    if isinstance(document, dict | list):
        keys = document if isinstance(document, dict) else range(len(document))
        for key in keys:
            yield from places(document[key], (*path, key))


def parent(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        document = document[int(key) if isinstance(document, list) else key]
    return document


@pytest.mark.parametrize("name", NAMES)
def test_every_field_has_a_description(name: str) -> None:
    described = {
        path: field.get("description", "") for path, field in fields(schema_named(name))
    }

    assert len(described) > 2
    bare = [path for path, text in described.items() if not text.endswith(".")]
    assert bare == []


@pytest.mark.parametrize("name", [kind.name for kind in OUTPUTS])
def test_what_is_missing_or_of_a_wrong_type_is_refused(name: str) -> None:
    schema = schema_named(name)
    validator = jsonschema.Draft202012Validator(schema)
    document = example(schema, schema.get("$defs", {}))
    validator.validate(document)

    optional = set()
    for path in places(document):
        less, wrong = copy.deepcopy(document), copy.deepcopy(document)
        inner = parent(less, path)
        if isinstance(inner, dict):
            del inner[path[-1]]
            optional |= {path[-1]} if validator.is_valid(less) else set()
        if not isinstance(parent(document, path)[path[-1]], dict):
            parent(wrong, path)[path[-1]] = {"neither": "text nor number"}
            assert not validator.is_valid(wrong), path
    assert optional == OPTIONAL.get(name, set())


@pytest.mark.parametrize(
    ("name", "place"),
    [(name, place) for name, several in RATES.items() for place in several],
)
def test_a_rate_above_1_is_refused(name: str, place: str) -> None:
    schema = schema_named(name)
    document = example(schema, schema["$defs"])
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(document)
    *_, last = path = tuple(place.split("."))

    above = parent(document, path)
    above[int(last) if isinstance(above, list) else last] = 1.5
    assert not validator.is_valid(document)
