"""Formats in sentences for players, and the differences between two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import name_of, record_in_words
from deckcheck.formats.model import Condition, Constraint, Format
from deckcheck.messages import plural

# The limits of a format, in sentences for players.


@dataclass(frozen=True, slots=True)
class _Limit:
    """One constraint of a format, with the names of what it is about."""

    constraint: Constraint
    fmt: Format
    db: CardDatabase

    @property
    def cards(self) -> str:
        """Which cards are meant: `special and weather cards`, `Scorch`, `cards`."""
        return _described(self.constraint.condition, self.db)

    def number(self, key: str) -> int | None:
        """The whole number that the constraint sets for `key`, if it does."""
        value = self.constraint.settings.get(key)
        return value if isinstance(value, int) else None

    @property
    def range(self) -> str:
        """`at least 22`, `at most 10`, `22 to 30`, `exactly 30`."""
        return _range(self.number("min"), self.number("max"))


def limits(fmt: Format, db: CardDatabase) -> list[str]:
    """What a legal list has to look like: a sentence without full stop per constraint.

    `db` is the card database of the format, see `database_of`.
    """
    all_limits = (_Limit(constraint, fmt, db) for constraint in fmt.constraints)
    return [SENTENCES[limit.constraint.rule](limit) for limit in all_limits]


def _range(low: int | None, high: int | None) -> str:
    if low is not None and low == high:
        return f"exactly {low}"
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"at least {low}" if high is None else f"at most {high}"


def _described(condition: Condition, db: CardDatabase) -> str:
    """The cards that fit a condition."""
    words = [
        _listed([_faction(id, db) for id in condition.factions], "and"),
        _listed(condition.kinds, "and"),
        _listed([db.cards[id].name for id in condition.cards], "and"),
        "" if condition.cards else "cards",
        f"with {_listed(condition.abilities, 'or')}" if condition.abilities else "",
        f"for {_listed(condition.rows, 'or')}" if condition.rows else "",
    ]
    return " ".join(word for word in words if word)


def _faction(id: str, db: CardDatabase) -> str:
    return db.factions[id].name if id in db.factions else id


def _listed(words: Sequence[str], last: str) -> str:
    plain = [word.replace("_", " ") for word in words]
    return f" {last} ".join(
        [*([", ".join(plain[:-1])] if plain[1:] else []), *plain[-1:]]
    )


def _count(limit: _Limit) -> str:
    return f"{limit.range.capitalize()} {limit.cards}"


def _sum(limit: _Limit) -> str:
    attribute = limit.constraint.settings["attribute"]
    return f"Total {attribute} of {limit.cards}: {limit.range}"


def _points(limit: _Limit) -> str:
    points = limit.constraint.settings["points"]
    assert isinstance(points, Mapping)
    cards = (f"{_name_of(id, limit.db)} {worth}" for id, worth in points.items())
    most = plural(limit.number("max") or 0, "point")
    return f"At most {most} in all: {', '.join(cards)}"


def _name_of(id: str, db: CardDatabase) -> str:
    """The name of a card; a set may have removed it."""
    return db.cards[id].name if id in db.cards else db.gone[id].name


def _banned(limit: _Limit) -> str:
    constraint = limit.constraint
    banned = [limit.db.leaders[id].full_name for id in constraint.leaders]
    if not constraint.condition.is_empty:
        banned = [limit.cards, *banned]
    return f"Banned: {'; '.join(banned)}"


def _restricted(limit: _Limit) -> str:
    most = plural(limit.number("max") or 0, "copy")
    return f"At most {most} of each of these: {limit.cards}"


def _leader(limit: _Limit) -> str:
    leaders = plural(limit.number("count") or 0, "leader")
    is_own = limit.constraint.settings.get("same_faction") is True
    return f"{leaders} of the same faction" if is_own else leaders


def _whole_faction(limit: _Limit) -> str:
    whole = "All cards of one faction and all neutral cards"
    if limit.constraint.condition.is_empty:
        return whole
    return f"{whole}, apart from {limit.cards}"


def _number_of_decks(limit: _Limit) -> str:
    seating = limit.fmt.seating
    low, high = seating.min_decks, seating.max_decks
    decks = plural(low, "deck") if low == high else f"{low} to {high} decks"
    decks = f"{decks} in one {seating.holds}"
    return f"{decks}, or a single deck" if seating.single_deck and low > 1 else decks


SENTENCES: Mapping[str, Callable[[_Limit], str]] = {
    "count": _count,
    "sum": _sum,
    "points": _points,
    "copies": lambda limit: "No more copies of a card than the game has",
    "banned": _banned,
    "restricted": _restricted,
    "deckable": lambda limit: "No card that only other cards bring into play",
    "one_faction": lambda limit: "Cards of one faction and neutral cards only",
    "leader": _leader,
    "reserves": lambda limit: (
        "Listed reserves: cards of the deck's faction and neutral ones, no more "
        "copies than the game has"
    ),
    "required_reserves": lambda limit: f"Listed reserves have {limit.cards}",
    "complete_reserves": lambda limit: (
        "Listed reserves have what the cards of the deck bring, else a warning"
    ),
    "whole_faction": _whole_faction,
    "number_of_decks": _number_of_decks,
    "distinct_factions": lambda limit: (
        f"Every deck of a {limit.fmt.seating.holds} of another faction"
    ),
    "no_shared_cards": lambda limit: (
        f"No two decks of a {limit.fmt.seating.holds} share {limit.cards}"
    ),
}
"""What each rule of the vocabulary means with its settings."""


# Sentences for a format, and the differences between two.


class Difference(NamedTuple):
    """One thing that differs: `old` or `new` is None where a format has none of it.

    `about` is `seating`, `constraint`, `card` or `option`, `name` that of one of these.
    """

    about: str
    name: str
    old: str | None
    new: str | None


def shown(value: object) -> str:
    """A setting as a format file writes it: `spy or medic`, `decoy 3 and scorch 5`."""
    if isinstance(value, Mapping):
        return " and ".join(f"{key} {worth}" for key, worth in value.items())
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_words(constraint: Constraint) -> str:
    """The rule and settings of a constraint: `count, kinds unit or hero, min 22`."""
    settings = [f"{key} {shown(value)}" for key, value in constraint.settings.items()]
    return ", ".join([constraint.rule, *settings])


def compare(old: Format, new: Format) -> list[Difference]:
    """What `new` has otherwise: seating, then constraints, cards, leaders, options.

    Statements and files are no differences: they change nothing for a deck.
    """
    seats = (
        {name: shown(value) for name, value in asdict(fmt.seating).items()}
        for fmt in (old, new)
    )
    before = {c.name: in_words(c) for c in old.constraints}
    after = {c.name: in_words(c) for c in new.constraints}
    differences = _differences("constraint", before, after)
    for about in ("card", "leader"):
        differences += _differences(about, *_records(about, old, new))
    options = (
        {name: shown(value) for name, value in fmt.options.items()}
        for fmt in (old, new)
    )
    return (
        _differences("seating", *seats) + differences + _differences("option", *options)
    )


def _records(about: str, old: Format, new: Format) -> list[dict[str, str]]:
    """The cards or leaders that sets of either format touch, as each format has them.

    What only the other's sets touch is as those found it.
    """
    sides = [
        {change.record.id: change for change in fmt.changes if change.about == about}
        for fmt in (old, new)
    ]
    collected = []
    for own, other in (sides, sides[::-1]):
        records = {id: record.was for id, record in other.items()}
        records |= {id: record.now for id, record in own.items()}
        kept = (record for record in records.values() if record is not None)
        collected.append({name_of(record): record_in_words(record) for record in kept})
    return collected


def _differences(
    about: str, before: dict[str, str], after: dict[str, str]
) -> list[Difference]:
    return [
        Difference(about, name, before.get(name), after.get(name))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]
