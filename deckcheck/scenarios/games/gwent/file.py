"""The scenario file of Gwent."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    model_validator,
)

from deckcheck.scenarios.models import (
    CardId,
    Cards,
    Choice,
    FactionId,
    LeaderId,
    Move,
    PlayerName,
    Record,
    Scenario,
    card_id,
)

__all__ = [
    "GwentScenario",
    "Outcome",
    "PlayerOutcome",
    "PlayerStart",
    "RowSpecials",
    "WeatherCard",
]

ROW_WORDS = ("close", "ranged", "siege")
ACTIONS = ("play", "leader", "pass", "redraw", "start", "void")
PLAYER = re.compile("[A-E][1-9]?")

RowName = Literal["close", "ranged", "siege"]
Gems = Annotated[int, Field(ge=1, le=5)]


class RowSpecials(Record):
    """The card in the slot beside each row."""

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


def _as_weather(value: object) -> object:
    return {"card": value} if isinstance(value, str) else value


class WeatherCard(Record):
    """A weather card and who played it."""

    card: CardId
    by: PlayerName | None = None


Weather = tuple[Annotated[WeatherCard, BeforeValidator(_as_weather)], ...]


class PlayerStart(Record):
    """One player's part of the position; the first card of `deck` is its top card.

    `gems` left out are those of the format, `side_deck` left out is that of the
    faction. In teams the rows, the pile and `gems` are those of the team, A or B; cards
    that A1 has laid may be given with A1. A White Flame `voids` the leader of a player
    at a table. An automa has `hidden` cards under its Decoys, in the order in which
    they were laid, and a pile of `leaders`, the top one first; left out it is that of
    the format.
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


def _as_choice(value: object) -> object:
    if isinstance(value, str):
        if PLAYER.fullmatch(value):
            return {"player": value}
        return {"row": value} if value in ROW_WORDS else {"card": value}
    return value


def _answer(text: str, info: ValidationInfo) -> str:
    """A card by its id; as they are called a player, whom a lot at a table may choose,
    and a row, of which the automa may take any.
    """
    is_word = PLAYER.fullmatch(text) or text in ROW_WORDS
    return text if is_word else card_id(text, info)


Answer = Annotated[str, AfterValidator(_answer)]


class GwentMove(Move):
    """A move: a card, the leader, a pass, a redraw, who shall start, whom to void."""

    random: tuple[Answer, ...] = ()
    play: CardId | None = None
    row: RowName | None = None
    leader: Literal[True] | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    start: PlayerName | None = None
    void: PlayerName | None = None
    choose: tuple[Annotated[Choice, BeforeValidator(_as_choice)], ...] = ()

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        given = [key for key in ACTIONS if self._given(key) is not None]
        if len(given) != 1:
            found = " and ".join(f"`{key}`" for key in given) or "none of them"
            keys = ", ".join(f"`{key}`" for key in ACTIONS)
            raise ValueError(f"a move has one of {keys}, found {found}")
        if self.row is not None and given[0] not in ("play", "leader"):
            raise ValueError("`row` goes with `play`")
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
        named = self._given(verb)
        key = "player" if verb in ("start", "void") else "card"
        words = {key: named} if isinstance(named, str) else {}
        if self.row is not None and verb == "play":
            words["row"] = self.row
        return verb, words

    def answers(self) -> list[dict[str, str]]:
        """The words of the choices that follow; a leader's `row` is one of them."""
        answers = [choice.words() for choice in self.choose]
        if self.row is not None and self.action == "leader":
            answers[:1] = [{**(answers[0] if answers else {}), "row": self.row}]
        return answers


class PlayerOutcome(Record):
    """What may be expected of a player; only what is stated is checked."""

    close: int = 0
    ranged: int = 0
    siege: int = 0
    total: int = 0
    cards: RowCards = Field(default_factory=RowCards)
    strengths: RowStrengths = Field(default_factory=RowStrengths)
    row_specials: RowSpecials = Field(default_factory=RowSpecials)
    hand: Cards = ()
    hand_size: int = 0
    seen: Cards = ()
    seen_by: dict[PlayerName, Cards] = Field(default_factory=dict)
    discard: Cards = ()
    deck: Cards = ()
    deck_size: int = 0
    side_deck: Cards = ()
    gems: int = 0
    points: int = 0
    place: int = 1
    passed: bool = False
    leader_used: bool = False
    hidden: Cards = ()
    leaders: tuple[LeaderId, ...] = ()


class Outcome(Record):
    """What may be expected of the game."""

    A: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B: PlayerOutcome = Field(default_factory=PlayerOutcome)
    C: PlayerOutcome = Field(default_factory=PlayerOutcome)
    D: PlayerOutcome = Field(default_factory=PlayerOutcome)
    E: PlayerOutcome = Field(default_factory=PlayerOutcome)
    A1: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B1: PlayerOutcome = Field(default_factory=PlayerOutcome)
    A2: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B2: PlayerOutcome = Field(default_factory=PlayerOutcome)
    turn: PlayerName | None = None
    round: int = 1
    weather: Weather = ()
    over: bool = False
    winner: PlayerName | Literal["draw"] | None = None


class GwentScenario(Scenario):
    """A scenario of Gwent: players A and B, at a table A to E, in teams A1, B1, A2, B2.

    With `deal` the game is set up by the rules: decks keep their order, `turn` is whom
    the coin lets begin, hands are drawn. `starter` began the round, `turn` if left out.
    """

    random: tuple[Answer, ...] = ()
    deal: bool = False
    players: dict[PlayerName, PlayerStart] = Field(default_factory=dict)
    weather: Weather = ()
    round: Annotated[int, Field(ge=1, le=99)] = 1
    turn: PlayerName | None = None
    starter: PlayerName | None = None
    moves: tuple[GwentMove, ...] = ()
    expect: Outcome | None = None

    def player(self, name: str) -> PlayerStart:
        """A player's part of the position; one that is left out has nothing."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, PlayerStart())
