"""A row for each game: the same as the tallies count, in one order."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckcheck.engine.registry import GameDoesNotEnd
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.sim.errors import CrashedGameError
from deckcheck.sim.games_table import DRAW, GamesTable, check_games_table, row_writer
from deckcheck.sim.jobs import Block, play_block
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports
from deckcheck.sim.stopping import Stopping

GAMES = 12


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    """Three at a table of Gwen't, with random decks."""
    fmt = load_format("gwen_t/pool")
    request = Request(
        games=GAMES, seed=5, policies=("random",), random_decks=True, players=3
    )
    return simulation_from_reports(fmt, database_of(fmt), [], request)


def rows_of(file: Path) -> list[dict[str, str]]:
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def played(
    simulation: Simulation, file: Path, **options: Any
) -> tuple[SimulationResult, list[dict[str, str]]]:
    result = simulation.run(games_table=GamesTable(file), announces=False, **options)
    return result, rows_of(file)


def test_the_rows_are_the_games_that_the_result_counts(
    simulation: Simulation, tmp_path: Path
) -> None:
    result, rows = played(simulation, tmp_path / "games.csv")
    [table] = result.tables

    assert [int(row["game"]) for row in rows] == [*range(1, GAMES + 1)]
    assert {row["seed"] for row in rows} == {"5"}
    for i, name in enumerate(table.entrants):
        own = table.performances[i]
        assert {row[f"entrant_{i + 1}"] for row in rows} == {name}
        assert sum(row["winner"] == name for row in rows) == own.wins
        points = [int(row[f"points_{i + 1}"]) for row in rows]
        assert own.points is not None
        assert sum(points) / GAMES == pytest.approx(own.points.value)
        starts = sum(row["starter"] == name for row in rows)
        assert starts == table.by_seat[i][0].games
    rounds = sum(int(row["rounds"]) for row in rows)
    assert rounds / GAMES == pytest.approx(table.rounds_mean)


def test_the_size_of_blocks_changes_no_byte(
    simulation: Simulation, tmp_path: Path
) -> None:
    files = [tmp_path / "one.csv", tmp_path / "other.csv"]
    played(simulation, files[0], block_sets=1)
    played(simulation, files[1], block_sets=3)

    assert files[0].read_bytes() == files[1].read_bytes()


def test_blocks_may_come_in_any_order(simulation: Simulation, tmp_path: Path) -> None:
    [job] = simulation.jobs()
    played(simulation, tmp_path / "expected.csv")
    table = GamesTable(tmp_path / "games.csv")
    for first in (2, 0, 3, 1):
        block = Block(job, first, 1)
        rows = play_block(5, block, True).rows
        assert rows is not None
        table.keep(block, rows)

    assert table.missing(job) == []
    assert table.missing(replace(job, sets=6)) == [range(4, 6)]
    table.write([job], 5)
    expected = (tmp_path / "expected.csv").read_bytes()
    assert (tmp_path / "games.csv").read_bytes() == expected
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "expected.csv",
        "games.csv",
    ]


def test_what_was_played_before_is_played_again_for_its_rows(
    simulation: Simulation, tmp_path: Path
) -> None:
    """A record that has half of the sets, as a run directory has."""

    class Half:
        def __init__(self) -> None:
            self.added = 0

        def played(self, job: Any) -> Any:
            return 2, job.table.play(5, job.number, 0, 2)

        def missing(self, job: Any) -> list[range]:
            return [range(2, job.sets)]

        def add(self, played: Any) -> None:
            self.added += sum(block.sets for block, _ in played)

    half = Half()
    whole, expected = played(simulation, tmp_path / "expected.csv")
    result, rows = played(simulation, tmp_path / "games.csv", records=lambda _: half)

    assert rows == expected
    assert result.checksum == whole.checksum
    assert half.added == 2


def test_a_run_that_a_rule_stops_has_as_many_rows(
    simulation: Simulation, tmp_path: Path
) -> None:
    request = replace(
        simulation.setting.request, games=600, stopping=Stopping(until_width=0.6)
    )
    setting = replace(simulation.setting, request=request)
    looking = replace(simulation, setting=setting)
    result, rows = played(looking, tmp_path / "games.csv", block_sets=7)

    assert result.stopped is not None
    assert result.stopped.reached
    assert result.complete
    assert len(rows) == result.games_played < 600
    assert "once all intervals are at most 60 points wide" in result.stopped.rule


def test_parquet_says_the_same_as_csv(simulation: Simulation, tmp_path: Path) -> None:
    import pandas as pd

    played(simulation, tmp_path / "games.csv")
    simulation.run(games_table=GamesTable(tmp_path / "games.parquet"), announces=False)
    found = pd.read_parquet(tmp_path / "games.parquet")

    expected = pd.read_csv(tmp_path / "games.csv")
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_winner_of_a_draw_is_null(suffix: str, tmp_path: Path) -> None:
    import pandas as pd

    file = tmp_path / f"games{suffix}"
    with row_writer(file, file) as write:
        write({"game": [1, 2], "winner": ["The swarm", DRAW]})

    read = pd.read_csv if suffix == ".csv" else pd.read_parquet
    assert read(file)["winner"].isna().tolist() == [False, True]


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not as `games\.xlsx`"):
        check_games_table(tmp_path / "games.xlsx")


def test_parquet_needs_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(UsageError, match="needs the package `pyarrow`") as caught:
        check_games_table(tmp_path / "games.parquet")
    assert "pip install pyarrow" in str(caught.value.help)


def test_a_folder_that_is_gone_is_told_before_anything_is_played(
    tmp_path: Path,
) -> None:
    with pytest.raises(UsageError, match="no such file"):
        GamesTable(tmp_path / "gone" / "games.csv")


def test_a_game_that_crashes_is_named_as_replay_names_it(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fifth game of all: the second of its set."""
    from deckcheck.playing import table

    original = table.play_games

    def crash(*arguments: Any) -> None:
        games, at = arguments[4], arguments[-1]
        for i, (_, _, counter, beginner) in enumerate(games.tolist()):
            at[0] = i
            if (counter, beginner) == (1, 1):
                raise GameDoesNotEnd("the game does not end")
        original(*arguments)

    monkeypatch.setattr(table, "play_games", crash)
    with pytest.raises(CrashedGameError) as caught:
        play_block(5, Block(simulation.jobs()[0], 0, 4))

    assert (caught.value.set, caught.value.game) == (1, 5)
    assert caught.value.pairing == ",".join(simulation.tables[0].entrants)
