"""Scenario files of SG Gwint, and the positions they start from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

import numpy as np
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
from deckcheck.engine.primitives import LeaderState, may_redraw
from deckcheck.engine.registry import EngineError, Seat, load_game
from deckcheck.engine.sg_gwint.board import (
    IN_SLOT,
    add_to_hand,
    bring_lager,
    lay_below,
    note_sky_rows,
    place,
    rescore_all,
    swallow,
)
from deckcheck.engine.sg_gwint.codes import Ability, Phase, Stage
from deckcheck.engine.sg_gwint.rounds import lay_out
from deckcheck.engine.sg_gwint.state import HALF, STATE
from deckcheck.formats import Format
from deckcheck.messages import plural
from deckcheck.scenarios.contract import BadPosition
from deckcheck.scenarios.models import (
    ROW_WORDS,
    CardCount,
    CardId,
    Cards,
    Choices,
    FactionId,
    LeaderId,
    Move,
    RowName,
    RowsExpected,
    RowSpecials,
    Scenario,
    ScenarioRecord,
    as_card,
    card_id,
    counted,
    expand,
)
from deckcheck.scenarios.position import Layout, check_room

# The scenario file of SG Gwint


NAMES = ("A", "B")

Name = Literal["A", "B"]


class LaidCard(ScenarioRecord):
    """A card of a row: whose it is, what lies under it, whether tenacity is used."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=60)] = 1
    owner: Name | None = None
    under: Cards = ()
    stayed: bool = False


class HeldCard(ScenarioRecord):
    """A card of a hand: whose it is, and whether the opponent knows it."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=60)] = 1
    owner: Name | None = None
    seen: bool = False


def _as_entry(value: object) -> object:
    if isinstance(value, str):
        return counted(value)
    if not isinstance(value, dict):
        return value
    # pydantic, being strict, takes no list for a tuple from here.
    return {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}


Laid = tuple[Annotated[LaidCard, BeforeValidator(_as_entry)], ...]
Held = tuple[Annotated[HeldCard, BeforeValidator(_as_entry)], ...]


class SgGwintWeatherCard(ScenarioRecord):
    """A weather card and who played it."""

    card: CardId
    by: Name = "A"


Weather = tuple[Annotated[SgGwintWeatherCard, BeforeValidator(as_card)], ...]


def _lying(text: str, info: ValidationInfo) -> str:
    """A card, or a leader who lies among the weather."""
    database: CardDatabase = (info.context or {})["database"]
    return database.find_leader(text).id or card_id(text, info)


class SkyCard(SgGwintWeatherCard):
    """A weather card that is expected, or a leader, and who played it."""

    card: Annotated[str, AfterValidator(_lying)]


Sky = tuple[Annotated[SkyCard, BeforeValidator(as_card)], ...]


class SgGwintPlayerStart(ScenarioRecord):
    """One player's part of the position; the first card of `deck` is its top card.

    `lives` left out are those of the format, `reserves` left out are all that the
    faction has. `under_deck` is how many bottom cards the player has put there.
    `doubled` are the rows into which units brought a lager and left.
    """

    faction: FactionId | None = None
    leader: LeaderId | None = None
    leader_used: bool = False
    choice_used: bool = False
    lives: Annotated[int, Field(ge=1, le=5)] | None = None
    passed: bool = False
    hand: Held = ()
    deck: Cards = ()
    under_deck: Annotated[int, Field(ge=0, le=60)] = 0
    discard: Cards = ()
    reserves: Cards | None = None
    close: Laid = ()
    ranged: Laid = ()
    siege: Laid = ()
    doubled: tuple[RowName, ...] = ()
    row_specials: RowSpecials = Field(default_factory=RowSpecials)


class SgGwintMove(Move):
    """A move: a card, a leader or a leader's card, a discard, a pass, or before turns.

    `side` is where a spy is played. `announce` is false for a player who does not.
    """

    ACTIONS = (
        *("play", "lay", "leader", "discard", "pass", "redraw"),
        *("announce", "start", "klepna"),
    )

    player: Name
    play: CardId | None = None
    lay: CardId | None = None
    row: RowName | None = None
    side: Name | None = None
    leader: Literal[True] | None = None
    discard: CardId | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    announce: bool | None = None
    start: Name | None = None
    klepna: RowName | None = None
    choose: Choices = ()

    @model_validator(mode="after")
    def _has_a_card_to_place(self) -> Self:
        if self.action not in ("play", "lay"):
            for key in ("row", "side"):
                if self.given(key) is not None:
                    raise ValueError(f"`{key}` goes with `play` or `lay`")
        return self

    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""
        verb = self.action
        if verb == "announce" and not self.announce:
            return "decline", {}
        named = self.given(verb)
        key = {"start": "player", "klepna": "row"}.get(verb, "card")
        words = {key: named} if isinstance(named, str) else {}
        if self.row is not None:
            words["row"] = self.row
        if self.side is not None:
            words["player"] = self.side
        return verb, words

    def answers(self) -> list[dict[str, str]]:
        """The words of the choices that follow."""
        return [choice.words() for choice in self.choose]


class SgGwintPlayerExpected(RowsExpected):
    """What may be expected of a player; only what is stated is checked.

    `below` are the cards that lie under others on the player's side, `doubled` the rows
    that lagers of units double.
    """

    below: Cards = ()
    doubled: tuple[RowName, ...] = ()
    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    seen: Cards = ()
    under_deck: int = 0
    reserves: Cards = ()
    linked: Cards = ()
    lives: int = 0
    leader_used: bool = False


_Part = Annotated[SgGwintPlayerExpected, Field(default_factory=SgGwintPlayerExpected)]


class SgGwintExpected(ScenarioRecord):
    """What may be expected of the game."""

    A: _Part
    B: _Part
    turn: Name | None = None
    round: int = 1
    weather: Sky = ()
    over: bool = False
    winner: Literal["A", "B", "draw"] | None = None


class SgGwintScenario(Scenario):
    """A scenario of SG Gwint between A and B.

    With `deal` the game is set up by the rules: decks keep their order and hands are
    drawn. `coin` lists who wins the tosses, A where it is left out. `tied` says that
    the round before was a tie.
    """

    deal: bool = False
    players: dict[Name, SgGwintPlayerStart] = Field(default_factory=dict)
    weather: Weather = ()
    round: Annotated[int, Field(ge=1, le=9)] = 1
    turn: Name | None = None
    starter: Name | None = None
    coin: tuple[Name, ...] = ()
    tied: bool = False
    moves: tuple[SgGwintMove, ...] = ()
    expect: SgGwintExpected | None = None

    def player(self, name: str) -> SgGwintPlayerStart:
        """A player's part of the position; one that is left out has nothing."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, SgGwintPlayerStart())


