"""Constraints on fields of records, for pydantic: `Annotated[int, AtLeast(1)]`.

Pydantic asks these for its schemas when it first validates a record. Until then nobody
imports it: records are also made of what was validated before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler as Handler
    from pydantic_core import CoreSchema

CLOSED = {"extra": "forbid"}
"""The `__pydantic_config__` of records: unknown keys are refused."""


class AtLeast(NamedTuple):
    """A whole number that is not smaller."""

    least: int

    def __get_pydantic_core_schema__(self, _: object, __: Handler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.int_schema(strict=True, ge=self.least)


class Filled(NamedTuple):
    """A text with something in it, and not too much."""

    longest: int

    def __get_pydantic_core_schema__(self, _: object, __: Handler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.str_schema(
            strict=True, min_length=1, max_length=self.longest, pattern=r"\S"
        )


class Form(NamedTuple):
    """A text that matches a pattern as a whole; `kind` says in words what it is."""

    pattern: str
    kind: str

    def __get_pydantic_core_schema__(self, _: object, __: Handler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.custom_error_schema(
            core_schema.str_schema(strict=True, pattern=f"^(?:{self.pattern})$"),
            custom_error_type="form",
            custom_error_message="expected {kind}",
            custom_error_context={"kind": self.kind},
        )


class Either(NamedTuple):
    """One of several types, told in words; one message instead of one for each type."""

    words: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: Handler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.custom_error_schema(
            handler(source),
            custom_error_type="either",
            custom_error_message="expected {words}",
            custom_error_context={"words": self.words},
        )
