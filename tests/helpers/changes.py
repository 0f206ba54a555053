"""Records that differ from another in a single place, by what they are made of."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

Place = tuple[str | int, ...]
"""Where a record differs: names of fields, keys and positions."""


def single_changes(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The same with another value at one place, for every place; also one part less."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for place, new in single_changes(
                getattr(value, field.name), (*at, field.name)
            ):
                with suppress(ValueError):  # where fields contradict each other
                    yield place, replace(value, **{field.name: new})
    elif isinstance(value, Mapping):
        kind = MappingProxyType if isinstance(value, MappingProxyType) else dict
        for key in value:
            for place, new in single_changes(value[key], (*at, key)):
                yield place, kind({**value, key: new})
            yield (*at, key, "less"), kind({k: v for k, v in value.items() if k != key})
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            for place, new in single_changes(item, (*at, i)):
                yield place, type(value)([*value[:i], new, *value[i + 1 :]])
            yield (*at, i, "less"), type(value)([*value[:i], *value[i + 1 :]])
    else:
        yield at, another(value)


def another(value: object) -> object:
    """Another value of the same kind."""
    if value is None:
        return "something"
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else f"{value}x"
