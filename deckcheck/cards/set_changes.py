"""The cards and leaders that a set changes, and the cards that it removes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import TypeVar, cast

from deckcheck.cards.changes import name_of
from deckcheck.cards.models import Card, Leader
from deckcheck.cards.set_file import OWN, Reading, SetFile
from deckcheck.findings.documents import Location, show
from deckcheck.findings.words import choice

R = TypeVar("R", Card, Leader)

FIXED = ("id", "number")
"""What of a card or leader cannot be changed."""


def removed_cards(reading: Reading, file: SetFile) -> list[Card]:
    """The cards that the set removes."""
    cards: dict[str, Card] = {}
    for index, name in enumerate(file.remove):
        card = _find(reading, name)
        if isinstance(card, str):
            reading.wrong(("remove", index), card)
        elif card.id in cards:
            reading.wrong(("remove", index), f"`{card.name}` is given twice")
        else:
            cards[card.id] = card
    if cards and len(cards) == len(reading.db.cards):
        reading.wrong(("remove",), "no card would be left")
    return list(cards.values())


def changed_records(
    reading: Reading, file: SetFile, removed: Collection[Card]
) -> tuple[list[tuple[str, Card]], list[tuple[str, Leader]]]:
    """Cards and leaders as they become, each with the name that the file has for it."""
    cards: list[tuple[str, Card]] = []
    leaders: list[tuple[str, Leader]] = []
    seen: list[Card | Leader] = []
    for name, entry in file.change.items():
        old = _find_any(reading, name)
        if isinstance(old, str):
            wrong: str | None = old
        elif old in removed:
            wrong = f"`{name_of(old)}` is removed, it cannot be changed as well"
        elif old in seen:
            wrong = f"`{name_of(old)}` is given twice"
        else:
            wrong = None if entry else f"nothing of `{name_of(old)}` is changed"
            seen.append(old)
        if wrong is not None:
            reading.wrong(("change", name), wrong, is_key=True)
        elif isinstance(old, Card):
            card = _changed(reading, name, old, _as_file(old), entry)
            cards += [] if card is None else [(name, card)]
        elif isinstance(old, Leader):
            leader = _changed(reading, name, old, asdict(old), entry)
            leaders += [] if leader is None else [(name, leader)]
    return cards, leaders


def _changed(
    reading: Reading,
    name: str,
    old: R,
    written: dict[str, object],
    entry: dict[str, object],
) -> R | None:
    """A card or leader, as files have it, with what an entry of `change` says of it."""
    at: Location = ("change", name)
    for key in FIXED:
        if key in entry:
            what = "card" if isinstance(old, Card) else "leader"
            message = f"the {key} of a {what} cannot be changed"
            reading.wrong((*at, key), message, is_key=True)
    given = {key: value for key, value in entry.items() if key not in FIXED}
    data = {**written, "provenance": OWN, **given}
    new = reading.source.read(type(old), data, at, reading.defects)
    for key, value in given.items() if new is not None else ():
        if getattr(new, key, None) == getattr(old, key, ()):
            said = show(value).strip("`")
            message = (
                f"`{key}: {said}` changes nothing, `{name_of(old)}` has it already"
            )
            reading.wrong((*at, key), message)
    return new


def _as_file(card: Card) -> dict[str, object]:
    """A card as a file writes it."""
    data = asdict(card)
    abilities: list[object] = []
    for ability in cast("tuple[dict[str, object], ...]", data["abilities"]):
        code = str(ability.pop("code"))
        given = {key: value for key, value in ability.items() if value}
        abilities.append({code: given} if given else code)
    return {**data, "abilities": abilities}


def _find_any(reading: Reading, name: str) -> Card | Leader | str:
    """The card of a name, else the leader, or what is wrong with the name."""
    db = reading.db
    card = _find(reading, name)
    if not isinstance(card, str) or db.find_card(name, suggest=False).candidates:
        return card
    leader = db.find_leader(name, suggest=False)
    if leader.id is not None:
        return db.leaders[leader.id]
    if leader.candidates:
        titles = [db.leaders[id].full_name for id in leader.candidates]
        return f"`{name}` may be {choice(titles)}"
    return card


def _find(reading: Reading, name: str) -> Card | str:
    """The card of a name, or what is wrong with the name."""
    db = reading.db
    lookup = db.find_card(name)
    if lookup.id is not None:
        return db.cards[lookup.id]
    gone = db.removed(name)
    if gone is not None:
        return f"`{gone.set}` removed `{gone.name}` already"
    if lookup.candidates:
        return f"`{name}` may be {choice(lookup.candidates)}"
    leader = db.find_leader(name, suggest=False)
    if leader.id is not None or leader.candidates:
        return f"`{name}` is a leader, ban it in the format instead"
    hint = ""
    if lookup.suggestions:
        hint = f", did you mean {choice(lookup.suggestions)}?"
    return f"unknown card `{name}`{hint}"
