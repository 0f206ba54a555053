"""Scenario files of Gwent, and the positions they start from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    model_validator,
)

from deckcheck.cards import CardDatabase
from deckcheck.documents.model import Location
from deckcheck.engine.contract import set_up
from deckcheck.engine.gwent.board import (
    add_to_hand,
    note_member,
    rescore_all,
    row_has_mardroeme,
    weather_index,
)
from deckcheck.engine.gwent.codes import AutomaAction, Leader, Phase, Slot
from deckcheck.engine.gwent.context import fill_context, find_variant
from deckcheck.engine.gwent.game import RECORD_TYPES
from deckcheck.engine.gwent.leaders import set_up_leaders, void_leader
from deckcheck.engine.gwent.rounds import keep_hand, target
from deckcheck.engine.gwent.state import AUTOMA, USER, new_states
from deckcheck.engine.primitives import LeaderState, may_redraw
from deckcheck.engine.records import Records
from deckcheck.engine.registry import Seat
from deckcheck.formats import Format
from deckcheck.messages import choice, plural
from deckcheck.scenarios.contract import BadPosition, ScenarioAction
from deckcheck.scenarios.models import (
    PLAYER_PATTERN,
    ROW_WORDS,
    CardCount,
    CardId,
    CardMove,
    Cards,
    FactionId,
    LeaderId,
    PlayerName,
    RowsExpected,
    RowSpecials,
    Scenario,
    ScenarioRecord,
    as_card,
    card_id,
    expand,
)
from deckcheck.scenarios.position import Layout, check_room

# The scenario file of Gwent


Gems = Annotated[int, Field(ge=1, le=5)]


class GwentWeatherCard(ScenarioRecord):
    """A weather card and who played it."""

    card: CardId
    by: PlayerName | None = None


Weather = tuple[Annotated[GwentWeatherCard, BeforeValidator(as_card)], ...]


class GwentPlayerStart(ScenarioRecord):
    """The part of a player in the position. The first card of `deck` is its top card.

    `gems` left out come from the format, `side_deck` left out is the side deck of the
    faction. In teams the rows, the pile and `gems` belong to the team, A or B.
    Cards that A1 has laid may be given with A1. A White Flame `voids` the leader of a
    player at a table. An automa has `hidden` cards under its Decoys, in the order in
    which they were laid, and a pile of `leaders` with the top leader first. A pile left
    out comes from the format.
    """

    faction: FactionId | None = None
    leader: LeaderId | None = None
    leader_used: bool = False
    voids: PlayerName | None = None
    gems: Gems | None = None
    points: Annotated[int, Field(ge=0, le=99)] = 0
    passed: bool = False
    hand: Cards = ()
    deck: Cards = ()
    discard: Cards = ()
    side_deck: Cards | None = None
    close: Cards = ()
    ranged: Cards = ()
    siege: Cards = ()
    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    hidden: Cards = ()
    leaders: tuple[LeaderId, ...] | None = None


def _answer(text: str, info: ValidationInfo) -> str:
    """Return the id of a card, or a player or row, which chance may pick, too."""
    is_word = re.fullmatch(PLAYER_PATTERN, text) or text in ROW_WORDS
    return text if is_word else card_id(text, info)


Answer = Annotated[str, AfterValidator(_answer)]


class GwentMove(CardMove):
    """A move: a card, the leader, a pass, a redraw, who shall start, whom to void."""

    ACTIONS = ("play", "leader", "pass", "redraw", "start", "void")

    random: tuple[Answer, ...] = ()
    start: PlayerName | None = None
    void: PlayerName | None = None

    @model_validator(mode="after")
    def _has_a_row_to_play_in(self) -> Self:
        if self.row is not None and self.action not in ("play", "leader"):
            raise ValueError("`row` goes with `play`")
        return self

    def answers(self) -> list[dict[str, str]]:
        """Return the words of the choices that follow, with the `row` of a leader."""
        answers = super().answers()
        if self.row is not None and self.action == "leader":
            if not answers:
                answers.append({})
            answers[0] = {**answers[0], "row": self.row}
        return answers


class GwentPlayerExpected(RowsExpected):
    """The values to expect of a player. Only the given values are checked."""

    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    seen: Cards = ()
    seen_by: dict[PlayerName, Cards] = Field(default_factory=dict)
    side_deck: Cards = ()
    gems: int = 0
    points: int = 0
    place: int = 1
    leader_used: bool = False
    hidden: Cards = ()
    leaders: tuple[LeaderId, ...] = ()


_Part = Annotated[GwentPlayerExpected, Field(default_factory=GwentPlayerExpected)]


class GwentExpected(ScenarioRecord):
    """The values that may be expected of the game."""

    A: _Part
    B: _Part
    C: _Part
    D: _Part
    E: _Part
    A1: _Part
    B1: _Part
    A2: _Part
    B2: _Part
    turn: PlayerName | None = None
    round: int = 1
    weather: Weather = ()
    over: bool = False
    winner: PlayerName | Literal["draw"] | None = None


class GwentScenario(Scenario):
    """A scenario of Gwent: players A and B, at a table A to E, in teams A1, B1, A2, B2.

    With `deal` the rules set up the game: decks keep their order, hands are drawn, and
    the coin lets `turn` begin. `starter` began the round, by default `turn`.
    """

    random: tuple[Answer, ...] = ()
    deal: bool = False
    players: dict[PlayerName, GwentPlayerStart] = Field(default_factory=dict)
    weather: Weather = ()
    round: Annotated[int, Field(ge=1, le=99)] = 1
    turn: PlayerName | None = None
    starter: PlayerName | None = None
    moves: tuple[GwentMove, ...] = ()
    expect: GwentExpected | None = None

    def player(self, name: str) -> GwentPlayerStart:
        """Return a player's part of the position, which is empty if left out."""
        return self.players.get(name, GwentPlayerStart())


