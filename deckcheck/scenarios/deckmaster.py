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
    MAX_DECK,
    SPACE_COUNT,
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
    get_database,
)
from deckcheck.scenarios.position import EnginePosition, describe_end

# The scenario file of Deckmaster


STATUS_WORDS = tuple(status.name.lower() for status in Status if status)
EMPTY_BOARD = ("",) * SPACE_COUNT

_POWER_PATTERN = re.compile(r"[1-9][0-9]{0,2}")


def _check_deck_card(text: str, info: ValidationInfo) -> str:
    """Return a card of a deck in canonical words: `3 fire up left`, `2`."""
    return _read_card(text, text, info)


def _read_card(text: str, shown: str, info: ValidationInfo) -> str:
    """Return the canonical words of `text`. Messages quote `shown`."""
    database = get_database(info)
    description = database.description
    assert description is not None
    words = description.read(text, shown)
    if not isinstance(words, str):
        raise refusal(words[0].message, words[0].help)
    card = database.cards[words]
    return " ".join([str(card.strength), *(ability.code for ability in card.abilities)])


def _check_board_card(text: str, info: ValidationInfo) -> str:
    """Return a card on the board with its status last, or "" for an empty space.

    Fusion makes powers that no card of a deck has.
    """
    words = text.split()
    statuses = [word for word in words if word in STATUS_WORDS]
    if len(statuses) > 1:
        message = f"{quote(text)} has {choice(statuses, 'and')}, 1 status allowed"
        raise refusal(message, "Keep one of them")
    powers = [word for word in words if _POWER_PATTERN.fullmatch(word)]
    plain = [
        word for word in words if word not in STATUS_WORDS and word not in powers[:1]
    ]
    if not words:
        return ""
    if not powers:
        raise refusal(f"{quote(text)} has no power", "Write a number in front")
    _, *others = _read_card(" ".join(["1", *plain]), text, info).split()
    return " ".join([powers[0], *others, *statuses])


DeckCard = Annotated[str, AfterValidator(_check_deck_card)]
"""A card that a deck can hold, in canonical words."""

Board = Annotated[
    tuple[Annotated[str, AfterValidator(_check_board_card)], ...],
    Field(min_length=SPACE_COUNT, max_length=SPACE_COUNT),
]
"""Nine spaces row by row."""

Side = Literal["A", "B"]
Index = Annotated[int, Field(ge=0, le=2)]


class DeckmasterPlayerStart(ScenarioRecord):
    """The part of a player in the position."""

    points: Annotated[int, Field(ge=0, le=99)] = 0


class Placement(Move):
    """A move that places the top card of the deck, by row and column from 0."""

    ACTIONS = ("at",)

    at: Annotated[tuple[Index, ...], Field(min_length=2, max_length=2)]

    def wish(self) -> tuple[str, dict[str, str]]:
        """Return the verb and the words of the intended move."""
        row, column = self.at
        return "place", {"space": str(row * 3 + column)}


class DeckmasterPlayerExpected(ScenarioRecord):
    """The values that may be expected of a player."""

    points: int = 0


class DeckmasterExpected(ScenarioRecord):
    """The values to expect of the game. Only the given values are checked."""

    A: DeckmasterPlayerExpected = Field(default_factory=DeckmasterPlayerExpected)
    B: DeckmasterPlayerExpected = Field(default_factory=DeckmasterPlayerExpected)
    board: Board = EMPTY_BOARD
    deck: tuple[DeckCard, ...] = ()
    deck_size: int = 0
    turn: Side | None = None
    over: bool = False
    winner: Side | Literal["draw"] | None = None


class DeckmasterScenario(Scenario):
    """A scenario of Deckmaster: a board, the deck with its top card first, moves."""

    board: Board = EMPTY_BOARD
    deck: Annotated[tuple[DeckCard, ...], Field(max_length=MAX_DECK)] = ()
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
PLAYER_NAMES = ("A", "B")


def set_up(
    scenario: DeckmasterScenario, database: CardDatabase, fmt: Format
) -> DeckmasterPosition:
    """Set up the position of a file."""
    seats = [Seat(None)] * len(PLAYER_NAMES)
    context = load_game("deckmaster").fill_context(database, fmt, seats)
    x = context[0]
    states = np.zeros(1, STATE).view(np.recarray)
    s = states[0]
    x.coin = PLAYER_NAMES.index(scenario.turn or PLAYER_NAMES[0])
    set_up_game(s, x)
    for space, text in enumerate(scenario.board):
        _lay_card(s, space, text)
    s.n_deck = len(scenario.deck)
    for index, text in enumerate(reversed(scenario.deck)):
        s.deck[index] = card_code(*_split_card(text)[:3])
    for name, player in scenario.players.items():
        s.points[PLAYER_NAMES.index(name)] = player.points
    return DeckmasterPosition(states, context, database, PLAYER_NAMES)


