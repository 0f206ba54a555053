"""What formats of a user's own may do and must not: names of cards, and idle bans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.findings.documents import Defect
from deckcheck.findings.words import choice
from deckcheck.formats.drafts import Draft, DraftConstraint, Layer
from deckcheck.formats.models import Constraint

__all__ = ["idle_bans", "is_idle", "with_card_ids"]


def with_card_ids(layer: Layer, db: CardDatabase, defects: list[Defect]) -> Layer:
    """The layer with ids for the names that its `cards` lists may use."""
    constraints = {
        name: entry if entry is None else dict(entry)
        for name, entry in layer.file.constraints.items()
    }
    for name, entry in constraints.items():
        cards = entry.get("cards") if entry is not None else None
        if entry is not None and isinstance(cards, list):
            entry["cards"] = [
                _card_id(word, (name, index), layer, db, defects)
                for index, word in enumerate(cards)
            ]
    return layer._replace(file=replace(layer.file, constraints=constraints))


def _card_id(
    word: object,
    at: tuple[str, int],
    layer: Layer,
    db: CardDatabase,
    defects: list[Defect],
) -> object:
    if not isinstance(word, str):
        return word
    found = db.find_card(word)
    if found.id is not None:
        return found.id
    if found.candidates:
        hint = f", it may be {choice(found.candidates)}"
    elif found.suggestions:
        hint = f", did you mean {choice(found.suggestions)}?"
    else:
        hint = ""
    place = (*layer.at, "constraints", at[0], "cards", at[1])
    defects.append(layer.source.defect(place, f"unknown card `{word}`{hint}"))
    return None


def is_idle(layer: Layer) -> Defect | None:
    """The defect of a file that has a title and changes nothing else."""
    file = layer.file
    if any((file.constraints, file.options, file.seating, file.snapshot, file.history)):
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
            banned.update(dict.fromkeys(constraint.condition.cards, name))


def _idle_words(
    part: DraftConstraint,
    constraint: Constraint,
    banned: dict[str, str],
    db: CardDatabase,
) -> Iterator[Defect]:
    fitting = [c for c in db.cards.values() if constraint.condition.matches(c)]
    if not any(card.deckable for card in fitting):
        yield part.defect(f"`{part.name}` changes nothing, no card of a deck fits it")
        return
    limit = constraint.settings.get("max")
    cards = constraint.condition.cards
    for index, id in enumerate(cards):
        card = db.cards[id]
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
