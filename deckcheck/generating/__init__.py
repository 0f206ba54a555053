"""Random legal decks of any format, for load tests and sparring."""

from deckcheck.generating.files import Generator

__all__ = ["Generator"]
