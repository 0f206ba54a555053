"""Distances between bots, against known truth, and the families of decks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deckcheck
from deckcheck.sim.bot_errors import BotErrorFigure
from deckcheck.stats import Interval
from deckcheck.stats.combinations import Estimate
from tools.players import curve
from tools.players.curve import (
    Floats,
    MatchupTable,
    Pilots,
    measure_distance,
    play_family,
    play_pilots,
)
from tools.players.families import FAMILIES, FAMILY_SIZE, FORMAT, read_family
from tools.players.promises import (
    CheckedPromise,
    count_kept_with_bot_error,
    measure_error,
    measure_spread,
)


def draw_table(rates: Floats, games: int, chance: np.random.Generator) -> MatchupTable:
    """Return a random table with this number of games in each matchup."""
    seen = chance.binomial(games, rates) / games
    return MatchupTable(seen, seen * (1 - seen) / (games - 1))


@pytest.mark.parametrize("apart", [0.0, 0.03, 0.08])
def test_measure_distance_finds_the_distance_of_the_true_rates(apart: float) -> None:
    chance = np.random.default_rng(7)
    covered = close = 0
    for _ in range(200):
        true = chance.uniform(0.2, 0.8, 105)
        other = true + apart * chance.choice([-1.0, 1.0], 105)
        table, reference = draw_table(true, 200, chance), draw_table(other, 80, chance)
        value, (low, high) = measure_distance(table, reference)
        covered += low - 1e-9 <= apart <= high
        close += abs(value - apart) < 0.025
    assert covered >= 184
    assert close >= 180


@pytest.mark.compiled
def test_a_bot_is_at_no_distance_from_itself_and_far_from_a_random_bot(
    tmp_path: Path,
) -> None:
    decks = read_family("samples")[:6]
    table = play_family(decks, "heuristic", 400, 1)
    run = tmp_path / "run"
    again = play_family(decks, "heuristic", 400, 2, run=run)
    assert len(table.rates) == 15
    assert measure_distance(table, again)[1].low == 0.0
    assert (play_family(decks, "heuristic", 400, 2, run=run).rates == again.rates).all()
    other = play_family(decks, "random", 400, 2)
    assert measure_distance(table, other)[1].low > 0.05


ROWS, COLUMNS = np.triu_indices(FAMILY_SIZE, 1)


def make_pilots(gains: Floats, chance: np.random.Generator, games: int = 200) -> Pilots:
    """Return random games of twelve decks, where the second pilot gains this much.

    `gains` has a row for each deck, and a column for each opponent.
    """
    true = chance.uniform(0.3, 0.7, len(ROWS))
    rates = np.full((FAMILY_SIZE, FAMILY_SIZE), 0.5)
    rates[ROWS, COLUMNS], rates[COLUMNS, ROWS] = true, 1 - true
    rates = chance.binomial(games, (rates + gains).clip(0, 1)) / games
    np.fill_diagonal(rates, np.nan)
    first = draw_table(true, 2_000, chance)
    return Pilots(first, rates, rates * (1 - rates) / (games - 1))


def test_the_better_pilot_plays_each_deck_of_the_reference() -> None:
    gains = np.array([[0.05], [0.03]] + [[-0.1]] * 10)
    pilots = make_pilots(gains, np.random.default_rng(1), games=1_000_000)
    table, reference = pilots.compare()
    changes = reference.rates - table.rates
    expected = [0.02] + [0.05] * 10 + [0.03] * 10 + [0.0] * 45
    assert changes == pytest.approx(expected, abs=0.04)
    assert np.flatnonzero(changes).tolist() == [*range(21)]
    assert np.flatnonzero(reference.variances).tolist() == [*range(21)]
    # Games of the first pilot count twice where both decks change their pilot.
    assert reference.variances[0] > 3 * reference.variances[1]
    # A bot that plays as in the reference is at no distance from it.
    table, again = pilots.compare(MatchupTable(reference.rates, reference.variances))
    assert (table.rates == again.rates).all()
    assert (again.variances[21:] == pilots.first.variances[21:]).all()


def test_luck_does_not_choose_the_pilot_who_has_it() -> None:
    first = MatchupTable(np.full(66, 0.5), np.zeros(66))
    rates = np.full((FAMILY_SIZE, FAMILY_SIZE), 0.49)
    np.fill_diagonal(rates, np.nan)
    pilots = Pilots(first, rates, np.full_like(rates, 0.001))
    assert not pilots.choose_seconds().any()
    rates[2, 3] = 1.0  # of no account against that deck, of much against all others
    assert np.flatnonzero(~pilots.choose_seconds()[2]).tolist() == [3]
    assert pilots.choose_seconds().sum() == FAMILY_SIZE - 1
    rates[5] = 0.505  # more, but by less than a standard error
    assert not pilots.choose_seconds()[5].any()


@pytest.mark.parametrize(
    ("gain", "scatter", "style"),
    [(0, 0, 0), (-0.03, 0.02, 0), (0, 0.02, 0.03), (0, 0.04, 0), (0.02, 0.06, 0.02)],
)
def test_the_distance_from_the_better_pilots_is_found(
    gain: float, scatter: float, style: float
) -> None:
    """`style` is what a pilot gains more against one opponent than against another."""
    chance = np.random.default_rng(3)
    covered, values, truths = 0, [], []
    for _ in range(200):
        gains = chance.normal(0, style, (FAMILY_SIZE, FAMILY_SIZE))
        gains += chance.normal(gain, scatter, (FAMILY_SIZE, 1))
        np.fill_diagonal(gains, np.nan)
        best = np.where(np.nanmean(gains, axis=1, keepdims=True) > 0, gains, 0.0)
        true = np.square(best[ROWS, COLUMNS] - best[COLUMNS, ROWS]).mean() ** 0.5
        pilots = make_pilots(np.nan_to_num(gains), chance)
        value, (low, high) = measure_distance(*pilots.compare())
        covered += low - 1e-9 <= true <= high + 1e-9
        values.append(value)
        truths.append(true)
    assert covered >= 184
    mean_square, true_square = np.square([values, truths]).mean(axis=1)
    assert mean_square**0.5 == pytest.approx(true_square**0.5, abs=0.012)


@pytest.mark.compiled
def test_the_second_pilot_plays_each_deck_against_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks = read_family("samples")[:3]
    monkeypatch.setattr(curve, "PILOTS", ("heuristic", "random"))
    pilots = play_pilots(decks, 1, tmp_path / "worse")
    assert np.isnan(pilots.rates).tolist() == np.eye(3, dtype=bool).tolist()
    assert (np.nanmean(pilots.gains, axis=1) < -0.1).all()
    few = np.nanmean(pilots.variances)
    table, reference = pilots.compare()
    assert (table.rates == reference.rates).all()
    distance, (low, high) = measure_distance(table, reference)
    assert distance == low == 0.0
    assert high == pytest.approx(pilots.missed**0.5)
    monkeypatch.setattr(curve, "PILOTS", ("random", "heuristic"))
    pilots = play_pilots(decks, 1, tmp_path / "better")
    assert (np.nanmean(pilots.gains, axis=1) > 0.1).all()
    assert pilots.choose_seconds().all()
    most = np.nanmean(pilots.variances)
    assert most < few
    pilots = play_pilots(decks, 1, tmp_path / "more", factor=3)
    assert np.nanmean(pilots.variances) < most / 2


def make_promise(
    judged: float, margin: float = 0.04, deck: str = "Found", gain: float | None = None
) -> CheckedPromise:
    """Return a promise of a win rate of 0.5, or of a gain, with a margin of 0.03."""
    figure = BotErrorFigure.WIN_RATE if gain is None else BotErrorFigure.GAIN
    value = 0.5 if gain is None else gain
    promised = Estimate(value, Interval(value - 0.03, value + 0.03), 1_000)
    found = Estimate(judged, Interval(judged - margin, judged + margin), 200)
    return CheckedPromise(deck, figure, promised, found, ())


@pytest.mark.parametrize(
    ("judged", "is_kept", "is_kept_with_error"),
    [
        (0.46, True, True),
        (0.44, False, True),
        (0.56, False, True),
        (0.43, False, False),
    ],
)
def test_a_promise_is_kept_within_both_margins(
    judged: float, is_kept: bool, is_kept_with_error: bool
) -> None:
    promise = make_promise(judged)
    assert promise.is_kept() is is_kept
    assert promise.is_kept(0.02) is is_kept_with_error
    assert promise.excess == pytest.approx(0.5 - judged)


def test_the_error_of_a_gain_is_a_share_of_it() -> None:
    promise = make_promise(0.14, gain=0.2)
    assert not promise.is_kept()
    # The margins are 5 points, and with 2 points of error 6.4 points.
    assert promise.is_kept(0.1)
    assert not make_promise(0.04, gain=0.1).is_kept(0.1)


def test_no_deck_widens_its_promise_by_its_error() -> None:
    far = [make_promise(0.43, deck="Far") for _ in range(2)]
    near = [make_promise(0.5, deck=f"Near {number}") for number in range(3)]
    assert count_kept_with_bot_error([*far, *near]) == 3
    many = [make_promise(0.43, deck=str(number)) for number in range(4)]
    assert count_kept_with_bot_error(many) == 4


def test_promises_of_one_deck_have_one_error() -> None:
    decks = [make_promise(0.45, deck=str(number)) for number in range(10)]
    deck = [make_promise(0.45) for _ in range(10)]
    assert measure_error(decks)[2] < measure_error(deck)[2]
    # Several promises of a deck say more of its error than one promise.
    assert measure_error(decks)[0] < measure_error([*decks, *decks, *decks])[0]


@pytest.mark.parametrize(
    ("decks", "error", "least_covered"),
    [(5, 0.03, 380), (20, 0.01, 380), (20, 0.03, 374)],
)
def test_intervals_of_the_error_cover_known_errors(
    decks: int, error: float, least_covered: int
) -> None:
    chance = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        drawn = chance.normal(0, error, decks) + chance.normal(0, 0.03 / 1.96, decks)
        promises = [
            make_promise(0.5 - excess, 0.0, str(number))
            for number, excess in enumerate(drawn)
        ]
        _, low, high = measure_error(promises)
        covered += low <= error <= high
    assert least_covered <= covered < 400


def test_the_spread_of_errors_is_that_of_the_true_errors() -> None:
    chance = np.random.default_rng(1)
    promises = []
    for _ in range(400):
        # The noise of ten factions together is that of the margins.
        noise = chance.normal(0, 0.05 / 1.96 * 10**0.5, 10)
        excesses = 0.02 + chance.normal(0, 0.06, 10) + noise
        promises.append(replace(make_promise(0.5), excesses=tuple(excesses)))
    assert measure_spread(promises) == pytest.approx(0.06, abs=0.004)


@pytest.mark.parametrize("family", FAMILIES)
def test_read_family_returns_twelve_legal_decks(family: str) -> None:
    decks = read_family(family)
    assert deckcheck.validate(*decks, format=FORMAT).legal
    assert len({(deck.leader, *deck.entries) for deck in decks}) == FAMILY_SIZE
    assert len({deck.name for deck in decks}) == FAMILY_SIZE
