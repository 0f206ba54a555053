"""Checks of a set, beyond those of its single cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deckcheck.cards.models import Card, Game, Leader
from deckcheck.cards.set_file import Reading
from deckcheck.findings.documents import Defect, Location, Source

Placed = Sequence[tuple[int | str, Card]]


def aims(
    source: Source, placed: Placed, cards: Mapping[str, Card], game: Game
) -> Iterator[Defect]:
    """What an ability always names lies in the side deck, as what it summons does."""
    aimed = _aiming(game)
    for index, card in placed:
        for place, ability in enumerate(card.abilities):
            target = cards.get(ability.target or "")
            if ability.code in aimed and target is not None and target.deckable:
                message = f"`{target.id}` can be in a deck, add `deckable: false` to it"
                yield source.defect((index, "abilities", place), message)


def needs(
    source: Source, placed: Placed, cards: Mapping[str, Card], game: Game
) -> Iterator[Defect]:
    """Abilities that lay a token of their amount, of which the set has none."""
    needed = {p.ability: p.needs for p in game.parameters if p.needs is not None}
    tokens = {(a.code, a.amount) for card in cards.values() for a in card.abilities}
    for index, card in placed:
        for place, ability in enumerate(card.abilities):
            token, amount = needed.get(ability.code), ability.amount
            if token and amount is not None and (token, amount) not in tokens:
                message = f"no card has `{token}` of {amount}"
                message += f", so `{card.id}` would do nothing"
                yield source.defect((index, "abilities", place), message)


def blank(source: Source, placed: Placed, game: Game) -> Iterator[Defect]:
    """Cards without strength and ability: nothing is played as a blank card."""
    for index, card in placed:
        is_other = card.kind in game.kinds and card.kind not in game.unit_kinds
        if game.abilities and is_other and not card.abilities:
            message = f"`{card.id}` is a {card.kind} without abilities, it does nothing"
            yield source.defect((index,), message)


def check_references(
    reading: Reading,
    cards: Mapping[str, Card],
    leaders: Mapping[str, Leader],
    removed: Sequence[Card],
    changed: Sequence[tuple[str, Card]],
) -> None:
    """Report what cards and leaders that the set left as they were still need.

    `cards` and `leaders` are all that there will be.
    """
    places: dict[str, Location] = {
        card.id: ("remove", index) for index, card in enumerate(removed)
    }
    places = {id: at for id, at in places.items() if id not in cards}
    changes = {card.id: ("change", name, "deckable") for name, card in changed}
    ids = reading.db.cards
    freed = {
        id: at
        for id, at in changes.items()
        if cards[id].deckable and not ids[id].deckable
    }
    aimed = _aiming(reading.game)
    for card in cards.values():
        for ability in card.abilities if card.id not in changes else ():
            target = ability.target or ""
            if target in places:
                message = f"`{card.name}` needs the card, change or remove it as well"
                reading.wrong(places.pop(target), message)
            elif target in freed and ability.code in aimed:
                message = f"`{card.name}` brings the card, it cannot be in a deck"
                reading.wrong(freed.pop(target), message)
    for leader in leaders.values():
        for target in (leader.target or "", *leader.cards):
            if target in places:
                message = f"`{leader.full_name}` needs the card"
                reading.wrong(places.pop(target), message)


def _aiming(game: Game) -> set[str]:
    """The abilities that always name a card."""
    return {
        parameter.ability for parameter in game.parameters if "target" in parameter.must
    }
