"""Formats in words for players, and the differences between two formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import CardChange, full_name, record_in_words
from deckcheck.formats.model import Constraint, Format
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Clause
from deckcheck.messages import quote


def describe_limits(fmt: Format, database: CardDatabase) -> list[str]:
    """Return a sentence without full stop for each constraint on decks.

    `database` is the card database of the format, see `database_of`.
    """
    sentences = []
    for constraint in fmt.constraints:
        clause = Clause(constraint, fmt, database)
        sentences.append(VOCABULARY[constraint.rule].sentence(clause))
    return sentences


def write_setting(value: object) -> str:
    """Return a setting as a format file has it: `spy or medic`, `decoy 3 and scorch 5`.

    >>> write_setting({"decoy": 3, "scorch": 5})
    'decoy 3 and scorch 5'
    """
    if isinstance(value, Mapping):
        return " and ".join(f"{key} {worth}" for key, worth in value.items())
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def write_constraint(constraint: Constraint) -> str:
    """Return a constraint in words: `count, kinds unit or hero, min 22`."""
    words = [constraint.rule]
    for key, value in constraint.settings.items():
        words.append(f"{key} {write_setting(value)}")
    return ", ".join(words)


# Differences between two formats


class FormatDifference(NamedTuple):
    """A difference between formats."""

    about: str
    """`seating`, `constraint`, `card`, `leader` or `option`."""
    name: str
    """The name of the setting, constraint, card, leader or option."""
    old: str | None
    """The old value in words. None where only the new format has it."""
    new: str | None
    """The new value in words. None where only the old format has it."""


def compare_formats(old: Format, new: Format) -> list[FormatDifference]:
    """Return the differences in seating, constraints, cards, leaders and options.

    Statements and files do not count: they change nothing for a deck.
    """
    old_parts, new_parts = _describe_parts(old, new), _describe_parts(new, old)
    differences = []
    for about, old_values in old_parts.items():
        new_values = new_parts[about]
        for name in dict.fromkeys((*old_values, *new_values)):
            before, after = old_values.get(name), new_values.get(name)
            if before != after:
                differences.append(FormatDifference(about, name, before, after))
    return differences


def _describe_parts(fmt: Format, other: Format) -> dict[str, dict[str, str]]:
    """Return each part of a format that is compared with `other`, in words by name."""
    seating = asdict(fmt.seating).items()
    return {
        "seating": {name: write_setting(value) for name, value in seating},
        "constraint": {c.name: write_constraint(c) for c in fmt.constraints},
        "card": _describe_records("card", fmt, other),
        "leader": _describe_records("leader", fmt, other),
        "option": {name: write_setting(v) for name, v in fmt.options.items()},
    }


def _describe_records(about: str, fmt: Format, other: Format) -> dict[str, str]:
    """Return the cards or leaders in a format that sets of it or of `other` change.

    A card that only the sets of `other` change is as it was before these sets.
    """
    records = {}
    for change in other.changes:
        if change.about == about:
            records[change.record.id] = change.was
    for change in fmt.changes:
        if change.about == about:
            records[change.record.id] = change.now
    words = {}
    for record in records.values():
        if record is not None:
            words[full_name(record)] = record_in_words(record)
    return words


# Cards and leaders that sets of cards change


def group_changes(fmt: Format) -> dict[str, list[tuple[str, ...]]]:
    """Return the cards that sets add, change and remove, with a row in words for each.

    The keys are titles such as `added by sets`, only those with cards.
    """
    tables: dict[str, list[tuple[str, ...]]] = {
        "added by sets": [],
        "changed by sets": [],
        "removed by sets": [],
    }
    for change in fmt.changes:
        if change.was is None:
            title = "added by sets"
        elif change.now is None:
            title = "removed by sets"
        else:
            title = "changed by sets"
        row = (change.name, record_in_words(change.record), change.in_words)
        tables[title].append(row)
    return {title: rows for title, rows in tables.items() if rows}


def list_changed_cards(
    before: Iterable[CardChange], after: Iterable[CardChange]
) -> list[str]:
    """Return a line for each card or leader that differs after other changes by sets.

    `before` and `after` have the changes by the sets of an old and of a new format.
    """
    old = {(change.about, change.record.id): change for change in before}
    new = {(change.about, change.record.id): change for change in after}
    lines = []
    for key in dict.fromkeys((*old, *new)):
        # A card that a format leaves alone is as it was before sets of another format.
        was = old[key].now if key in old else new[key].was
        now = new[key].now if key in new else old[key].was
        if was is None and now is None:
            continue
        change = CardChange(was, now, "", is_own=True)
        if was is None:
            words = "new"
        elif now is None:
            words = "left out"
        else:
            words = change.in_words
        if words:
            lines.append(f"{change.about} {quote(change.name)}: {words}")
    return lines
