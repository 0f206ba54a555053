"""The constraints that a format file may state, each with its settings.

A new kind of constraint is one line in VOCABULARY (and a field of Entry, if it brings
a new setting), and the rules in `deckcheck.rules` that judge it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Literal, NamedTuple

from deckcheck.cards.models import Card
from deckcheck.cards.words import Identifier, Statement
from deckcheck.findings.fields import CLOSED, AtLeast

Limit = Annotated[int, AtLeast(0)]
Points = Annotated[int, AtLeast(1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Which cards are meant: those that fit every list given, any word of a list."""

    kinds: tuple[Identifier, ...] = ()
    """The kinds of cards that are meant."""
    abilities: tuple[Identifier, ...] = ()
    """The abilities of which a card has one to be meant."""
    rows: tuple[Identifier, ...] = ()
    """The rows of which a card has one to be meant."""
    factions: tuple[Identifier, ...] = ()
    """The factions of the cards that are meant."""
    cards: tuple[Identifier, ...] = ()
    """The cards that are meant."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no list at all."""
        return self == Condition()

    def matches(self, card: Card) -> bool:
        """Whether the card is meant; without any list every card is."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.factions or card.faction in self.factions)
            and (not self.cards or card.id in self.cards)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Condition):
    """A constraint as a file states it; which settings a rule has is in VOCABULARY."""

    __pydantic_config__ = CLOSED

    rule: Identifier
    """The rule that judges it, such as `count`."""
    statement: Statement = ""
    """The statement of the rules that it follows; may be left out in own files."""
    min: Limit | None = None
    """The smallest number that is allowed."""
    max: Limit | None = None
    """The largest number that is allowed."""
    attribute: Literal["strength"] | None = None
    """The attribute that is summed up."""
    leaders: tuple[Identifier, ...] = ()
    """The leaders that are banned."""
    count: Limit | None = None
    """The number of leaders."""
    same_faction: bool | None = None
    """Whether leaders have to be of the deck's faction."""
    points: dict[Identifier, Points] | None = None
    """The points of each card, by the card."""


class Settings(NamedTuple):
    """The settings of a rule: those it must have, one of which, and those it may."""

    meaning: str
    required: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.required, *self.any_of, *self.optional)


CONDITION = tuple(field.name for field in fields(Condition))

VOCABULARY: Mapping[str, Settings] = {
    "count": Settings(
        "How many cards that fit the condition a deck holds; every copy counts.",
        any_of=("min", "max"),
        optional=CONDITION,
    ),
    "sum": Settings(
        "The total of an attribute over all copies of cards that fit the condition.",
        required=("attribute",),
        any_of=("min", "max"),
        optional=CONDITION,
    ),
    "points": Settings(
        "The points of all copies of the cards that `points` lists, at most `max`.",
        required=("points", "max"),
    ),
    "copies": Settings("No card more often than its own `copies`."),
    "banned": Settings(
        "No card that fits the condition, and none of these leaders.",
        any_of=(*CONDITION, "leaders"),
    ),
    "restricted": Settings(
        "No card that fits the condition more often than `max`.",
        required=("max",),
        any_of=CONDITION,
    ),
    "deckable": Settings("No card that comes into play by other cards only."),
    "one_faction": Settings("All cards of one faction, apart from neutral ones."),
    "leader": Settings(
        "How many leaders, and whether they must be of the deck's faction.",
        required=("count", "same_faction"),
    ),
    "reserves": Settings(
        "Of the reserve cards none of another faction, none more often than its "
        "own `copies`; cards that a deck may hold count for nothing there."
    ),
    "required_reserves": Settings(
        "Listed reserves hold a card that fits the condition.", any_of=CONDITION
    ),
    "complete_reserves": Settings(
        "Listed reserves hold what the cards of the deck bring; a warning if not."
    ),
    "whole_faction": Settings(
        "Every copy of every card of the faction, without those that fit the "
        "condition. A file may leave all of them out.",
        optional=CONDITION,
    ),
    "number_of_decks": Settings("As many decks in a file as `seating` says."),
    "distinct_factions": Settings("Every deck of a file of another faction."),
    "no_shared_cards": Settings(
        "No card that fits the condition in two decks of a file.", optional=CONDITION
    ),
}
"""The settings of each constraint, by the word that a file writes for `rule`."""
