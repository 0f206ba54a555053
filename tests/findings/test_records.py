"""Records are dataclasses to everything that asks, and cannot be changed."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from deckcheck.findings.records import dataclass


@dataclass(frozen=True, slots=True)
class Gem:
    """A record with every kind of field."""

    owner: str
    left: int = 2
    marks: list[str] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.left < 0:
            raise ValueError("fewer than none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A record whose fields are given by name."""

    a: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMore(Named):
    """A record that inherits fields."""

    b: int


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """What the standard decorator makes of the same."""

    owner: str
    left: int = 2


def test_defaults_and_factories() -> None:
    one, other = Gem("a"), Gem("b", 1)

    assert (one.owner, one.left, one.marks) == ("a", 2, [])
    assert (other.owner, other.left) == ("b", 1)
    assert one.marks is not other.marks


def test_what_comes_after_init_runs() -> None:
    with pytest.raises(ValueError, match="fewer than none"):
        Gem("a", -1)


def test_equal_fields_are_equal_records() -> None:
    assert NamedMore(a=1, b=2) == NamedMore(a=1, b=2)
    assert NamedMore(b=2) != NamedMore(b=3)
    assert Named() != 0
    assert {Named(a=1), Named(a=1)} == {Named(a=1)}


def test_shows_its_fields() -> None:
    assert repr(Gem("a", 1)) == "Gem(owner='a', left=1, marks=[])"


def test_cannot_be_changed() -> None:
    gem: Any = Gem("a")

    with pytest.raises(dataclasses.FrozenInstanceError):
        gem.left = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        gem.colour = "red"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del gem.left


@pytest.mark.parametrize("arguments", [(), ("a", 1, [], 3)])
def test_refuses_wrong_arguments_as_the_standard_does(arguments: Any) -> None:
    with pytest.raises(TypeError):
        Standard(*arguments)

    with pytest.raises(TypeError):
        Gem(*arguments)


def test_fields_by_name_only() -> None:
    arguments: Any = (1, 2)

    with pytest.raises(TypeError):
        NamedMore(*arguments)


def test_is_a_dataclass() -> None:
    gem = Gem("a")

    assert dataclasses.is_dataclass(Gem)
    assert [field.name for field in dataclasses.fields(NamedMore)] == ["a", "b"]
    assert dataclasses.replace(gem, left=1) == Gem("a", 1)
    assert dataclasses.asdict(gem) == {"owner": "a", "left": 2, "marks": []}


@pytest.mark.parametrize("record", [Gem("a", 1, ["x"]), NamedMore(a=1, b=2)])
def test_travels_to_other_processes(record: object) -> None:
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record


def test_has_no_dict() -> None:
    assert not hasattr(Gem("a"), "__dict__")
    assert not hasattr(NamedMore(b=1), "__dict__")
