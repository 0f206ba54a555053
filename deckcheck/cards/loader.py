"""Loads card databases: what was checked before from the cache, else from files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from deckcheck.cards.cache import Kept, Sources
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import RECORDS
from deckcheck.cards.root import Root, folder_of


def load_database(game: str, root: Root = None) -> CardDatabase:
    """Load and check the card database of a game; cached per process and folder.

    `root` has the folders of card databases, see `card_db_folders`. Raises
    DatabaseError for an unknown game and, with all of them at once, for defects in its
    files.
    """
    return _load(game, folder_of(game, root))


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    kept = Kept(f"cards {game_id} {root}", RECORDS)
    sources = Sources.below(root / game_id)
    game_set = kept.recall()
    if game_set is None:
        from deckcheck.cards.reading import read_game

        game_set = read_game(root, game_id)
        kept.keep(game_set, sources)
    game, cards, leaders = game_set
    if game.attributes:
        from deckcheck.cards.attributes import described_cards

        cards = described_cards(game)
    by_id = {card.id: card for card in cards}
    leaders = {leader.id: leader for leader in leaders}
    return CardDatabase(game, by_id, leaders, root, sources)
