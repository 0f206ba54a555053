"""`dataclass`, quick to define: thirty classes of them took a tenth of `validate`.

The standard decorator compiles six functions for each frozen class. This one compiles
`__init__` alone and shares the others. What comes of it is a dataclass to everything
that asks: `fields`, `replace`, `asdict`, pydantic, type checkers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass

__all__ = ["dataclass"]

_UNSET = dataclasses.MISSING


def _dataclass(
    *, frozen: Literal[True], slots: Literal[True], kw_only: bool = False
) -> Callable[[type], type]:
    """Turn a class into a frozen, slotted dataclass; both are said for the reader.

    Fields may have defaults and factories; all are given to `__init__`, compared, and
    shown. A `__post_init__` runs.
    """

    def define(cls: type) -> type:
        make: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=True, kw_only=kw_only
        )
        made: type = make(cls)
        own = {"__init__": _initialiser(made, kw_only)}
        for name, method in (_SHARED | own).items():
            setattr(made, name, method)
        return made

    return define


if not TYPE_CHECKING:
    dataclass = _dataclass


def _initialiser(cls: Any, kw_only: bool) -> Any:
    """`__init__`, which fills the slots past the lock of `__setattr__`."""
    scope: dict[str, Any] = {"_UNSET": _UNSET}
    given, lines = [], []
    for field in dataclasses.fields(cls):
        name = field.name
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        value = name
        if field.default_factory is not _UNSET:
            scope[f"_make_{name}"] = field.default_factory
            given.append(f"{name}=_UNSET")
            value = f"_make_{name}() if {name} is _UNSET else {name}"
        elif field.default is not _UNSET:
            scope[f"_default_{name}"] = field.default
            given.append(f"{name}=_default_{name}")
        else:
            given.append(name)
        lines.append(f"    _set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    star = ["*"] if kw_only and given else []
    head = f"def __init__({', '.join(['self', *star, *given])}):\n"
    exec(head + "\n".join(lines), scope)
    return scope["__init__"]


def _values(record: Any) -> tuple[Any, ...]:
    return tuple([getattr(record, name) for name in record.__dataclass_fields__])


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    pairs = zip(self.__dataclass_fields__, _values(self), strict=True)
    shown = ", ".join(f"{name}={value!r}" for name, value in pairs)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse_to_set(self: Any, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field `{name}`")


def _refuse_to_delete(self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field `{name}`")


def _reduce(self: Any) -> Any:
    return _remake, (self.__class__, _values(self))


def _remake(cls: Any, values: tuple[Any, ...]) -> Any:
    return cls(**dict(zip(cls.__dataclass_fields__, values, strict=True)))


_SHARED: dict[str, Callable[..., Any]] = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__reduce__": _reduce,
}
