"""From the tally of a table to win shares, places and points."""

from __future__ import annotations

from math import sqrt

import pytest
from tallies import tally_of

from deckcheck.sim.table_totals import first_share_of, played_table

# Three games a set: a wins, a and b share, all draw; then b, c and c win.
ONE = [((1, 2, 3), (6, 4, 2), 0), ((1, 1, 3), (4, 4, 1), 1), ((1, 1, 1), (2, 2, 2), 2)]
TWO = [((2, 1, 3), (3, 5, 1), 0), ((3, 2, 1), (0, 2, 4), 1), ((2, 2, 1), (3, 3, 6), 2)]
TABLE = played_table(("a", "b", "c"), 3, tally_of([ONE, TWO]))


def test_games_sets_and_draws_are_counted() -> None:
    assert (TABLE.games, TABLE.sets, TABLE.draws) == (6, 2, 1)
    assert (TABLE.rounds_mean, TABLE.turns_mean) == (3, 20)
    assert TABLE.even_share == pytest.approx(1 / 3)


def test_a_shared_win_counts_in_parts() -> None:
    a, b, c = TABLE.showings

    assert (a.wins, a.shared) == (1, 2)
    assert a.win_share is not None
    assert a.win_share.value == pytest.approx((1 + 1 / 2 + 1 / 3) / 6)
    shares = [s.win_share.value for s in (a, b, c) if s.win_share]
    assert sum(shares) == pytest.approx(1)


def test_places_and_points_are_means_per_game() -> None:
    a = TABLE.showings[0]

    assert a.place is not None
    assert a.points is not None
    assert a.place.value == pytest.approx(10 / 6)
    assert a.points.value == pytest.approx(18 / 6)


def test_sets_are_the_unit_of_intervals() -> None:
    """Points of a: 12 in one set, 6 in the other, so 4 and 2 a game."""
    points = TABLE.showings[0].points
    assert points is not None
    reach = 1.959964 * sqrt(((4 - 3) ** 2 + (2 - 3) ** 2) / 1 / 2)

    assert points.interval.low == pytest.approx(3 - reach, abs=1e-5)
    assert points.interval.high == pytest.approx(3 + reach, abs=1e-5)


def test_seats_are_counted_from_who_began() -> None:
    first = TABLE.seats[0]

    # a, b and c began one game of each set each, and nothing else sat first.
    assert first.games == 6
    assert first.points is not None
    assert first.points.value == pytest.approx((6 + 4 + 2 + 3 + 2 + 6) / 6)
    assert [cell.games for row in TABLE.by_seat for cell in row] == [2] * 9


def test_who_always_begins_has_nothing_in_other_seats() -> None:
    """One entrant chooses to begin both games of a set: the two count as one."""
    games = [((1, 2), (2, 0), 0), ((1, 2), (2, 1), 0)]
    table = played_table(("chooser", "other"), 2, tally_of([games] * 20))
    begins, follows = table.by_seat[0]

    assert (begins.games, follows.games) == (40, 0)
    assert follows.win_share is follows.place is follows.points is None
    assert begins.win_share is not None
    assert table.showings[0].win_share is not None
    assert begins.win_share.interval == pytest.approx(
        table.showings[0].win_share.interval
    )


def test_progress_reads_the_share_of_the_first() -> None:
    assert first_share_of(tally_of([ONE, TWO])) == TABLE.showings[0].win_share
