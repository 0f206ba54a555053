"""The scenario file of Gwent."""

from __future__ import annotations

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
    FactionId,
    LeaderId,
    Move,
    PlayerName,
    Record,
    Scenario,
    card_id,
)
from deckcheck.scenarios.rows import (
    PLAYER,
    ROW_WORDS,
    Choices,
    RowCards,
    RowName,
    RowSpecials,
    RowStrengths,
)

Gems = Annotated[int, Field(ge=1, le=5)]


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


def _answer(text: str, info: ValidationInfo) -> str:
    """A card by its id; as they are called a player, whom a lot at a table may choose,
    and a row, of which the automa may take any.
    """
    is_word = PLAYER.fullmatch(text) or text in ROW_WORDS
    return text if is_word else card_id(text, info)


Answer = Annotated[str, AfterValidator(_answer)]


class GwentMove(Move):
    """A move: a card, the leader, a pass, a redraw, who shall start, whom to void."""

    ACTIONS = ("play", "leader", "pass", "redraw", "start", "void")

    random: tuple[Answer, ...] = ()
    play: CardId | None = None
    row: RowName | None = None
    leader: Literal[True] | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    start: PlayerName | None = None
    void: PlayerName | None = None
    choose: Choices = ()

    @model_validator(mode="after")
    def _has_a_row_to_play_in(self) -> Self:
        if self.row is not None and self.action not in ("play", "leader"):
            raise ValueError("`row` goes with `play`")
        return self

    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""
        verb = self.action
        named = self.given(verb)
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
