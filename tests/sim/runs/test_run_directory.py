"""Runs with the real engine: kept, taken up again, extended, put together."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import deckcheck
from deckcheck.formats import database_of
from deckcheck.report import report_names, write_report
from deckcheck.sim.making import simulation_of
from deckcheck.sim.reports import common_format, gather
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run import Progress
from deckcheck.sim.runs.blocks import BLOCKS
from deckcheck.sim.runs.directory import new_run, open_run
from deckcheck.sim.runs.file import RUN
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Interrupted
from deckcheck.sim.stopping import Stopping

ROOT = Path(__file__).parents[3]
DECKS = ROOT / "decks" / "gwent"
NAMES = ("mo_swarm.deck", "nr_siege_masters.deck", "st_beautiful_archers.deck")
FIELD = [DECKS / "standard" / name for name in NAMES]
GAMES = 400

Play = Callable[..., SimulationResult]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play a small field at random, in a run directory unless told otherwise."""

    def play(run: str | None = "run", **options: object) -> SimulationResult:
        settings = {"games": GAMES, "seed": 5, "policies": "random", **options}
        folder = None if run is None else tmp_path / run
        return deckcheck.simulate(FIELD, run=folder, **settings)  # type: ignore[arg-type]

    return play


def outputs(result: SimulationResult) -> list[str]:
    """The bytes of every output."""
    return [write_report(result, name, all_matchups=True) for name in report_names()]


def stop_after(blocks: int) -> Callable[[Progress], None]:
    """Ctrl-C after so many blocks."""
    left = iter(range(blocks - 1))

    def watch(_: Progress) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return watch


def test_says_the_same_as_a_run_without_a_folder(play: Play, tmp_path: Path) -> None:
    kept, plain = play(), play(None)

    assert kept == replace(plain, seconds=None, jobs=None)
    assert sorted(file.name for file in (tmp_path / "run").iterdir()) == [
        *(BLOCKS, "lock", RUN),
    ]


def test_an_interrupted_run_goes_on(play: Play, tmp_path: Path) -> None:
    whole = play("whole")
    for blocks in (1, 1):
        with pytest.raises(Interrupted):
            play(progress=stop_after(blocks))
    lines = (tmp_path / "run" / BLOCKS).read_bytes().splitlines()

    assert len(lines) == 2
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(whole)
    assert (tmp_path / "run" / BLOCKS).read_bytes().splitlines()[:2] == lines


def test_a_run_is_read_as_it_is(play: Play, tmp_path: Path) -> None:
    with pytest.raises(Interrupted) as stop:
        play(progress=stop_after(2))
    assert stop.value.result is not None
    half = outputs(open_run(tmp_path / "run").result())

    assert half == outputs(replace(stop.value.result, seconds=None, jobs=None))
    whole = deckcheck.resume(tmp_path / "run")
    file = tmp_path / "run" / RUN
    other = {"tool": {"version": deckcheck.__version__, "engine": "0"}, "cards": "0"}
    file.write_text(json.dumps({**json.loads(file.read_text()), **other}))
    read = open_run(tmp_path / "run", only_read=True).result()
    assert outputs(read) == outputs(whole)


def test_a_run_that_a_rule_stopped_is_read_as_it_is(tmp_path: Path) -> None:
    reports, _ = gather(list(map(str, FIELD)))
    fmt = common_format(reports)
    rule = Stopping(until_width=0.1)
    request = Request(games=4_000, seed=5, policies=("random",), stopping=rule)
    simulation = simulation_of(fmt, database_of(fmt), reports, request)
    run = new_run(tmp_path / "run", simulation)
    with run.kept_open():
        stopped = simulation.run(records=run.part)
    read = open_run(tmp_path / "run").result()

    assert stopped.games_played < 3 * 4_000
    assert read == stopped


def test_a_run_without_games_has_no_result(play: Play, tmp_path: Path) -> None:
    play(games=40)
    (tmp_path / "run" / BLOCKS).write_bytes(b"")

    with pytest.raises(deckcheck.UsageError, match=r"No game of .* has been played"):
        open_run(tmp_path / "run").result()


def test_what_is_finished_is_not_played_again(play: Play, tmp_path: Path) -> None:
    first = play()
    seen: list[Progress] = []
    again = play(progress=seen.append)

    assert seen == []
    assert outputs(again) == outputs(first)


