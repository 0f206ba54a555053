"""Distances between bots, against known truth, and the families of decks."""

from pathlib import Path

import numpy as np
import pytest

import deckcheck
from tools.players.curve import (
    Floats,
    MatchupTable,
    PilotTable,
    drop_same_games,
    measure_distance,
    play_family,
    play_pilots,
)
from tools.players.families import FAMILIES, FAMILY_SIZE, FORMAT, read_family


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
    again = play_family(decks, "heuristic", 400, 2, run)
    assert len(table.rates) == 15
    assert measure_distance(table, again)[1].low == 0.0
    assert (play_family(decks, "heuristic", 400, 2, run).rates == again.rates).all()
    other = play_family(decks, "random", 400, 2)
    assert measure_distance(table, other)[1].low > 0.05


def test_the_better_pilot_plays_each_deck_of_the_reference() -> None:
    # Each pilot wins more with every second of six decks.
    skill = np.array([0.03, 0.0] * 3 + [0.0, 0.03] * 3)
    rates = 0.5 + skill[:, None] - skill[None, :]
    np.fill_diagonal(rates, np.nan)
    pilots = PilotTable(rates, np.full((12, 12), 0.01), 2)
    reference, chosen = pilots.make_reference()
    assert chosen[:2] == [(0, 1), (0, 0)]
    assert reference.rates == pytest.approx(0.5)
    alone = pilots.select_pilot(0)
    assert alone.rates[:2] == pytest.approx([0.53, 0.5])
    tables = drop_same_games(alone, reference, chosen, 0)
    assert [(table.variances == 0).sum() for table in tables] == [3, 3]
    # Luck with an opponent does not choose who plays against that opponent.
    rates[6, 1], rates[1, 6] = 1.0, 0.0
    assert pilots.choose_pilot(0, 1) == 0
    assert pilots.choose_pilot(0, 2) == 1


@pytest.mark.compiled
def test_pilots_meet_each_other_with_all_decks(tmp_path: Path) -> None:
    decks = read_family("samples")[:3]
    pilots = play_pilots(decks, ("random", "heuristic"), 40, 1, tmp_path / "run")
    reference, chosen = pilots.make_reference()
    assert {*chosen} == {(1, 1)}
    assert np.isnan(np.diagonal(pilots.rates)).all()
    assert (pilots.rates[3:, :3] > 0.5).all()
    assert (reference.rates == pilots.select_pilot(1).rates).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_read_family_returns_twelve_legal_decks(family: str) -> None:
    decks = read_family(family)
    assert deckcheck.validate(*decks, format=FORMAT).legal
    assert len({(deck.leader, *deck.entries) for deck in decks}) == FAMILY_SIZE
    assert len({deck.name for deck in decks}) == FAMILY_SIZE
