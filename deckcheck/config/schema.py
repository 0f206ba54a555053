"""The JSON Schema of `deckcheck.toml`, for editors."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.config.settings import LEVELS, Option
from deckcheck.findings.shapes import FLAG, TEXT, Schema, list_of, mapping_of
from deckcheck.rules import ALL_RULES

__all__ = ["config_schema"]

_LEVEL: Schema = {"enum": list(LEVELS)}
_SEVERITY: Schema = {
    "description": "How much findings weigh, by name or code.",
    "type": "object",
    "properties": {rule.name: _LEVEL for rule in ALL_RULES},
    "patternProperties": {"^[Dd][A-Za-z][0-9]{3}$": _LEVEL},
    "additionalProperties": False,
}
_KINDS: dict[type, Schema] = {bool: FLAG, int: {"type": "integer"}}


def config_schema(options: Sequence[Option], formats: Sequence[str]) -> Schema:
    """The schema of a file that may set `options`; `formats` are those to offer."""
    format: Schema = {"anyOf": [{"enum": list(formats)}, TEXT]}
    properties: Schema = {
        "extend": {"description": "Another file to build on.", **TEXT},
        "default-format": {
            "description": "The format of decks that name none.",
            **format,
        },
        "formats": {
            "description": "Formats by pattern of paths; the first that matches.",
            **mapping_of(format),
        },
        "severity": _SEVERITY,
        **{option.key: _option(option) for option in options},
    }
    return {
        "title": "deckcheck.toml",
        "description": "How the decks of a repository are checked.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _option(option: Option) -> Schema:
    single: Schema = {"enum": list(option.choices)} if option.choices else TEXT
    schema = _KINDS.get(option.kind, single)
    if option.is_many:
        schema = {"anyOf": [schema, list_of(schema)]}
    return {"description": option.help, **schema}
