"""The games that an answer advises: in the unit of the option that it names."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from helpers.results import SHIPS, SIEGE, SWARM

import deckcheck
from deckcheck.studies.registry import write_report

BOTS: dict[str, Any] = {"policies": "random", "cross_check": "none"}


def compare_decks(games: int) -> Any:
    return deckcheck.compare(SIEGE, SHIPS, against=[SWARM], games=games, **BOTS)


def simulate_match(games: int) -> Any:
    return deckcheck.simulate(SIEGE, SHIPS, games=games, **BOTS)


def redraw_cards(games: int) -> Any:
    return deckcheck.redraws(SIEGE, against=[SWARM], games=games, seed=3, **BOTS)


def width_of_claim(result: Any) -> float:
    """Return the width of the interval that the answer is about."""
    low, high = result.claims[0].figure.interval
    return high - low


@pytest.mark.parametrize(
    ("play", "games"), [(compare_decks, 20), (simulate_match, 20), (redraw_cards, 20)]
)
def test_as_many_games_as_advised_narrow_the_interval_as_promised(
    play: Callable[[int], Any], games: int
) -> None:
    few = play(games)
    text = " ".join(write_report(few, "line").split())
    advice = re.search(r"try `--games (\d+)`|try `games=(\d+)`", text)
    assert advice, text
    advised = int(advice[1] or advice[2])
    ratio = width_of_claim(few) / width_of_claim(play(advised))
    assert ratio == pytest.approx((advised / games) ** 0.5, rel=0.35)
