"""The card database: records, loading with checks, and finding cards by name."""

from deckcheck.cards.database import CardDatabase, load_database
from deckcheck.cards.models import Ability, Card, Faction, Game, Leader, Option, Text
from deckcheck.cards.names import Lookup, normalise
from deckcheck.cards.storage import (
    DatabaseError,
    Root,
    card_db_folders,
    card_db_root,
    game_ids,
)

__all__ = [
    "Ability",
    "Card",
    "CardDatabase",
    "DatabaseError",
    "Faction",
    "Game",
    "Leader",
    "Lookup",
    "Option",
    "Root",
    "Text",
    "card_db_folders",
    "card_db_root",
    "game_ids",
    "load_database",
    "normalise",
]
