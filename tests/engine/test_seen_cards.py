"""What a seat has seen stays in the other's hand in every world that is dealt."""

from __future__ import annotations

import pytest

from deckcheck.engine.contract import apply_move, determinize, legal_moves, set_up
from deckcheck.engine.gwent.codes import CHOOSE, PLAY, USE_LEADER, LeaderState, Phase
from deckcheck.engine.gwent.state import new_states
from deckcheck.engine.primitives import seed_generator
from deckcheck.playing.kernel import start_game

VIEWER, OTHER = 0, 1
CLOSE = 0
WORLDS = 20


def begin(tables, leader=None):
    """A game in which it is the turn of `OTHER`, and the number of a card by its id."""
    table = tables.seat(0, 1, leaders=(leader, None))
    states, (x,) = new_states(2), tables.open(table)[1]
    start_game(states[0], x, 1, 0, 0, 0)
    set_up(states[0], x)
    states[0].phase, states[0].turn = Phase.PLAY, OTHER
    numbers = {card: i for i, card in enumerate(tables.database.cards, 1)}
    return states, x, numbers


def worlds(states, x):
    """The other's hand in some worlds that may be, as the viewer sees it."""
    hands = []
    for world in range(WORLDS):
        states[1] = states[0]
        seed_generator(x.rng, 1, world, 0)
        determinize(states[1], x, VIEWER)
        hands.append(states[1].hand[OTHER, : states[1].n_hand[OTHER]].tolist())
    return hands


def test_a_unit_that_a_decoy_took_back_is_in_the_hand_for_sure(tables):
    states, x, numbers = begin(tables)
    s, dragon, decoy = states[0], numbers["villentretenmerth"], numbers["decoy"]
    s.hand[OTHER, : s.n_hand[OTHER]] = sorted(
        [decoy, *s.hand[OTHER, 1 : s.n_hand[OTHER]].tolist()]
    )
    s.row[OTHER, CLOSE, 0], s.n_row[OTHER, CLOSE] = dragon, 1
    apply_move(s, x, PLAY | decoy)
    apply_move(s, x, CHOOSE | dragon)
    hands = worlds(states, x)

    assert all(dragon in hand for hand in hands)
    assert len({tuple(hand) for hand in hands}) > WORLDS / 2


def test_what_the_emperor_saw_stays_until_it_is_played(tables):
    states, x, _ = begin(tables, "emhyr_emperor_of_nilfgaard")
    s = states[0]
    s.turn, s.leader_state[VIEWER] = VIEWER, LeaderState.READY
    legal_moves(s, x)
    apply_move(s, x, USE_LEADER)
    marks = s.seen[OTHER, : s.n_hand[OTHER]].astype(bool)
    known = s.hand[OTHER, : s.n_hand[OTHER]][marks].tolist()

    assert len(known) == 3
    for hand in worlds(states, x):
        assert all(hand.count(card) >= known.count(card) for card in known)


@pytest.mark.parametrize("viewer", [VIEWER, OTHER])
def test_nobody_loses_or_gains_a_card_in_a_world(tables, viewer):
    states, x, _ = begin(tables)
    s = states[0]
    owned = [
        sorted([*s.hand[p, : s.n_hand[p]].tolist(), *s.deck[p, : s.n_deck[p]].tolist()])
        for p in range(2)
    ]
    determinize(s, x, viewer)
    dealt = [
        sorted([*s.hand[p, : s.n_hand[p]].tolist(), *s.deck[p, : s.n_deck[p]].tolist()])
        for p in range(2)
    ]

    assert dealt == owned
