"""The constraints that a format file may state, each with its settings.

A new kind of constraint is one class here, added to CONSTRAINTS, and one rule in
`deckcheck.rules` that judges it.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from deckcheck.cards.models import Card, Identifier, Many, Record, Statement

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

Bound = Annotated[int, Field(ge=0)]


class Condition(Record):
    """Which cards are meant: those that fit every list given, any word of a list."""

    kinds: Many[Identifier] = ()
    abilities: Many[Identifier] = ()
    rows: Many[Identifier] = ()
    factions: Many[Identifier] = ()
    cards: Many[Identifier] = ()

    def matches(self, card: Card) -> bool:
        """Whether the card is meant; without any list every card is."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.factions or card.faction in self.factions)
            and (not self.cards or card.id in self.cards)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
        )


class Entry(Record):
    """What every constraint has: the rule that judges it, a statement it cites."""

    rule: str
    statement: Statement


class Bounded(Record):
    """Limits, both inclusive, of which at least one is given."""

    min: Bound | None = None
    max: Bound | None = None

    @model_validator(mode="after")
    def _has_a_limit(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError("`min` or `max` is missing")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"`min` {self.min} is greater than `max` {self.max}")
        return self


class Count(Entry, Condition, Bounded):
    """How many cards that fit the condition a deck holds; every copy counts."""

    rule: Literal["count"]


class Sum(Entry, Condition, Bounded):
    """The total of an attribute over all cards that fit the condition."""

    rule: Literal["sum"]
    attribute: Literal["strength"]


class Copies(Entry):
    """No card more often than its own `copies`."""

    rule: Literal["copies"]


class Deckable(Entry):
    """No card that comes into play by other cards only."""

    rule: Literal["deckable"]


class OneFaction(Entry):
    """All cards of one faction, apart from neutral ones."""

    rule: Literal["one_faction"]


class LeaderCount(Entry):
    """How many leaders, and whether they must be of the deck's faction."""

    rule: Literal["leader"]
    count: Bound
    same_faction: bool


CONSTRAINTS: tuple[type[Entry], ...] = (
    Count,
    Sum,
    Copies,
    Deckable,
    OneFaction,
    LeaderCount,
)
