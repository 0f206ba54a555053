"""Deckmaster as scenarios see it: from a file to the engine, and back to words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    returns,
)
from deckcheck.engine.contract import (
    set_up as set_up_game,
)
from deckcheck.engine.games.deckmaster.codes import (
    ARROW_BITS,
    Element,
    Status,
    card_code,
    card_parts,
)
from deckcheck.engine.games.deckmaster.game import fill_context
from deckcheck.engine.games.deckmaster.state import SPACES, STATE
from deckcheck.engine.host.seat import Seat
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.chance import NothingPicked
from deckcheck.scenarios.contract import LegalMove
from deckcheck.scenarios.games.deckmaster.file import DeckmasterScenario

__all__ = ["SCENARIO", "DeckmasterPosition", "position_of", "set_up"]

SCENARIO = DeckmasterScenario
PLAYERS = ("A", "B")


def set_up(
    scenario: DeckmasterScenario, database: CardDatabase, fmt: Format
) -> DeckmasterPosition:
    """The position of a file."""
    x = fill_context(database, fmt, [Seat(None)] * len(PLAYERS))[0]
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
    return DeckmasterPosition(states, x)


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> DeckmasterPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    return DeckmasterPosition(states, context[0])


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


class DeckmasterPosition(NothingPicked):
    """A position of Deckmaster."""

    def __init__(self, states: Any, x: Any) -> None:
        self._states = states
        self.s, self.x = states[0], x
        self.players = self.sides = PLAYERS

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if is_over(self.s) else PLAYERS[self.s.turn]

    @property
    def awaits_choice(self) -> bool:
        """A placement asks no question."""
        return False

    def settle(self, verb: str, player: str) -> None:
        """No move is ever left out."""

    def legal_moves(self) -> list[LegalMove]:
        """The spaces on which the drawn card may be placed."""
        count = legal_moves(self.s, self.x)
        return [self.in_words(move) for move in self.x.moves[:count].tolist()]

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        words = {"space": str(move)}
        return LegalMove(move, "place", words, self.phrase("place", words))

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `place 4 ice at [0, 2]`."""
        row, column = divmod(int(words["space"]), 3)
        card = self._deck()[:1] or ["a card"]
        return f"{verb} {card[0]} at [{row}, {column}]"

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the drawn card cannot lie there."""
        space = int(words["space"])
        if self.s.card[space]:
            return f"{self._board()[space]} lies there, and other spaces are empty"
        return None

    def idle_reason(self, player: str) -> str:
        """Why a player who is not to move makes no move."""
        return f"it is the turn of {self.turn}"

    # What came out

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

    def _game(self) -> dict[str, Any]:
        over = bool(is_over(self.s))
        winner = None
        if over:
            result = returns(self.s, 0)
            winner = "draw" if result == 1 else PLAYERS[int(result == 0)]
        return {
            "board": self._board(),
            "deck_size": int(self.s.n_deck),
            "turn": self.turn,
            "over": over,
            "winner": winner,
        }

    def _players(self) -> dict[str, dict[str, Any]]:
        return {
            name: {"points": int(self.s.points[i])} for i, name in enumerate(PLAYERS)
        }

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        return {**self._game(), "deck": self._deck(), **self._players()}

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        return {"players": self._players(), **self._game(), "deck": self._deck()}

    def lines(self) -> list[str]:
        """The position as text."""
        cells = [text or "." for text in self._board()]
        width = max(map(len, cells))
        rows = (cells[start : start + 3] for start in (0, 3, 6))
        lines = ["  ".join(f"{c:{width}}" for c in row).rstrip() for row in rows]
        points = [f"{name} {p['points']}" for name, p in self._players().items()]
        game = self._game()
        end = f"{game['turn']} to move"
        if game["over"]:
            end = "a draw" if game["winner"] == "draw" else f"{game['winner']} wins"
        deck = plural(game["deck_size"], "card") + " in the deck"
        if self._deck():
            deck += f", {self._deck()[0]} on top"
        return [*lines, f"points: {', '.join(points)}; {deck}; {end}"]
