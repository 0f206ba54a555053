"""Builds the records of the engine from the position of a scenario file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwen_t.codes import Kind
from deckcheck.engine.games.gwen_t.host.context import card_numbers, fill_context
from deckcheck.engine.games.gwen_t.rules.rounds import pass_round
from deckcheck.engine.games.gwen_t.rules.setup import lay_out, set_up
from deckcheck.engine.games.gwen_t.state import STATE
from deckcheck.engine.host.seat import Seat
from deckcheck.findings.documents import Location
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.dealing import without_deck
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.games.gwen_t.file import (
    NAMES,
    GwenTScenario,
    PlayerStart,
    Units,
)
from deckcheck.scenarios.models import CardCount, expand
from deckcheck.scenarios.rows import ROW_WORDS

NOT_DEALT = ("round", "order", "weather")
OUT_OF_PLACE = "cannot be given where the game is dealt"


def start(scenario: GwenTScenario, database: CardDatabase, fmt: Format) -> Any:
    """State and context of the position, as arrays of length 1.

    Raises BadPosition where the position makes no sense.
    """
    context = fill_context(database, fmt, [Seat({})] * len(scenario.names))
    states = np.zeros(1, STATE).view(np.recarray)
    _Table(states[0], context[0], scenario, database).lay()
    return states, context


class _Table:
    """Lays out one position in the records `s` and `x`."""

    def __init__(
        self, s: Any, x: Any, scenario: GwenTScenario, database: CardDatabase
    ) -> None:
        self.s, self.x = s, x
        self.scenario = scenario
        self.database = database
        self.number = card_numbers(database)

    def lay(self) -> None:
        """Lay out everything."""
        self.x.scripted = 1
        self.x.coin = NAMES.index(self.scenario.turn or NAMES[0])
        if self.x.coin >= self.x.players:
            raise BadPosition(("turn",), f"{self.scenario.turn} does not play")
        for index, move in enumerate(self.scenario.moves):
            if move.player not in self.scenario.names:
                at: Location = ("moves", index, "player")
                raise BadPosition(at, f"{move.player} does not play")
        if self.scenario.deal:
            self.deal()
            return
        lay_out(self.s, self.x)
        self.s.round_no = self.scenario.round
        for player, name in enumerate(self.scenario.names):
            self.lay_player(player, self.scenario.player(name), ("players", name))
        self.lay_weather()
        self.lay_order()
        self.begin()

    def deal(self) -> None:
        """Set the game up by the rules: decks in their order, then coin and hands."""
        for key in sorted(self.scenario.model_fields_set & {*NOT_DEALT}):
            raise BadPosition((key,), f"`{key}` {OUT_OF_PLACE}")
        for player, name in enumerate(self.scenario.names):
            setting = self.scenario.player(name)
            at: Location = ("players", name)
            for key in sorted(setting.model_fields_set - {"deck"}):
                raise BadPosition((*at, key), f"`{key}` {OUT_OF_PLACE}")
            if not setting.deck:
                raise without_deck(name, self.scenario.players)
            deck = self.numbers(setting.deck)[::-1]
            cells = self.x.deck[player]
            self.x.n_deck[player] = self.fill(cells, deck, (*at, "deck"))
        set_up(self.s, self.x)

    def lay_player(self, player: int, setting: PlayerStart, at: Location) -> None:
        """Gems, hand, deck, discard pile and rows of one player."""
        s = self.s
        s.gems[player] = self.x.gems if setting.gems is None else setting.gems
        hand = self.numbers(setting.hand)
        s.n_hand[player] = self.fill(s.hand[player], hand, (*at, "hand"))
        deck = self.numbers(setting.deck)[::-1]
        s.n_deck[player] = self.fill(s.deck[player], deck, (*at, "deck"))
        pile = self.numbers(setting.discard)
        s.n_discard[player] = self.fill(s.discard[player], pile, (*at, "discard"))
        for row, word in enumerate(ROW_WORDS):
            self.lay_row(player, row, getattr(setting, word), (*at, word))

    def lay_row(self, player: int, row: int, units: Units, at: Location) -> None:
        """The units of one row with their stacked strengths."""
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
        cards = self.numbers(units)
        s = self.s
        s.n_row[player, row] = self.fill(s.row[player, row], cards, at)
        s.stacked[player, row, : len(strengths)] = strengths
        s.total[player, row] = sum(strengths)

    def lay_weather(self) -> None:
        """The weather card in effect, with the player who played it."""
        for place, entry in enumerate(self.scenario.weather):
            card = self.number[entry.card]
            if self.x.kind[card] != Kind.WEATHER:
                name = self.database.cards[entry.card].name
                raise BadPosition(("weather", place), f"`{name}` is no weather")
            by = NAMES.index(entry.by or NAMES[0])
            if by >= self.x.players:
                message = f"{entry.by} does not play"
                raise BadPosition(("weather", place, "by"), message)
            self.s.weather = card
            self.s.weather_by = by
            self.s.weather_row = self.x.effect_row[card]

    def lay_order(self) -> None:
        """The turn order of those with gems: that of the file, else of the names."""
        s, names = self.s, self.scenario.names
        standing = [i for i in range(len(names)) if s.gems[i] > 0]
        if len(standing) < 2:
            raise BadPosition(("players",), "fewer than two players have gems")
        order = [NAMES.index(name) for name in self.scenario.order] or standing
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
        """The players who passed, or have no card while others have; and the turn."""
        s = self.s
        order = s.order[: s.standing].tolist()
        has_cards = any(s.n_hand[i] for i in order)
        for i in order:
            setting = self.scenario.player(NAMES[i])
            if setting.passed or (has_cards and s.n_hand[i] == 0):
                pass_round(s, i)
        waiting = [i for i in order if not s.passed[i]]
        if not waiting:
            raise BadPosition(("players",), "all players have passed")
        named = self.scenario.turn
        s.turn = NAMES.index(named) if named is not None else waiting[0]
        if s.turn not in waiting:
            raise BadPosition(("turn",), f"{named} has passed already")
        s.position = order.index(s.turn)

    def numbers(self, cards: Iterable[CardCount]) -> list[int]:
        """Cards as the numbers of the engine."""
        return [self.number[card] for card in expand(cards)]

    def fill(self, cells: Any, cards: Sequence[int], at: Location) -> int:
        """Write cards to the beginning of `cells`; returns how many."""
        room = cells.shape[0]
        if len(cards) > room:
            message = f"{plural(len(cards), 'card')} found, {room} have room"
            raise BadPosition(at, message)
        cells[: len(cards)] = cards
        return len(cards)
