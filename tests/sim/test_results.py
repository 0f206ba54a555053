"""From games to results: runs, tallies, sums and tables of games."""

import csv
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from helpers.fakes import Crashing, Deadly, Fake, Noted, jobs_of
from helpers.outputs import check_document
from helpers.results import duel_tally, simulated, tally_of

import deckcheck
from deckcheck.engine import cache
from deckcheck.engine.registry import GameDoesNotEnd, load_game
from deckcheck.findings import UsageError
from deckcheck.formats import database_of, load_format
from deckcheck.playing import table as table_module
from deckcheck.playing import versions
from deckcheck.playing.kernel import CHECKSUM_MASK, GameOutcome, Head, Ints, ListedGame
from deckcheck.playing.table import SETS_AT_ONCE, Table, seat
from deckcheck.playing.versions import (
    GROUP_COUNT,
    MAX_MARGIN,
    MAX_ROUNDS,
    VERSION_SEAT,
    Counted,
    Versions,
    seat_version,
    view_deck,
    with_swapped_decks,
)
from deckcheck.sim import playing_blocks, scheduler
from deckcheck.sim.blocks import Unrecorded
from deckcheck.sim.errors import CrashedGameError, OtherProgramError, WorkerDiedError
from deckcheck.sim.games_table import (
    DRAW_CELL,
    GamesTable,
    check_games_table,
    row_writer,
)
from deckcheck.sim.jobs import Block, Job
from deckcheck.sim.naming import make_unique
from deckcheck.sim.playing_blocks import (
    BlockResult,
    PackedTally,
    Tallies,
    play_block,
    play_blocks,
)
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.scheduler import (
    Progress,
    RunTallies,
    StoppedEarly,
    play_jobs,
    warm_up,
)
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports
from deckcheck.sim.standings import Matchup
from deckcheck.sim.stopping import Stopping, StoppingOutcome
from deckcheck.sim.table_results import (
    combine_checksums,
    estimate_shares,
    make_table_result,
)
from deckcheck.sim.workers import WorkerProcesses
from deckcheck.stats import Histogram, anytime_mean_interval, mean_score_interval

# Swapped decks at a table: as if each had been seated, and sums that are right.

DECKS = Path(__file__).parents[2] / "decks"
SETS = 20


def contrasts_of(id: str) -> tuple[Versions, Versions]:
    """A deck and it with its first card swapped, and a table with the latter."""
    fmt = load_format(id)
    database, decks = database_of(fmt), deckcheck.read(DECKS / id)
    opponent, own, *_ = (seat(deck, "sane_random") for deck in decks)
    cards = Counter(own.cards)
    out = next(iter(cards))
    into = next(card for card in opponent.cards if card != out)
    swapped = dict(cards - Counter([out]) + Counter([into]))
    table = seat_version(fmt, database, opponent, own)
    numbers = load_game(fmt.game).card_numbers(database)
    weights = [((1, 1), (0, -1)), ((0, 3), (1, -2))]
    contrasts = with_swapped_decks(table, numbers, [dict(cards), swapped], weights)
    return contrasts, seat_version(fmt, database, opponent, replace(own, cards=swapped))


@pytest.mark.parametrize(
    "id", ["gwent/standard", "gwen_t/pool", "sg_gwint/approximation"]
)
def test_only_the_deck_of_a_seat_changes(id: str) -> None:
    contrasts, table = contrasts_of(id)
    expected = table.read_contexts()[0]
    base, found = (contrasts.of(i).read_contexts()[0] for i in range(2))

    assert sorted(found["deck"][VERSION_SEAT]) == sorted(expected["deck"][VERSION_SEAT])
    # The card that comes lies where the one lay that goes.
    assert sum(view_deck(found) != view_deck(base)) == 1
    found["deck"][VERSION_SEAT] = expected["deck"][VERSION_SEAT]
    assert found.tobytes() == expected.tobytes()


