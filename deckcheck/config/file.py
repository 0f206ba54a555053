"""One configuration file: its table, and what is wrong with it at which line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from deckcheck.config.discovery import PYPROJECT
from deckcheck.config.lines import place_of
from deckcheck.decks.discovery import shown_path
from deckcheck.findings import Position, UsageError
from deckcheck.findings.words import quote, sentence

__all__ = ["ConfigFile", "open_config"]

MAX_BYTES = 2**20

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as read: `table` is what it says to deckcheck, below the keys `base`."""

    file: Path
    text: str
    table: dict[str, object]
    base: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The folder that its paths and patterns start from."""
        return self.file.parent

    def place(self, *keys: str) -> str:
        """`deckcheck.toml:3`: where a key stands."""
        line = place_of(self.text, (*self.base, *keys)).line
        return f"{shown_path(self.file)}:{line}"

    def error(self, message: str, help: str | None, *keys: str) -> UsageError:
        """Misuse at the place of a key."""
        place = place_of(self.text, (*self.base, *keys))
        return _error(self.file, place, message, help)


def open_config(file: Path) -> ConfigFile:
    """Read a configuration file; UsageError if it cannot be read, or is no TOML."""
    try:
        with file.open("rb") as stream:
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
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        content = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        help = "Save the file as UTF-8"
        raise _error(file, Position(line, 1), "this is not UTF-8", help) from None
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(file, text, str(error)) from None
    except RecursionError:
        message = "brackets are nested too deeply"
        raise _error(file, Position(1, 1), message, None) from None
    base = ("tool", "deckcheck") if file.name == PYPROJECT else ()
    return ConfigFile(file, text, _table(file, text, content, base), base)


def _table(
    file: Path, text: str, content: dict[str, object], base: tuple[str, ...]
) -> dict[str, object]:
    table: object = content
    for key in base:
        table = table.get(key) if isinstance(table, dict) else None
    if isinstance(table, dict):
        return table
    message = "there is no table `[tool.deckcheck]`"
    raise _error(file, place_of(text, base), message, None)


def _syntax_error(file: Path, text: str, message: str) -> UsageError:
    found = _WHERE.search(message)
    place = Position(text.count("\n") + 1, 1)
    if found is not None and found[1]:
        place = Position(int(found[1]), int(found[2]))
    return _error(file, place, _WHERE.sub("", message), None)


def _error(file: Path, place: Position, message: str, help: str | None) -> UsageError:
    where = f"{shown_path(file)}:{place.line}:{place.column}"
    return UsageError(f"{where}: {message}", sentence(help) if help else None)
