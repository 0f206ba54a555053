"""Shuffles of which both games would be the same are played once, and counted so."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import played_once, seat, set_table
from deckcheck.playing.kernel import Outcome
from deckcheck.sim.results.result import SimulationResult
from deckcheck.studies.simulate.duel_tables import duel_report

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SWARM, SIEGE = STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"
ARCHERS = STANDARD / "st_beautiful_archers.deck"
HEALERS = STANDARD / "st_smugglers_and_healers.deck"


def simulated(*decks: Path, games: int = 60, **more: object) -> SimulationResult:
    options = {"policies": "heuristic-1", **more}
    return deckcheck.simulate(*decks, games=games, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "policy", "is_once"),
    [
        (ARCHERS, SWARM, "heuristic-1", True),
        (SWARM, ARCHERS, "heuristic", True),
        (ARCHERS, HEALERS, "heuristic", False),
        (SIEGE, SWARM, "heuristic", False),
        (ARCHERS, SWARM, "random", False),
        (ARCHERS, SWARM, "search:2", False),
    ],
)
def test_it_is_where_one_player_chooses_and_nobody_draws_lots(
    a: Path, b: Path, policy: str, is_once: bool
) -> None:
    [first], [second] = deckcheck.read(a), deckcheck.read(b)
    database = load_database("gwent")
    fmt = load_format("gwent/standard")
    table = set_table(fmt, database, [seat(first, policy), seat(second, policy)])

    assert played_once(table).once is is_once


def test_both_games_would_have_been_the_same() -> None:
    [first], [second] = deckcheck.read(SWARM), deckcheck.read(ARCHERS)
    seats = [seat(each, "heuristic") for each in (first, second)]
    table = set_table(load_format("gwent/standard"), load_database("gwent"), seats)
    log = GameLog()
    both = table.play(1, 0, 0, 50, log)
    once = played_once(table).play(1, 0, 0, 50)
    games = log.outcomes

    assert (games[::2, Outcome.HISTORY] == games[1::2, Outcome.HISTORY]).all()
    assert (games[::2] == games[1::2]).all()
    assert np.array_equal(once[1:3, 9:], both[1:3, 9:])


def test_every_game_is_counted_once(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    result = simulated(SWARM, ARCHERS, SIEGE, games_table=file)
    with open(file, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    games = [each.games for each in result.matchups]

    assert games == [30, 60, 30]
    assert result.games_played == sum(games) == len(rows)
    for each in result.matchups:
        assert each.wins_a + each.wins_b + each.draws == each.games
        assert sum(each.pairs) == 30
    first = [row for row in rows if row["table"] == "1"]
    assert [int(row["game"]) for row in first] == list(range(1, 31))
    assert sum(row["winner"] == "The swarm" for row in first) == (
        result.matchups[0].wins_a
    )


def test_the_report_says_so() -> None:
    result = simulated(SWARM, ARCHERS, SIEGE)
    facts = dict(duel_report(result).facts)
    alone = dict(duel_report(simulated(SWARM, ARCHERS)).facts)

    assert facts["one game"].startswith("in 2 of 3 matchups: an ability decides")
    assert alone["one game"].startswith("an ability decides who begins")
    assert "one game" not in dict(duel_report(simulated(SWARM, SIEGE)).facts)
