"""Shared parts of the scenario files of games with three rows."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, model_validator

from deckcheck.findings.documents.validating import refusal
from deckcheck.scenarios.models import CardId, Cards, PlayerName, Record

ROW_WORDS = ("close", "ranged", "siege")
NOTHING = "nothing"
"""The answer to a choice that may be declined, in place of a row."""

PLAYER = re.compile("[A-F][1-9]?")

RowName = Literal["close", "ranged", "siege"]


class RowSpecials(Record):
    """The card in the slot of each row."""

    close: CardId | None = None
    ranged: CardId | None = None
    siege: CardId | None = None


class RowCards(Record):
    """Cards row by row."""

    close: Cards = ()
    ranged: Cards = ()
    siege: Cards = ()


class RowStrengths(Record):
    """Current strengths row by row."""

    close: tuple[int, ...] = ()
    ranged: tuple[int, ...] = ()
    siege: tuple[int, ...] = ()


class Choice(Record):
    """An answer to a question that a move asks: a card, a row, a player, or several."""

    card: CardId | None = None
    row: Literal["close", "ranged", "siege", "nothing"] | None = None
    player: PlayerName | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not self.words():
            help = "Write `choose: [CARD]` or `{card: CARD, row: ROW}`"
            raise refusal("an answer names a `card`, a `row` or a `player`", help)
        return self

    def words(self) -> dict[str, str]:
        """What is named, as `LegalMove.words` has it."""
        named = {"card": self.card, "row": self.row, "player": self.player}
        return {key: word for key, word in named.items() if word is not None}


def _as_choice(value: object) -> object:
    if not isinstance(value, str):
        return value
    if PLAYER.fullmatch(value):
        return {"player": value}
    return {"row": value} if value in (*ROW_WORDS, NOTHING) else {"card": value}


Choices = tuple[Annotated[Choice, BeforeValidator(_as_choice)], ...]
"""The answers of a move, in order; a word stands for a card, a row or a player."""
