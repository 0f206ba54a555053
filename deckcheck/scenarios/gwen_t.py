"""Scenarios of Gwen't."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from deckcheck.cards import CardDatabase
from deckcheck.documents.model import Location
from deckcheck.engine.gwen_t.context import fill_context
from deckcheck.engine.gwen_t.rules import PASS, lay_out, pass_round, row_score
from deckcheck.engine.gwen_t.rules import set_up as set_up_game
from deckcheck.engine.gwen_t.state import STATE, Kind
from deckcheck.engine.primitives import move_card
from deckcheck.engine.records import Records
from deckcheck.engine.registry import Seat
from deckcheck.formats import Format
from deckcheck.scenarios.contract import BadPosition, LegalMove, Words
from deckcheck.scenarios.models import (
    ROW_WORDS,
    CardCount,
    CardId,
    Cards,
    Move,
    RowsExpected,
    Scenario,
    ScenarioRecord,
    as_card,
    parse_count,
)
from deckcheck.scenarios.position import EnginePosition, Layout, row_facts

# The scenario file of Gwen't


PLAYER_NAMES = ("A", "B", "C", "D", "E", "F")
MAX_STRENGTH = 1_000_000_000

Name = Literal["A", "B", "C", "D", "E", "F"]


class UnitCount(CardCount):
    """Units of a row."""

    strength: Annotated[int, Field(ge=0, le=MAX_STRENGTH)] | None = None
    """The strength of the stack, if it is not the printed strength."""


def _as_units(value: object) -> object:
    return value if isinstance(value, dict) else parse_count(value)


Units = tuple[Annotated[UnitCount, BeforeValidator(_as_units)], ...]


class GwenTWeatherCard(ScenarioRecord):
    """The weather card in effect and who played it."""

    card: CardId
    by: Name | None = None


Weather = tuple[Annotated[GwenTWeatherCard, BeforeValidator(as_card)], ...]


class GwenTPlayerStart(ScenarioRecord):
    """The part of a player in the position. The first card of `deck` is its top card.

    `gems` come from the format if left out. A player without gems is defeated.
    """

    gems: Annotated[int, Field(ge=0, le=5)] | None = None
    passed: bool = False
    hand: Cards = ()
    deck: Cards = ()
    discard: Cards = ()
    close: Units = ()
    ranged: Units = ()
    siege: Units = ()


class GwenTMove(Move):
    """A move: a card, or a pass."""

    ACTIONS = ("play", "pass")

    play: CardId | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None

    def wish(self) -> tuple[str, dict[str, str]]:
        """Return the verb and the words of the intended move."""
        return self.action, {} if self.play is None else {"card": self.play}


class GwenTPlayerExpected(RowsExpected):
    """The values to expect of a player. Only the given values are checked."""

    gems: int = 0
    place: int | None = None
    points: int = 0


_Part = Annotated[GwenTPlayerExpected, Field(default_factory=GwenTPlayerExpected)]


class GwenTExpected(ScenarioRecord):
    """The values that may be expected of the game."""

    A: _Part
    B: _Part
    C: _Part
    D: _Part
    E: _Part
    F: _Part
    turn: Name | None = None
    order: tuple[Name, ...] = ()
    round: int = 1
    weather: Weather = ()
    over: bool = False
    winner: Name | Literal["draw"] | None = None


class GwenTScenario(Scenario):
    """A scenario of Gwen't, played by A, B and the players named in `players`.

    With `deal` the rules set up the game: decks keep their order, hands are drawn, and
    the coin lets `turn` begin.
    """

    deal: bool = False
    players: dict[Name, GwenTPlayerStart] = Field(default_factory=dict)
    order: tuple[Name, ...] = ()
    weather: Annotated[Weather, Field(max_length=1)] = ()
    round: Annotated[int, Field(ge=1, le=99)] = 1
    turn: Name | None = None
    moves: tuple[GwenTMove, ...] = ()
    expect: GwenTExpected | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players in order, up to the last who is named."""
        last = max((PLAYER_NAMES.index(name) for name in self.players), default=1)
        return PLAYER_NAMES[: max(last, 1) + 1]

    def player(self, name: str) -> GwenTPlayerStart:
        """Return a player's part of the position, which is empty if left out."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, GwenTPlayerStart())


# Builds the records of the engine from the position of a scenario file


class _GwenTTable(Layout):
    NOT_DEALT = ("round", "order", "weather")

    def lay(self) -> None:
        """Lay out the whole position."""
        self.x.coin = PLAYER_NAMES.index(self.scenario.turn or PLAYER_NAMES[0])
        if self.x.coin >= self.x.players:
            raise BadPosition(("turn",), f"{self.scenario.turn} does not play")
        for index, move in enumerate(self.scenario.moves):
            if move.player not in self.scenario.names:
                location: Location = ("moves", index, "player")
                raise BadPosition(location, f"{move.player} does not play")
        if self.scenario.deal:
            self.lay_decks()
            set_up_game(self.s, self.x)
            return
        lay_out(self.s, self.x)
        self.s.round_no = self.scenario.round
        for player, name in enumerate(self.scenario.names):
            self.lay_player(player, self.scenario.player(name), ("players", name))
        self.lay_weather()
        self.lay_order()
        self.begin()

    def lay_player(self, player: int, setting: GwenTPlayerStart, at: Location) -> None:
        """Lay out gems, hand, deck, discard pile and rows of a player."""
        s = self.s
        s.gems[player] = self.x.gems if setting.gems is None else setting.gems
        hand = self.numbers(setting.hand, player)
        s.n_hand[player] = self.fill(s.hand[player], hand, (*at, "hand"))
        deck = self.numbers(setting.deck, player)[::-1]
        s.n_deck[player] = self.fill(s.deck[player], deck, (*at, "deck"))
        pile = self.numbers(setting.discard, player)
        s.n_discard[player] = self.fill(s.discard[player], pile, (*at, "discard"))
        for row, word in enumerate(ROW_WORDS):
            self.lay_row(player, row, getattr(setting, word), (*at, word))

    def lay_row(self, player: int, row: int, units: Units, at: Location) -> None:
        """Lay out the units of a row with the strengths of their stacks."""
        strengths: list[int] = []
        for index, unit in enumerate(units):
            card = self.database.cards[unit.card]
            if ROW_WORDS[row] not in card.rows:
                where = (
                    f"belongs in the {card.rows[0]} row" if card.rows else "is no unit"
                )
                raise BadPosition((*at, index), f"`{card.name}` {where}")
            printed = card.strength or 0
            given = printed if unit.strength is None else unit.strength
            strengths += [given] * unit.count
        cards = self.numbers(units, player)
        s = self.s
        s.n_row[player, row] = self.fill(s.row[player, row], cards, at)
        s.stacked[player, row, : len(strengths)] = strengths
        s.total[player, row] = sum(strengths)

    def lay_weather(self) -> None:
        """Lay out the active weather card, with the player who played it."""
        for index, entry in enumerate(self.scenario.weather):
            card = self.number[entry.card]
            if self.x.kind[card] != Kind.WEATHER:
                name = self.database.cards[entry.card].name
                raise BadPosition(("weather", index), f"`{name}` is no weather")
            by = PLAYER_NAMES.index(entry.by or PLAYER_NAMES[0])
            if by >= self.x.players:
                message = f"{entry.by} does not play"
                raise BadPosition(("weather", index, "by"), message)
            self.s.weather = card
            self.s.weather_by = by
            self.s.weather_row = self.x.effect_row[card]

    def lay_order(self) -> None:
        """Set the turn order of players with gems, from the file or by name."""
        s = self.s
        names = self.scenario.names
        standing = [i for i in range(len(names)) if s.gems[i] > 0]
        if len(standing) < 2:
            raise BadPosition(("players",), "fewer than two players have gems")
        order = [PLAYER_NAMES.index(name) for name in self.scenario.order] or standing
        if sorted(order) != standing:
            message = "the order names every player with gems once"
            raise BadPosition(("order",), message)
        s.standing = len(order)
        s.order[: len(order)] = order
        s.first = order[0]
        s.place[: len(names)] = [
            0 if i in standing else len(order) + 1 for i in range(len(names))
        ]

    def begin(self) -> None:
        """Set the turn, and mark players as passed who did so or alone have no card."""
        s = self.s
        order = s.order[: s.standing].tolist()
        has_cards = any(s.n_hand[i] for i in order)
        for i in order:
            setting = self.scenario.player(PLAYER_NAMES[i])
            if setting.passed or (has_cards and s.n_hand[i] == 0):
                pass_round(s, i)
        s.turn = self.first_to_move(order)
        s.position = order.index(s.turn)


# Gwen't as scenarios see it: moves in words, and outcomes


SCENARIO = GwenTScenario


def set_up(
    scenario: GwenTScenario, database: CardDatabase, fmt: Format
) -> GwenTPosition:
    """Set up the position of a file. Raises BadPosition if it is impossible."""
    names = scenario.names
    context = fill_context(database, fmt, [Seat({})] * len(names))
    states = np.zeros(1, STATE).view(np.recarray)
    _GwenTTable(
        Records(states)[0], Records(context)[0], scenario, database, names
    ).lay()
    return GwenTPosition(states, context, database, names)


def make_position(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwenTPosition:
    """Return the position of a running game, see `scenarios.contract.Adapter`."""
    names = PLAYER_NAMES[: int(context[0].players)]
    return GwenTPosition(states, context, database, names)


class GwenTPosition(EnginePosition):
    """A `scenarios.contract.GamePosition` in the records of the engine."""

    score = "gems"

    # Moves

    def in_words(self, move: int) -> LegalMove:
        if move == PASS:
            return LegalMove(move, "pass", {}, self.phrase("pass", {}))
        words = {"card": self.card_id(move_card(move))}
        return LegalMove(move, "play", words, self.phrase("play", words))

    def why_not(self, verb: str, words: Words) -> str:
        """Return the reason why a card cannot be played: it is not in the hand."""
        return "it is not in the hand"

    def idle_reason(self, player: str) -> str | None:
        i = PLAYER_NAMES.index(player)
        if self.s.gems[i] == 0:
            return f"{player} is defeated"
        return f"{player} has passed" if self.s.passed[i] else None

    # The outcome

    def facts(self) -> dict[str, Any]:
        s = self.s
        winner = None
        if s.over:
            winner = PLAYER_NAMES[s.winner] if s.winner >= 0 else "draw"
        sky = self.card_ids([s.weather] if s.weather else ())
        return {
            "weather": [
                {"card": card, "by": PLAYER_NAMES[s.weather_by]} for card in sky
            ],
            "round": int(s.round_no),
            "order": [PLAYER_NAMES[player] for player in s.order[: s.standing]],
            "turn": self.turn,
            "over": bool(s.over),
            "winner": winner,
            **{name: self._player_facts(i) for i, name in enumerate(self.players)},
        }

    def _player_facts(self, i: int) -> dict[str, Any]:
        s = self.s
        rows = range(len(ROW_WORDS))
        totals = [int(row_score(s, self.x, i, row, s.weather_row)) for row in rows]
        return {
            **row_facts([self._row_units(i, row) for row in rows], totals),
            "hand": self.read_ids(s.hand, s.n_hand, i),
            "hand_size": int(s.n_hand[i]),
            "discard": self.read_ids(s.discard, s.n_discard, i),
            "deck": self.read_ids(s.deck, s.n_deck, i)[::-1],
            "deck_size": int(s.n_deck[i]),
            "gems": int(s.gems[i]),
            "passed": bool(s.passed[i]),
            "place": int(s.place[i]) or None,
            "points": int(s.points[i]),
        }

    def _row_units(self, player: int, row: int) -> list[tuple[str, int]]:
        s = self.s
        cards = self.read_ids(s.row, s.n_row, player, row)
        if s.weather_row == row:
            gained = s.gained[player, row].tolist()
            covered = int(self.x.weather_strength)
            pairs = zip(cards, gained, strict=False)
            return [(card, covered + more) for card, more in pairs]
        stacked = s.stacked[player, row].tolist()
        return list(zip(cards, stacked, strict=False))