# The players of a scenario: names of players and of teams, for each way to play


PLAYER_LETTERS = "ABCDE"
DUEL_NAMES = ("A", "B")
TEAM_SEATS = ("A1", "B1", "A2", "B2")
TEAM_ONLY = ("gems",)
PLAYER_ONLY = tuple(
    "faction leader leader_used passed hand deck side_deck points voids".split()
)


def seat_names(scenario: GwentScenario, fmt: Format) -> tuple[str, ...]:
    """Return the players in order of play. A table has as many as the file names."""
    spoken_of = [PLAYER_LETTERS.index(name[0]) + 1 for name in scenario.players]
    count = max([fmt.seating.min_players, *spoken_of])
    return names_at(fmt, min(count, fmt.seating.max_players))


def names_at(fmt: Format, players: int) -> tuple[str, ...]:
    """Return the names of the players at a table, in a duel or in teams."""
    if fmt.seating.play == "teams":
        return TEAM_SEATS
    if fmt.seating.play == "table":
        return tuple(PLAYER_LETTERS[:players])
    return DUEL_NAMES


def side_names(fmt: Format, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sides of the board: teams, or the players themselves."""
    return DUEL_NAMES if fmt.seating.play == "teams" else seats


def check_names(scenario: GwentScenario, fmt: Format, seats: tuple[str, ...]) -> None:
    """Refuse unknown players, and keys that a player or a team does not have."""
    sides = side_names(fmt, seats)
    allowed = dict.fromkeys([*sides, *seats])
    for name in scenario.players:
        find_player(name, allowed, ("players", name))
    named = {"turn": scenario.turn, "starter": scenario.starter}
    for key, player in named.items():
        if player is not None:
            find_player(player, seats, (key,))
    for index, move in enumerate(scenario.moves):
        find_player(move.player, seats, ("moves", index, "player"))
    if scenario.expect is not None:
        for key in scenario.expect.model_fields_set:
            if key[0] in PLAYER_LETTERS:
                find_player(key, allowed, ("expect", key))
    if sides == seats:
        return
    for name, setting in scenario.players.items():
        keys, owner = PLAYER_ONLY, "a player"
        if name in seats:
            keys, owner = TEAM_ONLY, "a team"
        for key in keys:
            if key in setting.model_fields_set:
                message = f"`{key}` is that of {owner}"
                raise BadPosition(("players", name, key), message)


def find_player(name: str, allowed: Iterable[str], at: Location) -> int:
    """Return the index of a player among the players of the game."""
    names = list(allowed)
    if name not in names:
        help = f"It may be {choice(names)}"
        raise BadPosition(at, f"there is no player `{name}`", help)
    return names.index(name)


# Scenarios of solo: the automa's secrets


SECRET_FIELDS = ("hidden", "leaders")
USERS_OWN = ("hand", "leader", "leader_used", "passed")
ACTION_TEXTS = {
    # an action in words; the name of the card goes into the braces
    AutomaAction.LAY: "B plays {} in",
    AutomaAction.PLAY: "B plays {}",
    AutomaAction.HIDE: "B plays {} with a card face down under it",
    AutomaAction.TURN_UP: "B turns up {}, which lay under a Decoy",
    AutomaAction.MOVE: "B moves {} to",
}


def is_solo(s: Any) -> bool:
    """Report whether this is the record of a solo game."""
    return "hidden" in s.dtype.names


def automa_actions(s: Any, x: Any, database: CardDatabase) -> list[ScenarioAction]:
    """Return the actions of the automa since the last call, in words."""
    if not is_solo(s):
        return []
    actions = []
    for action in x.actions[: x.n_actions].tolist():
        actions.append(_describe_action(x, action, database))
    x.n_actions = 0
    return actions


def _describe_action(
    x: Any, noted: Sequence[int], database: CardDatabase
) -> ScenarioAction:
    code, number, row, side = noted
    action = AutomaAction(code)
    if action == AutomaAction.LEADER:
        ability = Leader(number).name.lower()
        leader = next(x for x in database.leaders.values() if x.ability == ability)
        return ScenarioAction(f"B turns up {leader.full_name}", {"leader": leader.id})
    if action == AutomaAction.COUNT:
        words = {"A": str(number), "B": str(row)}
        return ScenarioAction(f"the round ends with A at {number}, B at {row}", words)
    if action == AutomaAction.NOTHING:
        return ScenarioAction("B passes, its deck is empty", {})
    card = list(database.cards.values())[int(x.plain[number]) - 1]
    words = {"card": card.id}
    text = ACTION_TEXTS[action].format(card.name)
    if row >= 0:
        words["row"] = ROW_WORDS[row]
        text += f" the {words['row']} row" + (" of A" if side == USER else "")
        words["side"] = DUEL_NAMES[side]
    return ScenarioAction(text, words)


def automa_facts(s: Any, player: int, database: CardDatabase) -> dict[str, Any]:
    """Return the facts of an automa that other players do not have."""
    if not is_solo(s) or player == USER:
        return {}
    cards = list(database.cards)
    leaders = {Leader[x.ability.upper()]: x.id for x in database.leaders.values()}
    pile = s.leaders[: s.n_leaders][::-1]
    return {
        "hidden": [cards[card - 1] for card in s.hidden[: s.n_hidden, 0]],
        "leaders": [leaders[Leader(int(leader))] for leader in pile],
    }


# Positions of Gwent that no game can come to, refused with the statement they break


RELENTLESS_ABILITY = "take_from_enemy_discard"
WHITE_FLAME = "cancel_enemy_leader"
CLEAR_ABILITY = "weather_clear"

TAKEN_OUT = "A has no weather but Clear Weather in solo (gwent 6.1.3)"
GIVE_IT_TO_THE_AUTOMA = "Only The Relentless as A's leader can take one (gwent 6.2.10)"
NONE_LEFT = "or `side_deck: []` if there is none left"
BERSERKER_TURNED = "a Berserker beside Mardroeme is turned already (gwent 1.6.10)"


def check_players(
    scenario: GwentScenario,
    database: CardDatabase,
    fmt: Format,
    names: Sequence[str],
) -> None:
    """Refuse factions, leaders and weather that players cannot have."""
    for name, setting in scenario.players.items():
        _check_leader(setting, database, ("players", name))
    if fmt.seating.play == "teams":
        for team in range(2):
            _check_partners(scenario, database, names[team::2])
    if fmt.seating.play == "solo":
        _check_user(scenario, database)


def _check_leader(
    setting: GwentPlayerStart, database: CardDatabase, at: Location
) -> None:
    faction = setting.faction
    if faction is not None and faction == database.game.neutral:
        raise BadPosition((*at, "faction"), "no deck is neutral (gwent 1.1.1)")
    if setting.leader is None:
        if setting.leader_used:
            raise BadPosition((*at, "leader_used"), "there is no `leader`")
        return
    leader = database.leaders[setting.leader]
    if faction not in (None, leader.faction):
        whose = database.factions[leader.faction].name
        message = f"`{leader.full_name}` is a leader of {whose} (gwent 1.1.2)"
        raise BadPosition((*at, "leader"), message)
    if setting.leader_used and leader.passive:
        message = f"`{leader.full_name}` is passive and never used (gwent 1.9.1)"
        raise BadPosition((*at, "leader_used"), message)
    if setting.voids is not None and leader.ability != WHITE_FLAME:
        message = "only The White Flame voids a leader (gwent 1.9.5)"
        raise BadPosition((*at, "voids"), message)


def _check_partners(
    scenario: GwentScenario, database: CardDatabase, partners: Sequence[str]
) -> None:
    factions = [scenario.player(name).faction for name in partners]
    if factions[0] is not None and factions[0] == factions[1]:
        both = " and ".join(partners)
        name = database.factions[factions[0]].name
        message = f"{both} are partners, and both are {name}"
        help = "Partners have different factions (gwent 5.2)"
        raise BadPosition(("players", partners[1], "faction"), message, help)


def _check_user(scenario: GwentScenario, database: CardDatabase) -> None:
    """Refuse weather and removed cards in the user's cards of a solo game."""
    setting = scenario.player(DUEL_NAMES[USER])
    leader = database.leaders.get(setting.leader or "")
    if leader is not None and leader.ability == RELENTLESS_ABILITY:
        return
    cards: list[tuple[Location, str]] = []
    for zone in ("hand", "deck", "discard"):
        for index, entry in enumerate(getattr(setting, zone)):
            cards.append((("players", DUEL_NAMES[USER], zone, index), entry.card))
    for index, weather in enumerate(scenario.weather):
        if weather.by == DUEL_NAMES[USER]:
            cards.append((("weather", index, "by"), weather.card))
    for location, id in cards:
        card = database.cards[id]
        if card.kind == "weather" and not card.has(CLEAR_ABILITY):
            raise BadPosition(location, TAKEN_OUT, GIVE_IT_TO_THE_AUTOMA)


# Builds the records of the engine from the position of a scenario file


ROW_SLOTS = {"commanders_horn": Slot.HORN, "mardroeme": Slot.MARDROEME}


def start(scenario: GwentScenario, database: CardDatabase, fmt: Format) -> Any:
    """Return state and context of the position, as arrays of length 1.

    Raises BadPosition where the position makes no sense.
    """
    names = seat_names(scenario, fmt)
    check_names(scenario, fmt, names)
    check_players(scenario, database, fmt, names)
    is_team = fmt.seating.play == "teams"
    seats = [_make_seat(scenario.player(name), is_team) for name in names]
    context = fill_context(database, fmt, seats)
    context[0].n_deck[:] = 0
    states = new_states(1, RECORD_TYPES[find_variant(fmt, len(seats))][0])
    _GwentTable(
        Records(states)[0], Records(context)[0], scenario, database, names
    ).lay()
    return states, context


def _make_seat(player: GwentPlayerStart, is_team: bool) -> Seat:
    """Return a seat without a deck, or in teams with the cards, which have a colour."""
    cards: dict[str, int] = {}
    if is_team:
        for zone in (player.hand, player.deck, player.discard, *_list_rows(player)):
            cards |= {entry.card: 1 for entry in zone}
    return Seat(cards, faction=player.faction, leader=player.leader)


def _list_rows(player: GwentPlayerStart) -> list[Sequence[CardCount]]:
    return [getattr(player, word) for word in ROW_WORDS]


class _GwentTable(Layout):
    DEALT = ("faction", "leader", "deck", "side_deck", "leaders")
    NOT_DEALT = ("round", "starter", "weather")

    def lay(self) -> None:
        """Lay out everything."""
        self.check_solo()
        self.lay_side_decks()
        if is_solo(self.s):
            self.lay_automa()
        s = self.s
        x = self.x
        scenario = self.scenario
        if scenario.deal:
            self.lay_decks()
            x.coin = self.names.index(scenario.turn or self.names[0])
            set_up(s, x)
            return
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
        self.check_points()
        self.check_berserkers()
        s.turn = self.first_to_move(range(len(self.names)))
        s.starter = s.turn
        if scenario.starter is not None:
            s.starter = self.names.index(scenario.starter)
        s.first = s.starter
        s.next_member[:] = -1
        note_member(s, x, s.starter)
        rescore_all(s, x)
        if scenario.moves and scenario.moves[0].redraw is not None:
            self.begin_redraws()

    def begin_redraws(self) -> None:
        """Leave the redraws open, because the first move of the file redraws a card."""
        s = self.s
        s.redraws[:] = self.x.redraws
        s.phase = Phase.REDRAW
        s.turn = s.starter
        if not may_redraw(s, s.turn):
            keep_hand(s, self.x, s.turn)

    def lay_player(self, player: int, setting: GwentPlayerStart, at: Location) -> None:
        """Lay out leader, hand and deck of a player, and a team's units."""
        s = self.s
        s.passed[player] = setting.passed
        s.points[player] = setting.points
        if setting.voids is not None:
            who = find_player(setting.voids, self.names, (*at, "voids"))
            void_leader(s, self.x, who)
        if setting.leader_used and s.leader_state[player] == LeaderState.READY:
            s.leader_state[player] = LeaderState.USED
        hand = self.numbers(setting.hand, player)
        check_room(len(hand), s.hand.shape[1], (*at, "hand"))
        for card in hand:
            add_to_hand(s, player, card, 0)
        deck = self.numbers(setting.deck, player)[::-1]
        s.n_deck[player] = self.fill(s.deck[player], deck, (*at, "deck"))
        if any(len(name) > 1 for name in self.names):
            self.lay_side(int(self.x.side[player]), player, setting, at)

    def lay_side(
        self, side: int, owner: int, setting: GwentPlayerStart, at: Location
    ) -> None:
        """Lay out gems, pile and rows of a side, with cards in the `owner`'s colour."""
        s = self.s
        if setting.gems is not None:
            s.gems[side] = setting.gems
        pile = s.discard[side, : s.n_discard[side]].tolist()
        pile += self.numbers(setting.discard, owner)
        s.n_discard[side] = self.fill(s.discard[side], pile, (*at, "discard"))
        for row, word in enumerate(ROW_WORDS):
            entries = getattr(setting, word)
            for index, entry in enumerate(entries):
                card = self.database.cards[entry.card]
                if not card.has("decoy"):
                    self.check_row(card, row, (*at, word, index))
            lying = s.row[side, row, : s.n_row[side, row]].tolist()
            cards = [*lying, *self.numbers(entries, owner)]
            s.n_row[side, row] = self.fill(s.row[side, row], cards, (*at, word))
            special = getattr(setting.row_specials, word)
            if special is not None:
                self.lay_special(side, row, special, (*at, "row_specials", word))

    def lay_special(self, side: int, row: int, id: str, at: Location) -> None:
        """Lay out the card in the slot beside a row."""
        card = self.database.cards[id]
        codes = [ability.code for ability in card.abilities]
        slots = [ROW_SLOTS[code] for code in codes if code in ROW_SLOTS]
        if card.rows or not slots:
            raise BadPosition(at, f"`{card.name}` cannot lie beside a row")
        self.s.slot[side, row] = slots[0]
        self.s.slot_card[side, row] = self.number[id]

    def lay_weather(self) -> None:
        """Lay out the weather cards, each with the player who played it."""
        s, x = self.s, self.x
        for index, entry in enumerate(self.scenario.weather):
            location: Location = ("weather", index)
            card = self.number[entry.card]
            name = self.database.cards[entry.card].name
            is_weather = self.database.cards[entry.card].kind == "weather"
            slot = weather_index(x.ability[card]) if is_weather else -1
            if slot < 0:
                raise BadPosition(location, f"`{name}` is no weather that stays")
            if s.weather[slot]:
                raise BadPosition(location, f"`{name}` lies there already")
            by = entry.by or self.names[AUTOMA if is_solo(s) else 0]
            s.weather[slot] = 1 + find_player(by, self.names, (*location, "by"))
            s.weather_card[slot] = card

    def lay_side_decks(self) -> None:
        """Lay out the side decks of the file, or else of the factions."""
        for player, name in enumerate(self.names):
            setting = self.scenario.player(name)
            if setting.side_deck is not None:
                location: Location = ("players", name, "side_deck")
                self.x.side_deck[player] = 0
                for card in self.numbers(setting.side_deck, player):
                    index = self.x.side_index[card]
                    if index < 0:
                        message = "only cards that are not for decks lie in a side deck"
                        raise BadPosition(location, message)
                    self.x.side_deck[player, index] += 1
            self.s.side_deck[player] = self.x.side_deck[player]

    def numbers(self, cards: Iterable[CardCount], player: int) -> list[int]:
        """Return the engine's numbers of cards, in the colour of a player's deck."""
        return [self.in_colour(self.number[card], player) for card in expand(cards)]

    def in_colour(self, number: int, player: int) -> int:
        """Return the number of a card in the colour of a player's deck, if any."""
        same = [int(i) for i in (self.x.plain == number).nonzero()[0]]
        coloured = [i for i in same if self.x.colour[i] == self.x.own_colour[player]]
        return coloured[0] if coloured else number

    # What only the user or only the automa has

    def check_solo(self) -> None:
        """Refuse keys of only the user or only the automa, and the automa's turn."""
        for player, name in enumerate(DUEL_NAMES):
            given = self.scenario.player(name).model_fields_set
            automa = is_solo(self.s) and player == AUTOMA
            wrong = USERS_OWN if automa else SECRET_FIELDS
            for key in [key for key in wrong if key in given]:
                who = "an automa has none" if automa else "only an automa has them"
                raise BadPosition(("players", name, key), f"`{key}`: {who}")
        if not is_solo(self.s):
            return
        if self.scenario.turn == DUEL_NAMES[AUTOMA]:
            message = "the automa never is to move: it plays after each move of A"
            raise BadPosition(("turn",), message)
        if self.scenario.player(DUEL_NAMES[USER]).passed:
            had = "the automa has had its last turn"
            message = f"A has passed: {had}, the round is over"
            help = "Let A pass in `moves`; the automa answers"
            raise BadPosition(("players", DUEL_NAMES[USER], "passed"), message, help)

    def lay_automa(self) -> None:
        """Lay out the automa's leader pile, and the cards under its Decoys."""
        s = self.s
        x = self.x
        database = self.database
        setting = self.scenario.player(DUEL_NAMES[AUTOMA])
        location: Location = ("players", DUEL_NAMES[AUTOMA])
        if setting.leaders is not None:
            if not x.automa_leaders:
                message = "the format plays without the automa's leaders"
                raise BadPosition((*location, "leaders"), message)
            pile = [database.leaders[id] for id in setting.leaders[::-1]]
            check_room(len(pile), len(x.leaders), (*location, "leaders"), "leader")
            x.leaders[: len(pile)] = [Leader[each.ability.upper()] for each in pile]
            x.n_leaders = len(pile)
        s.n_leaders = x.n_leaders
        s.leaders[:] = x.leaders
        hidden = expand(setting.hidden)
        check_room(len(hidden), len(s.hidden), (*location, "hidden"))
        decoys = [id for id, card in database.cards.items() if card.has("decoy")]
        for i, card in enumerate(hidden):
            s.hidden[i] = (self.number[card], self.number[decoys[0]])
        s.n_hidden = len(hidden)

    # What no game can come to

    def check_points(self) -> None:
        """Refuse points of a table with which the game would be over (4.4)."""
        needed = int(target(self.s, self.x))
        for name, setting in self.scenario.players.items():
            if setting.points >= needed:
                enough = plural(needed, "point")
                message = f"with {enough} the game is over (gwent 4.4)"
                raise BadPosition(("players", name, "points"), message)

    def check_berserkers(self) -> None:
        """Refuse Berserkers that Mardroeme would have turned (1.6.10)."""
        s = self.s
        x = self.x
        names = self.names
        for name, setting in self.scenario.players.items():
            owner = next(i for i, seat in enumerate(names) if name in (seat, seat[0]))
            side = int(x.side[owner])
            players = [i for i in range(len(names)) if x.side[i] == side]
            for row, word in enumerate(ROW_WORDS):
                if not row_has_mardroeme(s, x, side, row):
                    continue
                for index, entry in enumerate(getattr(setting, word)):
                    turned = int(x.becomes[self.number[entry.card]])
                    if turned and any(
                        s.side_deck[i, x.side_index[turned]] or self.is_open(names[i])
                        for i in players
                    ):
                        location: Location = ("players", name, word, index)
                        after = list(self.database.cards)[turned - 1]
                        raise BadPosition(
                            location, BERSERKER_TURNED, f"Write `{after}`, {NONE_LEFT}"
                        )

    def is_open(self, name: str) -> bool:
        """Report whether the file leaves the side deck of a player open."""
        setting = self.scenario.player(name)
        return setting.faction is None and setting.side_deck is None
