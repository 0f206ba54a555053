"""The workspace of `learned` in a duel: the view from its seat, and sums of it."""

from __future__ import annotations

from deckcheck.engine.games.gwent.players.seeing.features import FEATURES
from deckcheck.engine.games.gwent.players.seeing.roles import ZONE
from deckcheck.engine.games.gwent.state import CARDS, DECK, HAND, INT

HEAPS = 4

SEEING = (
    # rows, by side
    ("units", INT, (2, 3)),  # that are no heroes, as in all that follows
    ("printed", INT, (2, 3)),  # strength
    ("now", INT, (2, 3)),
    ("fade", INT, (2, 3)),  # what weather would take or has taken
    ("morale", INT, (2, 3)),
    ("horned", INT, (2, 3)),
    ("best", INT, (2, 3)),
    ("burnt", INT, (2, 3)),  # what the loss of the best would take
    ("weathered", INT, (3,)),
    # sides
    ("scorched", INT, (2,)),  # what Scorch would take
    ("spies", INT, (2,)),
    ("spy_cost", INT, (2,)),
    ("medics", INT, (2,)),
    ("pending", INT, (2,)),  # strength that is summoned by leaving
    ("strongest", INT),
    # piles
    ("dead", INT, (2,)),
    ("dead_strength", INT, (2,)),
    ("dead_spies", INT, (2,)),
    ("revival", INT, (2,)),
    ("second_revival", INT, (2,)),
    # hands and decks
    ("called", INT, (2, CARDS)),  # strength by family in hand and deck
    ("n_called", INT, (2,)),  # cards of these families
    ("families", INT, (2, HAND + DECK)),  # of each of them
    ("heap", INT, (HEAPS, ZONE)),
    ("gains", INT, (5, 7)),
    ("exposed", INT),  # own cards that the enemy knows
    ("doubled", INT),  # own cards that another one of the hand would muster
    ("bonded", INT),  # strength that copies in hand give each other
    ("mustered", INT),  # strength that the hand calls
    ("known_worth", INT),
    ("expected_worth", INT),
    ("known", INT),  # cards of the enemy's hand that the player knows
    ("unknown", INT),
    ("unseen", INT),  # unknown cards, and those of the deck
    ("expected", INT),
    ("expected_big", INT),
    ("features", INT, (FEATURES,)),
)
