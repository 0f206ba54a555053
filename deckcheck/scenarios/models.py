"""What the scenario files of all games have in common, and the names in them.

Names of cards, leaders and factions are turned into ids while a file is validated;
the validation context is `{"database": CardDatabase}`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
)
from pydantic_core import PydanticCustomError

from deckcheck.cards import CardDatabase, Lookup
from deckcheck.findings.words import choice, quote

__all__ = [
    "CardCount",
    "CardId",
    "Cards",
    "Choice",
    "FactionId",
    "LeaderId",
    "Many",
    "Move",
    "PlayerName",
    "Record",
    "Scenario",
    "counted",
    "expand",
]

T = TypeVar("T")

MOST = 99
_STATEMENT = re.compile(r"[a-z][a-z0-9_]* [0-9]+(\.[0-9]+)*")
_COUNTED = re.compile(r"([0-9]+)\s*[x×]?\s+(\S.*)", re.DOTALL)


def _database(info: ValidationInfo) -> CardDatabase:
    database = info.context["database"] if info.context else None
    assert isinstance(database, CardDatabase)
    return database


def _resolved(lookup: Lookup, what: str, text: str) -> str:
    if lookup.id is not None:
        return lookup.id
    if lookup.candidates:
        message = f"{quote(text)} may be several {what}s"
        help = f"Say {choice(lookup.candidates)}"
    else:
        message = f"unknown {what} {quote(text)}"
        near = lookup.suggestions
        help = f"Did you mean {choice(near)}?" if near else f"Ids are {what} names too"
    raise PydanticCustomError("unknown_name", "{message}", _told(message, help))


def _told(message: str, help: str) -> dict[str, str]:
    return {"message": message, "help": help}


def _card(text: str, info: ValidationInfo) -> str:
    return _resolved(_database(info).find_card(text), "card", text)


def _faction(text: str, info: ValidationInfo) -> str:
    return _resolved(_database(info).find_faction(text), "faction", text)


def _leader(text: str, info: ValidationInfo) -> str:
    faction = info.data.get("faction")
    return _resolved(_database(info).find_leader(text, faction), "leader", text)


def counted(value: object) -> object:
    """The fields of a CardCount as a file writes it: `ghoul`, `2 ghoul`."""
    match = _COUNTED.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return {"card": value}
    count = int(match[1]) if len(match[1]) < 4 else MOST + 1
    return {"card": match[2], "count": count}


def _statement(text: str) -> str:
    if not _STATEMENT.fullmatch(text):
        raise ValueError(f"{quote(text)} is no statement such as `gwent 1.6.2`")
    return text


class Record(BaseModel):
    """Base of all parts of a file: immutable, unknown keys refused, no coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A tuple that a list of the file may fill; its items stay strict."""

CardId = Annotated[str, AfterValidator(_card)]
"""A card, by id or name in the file, by id here."""

FactionId = Annotated[str, AfterValidator(_faction)]
"""A faction, by id or name in the file, by id here."""

LeaderId = Annotated[str, AfterValidator(_leader)]
"""A leader; a field `faction` that stands before it helps with shared names."""

Statement = Annotated[str, AfterValidator(_statement)]
"""A numbered statement of a rules file, as `gwent 1.6.2`."""

PlayerName = Annotated[str, Field(pattern=r"^[A-F][1-9]?$")]
"""`A` to `F`, or `A1` to `F9` in teams."""


class CardCount(Record):
    """`ghoul` or `2 ghoul`."""

    card: CardId
    count: Annotated[int, Field(ge=1, le=MOST)] = 1


Cards = Many[Annotated[CardCount, BeforeValidator(counted)]]
"""A list of cards as files write it."""


def expand(cards: Iterable[CardCount]) -> list[str]:
    """One id for each card of a list."""
    return [entry.card for entry in cards for _ in range(entry.count)]


class Choice(Record):
    """An answer to a question that a move asks: a card, a row, a player, or several."""

    card: CardId | None = None
    row: str | None = None
    player: PlayerName | None = None

    def words(self) -> dict[str, str]:
        """What is named, as `LegalMove.words` has it."""
        named = {"card": self.card, "row": self.row, "player": self.player}
        return {key: word for key, word in named.items() if word is not None}


class Move(Record):
    """What every move of a file has; the action itself is the game's own.

    `random` answers the random picks of this move; a `forbidden` move must be refused
    and changes nothing.
    """

    player: PlayerName
    random: Many[CardId] = ()
    forbidden: bool = False

    @property
    @abstractmethod
    def action(self) -> str:
        """The key of the file that says what is done."""

    @abstractmethod
    def wish(self) -> tuple[str, dict[str, str]]:
        """Verb and words of the legal move that is meant."""

    def answers(self) -> list[dict[str, str]]:
        """The words of the choices that follow, in order."""
        return []


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Scenario(Record):
    """What every scenario file has; `options` override those of the format.

    The scenarios of a game narrow `moves` and `expect` to their own types.
    """

    rule: Annotated[Many[Statement], BeforeValidator(_as_list)] = ()
    format: str
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    random: Many[CardId] = ()
    turn: PlayerName | None = None
    moves: Many[Move] = ()
    expect: Record | None = None
