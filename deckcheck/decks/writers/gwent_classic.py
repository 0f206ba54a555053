"""Decks as the files of the web game gwent-classic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.gwent_classic import FACTIONS, load_index
from deckcheck.decks.sections import card_order
from deckcheck.decks.writers.sheet import Sheet, Written, lost_headers
from deckcheck.findings.errors import UsageError
from deckcheck.findings.options import option


def write_gwent_classic(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """One deck as gwent-classic downloads and uploads it.

    Cards that have several numbers there, one copy each, are spread over them.
    """
    if len(sheets) != 1:
        raise UsageError(f"A gwent-classic file holds 1 deck, {len(sheets)} found")
    sheet, index = sheets[0], load_index(db)
    if sheet.leader is None or sheet.faction is None:
        help = "Write a line `Leader: ...` above the cards"
        message = "A gwent-classic deck has a leader, and this deck has none"
        raise UsageError(message, help)
    order = sorted(sheet.cards, key=lambda id: card_order(id, db))
    unknown = [
        f"{sheet.places.get(id, 'deck')}: gwent-classic has no {kind} `{name}`"
        for kind, id, name in _names(sheet, order, db)
        if (kind, id) not in index.numbers
    ]
    if unknown:
        raise UsageError(
            "\n".join(unknown),
            "Choose others, or another way to write the deck, such as "
            f"{option('to', 'text')}",
        )
    words = {id: word for word, id in FACTIONS.items()}
    content = {
        "faction": words[sheet.faction],
        "leader": index.numbers["leader", sheet.leader][0],
        "cards": [
            pair
            for id in order
            for pair in _spread(index.numbers["card", id], sheet.cards[id])
        ],
    }
    lost = lost_headers(sheets, ("faction", "leader"))
    return Written(json.dumps(content, separators=(",", ":")) + "\n", lost)


def _names(
    sheet: Sheet, order: Sequence[str], db: CardDatabase
) -> Iterator[tuple[str, str, str]]:
    """Kind, id and name of the leader and of each card."""
    if sheet.leader is not None:
        yield "leader", sheet.leader, db.leaders[sheet.leader].full_name
    for id in order:
        yield "card", id, db.cards[id].name


def _spread(numbers: list[int], count: int) -> list[tuple[int, int]]:
    share, more = divmod(count, len(numbers))
    shares = [share + (place < more) for place in range(len(numbers))]
    return [pair for pair in zip(numbers, shares, strict=True) if pair[1]]