# Builds the records of the engine from the position of a scenario file


GONE = -1  # no unit of the battlefield
BELOW = int(Ability.REINFORCEMENT_TOKEN | Ability.ATTACH)


def start(scenario: SgGwintScenario, database: CardDatabase, fmt: Format) -> Any:
    """State and context of the position, as arrays of length 1.

    Raises BadPosition where the position makes no sense.
    """
    seats = [_seat(scenario.player(name)) for name in NAMES]
    try:
        context = load_game("sg_gwint").fill_context(database, fmt, seats)
    except EngineError as error:
        raise BadPosition(("players",), error.message, error.help) from None
    states = np.zeros(1, STATE).view(np.recarray)
    _SgGwintTable(states[0], context[0], scenario, database, NAMES).lay()
    return states, context


def _seat(player: SgGwintPlayerStart) -> Seat:
    """A seat with the cards of the file, of which some may be those of the other."""
    reserves = None
    if player.reserves is not None:
        reserves = {entry.card: entry.count for entry in player.reserves}
    return Seat({}, faction=player.faction, leader=player.leader, reserves=reserves)


class _SgGwintTable(Layout):
    DEALT = ("faction", "leader", "deck", "reserves")
    NOT_DEALT = ("round", "starter", "weather", "turn", "tied")
    EVERYBODY = "both players"

    def lay(self) -> None:
        """Lay out everything."""
        s, x, scenario = self.s, self.x, self.scenario
        coins = [NAMES.index(name) for name in scenario.coin]
        if scenario.deal:
            self.lay_decks()
            x.coin = coins[0] if coins else 0
            x.coins[: len(coins[1:])] = coins[1:]
            set_up(s, x)
            return
        self.fill(x.coins, coins, ("coin",))
        lay_out(s, x)
        s.replays = x.replays
        s.tossed = 1
        s.stage = Stage.TURNS
        s.phase = Phase.PLAY
        s.round_no = scenario.round
        s.tied = scenario.tied
        for player, name in enumerate(NAMES):
            self.lay_player(player, scenario.player(name), ("players", name))
        self.lay_weather()
        rescore_all(s, x)
        s.turn = s.active = self.first_to_move(range(len(NAMES)))
        s.starter = s.first = s.turn
        if scenario.starter is not None:
            s.starter = NAMES.index(scenario.starter)
        if scenario.moves and scenario.moves[0].redraw is not None:
            self.begin_redraws(scenario.moves[0].player)

    def begin_redraws(self, name: str) -> None:
        """The first move of the file redraws a card, so the redraws are still open."""
        s, x = self.s, self.x
        s.redraws[:] = x.redraws if s.round_no == 1 else x.redraws_per_round
        s.turn = NAMES.index(name)
        s.last_winner = s.starter
        if may_redraw(s, s.turn):
            s.phase = Phase.REDRAW
            s.stage = Stage.REDRAWING

    def lay_player(
        self, player: int, setting: SgGwintPlayerStart, at: Location
    ) -> None:
        """Everything that one player has."""
        s = self.s
        s.passed[player] = setting.passed
        s.choice_spent[player] = setting.choice_used
        if setting.leader_used and s.leader_state[player] == LeaderState.READY:
            s.leader_state[player] = LeaderState.USED
        if setting.lives is not None:
            s.lives[player] = setting.lives
        check_room(len(setting.hand), s.hand.shape[1], (*at, "hand"))
        for entry in setting.hand:
            owner = player if entry.owner is None else NAMES.index(entry.owner)
            for _ in range(entry.count):
                card = self.number[entry.card] + HALF * owner
                add_to_hand(s, self.x, player, card, int(entry.seen))
        deck = self.numbers(setting.deck, player)[::-1]
        s.n_deck[player] = self.fill(s.deck[player], deck, (*at, "deck"))
        if setting.under_deck > len(deck):
            message = f"the deck has {plural(len(deck), 'card')}"
            raise BadPosition((*at, "under_deck"), message)
        s.n_under[player] = setting.under_deck
        pile = self.numbers(setting.discard, player)
        s.n_discard[player] = self.fill(s.discard[player], pile, (*at, "discard"))
        for row, word in enumerate(ROW_WORDS):
            for index, laid in enumerate(getattr(setting, word)):
                self.lay_card(player, row, laid, (*at, word, index))
            if word in setting.doubled:
                bring_lager(s, self.x, player, row, GONE)
            special = getattr(setting.row_specials, word)
            if special is not None:
                self.lay_special(player, row, special, (*at, "row_specials", word))

    def lay_card(self, side: int, row: int, laid: LaidCard, at: Location) -> None:
        """A card of a row, as often as the file says, with what lies under it."""
        s, x = self.s, self.x
        card = self.database.cards[laid.card]
        self.check_row(card, row, at)
        owner = side if laid.owner is None else NAMES.index(laid.owner)
        check_room(s.n_row[side, row] + laid.count, s.row.shape[2], at)
        for _ in range(laid.count):
            place(s, x, side, row, self.number[laid.card] + HALF * owner)
            index = s.n_row[side, row] - 1
            s.stayed[side, row, index] = laid.stayed
            # A unit that stayed for this round brought its lager in the one before.
            if card.has("mahakam_lager") and not laid.stayed:
                bring_lager(s, x, side, row, s.ident[side, row, index])
            for other in self.numbers(laid.under, owner):
                if x.ability[other] & BELOW:
                    lay_below(s, x, side, row, index, other)
                else:
                    ident = s.ident[side, row, index]
                    swallow(s, x, ident, -1, other)
                    s.extra[side, row, index] += x.strength[other]

    def lay_special(self, side: int, row: int, id: str, at: Location) -> None:
        """The card in the slot of a row."""
        card = self.number[id] + HALF * side
        ability = self.x.ability[card]
        if self.database.cards[id].rows or not ability & (IN_SLOT | Ability.WEATHER):
            name = self.database.cards[id].name
            raise BadPosition(at, f"`{name}` cannot lie beside a row")
        self.s.slot[side, row] = card

    def lay_weather(self) -> None:
        """Weather cards, each with the player who played it."""
        s, x = self.s, self.x
        for place_of, entry in enumerate(self.scenario.weather):
            at: Location = ("weather", place_of)
            card = self.number[entry.card] + HALF * NAMES.index(entry.by)
            name = self.database.cards[entry.card].name
            if not x.ability[card] & Ability.WEATHER:
                raise BadPosition(at, f"`{name}` is no weather")
            if any(x.plain[card] == x.plain[lying] for lying in s.sky[: s.n_sky]):
                raise BadPosition(at, f"`{name}` lies there already")
            check_room(s.n_sky + 1, s.sky.shape[0], at)
            s.sky[s.n_sky] = card
            s.n_sky += 1
        note_sky_rows(s, x)

    def numbers(self, cards: Iterable[CardCount], player: int) -> list[int]:
        """Cards of a player as the numbers of the engine."""
        return [self.number[card] + HALF * player for card in expand(cards)]
