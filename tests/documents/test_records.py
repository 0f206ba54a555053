"""Records from plain data: what is taken, what is reported, and where."""

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

import pytest

from deckcheck.cards import Card, CardAbility, Faction, GameRecord, LeaderRecord
from deckcheck.cards.models import Attribute
from deckcheck.documents.records import Wrong, read_record
from deckcheck.fields import CLOSED, AtLeast, Either, Filled, Form

EITHER = "true or false or a lower-case word"
Word = Annotated[str, Form("[a-z]+", "a lower-case word")]


@dataclass(frozen=True)
class Gem:
    """A record within another."""

    __pydantic_config__ = CLOSED

    colour: Literal["red", "blue"]
    carats: Annotated[int, AtLeast(1)] = 1


@dataclass(frozen=True)
class Crown:
    """A record with every kind of field."""

    __pydantic_config__ = CLOSED

    name: Annotated[str, Filled(10)]
    gems: tuple[Gem, ...] = ()
    marks: tuple[Word, ...] = ()
    price: int | None = None
    owner: Annotated[bool | Word, Either(EITHER)] = False
    notes: dict[Word, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.price == 13:
            raise ValueError("unlucky")


Place = tuple[str | int, ...]


def test_a_full_record() -> None:
    data = {
        "name": "Old",
        "gems": [{"colour": "red"}, {"colour": "blue", "carats": 3}],
        "price": 5,
        "owner": "anna",
        "notes": {"a": [1], "b": None},
    }

    crown, found = read_record(Crown, data)

    assert found == []
    assert crown == Crown(
        "Old", (Gem("red"), Gem("blue", 3)), (), 5, "anna", {"a": [1], "b": None}
    )


DEFECTS: tuple[tuple[dict[str, object], Place, str], ...] = (
    ({"name": 3}, ("name",), "expected text, found `3`"),
    ({"name": " "}, ("name",), "text is missing"),
    ({"name": "x" * 11}, ("name",), "text has 11 characters, at most 10 allowed"),
    ({"gems": {}}, ("gems",), "expected a list, found a mapping"),
    ({"gems": ["red"]}, ("gems", 0), "expected a mapping, found `red`"),
    (
        *({"gems": [{"colour": "green"}]}, ("gems", 0, "colour")),
        "expected `red` or `blue`, found `green`",
    ),
    (
        *({"gems": [{"colour": "red", "carats": 0}]}, ("gems", 0, "carats")),
        "`0` is too small, the minimum is 1",
    ),
    ({"price": True}, ("price",), "expected a whole number, found `true`"),
    ({"price": "5"}, ("price",), "expected a whole number, found `5` in quotes"),
    ({"price": 13}, (), "unlucky"),
    ({"owner": 1}, ("owner",), f"expected {EITHER}, found `1`"),
    ({"owner": "Anna"}, ("owner",), f"expected {EITHER}, found `Anna`"),
    ({"notes": [1]}, ("notes",), "expected a mapping, found a list"),
    ({"gems": None}, ("gems",), "expected a list, found nothing"),
)


def test_defects_of_values() -> None:
    for change, at, message in DEFECTS:
        found = read_record(Crown, {"name": "Old", **change})
        assert found == (None, [Wrong(at, message)]), change


def test_a_single_value_for_a_list_has_a_remedy_if_a_list_of_it_is_right() -> None:
    _, right = read_record(Crown, {"name": "Old", "marks": "deep"})
    _, wrong = read_record(Crown, {"name": "Old", "gems": "red"})

    assert right == [
        Wrong(("marks",), "expected a list, found `deep`", help='Write `["deep"]`')
    ]
    assert wrong == [Wrong(("gems",), "expected a list, found `red`")]

    _, several = read_record(Crown, {"name": 3, "gems": "red", "marks": "deep"})
    helps = {wrong.location: wrong.help for wrong in several}
    assert helps == {("name",): None, ("gems",): None, ("marks",): 'Write `["deep"]`'}


def test_defects_of_keys() -> None:
    old = {"name": "Old"}
    missing = "unknown key `prices`, did you mean `price`?"
    cases: tuple[tuple[dict[str, object], Place, str, bool], ...] = (
        ({}, ("name",), "`name` is missing", False),
        ({**old, "prices": 1}, ("prices",), missing, True),
        ({**old, "x": 1}, ("x",), "unknown key `x`", True),
        ({**old, "notes": {"A": 1}}, ("notes", "A"), "`A` is not a lower-case", True),
    )
    for data, at, message, is_key in cases:
        _, [wrong] = read_record(Crown, data)
        assert (wrong.location, wrong.is_key) == (at, is_key), data
        assert wrong.message.startswith(message), data


def test_abilities_as_written() -> None:
    for value, ability in (
        ("medic", CardAbility("medic")),
        ({"muster": {"group": "crone"}}, CardAbility("muster", group="crone")),
        ({"muster": {"target": "roach"}}, CardAbility("muster", target="roach")),
        ({"horn": {}}, CardAbility("horn")),
    ):
        assert read_record(CardAbility, value) == (ability, []), value
    wrong_values: tuple[object, ...] = (
        *(3, None, [], {}, {"a": {}, "b": {}}, {"muster": None}),
        {"muster": {"code": "x"}},
    )
    for value in wrong_values:
        none, [wrong] = read_record(CardAbility, value)
        found = (none, wrong.location, wrong.message[:20])
        assert found == (None, (), "expected an ability:"), value
    _, [wrong] = read_record(CardAbility, {"muster": {"grup": "crone"}})
    assert wrong == Wrong(("grup",), "unknown key `grup`, did you mean `group`?", True)


@pytest.mark.parametrize(
    "shape", [CardAbility, Attribute, Card, Faction, GameRecord, LeaderRecord]
)
def test_nothing_is_taken_for_something_else(shape: type[Any]) -> None:
    """A mapping of the right keys with wrong types: each value is refused."""
    wrong: dict[str, object] = {field.name: 0.5 for field in fields(shape)}

    _, found = read_record(shape, [wrong] if shape is CardAbility else wrong)

    assert len(found) == (1 if shape is CardAbility else len(wrong))


def test_unknown_keys_hide_nothing() -> None:
    crown, found = read_record(Crown, {"name": "Old", "x": 1, "gems": [{"colur": 1}]})
    assert crown is None
    assert {wrong.location for wrong in found} == {
        ("x",),
        ("gems", 0, "colur"),
        ("gems", 0, "colour"),
    }

    crown, found = read_record(Crown, {"name": "Old", "x": 1, "price": 12})
    assert crown == Crown("Old", price=12)
    assert [wrong.location for wrong in found] == [("x",)]

    crown, found = read_record(Crown, {"name": "Old", "x": 1, "price": 13})
    assert crown is None
    assert [wrong.message for wrong in found] == ["unknown key `x`", "unlucky"]


def test_suggestions_come_from_the_record_that_has_the_key() -> None:
    data = {"name": "Old", "gems": [{"colour": "red", "carat": 2}], "carat": 2}

    _, found = read_record(Crown, data)

    assert {wrong.location: wrong.message for wrong in found} == {
        ("gems", 0, "carat"): "unknown key `carat`, did you mean `carats`?",
        ("carat",): "unknown key `carat`",
    }
