"""What is measured of players, against known truth."""

import numpy as np
import pytest

from tools.players.curve import Floats, MatchupTable, distance, played
from tools.players.meeting import sample_decks


def table(
    player: str, rates: Floats, games: int, chance: np.random.Generator
) -> MatchupTable:
    """A random table with this number of games in each matchup."""
    seen = chance.binomial(games, rates) / games
    return MatchupTable(player, seen, seen * (1 - seen) / (games - 1), 1.0)


@pytest.mark.parametrize("apart", [0.0, 0.03, 0.08])
def test_the_distance_is_that_of_the_true_rates(apart: float) -> None:
    chance = np.random.default_rng(7)
    held = within = 0
    for _ in range(200):
        true = chance.uniform(0.2, 0.8, 105)
        other = true + apart * chance.choice([-1.0, 1.0], 105)
        own, reference = table("a", true, 200, chance), table("b", other, 80, chance)
        value, (low, high) = distance(own, reference)
        held += low - 1e-9 <= apart <= high
        within += abs(value - apart) < 0.025
    assert held >= 184
    assert within >= 180


@pytest.mark.compiled
def test_a_player_is_no_distance_from_itself_and_far_from_a_random_one() -> None:
    decks = sample_decks()[:6]
    own = played(decks, "heuristic", 400, 1)
    again = played(decks, "heuristic", 400, 2)
    assert len(own.rates) == 15
    assert distance(own, again)[1].low == 0.0
    other = played(decks, "random", 400, 2)
    assert distance(own, other)[1].low > 0.05
