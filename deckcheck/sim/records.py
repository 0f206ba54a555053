"""Results as documents: dataclasses with the keys of JSON as their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from types import new_class
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    get_args,
    get_origin,
)
from typing import get_type_hints as hints_of

from typing_extensions import TypedDict

from deckcheck.documents.records import Share
from deckcheck.sim.documents import (
    ClaimDocument,
    EffectDocument,
    MeanRate,
    RunDocument,
    WinRate,
)
from deckcheck.sim.figures import (
    Claim,
    effect,
    figure_value,
    mean_rate,
    plain,
    win_rate,
)
from deckcheck.sim.result_document import make_closing, make_opening
from deckcheck.sim.result_header import ResultHeader
from deckcheck.stats import Estimate

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


class Shown(NamedTuple):
    """The conversion of a value for a document: `made(value)`, of the type `shape`.

    With `beside`, its keys are merged into the keys of its record.
    """

    made: Callable[[Any], Any]
    shape: Any
    beside: bool = False

    def __get_pydantic_core_schema__(
        self, _: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return handler.generate_schema(self.shape)


HIDDEN_FIELD = "hidden"
"""The annotation of a field that is no key."""

Rate = Annotated[Estimate, Shown(win_rate, WinRate)]
RateBeside = Annotated[Estimate, Shown(win_rate, WinRate, beside=True)]
"""A win rate, as a mapping or as keys of its record."""

RateAlone = Annotated[Estimate, Shown(figure_value, Share)]
"""The value of a rate; its interval is a key of its own, or none."""

MeanBeside = Annotated[Estimate, Shown(mean_rate, MeanRate, beside=True)]
"""A mean of win rates."""

SHOWN_EFFECT = Shown(effect, EffectDocument)
EFFECT_BESIDE = Shown(effect, EffectDocument, beside=True)
"""A difference of win rates, likewise."""

ShownClaim = Annotated[Claim, Shown(Claim.as_data, ClaimDocument)]
"""A claim of an answer."""

Shares = Annotated[
    tuple[tuple[str, float], ...], Shown(lambda s: plain(dict(s)), dict[str, Share])
]
"""Shares by name."""


class Record:
    """A dataclass that is part of a document. Its keys are `KEYS`, or else all fields.

    A key is a field or a property. Its annotation is its type in the schema, and its
    docstring, that below a field, the description.
    """

    __slots__ = ()

    KEYS: ClassVar[tuple[str, ...]] = ()
    FIRST: ClassVar[tuple[str, ...]] = ()
    """The keys before `KEYS`, which all subclasses share."""
    SHAPE: ClassVar[Any] = TypedDict
    """The `TypedDict` that the type of the document extends."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, as `deckcheck schema` describes it."""
        document: dict[str, Any] = {}
        record: Any = type(self)
        for key in list_keys(record):
            value = key.plain(getattr(self, key.name))
            document |= value if key.is_beside else {key.name: value}
        return document

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        record: Any = cls
        return handler.generate_schema(_make_shape(record))


class StudyResult(ResultHeader, Record):
    """The result of a study: `KEYS` follow the head of all documents about games."""

    __slots__ = ()

    FIRST = ("schema_version", "answer")
    SHAPE = RunDocument
    schema_version: ClassVar[int]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as `deckcheck schema` describes it."""
        version = {"schema_version": self.schema_version}
        head = {**make_opening(self), **make_closing(self)}
        return version | head | Record.to_dict(self)


@dataclass(frozen=True, slots=True)
class NamedRate(Record):
    """The win rate of a deck, or against a deck."""

    name: str
    """The name of the deck."""
    rate: RateBeside


@dataclass(frozen=True, slots=True)
class NamedMean(Record):
    """A mean win rate of a deck, or against a deck."""

    name: str
    """The name of the deck."""
    rate: MeanBeside


class _Key(NamedTuple):
    name: str
    hint: Any
    shown: Shown | None

    @property
    def is_beside(self) -> bool:
        return self.shown is not None and self.shown.beside

    def plain(self, value: Any) -> Any:
        """Return a value as the document holds it."""
        if value is None or self.shown is None:
            return plain(value)
        is_each = get_origin(self.hint) is tuple
        return [*map(self.shown.made, value)] if is_each else self.shown.made(value)


@cache
def list_keys(record: Any) -> tuple[_Key, ...]:
    """Return the keys of a record, by the annotations of its fields and properties."""
    hints = hints_of(record, include_extras=True)
    keys = []
    for name in (*record.FIRST, *(record.KEYS or [f.name for f in fields(record)])):
        attribute = getattr(record, name, None)
        if isinstance(attribute, property):
            hints[name] = hints_of(attribute.fget, include_extras=True)["return"]
        if get_origin(hints[name]) is ClassVar:
            [hints[name]] = get_args(hints[name])
        if HIDDEN_FIELD not in getattr(hints[name], "__metadata__", ()):
            keys.append(_Key(name, hints[name], next(_find_shown(hints[name]), None)))
    return tuple(keys)


def _find_shown(hint: Any) -> Iterator[Shown]:
    """Yield how a value, or each of its elements, appears in a document."""
    yield from (
        each for each in getattr(hint, "__metadata__", ()) if type(each) is Shown
    )
    for part in get_args(hint):
        yield from _find_shown(part)


@cache
def _make_shape(record: Any) -> Any:
    """Return the type of a record's document, which pydantic makes the schema from."""
    hints: dict[str, Any] = {}
    for key in list_keys(record):
        if key.shown is not None and key.shown.beside:
            shape = key.shown.shape
            is_record = isinstance(shape, type) and issubclass(shape, Record)
            shape = _make_shape(shape) if is_record else shape
            hints |= hints_of(shape, include_extras=True)
        else:
            hints[key.name] = key.hint
    about = {
        "__annotations__": hints,
        "__module__": record.__module__,
        "record": record,
    }
    about["__doc__"] = record.__doc__.partition("\n\n")[0]
    return new_class(record.__name__, (record.SHAPE,), {}, lambda at: at.update(about))
