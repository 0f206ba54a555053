"""Turns plain data into records: frozen dataclasses whose annotations are the rules.

Pydantic reads the same annotations where a JSON Schema is wanted. It is not used here
because importing it and building its validators takes longer than all the rest of
validating a deck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from deckcheck.findings.documents.wording import did_you_mean, show

__all__ = ["Place", "Report", "structure"]

T = TypeVar("T")
Place = tuple[str | int, ...]


Report = Callable[[Place, str, bool], None]
"""Takes a place, what is wrong, and whether the key is meant and not its value."""

_Reader = Callable[[object, Place, Report], Any]
_INVALID: Any = object()
_WORDS = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    NoneType: "nothing",
    tuple: "a list",
    dict: "a mapping",
}


def structure(shape: type[T], data: object, at: Place, report: Report) -> T | None:
    """The record of type `shape` that `data` describes; None after reporting defects.

    All defects are reported, each with its place below `at`. Fields may be text, whole
    numbers, bool, Literal, unions of these with or without None, tuples of any length,
    dicts with text keys, `object` and other records. Annotated adds checks, such as
    those of `deckcheck.findings.documents.checks`. A record may have a class method
    `from_file` that rewrites what a file says, and may raise ValueError there and in
    `__post_init__`. Unknown keys are defects, and no type is converted to another.
    """
    wanted: Any = shape
    result = _reader(wanted)(data, at, report)
    return None if result is _INVALID else result


@cache
def _reader(shape: Any) -> _Reader:
    origin = get_origin(shape)
    if origin is Annotated:
        return _checked(_reader(shape.__origin__), shape.__metadata__)
    make = _COLLECTIONS.get(origin)
    if make is not None:
        return make(*get_args(shape))
    return _record(shape) if is_dataclass(shape) else _scalar(shape)


def _scalar(wanted: type) -> _Reader:
    def read(value: object, at: Place, report: Report) -> Any:
        if type(value) is wanted or wanted is object:
            return value
        report(at, f"expected {_WORDS[wanted]}, found {show(value)}", False)
        return _INVALID

    return read


def _checked(read_value: _Reader, checks: tuple[Any, ...]) -> _Reader:
    def read(value: object, at: Place, report: Report) -> Any:
        result = read_value(value, at, report)
        if result is not _INVALID:
            for check in checks:
                message = check.complaint(result)
                if message:
                    report(at, message, False)
                    return _INVALID
        return result

    return read


def _choice(*choices: str) -> _Reader:
    def read(value: object, at: Place, report: Report) -> Any:
        if isinstance(value, str) and value in choices:
            return value
        expected = " or ".join(f"`{choice}`" for choice in choices)
        report(at, f"expected {expected}, found {show(value)}", False)
        return _INVALID

    return read


def _union(*shapes: Any) -> _Reader:
    readers = {_base(shape): _reader(shape) for shape in shapes}
    words = " or ".join(_WORDS[base] for base in readers if base is not NoneType)

    def read(value: object, at: Place, report: Report) -> Any:
        reader = readers.get(type(value))
        if reader is not None:
            return reader(value, at, report)
        report(at, f"expected {words}, found {show(value)}", False)
        return _INVALID

    return read


def _base(shape: Any) -> Any:
    if get_origin(shape) is Annotated:
        shape = shape.__origin__
    base: Any = get_origin(shape) or shape
    return str if base is Literal else base


def _list(shape: Any, _: object) -> _Reader:
    read_item = _reader(shape)

    def read(value: object, at: Place, report: Report) -> Any:
        if not isinstance(value, list):
            report(at, f"expected a list, found {show(value)}", False)
            return _INVALID
        items = [read_item(item, (*at, i), report) for i, item in enumerate(value)]
        return _INVALID if _INVALID in items else tuple(items)

    return read


def _mapping(key_shape: Any, shape: Any) -> _Reader:
    read_key, read_item = _reader(key_shape), _reader(shape)

    def read(value: object, at: Place, report: Report) -> Any:
        if not isinstance(value, dict):
            report(at, f"expected a mapping, found {show(value)}", False)
            return _INVALID

        def report_key(at: Place, message: str, is_key: bool) -> None:
            report(at, message, True)

        keys = [read_key(key, (*at, key), report_key) for key in value]
        items = [read_item(item, (*at, key), report) for key, item in value.items()]
        is_good = _INVALID not in keys and _INVALID not in items
        return dict(zip(keys, items, strict=True)) if is_good else _INVALID

    return read


def _record(shape: Any) -> _Reader:
    hints = get_type_hints(shape, include_extras=True)
    readers = {field.name: _reader(hints[field.name]) for field in fields(shape)}
    required = [field.name for field in fields(shape) if _is_required(field)]
    rewrite = getattr(shape, "from_file", None)

    def read(value: object, at: Place, report: Report) -> Any:
        try:
            data = rewrite(value) if rewrite else value
            if not isinstance(data, dict):
                report(at, f"expected a mapping, found {show(value)}", False)
                return _INVALID
            given = _read_fields(data, readers, at, report)
            missing = [name for name in required if name not in data]
            for name in missing:
                report((*at, name), f"`{name}` is missing", True)
            return _INVALID if missing or given is None else shape(**given)
        except ValueError as error:
            report(at, str(error), False)
            return _INVALID

    return read


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read_fields(
    data: dict[str, object], readers: dict[str, _Reader], at: Place, report: Report
) -> dict[str, object] | None:
    given: dict[str, object] = {}
    is_good = True
    for key, value in data.items():
        reader = readers.get(key)
        if reader is None:
            hint = did_you_mean(key, readers)
            report((*at, key), f"unknown key `{key}`{hint}", True)
            is_good = False
        else:
            given[key] = reader(value, (*at, key), report)
            is_good = is_good and given[key] is not _INVALID
    return given if is_good else None


_COLLECTIONS: dict[object, Callable[..., _Reader]] = {
    Literal: _choice,
    Union: _union,
    UnionType: _union,
    tuple: _list,
    dict: _mapping,
}
