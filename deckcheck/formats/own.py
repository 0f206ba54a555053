"""Checks of a user's own formats: names of cards, and idle bans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckcheck.cards import Card, CardDatabase
from deckcheck.cards.changes import Change
from deckcheck.cards.names import Lookup
from deckcheck.findings.documents import Defect, Location, Source
from deckcheck.findings.words import choice
from deckcheck.formats.drafts import Draft, DraftConstraint, Layer
from deckcheck.formats.models import Constraint


def with_ids(layer: Layer, db: CardDatabase, defects: list[Defect]) -> Layer:
    """The layer with ids for the names that its lists of cards and leaders may use.

    Some known id stands for an unknown name, so that the rest can be checked.
    """
    constraints = {
        name: entry if entry is None else dict(entry)
        for name, entry in layer.file.constraints.items()
    }
    finders = {
        "cards": _Finder(db.find_card, db.removed, next(iter(db.cards), None)),
        "leaders": _Finder(
            db.find_leader, lambda _: None, next(iter(db.leaders), None)
        ),
    }
    for name, entry in constraints.items():
        points = entry.get("points") if entry else None
        if entry and isinstance(points, dict):
            at = (*layer.at, "constraints", name, "points")
            cards = finders["cards"]
            entry["points"] = _points(points, cards, layer.source, at, defects)
        for key, finder in finders.items() if entry else ():
            words = entry.get(key) if entry else None
            if entry and isinstance(words, list):
                at = (*layer.at, "constraints", name, key)
                entry[key] = [
                    _id(word, finder, layer.source, (*at, index), defects)
                    for index, word in enumerate(words)
                ]
    return layer._replace(file=replace(layer.file, constraints=constraints))


def _points(
    points: Mapping[str, object],
    finder: _Finder,
    source: Source,
    at: Location,
    defects: list[Defect],
) -> dict[str, object]:
    """Points by the ids of cards; two names of one card are a defect."""
    prices: dict[str, object] = {}
    for word, worth in points.items():
        id = _id(word, finder, source, (*at, word), defects, what="card")
        if str(id) in prices and id != finder.instead:
            message = f"`{word}` is given twice"
            defects.append(source.key_defect((*at, word), message))
        prices[str(id)] = worth
    return prices


class _Finder(NamedTuple):
    """Finds ids by name; `instead` stands for what is not found."""

    find: Callable[[str], Lookup]
    removed: Callable[[str], Change | None]
    instead: str | None


def _id(
    word: object,
    finder: _Finder,
    source: Source,
    place: Location,
    defects: list[Defect],
    *,
    what: str | None = None,
) -> object:
    if not isinstance(word, str):
        return word
    lookup = finder.find(word)
    if lookup.id is not None:
        return lookup.id
    gone = finder.removed(word)
    if gone is not None:
        return gone.record.id
    if lookup.candidates:
        hint = f", it may be {choice(lookup.candidates)}"
    elif lookup.suggestions:
        hint = f", did you mean {choice(lookup.suggestions)}?"
    else:
        hint = ""
    message = f"unknown {what or str(place[-2]).removesuffix('s')} `{word}`{hint}"
    is_key = what is not None
    defects.append((source.key_defect if is_key else source.defect)(place, message))
    return finder.instead


def is_idle(layer: Layer) -> Defect | None:
    """The defect of a file that has a title and changes nothing else."""
    file = layer.file
    changes = (file.constraints, file.options, file.seating, file.history, file.sets)
    if file.snapshot or any(changes):
        return None
    return layer.source.defect((), "the file changes nothing but the title")


def idle_bans(
    draft: Draft, constraints: list[Constraint], db: CardDatabase
) -> Iterator[Defect]:
    """The defects of bans and restrictions, in files of a user, that change nothing."""
    resolved = {c.name: c for c in constraints}
    banned: dict[str, str] = {}
    for name, part in draft.constraints.items():
        constraint = resolved.get(name)
        if constraint is None or constraint.rule not in ("banned", "restricted"):
            continue
        if part.layer.is_own:
            yield from _idle_words(part, constraint, banned, db)
        if constraint.rule == "banned":
            leaders = (_leader(id) for id in constraint.leaders)
            banned.update(dict.fromkeys((*constraint.condition.cards, *leaders), name))


def _idle_words(
    part: DraftConstraint,
    constraint: Constraint,
    banned: dict[str, str],
    db: CardDatabase,
) -> Iterator[Defect]:
    yield from _idle_leaders(part, constraint.leaders, banned, db)
    if constraint.condition.is_empty:
        return
    fitting = [c for c in db.cards.values() if constraint.condition.matches(c)]
    cards = constraint.condition.cards
    is_about_removed = any(id in db.gone for id in cards)
    if not is_about_removed and not any(card.deckable for card in fitting):
        yield part.defect(f"`{part.name}` changes nothing, it fits no card of a deck")
        return
    limit = constraint.settings.get("max")
    for index, id in enumerate(cards):
        # The set may belong to a format that extends the one with the ban.
        card = db.cards.get(id) or db.gone[id].record
        if not isinstance(card, Card):
            continue
        reason = None
        if id in cards[:index]:
            reason = "is given twice"
        elif not card.deckable:
            reason = "changes nothing, the card is never allowed in a deck"
        elif id in banned:
            reason = f"changes nothing, `{banned[id]}` bans the card already"
        elif isinstance(limit, int) and limit >= card.copies:
            reason = f"changes nothing, at most {card.copies} can be in a deck"
        if reason:
            yield part.settings["cards"].defect(f"`{card.name}` {reason}", (index,))


def _leader(id: str) -> str:
    """What stands for a leader among banned cards, whose ids have no spaces."""
    return f"leader {id}"


def _idle_leaders(
    part: DraftConstraint,
    ids: Sequence[str],
    banned: Mapping[str, str],
    db: CardDatabase,
) -> Iterator[Defect]:
    for index, id in enumerate(ids):
        reason = None
        if id in ids[:index]:
            reason = "is given twice"
        elif _leader(id) in banned:
            bans = banned[_leader(id)]
            reason = f"changes nothing, `{bans}` bans the leader already"
        if reason:
            message = f"`{db.leaders[id].full_name}` {reason}"
            yield part.settings["leaders"].defect(message, (index,))
