"""Loads card databases: what was checked before from the cache, else from files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from deckcheck.cards.cache import Kept, Sources
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.errors import DatabaseError
from deckcheck.cards.models import RECORDS
from deckcheck.cards.names import closest
from deckcheck.cards.root import card_db_root, game_ids
from deckcheck.findings.words import quote

__all__ = ["load_database"]


def load_database(game: str, root: Path | None = None) -> CardDatabase:
    """Load and check the card database of a game; cached per process and folder.

    `root` is the folder of card databases, see `card_db_root`. Raises DatabaseError
    for an unknown game and, with all of them at once, for defects in its files.
    """
    return _load(game, card_db_root(root).resolve())


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    known = game_ids(root)
    if game_id not in known:
        close = closest(game_id, known, limit=1)
        names = ", ".join(f"`{name}`" for name in known) or f"none in `{root}`"
        help = f"Did you mean `{close[0]}`?" if close else f"Known games: {names}"
        raise DatabaseError(f"unknown game {quote(game_id)}", help)
    kept = Kept(f"cards {game_id} {root}", RECORDS)
    sources = Sources.below(root / game_id)
    found = kept.recall()
    if found is None:
        from deckcheck.cards.reading import read_game

        found = read_game(root, game_id)
        kept.keep(found, sources)
    game, cards, leaders = found
    if game.attributes:
        from deckcheck.cards.attributes import described_cards

        cards = described_cards(game)
    by_id = {card.id: card for card in cards}
    leaders = {leader.id: leader for leader in leaders}
    return CardDatabase(game, by_id, leaders, root, sources)
