"""Scenarios of SG Gwint: files, positions, moves, facts, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    model_validator,
)

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.documents.model import Location
from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.contract import set_up as deal
from deckcheck.engine.primitives import (
    LeaderState,
    may_redraw,
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.engine.records import Records
from deckcheck.engine.registry import EngineError, Seat, load_game
from deckcheck.engine.sg_gwint.abilities import leader_is_playable
from deckcheck.engine.sg_gwint.board import (
    IN_SLOT,
    add_to_hand,
    bring_lager,
    count_unit_lagers,
    lay_below,
    note_sky_rows,
    place,
    rescore_all,
    swallow,
    unit_strength,
)
from deckcheck.engine.sg_gwint.codes import (
    DECLINE,
    KEEP_HAND,
    START,
    Ability,
    FactionAbility,
    Leader,
    Phase,
    RandomPick,
    Stage,
    Verb,
    encode_row,
)
from deckcheck.engine.sg_gwint.rounds import lay_out
from deckcheck.engine.sg_gwint.state import HALF, STATE
from deckcheck.formats import Format
from deckcheck.messages import plural
from deckcheck.scenarios.contract import (
    CHOOSE_VERB,
    BadPosition,
    LegalMove,
    Words,
    find_reason,
)
from deckcheck.scenarios.models import (
    NO_ANSWER,
    ROW_WORDS,
    CardCount,
    CardId,
    CardMove,
    Cards,
    FactionId,
    LeaderId,
    RowName,
    RowsExpected,
    RowSpecials,
    Scenario,
    ScenarioRecord,
    as_card,
    card_id,
    expand,
    get_database,
    parse_count,
)
from deckcheck.scenarios.position import (
    NO_EFFECT,
    CardPosition,
    Layout,
    Prompt,
    check_room,
    other_row,
    row_facts,
)

# The scenario file of SG Gwint


PLAYER_NAMES = ("A", "B")

Name = Literal["A", "B"]


class LaidCard(ScenarioRecord):
    """A card of a row."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=60)] = 1
    owner: Name | None = None
    """The player who owns it."""
    under: Cards = ()
    """The cards under it."""
    stayed: bool = False
    """Whether tenacity is used."""


class HeldCard(ScenarioRecord):
    """A card of a hand: whose it is, and whether the opponent knows it."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=60)] = 1
    owner: Name | None = None
    seen: bool = False


def _as_entry(value: object) -> object:
    if isinstance(value, str):
        return parse_count(value)
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


def _check_laid_card(text: str, info: ValidationInfo) -> str:
    """Return a card, or a leader in the weather, by id."""
    return get_database(info).find_leader(text).id or card_id(text, info)


class SkyCard(SgGwintWeatherCard):
    """An expected weather card, or a leader, and the player who played it."""

    card: Annotated[str, AfterValidator(_check_laid_card)]


Sky = tuple[Annotated[SkyCard, BeforeValidator(as_card)], ...]


class SgGwintPlayerStart(ScenarioRecord):
    """The part of a player in the position. The first card of `deck` is its top card.

    `lives` left out come from the format, `reserves` left out are all of the faction.
    `under_deck` is the number of bottom cards that the player has put there.
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


class SgGwintMove(CardMove):
    """A move: a card, a leader or its card, a discard, a pass, or a decision."""

    ACTIONS = tuple("play lay leader discard pass redraw announce start klepna".split())

    player: Name
    lay: CardId | None = None
    side: Name | None = None
    """The side where a spy is played."""
    discard: CardId | None = None
    announce: bool | None = None
    """Whether the player announces the ability."""
    start: Name | None = None
    klepna: RowName | None = None

    @model_validator(mode="after")
    def _has_a_card_to_place(self) -> Self:
        if self.action not in ("play", "lay"):
            for key in ("row", "side"):
                if self.value_at(key) is not None:
                    raise ValueError(f"`{key}` goes with `play` or `lay`")
        return self

    def wish(self) -> tuple[str, dict[str, str]]:
        """Return the verb and the words of the intended move."""
        verb, words = super().wish()
        if verb == "announce" and not self.announce:
            return "decline", {}
        if self.side is not None:
            words["player"] = self.side
        return verb, words


