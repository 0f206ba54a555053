"""Random legal decks of any format, for load tests and sparring."""

from deckcheck.generating.files import Generator, NoDeckError

__all__ = ["Generator", "NoDeckError"]