def test_sums_and_the_checksum_are_those_of_the_games_of_all_versions() -> None:
    contrasts, _ = contrasts_of("gwent/standard")
    tally = contrasts.play(5, 3, 0, SETS)
    tables = [contrasts.of(place) for place in range(2)]
    alone = [table.play(5, 3, 0, SETS) for table in tables]
    checksums = [int(each[0, Head.CHECKSUM]) for each in alone]

    assert checksums[0] != checksums[1] > 0
    assert combine_checksums([tally]) == combine_checksums(alone)
    assert tally[1 : len(alone[0])].tolist() == alone[0][1:].tolist()
    parts = contrasts.play(5, 3, 0, 8) + contrasts.play(5, 3, 8, SETS - 8)
    np.testing.assert_array_equal(contrasts.sums(tally), contrasts.sums(parts))
    old, new = (
        np.array([int(table.play(5, 3, i, 1)[1, 9:14].argmax()) for i in range(SETS)])
        for table in tables
    )
    gained, other = new - old, 3 * old - 2 * new
    expected = [[gained.sum(), other.sum()], [(gained**2).sum(), (other**2).sum()]]
    assert contrasts.sums(tally).tolist() == expected


# A row for each game: the same as the tallies count, in one order.

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


def test_blocks_may_come_in_any_order(simulation: Simulation, tmp_path: Path) -> None:
    [job] = simulation.jobs()
    played(simulation, tmp_path / "expected.csv", block_sets=3)
    table = GamesTable(tmp_path / "games.csv")
    for first in (2, 0, 3, 1):
        block = Block(job, first, 1)
        table.keep(block, play_block(5, block, True).rows)

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
    added = []

    class Half:
        """A record that has half of the sets, as a run directory has."""

        def find_played(self, job: Any) -> Any:
            return 2, PackedTally.of(job.table.play(5, job.number, 0, 2))

        def missing(self, job: Any) -> list[range]:
            return [range(2, job.sets)]

        def add(self, played: Any) -> None:
            added.extend(block.sets for block, _ in played)

    whole, expected = played(simulation, tmp_path / "expected.csv")
    file = tmp_path / "games.csv"
    result, rows = played(simulation, file, records=lambda _: Half())

    assert rows == expected
    assert result.checksum == whole.checksum
    assert sum(added) == 2


def test_a_run_that_a_rule_stops_has_as_many_rows(
    simulation: Simulation, tmp_path: Path
) -> None:
    request = replace(
        simulation.setting.request, games=600, stopping=Stopping(until_width=0.6)
    )
    setting = replace(simulation.setting, request=request)
    looking = replace(simulation, setting=setting)
    result, rows = played(looking, tmp_path / "games.csv", block_sets=7)

    assert result.stopped.reached
    assert result.complete
    assert len(rows) == result.games_played < 600
    assert "once all intervals are at most 60 points wide" in result.stopped.rule


