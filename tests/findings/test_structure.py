"""Records from plain data: what is taken, what is reported, and where."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from deckcheck.cards import Ability, Card, Game, Leader
from deckcheck.findings.documents import Place, structure
from deckcheck.findings.documents.checks import AtLeast, Filled, Form


@dataclass(frozen=True)
class Gem:
    """A record within another."""

    colour: Literal["red", "blue"]
    carats: Annotated[int, AtLeast(1)] = 1


@dataclass(frozen=True)
class Crown:
    """A record with every kind of field."""

    name: Annotated[str, Filled(10)]
    gems: tuple[Gem, ...] = ()
    price: int | None = None
    owner: bool | Annotated[str, Form("[a-z]+", "a lower-case word")] = False
    notes: dict[Annotated[str, Form("[a-z]+", "a lower-case word")], object] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        if self.price == 13:
            raise ValueError("unlucky")


def read(shape: type[Any], data: object) -> tuple[Any, list[tuple[Place, str, bool]]]:
    found: list[tuple[Place, str, bool]] = []

    def report(at: Place, message: str, is_key: bool) -> None:
        found.append((at, message, is_key))

    return structure(shape, data, (), report), found


def test_a_full_record() -> None:
    data = {
        "name": "Old",
        "gems": [{"colour": "red"}, {"colour": "blue", "carats": 3}],
        "price": 5,
        "owner": "anna",
        "notes": {"a": [1], "b": None},
    }

    crown, found = read(Crown, data)

    assert found == []
    assert crown == Crown(
        "Old", (Gem("red"), Gem("blue", 3)), 5, "anna", {"a": [1], "b": None}
    )


@pytest.mark.parametrize(
    ("change", "at", "message"),
    [
        ({"name": 3}, ("name",), "expected text, found `3`"),
        ({"name": " "}, ("name",), "text is missing"),
        ({"name": "x" * 11}, ("name",), "text has 11 characters, 10 are allowed"),
        ({"gems": {}}, ("gems",), "expected a list, found a mapping"),
        ({"gems": ["red"]}, ("gems", 0), "expected a mapping, found `red`"),
        (
            {"gems": [{"colour": "green"}]},
            ("gems", 0, "colour"),
            "expected `red` or `blue`, found `green`",
        ),
        (
            {"gems": [{"colour": "red", "carats": 0}]},
            ("gems", 0, "carats"),
            "`0` is too small, the least is 1",
        ),
        ({"price": True}, ("price",), "expected a whole number, found `true`"),
        ({"price": "5"}, ("price",), "expected a whole number, found `5`"),
        ({"price": 13}, (), "unlucky"),
        ({"owner": 1}, ("owner",), "expected true or false or text, found `1`"),
        ({"owner": "Anna"}, ("owner",), "`Anna` is not a lower-case word"),
        ({"notes": [1]}, ("notes",), "expected a mapping, found a list"),
        ({"gems": None}, ("gems",), "expected a list, found nothing"),
    ],
)
def test_defects_of_values(change: dict[str, object], at: Place, message: str) -> None:
    crown, found = read(Crown, {"name": "Old", **change})

    assert crown is None
    assert found == [(at, message, False)]


@pytest.mark.parametrize(
    ("data", "at", "message"),
    [
        ({}, ("name",), "`name` is missing"),
        (
            {"name": "Old", "prices": 1},
            ("prices",),
            "unknown key `prices`, did you mean `price`?",
        ),
        ({"name": "Old", "x": 1}, ("x",), "unknown key `x`"),
        ({"name": "Old", "notes": {"A": 1}}, ("notes", "A"), "`A` is not a lower-case"),
    ],
)
def test_defects_of_keys(data: object, at: Place, message: str) -> None:
    crown, [(place, found, is_key)] = read(Crown, data)

    assert crown is None
    assert (place, is_key) == (at, True)
    assert found.startswith(message)


def test_all_defects_are_found() -> None:
    _, found = read(Crown, {"gems": [{"colour": 1}, 2], "x": 3})

    assert [at for at, _, _ in found] == [
        ("gems", 0, "colour"),
        ("gems", 1),
        ("x",),
        ("name",),
    ]


@pytest.mark.parametrize(
    ("value", "ability"),
    [
        ("medic", Ability("medic")),
        ({"muster": {"group": "crone"}}, Ability("muster", group="crone")),
        ({"muster": {"target": "roach"}}, Ability("muster", target="roach")),
        ({"horn": {}}, Ability("horn")),
    ],
)
def test_abilities_as_written(value: object, ability: Ability) -> None:
    assert read(Ability, value) == (ability, [])


@pytest.mark.parametrize(
    "value",
    [3, None, [], {}, {"a": {}, "b": {}}, {"muster": None}, {"muster": {"code": "x"}}],
)
def test_abilities_badly_written(value: object) -> None:
    ability, [(at, message, _)] = read(Ability, value)

    assert ability is None
    assert (at, message[:20]) == ((), "expected an ability:")


SOUND: dict[type[Any], dict[str, object]] = {
    Card: {
        "id": "a",
        "number": 1,
        "name": "A",
        "faction": "f",
        "kind": "k",
        "copies": 1,
        "provenance": "p",
    },
    Leader: {
        "id": "a",
        "number": 1,
        "name": "A",
        "title": "T",
        "faction": "f",
        "ability": "x",
        "passive": True,
        "provenance": "p",
    },
    Game: {
        "id": "a",
        "name": "A",
        "edition": "e",
        "factions": [],
        "neutral": None,
        "kinds": [],
        "unit_kinds": [],
        "rows": [],
        "abilities": [],
        "provenances": [],
    },
}
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "A b"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "id", "values"]), inner, max_size=2)
    ),
    max_leaves=4,
)


class TestAgainstPydantic:
    """Pydantic, which makes the JSON Schemas, reads the same from the same types."""

    @given(st.sampled_from([Card, Leader, Game]), st.data())
    def test_types_of_fields(self, shape: type[Any], data: st.DataObject) -> None:
        sound = SOUND[shape]
        # A file writes abilities in its own way.
        names = sorted({*shape.__dataclass_fields__, "colour"} - {"abilities"})
        changes = data.draw(st.dictionaries(st.sampled_from(names), JUNK, max_size=2))
        record, _ = read(shape, {**sound, **changes})

        if record is not None:
            assert accepts(shape, {**sound, **changes})

    def test_unknown_keys(self) -> None:
        assert not accepts(Ability, {"code": "a", "x": 1})


def accepts(shape: type[Any], data: object) -> bool:
    try:
        TypeAdapter(shape).validate_json(json.dumps(data), strict=True)
    except ValidationError:
        return False
    return True
