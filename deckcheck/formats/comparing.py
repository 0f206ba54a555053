"""What a format says, in words, and how two formats differ."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from deckcheck.cards import Card
from deckcheck.findings.words import plural
from deckcheck.formats.models import Constraint, Format

__all__ = ["Difference", "card_in_words", "compare", "in_words", "shown"]


class Difference(NamedTuple):
    """One thing that differs: `old` or `new` is None where a format has none of it.

    `about` is `seating`, `constraint`, `card` or `option`, `name` that of one of these.
    """

    about: str
    name: str
    old: str | None
    new: str | None


def shown(value: object) -> str:
    """A setting as a format file writes it, the words of a list joined by `or`."""
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_words(constraint: Constraint) -> str:
    """The rule and settings of a constraint: `count, kinds unit or hero, min 22`."""
    settings = [f"{key} {shown(value)}" for key, value in constraint.settings.items()]
    return ", ".join([constraint.rule, *settings])


def card_in_words(card: Card) -> str:
    """What is printed on a card: `skellige unit, close, strength 2, berserker`."""
    strength = [] if card.strength is None else [f"strength {card.strength}"]
    codes = [ability.code for ability in card.abilities]
    rows = [" or ".join(card.rows)] if card.rows else []
    side = [plural(card.copies, "copy")]
    if not card.deckable:
        side = ["side deck"]
    return ", ".join([f"{card.faction} {card.kind}", *rows, *strength, *codes, *side])


def compare(old: Format, new: Format) -> list[Difference]:
    """What `new` has otherwise: seating, then constraints, cards, options.

    Statements and files are no differences: they change nothing for a deck.
    """
    seats = (
        {name: shown(value) for name, value in asdict(fmt.seating).items()}
        for fmt in (old, new)
    )
    before = {c.name: in_words(c) for c in old.constraints}
    after = {c.name: in_words(c) for c in new.constraints}
    found = _differences("constraint", before, after)
    cards = (
        {card.name: card_in_words(card) for card in fmt.extra_cards}
        for fmt in (old, new)
    )
    found += _differences("card", *cards)
    options = (
        {name: shown(value) for name, value in fmt.options.items()}
        for fmt in (old, new)
    )
    return _differences("seating", *seats) + found + _differences("option", *options)


def _differences(
    about: str, before: dict[str, str], after: dict[str, str]
) -> list[Difference]:
    return [
        Difference(about, name, before.get(name), after.get(name))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]