@pytest.fixture
def protect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let nothing be written to the run from now on, not by root either."""
    run, system = tmp_path / "run", os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and Path(path).parent == run:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return system(path, flags, mode)

    return lambda: monkeypatch.setattr(os, "open", refuse)


def test_what_is_finished_can_be_read_where_nothing_can_be_written(
    play: Play, tmp_path: Path, protect: Callable[[], None]
) -> None:
    first = play()
    protect()

    assert outputs(play()) == outputs(first)
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(first)
    assert outputs(open_run(tmp_path / "run").result()) == outputs(first)
    with pytest.raises(deckcheck.UsageError, match="Cannot write to"):
        deckcheck.resume(tmp_path / "run", games=2 * GAMES)


def test_what_is_missing_is_not_played_where_it_cannot_be_kept(
    play: Play, tmp_path: Path, protect: Callable[[], None]
) -> None:
    with pytest.raises(Interrupted):
        play(progress=stop_after(2))
    protect()
    seen: list[Progress] = []

    with pytest.raises(deckcheck.UsageError, match="the run is not complete"):
        deckcheck.resume(tmp_path / "run", progress=seen.append)
    assert seen == []


def test_an_extended_run_is_one_long_run(play: Play, tmp_path: Path) -> None:
    play(games=GAMES // 2)
    longer = deckcheck.resume(tmp_path / "run", games=GAMES)

    assert outputs(longer) == outputs(play("long"))
    with pytest.raises(deckcheck.UsageError, match="cannot have 100"):
        deckcheck.resume(tmp_path / "run", games=100)


def test_shards_come_together_in_any_order(play: Play, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        part = play(f"shard{number}", shard=f"{number}/3")
        assert not part.complete
    shards = [tmp_path / f"shard{number}" for number in (3, 1, 2)]
    deckcheck.merge(shards, into=tmp_path / "all")
    seen: list[Progress] = []
    merged = deckcheck.resume(tmp_path / "all", progress=seen.append)

    assert seen == []
    assert outputs(merged) == outputs(play("whole"))


def test_a_lost_shard_is_played_by_resume(play: Play, tmp_path: Path) -> None:
    for number in (1, 3):
        play(f"shard{number}", shard=f"{number}/3")
    deckcheck.merge(tmp_path / "shard3", tmp_path / "shard1", into=tmp_path / "all")

    assert outputs(deckcheck.resume(tmp_path / "all")) == outputs(play("whole"))


def test_shards_cannot_be_extended(play: Play, tmp_path: Path) -> None:
    play(shard="1/2")
    with pytest.raises(deckcheck.UsageError, match="is shard 1/2, and cannot"):
        deckcheck.resume(tmp_path / "run", games=2 * GAMES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 6}, "of different runs: seed is 5, not 6"),
        ({"games": 2 * GAMES}, "of different runs: games is 400, not 800"),
        ({}, "have the same games: sets 0 to "),
    ],
)
def test_what_does_not_belong_together_is_not_merged(
    play: Play, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    play("one", shard="1/2")
    play("other", shard="1/2", **options)

    with pytest.raises(deckcheck.UsageError, match=message):
        deckcheck.merge(tmp_path / "one", tmp_path / "other", into=tmp_path / "all")
    assert not (tmp_path / "all").exists()


def test_merging_overwrites_nothing(play: Play, tmp_path: Path) -> None:
    play(games=40)
    with pytest.raises(deckcheck.UsageError, match="is there already"):
        deckcheck.merge(tmp_path / "run", into=tmp_path / "run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 6}, "holds another run: seed is 5, not 6"),
        ({"policies": "sane_random"}, "policies is random, not sane_random"),
        ({"mirror": True}, "mirror is false, not true"),
        ({"rule": "ban Scorch", "allow_illegal": True}, "format is gwent/standard@"),
        ({"shard": "1/2"}, "shard is all, not 1/2"),
        ({"games": 20}, "games is 40, not 20"),
        ({"games": 60}, "has 40 games, not 60"),
    ],
)
def test_another_run_is_refused_and_says_what_differs(
    play: Play, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    play(games=40)
    before = (tmp_path / "run" / RUN).read_bytes()

    with pytest.raises(deckcheck.UsageError, match=message):
        play(**{"games": 40, **options})
    assert (tmp_path / "run" / RUN).read_bytes() == before


def test_other_decks_are_another_run(play: Play, tmp_path: Path) -> None:
    play(games=40)
    other = tmp_path / "swarm.deck"
    text = FIELD[0].read_text()
    other.write_text(text.replace("3 Nekker", "2 Nekker\n1 Scorch"))

    with pytest.raises(deckcheck.UsageError, match="deck `The swarm` differs"):
        deckcheck.simulate(
            [other, *FIELD[1:]],
            run=tmp_path / "run",
            games=40,
            seed=5,
            policies="random",
            allow_illegal=True,
        )


def test_a_folder_with_other_files_is_refused(play: Play, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").touch()

    with pytest.raises(deckcheck.UsageError, match="holds files that are no run"):
        play()


def test_files_of_the_run_may_be_gone(tmp_path: Path) -> None:
    """Decks and a format of one's own, with a set that changes cards."""
    source = tmp_path / "source"
    source.mkdir()
    for file in FIELD[:2]:
        shutil.copy(file, source)
    (source / "winter.yaml").write_text("change: {Catapult: {strength: 10}}\n")
    (source / "own.yaml").write_text(
        "title: Own\nextends: gwent/standard\nsnapshot: 2026-01\nsets: [winter.yaml]\n"
    )
    settings = {"games": 40, "policies": "random", "format": source / "own.yaml"}
    decks = sorted(source.glob("*.deck"))
    expected = deckcheck.simulate(decks, run=tmp_path / "a", **settings)  # type: ignore[arg-type]
    with pytest.raises(Interrupted):
        deckcheck.simulate(
            decks,
            run=tmp_path / "b",
            progress=stop_after(1),
            **{**settings, "games": 400},  # type: ignore[arg-type]
        )
    shutil.rmtree(source)

    assert outputs(deckcheck.resume(tmp_path / "a")) == outputs(expected)
    longer = deckcheck.resume(tmp_path / "a", games=400)
    assert outputs(deckcheck.resume(tmp_path / "b")) == outputs(longer)
    assert "Catapult (strength 10, not 8)" in outputs(longer)[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"tool": {"version": "0.1.0", "engine": "0"}},
            "was played by deckcheck 0.1.0",
        ),
        ({"tool": {"version": deckcheck.__version__, "engine": "0"}}, "another engine"),
        ({"cards": "0" * 12}, "was played with other cards: digest 000000000000"),
        ({"format": {"Format": [1]}}, "is damaged: `format` is none"),
        ({"seed": 1}, "is damaged: .*unknown key `seed`"),
        ({"decks": 3}, "is damaged: .*expected a list"),
    ],
)
def test_a_run_that_cannot_go_on_here_says_why(
    play: Play, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    play(games=40)
    file = tmp_path / "run" / RUN
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))

    with pytest.raises(deckcheck.UsageError, match=message):
        deckcheck.resume(tmp_path / "run")


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(deckcheck.UsageError, match="is no run directory"):
        deckcheck.resume(tmp_path)


