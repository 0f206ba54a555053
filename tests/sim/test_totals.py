"""From tallies to win shares, places and points, and to matchups."""

from __future__ import annotations

from math import sqrt

import pytest
from tallies import duel_tally, tally_of

from deckcheck.playing.kernel import Head, Ints
from deckcheck.sim.standings import Matchup, checksum_of, shares_of, table_result
from deckcheck.stats import anytime_mean_interval, mean_score_interval

# Three games a set: a wins, a and b share, all draw; then b, c and c win.
ONE = [((1, 2, 3), (6, 4, 2), 0), ((1, 1, 3), (4, 4, 1), 1), ((1, 1, 1), (2, 2, 2), 2)]
TWO = [((2, 1, 3), (3, 5, 1), 0), ((3, 2, 1), (0, 2, 4), 1), ((2, 2, 1), (3, 3, 6), 2)]
TABLE = table_result(("a", "b", "c"), tally_of([ONE, TWO]))


def test_games_sets_and_draws_are_counted() -> None:
    assert (TABLE.games, TABLE.sets, TABLE.draws) == (6, 2, 1)
    assert (TABLE.rounds_mean, TABLE.turns_mean) == (3, 20)
    assert TABLE.even_share == pytest.approx(1 / 3)


def test_a_shared_win_counts_in_parts() -> None:
    a, b, c = TABLE.performances

    assert (a.wins, a.shared) == (1, 2)
    assert a.win_share is not None
    assert a.win_share.value == pytest.approx((1 + 1 / 2 + 1 / 3) / 6)
    shares = [s.win_share.value for s in (a, b, c) if s.win_share]
    assert sum(shares) == pytest.approx(1)


def test_places_and_points_are_means_per_game() -> None:
    a = TABLE.performances[0]

    assert a.place is not None
    assert a.points is not None
    assert a.place.value == pytest.approx(10 / 6)
    assert a.points.value == pytest.approx(18 / 6)


def test_sets_are_the_unit_of_intervals() -> None:
    """Points of a: 12 in one set, 6 in the other, so 4 and 2 a game."""
    points = TABLE.performances[0].points
    assert points is not None
    variance = ((4 - 3) ** 2 + (2 - 3) ** 2) / 1
    # Two more sets, two deviations off; Student's quantile of one degree of freedom.
    reach = 12.706205 * sqrt((variance + 2 * 4 * variance) / 3 / 2)

    assert points.interval.low == pytest.approx(3 - reach, abs=1e-5)
    assert points.interval.high == pytest.approx(3 + reach, abs=1e-5)


def test_means_of_a_run_that_was_looked_at_are_less_sure() -> None:
    """Points of a: 12 and 6 in a set of three games."""
    looked = table_result(("a", "b", "c"), tally_of([ONE, TWO]), anytime=True)
    a = looked.performances[0]
    points = anytime_mean_interval(12 + 6, 12**2 + 6**2, 2).scaled(1 / 3)

    assert a.points is not None
    assert a.points.interval == pytest.approx(points)
    rows = zip(looked.performances, TABLE.performances, strict=True)
    for wide, narrow in rows:
        for mean, fixed in ((wide.place, narrow.place), (wide.points, narrow.points)):
            assert mean is not None
            assert fixed is not None
            assert mean.value == fixed.value
            low, high = fixed.interval
            assert mean.interval.low <= low <= high <= mean.interval.high
        assert wide.points is not None
        assert narrow.points is not None
        low, high = narrow.points.interval
        wider = wide.points.interval
        assert wider.low < low < high < wider.high or low == high


def test_who_always_won_may_yet_lose() -> None:
    """Twenty sets in which one is first and the other last: the next may differ."""
    games = [((1, 2), (2, 0), 0), ((1, 2), (2, 1), 0)]
    first, last = table_result(("a", "b"), tally_of([games] * 20)).performances

    assert first.place is not None
    assert last.place is not None
    assert first.place.interval == pytest.approx((1, 1.1611), abs=1e-4)
    assert last.place.interval == pytest.approx((1.8389, 2), abs=1e-4)


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
    table = table_result(("chooser", "other"), tally_of([games] * 20))
    begins, follows = table.by_seat[0]

    assert (begins.games, follows.games) == (40, 0)
    assert follows.win_share is follows.place is follows.points is None
    assert begins.win_share is not None
    assert table.performances[0].win_share is not None
    assert begins.win_share.interval == pytest.approx(
        table.performances[0].win_share.interval
    )


def test_progress_reads_the_share_of_the_first() -> None:
    assert shares_of(tally_of([ONE, TWO]), 3, anytime=False)[0] == (
        TABLE.performances[0].win_share
    )


