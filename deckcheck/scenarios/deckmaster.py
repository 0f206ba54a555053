"""Scenarios of Deckmaster."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import refusal
from deckcheck.engine.contract import returns
from deckcheck.engine.contract import set_up as set_up_game
from deckcheck.engine.deckmaster.state import (
    ARROW_BITS,
    DECK,
    SPACES,
    STATE,
    Element,
    Status,
    card_code,
    card_parts,
)
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import Format
from deckcheck.messages import choice, plural, quote
from deckcheck.scenarios.contract import LegalMove, Words
from deckcheck.scenarios.models import (
    Move,
    Scenario,
    ScenarioRecord,
    database_of_file,
)
from deckcheck.scenarios.position import EnginePosition, end_of

# The scenario file of Deckmaster


STATUSES = tuple(status.name.lower() for status in Status if status)
NOTHING = ("",) * SPACES

_POWER = re.compile(r"[1-9][0-9]{0,2}")


def _described(text: str, info: ValidationInfo) -> str:
    """A card of a deck in canonical words: `3 fire up left`, `2` for a bare power."""
    return _read(text, text, info)


def _read(text: str, said: str, info: ValidationInfo) -> str:
    """The canonical words of `text`; messages quote `said`."""
    database = database_of_file(info)
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


class DeckmasterPlayerStart(ScenarioRecord):
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


class DeckmasterPlayerExpected(ScenarioRecord):
    """What may be expected of a player."""

    points: int = 0


class DeckmasterExpected(ScenarioRecord):
    """What may be expected of the game; only what is stated is checked."""

    A: DeckmasterPlayerExpected = Field(default_factory=DeckmasterPlayerExpected)
    B: DeckmasterPlayerExpected = Field(default_factory=DeckmasterPlayerExpected)
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
    players: dict[Side, DeckmasterPlayerStart] = Field(default_factory=dict)
    turn: Side | None = None
    moves: tuple[Placement, ...] = ()
    expect: DeckmasterExpected | None = None

    @model_validator(mode="after")
    def _has_cards_to_place(self) -> DeckmasterScenario:
        placed = [move for move in self.moves if not move.forbidden]
        if len(placed) > len(self.deck):
            raise ValueError(
                f"{len(placed)} moves need as many cards in `deck`, it has "
                f"{len(self.deck)}"
            )
        return self


# Deckmaster as scenarios see it: from a file to the engine, and back to words


SCENARIO = DeckmasterScenario
PLAYERS = ("A", "B")


def set_up(
    scenario: DeckmasterScenario, database: CardDatabase, fmt: Format
) -> DeckmasterPosition:
    """The position of a file."""
    seats = [Seat(None)] * len(PLAYERS)
    context = load_game("deckmaster").fill_context(database, fmt, seats)
    x = context[0]
    states = np.zeros(1, STATE).view(np.recarray)
    s = states[0]
    x.coin = PLAYERS.index(scenario.turn or PLAYERS[0])
    set_up_game(s, x)
    for space, text in enumerate(scenario.board):
        _lay(s, space, text)
    s.n_deck = len(scenario.deck)
    for place, text in enumerate(reversed(scenario.deck)):
        s.deck[place] = card_code(*_parts(text)[:3])
    for name, player in scenario.players.items():
        s.points[PLAYERS.index(name)] = player.points
    return DeckmasterPosition(states, context, database, PLAYERS)


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> DeckmasterPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    return DeckmasterPosition(states, context, database, PLAYERS)


def _parts(text: str) -> tuple[int, int, int, int]:
    """Power, element, arrows and status of canonical words."""
    power, *words = text.split()
    element = sum(Element[w.upper()] for w in words if w.upper() in Element.__members__)
    status = sum(Status[w.upper()] for w in words if w.upper() in Status.__members__)
    arrows = sum(ARROW_BITS[word] for word in words if word in ARROW_BITS)
    return int(power), element, arrows, status


def _lay(s: Any, space: int, text: str) -> None:
    if not text:
        return
    power, element, arrows, status = _parts(text)
    # The number of a fused card has its printed power, which plays no part any more.
    s.card[space] = card_code(1, element, arrows)
    s.arrows[space] = arrows
    s.power[space] = power
    s.status[space] = status
    s.empty &= ~(1 << space)
    s.poisoned |= int(status == Status.POISONED) << space


def _words(card: int, power: int, status: int) -> str:
    """A card in canonical words: `3 fire up left burning`."""
    _, element, arrows = card_parts(card)
    words = [str(power)]
    words += [Element(element).name.lower()] * bool(element)
    words += [word for word, bit in ARROW_BITS.items() if arrows & bit]
    words += [Status(status).name.lower()] * bool(status)
    return " ".join(words)


class DeckmasterPosition(EnginePosition):
    """A position of Deckmaster; implements `scenarios.contract.GamePosition`."""

    def in_words(self, move: int) -> LegalMove:
        words = {"space": str(move)}
        return LegalMove(move, "place", words, self.phrase("place", words))

    def phrase(self, verb: str, words: Words) -> str:
        """A move as messages show it: `place 4 ice at [0, 2]`."""
        row, column = divmod(int(words["space"]), 3)
        card = self._deck()[:1] or ["a card"]
        return f"{verb} {card[0]} at [{row}, {column}]"

    def why_not(self, verb: str, words: Words) -> str:
        """Why the drawn card cannot lie there."""
        card = self._board()[int(words["space"])]
        return f"{card} lies there, and other spaces are empty"

    # The outcome

    def _board(self) -> list[str]:
        s = self.s
        return [
            _words(int(s.card[i]), int(s.power[i]), int(s.status[i]))
            if s.card[i]
            else ""
            for i in range(SPACES)
        ]

    def _deck(self) -> list[str]:
        cards = self.s.deck[: self.s.n_deck].tolist()[::-1]
        return [_words(card, card_parts(card)[0], Status.NEUTRAL) for card in cards]

    def facts(self) -> dict[str, Any]:
        winner = None
        if self.turn is None:
            result = returns(self.s, self.x, 0)
            winner = "draw" if result == 1 else PLAYERS[int(result == 0)]
        return {
            "board": self._board(),
            "deck_size": int(self.s.n_deck),
            "turn": self.turn,
            "over": self.turn is None,
            "winner": winner,
            "deck": self._deck(),
            **{
                name: {"points": int(self.s.points[i])}
                for i, name in enumerate(PLAYERS)
            },
        }

    def lines(self) -> list[str]:
        facts = self.facts()
        cells = [text or "." for text in facts["board"]]
        width = max(map(len, cells))
        rows = (cells[start : start + 3] for start in (0, 3, 6))
        lines = ["  ".join(f"{c:{width}}" for c in row).rstrip() for row in rows]
        points = [f"{name} {facts[name]['points']}" for name in PLAYERS]
        deck = plural(facts["deck_size"], "card") + " in the deck"
        if facts["deck"]:
            deck += f", {facts['deck'][0]} on top"
        return [*lines, f"points: {', '.join(points)}; {deck}; {end_of(facts)}"]
