"""What random play of Deckmaster comes to, and how the players rank."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from deciding import BASIC
from deckmaster_boards import opened, seated

from deckcheck.engine.contract import points
from deckcheck.engine.jit import entry
from deckcheck.playing.kernel import play_game, start_game

GAMES = 200_000
FIGURES = ("first wins", "second wins", "draw", "points of the first")
FIGURES += ("points of the second", "fusions", "burn-outs", "poison deaths")

# Random placement of random decks, 200,000 games a line of a simulation of its own.
REFERENCE = {
    "as proposed": ({}, (0.426, 0.484, 0.091, 7.30, 7.62, 3.93, 0.48, 3.13)),
    "a coin for each arrow": (
        {"arrow_model": "by_value"},
        (0.421, 0.481, 0.098, 7.32, 7.63, 3.77, 0.47, 3.15),
    ),
    "power at the start": (
        {"attack_power": "start"},
        (0.425, 0.483, 0.092, 7.36, 7.68, 3.87, 0.48, 3.11),
    ),
    "a burn-out scores": (
        {"score_burnout": True},
        (0.425, 0.484, 0.091, 7.54, 7.87, 3.93, 0.48, 3.13),
    ),
}
SEED = 1
# Spread of one game: what the printed figures may be off by, beside their rounding.
SPREAD = (0.5, 0.5, 0.29, 2.5, 2.5, 3.7, 0.7, 1.8)


@entry
def play_many(s: Any, x: Any, p: Any, games: Any, sums: Any) -> Any:
    """Play games of different shuffles and add up what REFERENCE lists."""
    for number in range(games):
        start_game(s, x, SEED, 0, number, 0)
        play_game(s, x, p, sums[:0])  # no room to note moves
        first, second = points(s, x, 0), points(s, x, 1)
        sums[0] += int(first > second)
        sums[1] += int(first < second)
        sums[2] += int(first == second)
        sums[3] += first
        sums[4] += second
        sums[5] += s.fusions
        sums[6] += s.burnouts
        sums[7] += s.poison_deaths


def figures(games: int, *policies: str, **options: Any) -> Any:
    states, x = opened(seated(None, policies or ("random", "random"), **options), 1)
    sums = np.zeros(len(FIGURES), np.int64)
    play_many(states[0], x, BASIC, games, sums)
    return sums / games


@pytest.mark.slow
@pytest.mark.parametrize("variant", REFERENCE)
def test_random_play_comes_to_the_reference_figures(variant: str) -> None:
    options, expected = REFERENCE[variant]
    found = figures(GAMES, **options)
    for name, wanted, came, spread in zip(
        FIGURES, expected, found, SPREAD, strict=True
    ):
        # Two samples differ by the square root of two standard errors of one.
        rounding = 0.0005 if wanted < 1 and name != "burn-outs" else 0.005
        allowed = 4 * sqrt(2) * spread / sqrt(GAMES) + rounding

        assert came == pytest.approx(wanted, abs=allowed), name


@pytest.mark.slow
def test_the_heuristic_beats_random_play_85_to_15() -> None:
    first = figures(5000, "heuristic", "random")
    second = figures(5000, "random", "heuristic")

    assert first[0] + first[2] / 2 > 0.85
    assert second[1] + second[2] / 2 > 0.85
