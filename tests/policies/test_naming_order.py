"""In which order decks are named decides nothing: no choice falls to the first one."""

from __future__ import annotations

from math import sqrt

import pytest

import deckcheck

STANDARD = "decks/gwent/standard"
SCOIATAEL = ("st_beautiful_archers", "st_smugglers_and_healers")
OTHERS = ("mo_swarm", "nr_siege_masters")
GAMES = 4_000
DEVIATIONS = 4
"""A difference that chance makes once in 16,000 comparisons."""


def win_rate(*names: str) -> float:
    """The win rate of the deck that is named first."""
    files = [f"{STANDARD}/{name}.deck" for name in names]
    return deckcheck.simulate(*files, games=GAMES).matchups[0].win_rate_a


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("chooser", SCOIATAEL)
def test_who_chooses_the_starter_may_be_named_first_or_second(chooser, other) -> None:
    first, second = win_rate(chooser, other), 1 - win_rate(other, chooser)

    error = sqrt(2 * 0.25 / GAMES)
    assert abs(first - second) < DEVIATIONS * error


@pytest.mark.slow
def test_the_seats_of_a_table_may_be_named_in_any_order() -> None:
    names = ("st_beautiful_archers", "mo_swarm", "nr_siege_masters")

    compare_shares("gwent/free_for_all", [f"{STANDARD}/{n}.deck" for n in names])


@pytest.mark.slow
def test_teams_may_be_named_in_any_order() -> None:
    names = ("coast_and_forest", "empire_and_isles")

    compare_shares(
        "gwent/two_vs_two", [f"decks/gwent/two_vs_two/{n}.deck" for n in names]
    )


def compare_shares(format, entrants) -> None:
    """Win shares in one order and in the other: no further apart than chance makes."""
    here = win_shares(format, entrants)
    there = win_shares(format, entrants[::-1])
    for (share, error), (other, other_error) in zip(here, there[::-1], strict=True):
        assert abs(share - other) < DEVIATIONS * sqrt(error**2 + other_error**2)


def win_shares(format, entrants) -> list[tuple[float, float]]:
    """The win share of each, with its standard error."""
    result = deckcheck.simulate(*entrants, format=format, games=GAMES)
    shares = [each.win_share for each in result.tables[0].performances]
    return [
        (share.value, (share.interval[1] - share.interval[0]) / 2 / 1.96)
        for share in shares
    ]
