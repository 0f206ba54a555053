"""Schemas of outputs that refuse keys which they do not describe."""

from __future__ import annotations

from typing import Any

from deckcheck.cli.schema import schema_named


def closed_schema(name: str) -> dict[str, Any]:
    """The schema of that name without any further keys."""
    schema = _closed(schema_named(name))
    assert isinstance(schema, dict)
    return schema


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _closed(value) for key, value in part.items()}
    if isinstance(closed.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed
