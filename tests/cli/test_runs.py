"""Runs that are kept: stopped, killed, taken up again and replayed."""

import csv
import io
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, product, repeat
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import check_document
from helpers.results import change_document

import deckcheck
from deckcheck.cli import main
from deckcheck.cli import replay as stepping
from deckcheck.cli.progress import ProgressKind, ProgressLine
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally
from deckcheck.playing.table import Table
from deckcheck.replays.model import Replay, Seated, Step, ToldGame
from deckcheck.replays.narration import find_turning_points
from deckcheck.replays.outputs import WRITERS, Telling
from deckcheck.sim.interrupts import Interrupts
from deckcheck.sim.jobs import Job
from deckcheck.sim.run_directory import BLOCKS_FILE
from deckcheck.sim.run_files import RUN_FILE, read_document
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.warmup import warm_format
from deckcheck.terminal import PLAIN

# `simulate --run`, `resume` and `merge`: nothing that was played is lost.

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
SWARM, OLD, SHIPS, ARCHERS = (
    str(STANDARD / f"{name}.deck")
    for name in ("mo_swarm", "nr_siege_masters", "sk_longships", "st_beautiful_archers")
)
FIELD = [SWARM, OLD]
PLAY = ["simulate", *FIELD, "--games", "400", "--policy", "random"]

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def interrupt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ctrl-C come after the first block."""
    answers = chain([KeyboardInterrupt], repeat(None))
    monkeypatch.setattr(Interrupts, "check", Mock(side_effect=answers))


def test_an_interrupted_run_says_how_to_go_on(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = tmp_path / "runs" / "field 1"
    interrupt_once(monkeypatch)
    options = ["--jobs", "1", "--output-format", "json:result.json"]
    assert main([*PLAY, "--run", str(run), *options]) == 130
    out, err = capsys.readouterr()
    said, hint = err.splitlines()

    assert out == ""
    assert json.loads(Path("result.json").read_text())["games_played"] == 128
    assert said.startswith("Interrupted: 128 of 400 games; ")
    command = hint.removeprefix("help: Continue with `").removesuffix("`")
    assert shlex.split(command) == [
        *("deckcheck", "resume", str(run)),
        *("--output-format", "json:result.json", "--jobs", "1"),
    ]
    assert main(shlex.split(command)[1:]) == 0
    whole = stdout_of(capsys, *PLAY, "--run", "whole", "--output-format", "json")
    assert Path("result.json").read_text() == whole
    # Without a folder it prints what was played.
    interrupt_once(monkeypatch)
    assert main([*PLAY, "--jobs", "1", "--output-format", "json"]) == 130
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert err.startswith("Interrupted: 128 of 400 games; ")
    numbers = [result[key] for key in ("complete", "games", "games_played")]
    assert numbers == [False, 400, 128]
    assert result["matchups"][0]["games"] == 128


def test_what_is_synced_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits in a buffer of ours, which a power cut would lose."""
    sync, sizes = os.fsync, {}

    def note(handle: int) -> None:
        status = os.fstat(handle)
        sizes[status.st_ino] = status.st_size
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    for number in (1, 2):
        run = ["--run", f"s{number}", "--shard", f"{number}/2"]
        assert main([*PLAY, *run, "-qq"]) == 0
    assert main(["merge", "s1", "s2", "--run", "both"]) == 0

    for run, name in product(("s1", "s2", "both"), (RUN_FILE, BLOCKS_FILE)):
        status = Path(run, name).stat()
        assert sizes[status.st_ino] == status.st_size


# Comparisons and impact that are kept in folders, as they are typed.

NEW = str(ROOT / "examples" / "compare" / "second_horn.deck")
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random", "-q"]
COMPARE = ["compare", OLD, NEW, *FAST]
IMPACT = ["impact", OLD, *FAST, "-n", "16"]


def output(capsys: Captured, *words: str) -> str:
    return stdout_of(capsys, *words, "--output-format", "json")


