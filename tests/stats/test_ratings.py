"""Ratings against players whose strength is known."""

from __future__ import annotations

import tracemalloc
from math import log, sqrt

import numpy as np
import pytest

from deckcheck.stats.ratings import RatedPairing, bradley_terry


def score_of(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def exact(strengths: list[float]) -> list[RatedPairing]:
    return [
        RatedPairing(a, b, score_of(strengths[a] - strengths[b]), 1e-5, 1000)
        for a in range(len(strengths))
        for b in range(a)
    ]


def test_known_strengths_come_back() -> None:
    strengths = [-150.0, -20.0, 40.0, 130.0]
    found = bradley_terry(4, exact(strengths))

    assert [each.value for each in found.ratings] == pytest.approx(strengths, abs=1e-6)
    assert found.misfit.value == 0
    assert found.cycles.value == pytest.approx(0, abs=1e-12)


def test_rock_paper_scissors_is_all_cycle() -> None:
    pairings = [
        RatedPairing(0, 1, 0.9, 1e-5, 10_000),
        RatedPairing(1, 2, 0.9, 1e-5, 10_000),
        RatedPairing(2, 0, 0.9, 1e-5, 10_000),
    ]
    found = bradley_terry(3, pairings)

    assert [each.value for each in found.ratings] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.cycles.value == pytest.approx(1)
    assert found.misfit.value == pytest.approx(0.4, abs=0.001)


def test_a_rating_is_as_sure_as_its_scores() -> None:
    """In a circle of three a rating moves by (x - y) / 3 / (p (1 - p)), p = 1/2."""
    variance = 1e-5
    circle = [RatedPairing(a, (a + 1) % 3, 0.9, variance, 10_000) for a in range(3)]
    found = bradley_terry(3, circle)
    deviation = sqrt(2 * variance) / 3 / 0.25 * 400 / log(10)

    for each in found.ratings:
        assert each.interval.high == pytest.approx(1.959964 * deviation, rel=1e-5)


def test_intervals_cover() -> None:
    strengths = [-100.0, 0.0, 30.0, 70.0]
    chance = np.random.default_rng(11)
    games, runs, covered = 400, 400, 0
    for _ in range(runs):
        pairings = []
        for a in range(4):
            for b in range(a):
                rate = score_of(strengths[a] - strengths[b])
                score = chance.binomial(games, rate) / games
                pairings.append(
                    RatedPairing(a, b, score, score * (1 - score) / games, games)
                )
        found = bradley_terry(4, pairings)
        covered += sum(
            each.interval.low <= value <= each.interval.high
            for each, value in zip(found.ratings, strengths, strict=True)
        )

    assert 0.93 <= covered / (4 * runs) <= 0.97


def test_a_player_who_always_wins_has_a_finite_rating() -> None:
    found = bradley_terry(2, [RatedPairing(0, 1, 1.0, 0.0, 100)])

    [best, _] = found.ratings
    # Half a game was lost: the log-odds have a variance of 1 / n p (1 - p).
    lost = 1 / 202
    deviation = sqrt(1 / (100 * lost * (1 - lost))) / 2 * 400 / log(10)

    assert 300 < best.value < 1000
    assert best.interval.low > 0
    assert best.interval.high - best.value == pytest.approx(1.959964 * deviation)


def test_players_that_never_met_have_no_ratings() -> None:
    with pytest.raises(ValueError, match="have met"):
        bradley_terry(3, [RatedPairing(0, 1, 0.5, 0.01, 25)])


def test_misfit_is_on_average_that_of_the_truth() -> None:
    """Pairings of 16 to 160 games, whose scores go round in circles besides."""
    strengths = [-80.0, -20.0, 10.0, 30.0, 60.0]
    pairs = [(a, b) for a in range(5) for b in range(a)]
    games = [16 + 16 * k for k in range(len(pairs))]
    scores = [
        score_of(strengths[a] - strengths[b]) + 0.1 * (-1) ** (a + b) for a, b in pairs
    ]
    noise = [p * (1 - p) / n for p, n in zip(scores, games, strict=True)]
    facts = list(zip(pairs, scores, noise, games, strict=True))
    sure = [RatedPairing(a, b, p, v / 1e6, 10**6 * n) for (a, b), p, v, n in facts]
    truth = bradley_terry(5, sure).misfit.value
    chance = np.random.default_rng(3)
    squares = [
        bradley_terry(
            5,
            [
                RatedPairing(a, b, p + chance.normal(0, sqrt(v)), v, n)
                for (a, b), p, v, n in facts
            ],
        ).misfit.value
        ** 2
        for _ in range(150)
    ]

    assert np.mean(squares) == pytest.approx(truth**2, rel=0.1)


def test_many_players_take_no_matrix_of_all_pairings() -> None:
    """Of 90 players it would have 16 million cells, and of 200 fill 3 GB."""
    strengths = [float(3 * i - 135) for i in range(90)]
    pairings = exact(strengths)
    tracemalloc.start()
    found = bradley_terry(len(strengths), pairings)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 8 * len(pairings) ** 2 / 2
    assert [each.value for each in found.ratings] == pytest.approx(
        [value - sum(strengths) / 90 for value in strengths], abs=1e-6
    )


DECKS, PILOTS = 4, 2
OF_DECK = [i // PILOTS for i in range(DECKS * PILOTS)]
OF_PILOT = [i % PILOTS for i in range(DECKS * PILOTS)]


def crossed(decks: list[float], pilots: list[float], both: list[float]) -> list[float]:
    """The strengths of every deck in the hands of every player."""
    pairs = zip(OF_DECK, OF_PILOT, both, strict=True)
    return [decks[deck] + pilots[pilot] + more for deck, pilot, more in pairs]


def test_groups_have_the_means_of_their_players() -> None:
    both = [12.0, -12.0, -12.0, 12.0, 0.0, 0.0, 0.0, 0.0]
    strengths = crossed([-90.0, -10.0, 30.0, 70.0], [-50.0, 50.0], both)
    ratings = bradley_terry(
        len(strengths), exact(strengths), groupings=[OF_DECK, OF_PILOT]
    )
    decks, pilots = ratings.groups

    assert [deck.value for deck in decks] == pytest.approx([-90, -10, 30, 70])
    assert [pilot.value for pilot in pilots] == pytest.approx([-50, 50])
    # The mean of four is surer than one of them.
    width = ratings.ratings[0].interval.high - ratings.ratings[0].value
    assert pilots[0].interval.high - pilots[0].value < 0.7 * width


def test_parts_are_those_of_the_variance_between_groups() -> None:
    both = [12.0, -12.0, -12.0, 12.0, 0.0, 0.0, 0.0, 0.0]
    decks, pilots = [-90.0, -10.0, 30.0, 70.0], [-50.0, 50.0]
    ratings = bradley_terry(
        DECKS * PILOTS,
        exact(crossed(decks, pilots, both)),
        groupings=[OF_DECK, OF_PILOT],
    )
    squares = [
        sum(value**2 for value in decks) * PILOTS,
        sum(value**2 for value in pilots) * DECKS,
        sum(value**2 for value in both),
    ]

    assert [part.value for part in ratings.parts] == pytest.approx(
        [square / sum(squares) for square in squares], abs=0.01
    )
    assert sum(part.value for part in ratings.parts) == pytest.approx(1, abs=0.01)
    assert ratings.cycles.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("decks", "pilots"), [(5, 3), (10, 4), (15, 4)])
def test_parts_of_large_fields_are_parts_of_one_whole(decks: int, pilots: int) -> None:
    """Rounding errors in the projections once made a part of 60 % out of 9 %."""
    strengths = [20.0 * (i // pilots) - 15.0 * (i % pilots) for i in range(60)]
    strengths = strengths[: decks * pilots]
    of_deck = [i // pilots for i in range(len(strengths))]
    of_pilot = [i % pilots for i in range(len(strengths))]
    ratings = bradley_terry(
        len(strengths), exact(strengths), groupings=[of_deck, of_pilot]
    )
    deck, pilot, both = (part.value for part in ratings.parts)

    assert deck + pilot == pytest.approx(1, abs=0.001)
    assert deck > 0.8
    assert both == pytest.approx(0, abs=0.001)


@pytest.mark.slow
def test_intervals_of_groups_and_parts_cover() -> None:
    both = [10.0, -10.0, -10.0, 10.0, 6.0, -6.0, -6.0, 6.0]
    strengths = crossed([-60.0, -10.0, 20.0, 50.0], [-30.0, 30.0], both)
    groupings = [OF_DECK, OF_PILOT]
    pairs = [(a, b) for a in range(len(strengths)) for b in range(a)]
    # Some of it goes round in circles.
    rates = [
        score_of(strengths[a] - strengths[b] + 15 * (-1) ** (a + b + a * b))
        for a, b in pairs
    ]
    sure = [
        RatedPairing(a, b, rate, 1e-9, 10**8)
        for (a, b), rate in zip(pairs, rates, strict=True)
    ]
    truth = bradley_terry(len(strengths), sure, groupings=groupings)
    chance = np.random.default_rng(5)
    games, runs = 400, 400
    covered = np.zeros(len(truth.groups[0]) + len(truth.groups[1]))
    parts = np.zeros(len(truth.parts))
    for run in range(runs):
        scores = [chance.binomial(games, rate) / games for rate in rates]
        pairings = [
            RatedPairing(a, b, score, score * (1 - score) / games, games)
            for (a, b), score in zip(pairs, scores, strict=True)
        ]
        drawn = bradley_terry(len(strengths), pairings, seed=run, groupings=groupings)
        covered += [
            estimate.interval.low <= true.value <= estimate.interval.high
            for estimates, trues in zip(drawn.groups, truth.groups, strict=True)
            for estimate, true in zip(estimates, trues, strict=True)
        ]
        parts += [
            estimate.interval.low <= true.value <= estimate.interval.high
            for estimate, true in zip(drawn.parts, truth.parts, strict=True)
        ]

    assert 0.93 <= covered.mean() / runs <= 0.97
    # The ends of a part are those of two intervals, so it is sure to cover.
    assert parts.min() / runs >= 0.94
