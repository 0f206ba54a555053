"""The scenario file of Gwen't."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from deckcheck.scenarios.models import (
    CardCount,
    CardId,
    Cards,
    Move,
    Record,
    Scenario,
    counted,
)
from deckcheck.scenarios.rows import RowCards, RowStrengths

NAMES = ("A", "B", "C", "D", "E", "F")
MOST = 1_000_000_000

Name = Literal["A", "B", "C", "D", "E", "F"]


class UnitCount(CardCount):
    """Units of a row; `strength` is their stacked one if it is not the printed one."""

    strength: Annotated[int, Field(ge=0, le=MOST)] | None = None


def _as_units(value: object) -> object:
    return value if isinstance(value, dict) else counted(value)


Units = tuple[Annotated[UnitCount, BeforeValidator(_as_units)], ...]


def _as_weather(value: object) -> object:
    return {"card": value} if isinstance(value, str) else value


class WeatherCard(Record):
    """The weather card in effect and who played it."""

    card: CardId
    by: Name | None = None


Weather = tuple[Annotated[WeatherCard, BeforeValidator(_as_weather)], ...]


class PlayerStart(Record):
    """One player's part of the position; the first card of `deck` is its top card.

    `gems` left out are those of the format, a player with none is defeated.
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
        """Verb and words of the legal move that is meant."""
        return self.action, {} if self.play is None else {"card": self.play}


class PlayerOutcome(Record):
    """What may be expected of a player; only what is stated is checked."""

    close: int = 0
    ranged: int = 0
    siege: int = 0
    total: int = 0
    cards: RowCards = Field(default_factory=RowCards)
    strengths: RowStrengths = Field(default_factory=RowStrengths)
    hand: Cards = ()
    hand_size: int = 0
    deck: Cards = ()
    deck_size: int = 0
    discard: Cards = ()
    gems: int = 0
    passed: bool = False
    place: int | None = None
    points: int = 0


class Outcome(Record):
    """What may be expected of the game."""

    A: PlayerOutcome = Field(default_factory=PlayerOutcome)
    B: PlayerOutcome = Field(default_factory=PlayerOutcome)
    C: PlayerOutcome = Field(default_factory=PlayerOutcome)
    D: PlayerOutcome = Field(default_factory=PlayerOutcome)
    E: PlayerOutcome = Field(default_factory=PlayerOutcome)
    F: PlayerOutcome = Field(default_factory=PlayerOutcome)
    turn: Name | None = None
    order: tuple[Name, ...] = ()
    round: int = 1
    weather: Weather = ()
    over: bool = False
    winner: Name | Literal["draw"] | None = None


class GwenTScenario(Scenario):
    """A scenario of Gwen't; who is not named in `players` does not play, but A and B.

    With `deal` the game is set up by the rules: decks keep their order, `turn` is whom
    the coin lets begin, hands are drawn.
    """

    deal: bool = False
    players: dict[Name, PlayerStart] = Field(default_factory=dict)
    order: tuple[Name, ...] = ()
    weather: Annotated[Weather, Field(max_length=1)] = ()
    round: Annotated[int, Field(ge=1, le=99)] = 1
    turn: Name | None = None
    moves: tuple[GwenTMove, ...] = ()
    expect: Outcome | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players in order, up to the last who is named."""
        last = max((NAMES.index(name) for name in self.players), default=1)
        return NAMES[: max(last, 1) + 1]

    def player(self, name: str) -> PlayerStart:
        """A player's part of the position; one that is left out has nothing."""
        given = (part for key, part in self.players.items() if key == name)
        return next(given, PlayerStart())
