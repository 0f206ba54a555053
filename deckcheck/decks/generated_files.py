"""Files of deckcheck's own, which are not decks: outputs, letters, formats, settings.

A document names its tool at the beginning, a letter has its checksum at the end, and
formats, sets and scenarios have keys that no deck has.
"""

from __future__ import annotations

import re
from hashlib import sha256

from deckcheck.messages import option

HEAD_BYTES = 65_536
"""The bytes at the start of a file by which its kind is found."""

LETTER_SIGN = "Checksum of this letter: "
CHECKSUM_DIGITS = 16

OUTPUT_KIND = "an output of deckcheck"
LETTER_KIND = "a letter of deckcheck"
DATA_KIND = "a format, a set of cards or a scenario"
SETTINGS_KIND = "a configuration or an event"

_TOOL_NAME = r'"name"\s*:\s*"deckcheck"'
_RULE_CODE = r'"D[A-Z]\d{3}'
_OUR_JSON = re.compile(
    # Findings for GitLab, and their numbers. An empty list may be a broken deck.
    rf'\[\s*\{{\s*"(?:description|code)"\s*:\s*{_RULE_CODE}'
    r"|\{\s*(?:"
    # Findings a line.
    rf'"code"\s*:\s*{_RULE_CODE}|'
    # Documents and runs, which name the engine too.
    r'"schema_version"\s*:\s*\d+\s*,\s*"tool"\s*:\s*\{\s*'
    rf'(?:{_TOOL_NAME}|"version"\s*:\s*"[^"]*"\s*,\s*"engine"\s*:)'
    # SARIF and Reviewdog's format have places of their own for it.
    r'|"\$schema"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"[^"]*"\s*,\s*"runs"\s*:\s*\[\s*'
    rf'\{{\s*"tool"\s*:\s*\{{\s*"driver"\s*:\s*\{{\s*{_TOOL_NAME}'
    rf'|"source"\s*:\s*\{{\s*{_TOOL_NAME}'
    r'|"\$schema"\s*:\s*"[^"]*json-schema\.org/)'
)

_YAML_KEY = re.compile(r"^([A-Za-z_-]+)\s*:", re.MULTILINE)
_CARD_RECORD = re.compile(
    r"^[ \t]*- id[ \t]*:[^\n]*\n(?:[ \t]+\w+[ \t]*:[^\n]*\n){0,9}?"
    r"[ \t]+(?:kind|ability)[ \t]*:",
    re.MULTILINE,
)
_DECK_KEYS = frozenset({"decks", "faction", "leader", "name"})
_DATA_KEYS = frozenset(
    {"constraints", "extends", "history", "change", "remove", "expect", "moves"}
)


def hash_letter(text: str) -> str:
    """Return the hash that the last line of a letter has, of the lines above it."""
    data = text.encode("utf-8", errors="backslashreplace")
    return sha256(data).hexdigest()[:CHECKSUM_DIGITS]


def find_generated_kind(text: str, path: str) -> str | None:
    """Return the kind of a file of deckcheck's own, else None.

    Settings are known by their suffix, other kinds by the first lines of `text`, and
    letters by their last line. A text without a file, such as `<stdin>`, is always a
    deck.
    """
    name = path.lower()
    if name.endswith(".toml"):
        return SETTINGS_KIND
    if name.startswith("<"):
        return None
    shown = text.lstrip("\ufeff \t\r\n")
    if _OUR_JSON.match(shown):
        return OUTPUT_KIND
    if _is_letter(text):
        return LETTER_KIND
    if name.endswith((".yaml", ".yml")) and _is_data(shown):
        return DATA_KIND
    return None


def describe_generated_file(text: str, path: str) -> tuple[str, str] | None:
    """Return the kind of a file of deckcheck's own, and a remedy, else None."""
    kind = find_generated_kind(text, path)
    if kind is None:
        return None
    return kind, f"Name a deck, or leave the file out with {option('exclude')}"


def _is_letter(text: str) -> bool:
    """Report whether a text is a letter as it was written, and nothing else."""
    above, sign, last = text.rpartition(LETTER_SIGN)
    return bool(sign) and last.rstrip() == hash_letter(above)


def _is_data(text: str) -> bool:
    """Report whether YAML has keys of a format, set or scenario, and none of a deck."""
    keys = set(_YAML_KEY.findall(text))
    if keys & _DECK_KEYS:
        return False
    if "cards" in keys or "leaders" in keys or not keys:
        return _CARD_RECORD.search(text) is not None
    return bool(keys & _DATA_KEYS)