class SgGwintPlayerExpected(RowsExpected):
    """The values to expect of a player. Only the given values are checked."""

    below: Cards = ()
    """The cards under others on the player's side."""
    doubled: tuple[RowName, ...] = ()
    """The rows that lagers of units double."""
    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    seen: Cards = ()
    under_deck: int = 0
    reserves: Cards = ()
    linked: Cards = ()
    lives: int = 0
    leader_used: bool = False


_Part = Annotated[SgGwintPlayerExpected, Field(default_factory=SgGwintPlayerExpected)]


class SgGwintExpected(ScenarioRecord):
    """The values that may be expected of the game."""

    A: _Part
    B: _Part
    turn: Name | None = None
    round: int = 1
    weather: Sky = ()
    over: bool = False
    winner: Literal["A", "B", "draw"] | None = None


class SgGwintScenario(Scenario):
    """A scenario of SG Gwint between A and B.

    With `deal` the rules set up the game: decks keep their order and hands are drawn.
    """

    deal: bool = False
    players: dict[Name, SgGwintPlayerStart] = Field(default_factory=dict)
    weather: Weather = ()
    round: Annotated[int, Field(ge=1, le=9)] = 1
    turn: Name | None = None
    starter: Name | None = None
    coin: tuple[Name, ...] = ()
    """The winners of the tosses, by default A."""
    tied: bool = False
    """Whether the round before was a tie."""
    moves: tuple[SgGwintMove, ...] = ()
    expect: SgGwintExpected | None = None

    def player(self, name: str) -> SgGwintPlayerStart:
        """Return a player's part of the position, which is empty if left out."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, SgGwintPlayerStart())


# Builds the records of the engine from the position of a scenario file


NO_UNIT = -1  # no unit of the battlefield
LOOSE_ABILITIES = int(Ability.REINFORCEMENT_TOKEN | Ability.ATTACH)


def _make_seat(player: SgGwintPlayerStart) -> Seat:
    """Return a seat with the cards of the file, some of which the opponent may own."""
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
        s = self.s
        x = self.x
        scenario = self.scenario
        coins = [PLAYER_NAMES.index(name) for name in scenario.coin]
        if scenario.deal:
            self.lay_decks()
            x.coin = coins[0] if coins else 0
            x.coins[: len(coins[1:])] = coins[1:]
            deal(s, x)
            return
        self.fill(x.coins, coins, ("coin",))
        lay_out(s, x)
        s.replays = x.replays
        s.tossed = 1
        s.stage = Stage.TURNS
        s.phase = Phase.PLAY
        s.round_no = scenario.round
        s.tied = scenario.tied
        for player, name in enumerate(PLAYER_NAMES):
            self.lay_player(player, scenario.player(name), ("players", name))
        self.lay_weather()
        rescore_all(s, x)
        s.turn = s.active = self.first_to_move(range(len(PLAYER_NAMES)))
        s.starter = s.first = s.turn
        if scenario.starter is not None:
            s.starter = PLAYER_NAMES.index(scenario.starter)
        if scenario.moves and scenario.moves[0].redraw is not None:
            self.begin_redraws(scenario.moves[0].player)

    def begin_redraws(self, name: str) -> None:
        """Leave the redraws open, because the first move of the file redraws a card."""
        s, x = self.s, self.x
        s.redraws[:] = x.redraws if s.round_no == 1 else x.redraws_per_round
        s.turn = PLAYER_NAMES.index(name)
        s.last_winner = s.starter
        if may_redraw(s, s.turn):
            s.phase = Phase.REDRAW
            s.stage = Stage.REDRAWING

    def lay_player(
        self, player: int, setting: SgGwintPlayerStart, at: Location
    ) -> None:
        """Lay out everything that a player has."""
        s = self.s
        s.passed[player] = setting.passed
        s.choice_spent[player] = setting.choice_used
        if setting.leader_used and s.leader_state[player] == LeaderState.READY:
            s.leader_state[player] = LeaderState.USED
        if setting.lives is not None:
            s.lives[player] = setting.lives
        check_room(len(setting.hand), s.hand.shape[1], (*at, "hand"))
        for entry in setting.hand:
            owner = player if entry.owner is None else PLAYER_NAMES.index(entry.owner)
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
                bring_lager(s, self.x, player, row, NO_UNIT)
            special = getattr(setting.row_specials, word)
            if special is not None:
                self.lay_special(player, row, special, (*at, "row_specials", word))

    def lay_card(self, side: int, row: int, laid: LaidCard, at: Location) -> None:
        """Lay out copies of a card in a row, with the cards under it."""
        s, x = self.s, self.x
        card = self.database.cards[laid.card]
        self.check_row(card, row, at)
        owner = side if laid.owner is None else PLAYER_NAMES.index(laid.owner)
        check_room(s.n_row[side, row] + laid.count, s.row.shape[2], at)
        for _ in range(laid.count):
            place(s, x, side, row, self.number[laid.card] + HALF * owner)
            index = s.n_row[side, row] - 1
            s.stayed[side, row, index] = laid.stayed
            # A unit that stayed for this round brought its lager in the one before.
            if card.has("mahakam_lager") and not laid.stayed:
                bring_lager(s, x, side, row, s.ident[side, row, index])
            for other in self.numbers(laid.under, owner):
                if x.ability[other] & LOOSE_ABILITIES:
                    lay_below(s, x, side, row, index, other)
                else:
                    ident = s.ident[side, row, index]
                    swallow(s, x, ident, -1, other)
                    s.extra[side, row, index] += x.strength[other]

    def lay_special(self, side: int, row: int, id: str, at: Location) -> None:
        """Lay out the card in the slot of a row."""
        card = self.number[id] + HALF * side
        ability = self.x.ability[card]
        if self.database.cards[id].rows or not ability & (IN_SLOT | Ability.WEATHER):
            name = self.database.cards[id].name
            raise BadPosition(at, f"`{name}` cannot lie beside a row")
        self.s.slot[side, row] = card

    def lay_weather(self) -> None:
        """Lay out the weather cards, each with the player who played it."""
        s, x = self.s, self.x
        for place_of, entry in enumerate(self.scenario.weather):
            location: Location = ("weather", place_of)
            card = self.number[entry.card] + HALF * PLAYER_NAMES.index(entry.by)
            name = self.database.cards[entry.card].name
            if not x.ability[card] & Ability.WEATHER:
                raise BadPosition(location, f"`{name}` is no weather")
            if any(x.plain[card] == x.plain[lying] for lying in s.sky[: s.n_sky]):
                raise BadPosition(location, f"`{name}` lies there already")
            check_room(s.n_sky + 1, s.sky.shape[0], location)
            s.sky[s.n_sky] = card
            s.n_sky += 1
        note_sky_rows(s, x)

    def numbers(self, cards: Iterable[CardCount], player: int) -> list[int]:
        """Return the engine's numbers of a player's cards."""
        return [self.number[card] + HALF * player for card in expand(cards)]


# Why a move of SG Gwint is refused, in a few words, and what its questions ask


OWN_UNITS, ENEMY_UNITS, ALL_UNITS = (
    "on the player's own side",
    "on the enemy side",
    "on the battlefield",
)
CHOICE_PROMPTS = {
    Phase.LAND: Prompt("where {} is laid"),
    Phase.MEDIC: Prompt(
        "the unit that the medic returns", "in the player's own graveyard", True
    ),
    Phase.DECOY: Prompt("the card that the Decoy takes back", OWN_UNITS),
    Phase.DEVOUR: Prompt("the card that is devoured", OWN_UNITS),
    Phase.REINFORCE: Prompt("the unit that is reinforced", OWN_UNITS, True),
    Phase.ATTACH: Prompt("the unit under which the card is laid", OWN_UNITS, True),
    Phase.RELOCATE: Prompt("the card that is relocated, or nothing", OWN_UNITS),
    Phase.MANIPULATE: Prompt("the card that is moved", ENEMY_UNITS),
    Phase.DIPLOMACY: Prompt("the card that is moved, or nothing", ALL_UNITS),
    Phase.DESTROY: Prompt("the card that is destroyed", ALL_UNITS),
    Phase.MOVE_TO: Prompt("the row to which {} is moved"),
    Phase.EXCHANGE: Prompt("the card of the hand that is discarded", "in the hand"),
    Phase.FROM_DECK: Prompt(
        "the card that the leader takes from the deck", "in the deck"
    ),
    Phase.SKY: Prompt("the weather that is moved", "among the weather"),
    Phase.SKY_ROW: Prompt("the row to which {} is moved"),
}
"""The questions that a move asks, by phase."""

CARD_FOLLOWS_LEADER = "a card has to follow the leader"
NO_CARD = "no card in hand can be played"
NOT_LINKED = "it is not a card of the leader that is still to be laid"
KLEPNA_FIRST = "Klepna is laid before the first turn, by the player who starts"
ONLY_SPIES, ON_OWN_SIDE = (
    "only a spy may lie there",
    "it may lie only on the player's own side",
)
BETWEEN_TURNS = ("announce", "decline", "start", "klepna")
WRONG_ROW = {
    Phase.SKY_ROW: "the weather does not work on that row",
    Phase.MOVE_TO: "it lies there already",
}


def _show_units(facts: dict[str, Any]) -> list[str]:
    return [card for row in ROW_WORDS for card in facts["cards"][row]]


# SG Gwint as scenarios see it: moves in words, and outcomes


SCENARIO = SgGwintScenario

VERB_WORDS = {
    Verb.PASS: "pass",
    Verb.PLAY: "play",
    Verb.LEADER: "leader",
    Verb.LAY: "lay",
    Verb.CHOOSE: "choose",
    Verb.DECLINE: "decline",
    Verb.DISCARD: "discard",
    Verb.REDRAW: "redraw",
    Verb.KEEP_HAND: "keep",
    Verb.START: "start",
    Verb.ANNOUNCE: "announce",
}
# Decisions between the turns, which a file may leave out, and what is said instead.
ANSWER_VERBS = {
    Phase.REDRAW: ("redraw",),
    Phase.ANNOUNCE: ("announce", "decline"),
    Phase.CLAIM: ("start", "decline"),
    Phase.STARTER: ("start",),
    Phase.KLEPNA: ("klepna",),
}
ON_BATTLEFIELD = (
    Phase.DECOY,
    Phase.DEVOUR,
    Phase.REINFORCE,
    Phase.ATTACH,
    Phase.RELOCATE,
    Phase.MANIPULATE,
    Phase.DIPLOMACY,
    Phase.DESTROY,
)


def set_up(
    scenario: SgGwintScenario, database: CardDatabase, fmt: Format
) -> SgGwintPosition:
    """Set up the position of a file. Raises BadPosition if it is impossible."""
    seats = [_make_seat(scenario.player(name)) for name in PLAYER_NAMES]
    try:
        context = load_game("sg_gwint").fill_context(database, fmt, seats)
    except EngineError as error:
        raise BadPosition(("players",), error.message, error.help) from None
    states = np.zeros(1, STATE).view(np.recarray)
    _SgGwintTable(
        Records(states)[0], Records(context)[0], scenario, database, PLAYER_NAMES
    ).lay()
    leaders = [scenario.player(name).leader for name in PLAYER_NAMES]
    return SgGwintPosition(states, context, database, leaders)


def make_position(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> SgGwintPosition:
    """Return the position of a running game, see `scenarios.contract.Adapter`."""
    return SgGwintPosition(states, context, database, leaders)


class SgGwintPosition(CardPosition):
    """A `scenarios.contract.GamePosition` in the records of the engine."""

    WITHOUT_CARD: ClassVar = {
        "leader": "play the leader",
        "keep": "keep the hand",
        "announce": "announce the choice of who starts",
        "decline": "leave the choice of who starts",
        "start": "let {player} start",
        "klepna": "lay Klepna into the {row} row",
    }
    PICK_TEXTS: ClassVar = {
        RandomPick.KEPT: "which unit {} keeps as Monsters",
        RandomPick.RETURNING: "which unit returns to {} as Skellige",
    }
    score = "lives"

    def __init__(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        leaders: Sequence[str | None],
    ) -> None:
        super().__init__(states, context, database, PLAYER_NAMES)
        self.leaders = leaders

    @property
    def phase(self) -> Phase:
        """The decision of the player to move."""
        return Phase(int(self.s.phase))

    # Moves

    @property
    def open_choice(self) -> str | None:
        """The choice that an ability or a leader asks of the player to move."""
        prompt = CHOICE_PROMPTS.get(self.phase)
        if prompt is None:
            return None
        return prompt.what.format(self._find_card_to_place())

    def _find_card_to_place(self) -> str:
        """Return the card to place, if a place is chosen."""
        s = self.s
        if self.phase == Phase.MOVE_TO:
            picked = s.row[s.picked_side, s.picked_row, s.picked_index]
            return self.get_card_name(self.card_id(picked))
        return self.get_card_name(self.card_id(s.picked)) if s.picked else ""

    def settle(self, verb: str, player: str) -> None:
        """Make the decisions between the turns that a file leaves out.

        Hands are kept, nobody uses the ability of Scoia'tael, the winner of the coin
        starts, and Klepna goes to the first row.
        """
        while self.phase in ANSWER_VERBS:
            if verb in ANSWER_VERBS[self.phase] and self.turn == player:
                return
            apply_move(self.s, self.x, self._count_left_out())

    def _count_left_out(self) -> int:
        if self.phase == Phase.REDRAW:
            return KEEP_HAND
        if self.phase == Phase.STARTER:
            return START | encode_row(int(self.s.turn), 0)
        if self.phase == Phase.KLEPNA:
            legal_moves(self.s, self.x)
            return int(self.x.moves[0])
        return DECLINE

    def in_words(self, move: int) -> LegalMove:
        verb = VERB_WORDS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        phase = self.phase
        side = move_who(move)
        row = move_row(move)
        card = move_card(move)
        if verb == "start":
            words["player"] = PLAYER_NAMES[side]
        elif phase == Phase.KLEPNA:
            verb = "klepna"
            words["row"] = ROW_WORDS[row]
        elif verb == "choose":
            words = self._choice_words(phase, side, row, card)
        elif verb == "decline" and phase in CHOICE_PROMPTS:
            verb = "choose"
            words["row"] = NO_ANSWER
        elif card:
            words["card"] = self.card_id(card)
            if verb in ("play", "lay"):
                return self._placing_move(move, verb, words["card"])
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def _placing_move(self, move: int, verb: str, card: str) -> LegalMove:
        """Return the move of playing a card, with the side if it is the opponent's."""
        words = {"card": card}
        if self.database.cards[card].rows or self.x.ability[move_card(move)] & IN_SLOT:
            words["row"] = ROW_WORDS[move_row(move)]
            words["player"] = PLAYER_NAMES[move_who(move)]
        shown = dict(words)
        if shown.get("player") == self.turn:
            del shown["player"]
        return LegalMove(move, verb, words, self.phrase(verb, shown))

    def _choice_words(
        self, phase: Phase, side: int, row: int, card: int
    ) -> dict[str, str]:
        """Return the words of a choice: a card, a place, or both."""
        words = {"row": ROW_WORDS[row], "player": PLAYER_NAMES[side]}
        if phase in ON_BATTLEFIELD:
            return {"card": self.card_id(self.s.row[side, row, card]), **words}
        if phase == Phase.MOVE_TO:
            return {"row": ROW_WORDS[row]}
        if phase in (Phase.LAND, Phase.SKY_ROW):
            return words
        return {"card": self.card_id(card)}

    # Why a move is refused

    def why_not(self, verb: str, words: Words) -> str | None:
        if verb == CHOOSE_VERB:
            return self._why_no_choice(words)
        if verb in BETWEEN_TURNS:
            return self._why_undecidable(verb)
        if verb == "leader":
            return self._why_no_leader()
        if verb == "pass":
            return CARD_FOLLOWS_LEADER
        s = self.s
        card = self.database.cards[words["card"]]
        cells, counts = (s.linked, s.n_linked) if verb == "lay" else (s.hand, s.n_hand)
        has_it = card.id in self.read_ids(cells, counts, self.s.turn)
        over = verb == "redraw" and self.phase != Phase.REDRAW
        return find_reason(
            (over, "the redraws are over"),
            (not has_it, NOT_LINKED if verb == "lay" else "it is not in the hand"),
            (verb == "discard", CARD_FOLLOWS_LEADER),
            (verb == "lay" and not self._has_play(), NO_CARD),
        ) or self._why_no_place(card, words)

    def _why_undecidable(self, verb: str) -> str | None:
        """Return the reason why this is not decided now, if any."""
        x = self.x
        player = int(self.s.turn)
        chooses = x.faction_ability[player] == FactionAbility.CHOOSE_STARTER
        has_klepna = x.opening_card[player] != 0
        return find_reason(
            (verb == "start", "who starts is decided already"),
            (
                verb == "klepna" and not has_klepna,
                f"{PLAYER_NAMES[player]} has no Klepna",
            ),
            (verb == "klepna", KLEPNA_FIRST),
            (not chooses, "only Scoia'tael may choose who starts"),
            (verb == "announce", "that is announced before the coin is tossed"),
            (True, "there is no choice to leave now"),
        )

    def _why_no_leader(self) -> str | None:
        player = int(self.s.turn)
        leader = self.x.leader[player]
        return self.no_leader(leader) or find_reason(
            (leader == Leader.LINKED_CARDS, "the leader's cards are laid, with `lay`"),
            (leader_is_playable(self.s, self.x, player), NO_CARD),
            (True, NO_EFFECT),
        )

    def _has_play(self) -> bool:
        """Report whether a card follows, or none has to (10.8)."""
        plays = any(move.verb == "play" for move in self.legal_moves())
        return plays or bool(self.x.linked_alone)

    def _why_no_place(self, card: Card, words: Words) -> str | None:
        """Return the reason why a card cannot be laid as `words` have it."""
        key = list(words)[-1]
        if card.rows:
            return ONLY_SPIES if key == "player" else other_row(card)
        if self.x.ability[self.numbers[card.id]] & IN_SLOT:
            slot = "that slot" if key == "row" else "every slot"
            return ON_OWN_SIDE if key == "player" else f"a card lies in {slot}"
        if key != "card":
            return None
        return find_reason(
            (card.kind == "token", "a token cannot be played from the hand"),
            (card.has("decoy"), "there is no unit that it could take back"),
            (True, "there is no unit to lay it under"),
        )

    def _why_no_choice(self, words: Words) -> str | None:
        key = list(words)[-1]
        zone = CHOICE_PROMPTS[self.phase].zone
        if self.phase == Phase.LAND and key != "card":
            picked = self.card_id(self.s.picked)
            return self._why_no_place(self.database.cards[picked], words)
        if key == "row":
            return WRONG_ROW.get(self.phase)
        if key != "card" or not zone:
            return None
        card = self.database.cards[words["card"]]
        is_unit = card.kind in self.database.game.unit_kinds
        units_only = CHOICE_PROMPTS[self.phase].units_only
        return find_reason(
            (card.id not in self._list_offered(zone), f"it is not {zone}"),
            (card.shield, "it has a shield"),
            (units_only and not is_unit, "it is no unit"),
            (self.phase == Phase.MEDIC, "it cannot return from the graveyard"),
            (self.phase == Phase.FROM_DECK, "it is not a card for this leader"),
            (self.phase == Phase.DIPLOMACY, "it has been moved already"),
            (True, "another unit is to be chosen"),
        )

    def _list_offered(self, zone: str) -> list[str]:
        """Return the cards at the place of a choice."""
        facts = self.facts()
        turn = self.s.turn
        side, enemy = facts[PLAYER_NAMES[turn]], facts[PLAYER_NAMES[1 - turn]]
        zones: dict[str, list[str]] = {
            "in the player's own graveyard": side["discard"],
            "in the hand": side["hand"],
            "in the deck": side["deck"],
            "among the weather": [laid["card"] for laid in facts["weather"]],
            OWN_UNITS: _show_units(side),
            ENEMY_UNITS: _show_units(enemy),
            ALL_UNITS: _show_units(side) + _show_units(enemy),
        }
        return zones[zone]

    # The outcome

    def facts(self) -> dict[str, Any]:
        s = self.s
        winner = None
        if self.turn is None:
            winner = "draw" if s.winner < 0 else PLAYER_NAMES[int(s.winner)]
        return {
            "weather": [
                {
                    "card": self.card_id(card),
                    "by": PLAYER_NAMES[int(self.x.owner[card])],
                }
                for card in s.sky[: s.n_sky].tolist()
            ],
            "round": int(s.round_no),
            "turn": self.turn,
            "over": self.turn is None,
            "winner": winner,
            **{name: self._player_facts(i) for i, name in enumerate(PLAYER_NAMES)},
        }

    def _player_facts(self, i: int) -> dict[str, Any]:
        s = self.s
        hand = self.read_ids(s.hand, s.n_hand, i)
        rows = [self._row_units(i, row) for row in range(len(ROW_WORDS))]
        return {
            **row_facts(rows, s.total[i].tolist()),
            "below": self._cards_below(i),
            "doubled": [
                word
                for row, word in enumerate(ROW_WORDS)
                if count_unit_lagers(s, self.x, i, row, 0)
            ],
            "row_specials": self._special_facts(i),
            "hand": hand,
            "hand_size": int(s.n_hand[i]),
            "seen": [card for card, k in zip(hand, s.seen[i], strict=False) if k],
            "discard": self.read_ids(s.discard, s.n_discard, i),
            "deck": self.read_ids(s.deck, s.n_deck, i)[::-1],
            "deck_size": int(s.n_deck[i]),
            "under_deck": int(s.n_under[i]),
            "reserves": self._list_reserves(i),
            "linked": self.read_ids(s.linked, s.n_linked, i),
            "lives": int(s.lives[i]),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
        }

    def _row_units(self, side: int, row: int) -> list[tuple[str, int]]:
        units = []
        for i, card in enumerate(self.read_ids(self.s.row, self.s.n_row, side, row)):
            units.append((card, int(unit_strength(self.s, self.x, side, row, i))))
        return units

    def _cards_below(self, side: int) -> list[str]:
        s = self.s
        idents: set[int] = set()
        for row in range(len(ROW_WORDS)):
            idents.update(s.ident[side, row, : s.n_row[side, row]].tolist())
        lying = s.below[: s.n_below]
        return [self.card_id(card) for ident, card in lying if int(ident) in idents]

    def _special_facts(self, side: int) -> dict[str, str | None]:
        slots = self.s.slot[side].tolist()
        specials = {}
        for word, card in zip(ROW_WORDS, slots, strict=True):
            specials[word] = self.card_id(card) if card else None
        return specials

    def _list_reserves(self, player: int) -> list[str]:
        """Return the silver cards left, without tokens that never run out."""
        count = int(self.x.n_reserves)
        held = self.card_ids(self.x.reserve_card[player, :count].tolist())
        cards = []
        for card, left in zip(held, self.s.reserves[player], strict=False):
            if self.database.cards[card].kind != "token":
                cards += [card] * int(left)
        return cards

    def card_id(self, number: Any) -> str:
        """Return the card of a number, of any owner, or the leader in the sky."""
        plain = int(self.x.plain[int(number)])
        if plain in self.ids:
            return self.ids[plain]
        leader = self.leaders[int(self.x.owner[int(number)])]
        assert leader is not None
        return leader
