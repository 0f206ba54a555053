"""An option as a field of a spec declares it, once for every command.

A spec is a frozen dataclass of plain values. The command line makes options of its
fields (`cli.options.grouped`), Python keywords (`api.arguments.takes`), and `run.json`
keeps them. This imports little, so that the command line shows its help in no time.
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
    """The properties of an option besides its name in Python and its type.

    It is typed as `flags`, by default `--` and its name. `default` is for those who
    ask; the field itself may have none, or another one for runs that say nothing. A
    number is `least` to `most`, and `why` helps where it is not; `typed_least` is
    refused before anything is read. `shown` is what help shows as the default, and
    `completes` what completes it, of `cli.completing`. `only_one` helps where several
    are typed and the question takes one. On the command line it is `typed` as this
    type, if not as that of the field.
    """

    flags: tuple[str, ...] = ()
    metavar: str | None = None
    help: str
    default: Any = ...
    least: float | None = None
    most: float = 0
    why: str | None = None
    typed_least: int | None = None
    shown: str | None = None
    completes: str | None = None
    only_one: str | None = None
    typed: Any = None

    @property
    def about(self) -> str:
        """Its help, with other options named as in Python and in plans."""
        return re.sub(r"--([a-z-]+)", lambda o: f"`{identifier(o[1])}`", self.help)


class Declared(NamedTuple):
    """A field of a spec that is an option."""

    name: str
    kind: Any
    default: Any
    said: Declaration

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is typed: `--games` and `-n`."""
        return self.said.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def key(self) -> str:
        """Its long name: `confirm-games`."""
        return max(self.flags, key=len).removeprefix("--")

    @property
    def word(self) -> str:
        """Its name as a parameter of a command: `confirm_games`."""
        return self.key.replace("-", "_")

    def check(self, value: float) -> None:
        """Refuse a number that is out of bounds."""
        said = self.said
        if said.least is not None and not said.least <= value <= said.most:
            given = f"{value:g}" if isinstance(value, float) else str(value)
            bounds = f"must be {said.least} to {said.most}"
            raise UsageError(f"{option(self.key)} is {given}, {bounds}", said.why)


def fields_of(kind: Any) -> Iterator[tuple[Field[Any], Any]]:
    """The fields of a dataclass, its own first, with what they are annotated with."""
    hints = get_type_hints(kind, include_extras=True)
    left = {field.name: field for field in fields(kind)}
    for each in kind.__mro__:
        for name in vars(each).get("__annotations__", ()):
            if name in left:
                yield left.pop(name), hints[name]


def declared(spec: type) -> Iterator[Declared]:
    """The options of a spec: its own, and then those of the specs that it extends."""
    for field, hint in fields_of(spec):
        if get_origin(hint) is Annotated:
            plain, said = get_args(hint)
            default = field.default if said.default is ... else said.default
            yield Declared(field.name, plain, default, said)


class Spec:
    """A user's question: its numbers are checked, however they were given."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in declared(type(self)):
            value = getattr(self, each.name)
            if value is not None:
                each.check(value)
