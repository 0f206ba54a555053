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
    """A difference between formats."""

    about: str
    """`seating`, `constraint`, `card`, `leader` or `option`."""
    name: str
    old: str | None
    """The old value in words. None where only the new format has it."""
    new: str | None
    """The new value in words. None where only the old format has it."""


def write_setting(value: object) -> str:
    """Write a setting as a format file does: `spy or medic`, `decoy 3 and scorch 5`."""
    if isinstance(value, Mapping):
        return " and ".join(f"{key} {worth}" for key, worth in value.items())
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_words(constraint: Constraint) -> str:
    """Write a constraint: `count, kinds unit or hero, min 22`."""
    words = [constraint.rule]
    for key, value in constraint.settings.items():
        words.append(f"{key} {write_setting(value)}")
    return ", ".join(words)


def compare(old: Format, new: Format) -> list[FormatDifference]:
    """List the differences: seating, then constraints, cards, leaders, options.

    Statements and files do not count: they change nothing for a deck.
    """
    sides: list[dict[str, dict[str, str]]] = []
    for fmt in (old, new):
        sides.append(
            {
                "seating": _write_settings(asdict(fmt.seating)),
                "constraint": {c.name: in_words(c) for c in fmt.constraints},
                "option": _write_settings(fmt.options),
            }
        )
    sides[0]["card"], sides[1]["card"] = _find_changed_records("card", old, new)
    sides[0]["leader"], sides[1]["leader"] = _find_changed_records("leader", old, new)
    differences = []
    for about in ("seating", "constraint", "card", "leader", "option"):
        differences += _list_differences(about, sides[0][about], sides[1][about])
    return differences


def _write_settings(values: Mapping[str, object]) -> dict[str, str]:
    return {name: write_setting(value) for name, value in values.items()}


def _find_changed_records(about: str, old: Format, new: Format) -> list[dict[str, str]]:
    """Return the cards or leaders that sets of either format touch, in each format.

    A card that only the other format's sets touch is as they found it.
    """
    sides: list[dict[str, CardChange]] = []
    for fmt in (old, new):
        changes = [change for change in fmt.changes if change.about == about]
        sides.append({change.record.id: change for change in changes})
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


def _list_differences(
    about: str, before: dict[str, str], after: dict[str, str]
) -> list[FormatDifference]:
    differences = []
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old != new:
            differences.append(FormatDifference(about, name, old, new))
    return differences


def changes_in_words(fmt: Format) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield each kind of change by sets, with a row for each card in words."""
    tables: dict[str, list[tuple[str, ...]]] = {
        "added by sets": [],
        "changed by sets": [],
        "removed by sets": [],
    }
    for change in fmt.changes:
        title = "changed by sets"
        if change.was is None:
            title = "added by sets"
        elif change.now is None:
            title = "removed by sets"
        row = (change.name, record_in_words(change.record), change.in_words)
        tables[title].append(row)
    for title, rows in tables.items():
        if rows:
            yield title, rows


def changed_cards(
    before: Iterable[CardChange], after: Iterable[CardChange]
) -> list[str]:
    """List the cards and leaders that sets made differ, old and new."""
    old = {(change.about, change.record.id): change for change in before}
    new = {(change.about, change.record.id): change for change in after}
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
