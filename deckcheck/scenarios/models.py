"""The models of scenario files that games share."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    model_validator,
)

from deckcheck.cards import CardDatabase, Lookup
from deckcheck.cards.models import Statement
from deckcheck.documents.records import refusal
from deckcheck.fields import Form
from deckcheck.formats.drafts import Value
from deckcheck.messages import choice, quote, suggestion

# Shared models of the scenario files of all games, and the names in them


MAX_COPIES = 99
_COUNT_PATTERN = re.compile(r"([0-9]+)\s*[x×]?\s+(\S.*)", re.DOTALL)


def get_database(info: ValidationInfo) -> CardDatabase:
    """Return the cards of the game whose file is read."""
    database = info.context["database"] if info.context else None
    assert isinstance(database, CardDatabase)
    return database


def _resolve(lookup: Lookup, what: str, text: str) -> str:
    """Return the id that a lookup found. Raises a refusal without a single id."""
    if lookup.id is not None:
        return lookup.id
    if lookup.candidates:
        message = f"{quote(text)} could be several {what}s"
        help = f"Write {choice(lookup.candidates)}"
    else:
        message = f"unknown {what} {quote(text)}"
        otherwise = f"A {what} goes by its id or name"
        help = suggestion(lookup.suggestions, otherwise)
    raise refusal(message, help)


def card_id(text: str, info: ValidationInfo) -> str:
    """Return the id of a card that a file names. Raises a refusal if it is unknown."""
    return _resolve(get_database(info).find_card(text), "card", text)


def _find_faction(text: str, info: ValidationInfo) -> str:
    return _resolve(get_database(info).find_faction(text), "faction", text)


def _find_leader(text: str, info: ValidationInfo) -> str:
    faction = info.data.get("faction")
    return _resolve(get_database(info).find_leader(text, faction), "leader", text)


def parse_count(value: object) -> object:
    """Return the fields of a CardCount as a file writes it: `ghoul`, `2 ghoul`."""
    match = _COUNT_PATTERN.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return {"card": value}
    count = int(match[1]) if len(match[1]) < 4 else MAX_COPIES + 1
    return {"card": match[2], "count": count}


class ScenarioRecord(BaseModel):
    """Base of all parts of a file: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


CardId = Annotated[str, AfterValidator(card_id)]
"""A card, by id or name in the file, by id here."""

FactionId = Annotated[str, AfterValidator(_find_faction)]
"""A faction, by id or name in the file, by id here."""

LeaderId = Annotated[str, AfterValidator(_find_leader)]
"""A leader. A field `faction` before it decides between leaders of one name."""

PLAYER_PATTERN = "[A-F][1-9]?"
PlayerName = Annotated[
    str, Form(PLAYER_PATTERN, "a player: `A` to `F`, in teams `A1` to `F9`")
]