def refused(capsys: Captured, *words: str) -> str:
    return " ".join(stderr_of(capsys, *words).split())


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ([*COMPARE, "--margin", "8"], "compare"),
        (IMPACT, "impact"),
        ([*IMPACT, "--redraws"], "redraws"),
    ],
)
def test_kept_or_not_the_result_is_the_same(
    words: list[str], kind: str, capsys: Captured
) -> None:
    plain = json.loads(output(capsys, *words))
    kept = output(capsys, *words, "--run", "run")
    blocks = Path("run", "blocks.jsonl")

    assert output(capsys, *words, "--run", "run") == kept
    assert output(capsys, "resume", "run") == kept
    untimed = {"seconds": None, "jobs": None, "games_per_second": None}
    assert json.loads(kept) == {**plain, **untimed}
    assert json.loads(Path("run", "run.json").read_text())["kind"] == kind
    # They are reported without playing.
    assert output(capsys, "report", "run", "--html", "page.html") == kept
    page = Path("page.html").read_text(encoding="utf-8")
    assert stdout_of(capsys, "resume", "run", "-q", "--output-format", "html") == page
    # In Python options are arguments.
    in_python = deckcheck.report_of("run").replace("games=", "--games ")
    assert in_python == page.replace("games=", "--games ")
    written = blocks.read_bytes()
    blocks.write_bytes(written[: written.index(b"\n") + 1])
    said = refused(capsys, "report", "run")
    assert "is not complete" in said
    assert "`deckcheck resume run` plays the missing games" in said


def test_a_comparison_can_have_more_games_and_shards(capsys: Captured) -> None:
    output(capsys, *COMPARE, "-n", "40", "--run", "compared")
    longer = output(capsys, "resume", "compared", "--games", "80", "-q")
    whole = output(capsys, *COMPARE, "-n", "80", "--run", "whole")
    assert longer == whole
    assert json.loads(longer)["games"] == 80

    for number in "12":
        words = ["--run", f"shard{number}", "--shard", f"{number}/2"]
        main([*COMPARE, "-n", "80", *words])
    assert main(["merge", "shard1", "shard2", "--run", "merged"]) == 0
    capsys.readouterr()
    assert output(capsys, "resume", "merged") == whole


def test_a_damaged_question(capsys: Captured) -> None:
    output(capsys, *COMPARE, "-n", "2", "--run", "run")
    file = Path("run", "run.json")
    document = read_document(file)
    for wrong, said in (
        ({"margin": "wide"}, "`request`: "),
        ({"margin": 0}, "`--margin` is 0"),
        ({"width": 3}, "`request`: "),
    ):
        change_document(file, request={**document["request"], **wrong})
        assert said in refused(capsys, "resume", "run")
    change_document(file, request=document["request"], kind="guess")
    for command in ("resume", "report"):
        assert "does not support runs of `guess`" in refused(capsys, command, "run")


# Runs that are killed at any moment, or whose disk is full: only a block is lost.

needs_posix = pytest.mark.skipif(
    os.name != "posix", reason="signals and limits of a process"
)


LONG = ["simulate", *FIELD, "--games", "60000", "--policy", "random", "--run"]
AGAINST = ["--against", SWARM, "--against", SHIPS]
THINKING = ["--policy", "heuristic-1", "--run"]
ALONE = ["--cross-check", "none"]
LONG_COMPARE = ["compare", OLD, NEW, *AGAINST, "-n", "20000", *THINKING]
LONG_IMPACT = ["impact", OLD, *AGAINST, "-n", "400", *ALONE, *THINKING]
SOLVE = ["solve", "gwent/standard", "--games", "8000", "--rounds", "2", *AGAINST]
SOLVE += ["--faction", "Monsters", "--faction", "Skellige", *ALONE, *THINKING]
PLAN = ROOT / "examples" / "balance" / "plan.toml"
BALANCE = ["balance", str(PLAN), *ALONE, "--run"]
CODE = "import sys; from deckcheck.cli import main; sys.exit(main())"

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start commands, and see that none outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*words: str, **options: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,  # type: ignore[call-overload]
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def wait_for_blocks(process: subprocess.Popen[str], file: Path, size: int) -> None:
    """Wait until a file is larger than `size`."""
    while not file.exists() or file.stat().st_size <= size:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize(
    ("words", "jobs"),
    [
        (LONG, "1"),
        (LONG_COMPARE, "1"),
        (LONG_IMPACT, "2"),
        (SOLVE, "2"),
        (BALANCE, "2"),
    ],
)
def test_killed_at_random_moments(
    start: Start, tmp_path: Path, words: list[str], jobs: str
) -> None:
    expected = finished(start(*words, "whole", "-q"))
    moments = random.Random(3)
    blocks = tmp_path / "run" / "blocks.jsonl"
    for _ in range(3):
        size = blocks.stat().st_size if blocks.exists() else 0
        process = start(*words, "run", "--jobs", "1", "-q")
        wait_for_blocks(process, blocks, size)
        time.sleep(moments.random() * 0.6)
        process.send_signal(signal.SIGKILL)
        process.wait()

    assert finished(start("resume", "run", "-q", "--jobs", jobs)) == expected
    assert finished(start("resume", "run", "-q")) == expected


