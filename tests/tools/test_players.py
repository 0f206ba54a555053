"""Distances between bots, against known truth, and the families of decks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deckcheck
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
from tools.players.promises import Promise


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


def make_pilots(gains: Floats, games: int, chance: np.random.Generator) -> Pilots:
    """Return random games of twelve decks, where the second pilot gains this much."""
    rows, columns = np.triu_indices(FAMILY_SIZE, 1)
    true = chance.uniform(0.3, 0.7, len(rows))
    full = np.full((FAMILY_SIZE, FAMILY_SIZE), np.nan)
    full[rows, columns], full[columns, rows] = true, 1 - true
    seen = chance.binomial(games, np.nan_to_num(full + gains, nan=0.5)) / games
    seen[np.isnan(full)] = np.nan
    first = draw_table(true, 2_000, chance)
    return Pilots(first, seen, seen * (1 - seen) / (games - 1))


def test_the_better_pilot_plays_each_deck_of_the_reference() -> None:
    gains = np.full((FAMILY_SIZE, FAMILY_SIZE), -0.03)
    gains[0], gains[1] = 0.05, 0.03
    pilots = make_pilots(np.zeros_like(gains), 100_000, np.random.default_rng(1))
    pilots = replace(pilots, rates=pilots.rates - pilots.gains + gains)
    table, reference = pilots.compare()
    changes = reference.rates - table.rates
    assert changes == pytest.approx([0.02] + [0.05] * 10 + [0.03] * 10 + [0.0] * 45)
    assert (reference.variances > 0).tolist() == [True] * 21 + [False] * 45
    # Luck with an opponent does not choose who plays against that opponent.
    pilots.rates[0, 1] = 0.0
    pilots.rates[2, 3] = 1.0
    chosen = pilots.choose_seconds()
    assert chosen[0, 1]
    assert not chosen[0, 2:].any()
    assert not chosen[2, 3]
    assert chosen[2, [0, 1, *range(4, 12)]].all()


@pytest.mark.parametrize(
    ("gain", "scatter"), [(0.0, 0.0), (-0.03, 0.02), (0.0, 0.04), (0.02, 0.08)]
)
def test_the_distance_from_the_better_pilots_is_found(
    gain: float, scatter: float
) -> None:
    chance = np.random.default_rng(3)
    rows, columns = np.triu_indices(FAMILY_SIZE, 1)
    covered, values, truths = 0, [], []
    for _ in range(200):
        by_deck = chance.normal(gain, scatter, FAMILY_SIZE)
        best = np.maximum(by_deck, 0.0)
        true = np.square(best[rows] - best[columns]).mean() ** 0.5
        gains = np.tile(by_deck[:, None], FAMILY_SIZE)
        value, (low, high) = measure_distance(*make_pilots(gains, 90, chance).compare())
        covered += low - 1e-9 <= true <= high + 1e-9
        values.append(value)
        truths.append(true)
    assert covered >= 186
    mean_square, true_square = np.square([values, truths]).mean(axis=1)
    assert mean_square**0.5 == pytest.approx(true_square**0.5, abs=0.017)


@pytest.mark.compiled
def test_the_second_pilot_plays_each_deck_against_all_others(tmp_path: Path) -> None:
    decks = read_family("samples")[:3]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curve, "PILOTS", ("heuristic", "random"))
        pilots = play_pilots(decks, 1, tmp_path / "run")
    assert np.isnan(np.diagonal(pilots.rates)).all()
    assert (np.delete(pilots.gains.ravel(), [0, 4, 8]) < -0.1).all()
    table, reference = pilots.compare()
    assert (table.rates == reference.rates).all()
    assert measure_distance(table, reference) == (0.0, (0.0, 0.0))


@pytest.mark.parametrize(
    ("judged", "is_kept"), [(0.50, True), (0.46, True), (0.44, False), (0.56, False)]
)
def test_a_promise_is_kept_within_both_margins(judged: float, is_kept: bool) -> None:
    promised = Estimate(0.5, Interval(0.47, 0.53), 1_000)
    found = Estimate(judged, Interval(judged - 0.04, judged + 0.04), 200)
    promise = Promise("Found", promised, found)
    assert promise.is_kept is is_kept
    assert promise.excess == pytest.approx(0.5 - judged)


@pytest.mark.parametrize("family", FAMILIES)
def test_read_family_returns_twelve_legal_decks(family: str) -> None:
    decks = read_family(family)
    assert deckcheck.validate(*decks, format=FORMAT).legal
    assert len({(deck.leader, *deck.entries) for deck in decks}) == FAMILY_SIZE
    assert len({deck.name for deck in decks}) == FAMILY_SIZE
