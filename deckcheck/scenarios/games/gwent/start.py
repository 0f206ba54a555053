"""Builds the records of the engine from the position of a scenario file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.contract import set_up
from deckcheck.engine.games.gwent.codes import LeaderState, Phase, Slot
from deckcheck.engine.games.gwent.game import RECORDS, fill_context, variant_of
from deckcheck.engine.games.gwent.host.cardtable import card_numbers
from deckcheck.engine.games.gwent.rules.leaders.passive import (
    set_up_leaders,
    void_leader,
)
from deckcheck.engine.games.gwent.rules.scoring import rescore_all
from deckcheck.engine.games.gwent.rules.seats import note_member
from deckcheck.engine.games.gwent.rules.setup import keep_hand, may_redraw
from deckcheck.engine.games.gwent.rules.weather import weather_index
from deckcheck.engine.games.gwent.rules.zones import add_to_hand
from deckcheck.engine.games.gwent.solo.state import AUTOMA
from deckcheck.engine.games.gwent.state import new_states
from deckcheck.engine.host.seat import Seat
from deckcheck.findings.documents import Location
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.dealing import without_deck
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.games.gwent.file import GwentScenario, PlayerStart
from deckcheck.scenarios.games.gwent.possible import (
    check_berserkers,
    check_players,
    check_points,
)
from deckcheck.scenarios.games.gwent.seats import (
    check_names,
    find_player,
    seat_names,
)
from deckcheck.scenarios.games.gwent.solo import (
    check_solo,
    is_solo,
    lay_automa,
)
from deckcheck.scenarios.models import CardCount, expand
from deckcheck.scenarios.rows import ROW_WORDS

DEALT = ("faction", "leader", "deck", "side_deck", "leaders")
NOT_DEALT = ("round", "starter", "weather")
OUT_OF_PLACE = "cannot be given where the game is dealt"
SLOTS = {"commanders_horn": Slot.HORN, "mardroeme": Slot.MARDROEME}


def start(scenario: GwentScenario, database: CardDatabase, fmt: Format) -> Any:
    """State and context of the position, as arrays of length 1.

    Raises BadPosition where the position makes no sense.
    """
    names = seat_names(scenario, fmt)
    check_names(scenario, fmt, names)
    check_players(scenario, database, fmt, names)
    is_team = fmt.seating.play == "teams"
    seats = [_seat(scenario.player(name), is_team) for name in names]
    context = fill_context(database, fmt, seats)
    context[0].n_deck[:] = 0
    states = new_states(1, RECORDS[variant_of(fmt, len(seats))][0])
    _Table(states[0], context[0], scenario, database, names).lay()
    return states, context


def _seat(player: PlayerStart, is_team: bool) -> Seat:
    """A seat without a deck; in teams with its cards, which have a colour."""
    zones = (player.hand, player.deck, player.discard, *_rows(player))
    cards = {entry.card: 1 for zone in zones for entry in zone} if is_team else {}
    return Seat(cards, faction=player.faction, leader=player.leader)


def _rows(player: PlayerStart) -> list[Sequence[CardCount]]:
    return [getattr(player, word) for word in ROW_WORDS]


class _Table:
    """Lays out one position in the records `s` and `x`."""

    def __init__(
        self,
        s: Any,
        x: Any,
        scenario: GwentScenario,
        database: CardDatabase,
        names: tuple[str, ...],
    ) -> None:
        self.s, self.x, self.names = s, x, names
        self.scenario = scenario
        self.database = database
        self.number = card_numbers(database)

    def lay(self) -> None:
        """Lay out everything."""
        self.x.scripted = 1
        check_solo(self.scenario, self.s)
        self.lay_side_decks()
        if is_solo(self.s):
            setting = self.scenario.player(self.names[AUTOMA])
            lay_automa(self.s, self.x, setting, self.database)
        if self.scenario.deal:
            self.deal()
            return
        s, x, scenario = self.s, self.x, self.scenario
        s.phase = Phase.PLAY
        s.round_no = scenario.round
        s.winner = -1
        set_up_leaders(s, x)
        s.gems[:] = x.gems
        for player, name in enumerate(self.names):
            self.lay_player(player, scenario.player(name), ("players", name))
        for side, name in enumerate(dict.fromkeys(name[0] for name in self.names)):
            self.lay_side(side, side, scenario.player(name), ("players", name))
        self.lay_weather()
        check_points(scenario, s, x)
        check_berserkers(scenario, s, x, self.database, self.names)
        s.turn = self.first_to_move()
        s.starter = s.turn
        if scenario.starter is not None:
            s.starter = self.names.index(scenario.starter)
        s.first = s.starter
        s.next_member[:] = -1
        note_member(s, x, s.starter)
        rescore_all(s, x)
        if scenario.moves and scenario.moves[0].redraw is not None:
            self.begin_redraws()

    def deal(self) -> None:
        """Set the game up by the rules: decks in their order, then coin and hands."""
        for key in sorted(self.scenario.model_fields_set & {*NOT_DEALT}):
            raise BadPosition((key,), f"`{key}` {OUT_OF_PLACE}")
        for player, name in enumerate(self.names):
            setting = self.scenario.player(name)
            at: Location = ("players", name)
            for key in sorted(setting.model_fields_set - {*DEALT}):
                raise BadPosition((*at, key), f"`{key}` {OUT_OF_PLACE}")
            if not setting.deck:
                raise without_deck(name, self.scenario.players)
            cards = self.numbers(setting.deck, player)
            room = self.x.deck.shape[1]
            self.x.n_deck[player] = self.fill(
                self.x.deck[player], cards[::-1], room, (*at, "deck")
            )
        self.x.coin = self.names.index(self.scenario.turn or self.names[0])
        set_up(self.s, self.x)

    def begin_redraws(self) -> None:
        """The first move of the file redraws a card, so the redraws are still open."""
        s = self.s
        s.redraws[:] = self.x.redraws
        s.phase = Phase.REDRAW
        s.turn = s.starter
        if not may_redraw(s, s.turn):
            keep_hand(s, self.x, s.turn)

    def first_to_move(self) -> int:
        """The player of `turn`, else the first who has not passed."""
        waiting = [i for i in range(len(self.names)) if not self.s.passed[i]]
        if not waiting:
            raise BadPosition(("players",), "all players have passed")
        if self.scenario.turn is None:
            return waiting[0]
        turn = self.names.index(self.scenario.turn)
        if turn not in waiting:
            raise BadPosition(("turn",), f"{self.scenario.turn} has passed already")
        return turn

    def lay_player(self, player: int, setting: PlayerStart, at: Location) -> None:
        """Leader, hand and deck of one player, and what they have laid in a team."""
        s = self.s
        s.passed[player] = setting.passed
        s.points[player] = setting.points
        if setting.voids is not None:
            who = find_player(setting.voids, self.names, (*at, "voids"))
            void_leader(s, self.x, who)
        if setting.leader_used and s.leader_state[player] == LeaderState.READY:
            s.leader_state[player] = LeaderState.USED
        hand = self.numbers(setting.hand, player)
        self.check_room(len(hand), s.hand.shape[1], (*at, "hand"))
        for card in hand:
            add_to_hand(s, player, card, 0)
        deck = self.numbers(setting.deck, player)[::-1]
        room = s.deck.shape[1]
        s.n_deck[player] = self.fill(s.deck[player], deck, room, (*at, "deck"))
        if self.names != tuple(name[0] for name in self.names):
            self.lay_side(int(self.x.side[player]), player, setting, at)

    def lay_side(
        self, side: int, owner: int, setting: PlayerStart, at: Location
    ) -> None:
        """Gems, pile and rows of a side, with cards in the colour of their `owner`."""
        s = self.s
        if setting.gems is not None:
            s.gems[side] = setting.gems
        pile = s.discard[side, : s.n_discard[side]].tolist()
        pile += self.numbers(setting.discard, owner)
        room = s.discard.shape[1]
        s.n_discard[side] = self.fill(s.discard[side], pile, room, (*at, "discard"))
        for row, word in enumerate(ROW_WORDS):
            entries = getattr(setting, word)
            for index, entry in enumerate(entries):
                card = self.database.cards[entry.card]
                self.check_row(card, row, (*at, word, index))
            lying = s.row[side, row, : s.n_row[side, row]].tolist()
            cards = [*lying, *self.numbers(entries, owner)]
            room = s.row.shape[2]
            s.n_row[side, row] = self.fill(s.row[side, row], cards, room, (*at, word))
            special = getattr(setting.row_specials, word)
            if special is not None:
                self.lay_special(side, row, special, (*at, "row_specials", word))

    def check_row(self, card: Card, row: int, at: Location) -> None:
        """Units lie in their own rows; summoned cards may lie elsewhere."""
        if card.has("decoy"):
            return
        if not card.rows:
            raise BadPosition(at, f"`{card.name}` lies in no row")
        if ROW_WORDS[row] not in card.rows and card.deckable:
            rows = " or the ".join(card.rows)
            raise BadPosition(at, f"`{card.name}` belongs in the {rows} row")

    def lay_special(self, side: int, row: int, id: str, at: Location) -> None:
        """The card in the slot beside a row."""
        card = self.database.cards[id]
        codes = [ability.code for ability in card.abilities]
        slots = [SLOTS[code] for code in codes if code in SLOTS]
        if card.rows or not slots:
            raise BadPosition(at, f"`{card.name}` cannot lie beside a row")
        self.s.slot[side, row] = slots[0]
        self.s.slot_card[side, row] = self.number[id]

    def lay_weather(self) -> None:
        """Weather cards, each with the player who played it."""
        s, x = self.s, self.x
        for place, entry in enumerate(self.scenario.weather):
            at: Location = ("weather", place)
            card = self.number[entry.card]
            name = self.database.cards[entry.card].name
            is_weather = self.database.cards[entry.card].kind == "weather"
            index = weather_index(x.ability[card]) if is_weather else -1
            if index < 0:
                raise BadPosition(at, f"`{name}` is no weather that stays")
            if s.weather[index]:
                raise BadPosition(at, f"`{name}` lies there already")
            by = entry.by or self.names[AUTOMA if is_solo(s) else 0]
            s.weather[index] = 1 + find_player(by, self.names, (*at, "by"))
            s.weather_card[index] = card

    def lay_side_decks(self) -> None:
        """Side decks: those of the factions unless the file gives others."""
        for player, name in enumerate(self.names):
            setting = self.scenario.player(name)
            if setting.side_deck is not None:
                at: Location = ("players", name, "side_deck")
                self.x.side_deck[player] = 0
                for card in self.numbers(setting.side_deck, player):
                    index = self.x.side_index[card]
                    if index < 0:
                        message = "only cards that are not for decks lie in a side deck"
                        raise BadPosition(at, message)
                    self.x.side_deck[player, index] += 1
            self.s.side_deck[player] = self.x.side_deck[player]

    def numbers(self, cards: Iterable[CardCount], player: int) -> list[int]:
        """Cards as the numbers of the engine, in the colour of a player's deck."""
        return [self.in_colour(self.number[card], player) for card in expand(cards)]

    def in_colour(self, number: int, player: int) -> int:
        """The number of a card in the colour of a player's deck, if there is one."""
        same = [int(i) for i in (self.x.plain == number).nonzero()[0]]
        own = [i for i in same if self.x.colour[i] == self.x.own_colour[player]]
        return own[0] if own else number

    def fill(self, cells: Any, cards: Sequence[int], room: int, at: Location) -> int:
        """Write cards to the beginning of `cells`; returns how many."""
        self.check_room(len(cards), room, at)
        cells[: len(cards)] = cards
        return len(cards)

    def check_room(self, count: int, room: int, at: Location) -> None:
        """Refuse more cards than the engine's records hold."""
        if count > room:
            message = f"{plural(count, 'card')} found, {room} have room"
            raise BadPosition(at, message)