@pytest.mark.slow
@needs_posix
def test_a_check_that_is_killed_goes_on(start: Start, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        "[experiments.field]\n"
        f"decks = {FIELD}\n"
        'policies = ["heuristic-1"]\n'
        "games = 60000\n"
        "until_decided = true\n"
        'expect = ["win_rate(*) < 73%"]\n'
    )
    words = ["expect", "plan.toml", "-q", "--run"]
    expected = finished(start(*words, "whole"))
    process = start(*words, "run", "--jobs", "1")
    wait_for_blocks(process, tmp_path / "run" / "field" / "blocks.jsonl", 400)
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert finished(start(*words, "run", "--jobs", "2")) == expected


@needs_posix
@pytest.mark.slow
def test_a_full_disk_stops_with_the_way_to_go_on(start: Start, tmp_path: Path) -> None:
    """A limit to the size of files, which the system enforces as it does a disk's."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    process = start(*LONG, "run", "--games", "9999999", "-qj1", preexec_fn=limit)
    _, err = process.communicate()
    lines = (tmp_path / "run" / "blocks.jsonl").read_bytes().splitlines(keepends=True)

    assert process.returncode == 2
    assert "error: Cannot write `run/blocks.jsonl`: file too large" in err
    assert "help: Make room, and `deckcheck resume run` goes on" in err
    assert len(lines) > 5
    assert lines[-1].endswith(b"}\n")


# Progress of a simulation on stderr.

LABEL = "Siege masters against The swarm"
DONE = "10,000 of 100,000 games"
WIDEST = "widest interval 1.70 points"
LINE = f"{DONE}, 2,000/s, 45 s left; {WIDEST}"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def tally_of(pairs: int) -> Ints:
    tally = new_tally(2, 2)
    tally[0, [Head.SETS, Head.GAMES]] = pairs, 2 * pairs
    for row in (1, 2):
        tally[row, [SeatColumns.GAMES, SeatColumns.GAMES_SQUARED]] = (
            2 * pairs,
            4 * pairs,
        )
        won = (0, 3 * pairs // 20, 14 * pairs // 20, 3 * pairs // 20, 0)
        tally[row, SeatColumns.SHARES : SeatColumns.SHARES + 5] = won
    return tally


TABLE = Table("gwent", "two", ())
JOBS = {
    number: Job(number, LABEL, TABLE, ("heuristic",) * 2, 25_000) for number in (1, 2)
}


def progress_after(seconds: float) -> Progress:
    """A thousand pairs each second; another job has a fifth of them."""
    pairs = round(1_000 * seconds)
    sets = {1: 4 * pairs // 5, 2: pairs // 5}
    tallies = {number: tally_of(of_job) for number, of_job in sets.items()}
    return Progress(
        2 * pairs,
        100_000,
        seconds,
        JOBS[1],
        tallies[1],
        work=JOBS,
        tallies=tallies,
        sets=sets,
    )


def show(
    stream: io.StringIO,
    times: Iterable[float] = (5,),
    width: int = 120,
    kind: ProgressKind = "auto",
    **changes: Any,
) -> str:
    line = ProgressLine(stream, kind, width=width)
    for seconds in times:
        line(replace(progress_after(seconds), **changes))
    if kind == "lines":
        line.clear()
    return stream.getvalue()


def test_a_terminal_gets_a_bar_twice_a_second_and_a_log_a_line_now_and_then() -> None:
    shown = show(Terminal(), (0.1, 0.4, 0.7, 0.9, 1.1, 1.2))

    assert [line.split(" of")[0] for line in shown.split(f"\r{' ' * 119}\r")[1:]] == [
        "[--------------------] 1,400",
        "[--------------------] 2,400",
    ]
    assert show(io.StringIO(), range(70)).count("\n") == 3


def test_a_terminal_keeps_the_interval() -> None:
    for width, line in (
        (120, f"[##------------------] {LINE}"),
        (80, LINE),
        (60, f"{DONE}; {WIDEST}"),
        (40, WIDEST),
        (12, "widest int…"),
    ):
        assert show(Terminal(), width=width) == f"\r{' ' * (width - 1)}\r{line}"
        assert len(line) < width


def test_a_line_has_games_rate_time_left_and_what_is_known() -> None:
    rate = "2,000/s, 45 s left"
    of_matches = replace(JOBS[1], noun="matches")
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, LINE),
        # Where intervals may stop the run they are wider.
        ({"looked": True}, f"{DONE}, {rate}; widest interval 3.00 points"),
        ({"note": "best so far 57.1%"}, f"{DONE}, {rate}; best so far 57.1%"),
        ({"until": "look 7"}, f"{DONE}, 2,000/s, 45 s until look 7; {WIDEST}"),
        # A run that is taken up again has its own rate.
        (
            {"games": 60_000, "before": 50_000},
            f"60,000 of 100,000 games, 2,000/s, 20 s left; {WIDEST}",
        ),
        (
            {"workers": 4, "ready": 3},
            f"{DONE}, 1 of 4 workers loads the engine; {WIDEST}",
        ),
        ({"job": of_matches}, LINE.replace("games", "matches")),
    )
    for changed, line in changes:
        assert show(io.StringIO(), **changed) == f"{line}\n"


def test_a_program_gets_a_document_each_second() -> None:
    lines = show(io.StringIO(), (0.5, 1, 1.5, 2), kind="json").splitlines()

    assert [json.loads(line)["games"] for line in lines] == [2_000, 4_000]
    assert json.loads(lines[0]) == {
        "schema_version": 1,
        "games": 2_000,
        "games_total": 100_000,
        "noun": "games",
        "seconds": 1,
        "games_per_second": 2_000.0,
        "seconds_left": 49.0,
        "widest_interval": pytest.approx(0.038, abs=1e-3),
        "until": None,
        "note": None,
        "workers": 1,
        "workers_ready": 1,
    }


def test_progress_is_lines_or_nothing_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A terminal that is dumb keeps lines."""
    assert show(Terminal(), kind="lines") == f"{LINE}\n"
    with monkeypatch.context() as patch:
        patch.setenv("TERM", "dumb")
        assert show(Terminal()) == f"{LINE}\n"

    screen = Terminal()
    line = ProgressLine(screen, "none")
    assert line.summary() == "no game was played"
    line(progress_after(5))
    line.clear()
    assert screen.getvalue() == ""
    assert line.summary() == f"{DONE}; {WIDEST}"
    # A bar leaves the terminal.
    ProgressLine(screen).clear()
    assert screen.getvalue() == f"\r{' ' * 79}\r"