@pytest.fixture
def matchup() -> Matchup:
    """100 pairs: each deck began each pair once."""
    pairs = duel_tally(
        [(25, "A+ B+"), (5, "A+ B="), (40, "A+ B-"), (15, "A- B+"), (15, "A= B-")]
    )
    return Matchup(table_result(("Siege masters", "The swarm"), pairs))


def test_a_win_rate_comes_from_pairs(matchup: Matchup) -> None:
    assert matchup.pairs == (0, 15, 55, 5, 25)
    assert matchup.win_rate_a == pytest.approx((15 + 110 + 15 + 100) / 400)
    assert matchup.interval == mean_score_interval([0, 15, 55, 5, 25])
    assert matchup.games == 200


def test_a_matchup_has_counts_and_means(matchup: Matchup) -> None:
    assert (matchup.wins_a, matchup.wins_b, matchup.draws) == (110, 70, 20)
    assert (matchup.rounds_mean, matchup.turns_mean) == (3, 20)
    assert (matchup.cards_left_a_mean, matchup.cards_left_b_mean) == (1, 2)


def test_mirrored_a_matchup_is_counted_from_the_other_side(matchup: Matchup) -> None:
    other = matchup.mirrored()

    assert (other.a, other.b) == (matchup.b, matchup.a)
    assert (other.wins_a, other.wins_b, other.draws) == (70, 110, 20)
    assert other.win_rate_a == pytest.approx(1 - matchup.win_rate_a)
    assert other.win_rate(other.b) == matchup.win_rate(matchup.a)
    assert (other.cards_left_a_mean, other.cards_left_b_mean) == (2, 1)
    # The games that deck a began are those that it did not begin as deck b.
    assert other.a_starts.wins_b == matchup.b_starts.wins_a
    assert other.b_starts.wins_b == matchup.a_starts.wins_a
    assert other.mirrored() == matchup


def test_splits_have_intervals_of_independent_games(matchup: Matchup) -> None:
    begun, not_begun = matchup.a_starts, matchup.b_starts

    assert (begun.wins_a, begun.wins_b, begun.draws) == (70, 15, 15)
    assert begun.win_rate_a == pytest.approx(0.775)
    assert begun.interval == mean_score_interval([15, 15, 70])
    assert not_begun.interval == mean_score_interval([55, 5, 40])


def test_the_other_deck_sees_the_same_from_its_side(matchup: Matchup) -> None:
    rate = matchup.win_rate("The swarm")

    assert rate.value == pytest.approx(1 - matchup.win_rate_a)
    assert rate.interval.low == pytest.approx(1 - matchup.interval.high)
    assert matchup.points("The swarm") == (70, 110, 20)


def test_a_deck_that_always_begins_has_no_other_split() -> None:
    """Scoia'tael may begin both games of each pair; these are no longer independent."""
    tally = duel_tally([(8, "A- A-"), (12, "A+ A+")])
    always = Matchup(table_result(("Smugglers", "The swarm"), tally))

    assert always.b_starts.win_rate_a is None
    assert always.b_starts.interval is None
    assert always.a_starts.interval == always.interval


def test_games_that_began_alike_count_once() -> None:
    """Ten pairs apart, ten begun twice by a: 30 games worth 900 / 50 = 18."""
    tally = duel_tally([(10, "A+ B-"), (5, "A- A-"), (5, "A+ A-"), (0, "A+ A+")])
    table = table_result(("Smugglers", "The swarm"), tally)
    begun, place = Matchup(table).a_starts, table.by_seat[0][0].place

    assert (begun.games, begun.wins_a) == (30, 15)
    assert begun.interval == pytest.approx(mean_score_interval([9, 0, 9]))
    # Place 1 in 15 games and 2 in 15: a half, and Student's quantile of 17 degrees.
    weight = 2.109816**2 / 18
    reach = sqrt(weight * 0.5**2 + weight**2 / 4) / (1 + weight)
    assert place is not None
    assert place.interval == pytest.approx((1.5 - reach, 1.5 + reach))


def test_the_checksum_is_the_same_in_any_order() -> None:
    def tally(checksum: int) -> Ints:
        counted = duel_tally([(1, "A+ B+")])
        counted[0, Head.CHECKSUM] = checksum
        return counted

    tallies = [tally(n << 44) for n in (9, 3, 15)]

    assert checksum_of(tallies) == checksum_of(tallies[::-1]) == "b00000000000"


def test_the_variance_is_that_of_the_shares_of_sets() -> None:
    """The shares of a: 1, 1/2 and 1/3 in the games of one set, none in the other."""
    one = (1 + 1 / 2 + 1 / 3) / 3

    assert TABLE.performances[0].variance == pytest.approx((one / 2) ** 2)
