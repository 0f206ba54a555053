"""Compares the facts of a position with the expected ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckcheck.scenarios.models import CardCount, Record, expand

ORDERED = ("deck", "board")
"""Keys whose lists are compared in order."""

Way = tuple[str, ...]


def stated(value: Any) -> Any:
    """A part of `expect` as plain data, with nothing but what the file states."""
    if isinstance(value, Record):
        return {key: stated(getattr(value, key)) for key in value.model_fields_set}
    if isinstance(value, Mapping):
        return {key: stated(part) for key, part in value.items()}
    if isinstance(value, tuple):
        if value and all(isinstance(part, CardCount) for part in value):
            return expand(value)
        return [stated(part) for part in value]
    return value


def disagreements(
    expected: Mapping[str, Any], facts: Mapping[str, Any], way: Way = ()
) -> Iterator[tuple[Way, Any, Any]]:
    """Every stated value that is not what came: its way in the file, and both."""
    for key, wanted in expected.items():
        came = facts.get(key)
        here = (*way, key)
        if isinstance(wanted, Mapping) and wanted and isinstance(came, Mapping):
            yield from disagreements(wanted, came, here)
        elif not _agrees(wanted, came, is_ordered=key in ORDERED):
            yield here, wanted, came


def _agrees(wanted: Any, came: Any, *, is_ordered: bool) -> bool:
    if isinstance(wanted, Mapping) and isinstance(came, Mapping):
        # Nothing stated of a whole mapping: all of it is empty.
        return not any(came.values()) if not wanted else _is_part(wanted, came)
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return _same_items(wanted, came, is_ordered=is_ordered)
    return type(wanted) is type(came) and bool(wanted == came)


def _is_part(wanted: Mapping[str, Any], came: Mapping[str, Any]) -> bool:
    return all(key in came and came[key] == part for key, part in wanted.items())


def _same_items(wanted: Sequence[Any], came: Any, *, is_ordered: bool) -> bool:
    if not isinstance(came, Sequence) or len(wanted) != len(came):
        return False
    if is_ordered:
        return list(wanted) == list(came)
    left = list(came)
    for item in wanted:
        for index, other in enumerate(left):
            if _agrees(item, other, is_ordered=False):
                del left[index]
                break
        else:
            return False
    return True
