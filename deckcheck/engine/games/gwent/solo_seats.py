"""The seats of solo: the user's deck made from a faction, and the automa's (6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.cardtable import (
    check_vocabulary,
    fill_cards,
    fill_flags,
    fill_options,
    fill_seat,
)
from deckcheck.engine.games.gwent.codes import FactionAbility, Leader
from deckcheck.engine.games.gwent.solo_options import SOLO_FLAGS
from deckcheck.engine.games.gwent.solo_state import AUTOMA, SOLO_CONTEXT
from deckcheck.formats import Format

__all__ = ["automa_seat", "fill_solo_context", "player_seat"]

WEATHER_OF_THE_USER = "weather_clear"


def faction_cards(database: CardDatabase, faction: str) -> dict[str, int]:
    """All cards of a faction set of the box but its side deck, with their copies.

    A set holds the faction's own cards and its neutral ones (6.1.2, 1.1.1).
    """
    owners = (faction, database.game.neutral)
    return {
        card.id: card.copies
        for card in database.cards.values()
        if card.deckable and card.faction in owners
    }


def automa_seat(database: CardDatabase, faction: str, fmt: Format) -> dict[str, Any]:
    """The seat of an automa of `faction`, to be the second one of `fill_context`.

    Returns `{"automa": True, "faction": faction, "leader": None, "cards": {card id:
    copies}, "policy": 0}`: the whole faction set, side deck apart. Its leaders are
    added by `fill_context` where the format has them.
    """
    return {
        "automa": True,
        "faction": faction,
        "leader": None,
        "cards": faction_cards(database, faction),
        "policy": 0,
    }


def player_seat(
    database: CardDatabase, faction: str, leader: str | None, policy: int = 0
) -> dict[str, Any]:
    """The seat of a user of `faction` with its whole set less the weather (6.1.3).

    Returns `{"faction", "leader", "cards": {card id: copies}, "policy"}`; of the
    weather only Clear Weather stays. It is the deck of `gwent/solo`.
    """
    cards = {
        id: copies
        for id, copies in faction_cards(database, faction).items()
        if database.cards[id].kind != "weather"
        or database.cards[id].has(WEATHER_OF_THE_USER)
    }
    return {"faction": faction, "leader": leader, "cards": cards, "policy": policy}


def fill_solo_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Mapping[str, Any]]
) -> np.recarray:
    """The context of a solo game: seat 0 is the user, seat 1 `automa_seat`."""
    check_vocabulary(database)
    context = np.zeros(1, SOLO_CONTEXT).view(np.recarray)
    x = context[0]
    x.n_players = x.n_sides = len(seats)
    fill_cards(x, database)
    fill_options(x, fmt)
    fill_flags(x, fmt, SOLO_FLAGS)
    for player, seat in enumerate(seats):
        fill_seat(x, database, player, dict(seat))
    fill_leader_pile(x, database, seats[AUTOMA]["faction"])
    kept = (FactionAbility.NONE, FactionAbility.DRAW_AFTER_WIN)
    if x.automa_without_faction and x.faction_ability[AUTOMA] not in kept:
        x.faction_ability[AUTOMA] = FactionAbility.NONE
    return context


def fill_leader_pile(x: Any, database: CardDatabase, faction: str | None) -> None:
    """All leaders of the automa's faction, where the format has the variant (6.4.1)."""
    if not x.automa_leaders:
        return
    abilities = [
        Leader[leader.ability.upper()]
        for leader in database.leaders.values()
        if leader.faction == faction
    ]
    x.n_leaders = len(abilities)
    x.leaders[: len(abilities)] = abilities
