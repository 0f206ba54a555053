"""One configuration file: its table, and what is wrong with it at which line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck.config.discovery import PYPROJECT
from deckcheck.decks.discovery import shown_path
from deckcheck.findings import Position, UsageError
from deckcheck.findings.documents import Document, DocumentError
from deckcheck.findings.documents.toml_reader import read_toml
from deckcheck.findings.documents.validating import Wrong
from deckcheck.findings.files import open_file
from deckcheck.findings.words import joined, quote, sentence

MAX_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as read: `table` is what it says to deckcheck, below the keys `base`."""

    file: Path
    document: Document
    table: dict[str, object]
    base: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The folder that its paths and patterns start from."""
        return self.file.parent

    def place(self, *keys: str) -> str:
        """`deckcheck.toml:3`: where a key stands."""
        line = self.document.key_span((*self.base, *keys)).start.line
        return f"{shown_path(self.file)}:{line}"

    def start(self, *keys: str | int) -> str:
        """`deckcheck.toml:3:9`: where a value begins."""
        start = self.document.span((*self.base, *keys)).start
        return f"{shown_path(self.file)}:{start.line}:{start.column}"

    def error(self, message: str, help: str | None, *keys: str) -> UsageError:
        """Misuse at the place of a key."""
        return self.errors([Wrong(keys, message, True, help)])

    def errors(self, wrongs: Sequence[Wrong]) -> UsageError:
        """Misuse at several places, on a line each."""
        places = sorted((self._start(wrong), wrong.message) for wrong in wrongs)
        lines = [_line(self.file, place, message) for place, message in places]
        return UsageError("\n".join(lines), joined(wrong.help for wrong in wrongs))

    def _start(self, wrong: Wrong) -> Position:
        find = self.document.key_span if wrong.is_key else self.document.span
        return find((*self.base, *wrong.at)).start


def open_config(file: Path) -> ConfigFile:
    """Read a configuration file; UsageError if it cannot be read, or is no TOML."""
    try:
        with open_file(file) as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"Cannot read {quote(shown_path(file))}: {reason}"
        raise UsageError(message) from error
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"{quote(shown_path(file))} is too large to be a configuration"
        )
    try:
        document = read_toml(data)
    except DocumentError as error:
        raise _error(file, error.span.start, error.message, error.help) from None
    base = ("tool", "deckcheck") if file.name == PYPROJECT else ()
    return ConfigFile(file, document, _table(file, document, base), base)


def _table(file: Path, document: Document, base: tuple[str, ...]) -> dict[str, object]:
    table = document.data
    for key in base:
        table = table.get(key) if isinstance(table, dict) else None
    if isinstance(table, dict):
        return table
    message = "there is no table `[tool.deckcheck]`"
    raise _error(file, document.key_span(base).start, message, None)


def _error(file: Path, place: Position, message: str, help: str | None) -> UsageError:
    return UsageError(_line(file, place, message), sentence(help) if help else None)


def _line(file: Path, place: Position, message: str) -> str:
    return f"{shown_path(file)}:{place.line}:{place.column}: {message}"
