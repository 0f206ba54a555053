"""The scenario file of SG Gwint."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    model_validator,
)

from deckcheck.cards import CardDatabase
from deckcheck.scenarios.models import (
    CardId,
    Cards,
    FactionId,
    LeaderId,
    Move,
    Record,
    Scenario,
    card_id,
    counted,
)
from deckcheck.scenarios.rows import (
    Choices,
    RowCards,
    RowName,
    RowSpecials,
    RowStrengths,
)

NAMES = ("A", "B")

Name = Literal["A", "B"]


class LaidCard(Record):
    """A card of a row: whose it is, what lies under it, whether tenacity is used."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=60)] = 1
    owner: Name | None = None
    under: Cards = ()
    stayed: bool = False


class HeldCard(Record):
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


class WeatherCard(Record):
    """A weather card and who played it."""

    card: CardId
    by: Name = "A"


def _as_weather(value: object) -> object:
    return {"card": value} if isinstance(value, str) else value


Weather = tuple[Annotated[WeatherCard, BeforeValidator(_as_weather)], ...]


def _lying(text: str, info: ValidationInfo) -> str:
    """A card, or a leader who lies among the weather."""
    database: CardDatabase = (info.context or {})["database"]
    return database.find_leader(text).id or card_id(text, info)


class SkyCard(WeatherCard):
    """A weather card that is expected, or a leader, and who played it."""

    card: Annotated[str, AfterValidator(_lying)]


Sky = tuple[Annotated[SkyCard, BeforeValidator(_as_weather)], ...]


class PlayerStart(Record):
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


class PlayerOutcome(Record):
    """What may be expected of a player; only what is stated is checked.

    `below` are the cards that lie under others on the player's side, `doubled` the rows
    that lagers of units double.
    """

    close: int = 0
    ranged: int = 0
    siege: int = 0
    total: int = 0
    cards: RowCards = Field(default_factory=RowCards)
    strengths: RowStrengths = Field(default_factory=RowStrengths)
    below: Cards = ()
    doubled: tuple[RowName, ...] = ()
    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    hand: Cards = ()
    hand_size: int = 0
    seen: Cards = ()
    discard: Cards = ()
    deck: Cards = ()
    deck_size: int = 0
    under_deck: int = 0
    reserves: Cards = ()
    linked: Cards = ()
    lives: int = 0
    passed: bool = False
    leader_used: bool = False


class Outcome(Record):
    """What may be expected of the game."""

    A: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B: PlayerOutcome = Field(default_factory=PlayerOutcome)
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
    players: dict[Name, PlayerStart] = Field(default_factory=dict)
    weather: Weather = ()
    round: Annotated[int, Field(ge=1, le=9)] = 1
    turn: Name | None = None
    starter: Name | None = None
    coin: tuple[Name, ...] = ()
    tied: bool = False
    moves: tuple[SgGwintMove, ...] = ()
    expect: Outcome | None = None

    def player(self, name: str) -> PlayerStart:
        """A player's part of the position; one that is left out has nothing."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, PlayerStart())
