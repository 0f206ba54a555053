"""The JSON Schema of a set."""

from __future__ import annotations

from deckcheck.cards.models import Card, Leader
from deckcheck.cards.set_changes import FIXED
from deckcheck.cards.set_file import SetFile
from deckcheck.findings.json_schema import Schema, json_schema

LEFT_OUT = ("number", "provenance")
"""What a set need not say of a card or leader."""


def set_schema() -> Schema:
    """A list of cards, or what is added, changed and removed, see `SetFile`."""
    card, leader = (json_schema(model) for model in (Card, Leader))
    definitions = {**card.pop("$defs", {}), **leader.pop("$defs", {})}
    for shape in (card, leader):
        shape["required"] = [key for key in shape["required"] if key not in LEFT_OUT]
    change = {"anyOf": [_changes(shape) for shape in (card, leader)]}
    whole = json_schema(SetFile)
    whole["properties"]["cards"]["items"] = card
    whole["properties"]["leaders"]["items"] = leader
    changes = whole["properties"]["change"]
    # The pattern of names would let changes of every form pass.
    del changes["patternProperties"]
    changes["additionalProperties"] = change
    return {"anyOf": [{"type": "array", "items": card}, whole], "$defs": definitions}


def _changes(record: Schema) -> Schema:
    """What may differ in a card or leader that is described by a schema."""
    fields = {k: v for k, v in record["properties"].items() if k not in FIXED}
    return {
        "type": "object",
        "properties": fields,
        "additionalProperties": False,
        "minProperties": 1,
    }
