"""The data of a context: card table, options of play, and seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent.codes import Kind, Leader, RowName
from deckcheck.engine.games.gwent.host.coin import faction_ability
from deckcheck.engine.games.gwent.host.roles import lane_of, role_of, worth_of
from deckcheck.engine.games.gwent.host.vocabulary import ability_bits, check_vocabulary
from deckcheck.engine.games.gwent.state import CARDS, DECK, SIDE_DECK, new_context
from deckcheck.engine.host.seat import Seat
from deckcheck.engine.types import Context


def card_numbers(database: CardDatabase) -> dict[str, int]:
    """The number of each card in the engine: its place in the database, from 1."""
    return {card: index for index, card in enumerate(database.cards, 1)}


def colour_numbers(database: CardDatabase) -> dict[str, int]:
    """The numbers of the colours that cards may have, by faction; neutral is none."""
    factions = [id for id in database.factions if id != database.game.neutral]
    return {faction: index for index, faction in enumerate(factions, 1)}


def blank_context(database: CardDatabase, dtype: np.dtype[np.void]) -> np.recarray:
    """A context with the card table and nothing else.

    Raises:
        EngineError: the engine does not play these cards, see `check_vocabulary`.
    """
    return _filled_context(database, dtype).copy()


@lru_cache(maxsize=8)
def _filled_context(database: CardDatabase, dtype: np.dtype[np.void]) -> np.recarray:
    """The same, made once: every pairing of a round robin needs one."""
    check_vocabulary(database)
    context = new_context(dtype)
    fill_cards(context[0], database)
    return context


def fill_cards(x: Context, database: CardDatabase) -> None:
    """Fill the card table."""
    number = card_numbers(database)
    colours = colour_numbers(database)
    families: dict[str, int] = {}
    x.side_index[:] = -1
    side_cards = [card for card in database.cards.values() if not card.deckable]
    if len(side_cards) > SIDE_DECK:
        raise EngineError(f"the Gwent engine plays at most {SIDE_DECK} side-deck cards")
    for index, card in enumerate(side_cards):
        x.side_index[number[card.id]] = index
        x.side_card[:, index] = number[card.id]
    x.plain[:] = range(CARDS)
    # A field of a record is looked up slowly, an element of an array is not.
    strength, kind, rows, ability, family = (
        x[name] for name in ("strength", "kind", "rows", "ability", "family")
    )
    for card in database.cards.values():
        i = number[card.id]
        strength[i] = card.strength or 0
        kind[i] = Kind[card.kind.upper()]
        rows[i] = sum(1 << RowName[row.upper()] for row in card.rows)
        ability[i] = ability_bits([ability.code for ability in card.abilities])
        x.colour[i] = colours.get(card.faction or "", 0)
        family[i] = i
        for ability_of_card in card.abilities:
            if ability_of_card.code == "muster" and ability_of_card.group:
                family[i] = families.setdefault(ability_of_card.group, i)
    for card in database.cards.values():
        fill_targets(x, card, number)
        fill_reading(x, card, number[card.id])
    x.answers[:] = np.isin(x.family, x.calls[x.calls > 0])


def fill_reading(x: Context, card: Card, i: int) -> None:
    """What players look at in a card."""
    x.role[i] = role_of(card)
    x.lane[i] = lane_of(card)
    x.worth[i] = worth_of(card, x.strength[x.summoned[i]])


def fill_targets(x: Context, card: Card, number: dict[str, int]) -> None:
    """Whom the abilities of a card reach for (muster 1.6.4, 1.6.10, 1.6.11)."""
    i = number[card.id]
    for ability in card.abilities:
        target = number[ability.target] if ability.target else i
        if ability.code == "muster":
            x.calls[i] = x.family[target]
        elif ability.code == "berserker":
            x.becomes[i] = target
        elif ability.code == "summon_avenger":
            x.summoned[i] = target


def fill_seat(x: Context, database: CardDatabase, player: int, seat: Seat) -> None:
    """Give a seat its deck, leader, faction and side deck."""
    number = card_numbers(database)
    x.side[player] = player % x.n_sides
    faction = database.factions.get(seat.faction or "")
    x.own_colour[player] = colour_numbers(database).get(seat.faction or "", 0)
    x.faction_ability[player] = faction_ability(faction.ability if faction else None)
    leader = database.leaders.get(seat.leader or "")
    x.leader[player] = Leader[leader.ability.upper()] if leader else Leader.NONE
    x.passive[player] = int(leader.passive) if leader else 0
    x.policy[player] = seat.policy
    x.budget[player] = seat.budget
    fill_deck(x, number, player, seat)
    for card in database.cards.values():
        own = faction is not None and card.faction == faction.id
        if not card.deckable and (own or card.faction == database.game.neutral):
            x.side_deck[player, x.side_index[number[card.id]]] = card.copies


def fill_deck(x: Context, number: Mapping[str, int], player: int, seat: Seat) -> None:
    """Give a seat the cards of its deck."""
    if seat.cards is None:
        raise EngineError(
            "The Gwent engine deals no random decks",
            "Name decks to play with; `deckcheck generate` writes random ones",
        )
    # Sorted by card number, so that the way a list is written changes no game.
    cards = sorted(
        number[card] for card, count in seat.cards.items() for _ in range(count)
    )
    # An automa has a whole faction set, and hardly any other card can join it.
    largest = DECK * 7 // 8 if seat.is_automa else DECK * 3 // 4
    if len(cards) > largest:
        raise EngineError(
            f"a deck of {len(cards)} cards is too large for the engine, "
            f"which plays up to {largest}"
        )
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = cards
    x.musters[player] = x.answers[cards].any()
