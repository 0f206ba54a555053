"""The command `schema`, and what every schema says of its fields."""

import copy
import io
import json
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from typing import Any

import jsonschema
import pytest
from helpers.commands import stdout_of

from deckcheck.cards import card_db_root
from deckcheck.cli.schema import OUTPUTS, SCHEMAS, schema
from deckcheck.documents.readers import read_yaml
from tools.schemas import schema_named

# `deckcheck schema`: our own files fit, broken ones do not.

Captured = pytest.CaptureFixture[str]


@cache
def make_validator(what: str) -> jsonschema.Draft202012Validator:
    """Return a validator with the printed schema."""
    with redirect_stdout(io.StringIO()) as printed:
        schema(what)
    content = json.loads(printed.getvalue())
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


def fits(what: str, data: object) -> bool:
    return bool(make_validator(what).is_valid(data))


def test_our_files_fit(capsys: Captured) -> None:
    for what, files in {
        **{what: [f"{what}.yaml"] for what in ("game", "cards", "leaders")},
        "format": ["formats/standard.yaml", "formats/free_for_all.yaml"],
        "names": ["names/it.yaml", "names/ru.yaml"],
    }.items():
        for file in files:
            data = read_yaml((card_db_root() / "gwent" / file).read_bytes()).data
            assert fits(what, data), file
    assert not fits("names", {"cards": {}})
    deck = card_db_root().parent / "decks" / "gwent" / "standard" / "mo_swarm.deck"
    for way in ("yaml", "json"):
        converted = stdout_of(capsys, "convert", str(deck), "--to", way)
        assert fits("deck", read_yaml(converted).data), way


CARD = (
    "{{id: x, number: 1, name: X, faction: f, kind: unit, copies: 1, provenance: p, "
    "abilities: {}}}"
)
OF_A_SET = (
    "- {id: white_wolf, name: The White Wolf, faction: neutral, kind: hero, "
    "rows: [close], strength: 15, abilities: [medic], copies: 1}"
)
EVENT = "name: Cup, date: 2025-12-06, format: gwent/advanced@2025-10, lists: lists"
FITTING = {
    "set": (OF_A_SET,),  # numbers may be left out
    "card": (
        CARD.format("[medic]"),
        CARD.format("[muster: {group: crone}]"),
        CARD.format("[{muster: {target: roach}}]"),
        CARD.format("[]"),
    ),
    "deck": (
        "{name: Siege, leader: Foltest, cards: {Ballista: 2}}",
        "{leader: [Foltest, Emhyr], faction: NR, cards: [2 Ballista, Geralt]}",
        "{format: ./league.yaml, note: 7, cards: {}}",
        "{player: Anna, decks: [{cards: {Ballista: 2}}, {leader: Emhyr}]}",
    ),
    "event": (f"{{{EVENT}, players: [Anna]}}",),
}
BROKEN = {
    "card": ("{id: x}",),
    "cards": ("{}", OF_A_SET),
    "format": (
        "{title: x, constraints: {spies: {max: two}}}",
        "{title: x, constraints: {spies: {rule: limit}}}",
        "{title: x, constraints: {spies: {}}}",
        "{title: x, colour: red}",
        "{title: x, seating: {play: chess}}",
        "{title: x, seating: {min_decks: 0}}",
        "{title: x, seating: {chairs: 3}}",
    ),
    "deck": (
        *("[]", "{colour: red, cards: {}}", "{cards: Ballista}", "{name: [a]}"),
        *(f"{{cards: {{Ballista: {count}}}}}" for count in ("0", "1000", "two")),
        *("{cards: [3]}", "{decks: []}", "{decks: [{decks: []}]}"),
    ),
    "event": (
        f"{{{EVENT}, players: [Anna], place: here}}",
        f"{{{EVENT}, players: Anna}}",
    ),
}
CONFIGURATIONS = (
    'exclude = ["drafts"]\nfail-on = "warning"\nquiet = 1\ncard-db = "cards"',
    '[formats]\n"league/**" = "./league.yaml"\n[severity]\nrepeated-card = "off"',
    'extend = "../shared.toml"\nrule = "ban Scorch"\nno-suppress = true',
)
BROKEN_CONFIGURATIONS = (
    *("colour = 1", 'fail-on = "never"', 'format = "gwent/standard"', "quiet = true"),
    *("[formats]\na = 1", '[severity]\nrepeated-cards = "off"'),
    '[severity]\nDL103 = "loud"',
)


