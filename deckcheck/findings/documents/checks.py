"""Checks that annotations of records carry: `Annotated[int, AtLeast(1)]`.

Pydantic asks them for what they mean in a JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from deckcheck.findings.documents.wording import show

__all__ = ["AtLeast", "Filled", "Form"]

JsonSchema = dict[str, Any]


class AtLeast:
    """A whole number must not be smaller."""

    def __init__(self, least: int) -> None:
        self.least = least

    def complaint(self, value: int) -> str | None:
        """What is wrong with the number, if anything."""
        if value >= self.least:
            return None
        return f"{show(value)} is too small, the least is {self.least}"

    def __get_pydantic_json_schema__(
        self, schema: object, handler: Callable[[object], JsonSchema]
    ) -> JsonSchema:
        return {**handler(schema), "minimum": self.least}


class Filled:
    """A text must have something in it, and not too much."""

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def complaint(self, value: str) -> str | None:
        """What is wrong with the text, if anything."""
        if not value.strip():
            return "text is missing"
        if len(value) > self.longest:
            return f"text has {len(value)} characters, {self.longest} are allowed"
        return None

    def __get_pydantic_json_schema__(
        self, schema: object, handler: Callable[[object], JsonSchema]
    ) -> JsonSchema:
        return {**handler(schema), "minLength": 1, "maxLength": self.longest}


class Form:
    """A text must match a pattern as a whole; `kind` says in words what it is then."""

    def __init__(self, pattern: str, kind: str) -> None:
        self.pattern = pattern
        self.kind = kind
        self._matches = re.compile(pattern).fullmatch

    def complaint(self, value: str) -> str | None:
        """What is wrong with the text, if anything."""
        if self._matches(value):
            return None
        return f"{show(value)} is not {self.kind}"

    def __get_pydantic_json_schema__(
        self, schema: object, handler: Callable[[object], JsonSchema]
    ) -> JsonSchema:
        return {**handler(schema), "pattern": f"^(?:{self.pattern})$"}