def test_parquet_says_the_same_as_csv_and_needs_its_package(
    simulation: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both the winner of a draw is null."""
    found = []
    for suffix, frame in {".csv": pd.read_csv, ".parquet": pd.read_parquet}.items():
        file = tmp_path / f"games{suffix}"
        simulation.run(games_table=GamesTable(file), announces=False)
        found.append(frame(file))
        with row_writer(file, file) as write:
            write({"game": [1, 2], "winner": ["The swarm", DRAW_CELL]})
        assert frame(file)["winner"].isna().tolist() == [False, True]
    pd.testing.assert_frame_equal(found[1], found[0], check_dtype=False)

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="needs the package `pyarrow`") as caught:
        check_games_table(tmp_path / "games.parquet")
    assert "pip install pyarrow" in str(caught.value.help)


def test_a_game_that_crashes_is_named_as_replay_names_it(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second game of the second set, also among blocks played together."""
    original = table_module.play_games

    def crash(*arguments: Any) -> None:
        games, at = arguments[4], arguments[-1]
        for i, (_, _, counter, beginner) in enumerate(games.tolist()):
            at[0] = i
            if (counter, beginner) == (1, 1):
                raise GameDoesNotEnd("the game does not end")
        original(*arguments)

    monkeypatch.setattr(table_module, "play_games", crash)
    teams = simulated("teams", 12, "random")
    several = [Block(job, i % 2, 1) for i, job in enumerate(teams.jobs())]
    for blocks, game, table in (
        ([Block(simulation.jobs()[0], 0, 4)], 5, simulation.tables[0]),
        (several, 6, teams.tables[1]),
    ):
        with pytest.raises(CrashedGameError) as caught:
            play_blocks(5, blocks)
        assert (caught.value.set, caught.value.game) == (1, game)
        assert caught.value.pairing == ",".join(table.entrants)


@pytest.mark.parametrize(
    ("mode", "policy"), [("teams", "random"), ("duel", "heuristic"), ("solo", "random")]
)
def test_blocks_that_are_played_together_come_to_what_each_comes_to_alone(
    mode: str, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At some tables of rules of thumb a set is one game, at others it is two."""
    jobs = simulated(mode, 12, policy).jobs()[:12]
    blocks = [Block(job, n, 2 + n % 3) for n, job in enumerate(jobs * 2)]
    alone = [play_block(5, block).tally for block in blocks]
    monkeypatch.setattr(playing_blocks, "play_block", None)
    together = play_blocks(5, blocks)

    assert [result.tally for result in together] == alone


def test_long_blocks_and_unlike_tables_are_played_alone(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    [job] = simulation.jobs()
    slower = replace(job, policies=("heuristic", "random", "random"))
    monkeypatch.setattr(playing_blocks, "play_together", None)
    monkeypatch.setattr(playing_blocks, "play_block", lambda seed, block: block)
    for blocks in (
        [Block(job, 0, SETS_AT_ONCE), Block(job, SETS_AT_ONCE, 1)],
        [Block(job, 0, 1), Block(slower, 1, 1)],
        [Block(replace(job, table=Fake()), 0, 1), Block(job, 1, 1)],
    ):
        assert play_blocks(5, blocks) == blocks


# Rounds and margins: counted as the table of single games has them.

SWARM = DECKS / "gwent" / "standard" / "mo_swarm.deck"
SIEGE = SWARM.with_name("nr_siege_masters.deck")
TABLE = DECKS / "gwent" / "free_for_all" / "kings_and_beasts.deck"


def as_counts(found: Histogram) -> dict[int, int]:
    return {found.first + i: n for i, n in enumerate(found.counts) if n}


def test_the_lead_is_that_of_the_first_of_two_else_in_points(tmp_path: Path) -> None:
    for decks in ((SIEGE, SWARM), (TABLE,)):
        file = tmp_path / f"{len(decks)}.csv"
        result = deckcheck.simulate(
            *decks, games=60, policies="random", games_table=file
        )
        (table,), games = result.tables, rows_of(file)
        leads = []
        for game in games:
            keys = [f"points_{i + 1}" for i in range(len(table.entrants))]
            *_, second, first = sorted(int(game[key]) for key in keys)
            leads.append(int(game["lead"]) if len(decks) == 2 else first - second)

        assert as_counts(table.margins) == Counter(leads)
        assert as_counts(table.rounds) == Counter(int(game["rounds"]) for game in games)


def test_who_sits_elsewhere_leads_with_the_other_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes = np.zeros((4, GameOutcome.PLACE + 8), np.int64)
    outcomes[:, GameOutcome.PLACE] = 1
    outcomes[:, GameOutcome.LEAD] = 5, 7, 2 * MAX_MARGIN, -1
    outcomes[:, GameOutcome.ROUNDS] = 2, 3, 3, 2 * MAX_ROUNDS

    def play(table: Table, seed: int, games: Ints, of_set: Ints, log: None) -> Ints:
        played: Ints = outcomes[(2 * games[:, ListedGame.COUNTER] + of_set) % 4]
        return played

    monkeypatch.setattr(versions, "play_logged", play)
    table = Counted(Table("gwent", "two", (b"", b""), ((0, 1), (1, 0))))
    # More sets than are played at once, of which every other has changed seats.
    found = make_table_result(("a", "b"), table.play(1, 0, 1, SETS_AT_ONCE + 3))

    few, many = SETS_AT_ONCE // 2 + 1, SETS_AT_ONCE // 2 + 2
    assert as_counts(found.margins) == {-MAX_MARGIN: many, 1: many, 5: few, 7: few}
    assert as_counts(found.rounds) == {2: few, 3: SETS_AT_ONCE + 3, MAX_ROUNDS: many}
    # With other numbers a run that was kept could not be read or continued.
    assert (MAX_ROUNDS, MAX_MARGIN, GROUP_COUNT) == (31, 200, 128)


# Runs: same tallies however they are played, and clear ends when they fail.


@pytest.fixture
def expected() -> dict[int, list[int]]:
    return {
        job.number: Fake().play(7, job.number, 0, 500).tolist()
        for job in jobs_of(3, 500)
    }


def tallies(played: RunTallies) -> dict[int, list[int]]:
    return {number: tally.tolist() for number, tally in played.tallies.items()}


def test_blocks_do_not_change_a_tally(expected: dict[int, list[int]]) -> None:
    for block_sets in (1, 7, None):
        played = play_jobs(jobs_of(3, 500), 7, block_sets=block_sets)
        assert tallies(played) == expected, block_sets


@pytest.mark.parametrize(
    ("executor", "jobs"),
    [(ThreadPoolExecutor, 3), pytest.param(WorkerProcesses, 2, marks=pytest.mark.slow)],
)
def test_any_executor_plays_the_same(
    executor: Callable[[int], Any], jobs: int, expected: dict[int, list[int]]
) -> None:
    workers = executor(jobs)
    try:
        played = play_jobs(
            jobs_of(3, 500), 7, jobs=jobs, executor=workers, block_sets=11
        )
    finally:
        (workers.stop if isinstance(workers, WorkerProcesses) else workers.shutdown)()

    assert tallies(played) == expected
    assert played.jobs == jobs
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("compiled", "jobs"), [(True, 2), (False, 1)])
def test_compiled_games_are_played_by_threads(
    monkeypatch: pytest.MonkeyPatch,
    compiled: bool,
    jobs: int,
    expected: dict[int, list[int]],
) -> None:
    monkeypatch.setattr(cache, "compiled", compiled)
    played = play_jobs(jobs_of(3, 500), 7, jobs=2, block_sets=11)

    assert tallies(played) == expected
    assert played.jobs == jobs
    assert not multiprocessing.active_children()


class Looks:
    """A rule that looks after these numbers of sets and changes nothing."""

    def __init__(self, jobs: Sequence[Job], *looks: int) -> None:
        self.jobs = jobs
        self.looks = iter(looks)

    def more(self, _: Mapping[int, Ints]) -> list[Job]:
        sets = next(self.looks, 0)
        return [replace(job, sets=sets) for job in self.jobs] if sets else []

    def make_outcome(self, _: Sequence[int]) -> StoppingOutcome:
        return StoppingOutcome("at the last look", ())


def test_looking_plays_no_set_twice(expected: dict[int, list[int]]) -> None:
    table = Noted()
    jobs = jobs_of(3, 500, table=table)
    rule = Looks(jobs, 32, 40, 211, 500)
    played = play_jobs(jobs, 7, block_sets=11, rule=rule)

    assert tallies(played) == expected
    assert sum(sets for _, sets in table.calls) == 3 * 500
    assert played.complete


class Dying:
    """Workers that play in this process; those started first die after some blocks."""

    started: ClassVar[list[int]] = []

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.ready: set[str] = set()
        self.blocks = 0
        self.started.append(workers)

    def __len__(self) -> int:
        return self.workers

    def restart(self) -> None:
        """Start others."""
        self.started.append(self.workers)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.blocks += 1
        if len(self.started) == 1 and self.blocks > 5:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(*args))
        return future

    def stop(self) -> None:
        """Nothing runs."""


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of a run are those that die."""
    monkeypatch.setattr(Dying, "started", [])
    monkeypatch.setattr(scheduler, "WorkerProcesses", Dying)


@pytest.mark.usefixtures("dying")
def test_blocks_of_workers_that_died_are_played_by_others(
    expected: dict[int, list[int]],
) -> None:
    workers = Dying(2)
    played = play_jobs(jobs_of(3, 500), 7, executor=workers, block_sets=25)

    assert Dying.started == [2, 2]
    assert tallies(played) == expected
    assert played.complete


@pytest.mark.usefixtures("dying")
def test_workers_stay_ready_from_one_part_of_a_study_to_the_next(
    expected: dict[int, list[int]],
) -> None:
    workers = Dying(2)
    play_jobs(jobs_of(2, 25), 7, executor=workers, block_sets=25)
    assert len(workers.ready) == 1  # both play in this one process
    workers.ready.add("the other")
    seen: list[Progress] = []
    played = play_jobs(
        jobs_of(3, 500), 7, jobs=2, executor=workers, block_sets=25, watch=seen.append
    )

    assert {p.ready for p in seen} == {2}
    # They die once they are ready: others take their place.
    assert Dying.started == [2, 2]
    assert tallies(played) == expected


def test_loading_is_no_time_of_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 10))
    monkeypatch.setattr(scheduler, "perf_counter", lambda: next(clock))
    workers = Dying(2)
    workers.blocks = -1_000
    seen: list[Progress] = []
    play_jobs(jobs_of(2, 100), 7, executor=workers, block_sets=25, watch=seen.append)

    # Read at the start, before and after a wait, and to tell: each takes ten seconds.
    assert 19 < seen[0].seconds < 21


