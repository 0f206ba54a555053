"""Errors between data and engine."""

from __future__ import annotations

from deckcheck.findings.errors import UsageError


class EngineError(UsageError):
    """The data asks for something the engine cannot play; the message says what."""


class CrashedGame(Exception):
    """A game could not be played to its end: a defect of the engine, never a draw.

    The message names seed, pairing and pair, which replay it. `at` is its place in the
    list of games that were to be played.
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message, at)
        self.message = message
        self.at = at

    def __str__(self) -> str:
        return self.message


class GameDoesNotEnd(Exception):
    """A game made more moves than any game can; raised inside compiled code."""


class UnplayedCode(Exception):
    """A code that no function plays, a defect; raised inside compiled code."""
