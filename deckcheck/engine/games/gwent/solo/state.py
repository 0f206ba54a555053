"""The records of solo: those of two players, and what the automa needs (rules 6).

Player and side 0 are the user, player and side 1 the automa.
"""

from __future__ import annotations

import numpy as np

from deckcheck.engine.games.gwent.state import (
    INT,
    PILE,
    context_dtype,
    state_dtype,
)

USER = 0
AUTOMA = 1

LEADERS = 12  # leaders of one faction
HIDDEN = 24  # cards under Decoys
DEPTH = 16  # choices of the automa in one play
OPTIONS = PILE + 32  # what it can choose from at once
DEEDS = 64  # deeds of the automa within one move of the user
TIES = 32  # equally good plans that chance chooses from


def extended(base: np.dtype[np.void], *fields: tuple[object, ...]) -> np.dtype[np.void]:
    """A record with more fields at its start.

    At its end they would make it a subtype of `base` to numba, which then calls what
    it has compiled for `base` instead of compiling anew.
    """
    return np.dtype([*fields, *base.descr])


SOLO_STATE = extended(
    state_dtype(2, 2),
    ("trying", INT),  # 1 in a copy in which the automa tries a plan
    ("in_turn", INT),  # 1 during a turn of the automa
    ("by_leader", INT),  # 1 while the user's turn is the use of the leader
    ("second_card", INT),  # 1 if Northern Realms deploys two cards next (6.6.1)
    ("more_turns", INT),  # turns that drawn weather has given (6.2.9)
    ("n_hidden", INT),
    ("hidden", INT, (HIDDEN, 2)),  # card, Decoy above it
    ("n_leaders", INT),
    ("leaders", INT, (LEADERS,)),  # the automa's pile, the top one last
    ("automa_half_weather", INT),  # passive leaders that were turned up
    ("automa_double_spies", INT),
    ("agile_bonus", INT, (2,)),
)

SOLO_CONTEXT = extended(
    context_dtype(2),
    ("n_leaders", INT),
    ("leaders", INT, (LEADERS,)),
    # options of the format; a flag is 1 for the value that is not the default
    ("automa_leaders", INT),
    ("automa_aims_at_own_total", INT),
    ("automa_ties_random", INT),
    ("clear_weather_ends_turn", INT),
    ("drawn_weather_ends_turn", INT),
    ("automa_reshuffles", INT),
    ("leader_unanswered", INT),
    ("leader_shuffled_back", INT),
    ("automa_moves_heroes", INT),
    ("hidden_after_leader", INT),
    ("automa_without_faction", INT),
    ("automa_passives_stay", INT),
    ("relentless_takes_heroes", INT),
    # the automa's search for the best way to play a card
    ("trial", SOLO_STATE, (1,)),
    ("n_plan", INT),
    ("plan", INT, (DEPTH,)),  # which option each choice takes
    ("n_options", INT, (DEPTH,)),
    ("depth", INT),  # choices made so far
    ("rank", INT),  # of equally good plans the lowest rank is chosen
    ("option", INT, (OPTIONS,)),  # rank << 16 | row << 12 | card
    ("tie", INT, (TIES, DEPTH)),
    ("tie_length", INT, (TIES,)),
    ("tie_option", INT, (TIES, DEPTH)),  # what the choices of a plan chose
    ("tie_counts", INT, (TIES,)),  # 1 while a script has not ruled it out
    ("chosen", INT, (DEPTH,)),
    # what the automa has done, until somebody asks
    ("n_deeds", INT),
    ("deeds", INT, (DEEDS, 4)),  # deed, card or leader, row, side
)
