"""The JSON Schema of a set."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from deckcheck.cards.models import Card, Leader
from deckcheck.cards.set_changes import FIXED
from deckcheck.cards.set_file import SetFile

LEFT_OUT = ("number", "provenance")
"""What a set need not say of a card or leader."""


def set_schema() -> dict[str, Any]:
    """A list of cards, or what is added, changed and removed, see `SetFile`."""
    card, leader = (TypeAdapter(model).json_schema() for model in (Card, Leader))
    definitions = {**card.pop("$defs", {}), **leader.pop("$defs", {})}
    for shape in (card, leader):
        shape["required"] = [key for key in shape["required"] if key not in LEFT_OUT]
    change = {"anyOf": [_changes(shape) for shape in (card, leader)]}
    whole = TypeAdapter(SetFile).json_schema()
    whole["properties"]["cards"] = {"type": "array", "items": card}
    whole["properties"]["leaders"] = {"type": "array", "items": leader}
    whole["properties"]["change"] = {
        "type": "object",
        "additionalProperties": change,
    }
    return {"anyOf": [{"type": "array", "items": card}, whole], "$defs": definitions}


def _changes(record: dict[str, Any]) -> dict[str, Any]:
    """What may differ in a card or leader that is described by a schema."""
    fields = {k: v for k, v in record["properties"].items() if k not in FIXED}
    return {
        "type": "object",
        "properties": fields,
        "additionalProperties": False,
        "minProperties": 1,
    }