# `deckcheck replay` from its arguments to its outputs and exit codes.

DECK = str(min((ROOT / "decks" / "deckmaster" / "standard").glob("*.deck")))
BY_CHANCE = ("--policy", "random", "--seed", "3")


def step(number: int, player: str | None, text: str, *notes: str) -> Step:
    lines = (f"position after {number}",)
    return Step(number, 1, player, text, notes, {"A": number}, False, lines, {})


GAME = ToldGame(
    players={"A": Seated("Siege", "heuristic"), "B": Seated("Swarm", None)},
    steps=(
        step(0, None, "deal", "A holds Ves"),
        step(1, "A", "play Ves in the close row", "weather: none"),
        step(2, "A", "pass", "round 1 ends: all have passed"),
    ),
    winner="A",
    outcome=(1, 2, 0, 0, 1, 2, 2, 0, 0, 1, 0, 0),
)
REPLAY = Replay("f", "2025-10", "d", 1, ("Siege*", "Swarm"), "game", 3, (GAME,))


def written(name: str, *games: ToldGame, **changes: Any) -> str:
    replay = replace(REPLAY, games=games or (GAME,), **changes)
    stream = io.StringIO()
    dict(WRITERS)[name](Telling(replay, False), stream, PLAIN, True)
    return stream.getvalue()


def with_chances(*ends: bool) -> ToldGame:
    """The game with a chance of each player after each step, and what they turn on."""
    chances = ({"A": 0.5, "B": 0.5}, {"A": 0.25, "B": 0.25}, {"A": 1.0, "B": 0.0})
    pairs = zip(GAME.steps, chances, ends, strict=True)
    steps = tuple(replace(s, chances=c, ends_round=end) for s, c, end in pairs)
    return replace(GAME, steps=steps, turning_points=find_turning_points(steps))