class CardCount(ScenarioRecord):
    """`ghoul` or `2 ghoul`."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=MAX_COPIES)] = 1


Cards = tuple[Annotated[CardCount, BeforeValidator(parse_count)], ...]
"""A list of cards as files write it."""


def expand(cards: Iterable[CardCount]) -> list[str]:
    """Return an id for each card of a list."""
    return [entry.card for entry in cards for _ in range(entry.count)]


def _check_true_or_reason(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, str) and value.strip()):
        return value
    raise refusal("expected `true` or the reason of the refusal, in quotes", None)


class Move(ScenarioRecord):
    """The keys of every move of a file. Each game adds the action itself."""

    ACTIONS: ClassVar[tuple[str, ...]]
    """The keys of actions. A move has exactly one of these keys."""

    player: PlayerName
    random: tuple[CardId, ...] = ()
    """The answers to the random picks of this move."""
    forbidden: Annotated[bool | str, BeforeValidator(_check_true_or_reason)] = False
    """Whether the move must be refused, or the reason why it must be refused."""

    @model_validator(mode="after")
    def _check_one_content(self) -> Self:
        given = [key for key in self.ACTIONS if self.value_at(key) is not None]
        if len(given) != 1:
            listed = " and ".join(f"`{key}`" for key in given) or "none of them"
            keys = ", ".join(f"`{key}`" for key in self.ACTIONS)
            raise ValueError(f"a move has one of {keys}, found {listed}")
        return self

    def value_at(self, key: str) -> Any:
        """Return the value of a key in the file. The key `pass` is a Python keyword."""
        return getattr(self, "pass_" if key == "pass" else key)

    @property
    def action(self) -> str:
        """The key of the action in the file."""
        return next(key for key in self.ACTIONS if self.value_at(key) is not None)

    @abstractmethod
    def wish(self) -> tuple[str, dict[str, str]]:
        """Return the verb and the words of the intended move."""

    def answers(self) -> list[dict[str, str]]:
        """Return the words of the choices that follow, in order."""
        return []


Title = Annotated[str, Form(r"[^\s](?:.*[^\s])?", "a title: words on one line")]
"""The title of a scenario, unique in its file."""


def _as_list(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class Scenario(ScenarioRecord):
    """The keys of every scenario.

    The scenarios of a game narrow `moves` and `expect` to their own types.
    """

    title: Title | None = None
    rule: Annotated[tuple[Statement, ...], BeforeValidator(_as_list)] = ()
    format: str
    options: dict[str, Value] = Field(default_factory=dict)
    """The options of play that differ from the format."""
    random: tuple[CardId, ...] = ()
    turn: PlayerName | None = None
    moves: tuple[Move, ...] = ()
    expect: ScenarioRecord | None = None


# Shared parts of the scenario files of games with three rows


ROW_WORDS = ("close", "ranged", "siege")
NO_ANSWER = "nothing"
"""The answer, in place of a row, that declines a choice."""

RowName = Literal["close", "ranged", "siege"]


class RowSpecials(ScenarioRecord):
    """The card in the slot of each row."""

    close: CardId | None = None
    ranged: CardId | None = None
    siege: CardId | None = None


class RowCards(ScenarioRecord):
    """Cards row by row."""

    close: Cards = ()
    ranged: Cards = ()
    siege: Cards = ()


class RowStrengths(ScenarioRecord):
    """Current strengths row by row."""

    close: tuple[int, ...] = ()
    ranged: tuple[int, ...] = ()
    siege: tuple[int, ...] = ()


class RowsExpected(ScenarioRecord):
    """The values to expect of a player with rows. Only given values are checked."""

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
    passed: bool = False


def as_card(value: object) -> object:
    """Return the fields of a card that a file may write as its name alone."""
    return {"card": value} if isinstance(value, str) else value


class Choice(ScenarioRecord):
    """An answer to a question that a move asks: a card, a row, a player, or several."""

    card: CardId | None = None
    row: Literal["close", "ranged", "siege", "nothing"] | None = None
    player: PlayerName | None = None

    @model_validator(mode="after")
    def _check_any_content(self) -> Self:
        if not self.words():
            help = "Write `choose: [CARD]` or `{card: CARD, row: ROW}`"
            raise refusal("an answer names a `card`, a `row` or a `player`", help)
        return self

    def words(self) -> dict[str, str]:
        """Return the named things, by key as in `LegalMove.words`."""
        named = {"card": self.card, "row": self.row, "player": self.player}
        return {key: word for key, word in named.items() if word is not None}


def _as_choice(value: object) -> object:
    if not isinstance(value, str):
        return value
    if re.fullmatch(PLAYER_PATTERN, value):
        return {"player": value}
    return {"row": value} if value in (*ROW_WORDS, NO_ANSWER) else {"card": value}


Choices = tuple[Annotated[Choice, BeforeValidator(_as_choice)], ...]
"""The answers of a move in order. A word is a card, a row or a player."""


class CardMove(Move):
    """The keys of moves in games with leaders and rows. Keys of actions are verbs."""

    play: CardId | None = None
    row: RowName | None = None
    leader: Literal[True] | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    choose: Choices = ()

    def wish(self) -> tuple[str, dict[str, str]]:
        """Return the verb and the words of the intended move."""
        verb = self.action
        named = self.value_at(verb)
        key = {"start": "player", "void": "player", "klepna": "row"}.get(verb, "card")
        words = {key: named} if isinstance(named, str) else {}
        if self.row is not None and verb != "leader":
            words["row"] = self.row
        return verb, words

    def answers(self) -> list[dict[str, str]]:
        """Return the words of the choices that follow."""
        return [choice.words() for choice in self.choose]
