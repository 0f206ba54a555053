"""The JSON Schema of format files."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from deckcheck.formats.file import FormatFile
from deckcheck.formats.vocabulary import CONSTRAINTS

__all__ = ["format_schema"]


def format_schema() -> dict[str, Any]:
    """The schema of one file, the vocabulary of its constraints included.

    What only a merged format shows (an entry that changes nothing, a setting that the
    inherited rule does not know) passes the schema and is found by the loader.
    """
    schema = TypeAdapter(FormatFile).json_schema()
    rules = {model.__name__: TypeAdapter(model).json_schema() for model in CONSTRAINTS}
    entries = [{"$ref": f"#/$defs/{name}"} for name in rules]
    schema["$defs"] = {**rules, "Change": _change(rules)}
    schema["properties"]["constraints"] = {
        "type": "object",
        "description": "New, replaced, changed or (nothing) repealed constraints.",
        "additionalProperties": {
            "anyOf": [*entries, {"$ref": "#/$defs/Change"}, {"type": "null"}]
        },
    }
    return schema


def _change(rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    settings = {
        name: {"anyOf": [setting, {"type": "null"}]}
        for rule in rules.values()
        for name, setting in rule["properties"].items()
        if name != "rule"
    }
    return {
        "title": "Change",
        "description": "Settings that differ from those of the inherited constraint.",
        "type": "object",
        "properties": settings,
        "additionalProperties": False,
        "minProperties": 1,
    }