def test_blocks_of_another_program_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker with other code would play other games."""
    other = replace(Program.here(), engine="0f1e2d")

    def play(*args: Any) -> list[BlockResult]:
        return [replace(result, program=other) for result in play_blocks(*args)]

    monkeypatch.setattr(scheduler, "play_blocks", play)
    with pytest.raises(OtherProgramError, match="with engine 0f1e2d"):
        play_jobs(jobs_of(2, 200), 7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "error", "said"),
    [
        (Crashing(), CrashedGameError, "seed 7, table 1, set 70"),
        (Deadly(), WorkerDiedError, "A worker process was killed"),
    ],
)
def test_a_crash_in_a_worker_is_one_clear_sentence(
    table: Fake, error: type[Exception], said: str
) -> None:
    workers = WorkerProcesses(1)
    try:
        with pytest.raises(error, match=said):
            play_jobs(jobs_of(2, 200, table=table), 7, executor=workers)
    finally:
        workers.stop()


def test_a_run_that_is_stopped_at_a_look_is_not_complete() -> None:
    """Without a look, the interrupt passes through."""

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    jobs = jobs_of(2, 200)
    rule = Looks(jobs, 32, 200)
    with pytest.raises(StoppedEarly) as stopped:
        play_jobs(jobs, 7, block_sets=32, watch=interrupt, rule=rule)

    assert [int(t[0]) for t in stopped.value.played.tallies.values()] == [32]
    assert not stopped.value.played.complete
    with pytest.raises(KeyboardInterrupt):
        play_jobs(jobs, 7, watch=interrupt)


def test_warm_up_plays_each_combination_of_policies_once() -> None:
    table = Noted()
    warm_up(jobs_of(4, 100, ["random", "random", "random", "search"], table), 7)

    assert table.calls == [(1, 1), (6, 1)]


class SecondHalf(Unrecorded):
    """Another shard plays the first half of the sets."""

    def missing(self, job: Job) -> list[range]:
        return [range(job.sets // 2, job.sets)]


def test_progress_names_the_job_and_goes_up_to_what_is_played_here() -> None:
    """And to what may be played, where a rule may stop the run."""
    seen: list[Progress] = []
    play_jobs(jobs_of(3, 100), 7, block_sets=100, watch=seen.append)
    assert [(p.games, p.job.number) for p in seen] == [(200, 1), (400, 3), (600, 4)]
    assert [int(p.tally[0]) for p in seen if p.tally is not None] == [100, 100, 100]

    play_jobs(jobs_of(3, 40), 7, record=SecondHalf(), watch=seen.append)
    assert seen[-1].games == seen[-1].games_total == 3 * 20 * 2

    jobs = jobs_of(3, 500)
    play_jobs(jobs, 7, rule=Looks(jobs, 32, 40), watch=seen.append)
    assert (seen[-1].games, seen[-1].games_total) == (3 * 40 * 2, 3 * 500 * 2)


# Tallies of many jobs are kept without their zeros.


def test_a_tally_is_what_it_was() -> None:
    for cells in (
        np.zeros((3, 5)),
        np.array([[0, 7, 0], [-(1 << 62), 0, 1 << 62]]),
        np.array([4]),
        np.zeros((0, 3)),
    ):
        tally, kept = cells.astype(np.int64), Tallies()
        kept[3] = tally
        kept[3][:] = 9  # what is taken out is a copy

        assert kept[3].shape == tally.shape
        assert kept[3].dtype == tally.dtype
        assert np.array_equal(kept[3], tally)
        assert ([*kept], len(kept), 3 in kept, 4 in kept) == ([3], 1, True, False)


def test_a_sum_is_the_same_however_its_games_were_cut() -> None:
    """Hashes of games are added up to 48 bits, by the block or all at once."""
    blocks = np.full((3, 2, 4), CHECKSUM_MASK - 5, np.int64)
    first, second, third = map(PackedTally.of, blocks)
    one_by_one = third.added_to(second.added_to(first))

    assert one_by_one == PackedTally.of(blocks[1] + blocks[2]).added_to(first)
    tally = one_by_one.unpack()
    assert tally[0, Head.CHECKSUM] == 3 * (CHECKSUM_MASK - 5) & CHECKSUM_MASK
    assert tally[0, Head.SETS] == 3 * (CHECKSUM_MASK - 5)


def test_tallies_take_little_memory() -> None:
    """One that is mostly zeros is packed, and one that is kept is not copied."""
    tally = np.zeros((80, 12), np.int64)
    tally[::20] = 1
    packed, known = PackedTally.of(tally), Tallies()
    assert len(packed.places) + len(packed.cells) == 12 * 4 * (8 + 4)
    assert tally.nbytes > 10 * 12 * 4 * (8 + 4)

    known.keep(3, packed)
    assert known.find_packed(3) is packed
    known.add(3, packed)
    known.add(4, packed)
    assert [known[n].sum() for n in (3, 4)] == [2 * 48, 48]


# From tallies to win shares, places and points, and to matchups.

# Three games a set: a wins, a and b share, all draw; then b, c and c win.
ONE = [((1, 2, 3), (6, 4, 2), 0), ((1, 1, 3), (4, 4, 1), 1), ((1, 1, 1), (2, 2, 2), 2)]
TWO = [((2, 1, 3), (3, 5, 1), 0), ((3, 2, 1), (0, 2, 4), 1), ((2, 2, 1), (3, 3, 6), 2)]
TOTALS_TABLE = make_table_result(("a", "b", "c"), tally_of([ONE, TWO]))


def test_a_shared_win_counts_in_parts_and_seats_from_who_began() -> None:
    table = TOTALS_TABLE
    a, b, c = table.performances
    one = (1 + 1 / 2 + 1 / 3) / 3

    assert (table.games, table.sets, table.draws) == (6, 2, 1)
    assert (table.rounds_mean, table.turns_mean) == (3, 20)
    assert table.even_share == pytest.approx(1 / 3)
    assert (a.wins, a.shared) == (1, 2)
    assert a.win_share.value == pytest.approx(one / 2)
    # All of it in the games of one set, and nothing in the other.
    assert a.variance == pytest.approx((one / 2) ** 2)
    assert sum(each.win_share.value for each in (a, b, c)) == pytest.approx(1)
    assert (a.place.value, a.points.value) == pytest.approx((10 / 6, 18 / 6))
    [share, *_] = estimate_shares(tally_of([ONE, TWO]), 3, anytime=False)
    assert share == a.win_share
    # Each began one game of each set, and nobody else sat first.
    first = table.seats[0]
    assert first.games == 6
    assert first.points.value == pytest.approx((6 + 4 + 2 + 3 + 2 + 6) / 6)
    assert [cell.games for row in table.by_seat for cell in row] == [2] * 9


def test_sets_are_the_unit_of_intervals() -> None:
    """Points of a: 12 in one set, 6 in the other, so 4 and 2 a game."""
    points = TOTALS_TABLE.performances[0].points
    variance = ((4 - 3) ** 2 + (2 - 3) ** 2) / 1
    # Two more sets, two deviations off; Student's quantile of one degree of freedom.
    reach = 12.706205 * sqrt((variance + 2 * 4 * variance) / 3 / 2)

    assert points.interval == pytest.approx((3 - reach, 3 + reach), abs=1e-5)


def test_means_of_a_run_that_was_looked_at_are_less_sure() -> None:
    """Points of a: 12 and 6 in a set of three games."""
    looked = make_table_result(("a", "b", "c"), tally_of([ONE, TWO]), anytime=True)
    points = anytime_mean_interval(12 + 6, 12**2 + 6**2, 2).scale(1 / 3)

    assert looked.performances[0].points.interval == pytest.approx(points)
    rows = zip(looked.performances, TOTALS_TABLE.performances, strict=True)
    for wide, narrow in rows:
        for name in ("win_share", "place", "points"):
            mean, fixed = getattr(wide, name), getattr(narrow, name)
            assert mean.value == fixed.value
            low, high = fixed.interval
            assert mean.interval.low <= low <= high <= mean.interval.high
        low, high = narrow.points.interval
        wider = wide.points.interval
        assert wider.low < low < high < wider.high or low == high


def test_who_always_won_may_yet_lose() -> None:
    """Twenty sets in which one is first and the other last: the next may differ."""
    games = [((1, 2), (2, 0), 0), ((1, 2), (2, 1), 0)]
    first, last = make_table_result(("a", "b"), tally_of([games] * 20)).performances

    assert first.place.interval == pytest.approx((1, 1.1611), abs=1e-4)
    assert last.place.interval == pytest.approx((1.8389, 2), abs=1e-4)
    turned = [((2, 1), (0, 2), 0), ((2, 1), (1, 2), 0)]
    tally = tally_of([games] * 20 + [turned])
    first, _ = make_table_result(("a", "b"), tally, anytime=True).performances
    assert first.place.interval == pytest.approx((1, 1.4707), abs=1e-4)


def test_who_always_begins_has_nothing_in_other_seats() -> None:
    """One entrant chooses to begin both games of a set: the two count as one."""
    games = [((1, 2), (2, 0), 0), ((1, 2), (2, 1), 0)]
    table = make_table_result(("chooser", "other"), tally_of([games] * 20))
    begins, follows = table.by_seat[0]

    assert (begins.games, follows.games) == (40, 0)
    assert follows.win_share is follows.place is follows.points is None
    both = table.performances[0].win_share.interval
    assert begins.win_share.interval == pytest.approx(both)
    # In a matchup as well.
    always = Matchup(make_table_result("ab", duel_tally([(8, "A- A-"), (12, "A+ A+")])))
    assert always.b_starts.win_rate_a is always.b_starts.interval is None
    assert always.a_starts.interval == always.interval


# 100 pairs: each deck began each pair once.
PAIRS = [(25, "A+ B+"), (5, "A+ B="), (40, "A+ B-"), (15, "A- B+"), (15, "A= B-")]
MATCHUP = Matchup(make_table_result(("Siege masters", "The swarm"), duel_tally(PAIRS)))


def test_a_win_rate_comes_from_pairs() -> None:
    assert MATCHUP.pairs == (0, 15, 55, 5, 25)
    assert MATCHUP.win_rate_a == pytest.approx((15 + 110 + 15 + 100) / 400)
    assert MATCHUP.interval == mean_score_interval([0, 15, 55, 5, 25])
    assert (MATCHUP.wins_a, MATCHUP.wins_b, MATCHUP.draws) == (110, 70, 20)
    assert MATCHUP.games == 200
    assert (MATCHUP.rounds_mean, MATCHUP.turns_mean) == (3, 20)
    assert (MATCHUP.cards_left_a_mean, MATCHUP.cards_left_b_mean) == (1, 2)


def test_mirrored_a_matchup_is_counted_from_the_other_side() -> None:
    matchup = MATCHUP
    other, rate = matchup.swap_sides(), matchup.win_rate(matchup.b)

    assert (other.a, other.b) == (matchup.b, matchup.a)
    assert (other.wins_a, other.wins_b, other.draws) == (70, 110, 20)
    assert matchup.count_results(matchup.b) == (70, 110, 20)
    assert other.win_rate_a == rate.value == pytest.approx(1 - matchup.win_rate_a)
    assert rate.interval.low == pytest.approx(1 - matchup.interval.high)
    assert other.win_rate(other.b) == matchup.win_rate(matchup.a)
    assert (other.cards_left_a_mean, other.cards_left_b_mean) == (2, 1)
    # The games that deck a began are those that it did not begin as deck b.
    assert other.a_starts.wins_b == matchup.b_starts.wins_a
    assert other.b_starts.wins_b == matchup.a_starts.wins_a
    assert other.swap_sides() == matchup


def test_splits_have_intervals_of_independent_games() -> None:
    """Below 30 games the interval of a rate would hold in 84 to 92 of 100 runs."""
    begun, not_begun = MATCHUP.a_starts, MATCHUP.b_starts
    few, enough = (
        Matchup(make_table_result(("A", "B"), duel_tally([(pairs, "A+ B-")]))).a_starts
        for pairs in (29, 30)
    )

    assert (begun.wins_a, begun.wins_b, begun.draws) == (70, 15, 15)
    assert begun.win_rate_a == pytest.approx(0.775)
    assert begun.interval == mean_score_interval([15, 15, 70])
    assert not_begun.interval == mean_score_interval([55, 5, 40])
    assert (few.games, few.wins_a) == (29, 29)
    assert few.win_rate_a is few.interval is None
    assert enough.win_rate_a == 1
    assert enough.interval is not None


def test_games_that_began_alike_count_once() -> None:
    """Ten pairs apart, ten begun twice by a: 30 games worth 900 / 50 = 18."""
    tally = duel_tally([(10, "A+ B-"), (5, "A- A-"), (5, "A+ A-"), (0, "A+ A+")])
    table = make_table_result(("Smugglers", "The swarm"), tally)
    begun, place = Matchup(table).a_starts, table.by_seat[0][0].place
    # Tallies of an earlier version have neither.
    assert table.rounds is table.margins is None

    assert (begun.games, begun.wins_a) == (30, 15)
    assert begun.interval == pytest.approx(mean_score_interval([9, 0, 9]))
    # Place 1 in 15 games and 2 in 15: a half, and Student's quantile of 17 degrees.
    weight = 2.109816**2 / 18
    reach = sqrt(weight * 0.5**2 + weight**2 / 4) / (1 + weight)
    assert place.interval == pytest.approx((1.5 - reach, 1.5 + reach))


def test_the_checksum_is_the_same_in_any_order() -> None:
    tallies = [duel_tally([(1, "A+ B+")]) for _ in range(3)]
    for tally, number in zip(tallies, (9, 3, 15), strict=True):
        tally[0, Head.CHECKSUM] = number << 44
    for ordered in (tallies, tallies[::-1]):
        assert combine_checksums(ordered) == "b00000000000"


def test_a_deck_is_not_called_as_tables_call_all() -> None:
    paths = ["lists/anna.deck", "lists/ben.deck"]
    for name in ("(all)", " (ALL)"):
        names = make_unique([name, "Siege"], paths, [])
        assert names == [f"{name} (anna.deck)", "Siege"]


def test_interrupted_standings_name_the_opponents_that_were_met() -> None:
    names = ["The swarm", "Siege masters", "Longships of Skellige"]
    decks = [SWARM, SIEGE, SWARM.with_name("sk_longships.deck")]
    whole = deckcheck.simulate(*decks, games=20, policies="random", cross_check="none")
    part = replace(whole, complete=False, tables=whole.tables[:2])
    found = {place["deck"]: place for place in part.to_dict()["standings"]}

    assert "opponents_met" not in found[names[0]]
    assert [found[name]["opponents_met"] for name in names[1:]] == [names[:1]] * 2
    assert not any("opponents_met" in place for place in whole.to_dict()["standings"])
    check_document("simulate", part.to_dict())
