"""Runs in folders: kept, locked, cut into shards, put together."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from socket import gethostname
from types import MappingProxyType
from typing import Any

import pytest
from helpers.changes import single_changes
from helpers.results import change_document, make_simulation

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.formats import format_ids
from deckcheck.sim import jobs as blocks
from deckcheck.sim import scheduler
from deckcheck.sim.blocks import (
    BLOCKS_FILE,
    MEASURING_PART,
    BlockFile,
    Key,
    find_gaps,
    read_line,
    write_line,
)
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import missing_shards, new_run, open_run
from deckcheck.sim.run_files import Lock, Shard, draft_path, read_document, read_shard
from deckcheck.sim.run_settings import RUN_FILE, RunFile, read_run_file
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping import Stopping
from deckcheck.sim.study import Interrupted
from deckcheck.studies.registry import write_report

# One process at a time writes a run.

HOLD = (
    "import sys, pathlib; from deckcheck.sim.run_files import Lock;"
    "lock = Lock(pathlib.Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
)


def test_the_holder_is_named_and_a_killed_one_forgotten(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(UsageError) as caught:
            Lock(tmp_path)
        holder.kill()
        holder.wait()

    assert f"process {holder.pid} on {gethostname()}" in caught.value.message
    Lock(tmp_path).release()
    lock = Lock(tmp_path)
    with pytest.raises(UsageError, match=f"process {os.getpid()} on"):
        Lock(tmp_path)
    lock.release()
    with pytest.raises(UsageError, match="no such file or directory"):
        Lock(tmp_path / "gone")


# Runs with the real engine: kept, taken up again, extended, put together.

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "decks" / "gwent"
NAMES = ("mo_swarm.deck", "nr_siege_masters.deck", "st_beautiful_archers.deck")
FIELD = [DECKS / "standard" / name for name in NAMES]
GAMES = 400
FOREIGN = r"blocks\.jsonl:1: this line is damaged, or is of another run"

Play = Callable[..., SimulationResult]


@pytest.fixture(autouse=True)
def _blocks_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short blocks too are handed out alone: these tests count them to stop."""
    monkeypatch.setattr(blocks, "MOST_TOGETHER", 1)
    monkeypatch.setattr(scheduler, "MOST_HERE", 1)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play a small field at random, in a run directory unless told otherwise."""

    def play(run: str | None = "run", **options: Any) -> SimulationResult:
        settings = {"games": GAMES, "seed": 5, "policies": "random", **options}
        folder = None if run is None else tmp_path / run
        decks = settings.pop("decks", FIELD)
        return deckcheck.simulate(decks, run=folder, **settings)

    return play


def outputs(result: SimulationResult) -> list[str]:
    """The bytes of outputs that say all that a result knows."""
    return [write_report(result, name, full=True) for name in ("table", "json", "csv")]


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
        *(BLOCKS_FILE, "lock", RUN_FILE)
    ]
    # Runs are never taken for decks.
    shutil.copy(FIELD[0], tmp_path)
    assert [deck.name for deck in deckcheck.read(tmp_path)] == ["The swarm"]


def test_an_interrupted_run_goes_on(play: Play, tmp_path: Path) -> None:
    whole = play("whole")
    for stop in (1, 1):
        with pytest.raises(Interrupted):
            play(progress=stop_after(stop))
    lines = (tmp_path / "run" / BLOCKS_FILE).read_bytes().splitlines()

    assert len(lines) == 2
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(whole)
    assert (tmp_path / "run" / BLOCKS_FILE).read_bytes().splitlines()[:2] == lines


def become(folder: Path, **changes: Any) -> None:
    """Make of a run one that differs in some settings, with an identity of its own."""
    old = read_run_file(folder)
    new = replace(old, **changes)
    new = replace(new, identity=new.identity_as(Simulation))
    lines = (folder / BLOCKS_FILE).read_bytes().splitlines(keepends=True)
    again = (write_line(read_line(line, old.start), new.start) for line in lines)
    (folder / BLOCKS_FILE).write_bytes(b"".join(again))
    new.write(folder)


def test_a_run_is_read_as_it_is(play: Play, tmp_path: Path) -> None:
    with pytest.raises(Interrupted) as stop:
        play(progress=stop_after(2))
    stopped = stop.value.result
    assert stopped is not None
    assert not stopped.complete
    assert 0 < stopped.games_played < 3 * GAMES
    half = outputs(open_run(tmp_path / "run").result())

    assert half == outputs(replace(stopped, seconds=None, jobs=None))
    assert "not all games were played" in half[0]
    whole = deckcheck.resume(tmp_path / "run")
    tool = Program(deckcheck.__version__, "0")
    become(tmp_path / "run", tool=tool, cards="0")
    read = open_run(tmp_path / "run", only_read=True).result()
    assert outputs(read) == outputs(whole)
    (tmp_path / "run" / BLOCKS_FILE).write_bytes(b"")
    with pytest.raises(deckcheck.UsageError, match=r"No game of .* has been played"):
        open_run(tmp_path / "run", only_read=True).result()


def test_a_run_that_a_rule_stopped_is_read_as_it_is(tmp_path: Path) -> None:
    rule = Stopping(until_width=0.2)
    simulation = make_simulation(*FIELD, games=4_000, seed=5, stopping=rule)
    run = new_run(tmp_path / "run", simulation)
    with run.kept_open():
        stopped = simulation.run(records=run.part)
    read = open_run(tmp_path / "run").result()

    assert stopped.games_played < 3 * 4_000
    assert read == stopped


@pytest.fixture
def protect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let nothing be written to runs from now on, not by root either."""
    system = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and Path(path).is_relative_to(tmp_path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return system(path, flags, mode)

    return lambda: monkeypatch.setattr(os, "open", refuse)


def test_what_is_finished_can_be_read_where_nothing_can_be_written(
    play: Play, tmp_path: Path, protect: Callable[[], None]
) -> None:
    """What is missing is not played where it cannot be kept."""
    first = outputs(play())
    with pytest.raises(Interrupted):
        play("half", progress=stop_after(2))
    protect()
    seen: list[Progress] = []

    assert outputs(play(progress=seen.append)) == first
    assert outputs(deckcheck.resume(tmp_path / "run")) == first
    assert outputs(open_run(tmp_path / "run").result()) == first
    with pytest.raises(deckcheck.UsageError, match="Cannot write to"):
        deckcheck.resume(tmp_path / "run", games=2 * GAMES)
    with pytest.raises(deckcheck.UsageError, match="the run is not complete"):
        deckcheck.resume(tmp_path / "half", progress=seen.append)
    assert seen == []


def test_an_extended_run_is_one_long_run(play: Play, tmp_path: Path) -> None:
    play(games=GAMES // 2)
    longer = deckcheck.resume(tmp_path / "run", games=GAMES)

    assert outputs(longer) == outputs(play("long"))
    assert read_run_file(tmp_path / "run").request["games"] == GAMES
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(longer)
    with pytest.raises(deckcheck.UsageError, match="cannot have 100"):
        deckcheck.resume(tmp_path / "run", games=100)


def test_shards_come_together_in_any_order(play: Play, tmp_path: Path) -> None:
    """And what of them is lost is played again."""
    whole = outputs(play("whole"))
    for number in (1, 2, 3):
        part = play(f"shard{number}", shard=f"{number}/3")
        assert not part.complete
    shards = [tmp_path / f"shard{number}" for number in (3, 1, 2)]
    deckcheck.merge(shards, into=tmp_path / "all")
    deckcheck.merge(shards[:2], into=tmp_path / "some")
    seen: list[Progress] = []
    merged = deckcheck.resume(tmp_path / "all", progress=seen.append)

    assert seen == []
    assert outputs(merged) == outputs(deckcheck.resume(tmp_path / "some")) == whole
    with pytest.raises(deckcheck.UsageError, match="already exists"):
        deckcheck.merge(shards, into=tmp_path / "all")
    with pytest.raises(deckcheck.UsageError, match="is shard 3/3, and cannot"):
        deckcheck.resume(shards[0], games=2 * GAMES)
    (shards[1] / BLOCKS_FILE).replace(shards[0] / BLOCKS_FILE)
    with pytest.raises(deckcheck.UsageError, match=FOREIGN):
        deckcheck.resume(shards[0])


def test_shards_that_do_not_belong_together_are_not_merged(
    play: Play, tmp_path: Path
) -> None:
    """Those that are missing are named."""
    folders = [tmp_path / f"shard{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(folders, start=1):
        play(folder.name, games=40, shard=f"{number}/3")
    assert missing_shards(folders) == []
    assert missing_shards(folders[1:2]) == ["1/3", "3/3"]

    others: tuple[tuple[dict[str, Any], str], ...] = (
        ({"seed": 6}, "of different runs: seed is 5, not 6"),
        ({"games": 80}, "of different runs: games is 40, not 80"),
        ({}, "have the same games: sets 0 to "),
    )
    for number, (options, message) in enumerate(others):
        play(str(number), shard="1/3", **{"games": 40, **options})
        with pytest.raises(deckcheck.UsageError, match=message):
            deckcheck.merge(folders[0], tmp_path / str(number), into=tmp_path / "all")
        assert not (tmp_path / "all").exists()


def test_another_run_is_refused_and_says_what_differs(
    play: Play, tmp_path: Path
) -> None:
    play(games=40)
    before = (tmp_path / "run" / RUN_FILE).read_bytes()
    swarm = tmp_path / "swarm.deck"
    text = FIELD[0].read_text()
    swarm.write_text(text.replace("3 Nekker", "2 Nekker\n1 Scorch"))

    for options, message in (
        ({"seed": 6}, "holds another run: seed is 5, not 6"),
        ({"policies": "sane_random"}, "policies is random, not sane_random"),
        ({"mirror": True}, "mirror is false, not true"),
        ({"rule": "ban Scorch", "allow_illegal": True}, "format is gwent/standard@"),
        ({"shard": "1/2"}, "shard is all, not 1/2"),
        ({"games": 20}, "games is 40, not 20"),
        ({"games": 60}, "has 40 games, not 60"),
        (
            {"decks": [swarm, *FIELD[1:]], "allow_illegal": True},
            "deck `The swarm` differs",
        ),
    ):
        with pytest.raises(deckcheck.UsageError, match=message):
            play(**{"games": 40, **options})
    assert (tmp_path / "run" / RUN_FILE).read_bytes() == before
    (tmp_path / "notes").mkdir()
    with pytest.raises(deckcheck.UsageError, match="is not a run directory"):
        deckcheck.resume(tmp_path / "notes")
    (tmp_path / "notes" / "notes.txt").touch()
    with pytest.raises(deckcheck.UsageError, match="holds files that are not a run"):
        play("notes")
    (tmp_path / "begun").mkdir()
    draft_path(tmp_path / "begun" / RUN_FILE).touch()
    assert play("begun", games=40).games_played > 0


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
    expected = deckcheck.simulate(decks, run=tmp_path / "a", **settings)
    with pytest.raises(Interrupted):
        deckcheck.simulate(
            decks,
            run=tmp_path / "b",
            progress=stop_after(1),
            **{**settings, "games": 400},
        )
    shutil.rmtree(source)

    assert outputs(deckcheck.resume(tmp_path / "a")) == outputs(expected)
    longer = deckcheck.resume(tmp_path / "a", games=400)
    assert outputs(deckcheck.resume(tmp_path / "b")) == outputs(longer)
    assert "Catapult (strength 10, not 8)" in outputs(longer)[0]


def test_a_run_that_cannot_go_on_here_says_why(play: Play, tmp_path: Path) -> None:
    play(games=40)
    file = tmp_path / "run" / RUN_FILE
    whole = file.read_bytes()
    document = read_document(file)
    first, *others = document["decks"]
    tool = {"version": deckcheck.__version__, "engine": "0"}

    def deck(**change: object) -> dict[str, object]:
        return {"decks": [{**first, **change}, *others]}

    for change, message in (
        ({"tool": {**tool, "version": "0.1.0"}}, "was played by deckcheck 0.1.0"),
        ({"tool": tool}, "another engine"),
        ({"cards": "0" * 12}, "was played with other cards: fingerprint 000000000000"),
        ({"format": {"Format": [1]}}, "is damaged: `format` is none"),
        ({"seed": 1}, "is damaged: .*unknown key `seed`"),
        ({"decks": 3}, "is damaged: .*expected a list"),
        ({"shard": "9/3"}, "`9/3` is not a shard"),
        ({"request": {**document["request"], "seed": 9}}, "has the identity of anoth"),
        (deck(policy="nobody"), "has the identity of another run"),
        (deck(cards={"scorhc": 1}), "Deck `The swarm` of .* has `scorhc`, which"),
        (deck(reserves={"scorhc": 1}), "has `scorhc`, which the card data here do"),
        (deck(leader="nobody"), "has `nobody`, which"),
        (deck(faction="nobodies"), "has `nobodies`, which"),
        (deck(cards={"scorch": 2**31}), "is damaged: deck `The swarm` is too large"),
        (deck(cards={"scorch": -1}), "is damaged: .*too small"),
    ):
        file.write_bytes(whole)
        change_document(file, **change)
        with pytest.raises(deckcheck.UsageError, match=message):
            deckcheck.resume(tmp_path / "run", games=60)


def test_one_card_more_in_the_run_file_is_noticed(play: Play, tmp_path: Path) -> None:
    play(games=40)
    file = tmp_path / "run" / RUN_FILE
    text = file.read_text()
    file.write_text(text.replace('"scorch": 1', '"scorch": 2', 1))

    assert file.read_text() != text
    for use in (
        lambda: deckcheck.resume(tmp_path / "run", games=60),
        lambda: play(games=40),
        lambda: deckcheck.report_of(tmp_path / "run"),
        lambda: deckcheck.meta(tmp_path / "run"),
        lambda: deckcheck.replay(tmp_path / "run", "1"),
        lambda: deckcheck.merge(tmp_path / "run", into=tmp_path / "all"),
    ):
        with pytest.raises(deckcheck.UsageError, match="is damaged: its CRC is wrong"):
            use()


def spoil(file: Path, number: int) -> None:
    """Change a digit of a line, from 1, that is no part of its CRC."""
    lines = file.read_bytes().splitlines(keepends=True)
    line = lines[number - 1]
    at = line.index(b"1", line.index(b"cells"))
    lines[number - 1] = line[:at] + b"7" + line[at + 1 :]
    file.write_bytes(b"".join(lines))


def test_a_damaged_line_is_named_and_played_again(play: Play, tmp_path: Path) -> None:
    whole = outputs(play())
    run = tmp_path / "run"
    spoil(run / BLOCKS_FILE, 2)

    for use in (
        lambda: deckcheck.resume(run),
        lambda: deckcheck.resume(run, games=2 * GAMES),
        play,
        lambda: deckcheck.report_of(run),
        lambda: deckcheck.meta(run),
        lambda: deckcheck.merge(run, into=tmp_path / "all"),
    ):
        with pytest.raises(deckcheck.UsageError, match=r"blocks\.jsonl:2: ") as caught:
            use()
        assert caught.value.help is not None
        assert f"`deckcheck resume {run} --repair` plays" in caught.value.help
    seen: list[Progress] = []
    assert outputs(deckcheck.resume(run, repair=True, progress=seen.append)) == whole
    assert 0 < seen[-1].before < seen[-1].games == 3 * GAMES


def test_whatever_decides_the_games_is_in_the_identity() -> None:
    """Each option of play, each word of the request, each card of each deck."""
    file = RunFile.of(make_simulation(*FIELD, games=40, seed=5), None, None)
    left_out = {("shard",), ("identity",), ("decks", "path")}
    how_many = {"games", "cross_check_games", "stopping"}

    for at, other in single_changes(file):
        name = tuple(part for part in at if isinstance(part, str))
        is_left_out = name in left_out
        if name[0] == "request":
            is_left_out = name[1] in how_many
        is_the_same = other.identity_as(Simulation) == file.identity
        assert is_the_same == is_left_out, at


@pytest.mark.parametrize(
    "id", [id for id in format_ids() if (DECKS.parent / id).is_dir()]
)
def test_each_option_of_a_format_is_in_the_identity(id: str) -> None:
    """Whatever the fingerprint of the format says."""
    simulation = make_simulation(*sorted((DECKS.parent / id).iterdir())[:3])
    setting = simulation.setting
    fmt = setting.format
    known = {option.name: option for option in setting.database.game.options}
    ways = [dict(fmt.options)]
    for name, value in fmt.options.items():
        values = known[name].values or (known[name].minimum, known[name].maximum)
        ways.append({**fmt.options, name: next(v for v in values if v != value)})
    identities = set()
    for options in ways:
        played = replace(fmt, options=MappingProxyType(options))
        other = replace(simulation, setting=replace(setting, format=played))
        identities.add(RunFile.of(other, None, None).identity)

    assert len(identities) == len(ways) == 1 + len(fmt.options)


def test_lineups_are_measured_again_for_more_matches(tmp_path: Path) -> None:
    """Other chances lead to other choices: no match may be taken over from before."""
    names = ("kin_of_the_coast", "crowns_and_claws")
    lineups = [DECKS / "tournament" / f"{name}.deck" for name in names]

    def play(name: str, **options: Any) -> SimulationResult:
        settings = {"policies": "random", "selections": ("optimal", "fixed")}
        return deckcheck.simulate(lineups, run=tmp_path / name, **settings, **options)

    play("a", games=20)
    longer = deckcheck.resume(tmp_path / "a", games=60)
    long = play("b", games=60)
    for number in (1, 2):
        play(f"s{number}", games=60, shard=f"{number}/2")
    deckcheck.merge(tmp_path / "s2", tmp_path / "s1", into=tmp_path / "c")

    assert outputs(longer) == outputs(long)
    assert outputs(deckcheck.resume(tmp_path / "c")) == outputs(long)
    assert outputs(open_run(tmp_path / "c").result()) == outputs(long)


def measured(folder: Path) -> list[tuple[Key, list[range]]]:
    """What of each pairing of decks was measured before the matches."""
    file = BlockFile(folder, read_run_file(folder).start)
    keys = [key for key in file.jobs() if key.part == MEASURING_PART]
    return [(key, file.sets(key)) for key in keys]


def test_merging_keeps_the_most_complete_measurement(tmp_path: Path) -> None:
    """Each shard measures for itself; one was interrupted meanwhile."""
    lineups, part, whole = (DECKS / "tournament", tmp_path / "part", tmp_path / "whole")
    settings = {"games": 20, "policies": "random", "selections": "optimal"}
    with pytest.raises(Interrupted):
        deckcheck.simulate(
            lineups, run=part, shard="1/2", progress=stop_after(3), **settings
        )
    deckcheck.simulate(lineups, run=whole, shard="2/2", **settings)
    expected = measured(whole)

    with pytest.raises(deckcheck.UsageError, match="No game of"):
        open_run(part).result()
    assert 0 < len(measured(part)) < len(expected)
    for number, folders in enumerate(([part, whole], [whole, part])):
        deckcheck.merge(folders, into=tmp_path / str(number))
        assert measured(tmp_path / str(number)) == expected


def test_a_run_remembers_the_folders_of_its_cards(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "card_db" / "gwen_t", tmp_path / "mine" / "tiny")
    file = tmp_path / "mine" / "tiny" / "game.yaml"
    file.write_text(file.read_text().replace("id: gwen_t", "id: tiny"))
    monkeypatch.chdir(tmp_path)
    result = play(games=20, card_db=["mine", "built-in"])
    kept = json.loads((tmp_path / "run" / RUN_FILE).read_text())["card_db"]
    monkeypatch.chdir(ROOT)

    assert kept == [str(tmp_path / "mine"), "built-in"]
    assert outputs(deckcheck.resume(tmp_path / "run")) == outputs(result)


# Shards: every set in one of them, and nonsense refused.


def test_every_set_is_in_one_shard() -> None:
    for shards, sets in product((1, 2, 7, 8, 100), (0, 1, 7, 5_000)):
        parts = [Shard(number + 1, shards).of(range(sets)) for number in range(shards)]
        assert [each for part in parts for each in part] == list(range(sets))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1, (shards, sets)
    assert str(read_shard(" 3/8 ")) == "3/8"
    for text in ("", "3", "0/8", "9/8", "3/0", "-1/2", "a/b", "1/99999"):
        with pytest.raises(UsageError, match="is not a shard"):
            read_shard(text)


def test_gaps() -> None:
    for played, missing in (
        ([], [range(10, 20)]),
        ([range(30)], []),
        ([range(5), range(12, 14)], [range(10, 12), range(14, 20)]),
        ([range(8, 12), range(19, 25)], [range(12, 19)]),
        ([range(30, 40)], [range(10, 20)]),
    ):
        assert find_gaps(range(10, 20), played) == missing, played


# A run that is killed at any moment, and goes on, comes to the same bytes.


def kill_and_resume(folder: Path, moments: Random, kills: int, games: int) -> int:
    """Play a run that is killed up to `kills` times; how many times it was."""
    program = [sys.executable, "-m", "deckcheck"]
    begin = ["simulate", *map(str, FIELD), "--games", str(games), "--policy", "random"]
    done = 0
    while True:
        is_begun = (folder / RUN_FILE).is_file()
        words = ["resume", str(folder)] if is_begun else [*begin, "--run", str(folder)]
        with subprocess.Popen(
            [*program, *words, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            try:
                wait = moments.uniform(0.2, 4.0) if done < kills else None
                _, said = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                process.kill()
                done += 1
                continue
        assert process.returncode == 0, said
        return done


@pytest.mark.slow
@pytest.mark.parametrize(("kills", "games"), [(2, 15_000), (60, 400_000)])
def test_a_run_that_is_killed_comes_to_the_same_bytes(
    tmp_path: Path, kills: int, games: int
) -> None:
    whole = tmp_path / "whole"
    deckcheck.simulate(FIELD, games=games, policies="random", run=whole)
    expected = deckcheck.report_of(whole, output_format="json")
    moments, done, number = Random(kills), 0, 0
    while done < kills:
        folder = tmp_path / str(number)
        done += kill_and_resume(folder, moments, min(6, kills - done), games)
        number += 1
        assert deckcheck.report_of(folder, output_format="json") == expected
