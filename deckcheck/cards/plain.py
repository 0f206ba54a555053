"""Records as plain data, which JSON can hold, and records made of it again.

A record is kept under the name of its class, with the values of its fields in order; a
mapping as its pairs, so that it keeps its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

_PAIRS = ""
"""What stands for the name of a class where a mapping is kept."""


def plain(value: Any) -> object:
    """A value as JSON can say it: tuples as lists, all else under the name it has."""
    if isinstance(value, tuple):
        return [plain(element) for element in value]
    if isinstance(value, Mapping):
        return {_PAIRS: [[key, plain(element)] for key, element in value.items()]}
    names = getattr(value, "__dataclass_fields__", None)
    if names is None:
        return value
    return {type(value).__name__: [plain(getattr(value, name)) for name in names]}


def rebuilt(data: object, records: Sequence[type]) -> Any:
    """The value that `plain` was given, if its records are of the classes `records`.

    Raises ValueError or TypeError for data that are of something else.
    """
    if isinstance(data, list):
        return tuple(rebuilt(element, records) for element in data)
    if not isinstance(data, dict):
        return data
    [(name, values)] = data.items()
    if name == _PAIRS:
        return MappingProxyType(
            {key: rebuilt(element, records) for key, element in values}
        )
    [record] = [record for record in records if record.__name__ == name]
    names = record.__dataclass_fields__  # type: ignore[attr-defined]
    inner = (rebuilt(value, records) for value in values)
    return record(**dict(zip(names, inner, strict=True)))
