"""Where a key stands in a TOML text: tomllib reads values and forgets their places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckcheck.findings import Position

__all__ = ["place_of"]

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*\[\[?\s*(?P<keys>{_KEYS})\s*\]")
_ENTRY = re.compile(rf"\s*(?P<keys>{_KEYS})\s*=")
_PART = re.compile(_KEY)
_LONG_QUOTE = re.compile(r'"""|\'\'\'')


def place_of(text: str, keys: tuple[str, ...]) -> Position:
    """Line and column of the key at the end of `keys`.

    A key of an inline table has the place of the nearest key around it.
    """
    best, depth = Position(1, 1), 0
    for found, place in _keys(text):
        if found[: len(keys)] == keys:
            return place
        if keys[: len(found)] == found and len(found) > depth:
            best, depth = place, len(found)
    return best


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Every table header and every key that starts a line, with all keys above it."""
    table: tuple[str, ...] = ()
    open_quote = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not open_quote:
            header = _HEADER.match(line)
            entry = None if header else _ENTRY.match(line)
            match = header or entry
            if match is not None:
                parts = tuple(_bare(part) for part in _PART.findall(match["keys"]))
                table = parts if header else table
                found = parts if header else (*table, *parts)
                yield found, Position(number, match.start("keys") + 1)
        for quote in _LONG_QUOTE.findall(line):
            if not open_quote:
                open_quote = quote
            elif quote == open_quote:
                open_quote = ""


def _bare(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key