def test_a_page_links_the_turning_points_and_draws_the_chances() -> None:
    page = written("html", with_chances(False, False, False))

    assert "<p>A wins with Siege</p>" in page
    sentence = "Move 1 lowers the win probability of A from 50% to 25%: play Ves in "
    assert f'<a href="#game-1-1">{sentence}' in page
    assert 'id="game-1-1"' in page
    assert re.findall("<td>([AB]?)</td>", page) == ["A", "A"]
    # From the middle of the drawing to its top.
    assert 'class="mean" d="M48.0 130.0L474.0 130.0L900.0 20.0"' in page
    assert "<svg" not in written("html")


def test_a_match_of_games_is_a_line() -> None:
    assert written("line", GAME, GAME, noun="match") == (
        "Match 3 of Siege* against Swarm: Game 1 of the match: A wins. Game 2 of the "
        "match: A wins\n"
    )
    assert written("markdown").startswith("## Game 3 of Siege\\* against Swarm\n")
    document = json.loads(written("json"))
    check_document("replay", document)
    assert document["games"][0]["places"] == [1, 2]


@pytest.mark.usefixtures("one_teller")
def test_watching_shows_a_position_at_a_time(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for keys, is_whole in ((["", "q"], False), ([""] * 9, True)):
        pressed = iter(keys)
        monkeypatch.setattr("builtins.input", lambda _, keys=pressed: next(keys))
        stepping.step_through(REPLAY, PLAIN)
        out = capsys.readouterr().out
        assert "position after 1" in out
        assert ("position after 2" in out) == out.endswith("A wins\n") == is_whole

    monkeypatch.setattr(stepping, "check_terminal", lambda: None)
    monkeypatch.setattr("builtins.input", lambda _: " Quit ")
    words = ("replay", DECK, "--policy", "random", "--watch")
    heading, first, *position = stdout_of(capsys, *words).splitlines()
    assert heading.startswith("Game 1 of player 1 (random)")
    assert (first, len(position) > 2) == ("Deal", True)
    assert not any(line.endswith(" wins") for line in position)


@pytest.mark.usefixtures("one_teller")
def test_a_game_of_decks_and_of_their_run_is_the_same(capsys: Captured) -> None:
    args = [DECK, "--games", "19", *BY_CHANCE]
    assert main(["simulate", *args, "--run", "run", "-qq", "--jobs", "1"]) == 0
    of_decks = stdout_of(capsys, "replay", *args, "--game", "5")

    assert stdout_of(capsys, "replay", "run", "--game", "5") == of_decks
    assert of_decks.startswith("Game 5 of player 1 (random), ")
    assert "the game ends: the board is full" in of_decks
    # The pairs of a run end with a whole pair.
    assert main(["replay", "run", "--game", "21"]) == 2
    assert main(["replay", *args, "--game", "21"]) == 0
    capsys.readouterr()
    said = stderr_of(capsys, "replay", "run", "--seed", "4")
    assert "`--seed` requires decks" in said


@pytest.mark.usefixtures("one_teller")
def test_pairs_that_are_one_game_have_one(capsys: Captured) -> None:
    """Scoia'tael choose who begins: 20 games are 10, as the games table has them."""
    args = [SWARM, ARCHERS, "--policy", "heuristic-1", "--games", "20", "--jobs", "1"]
    table = ["--run", "run", "--games-table", "games.csv", "-qq"]
    assert main(["simulate", *args, *table]) == 0
    with open("games.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    replay = ("replay", "run", "--game")

    assert [row["game"] for row in rows] == [str(n) for n in range(1, 11)]
    told = stdout_of(capsys, *replay, "10", "--output-format", "json")
    [game] = json.loads(told)["games"]
    names = {"A": "The swarm", "B": "The beautiful archers", None: ""}
    assert names[game["winner"]] == rows[9]["winner"]
    remedy = stderr_of(capsys, *replay, "11")
    assert "the last is 10" in remedy
    assert "`deckcheck resume FOLDER --games 22`" in remedy
    assert main(["resume", "run", "--games", "22", "-qq"]) == 0
    assert main([*replay, "11"]) == 0
