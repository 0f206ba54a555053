"""An option as a field of a spec declares it, once for all who ask for it.

A spec is a frozen dataclass of plain values. The command line makes options of its
fields (`cli.options.grouped`), Python keywords (`api.arguments.takes`), and `run.json`
keeps them. This imports little, so that the command line shows its help in no time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from deckcheck.findings import UsageError
from deckcheck.messages import option


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What is known of an option besides its name in Python and its type.

    `default` is for those who ask; the field itself may have none, or another one for
    runs that say nothing. A number is `least` to `most`, and `why` helps where it is
    not; `typed_least` is refused before anything is read. `shown` is what help shows
    as the default, and `completes` what completes it, of `cli.completing`. `only_one`
    helps where several are typed and the question takes one. On the command line it is
    `typed` as this type, if not as that of the field.
    """

    flags: tuple[str, ...]
    metavar: str | None = None
    help: str
    default: Any = ...
    least: float | None = None
    most: float = 0
    why: str | None = None
    typed_least: int | None = None
    shown: str | bool = True
    completes: str | None = None
    only_one: str | None = None
    typed: Any = None

    @property
    def key(self) -> str:
        """Its long name: `confirm-games`."""
        return max(self.flags, key=len).removeprefix("--")

    def check(self, value: float) -> None:
        """Refuse a number that is out of bounds."""
        if self.least is not None and not self.least <= value <= self.most:
            given = f"{value:g}" if isinstance(value, float) else str(value)
            bounds = f"must be {self.least} to {self.most}"
            raise UsageError(f"{option(self.key)} is {given}, {bounds}", self.why)


class Declared(NamedTuple):
    """A field of a spec that is an option."""

    name: str
    kind: Any
    default: Any
    said: Declaration

    @property
    def word(self) -> str:
        """Its name as a parameter of a command: `confirm_games`."""
        return self.said.key.replace("-", "_")


def declared(spec: type) -> Iterator[Declared]:
    """The options of a spec: its own, and then those of the specs that it extends."""
    hints = get_type_hints(spec, include_extras=True)
    left = {field.name: field for field in fields(spec)}
    for kind in spec.__mro__:
        for name in vars(kind).get("__annotations__", ()):
            field = left.pop(name, None)
            if field is None or get_origin(hints[name]) is not Annotated:
                continue
            plain, said = get_args(hints[name])
            default = field.default if said.default is ... else said.default
            yield Declared(name, plain, default, said)


class Spec:
    """What a user asks: its numbers are checked, however they were given."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in declared(type(self)):
            value = getattr(self, each.name)
            if value is not None:
                each.said.check(value)
