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


MOST = 99
_COUNTED = re.compile(r"([0-9]+)\s*[x×]?\s+(\S.*)", re.DOTALL)


def database_of_file(info: ValidationInfo) -> CardDatabase:
    """The cards of the game whose file is read."""
    database = info.context["database"] if info.context else None
    assert isinstance(database, CardDatabase)
    return database


def _resolved(lookup: Lookup, what: str, text: str) -> str:
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
    """The id of a card that a file names; raises a refusal for an unknown one."""
    return _resolved(database_of_file(info).find_card(text), "card", text)


def _faction(text: str, info: ValidationInfo) -> str:
    return _resolved(database_of_file(info).find_faction(text), "faction", text)


def _leader(text: str, info: ValidationInfo) -> str:
    faction = info.data.get("faction")
    return _resolved(database_of_file(info).find_leader(text, faction), "leader", text)


def counted(value: object) -> object:
    """The fields of a CardCount as a file writes it: `ghoul`, `2 ghoul`."""
    match = _COUNTED.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return {"card": value}
    count = int(match[1]) if len(match[1]) < 4 else MOST + 1
    return {"card": match[2], "count": count}


class ScenarioRecord(BaseModel):
    """Base of all parts of a file: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


CardId = Annotated[str, AfterValidator(card_id)]
"""A card, by id or name in the file, by id here."""

FactionId = Annotated[str, AfterValidator(_faction)]
"""A faction, by id or name in the file, by id here."""

LeaderId = Annotated[str, AfterValidator(_leader)]
"""A leader; a field `faction` that stands before it helps with shared names."""

PLAYER = "[A-F][1-9]?"
PlayerName = Annotated[str, Form(PLAYER, "a player: `A` to `F`, in teams `A1` to `F9`")]


class CardCount(ScenarioRecord):
    """`ghoul` or `2 ghoul`."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=MOST)] = 1


Cards = tuple[Annotated[CardCount, BeforeValidator(counted)], ...]
"""A list of cards as files write it."""


def expand(cards: Iterable[CardCount]) -> list[str]:
    """One id for each card of a list."""
    return [entry.card for entry in cards for _ in range(entry.count)]


def _true_or_reason(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, str) and value.strip()):
        return value
    raise refusal("expected `true` or the reason of the refusal, in quotes", None)


class Move(ScenarioRecord):
    """The keys of every move of a file; the action itself is the game's own.

    `random` answers the random picks of this move. A `forbidden` move must be refused
    and changes nothing; a text is the reason for which it must be refused.
    """

    ACTIONS: ClassVar[tuple[str, ...]]
    """The keys that say what is done; a move has one of them."""

    player: PlayerName
    random: tuple[CardId, ...] = ()
    forbidden: Annotated[bool | str, BeforeValidator(_true_or_reason)] = False

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        given = [key for key in self.ACTIONS if self.given(key) is not None]
        if len(given) != 1:
            listed = " and ".join(f"`{key}`" for key in given) or "none of them"
            keys = ", ".join(f"`{key}`" for key in self.ACTIONS)
            raise ValueError(f"a move has one of {keys}, found {listed}")
        return self

    def given(self, key: str) -> Any:
        """What the file says at one of the keys; `pass` is a word of Python."""
        return getattr(self, "pass_" if key == "pass" else key)

    @property
    def action(self) -> str:
        """The key of the file that says what is done."""
        return next(key for key in self.ACTIONS if self.given(key) is not None)

    @abstractmethod
    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""

    def answers(self) -> list[dict[str, str]]:
        """The words of the choices that follow, in order."""
        return []


Title = Annotated[str, Form(r"[^\s](?:.*[^\s])?", "a title: words on one line")]
"""What a scenario is called among those of its file."""


def _as_list(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class Scenario(ScenarioRecord):
    """The keys of every scenario; `options` override those of the format.

    The scenarios of a game narrow `moves` and `expect` to their own types.
    """

    title: Title | None = None
    rule: Annotated[tuple[Statement, ...], BeforeValidator(_as_list)] = ()
    format: str
    options: dict[str, Value] = Field(default_factory=dict)
    random: tuple[CardId, ...] = ()
    turn: PlayerName | None = None
    moves: tuple[Move, ...] = ()
    expect: ScenarioRecord | None = None


# Shared parts of the scenario files of games with three rows


ROW_WORDS = ("close", "ranged", "siege")
NOTHING = "nothing"
"""The answer to a choice that may be declined, in place of a row."""

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
    """What may be expected of a player with rows; only what is stated is checked."""

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
    """The fields of a card that a file may write as its name alone."""
    return {"card": value} if isinstance(value, str) else value


class Choice(ScenarioRecord):
    """An answer to a question that a move asks: a card, a row, a player, or several."""

    card: CardId | None = None
    row: Literal["close", "ranged", "siege", "nothing"] | None = None
    player: PlayerName | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not self.words():
            help = "Write `choose: [CARD]` or `{card: CARD, row: ROW}`"
            raise refusal("an answer names a `card`, a `row` or a `player`", help)
        return self

    def words(self) -> dict[str, str]:
        """What is named, as `LegalMove.words` has it."""
        named = {"card": self.card, "row": self.row, "player": self.player}
        return {key: word for key, word in named.items() if word is not None}


def _as_choice(value: object) -> object:
    if not isinstance(value, str):
        return value
    if re.fullmatch(PLAYER, value):
        return {"player": value}
    return {"row": value} if value in (*ROW_WORDS, NOTHING) else {"card": value}


Choices = tuple[Annotated[Choice, BeforeValidator(_as_choice)], ...]
"""The answers of a move, in order; a word stands for a card, a row or a player."""


class CardMove(Move):
    """The keys of moves in games with leaders and rows; their keys name a verb each."""

    play: CardId | None = None
    row: RowName | None = None
    leader: Literal[True] | None = None
    pass_: Annotated[Literal[True] | None, Field(alias="pass")] = None
    redraw: CardId | None = None
    choose: Choices = ()

    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""
        verb = self.action
        named = self.given(verb)
        key = {"start": "player", "void": "player", "klepna": "row"}.get(verb, "card")
        words = {key: named} if isinstance(named, str) else {}
        if self.row is not None and verb != "leader":
            words["row"] = self.row
        return verb, words

    def answers(self) -> list[dict[str, str]]:
        """The words of the choices that follow."""
        return [choice.words() for choice in self.choose]
