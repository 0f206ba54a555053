"""The JSON documents of cards and of leaders, which are their records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias

from deckcheck.cards.database import CardDatabase
from deckcheck.cards.describing import ability_texts
from deckcheck.cards.models import Card, LeaderRecord, Text
from deckcheck.documents.records import DocumentHead, Fingerprint, ShownAs
from deckcheck.markup import tool

CardDocument: TypeAlias = Annotated[dict[str, Any], ShownAs(Card)]
LeaderDocument: TypeAlias = Annotated[dict[str, Any], ShownAs(LeaderRecord)]
TextDocument: TypeAlias = Annotated[dict[str, Any], ShownAs(Text)]
"""Records with all of their fields, as `asdict` has them."""


class CardsDocument(DocumentHead):
    """The output of `deckcheck cards --output-format json`."""

    game: str
    """The id of the game."""
    fingerprint: Fingerprint
    """A hash of the game's cards."""
    cards: list[CardDocument]
    """The cards that match."""
    leaders: list[LeaderDocument]
    """The leaders that match."""
    texts: list[TextDocument]
    """The effects of the abilities of these cards and leaders."""


def cards_document(
    database: CardDatabase, cards: Sequence[Card], leaders: Sequence[LeaderRecord]
) -> CardsDocument:
    """Return cards and leaders as `deckcheck schema cards-output` describes them."""
    return {
        "schema_version": 1,
        "tool": tool(),
        "game": database.game.id,
        "fingerprint": database.fingerprint,
        "cards": [asdict(card) for card in cards],
        "leaders": [asdict(leader) for leader in leaders],
        "texts": [asdict(text) for text in ability_texts(database, [*cards, *leaders])],
    }