def test_runs_are_never_taken_for_decks(play: Play, tmp_path: Path) -> None:
    play(games=40)
    shutil.copy(FIELD[0], tmp_path)

    assert [deck.name for deck in deckcheck.read(tmp_path)] == ["The swarm"]


def test_an_interrupt_carries_what_was_played(play: Play) -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        play(None, progress=stop_after(2))
    result = caught.value.result  # type: ignore[attr-defined]

    assert not result.complete
    assert 0 < result.games_played < 3 * GAMES
    assert "not all games were played" in outputs(result)[0]
    assert json.loads(outputs(result)[1])["complete"] is False


def test_lineups_are_measured_again_for_more_matches(tmp_path: Path) -> None:
    """Other chances lead to other choices: no match may be taken over from before."""
    lineups = [
        ROOT / "decks" / "gwent" / "tournament" / name
        for name in ("kin_of_the_coast.deck", "crowns_and_claws.deck")
    ]
    settings = {"policies": "random", "selections": ("optimal", "fixed")}
    deckcheck.simulate(lineups, run=tmp_path / "a", games=20, **settings)  # type: ignore[arg-type]
    longer = deckcheck.resume(tmp_path / "a", games=60)
    long = deckcheck.simulate(lineups, run=tmp_path / "b", games=60, **settings)  # type: ignore[arg-type]
    for number in (1, 2):
        shard = f"{number}/2"
        deckcheck.simulate(
            lineups,
            run=tmp_path / f"s{number}",
            games=60,
            shard=shard,
            **settings,  # type: ignore[arg-type]
        )
    deckcheck.merge(tmp_path / "s2", tmp_path / "s1", into=tmp_path / "c")

    assert outputs(longer) == outputs(long)
    assert outputs(deckcheck.resume(tmp_path / "c")) == outputs(long)
    assert outputs(open_run(tmp_path / "c").result()) == outputs(long)


def test_a_run_remembers_the_folders_of_its_cards(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "card_db" / "gwen_t", tmp_path / "mine" / "tiny")
    file = tmp_path / "mine" / "tiny" / "game.yaml"
    file.write_text(file.read_text().replace("id: gwen_t", "id: tiny"))
    monkeypatch.chdir(tmp_path)
    result = play(games=20, card_db=["mine", "built-in"])
    kept = json.loads((tmp_path / "run" / RUN).read_text())["card_db"]
    monkeypatch.chdir(ROOT)

    assert kept == [str(tmp_path / "mine"), "built-in"]
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(result)
