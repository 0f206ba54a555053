"""The records of a card database, as they stand in `card_db/<game>/*.yaml`."""

from __future__ import annotations

from typing import Annotated, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic_core import CoreSchema

__all__ = [
    "Ability",
    "Card",
    "Faction",
    "Game",
    "Identifier",
    "Leader",
    "Many",
    "Option",
    "Record",
    "Statement",
]

T = TypeVar("T")

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Statement = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]* [0-9]+(\.[0-9]+)*$")]
"""A numbered statement of a rules file, as `gwent 1.6.2`."""

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A tuple that a list of the file may fill; its items stay strict."""


class Record(BaseModel):
    """Base of all records: immutable, unknown keys refused, no type coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Ability(Record):
    """One ability of a card.

    `group` names a family (`crone`) that the ability gathers; `target` names the one
    card it reaches for (one-way muster, summon, transformation). Without either the
    ability is about cards of the same id. In a file an ability is a word (`medic`) or
    a mapping of one key (`muster: {target: roach}`).
    """

    code: Identifier
    group: Identifier | None = None
    target: Identifier | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, value: object) -> object:
        if isinstance(value, str):
            return {"code": value}
        if isinstance(value, dict) and len(value) == 1:
            [(code, parameters)] = value.items()
            if code == "code":
                return value
            if not isinstance(parameters, dict) or "code" in parameters:
                raise ValueError("an ability is a word, or a word with its parameters")
            return {**parameters, "code": code}
        return value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, object]:
        fields = handler.resolve_ref_schema(handler(core_schema))["properties"]
        code = fields.pop("code")
        parameters = {
            "type": "object",
            "properties": fields,
            "additionalProperties": False,
        }
        mapping = {
            "type": "object",
            "propertyNames": code,
            "additionalProperties": parameters,
            "minProperties": 1,
            "maxProperties": 1,
        }
        return {"title": "Ability", "anyOf": [code, mapping]}


class Card(Record):
    """One card. `strength` is None and `rows` is empty for cards that are no units.

    `number` is the card's permanent number within its game. `copies` is how many one
    deck can hold; cards that are not `deckable` come into play by other cards only.
    """

    id: Identifier
    number: Annotated[int, Field(ge=1)]
    name: Name
    faction: Identifier
    kind: Identifier
    rows: Many[Identifier] = ()
    strength: Annotated[int, Field(ge=0)] | None = None
    abilities: Many[Ability] = ()
    copies: Annotated[int, Field(ge=1)]
    deckable: bool = True
    aliases: Many[Name] = ()
    provenance: Identifier

    def has(self, code: str) -> bool:
        """Whether the card has the ability `code`."""
        return any(ability.code == code for ability in self.abilities)


class Leader(Record):
    """One leader; `ability` is a code that the engine implements."""

    id: Identifier
    number: Annotated[int, Field(ge=1)]
    name: Name
    title: str
    faction: Identifier
    ability: Identifier
    passive: bool
    aliases: Many[Name] = ()
    provenance: Identifier

    @property
    def full_name(self) -> str:
        """Name and title as players write them: `Foltest, The Siegemaster`."""
        return f"{self.name}, {self.title}" if self.title else self.name


class Faction(Record):
    """One faction; `ability` is a code that the engine implements, if it has one."""

    id: Identifier
    name: Name
    ability: Identifier | None = None
    aliases: Many[Name] = ()


class Option(Record):
    """A switch of play that formats set: one of `values`, or a number within bounds."""

    name: Identifier
    values: Many[bool | Identifier] = ()
    minimum: int | None = None
    maximum: int | None = None
    statement: Statement

    @model_validator(mode="after")
    def _has_one_range(self) -> Self:
        low, high = self.minimum, self.maximum
        if self.values:
            is_sound = low is None and high is None
        else:
            is_sound = low is not None and high is not None and low <= high
        if not is_sound:
            raise ValueError("an option has either values or a minimum and a maximum")
        return self

    def allows(self, value: object) -> bool:
        """Whether a format may set the option to `value`."""
        if type(value) is int and self.minimum is not None and self.maximum is not None:
            return self.minimum <= value <= self.maximum
        return any(type(value) is type(v) and value == v for v in self.values)

    def describe(self) -> str:
        """What is allowed, in words: `1 to 5`, or "`winner` or `alternate`"."""
        if not self.values:
            return f"{self.minimum} to {self.maximum}"
        words = [str(v).lower() if isinstance(v, bool) else v for v in self.values]
        return " or ".join(f"`{word}`" for word in words)


class Game(Record):
    """A game of the database: its vocabulary, against which cards are checked.

    `neutral` is the id of the faction whose cards fit every deck. `rows`, `kinds` and
    `abilities` list the words that cards may use; cards of `unit_kinds` have rows and
    a strength, others have neither. `options` are the switches of play, all of which
    a format sets.
    """

    id: Identifier
    name: Name
    edition: str
    factions: Many[Faction]
    neutral: Identifier | None
    kinds: Many[Identifier]
    unit_kinds: Many[Identifier]
    rows: Many[Identifier]
    abilities: Many[Identifier]
    provenances: Many[Identifier]
    options: Many[Option] = ()
