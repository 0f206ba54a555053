"""The content of a set's file, and the state of its reading."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from deckcheck.cards.changes import Change
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import Card, Game, Leader
from deckcheck.cards.words import Name
from deckcheck.findings.documents import Defect, Location, Source
from deckcheck.findings.fields import CLOSED

OWN = "own"
"""The provenance of a card whose file names none."""


@dataclass(frozen=True, slots=True)
class SetFile:
    """What a set says; one that only adds cards may be a list of these."""

    __pydantic_config__ = CLOSED

    cards: tuple[dict[str, object], ...] = ()
    """The cards that the set adds."""
    leaders: tuple[dict[str, object], ...] = ()
    """The leaders that the set adds."""
    change: dict[Name, dict[str, object]] = field(default_factory=dict)
    """The fields that differ, by any name of a card or leader."""
    remove: tuple[Name, ...] = ()
    """The names of cards that the set removes."""


class Reading(NamedTuple):
    """A set that is being read: its file, what it is about, and its defects so far.

    `is_own` says whether a format of a user's own names the set.
    """

    source: Source
    db: CardDatabase
    defects: list[Defect]
    is_own: bool

    @property
    def game(self) -> Game:
        """The game, with the provenance of what names none."""
        game = self.db.game
        return replace(game, provenances=(*game.provenances, OWN))

    def change(self, was: Card | Leader | None, now: Card | Leader | None) -> Change:
        """What the set does to one card or leader."""
        return Change(was, now, self.source.path, self.is_own)

    def wrong(self, at: Location, message: str, *, is_key: bool = False) -> None:
        """Add a defect of the file."""
        make = self.source.key_defect if is_key else self.source.defect
        self.defects.append(make(at, message))
