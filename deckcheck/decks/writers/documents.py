"""Decks as YAML and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.sections import card_order
from deckcheck.decks.writers.sheet import Sheet, Written
from deckcheck.findings.errors import UsageError
from deckcheck.findings.json_text import json_text


def write_json(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """Decks as one JSON object."""
    return Written(json_text(_content(sheets, db)))


def write_yaml(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """Decks as one YAML document."""
    import yaml

    content = _content(sheets, db)
    return Written(
        yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)
    )


def single_value(sheet: Sheet, key: str, way: str) -> str:
    """The one value of a header, empty if there is none; UsageError for two."""
    values = sheet.headers.get(key, ())
    if len(values) > 1:
        raise UsageError(f"{way} holds one `{key}` for a deck, {len(values)} found")
    return values[0] if values else ""


def _content(sheets: Sequence[Sheet], db: CardDatabase) -> dict[str, object]:
    decks = [_deck(sheet, db) for sheet in sheets]
    return decks[0] if len(decks) == 1 else {"decks": decks}


def _deck(sheet: Sheet, db: CardDatabase) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, values in sheet.headers.items():
        if key == "leader" and len(values) > 1:
            content[key] = list(values)
        else:
            content[key] = single_value(sheet, key, "A YAML or JSON deck")
    cards = sorted(sheet.cards, key=lambda id: card_order(id, db))
    content["cards"] = {db.cards[id].name: sheet.cards[id] for id in cards}
    beside = sorted(sheet.reserves, key=lambda id: card_order(id, db))
    if beside:
        content["reserves"] = {db.cards[id].name: sheet.reserves[id] for id in beside}
    return content
