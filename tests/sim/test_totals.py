"""From tallies to matchups and standings."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.engine.tally import Field, new_tally
from deckcheck.sim.totals import checksum_of, matchup_of, win_rate_of
from deckcheck.stats import mean_score_interval


def tally_of(**figures: list[int]) -> np.ndarray:
    tally = new_tally()
    for name, values in figures.items():
        first = Field[name.upper()]
        tally[first : first + len(values)] = values
    return tally


@pytest.fixture
def plain() -> np.ndarray:
    """100 pairs: each deck began each pair once."""
    return tally_of(
        games=[100, 100],
        wins_a=[70, 40],
        wins_b=[20, 55],
        draws=[10, 5],
        pair_score=[10, 5, 55, 5, 25],
        rounds=[500],
        cards_left_a=[200],
        cards_left_b=[100],
        turns=[4000],
        pairs_apart=[100],
    )


def test_a_win_rate_comes_from_pairs(plain: np.ndarray) -> None:
    rate = win_rate_of(plain)

    assert rate.value == pytest.approx((5 + 110 + 15 + 100) / 400)
    assert rate.interval == mean_score_interval([10, 5, 55, 5, 25])
    assert rate.games == 200


def test_a_matchup_has_counts_and_means(plain: np.ndarray) -> None:
    matchup = matchup_of("Siege masters", "The swarm", plain)

    assert (matchup.wins_a, matchup.wins_b, matchup.draws) == (110, 75, 15)
    assert (matchup.rounds_mean, matchup.turns_mean) == (2.5, 20)
    assert (matchup.cards_left_a_mean, matchup.cards_left_b_mean) == (1, 0.5)


def test_splits_have_intervals_of_independent_games(plain: np.ndarray) -> None:
    matchup = matchup_of("Siege masters", "The swarm", plain)

    assert matchup.a_starts.win_rate_a == pytest.approx(0.75)
    assert matchup.a_starts.interval == mean_score_interval([20, 10, 70])
    assert matchup.b_starts.interval == mean_score_interval([55, 5, 40])


def test_the_other_deck_sees_the_same_from_its_side(plain: np.ndarray) -> None:
    matchup = matchup_of("Siege masters", "The swarm", plain)
    rate = matchup.win_rate("The swarm")

    assert rate.value == pytest.approx(1 - matchup.win_rate_a)
    assert rate.interval.low == pytest.approx(1 - matchup.interval.high)
    assert matchup.points("The swarm") == (75, 110, 15)


def test_a_deck_that_always_begins_has_no_other_split() -> None:
    """Scoia'tael may begin both games of each pair; these are no longer independent."""
    tally = tally_of(
        games=[40, 0], wins_a=[24, 0], wins_b=[16, 0], pair_score=[8, 0, 0, 0, 12]
    )
    matchup = matchup_of("Smugglers", "The swarm", tally)

    assert matchup.b_starts.win_rate_a is None
    assert matchup.b_starts.interval is None
    assert matchup.a_starts.interval == matchup.interval


def test_games_that_began_alike_count_once() -> None:
    """Ten pairs apart, ten begun twice by a: 30 games worth 900 / 50 = 18."""
    tally = tally_of(
        games=[30, 10],
        wins_a=[15, 5],
        wins_b=[15, 5],
        pair_score=[5, 0, 10, 0, 5],
        pairs_apart=[10],
    )
    interval = matchup_of("Smugglers", "The swarm", tally).a_starts.interval

    assert interval == pytest.approx(mean_score_interval([9, 0, 9]))


def test_the_checksum_is_the_same_in_any_order(plain: np.ndarray) -> None:
    tallies = [tally_of(checksum=[n << 44]) for n in (9, 3, 15)]

    assert checksum_of(tallies) == checksum_of(tallies[::-1]) == "b00000000000"
