"""A format: which decks are legal, and which options a game is played with."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from deckcheck.cards.changes import Change
from deckcheck.formats.seating import Seating
from deckcheck.formats.vocabulary import Condition

__all__ = ["RECORDS", "Constraint", "Format", "Seating"]


@dataclass(frozen=True, slots=True)
class Constraint:
    """One resolved constraint of a format.

    `name` is its key in the format file (`specials`), `rule` the entry of the
    vocabulary that judges it (`count`, `sum`, `copies`, ...), `settings` the rest of
    the entry as plain data: only what the files state, lists as tuples. `condition`
    says which cards are meant, all of them if the entry has none. `statement` cites
    the rules file, empty for a house rule that cites none,
    `origin` is the file that introduced it or changed it last.
    """

    name: str
    rule: str
    settings: MappingProxyType[str, object]
    condition: Condition
    statement: str
    origin: str

    @property
    def leaders(self) -> tuple[str, ...]:
        """The leaders that it names, by id."""
        named = self.settings.get("leaders")
        return named if isinstance(named, tuple) else ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format with everything it inherits already merged in.

    `id` is `game/name`, or the path of a file of the user's own. `snapshot` is the
    month or the day from which it is valid, as `2025-10`; if `snapshot_assumed`, no
    source gives it. `options` are the switches of play, all
    of them, with their values. `digest` is a short hash of everything here and of the
    card data. `origin` is its file, relative to the folder of card databases.
    `changes` are what its sets do to the cards and leaders of the game. `lineage` has
    the ids of the format and of those it extends, the nearest first.
    """

    id: str
    game: str
    name: str
    title: str
    snapshot: str
    constraints: tuple[Constraint, ...]
    options: MappingProxyType[str, str | int | bool]
    digest: str
    origin: str
    changes: tuple[Change, ...] = ()
    seating: Seating = field(default_factory=Seating)
    snapshot_assumed: bool = False
    lineage: tuple[str, ...] = ()

    @property
    def month(self) -> str:
        """The snapshot as reports print it: `2025-10`, or `2024-01, assumed`."""
        return f"{self.snapshot}, assumed" if self.snapshot_assumed else self.snapshot

    @property
    def own_changes(self) -> tuple[Change, ...]:
        """What sets do that a file of the user's own names: reports tell it."""
        return tuple(change for change in self.changes if change.is_own)


RECORDS = (Change, Condition, Constraint, Format, Seating)
"""The classes that a checked format is made of, besides cards."""
