"""The cards that a set changes and removes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import cast

from deckcheck.cards.models import Card
from deckcheck.cards.set_file import OWN, Reading, SetFile
from deckcheck.findings.documents import show
from deckcheck.findings.words import choice

__all__ = ["changed_cards", "removed_cards"]

FIXED = ("id", "number")
"""What of a card cannot be changed."""


def removed_cards(reading: Reading, file: SetFile) -> list[Card]:
    """The cards that the set removes."""
    found: dict[str, Card] = {}
    for index, name in enumerate(file.remove):
        card = _find(reading, name)
        if isinstance(card, str):
            reading.wrong(("remove", index), card)
        elif card.id in found:
            reading.wrong(("remove", index), f"`{card.name}` is given twice")
        else:
            found[card.id] = card
    if found and len(found) == len(reading.db.cards):
        reading.wrong(("remove",), "no card would be left")
    return list(found.values())


def changed_cards(
    reading: Reading, file: SetFile, removed: Collection[Card]
) -> list[tuple[str, Card]]:
    """The cards as they become, each with the name that the file has for it."""
    placed: list[tuple[str, Card]] = []
    seen: set[str] = set()
    for name, entry in file.change.items():
        old = _find(reading, name)
        if isinstance(old, str):
            wrong: str | None = old
        elif old in removed:
            wrong = f"`{old.name}` is removed, it cannot be changed as well"
        elif old.id in seen:
            wrong = f"`{old.name}` is given twice"
        else:
            wrong = None if entry else f"nothing of `{old.name}` is changed"
            seen.add(old.id)
        if wrong is not None:
            reading.wrong(("change", name), wrong, is_key=True)
        elif isinstance(old, Card):
            card = _changed(reading, name, old, entry)
            if card is not None:
                placed.append((name, card))
    return placed


def _changed(
    reading: Reading, name: str, old: Card, entry: dict[str, object]
) -> Card | None:
    """A card with what an entry of `change` says of it."""
    at = ("change", name)
    for key in FIXED:
        if key in entry:
            message = f"the {key} of a card cannot be changed"
            reading.wrong((*at, key), message, is_key=True)
    given = {key: value for key, value in entry.items() if key not in FIXED}
    data = {**_as_file(old), "provenance": OWN, **given}
    card = reading.source.read(Card, data, at, reading.defects)
    for key, value in given.items() if card is not None else ():
        if getattr(card, key, None) == getattr(old, key, ()):
            said = show(value).strip("`")
            message = f"`{key}: {said}` changes nothing, `{old.name}` has it already"
            reading.wrong((*at, key), message)
    return card


def _as_file(card: Card) -> dict[str, object]:
    """A card as a file writes it."""
    data = asdict(card)
    abilities: list[object] = []
    for ability in cast("tuple[dict[str, object], ...]", data["abilities"]):
        code = str(ability.pop("code"))
        given = {key: value for key, value in ability.items() if value}
        abilities.append({code: given} if given else code)
    return {**data, "abilities": abilities}


def _find(reading: Reading, name: str) -> Card | str:
    """The card of a name, or what is wrong with the name."""
    db = reading.db
    found = db.find_card(name)
    if found.id is not None:
        return db.cards[found.id]
    gone = db.removed(name)
    if gone is not None:
        return f"`{gone.set}` removed `{gone.name}` already"
    if found.candidates:
        return f"`{name}` may be {choice(found.candidates)}"
    leader = db.find_leader(name, suggest=False)
    if leader.id is not None or leader.candidates:
        return f"`{name}` is a leader, expected a card"
    hint = ""
    if found.suggestions:
        hint = f", did you mean {choice(found.suggestions)}?"
    return f"unknown card `{name}`{hint}"
