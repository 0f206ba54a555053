"""The workspace of `learned`: the view from its seat, and sums of it."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.players.seeing import features, tables
from deckcheck.engine.games.gwent.players.seeing.others import OPPONENTS, PARTNER
from deckcheck.engine.games.gwent.players.seeing.roles import ZONE
from deckcheck.engine.games.gwent.state import CARDS, DECK, HAND, INT, MOST_PLAYERS
from deckcheck.engine.seeing.heaps import CARDS_READ
from deckcheck.engine.seeing.host.fields import hand_fields


def seeing(players: int, sets: int, features: int) -> tuple[tuple[Any, ...], ...]:
    """The fields for a board with room for a number of players, each on a side."""
    return (
        ("rival", INT, (players,)),  # whom each player is compared with
        # rows, by side
        ("units", INT, (players, 3)),  # that are no heroes, as in all that follows
        ("printed", INT, (players, 3)),  # strength
        ("now", INT, (players, 3)),
        ("fade", INT, (players, 3)),  # what weather would take or has taken
        ("morale", INT, (players, 3)),
        ("horned", INT, (players, 3)),
        ("best", INT, (players, 3)),
        ("burnt", INT, (players, 3)),  # what the loss of the best would take
        ("weathered", INT, (3,)),
        # sides
        ("scorched", INT, (players,)),  # what Scorch would take
        ("spies", INT, (players,)),
        ("spy_cost", INT, (players,)),
        ("medics", INT, (players,)),
        ("pending", INT, (players,)),  # strength that is summoned by leaving
        ("strongest", INT),
        # piles, by who may use them
        ("dead", INT, (players,)),
        ("dead_strength", INT, (players,)),
        ("dead_spies", INT, (players,)),
        ("revival", INT, (players,)),
        ("second_revival", INT, (players,)),
        # hands and decks
        ("called", INT, (players, CARDS)),  # strength by family in hand and deck
        ("n_called", INT, (players,)),  # cards of these families
        ("families", INT, (players, HAND + DECK)),  # of each of them
        ("mustered", INT),  # strength that the hand calls
        *hand_fields(ZONE, features, sets),
    )


SEEING = seeing(2, CARDS_READ, features.FEATURES)
MANY_SEEING = (
    ("lined", INT, (OPPONENTS,)),  # the opponents, the strongest first
    *seeing(MOST_PLAYERS, PARTNER + 1, tables.FEATURES),
)
