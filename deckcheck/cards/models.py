"""The records of a card database, as they stand in `card_db/<game>/*.yaml`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Ability", "Card", "Faction", "Game", "Leader"]

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Record(BaseModel):
    """Base of all records: immutable, unknown keys refused, no type coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Ability(Record):
    """One ability of a card.

    `group` names a family (`crone`) that the ability gathers; `target` names the one
    card it reaches for (one-way muster, summon, transformation). Without either the
    ability is about cards of the same id.
    """

    code: Identifier
    group: Identifier | None = None
    target: Identifier | None = None


class Card(Record):
    """One card. `strength` is None and `rows` is empty for cards that are no units."""

    id: Identifier
    number: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(min_length=1)]
    faction: Identifier
    kind: Identifier
    rows: tuple[Identifier, ...] = ()
    strength: Annotated[int, Field(ge=0)] | None = None
    abilities: tuple[Ability, ...] = ()
    copies: Annotated[int, Field(ge=1)]
    deckable: bool = True
    aliases: tuple[str, ...] = ()
    provenance: Identifier

    def has(self, code: str) -> bool:
        """Whether the card has the ability `code`."""
        return any(ability.code == code for ability in self.abilities)


class Leader(Record):
    """One leader; `ability` is a code that the engine implements."""

    id: Identifier
    number: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(min_length=1)]
    title: str
    faction: Identifier
    ability: Identifier
    passive: bool
    aliases: tuple[str, ...] = ()
    provenance: Identifier

    @property
    def full_name(self) -> str:
        """Name and title as players write them: `Foltest, The Siegemaster`."""
        return f"{self.name}, {self.title}"


class Faction(Record):
    """One faction; `ability` is a code that the engine implements, if it has one."""

    id: Identifier
    name: Annotated[str, Field(min_length=1)]
    ability: Identifier | None = None
    aliases: tuple[str, ...] = ()


class Game(Record):
    """A game of the database: its vocabulary, against which cards are checked.

    `neutral` is the id of the faction whose cards fit every deck. `rows`, `kinds`
    and `abilities` list the words that cards may use.
    """

    id: Identifier
    name: Annotated[str, Field(min_length=1)]
    edition: str
    factions: tuple[Faction, ...]
    neutral: Identifier | None
    kinds: tuple[Identifier, ...]
    rows: tuple[Identifier, ...]
    abilities: tuple[Identifier, ...]
    provenances: tuple[Identifier, ...]
