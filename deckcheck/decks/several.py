"""Several cards on one line, as in `3 Ballista, 2 Catapult; Decoy`."""

from __future__ import annotations

import re

from deckcheck.cards import CardDatabase
from deckcheck.decks.cardlines import CardLine, parse_card_line

_SEPARATOR = re.compile(r"\s*[,;]\s*")


def several_cards(text: str, db: CardDatabase) -> list[str]:
    """The line of each card, where every part of a line is one; else nothing."""
    parts = [part for part in _SEPARATOR.split(text) if part]
    lines = [parse_card_line(part) for part in parts]
    is_card = (
        isinstance(line, CardLine)
        and db.find_card(line.name, suggest=False).id is not None
        for line in lines
    )
    return parts if len(parts) > 1 and all(is_card) else []
