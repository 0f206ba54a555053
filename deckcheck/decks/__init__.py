"""Decks: read a decklist, and resolve its names."""

from deckcheck.decks.decoding import DeckText, decode_deck, read_deck_file
from deckcheck.decks.files import (
    DECK_SUFFIXES,
    DeckFile,
    LeftOut,
    find_deck_files,
    read_found,
    shown_path,
)
from deckcheck.decks.model import Deck, DeckEntry, DeckSource, Header, RawDeck
from deckcheck.decks.reader import format_headers, parse_decks
from deckcheck.decks.reading import Reading, read_deck
from deckcheck.decks.resolve import resolve

__all__ = [
    "DECK_SUFFIXES",
    "Deck",
    "DeckEntry",
    "DeckFile",
    "DeckSource",
    "DeckText",
    "Header",
    "LeftOut",
    "RawDeck",
    "Reading",
    "decode_deck",
    "find_deck_files",
    "format_headers",
    "parse_decks",
    "read_deck",
    "read_deck_file",
    "read_found",
    "resolve",
    "shown_path",
]
