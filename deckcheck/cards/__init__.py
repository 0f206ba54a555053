"""The card database: records, loading with checks, and finding cards by name."""

from deckcheck.cards.database import CardDatabase, load_database
from deckcheck.cards.models import (
    Card,
    CardAbility,
    Faction,
    GameOption,
    GameRecord,
    LeaderRecord,
    Text,
)
from deckcheck.cards.names import Lookup, normalise
from deckcheck.cards.storage import (
    DatabaseError,
    Root,
    card_db_folders,
    card_db_root,
    game_ids,
)

__all__ = [
    "Card",
    "CardAbility",
    "CardDatabase",
    "DatabaseError",
    "Faction",
    "GameOption",
    "GameRecord",
    "LeaderRecord",
    "Lookup",
    "Root",
    "Text",
    "card_db_folders",
    "card_db_root",
    "game_ids",
    "load_database",
    "normalise",
]
