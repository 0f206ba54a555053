"""The scenario file of SG Gwint."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from deckcheck.scenarios.models import (
    CardId,
    Cards,
    Choice,
    FactionId,
    LeaderId,
    Move,
    Record,
    Scenario,
    counted,
)

__all__ = [
    "NAMES",
    "NOTHING",
    "ROW_WORDS",
    "LaidCard",
    "Outcome",
    "PlayerOutcome",
    "PlayerStart",
    "RowSpecials",
    "SgGwintScenario",
]

NAMES = ("A", "B")
ROW_WORDS = ("close", "ranged", "siege")
NOTHING = "nothing"
ACTIONS = (
    *("play", "lay", "leader", "discard", "pass", "redraw"),
    *("announce", "start", "klepna"),
)

Name = Literal["A", "B"]
RowWord = Literal["close", "ranged", "siege"]


class RowSpecials(Record):
    """The card in the slot of each row."""

    close: CardId | None = None
    ranged: CardId | None = None
    siege: CardId | None = None


class RowCards(Record):
    """Cards row by row."""

    close: Cards = ()
    ranged: Cards = ()
    siege: Cards = ()


class RowStrengths(Record):
    """Current strengths row by row."""

    close: tuple[int, ...] = ()
    ranged: tuple[int, ...] = ()
    siege: tuple[int, ...] = ()


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


class PlayerStart(Record):
    """One player's part of the position; the first card of `deck` is its top card.

    `lives` left out are those of the format, `reserves` left out are all that the
    faction has. `under_deck` is how many bottom cards the player has put there.
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
    row_specials: RowSpecials = Field(default_factory=RowSpecials)


def _as_choice(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value in ("A", "B"):
        return {"player": value}
    return {"row": value} if value in (*ROW_WORDS, NOTHING) else {"card": value}


class SgGwintMove(Move):
    """A move: a card, a leader or a leader's card, a discard, a pass, or before turns.

    `side` is where a spy is played. `announce` is false for a player who does not.
    """

    player: Name
    play: CardId | None = None
    lay: CardId | None = None
    row: RowWord | None = None
    side: Name | None = None
    leader: Literal[True] | None = None
    discard: CardId | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    announce: bool | None = None
    start: Name | None = None
    klepna: RowWord | None = None
    choose: tuple[Annotated[Choice, BeforeValidator(_as_choice)], ...] = ()

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        given = [key for key in ACTIONS if self._given(key) is not None]
        if len(given) != 1:
            found = " and ".join(f"`{key}`" for key in given) or "none of them"
            keys = ", ".join(f"`{key}`" for key in ACTIONS)
            raise ValueError(f"a move has one of {keys}, found {found}")
        if given[0] not in ("play", "lay"):
            for key in ("row", "side"):
                if getattr(self, key) is not None:
                    raise ValueError(f"`{key}` goes with `play` or `lay`")
        return self

    def _given(self, key: str) -> str | bool | None:
        value: str | bool | None = getattr(self, "pass_" if key == "pass" else key)
        return value

    @property
    def action(self) -> str:
        """The key of the file that says what is done."""
        return next(key for key in ACTIONS if self._given(key) is not None)

    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""
        verb = self.action
        if verb == "announce" and not self.announce:
            return "decline", {}
        named = self._given(verb)
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

    `below` are the cards that lie under others on the player's side.
    """

    close: int = 0
    ranged: int = 0
    siege: int = 0
    total: int = 0
    cards: RowCards = Field(default_factory=RowCards)
    strengths: RowStrengths = Field(default_factory=RowStrengths)
    below: Cards = ()
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
    weather: Weather = ()
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
