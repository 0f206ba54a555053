"""The scenario file of Deckmaster."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.deckmaster.codes import Status
from deckcheck.engine.games.deckmaster.state import DECK, SPACES
from deckcheck.findings.documents.validating import refusal
from deckcheck.findings.words import choice, quote
from deckcheck.scenarios.models import Move, Record, Scenario

STATUSES = tuple(status.name.lower() for status in Status if status)
NOTHING = ("",) * SPACES

_POWER = re.compile(r"[1-9][0-9]{0,2}")


def _described(text: str, info: ValidationInfo) -> str:
    """A card of a deck in canonical words: `3 fire up left`, `2` for a bare power."""
    return _read(text, text, info)


def _read(text: str, said: str, info: ValidationInfo) -> str:
    """The canonical words of `text`; messages quote `said`."""
    database: CardDatabase = (info.context or {})["database"]
    description = database.description
    assert description is not None
    words = description.read(text, said)
    if not isinstance(words, str):
        raise refusal(words[0].message, words[0].help)
    card = database.cards[words]
    return " ".join([str(card.strength), *(ability.code for ability in card.abilities)])


def _laid(text: str, info: ValidationInfo) -> str:
    """A card on the board, with its status last; an empty space stays empty.

    Fusion makes powers that no card of a deck has.
    """
    words = text.split()
    statuses = [word for word in words if word in STATUSES]
    if len(statuses) > 1:
        message = f"{quote(text)} has {choice(statuses, 'and')}, 1 status allowed"
        raise refusal(message, "Keep one of them")
    powers = [word for word in words if _POWER.fullmatch(word)]
    plain = [word for word in words if word not in STATUSES and word not in powers[:1]]
    if not words:
        return ""
    if not powers:
        raise refusal(f"{quote(text)} has no power", "Write a number in front")
    _, *others = _read(" ".join(["1", *plain]), text, info).split()
    return " ".join([powers[0], *others, *statuses])


DeckCard = Annotated[str, AfterValidator(_described)]
"""A card that a deck can hold, in canonical words."""

Board = Annotated[
    tuple[Annotated[str, AfterValidator(_laid)], ...],
    Field(min_length=SPACES, max_length=SPACES),
]
"""Nine spaces row by row."""

Side = Literal["A", "B"]
Index = Annotated[int, Field(ge=0, le=2)]


class PlayerStart(Record):
    """One player's part of the position."""

    points: Annotated[int, Field(ge=0, le=99)] = 0


class Placement(Move):
    """A move: the top card of the deck goes to a space, by row and column from 0."""

    ACTIONS = ("at",)

    at: Annotated[tuple[Index, ...], Field(min_length=2, max_length=2)]

    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""
        row, column = self.at
        return "place", {"space": str(row * 3 + column)}


class PlayerOutcome(Record):
    """What may be expected of a player."""

    points: int = 0


class Outcome(Record):
    """What may be expected of the game; only what is stated is checked."""

    A: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B: PlayerOutcome = Field(default_factory=PlayerOutcome)
    board: Board = NOTHING
    deck: tuple[DeckCard, ...] = ()
    deck_size: int = 0
    turn: Side | None = None
    over: bool = False
    winner: Side | Literal["draw"] | None = None


class DeckmasterScenario(Scenario):
    """A scenario of Deckmaster: a board, the deck with its top card first, moves."""

    board: Board = NOTHING
    deck: Annotated[tuple[DeckCard, ...], Field(max_length=DECK)] = ()
    players: dict[Side, PlayerStart] = Field(default_factory=dict)
    turn: Side | None = None
    moves: tuple[Placement, ...] = ()
    expect: Outcome | None = None

    @model_validator(mode="after")
    def _has_cards_to_place(self) -> DeckmasterScenario:
        placed = [move for move in self.moves if not move.forbidden]
        if len(placed) > len(self.deck):
            raise ValueError(
                f"{len(placed)} moves need as many cards in `deck`, it has "
                f"{len(self.deck)}"
            )
        return self
