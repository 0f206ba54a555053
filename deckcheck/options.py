"""Declare each option once, as a field of a spec.

A spec is a frozen dataclass of plain values. The command line makes options of its
fields (`cli.options.group_options`), Python keywords (`api.arguments.takes`), and
`run.json` keeps them. This imports little, so that the command line shows its help
quickly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from deckcheck.findings import UsageError
from deckcheck.messages import identifier, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The properties of an option besides its name in Python and its type."""

    flags: tuple[str, ...] = ()
    """How it is written on the command line, by default `--` and its name."""
    metavar: str | None = None
    """How help shows its value."""
    help: str
    """The sentence that explains it."""
    default: Any = ...
    """The default of commands. The field itself may have another default, or none."""
    bounds: tuple[float, float] | None = None
    """The smallest and the largest number that are allowed."""
    bounds_help: str | None = None
    """The help for a number that is not allowed."""
    cli_least: int | None = None
    """The smallest number that is accepted before anything is read."""
    shown: str | None = None
    """How help shows the default."""
    completes: str | None = None
    """The function of `cli.completing` that completes its value."""
    single_help: str | None = None
    """The help for several values of a question that takes one."""
    cli_type: Any = None
    """The type on the command line, if it is not the type of the field."""

    @property
    def about(self) -> str:
        """The help, with other options named as in Python and in plans."""
        return re.sub(r"--([a-z-]+)", lambda o: f"`{identifier(o[1])}`", self.help)


class Declared(NamedTuple):
    """A field of a spec that is an option."""

    name: str
    kind: Any
    default: Any
    declaration: Declaration

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is written on the command line: `--games` and `-n`."""
        return self.declaration.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def long_name(self) -> str:
        """Its long name: `cross-check-games`."""
        return max(self.flags, key=len).removeprefix("--")

    @property
    def parameter(self) -> str:
        """Its name as a parameter of a command: `cross_check_games`."""
        return self.long_name.replace("-", "_")

    def check(self, value: float) -> None:
        """Refuse a number that is out of bounds."""
        bounds = self.declaration.bounds
        if bounds is None or bounds[0] <= value <= bounds[1]:
            return
        least, most = bounds
        given = f"{value:g}" if isinstance(value, float) else str(value)
        message = f"{option(self.long_name)} is {given}, must be {least} to {most}"
        raise UsageError(message, self.declaration.bounds_help)


def iterate_fields(kind: Any) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the fields of a dataclass with their annotations.

    The fields of the class itself come before inherited fields.
    """
    hints = get_type_hints(kind, include_extras=True)
    remaining = {field.name: field for field in fields(kind)}
    for base in kind.__mro__:
        for name in vars(base).get("__annotations__", ()):
            if name in remaining:
                yield remaining.pop(name), hints[name]


def iterate_options(spec: type) -> Iterator[Declared]:
    """Yield the options of a spec, and then the options of the specs it extends."""
    for field, hint in iterate_fields(spec):
        if get_origin(hint) is Annotated:
            kind, declaration = get_args(hint)
            default = declaration.default
            if default is ...:
                default = field.default
            yield Declared(field.name, kind, default, declaration)


class Spec:
    """A user's question: its numbers are checked, however they were given."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in iterate_options(type(self)):
            value = getattr(self, each.name)
            if value is not None:
                each.check(value)
