"""Formats in sentences for players, and the differences between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import CardChange, full_name, record_in_words
from deckcheck.formats.model import Constraint, Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Clause
from deckcheck.messages import quote


def limits(fmt: Format, database: CardDatabase) -> list[str]:
    """Describe a legal list: a sentence without full stop for each constraint.

    `database` is the card database of the format, see `database_of`.
    """
    clauses = (Clause(constraint, fmt, database) for constraint in fmt.constraints)
    return [VOCABULARY[clause.constraint.rule].sentence(clause) for clause in clauses]


class FormatDifference(NamedTuple):
    """One thing that differs: `old` or `new` is None where a format has none of it.

    `about` is `seating`, `constraint`, `card` or `option`, `name` that of one of these.
    """

    about: str
    name: str
    old: str | None
    new: str | None


def shown(value: object) -> str:
    """Write a setting as a format file does: `spy or medic`, `decoy 3 and scorch 5`."""
    if isinstance(value, Mapping):
        return " and ".join(f"{key} {worth}" for key, worth in value.items())
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_words(constraint: Constraint) -> str:
    """Write a constraint: `count, kinds unit or hero, min 22`."""
    settings = [f"{key} {shown(value)}" for key, value in constraint.settings.items()]
    return ", ".join([constraint.rule, *settings])


def compare(old: Format, new: Format) -> list[FormatDifference]:
    """List the differences: seating, then constraints, cards, leaders, options.

    Statements and files are no differences: they change nothing for a deck.
    """
    seats = (_all_shown(asdict(fmt.seating)) for fmt in (old, new))
    words = ({c.name: in_words(c) for c in fmt.constraints} for fmt in (old, new))
    options = (_all_shown(fmt.options) for fmt in (old, new))
    return [
        *_differences("seating", *seats),
        *_differences("constraint", *words),
        *_differences("card", *_records("card", old, new)),
        *_differences("leader", *_records("leader", old, new)),
        *_differences("option", *options),
    ]


def _all_shown(values: Mapping[str, object]) -> dict[str, str]:
    return {name: shown(value) for name, value in values.items()}


def _records(about: str, old: Format, new: Format) -> list[dict[str, str]]:
    """Return the cards or leaders that sets of either format touch, in each format.

    What only the sets of the other format touch is as they found it.
    """
    sides = [
        {change.record.id: change for change in fmt.changes if change.about == about}
        for fmt in (old, new)
    ]
    collected = []
    for side, other in (sides, sides[::-1]):
        records = {id: change.was for id, change in other.items()}
        records |= {id: change.now for id, change in side.items()}
        words = {}
        for record in records.values():
            if record is not None:
                words[full_name(record)] = record_in_words(record)
        collected.append(words)
    return collected


def _differences(
    about: str, before: dict[str, str], after: dict[str, str]
) -> list[FormatDifference]:
    return [
        FormatDifference(about, name, before.get(name), after.get(name))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]


def changes_in_words(fmt: Format) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield what sets did to cards: how, and a row for each card in words."""
    for title, changes in (
        ("added by sets", [c for c in fmt.changes if c.was is None]),
        ("changed by sets", [c for c in fmt.changes if c.was and c.now]),
        ("removed by sets", [c for c in fmt.changes if c.now is None]),
    ):
        if changes:
            rows = ((c.name, record_in_words(c.record), c.in_words) for c in changes)
            yield title, [*rows]


def changed_cards(
    before: Iterable[CardChange], after: Iterable[CardChange]
) -> list[str]:
    """List the cards and leaders that sets made differ, old and new."""
    old, new = (
        {(change.about, change.record.id): change for change in changes}
        for changes in (before, after)
    )
    lines = []
    for key in dict.fromkeys((*old, *new)):
        was = old[key].now if key in old else new[key].was
        now = new[key].now if key in new else old[key].was
        if was is None and now is None:
            continue
        change = CardChange(was, now, "", is_own=True)
        words = change.in_words
        if was is None or now is None:
            words = "new" if was is None else "left out"
        if words:
            lines.append(f"{change.about} {quote(change.name)}: {words}")
    return lines
