"""Who begins a round at a table, where a lot decides (gwent 4.7.5)."""

from __future__ import annotations

from deckcheck.engine.gwent.rounds import best_scorer
from deckcheck.engine.gwent.state import (
    MANY_CONTEXT,
    MANY_STATE,
    new_context,
    new_states,
)
from deckcheck.engine.jit import Context, Player, State, entry
from deckcheck.engine.primitives import seed_generator


@entry
def next_starter(s: State, x: Context) -> Player:
    """Whom the rules let begin."""
    return best_scorer(s, x)


def test_a_lot_chooses_any_of_the_best_scorers_and_nobody_else() -> None:
    s, x = new_states(1, MANY_STATE)[0], new_context(MANY_CONTEXT)[0]
    x.n_players = x.n_sides = 4
    x.tied_starter_by_lot = 1
    s.gained[:4] = [0, 2, 1, 2]
    begins = []
    for number in range(40):
        seed_generator(s.rng, 5, 0, number)
        begins.append(int(next_starter(s, x)))

    assert set(begins) == {1, 3}
    assert 8 < begins.count(1) < 32
