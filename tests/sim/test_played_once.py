"""Shuffles of which both games would be the same are played once, and counted so."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.engine.registry import CrashedGame, GameDoesNotEnd
from deckcheck.formats import load_format
from deckcheck.playing import table as table_module
from deckcheck.playing.kernel import GameOutcome, Ints, play_games
from deckcheck.playing.table import GameLog, Table, play_listed, seat, set_table
from deckcheck.playing.versions import seat_versions
from deckcheck.sim.result import SimulationResult
from deckcheck.studies.simulation_tables import duel_report

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
    table = table_of(a, b, policy)

    assert table.beginner_matters.tolist() == [not is_once]


def table_of(a: Path, b: Path, policy: str = "heuristic") -> Table:
    [first], [second] = deckcheck.read(a), deckcheck.read(b)
    seats = [seat(first, policy), seat(second, policy)]
    return set_table(load_format("gwent/standard"), load_database("gwent"), seats)


@pytest.fixture
def all_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is taken for a copy of another one."""
    monkeypatch.setattr(Table, "beginner_matters", np.ones(1, np.bool_))


@pytest.mark.usefixtures("all_played")
@pytest.mark.parametrize("other", [SWARM, SIEGE, STANDARD / "sk_berserkers.deck"])
def test_both_games_would_have_been_the_same(other: Path) -> None:
    table = table_of(other, ARCHERS)
    log = GameLog()
    both = table.play(1, 0, 0, 50, log)
    once = replace(table, once=True).play(1, 0, 0, 50)
    games = log.outcomes

    assert (games[::2, GameOutcome.HISTORY] == games[1::2, GameOutcome.HISTORY]).all()
    assert (games[::2] == games[1::2]).all()
    assert np.array_equal(once[1:3, 9:], both[1:3, 9:])


def test_studies_play_them_once_too_and_count_the_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Against Scoia'tael half of the games, against others all: the same tallies."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    decks = deckcheck.read(ARCHERS, HEALERS, SIEGE, SWARM)
    archers, healers, *versions = (seat(each, "heuristic-1") for each in decks)
    played = []

    def play(*args: Any) -> None:
        played.append(len(args[4]))
        play_games(*args)

    monkeypatch.setattr(table_module, "play_games", play)

    def tally() -> Ints:
        seats = [*versions, healers]
        against = seat_versions(fmt, database, archers, seats, [(0, 1)])
        return against.play(1, 0, 0, 40)

    different = tally()
    assert played == [40, 40, 80]

    with monkeypatch.context() as patch:
        patch.setattr(Table, "beginner_matters", np.ones(1, np.bool_))
        assert (tally() == different).all()
    assert played == [40, 40, 80, 80, 80, 80]


def test_a_crash_names_the_game_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is counted among all that were asked for, copies included."""
    table = table_of(SWARM, ARCHERS)

    def crash(*args: Any) -> None:
        args[-1][0] = 3
        raise GameDoesNotEnd

    monkeypatch.setattr(table_module, "play_games", crash)
    with pytest.raises(CrashedGame, match="game 3, beginner 0") as crashed:
        play_listed(table, 1, table.games_of_sets(0, np.arange(5)))
    assert crashed.value.at == 6


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
