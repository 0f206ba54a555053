"""Digests tell data apart, and nothing else."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from deckcheck.files import short_digest
from deckcheck.findings import Position


def test_is_the_same_everywhere() -> None:
    assert short_digest(["Eithné", 1, True, None]) == "c9b5188b43ed"


def test_the_order_of_keys_does_not_matter() -> None:
    one, other = {"a": 1, "b": [2]}, MappingProxyType({"b": (2,), "a": 1})

    assert short_digest(one) == short_digest(other)


def test_records_count_by_their_fields() -> None:
    assert short_digest(Position(1, 2)) == short_digest([1, 2])


@pytest.mark.parametrize(
    ("one", "other"),
    [([1], ["1"]), ([1], [True]), ([[], 1], [[1]]), ({"a": 1}, {"a": 2}), ("", None)],
)
def test_tells_data_apart(one: object, other: object) -> None:
    assert short_digest(one) != short_digest(other)
