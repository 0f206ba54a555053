"""A file of the project or of a user, and the defects found in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from copy import deepcopy
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from deckcheck.findings.documents.model import (
    MAX_BYTES,
    Document,
    DocumentError,
    Location,
    Text,
)
from deckcheck.findings.documents.yaml_reader import read_yaml
from deckcheck.findings.files import open_file
from deckcheck.findings.finding import Span
from deckcheck.findings.words import printable

T = TypeVar("T")


class Defect(NamedTuple):
    """Something wrong at one place of a file; as text `path:line:column: message`."""

    path: str
    span: Span
    message: str

    def __str__(self) -> str:
        start = self.span.start
        return printable(f"{self.path}:{start.line}:{start.column}: {self.message}")


class SourceError(ValueError):
    """A file that cannot be read at all, with the defect that says why."""

    def __init__(self, defect: Defect) -> None:
        super().__init__(str(defect))
        self.defect = defect


class Source(NamedTuple):
    """A document and the path under which messages name its file."""

    path: str
    document: Document

    @classmethod
    def open(
        cls,
        file: Path | None,
        path: str,
        read: Callable[[bytes], Document] = read_yaml,
    ) -> Source:
        """Read the file; SourceError if it is unreadable or no document.

        None is standard input.
        """
        try:
            with (
                nullcontext(sys.stdin.buffer) if file is None else open_file(file) as s
            ):
                content = s.read(MAX_BYTES + 1)
        except OSError as error:
            message = f"file cannot be read: {error.strerror or error}"
            raise SourceError(Defect(path, Text("").span(0), message)) from None
        try:
            return cls(path, read(content))
        except DocumentError as error:
            raise SourceError(Defect(path, error.span, error.message)) from None

    def part(self, key: str) -> Source:
        """The value of a key of a document that is a mapping."""
        return Source(self.path, self.document.part(key))

    def defect(self, location: Location, message: str) -> Defect:
        """A defect of the value at `location`."""
        return Defect(self.path, self.document.span(location), message)

    def key_defect(self, location: Location, message: str) -> Defect:
        """A defect of the last key on the way to `location`."""
        return Defect(self.path, self.document.key_span(location), message)

    def read(
        self, shape: type[T], data: object, at: Location, defects: list[Defect]
    ) -> T | None:
        """The record that `data`, which stands at `at`, describes.

        What is wrong is added to `found`. None if that leaves no record; one with
        unknown keys is still a record, see `validated`.
        """
        from deckcheck.findings.documents.validating import validated

        record, wrongs = validated(shape, data)
        for wrong in wrongs:
            defect = self.key_defect if wrong.is_key else self.defect
            defects.append(defect((*at, *wrong.at), wrong.message))
        return record

    def read_what_is_right(
        self, shape: type[T], defects: list[Defect], instead: Mapping[str, object]
    ) -> T | None:
        """The record that the document describes, without what is wrong in it.

        What is wrong is added to `found`, and the rest can be checked further: the
        value of a key is left out, a list as a whole. `instead` are values of keys that
        a record must have. None if nothing is left.
        """
        from deckcheck.findings.documents.validating import validated

        data = self.document.data
        record = self.read(shape, data, (), defects)
        if record is not None or not isinstance(data, dict):
            return record
        rest = deepcopy(data)
        for wrong in validated(shape, data)[1]:
            _leave_out(rest, wrong.at)
        return validated(shape, {**instead, **rest})[0]


def _leave_out(data: dict[str, Any], at: Location) -> None:
    """Remove the value at a place, or the list that it is in."""
    keys = list(takewhile(lambda part: isinstance(part, str), at))
    for key in keys[:-1]:
        inner = data.get(str(key))
        if not isinstance(inner, dict):
            break
        data = inner
    if keys:
        data.pop(str(keys[-1]), None)
