"""Tells files of our own from decks, by what they say of themselves.

A document says at its beginning which tool wrote it, a letter has its checksum at the
end, and formats, sets and scenarios have keys that no deck has. Everything else is a
deck, or `looks` says what else.
"""

from __future__ import annotations

import re
from hashlib import sha256

HEAD = 65_536
"""How many bytes of a file are looked at."""

SIGN = "Checksum of this letter: "
DIGITS = 16

OUTPUT = "an output of deckcheck"
LETTER = "a letter of deckcheck"
DATA = "a format, a set of cards or a scenario"
SETTINGS = "a configuration or an event"

_TOOL = r'"name"\s*:\s*"deckcheck"'
_JSON = re.compile(
    r"\{\s*(?:"
    # Documents; runs, which name the engine too.
    r'"schema_version"\s*:\s*\d+\s*,\s*"tool"\s*:\s*\{\s*'
    rf'(?:{_TOOL}|"version"\s*:\s*"[^"]*"\s*,\s*"engine"\s*:)'
    # Seals of 0.2.0 and of 0.1.0, which organisers keep.
    r'|"schema_version"\s*:\s*\d+\s*,\s*"seals"\s*:\s*\['
    r'|(?:"schema_version"\s*:\s*1\s*,\s*)?"event"\s*:\s*"[^"]*"\s*,\s*"lists"\s*:'
    # SARIF and Reviewdog's format have places of their own for it.
    r'|"\$schema"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"[^"]*"\s*,\s*"runs"\s*:\s*\[\s*'
    rf'\{{\s*"tool"\s*:\s*\{{\s*"driver"\s*:\s*\{{\s*{_TOOL}'
    rf'|"source"\s*:\s*\{{\s*{_TOOL}'
    r'|"\$schema"\s*:\s*"[^"]*json-schema\.org/)'
)

_KEY = re.compile(r"^([A-Za-z_-]+)\s*:", re.MULTILINE)
_RECORD = re.compile(
    r"^[ \t]*- id[ \t]*:[^\n]*\n(?:[ \t]+\w+[ \t]*:[^\n]*\n){0,9}?"
    r"[ \t]+(?:kind|ability)[ \t]*:",
    re.MULTILINE,
)
_OF_DECKS = frozenset({"decks", "faction", "leader", "name"})
_OF_DATA = frozenset(
    {
        *("constraints", "extends", "history"),
        *("change", "remove"),
        *("expect", "moves"),
    }
)


def checksum(text: str) -> str:
    """What the last line of a letter says of the lines above it."""
    data = text.encode("utf-8", errors="backslashreplace")
    return sha256(data).hexdigest()[:DIGITS]


def own_kind(text: str, path: str) -> str | None:
    """What a file of our own is, by its first lines; None for anything else.

    What has no file, as `<stdin>`, is what it is given as.
    """
    name = path.lower()
    if name.endswith(".toml"):
        return SETTINGS
    if name.startswith("<"):
        return None
    shown = text.lstrip("\ufeff \t\r\n")
    if _JSON.match(shown):
        return OUTPUT
    if _is_letter(text):
        return LETTER
    return DATA if name.endswith((".yaml", ".yml")) and _is_data(shown) else None


def _is_letter(text: str) -> bool:
    """Whether a text is a letter as it was written, and nothing else."""
    above, sign, last = text.rpartition(SIGN)
    return bool(sign) and last.rstrip() == checksum(above)


def _is_data(text: str) -> bool:
    """Whether YAML has keys of ours, and none of a deck."""
    keys = set(_KEY.findall(text))
    if keys & _OF_DECKS:
        return False
    if "cards" in keys or "leaders" in keys or not keys:
        return _RECORD.search(text) is not None
    return bool(keys & _OF_DATA)
