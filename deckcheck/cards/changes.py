"""Changes that sets make to the cards and leaders of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, TypeVar

from deckcheck.cards.models import Ability, Card, Leader
from deckcheck.findings.words import plural

if TYPE_CHECKING:
    from deckcheck.cards.document import ChangeDocument

R = TypeVar("R", Card, Leader)

NOT_TOLD = ("id", "number", "provenance")


@dataclass(frozen=True, slots=True)
class Change:
    """What sets do to one card or leader: add it, change it or remove it.

    `was` is None for one that is added, `now` for one that is removed; at least one of
    them is given. `set` is the file that did it last, as messages show it, and `is_own`
    says that a format of a user's own names that file.
    """

    was: Card | Leader | None
    now: Card | Leader | None
    set: str
    is_own: bool

    @property
    def record(self) -> Card | Leader:
        """The card or leader, as it is now or was last."""
        record = self.now or self.was
        assert record is not None
        return record

    @property
    def file_name(self) -> str:
        """The name of the set's file, without folders and suffix: `winter`."""
        return PurePath(self.set).stem

    @property
    def about(self) -> Literal["card", "leader"]:
        """`card` or `leader`."""
        return "card" if isinstance(self.record, Card) else "leader"

    @property
    def name(self) -> str:
        """What the card or leader is called."""
        return name_of(self.record)

    @property
    def in_words(self) -> str:
        """What differs in one that is changed: `strength 10, not 8`."""
        if self.was is None or self.now is None:
            return ""
        return "; ".join(
            f"{field.name} {_shown(new)}, not {_shown(old)}"
            for field in fields(self.now)
            if field.name not in NOT_TOLD
            for old, new in [
                (getattr(self.was, field.name), getattr(self.now, field.name))
            ]
            if old != new
        )

    def as_data(self) -> ChangeDocument:
        """The change as JSON has it: what it is about, and what that was and is now."""
        return {
            "set": self.set,
            "about": self.about,
            "id": self.record.id,
            "name": self.name,
            "was": record_in_words(self.was) if self.was else None,
            "now": record_in_words(self.now) if self.now else None,
        }


def folded(changes: Iterable[Change]) -> tuple[Change, ...]:
    """One change for each card and leader, of several sets the last word."""
    latest: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = (change.about, change.record.id)
        first = latest.pop(key, change)
        both = Change(first.was, change.now, change.set, change.is_own)
        is_changed = both.in_words if both.was and both.now else both.was or both.now
        if is_changed:
            latest[key] = both
    return tuple(latest.values())


def applied(
    unchanged: Mapping[str, R], shape: type[R], changes: Iterable[Change]
) -> dict[str, R]:
    """The records of one kind after the changes; new ones stand behind the others."""
    records = dict(unchanged)
    for change in changes:
        if isinstance(change.now, shape):
            records[change.now.id] = change.now
        elif isinstance(change.was, shape):
            records.pop(change.was.id, None)
    return records


def name_of(record: Card | Leader) -> str:
    """What a card or leader is called, with the title."""
    return record.name if isinstance(record, Card) else record.full_name


def record_in_words(record: Card | Leader) -> str:
    """What is printed on a card: `skellige unit, close, strength 2, berserker, 1 copy`.

    Of a leader: `skellige leader, scorch_enemy_close`.
    """
    if isinstance(record, Leader):
        passive = ["passive"] if record.passive else []
        return ", ".join([f"{record.faction} leader", record.ability, *passive])
    strength = [] if record.strength is None else [f"strength {record.strength}"]
    codes = [ability.code for ability in record.abilities]
    rows = [" or ".join(record.rows)] if record.rows else []
    side = plural(record.copies, "copy") if record.deckable else "side deck"
    kind = f"{record.faction or ''} {record.kind}".strip()
    return ", ".join([kind, *rows, *strength, *codes, side])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Ability):
        given = (getattr(value, field.name) for field in fields(value))
        return " ".join(_shown(value) for value in given if value not in (None, ()))
    if isinstance(value, tuple) and value:
        return " and ".join(map(_shown, value))
    return "none" if value in (None, ()) else str(value)


MOST_NAMED = 5
"""Up to how many cards that a set adds, changes or removes are named."""


def change_lines(changes: Iterable[Change]) -> list[str]:
    """What sets do, a sentence for each of them.

    `winter.yaml changes Catapult (strength 10, not 8), removes Decoy`.
    """
    sets: dict[str, list[Change]] = {}
    for change in changes:
        sets.setdefault(change.set, []).append(change)
    return [f"{name} {', '.join(_deeds(of_set))}" for name, of_set in sets.items()]


def _deeds(changes: list[Change]) -> list[str]:
    changed = [change for change in changes if change.was and change.now]
    deeds = (
        ("changes", changed),
        ("adds", [change for change in changes if change.was is None]),
        ("removes", [change for change in changes if change.now is None]),
    )
    return [
        f"{verb} {_named(deeds_of_verb)}"
        for verb, deeds_of_verb in deeds
        if deeds_of_verb
    ]


def _named(changes: list[Change]) -> str:
    if len(changes) > MOST_NAMED:
        counts = [
            plural(number, about)
            for about in ("card", "leader")
            if (number := sum(change.about == about for change in changes))
        ]
        return " and ".join(counts)
    return " and ".join(
        f"{change.name} ({change.in_words})" if change.in_words else change.name
        for change in changes
    )
