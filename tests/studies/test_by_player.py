"""The band of a deck's win rates with several players."""

from __future__ import annotations

from random import Random

import pytest

from deckcheck import simulate
from deckcheck.report.tables import ReportTable
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import Combination, Interval, Sample
from deckcheck.studies.registry import write_report
from deckcheck.studies.simulation_tables import TITLE, band_of, by_player_table

DECKS = [
    f"decks/gwent/standard/{name}.deck"
    for name in ("mo_swarm", "sk_berserkers", "nr_siege_masters")
]
PLAYERS = ["sane_random", "heuristic"]
TRUE = (0.3, 0.5, 0.7)


def crossed(**options: bool) -> tuple[SimulationResult, ReportTable]:
    result = simulate(*DECKS, policies=PLAYERS, every_policy=True, games=40, **options)
    return result, by_player_table(result)


def test_each_rate_is_that_against_all_other_decks() -> None:
    result, table = crossed()

    assert len(table.rows) == len(DECKS)
    assert {column.name for column in table.columns[1:-1]} == set(PLAYERS)
    for deck, *rates, band in table.rows:
        assert isinstance(band, Interval)
        for column, rate in zip(table.columns[1:-1], rates, strict=True):
            name = f"{deck} ({column.name})"
            met = [
                m.win_rate_a if m.a == name else 1 - m.win_rate_a
                for m in result.matchups
                if name in (m.a, m.b) and not (m.a.startswith(deck) and deck in m.b)
            ]
            assert len(met) == len(PLAYERS) * (len(DECKS) - 1)
            assert rate == pytest.approx(sum(met) / len(met))
            assert band.low < rate < band.high


def test_the_report_shows_the_band_where_it_was_measured() -> None:
    crossed_run, _ = crossed()
    plain = simulate(*DECKS, policies="heuristic", games=40)

    for kind in ("table", "markdown", "html"):
        assert TITLE in write_report(crossed_run, kind)
        assert TITLE not in write_report(plain, kind)
    assert not by_player_table(plain).rows


def test_of_a_field_only_its_challengers_are_shown() -> None:
    _, table = crossed(gauntlet=True)

    assert [row[0] for row in table.rows] == ["The swarm"]


def test_the_band_holds_all_true_rates_together() -> None:
    """Pairs of games with known rates: one band in twenty may miss one."""
    chance = Random(7)
    trials, held = 2000, 0
    for _ in range(trials):
        band = band_of([drawn_rate(chance, rate, 200) for rate in TRUE])
        held += band.low <= min(TRUE) and max(TRUE) <= band.high

    assert held / trials >= 0.945


def drawn_rate(chance: Random, rate: float, pairs: int) -> Combination:
    """The measured rate of mirrored pairs of games that are each won with `rate`."""
    scores = [0] * 5
    for _ in range(pairs):
        scores[2 * sum(chance.random() < rate for _ in range(2))] += 1
    return Combination.of(Sample(tuple(scores), 2 * pairs))
