"""Cards and leaders in words, as lists and descriptions show them."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import Card, CardAbility, LeaderRecord, Text


def card_row(database: CardDatabase, card: Card) -> tuple[str, ...]:
    """Return a card in words, a cell for each column of a list of cards."""
    return (
        card.name,
        _faction_name(database, card),
        card.kind,
        " or ".join(card.rows),
        _describe_strength(card),
        ", ".join(ability.code for ability in card.abilities),
        _describe_copies(database, card),
    )


def _describe_copies(
    database: CardDatabase, card: Card, side_deck: str = "side deck"
) -> str:
    """Return how many copies a deck can hold, or an empty string without a limit.

    `side_deck` is the text for a card that no deck can hold.
    """
    if database.description is not None:
        return ""
    if not card.deckable:
        return side_deck
    return str(card.copies)


def _describe_strength(card: Card) -> str:
    if card.strength is None:
        return ""
    return str(card.strength)


def _faction_name(database: CardDatabase, card: Card) -> str:
    if not card.faction:
        return ""
    return database.factions[card.faction].name


def ability_texts(
    database: CardDatabase, records: Sequence[Card | LeaderRecord]
) -> list[Text]:
    """Return the texts of abilities of cards and leaders, in the order of the game."""
    codes: set[str] = set()
    for record in records:
        if isinstance(record, Card):
            codes.update(ability.code for ability in record.abilities)
        else:
            codes.add(record.ability)
    return [text for text in database.game.texts if text.ability in codes]


def describe_card(database: CardDatabase, card: Card) -> list[tuple[str, str]]:
    """Return everything known of a card, as pairs of a label and a text or ""."""
    abilities = [_describe_ability(database, ability) for ability in card.abilities]
    return [
        ("id", card.id),
        ("faction", _faction_name(database, card)),
        ("kind", card.kind),
        ("row", " or ".join(card.rows)),
        ("strength", _describe_strength(card)),
        ("abilities", ", ".join(abilities)),
        ("copies", _describe_copies(database, card, "side deck only")),
        ("aliases", ", ".join(card.aliases)),
        ("source", card.provenance),
    ]


def _describe_ability(database: CardDatabase, ability: CardAbility) -> str:
    """Return an ability with its target, group or row, such as `scorch (close row)`."""
    if ability.target:
        return f"{ability.code} ({database.cards[ability.target].name})"
    if ability.group:
        return f"{ability.code} (gathers `{ability.group}`)"
    if ability.row:
        return f"{ability.code} ({ability.row} row)"
    return ability.code


def describe_leader(
    database: CardDatabase, leader: LeaderRecord
) -> list[tuple[str, str]]:
    """Return everything known of a leader, as pairs of a label and a text."""
    return [
        ("id", leader.id),
        ("faction", database.factions[leader.faction].name),
        ("ability", leader.ability + (" (passive)" if leader.passive else "")),
        ("aliases", ", ".join(leader.aliases)),
        ("source", leader.provenance),
    ]
