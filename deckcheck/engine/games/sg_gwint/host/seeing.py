"""The workspace of `learned` in a duel: the view from its seat, and sums of it."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.players.seeing.features import FEATURES
from deckcheck.engine.games.sg_gwint.players.seeing.roles import ZONE
from deckcheck.engine.games.sg_gwint.state import HALF, INT, ROWS
from deckcheck.engine.seeing.host.fields import hand_fields

SEEING = (
    # rows, by side: their units without a shield
    ("units", INT, (2, ROWS)),
    ("printed", INT, (2, ROWS)),  # strength
    ("now", INT, (2, ROWS)),
    ("fade", INT, (2, ROWS)),  # what weather would take or has taken
    ("lift", INT, (2, ROWS)),  # what a lager would bring
    ("boost", INT, (2, ROWS)),
    ("lagered", INT, (2, ROWS)),
    ("weathered", INT, (2, ROWS)),
    ("turned", INT, (2, ROWS)),  # whether a Mardroeme works there
    ("best", INT, (2, ROWS)),
    ("burnt", INT, (2, ROWS)),  # what the loss of the best would take
    # sides
    ("scorched", INT, (2,)),  # what Scorch would take
    ("strongest", INT, (2,)),
    ("saved", INT, (2,)),  # what a unit is worth in hand, more than where it lies
    ("pending", INT, (2,)),  # strength that guardians bring
    ("staying", INT, (2,)),  # strength that stays for the next round
    ("turning", INT, (2,)),  # strength that Mardroeme would bring
    # graveyards: units that may return
    ("dead", INT, (2,)),
    ("dead_strength", INT, (2,)),
    ("revival", INT, (2,)),
    ("second_revival", INT, (2,)),
    # hands and decks
    ("called", INT, (2, HALF)),  # strength by family that a muster may find
    ("fetched", INT, (2,)),  # what the leader may take out of the deck
    *hand_fields(ZONE, FEATURES),
)
