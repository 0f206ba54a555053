"""The constraints that a format file may state, each with its settings.

A new kind of constraint is one class here, added to CONSTRAINTS, and the rules in
`deckcheck.rules` that judge it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from deckcheck.cards.models import SCHEMA_CONFIG, Card, Identifier, Statement
from deckcheck.findings.documents.checks import AtLeast

__all__ = [
    "CONSTRAINTS",
    "Condition",
    "Copies",
    "Count",
    "Deckable",
    "Entry",
    "LeaderCount",
    "OneFaction",
    "Sum",
]

Limit = Annotated[int, AtLeast(0)]


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Which cards are meant: those that fit every list given, any word of a list."""

    kinds: tuple[Identifier, ...] = ()
    abilities: tuple[Identifier, ...] = ()
    rows: tuple[Identifier, ...] = ()
    factions: tuple[Identifier, ...] = ()
    cards: tuple[Identifier, ...] = ()

    def matches(self, card: Card) -> bool:
        """Whether the card is meant; without any list every card is."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.factions or card.faction in self.factions)
            and (not self.cards or card.id in self.cards)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
        )


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What every constraint has: the rule that judges it, a statement it cites."""

    __pydantic_config__ = SCHEMA_CONFIG

    rule: str
    statement: Statement


@dataclass(frozen=True, kw_only=True)
class Bounded(Entry, Condition):
    """Limits for the cards that fit a condition; both inclusive, at least one given."""

    min: Limit | None = None
    max: Limit | None = None

    def __post_init__(self) -> None:
        if self.min is None and self.max is None:
            raise ValueError("`min` or `max` is missing")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"`min` {self.min} is greater than `max` {self.max}")


@dataclass(frozen=True, kw_only=True)
class Count(Bounded):
    """How many cards that fit the condition a deck holds; every copy counts."""

    rule: Literal["count"]


@dataclass(frozen=True, kw_only=True)
class Sum(Bounded):
    """The total of an attribute over all cards that fit the condition."""

    rule: Literal["sum"]
    attribute: Literal["strength"]


@dataclass(frozen=True, kw_only=True)
class Copies(Entry):
    """No card more often than its own `copies`."""

    rule: Literal["copies"]


@dataclass(frozen=True, kw_only=True)
class Deckable(Entry):
    """No card that comes into play by other cards only."""

    rule: Literal["deckable"]


@dataclass(frozen=True, kw_only=True)
class OneFaction(Entry):
    """All cards of one faction, apart from neutral ones."""

    rule: Literal["one_faction"]


@dataclass(frozen=True, kw_only=True)
class LeaderCount(Entry):
    """How many leaders, and whether they must be of the deck's faction."""

    rule: Literal["leader"]
    count: Limit
    same_faction: bool


CONSTRAINTS: tuple[type[Entry], ...] = (
    Count,
    Sum,
    Copies,
    Deckable,
    OneFaction,
    LeaderCount,
)
