"""The games that an answer advises: in the unit of the option that it names."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from helpers.results import SHIPS, SIEGE, SWARM

import deckcheck
from deckcheck.studies.registry import write_report

BOTS: dict[str, Any] = {"policies": "random", "confirm": "none"}


def compare_decks(games: int) -> Any:
    return deckcheck.compare(SIEGE, SHIPS, against=[SWARM], games=games, **BOTS)


def simulate_match(games: int) -> Any:
    return deckcheck.simulate(SIEGE, SHIPS, games=games, **BOTS)


def width_of_claim(result: Any) -> float:
    """Return the width of the interval that the answer is about."""
    low, high = result.claims[0].figure.interval
    return high - low


@pytest.mark.parametrize("play", [compare_decks, simulate_match])
def test_as_many_games_as_advised_narrow_the_interval_as_promised(
    play: Callable[[int], Any],
) -> None:
    few = play(20)
    text = " ".join(write_report(few, "line").split())
    advised = re.search(r"try `--games (\d+)`|try `games=(\d+)`", text)
    assert advised, text
    games = int(advised[1] or advised[2])
    many = play(games)
    ratio = width_of_claim(few) / width_of_claim(many)
    assert ratio == pytest.approx((games / 20) ** 0.5, rel=0.35)