def test_what_fits_and_what_is_broken() -> None:
    for texts, is_right in ((FITTING, True), (BROKEN, False)):
        for what, of_kind in texts.items():
            for text in of_kind:
                assert fits(what, read_yaml(text).data) == is_right, text
        for text in CONFIGURATIONS if is_right else BROKEN_CONFIGURATIONS:
            assert fits("config", tomllib.loads(text)) == is_right, text


# Every field of every schema is described, and outputs have the limits they need.

NAMES = [kind.name for kind in SCHEMAS]
DATA = ("const", "default", "enum", "required")
EXAMPLES = {
    r"^(?:[a-z][a-z0-9_]* [0-9]+(\.[0-9]+)*)$": "gwent 1.2",
    "^[0-9a-f]{12}$": "0123456789ab",
    "^[0-9a-f]{64}$": "0123456789abcdef" * 4,
    "^D[A-Z][0-9]{3}$": "DL101",
}
RUN = {"stopping", "challengers", "bot_error"}
TABLE = {"pairs", "rounds", "margins", "by_turn", "sets", "rounds_mean", "turns_mean"}
TABLE |= {"places_intervals", "points_intervals", "games_played", "games_drawn"}
TABLE |= {"first_choice", "seat_1_first", "seat_2_first", "chose_first", "value"}
TABLE |= {"decks"}
SIMULATION = {*RUN, *TABLE, "selections", "chances_from", "lineups"}
SIMULATION |= {"matchups", "standings", "opponents_met"}
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
    "redraws": ("own.share", "redraws.0.kept.win_rate"),
    "tune": ("search.expected_win_rate", "validation.field.win_rate.win_rate"),
    "build": ("search.expected_win_rate", "validation.field.difference.difference"),
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


def example(
    schema: dict[str, Any], definitions: dict[str, Any], within: tuple[str, ...] = ()
) -> Any:
    """A document with all the fields of a schema, optional ones too.

    One that may hold another of its kind holds one, which holds no more.
    """
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return example(definitions[name], definitions, (*within, name))
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "anyOf" in schema:
        first = schema["anyOf"][-1 if is_again(schema["anyOf"][0], within) else 0]
        return example(first, definitions, within)
    if schema["type"] == "object":
        parts = schema.get("properties", {}).items()
        return {
            name: example(part, definitions, within)
            for name, part in parts
            if not is_again(part, within)
        }
    if schema["type"] == "array":
        count = schema.get("minItems", 1)
        parts = schema.get("prefixItems") or [schema["items"]] * count
        return [example(part, definitions, within) for part in parts]
    plain = {"integer": 1, "number": 0.5, "boolean": True, "null": None}
    return plain.get(schema["type"], EXAMPLES.get(schema.get("pattern", ""), "text"))


def is_again(schema: dict[str, Any], within: tuple[str, ...]) -> bool:
    """Whether this is a kind of document within which it is."""
    return schema.get("$ref", "").rsplit("/", 1)[-1] in within


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


@pytest.mark.parametrize("name", RATES)
def test_a_rate_above_1_is_refused(name: str) -> None:
    schema = schema_named(name)
    validator = jsonschema.Draft202012Validator(schema)
    for place in RATES[name]:
        document = example(schema, schema["$defs"])
        validator.validate(document)
        *_, last = path = tuple(place.split("."))

        above = parent(document, path)
        above[int(last) if isinstance(above, list) else last] = 1.5
        assert not validator.is_valid(document), place