def make_position(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> DeckmasterPosition:
    """Return the position of a running game, see `scenarios.contract.Adapter`."""
    return DeckmasterPosition(states, context, database, PLAYER_NAMES)


def _split_card(text: str) -> tuple[int, int, int, int]:
    """Return power, element, arrows and status of canonical words."""
    power, *words = text.split()
    element = sum(Element[w.upper()] for w in words if w.upper() in Element.__members__)
    status = sum(Status[w.upper()] for w in words if w.upper() in Status.__members__)
    arrows = sum(ARROW_BITS[word] for word in words if word in ARROW_BITS)
    return int(power), element, arrows, status


def _lay_card(s: Any, space: int, text: str) -> None:
    if not text:
        return
    power, element, arrows, status = _split_card(text)
    # The number of a fused card has its printed power, which plays no part any more.
    s.card[space] = card_code(1, element, arrows)
    s.arrows[space] = arrows
    s.power[space] = power
    s.status[space] = status
    s.empty &= ~(1 << space)
    s.poisoned |= int(status == Status.POISONED) << space


def _describe_card(card: int, power: int, status: int) -> str:
    """Return a card in canonical words, for example `3 fire up left burning`."""
    _, element, arrows = card_parts(card)
    words = [str(power)]
    words += [Element(element).name.lower()] * bool(element)
    words += [word for word, bit in ARROW_BITS.items() if arrows & bit]
    words += [Status(status).name.lower()] * bool(status)
    return " ".join(words)


class DeckmasterPosition(EnginePosition):
    """A `scenarios.contract.GamePosition` of Deckmaster."""

    def in_words(self, move: int) -> LegalMove:
        words = {"space": str(move)}
        return LegalMove(move, "place", words, self.phrase("place", words))

    def phrase(self, verb: str, words: Words) -> str:
        """Return a move as messages show it: `place 4 ice at [0, 2]`."""
        row, column = divmod(int(words["space"]), 3)
        card = self._deck_words()[:1] or ["a card"]
        return f"{verb} {card[0]} at [{row}, {column}]"

    def why_not(self, verb: str, words: Words) -> str:
        """Return the reason why the drawn card cannot be placed there."""
        card = self._board_words()[int(words["space"])]
        return f"{card} lies there, and other spaces are empty"

    # The outcome

    def _board_words(self) -> list[str]:
        s = self.s
        words = [""] * SPACE_COUNT
        for i in range(SPACE_COUNT):
            if s.card[i]:
                status = int(s.status[i])
                words[i] = _describe_card(int(s.card[i]), int(s.power[i]), status)
        return words

    def _deck_words(self) -> list[str]:
        cards = self.s.deck[: self.s.n_deck].tolist()[::-1]
        return [
            _describe_card(card, card_parts(card)[0], Status.NEUTRAL) for card in cards
        ]

    def facts(self) -> dict[str, Any]:
        winner = None
        if self.turn is None:
            result = returns(self.s, self.x, 0)
            winner = "draw" if result == 1 else PLAYER_NAMES[int(result == 0)]
        return {
            "board": self._board_words(),
            "deck_size": int(self.s.n_deck),
            "turn": self.turn,
            "over": self.turn is None,
            "winner": winner,
            "deck": self._deck_words(),
            **{
                name: {"points": int(self.s.points[i])}
                for i, name in enumerate(PLAYER_NAMES)
            },
        }

    def lines(self) -> list[str]:
        facts = self.facts()
        cells = [text or "." for text in facts["board"]]
        width = max(map(len, cells))
        lines = []
        for start in (0, 3, 6):
            row = [f"{cell:{width}}" for cell in cells[start : start + 3]]
            lines.append("  ".join(row).rstrip())
        points = [f"{name} {facts[name]['points']}" for name in PLAYER_NAMES]
        deck = plural(facts["deck_size"], "card") + " in the deck"
        if facts["deck"]:
            deck += f", {facts['deck'][0]} on top"
        return [*lines, f"points: {', '.join(points)}; {deck}; {describe_end(facts)}"]
