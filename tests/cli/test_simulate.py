"""The command `simulate`, with all ways to play and to stop."""

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import check_document

from deckcheck.cli import main
from deckcheck.engine.registry import CrashedGame
from deckcheck.formats import load_format
from deckcheck.playing.table import Table
from deckcheck.sim import simulation
from deckcheck.sim.errors import CrashedGameError
from deckcheck.sim.jobs import Tallies
from deckcheck.sim.scheduler import RunTallies, StoppedEarly
from deckcheck.sim.warmup import warm_format

# `deckcheck simulate` from its arguments to its output and exit code.

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
SWARM = str(DECKS / "standard" / "mo_swarm.deck")
SIEGE = str(DECKS / "standard" / "nr_siege_masters.deck")
LONGSHIPS = str(DECKS / "standard" / "sk_longships.deck")
TOO_FEW = str(DECKS.parents[1] / "examples/broken/gwent" / "too-few-units.deck")
BONDS = str(DECKS / "advanced" / "nr_bonds.deck")
KIN = str(DECKS / "tournament" / "kin_of_the_coast.deck")
CROWNS = str(DECKS / "tournament" / "crowns_and_claws.deck")

# `convert --to code` of the two.
SWARM_CODE = (
    "DC1_Dmd3ZW50L3N0YW5kYXJkCxU3AQEBAQEBAQEDAQEEAQEBAQEOAwMBAQEBAQEBAQE1AQEBAwEMAgED"
    "AQHS7JOg"
)
SIEGE_CODE = (
    "DC1_Dmd3ZW50L3N0YW5kYXJkAxYCAQEBAQEBAQEBAQEDAgoBAgIBAgEBAQJzAQEBAQECAQEBCgEBAQED"
    "AQEFAl_Ks5g"
)

FAST = ("--games", "20", "--policy", "random")
STOPS = [
    (["--until-width", "0.5"], "`--until-width` is `0.5`, must be a percentage"),
    (["--until-width", "0%"], "`--until-width` must be more than 0 %"),
    (["--sprt", "5"], "`--sprt` is `5`, must be two numbers"),
    (["--sprt", "5,0"], "`--sprt` cannot test this: 5.0 is not less than 0.0"),
    (["--sprt", "0,5", "--alpha", "1"], "alpha and beta must lie between"),
    (["--sprt", "0,5", "--adaptive"], "cannot be used together"),
    (["--adaptive"], "`--adaptive` ranks three decks or more"),
    (["--until-width", "1%", "--run", "r", "--shard", "1/2"], "a shard has some"),
    (["--games-table", "games.txt"], "written as CSV or Parquet"),
]
"""Rules to stop that make no sense, and what is said of them."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def simulate(*arguments: str) -> Ended:
        code = main(["simulate", *arguments])
        return Ended(code, *capsys.readouterr())

    return simulate


@pytest.mark.usefixtures("here")
class TestResults:
    def test_two_decks_are_a_match(self, run: Run) -> None:
        files = ("--output-format=csv:r.csv", "--output-format=markdown:r.md")
        ended = run(SWARM, SIEGE, *FAST, "--output-format=table", *files)

        assert ended.code == 0
        assert "\n\nThe swarm against Siege masters\n" in ended.out
        assert "format    gwent/standard, snapshot 2025-10\n" in ended.out
        assert "seed      1\n" in ended.out
        rows = csv.DictReader(io.StringIO(Path("r.csv").read_text("utf-8")))
        rates = [row for row in rows if row["metric"] == "win_rate"]
        assert {(row["deck"], row["opponent"], row["n"]) for row in rates} >= {
            ("The swarm", "Siege masters", "20"),
            ("Siege masters", "The swarm", "20"),
        }
        page = Path("r.md").read_text("utf-8")
        assert "\n\n### The swarm against Siege masters" in page

    def test_three_decks_are_a_round_robin(self, run: Run) -> None:
        outputs = ("--output-format=table", "--output-format=json:r.json", "--full")
        ended = run(SWARM, SIEGE, LONGSHIPS, *FAST, *outputs)
        document = json.loads(Path("r.json").read_text("utf-8"))

        assert "Standings" in ended.out
        assert "Siege masters against Longships of Skellige" in ended.out
        check_document("simulate", document)
        names = ("The swarm", "Siege masters", "Longships of Skellige")
        assert document["policies"] == dict.fromkeys(names, "random")


class TestChoices:
    @pytest.mark.parametrize(
        ("other", "name"), [(SIEGE, "Siege masters"), (SWARM, "The swarm")]
    )
    def test_policies_in_order(self, run: Run, other: str, name: str) -> None:
        players = ("--policy", "random", "--policy", "sane_random")
        ended = run(SWARM, other, "--games", "20", *players)

        assert f"The swarm (random) against {name} (sane_random)" in ended.out

    @pytest.mark.parametrize(
        ("words", "names"),
        [
            ((SWARM, "--mirror"), "The swarm against The swarm"),
            ((SWARM_CODE, SWARM_CODE), " against "),
            (
                (SWARM_CODE, SIEGE_CODE),
                f"DC1_…{SWARM_CODE[-6:]} against DC1_…{SIEGE_CODE[-6:]}\n",
            ),
        ],
    )
    def test_decks_meet_themselves_and_codes_are_named_by_their_ends(
        self, run: Run, words: tuple[str, ...], names: str
    ) -> None:
        ended = run(*words, *FAST)

        assert (ended.code, ended.err) == (0, "")
        assert names in ended.out

    def test_a_file_named_twice_takes_part_once(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, SWARM, *FAST)

        assert "takes part once: `" in ended.err
        assert "\nThe swarm against Siege masters\n" in ended.out

    def test_quiet_shows_the_result_alone_and_quieter_nothing(self, run: Run) -> None:
        odd = (SWARM, SIEGE, "--games", "21", "--policy", "random")
        usual, quiet, quieter = run(*odd), run(*odd, "-q"), run(*odd, "-qq")

        assert "note: 21 games are rounded up to 22, in mirrored pairs" in usual.err
        assert "games     22, in mirrored pairs" in usual.out
        assert quiet.err == ""
        assert quiet.out != ""
        assert (quieter.code, quieter.out, quieter.err) == (0, "", "")


class TestIllegalDecks:
    def test_an_illegal_deck_stops_the_run(self, run: Run) -> None:
        ended = run(SWARM, TOO_FEW, *FAST)

        assert ended.code == 1
        assert "too-few-cards" in ended.out
        assert "win rate" not in ended.out
        assert "--allow-illegal" in ended.err

    def test_findings_do_not_get_into_other_outputs(self, run: Run) -> None:
        ended = run(SWARM, TOO_FEW, *FAST, "--output-format", "json")

        assert (ended.code, ended.out) == (1, "")
        assert "too-few-cards" in ended.err

    @pytest.mark.usefixtures("here")
    def test_it_plays_when_allowed_and_every_output_says_so(self, run: Run) -> None:
        outputs = ("--output-format", "table", "--output-format", "json:found.json")
        ended = run(SWARM, TOO_FEW, *FAST, "--allow-illegal", *outputs)
        document = json.loads(Path("found.json").read_text(encoding="utf-8"))

        assert ended.code == 0
        assert "is illegal in gwent/standard" in " ".join(ended.out.split())
        assert [deck["legal"] for deck in document["decks"]] == [True, False]

    def test_an_unreadable_deck_cannot_play_at_all(self, run: Run) -> None:
        empty = str(DECKS.parents[1] / "examples/broken/gwent" / "empty.deck")

        assert run(SWARM, empty, *FAST, "--allow-illegal").code == 1
        assert run(SWARM, empty, *FAST).err == "No game was played\n"


class TestOutputs:
    """`FORMAT:FILE`, and `--output` for the one without a file."""

    def test_a_file_instead_of_standard_output(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "result.txt"
        printed = run(SWARM, SIEGE, *FAST).out
        ended = run(SWARM, SIEGE, *FAST, "-o", str(file))

        assert (ended.code, ended.out) == (0, "")
        written = file.read_text(encoding="utf-8")
        assert written.splitlines()[0] == printed.splitlines()[0]

    def test_a_place_that_is_not_there_is_told_before_playing(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Table, "play", None)
        ended = run(SWARM, SIEGE, *FAST, "-o", str(tmp_path / "gone" / "r.txt"))

        assert ended.code == 2
        assert "does not exist" in ended.err


class TestConfiguration:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Two decks without a format, of which one is too small."""
        monkeypatch.chdir(tmp_path)
        for name, source in (("a", SWARM), ("b", TOO_FEW)):
            text = Path(source).read_text(encoding="utf-8")
            text = text.replace("Format: gwent/standard\n", "")
            (tmp_path / f"{name}.deck").write_text(text, encoding="utf-8")
        return tmp_path

    def test_formats_and_severities_of_a_file_hold(self, run: Run) -> None:
        ended = run(".", *FAST)
        assert ended.code == 1
        assert "missing-format" in ended.out

        Path("deckcheck.toml").write_text('default-format = "gwent/standard"\n')
        assert run(".", *FAST).code == 1

        with Path("deckcheck.toml").open("a") as file:
            file.write('games = 4\n[severity]\ntoo-few-cards = "warning"\n')
        ended = run(".", "--policy", "random")
        assert ended.code == 0
        assert "4, in mirrored pairs" in ended.out

    def test_outputs_of_validate_are_passed_over(self, run: Run) -> None:
        Path("deckcheck.toml").write_text('output-format = "concise"\n')

        assert "The swarm against" in run(SWARM, SIEGE, *FAST).out


class TestMisuse:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((SWARM,), "error: Found 1 deck, needs at least 2"),
            ((), "error: No decks given"),
            ((SWARM, "missing.deck"), "error: `missing.deck` does not exist"),
            ((SWARM, SIEGE, "--policy", "heuristik"), "help: Did you mean `heuristic`"),
            ((SWARM, SIEGE, "--policy", "chess"), "help: Choose `auto`, `random`"),
            (
                (SWARM, SIEGE, LONGSHIPS, "--policy", "random", "--policy", "random"),
                "error: 2 policies given for 3 decks",
            ),
            ((SWARM, SIEGE, "--format", "gwent/standart"), "`gwent/standard`"),
            ((SWARM, BONDS), "error: Decks are of 2 formats"),
            ((SWARM, SIEGE, "--games", "0"), "`-n`: 0, from 1 allowed"),
            ((SWARM, SIEGE, "--seed", "-1"), "`--seed`: -1, from 0 allowed"),
            ((SWARM, SIEGE, "--jobs", "0"), "`-j`: 0, from 1 to 1024 allowed"),
            (
                (SWARM, SIEGE, "--seed", "-1", "--jobs", "9999"),
                "-1, from 0 allowed\n"
                "Invalid value for `--jobs` / `-j`: 9999, from 1 to 1024 allowed\n",
            ),
            ((SWARM, SIEGE, "--output-format", "xml"), "xml"),
            (
                (SWARM, SIEGE, "--rule", "max specails 4"),
                "error: `--rule` column 5: unknown word `spec",
            ),
            ((SWARM, SIEGE, "--as-of", "2025-09"), "gwent/standard"),
            ((KIN, CROWNS, "--select", "best"), "Unknown selection `best`"),
            ((KIN, CROWNS, "--matchups", "no.json"), "Cannot read `no.json`"),
            ((SIEGE, SIEGE, "--select", "fixed"), "`--select` does not apply to"),
            *(
                ((SWARM, SIEGE, "--policy", "random", *words), message)
                for words, message in STOPS
            ),
        ],
    )
    def test_ends_with_one_sentence(
        self, run: Run, arguments: tuple[str, ...], message: str
    ) -> None:
        ended = run(*arguments)

        assert ended.code == 2
        assert message in ended.err
        assert ended.out == ""


class TestFailures:
    def test_an_interrupt_tells_what_was_played(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(*_: object, **__: object) -> None:
            raise StoppedEarly(RunTallies(Tallies(), 0.0, 1, complete=False))

        monkeypatch.setattr(simulation, "compile_and_play", interrupt)
        ended = run(SWARM, SIEGE, *FAST)

        assert ended.code == 130
        assert ended.err == "Interrupted: no game was played\n"

    def test_a_crash_can_cross_processes(self) -> None:
        import pickle

        error = CrashedGameError(7, 1, 70, "IndexError: row 3 of 3")
        copy = pickle.loads(pickle.dumps(error))

        assert (copy.set, copy.message) == (70, error.message)


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start runs that would take hours, each in a group of its own."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        code = "import sys; from deckcheck.cli import main; sys.exit(main())"
        games = ("--games", "1000000000")
        process = subprocess.Popen(
            [sys.executable, "-c", code, "simulate", SWARM, SIEGE, *games, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        wait_for_progress(process)
        return process

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals to groups of processes")
class TestProcesses:
    @pytest.mark.parametrize("jobs", ["1", "2"])
    @pytest.mark.parametrize(
        ("number", "send"),
        [
            (signal.SIGINT, "killpg"),
            (signal.SIGTERM, "kill"),
            (signal.SIGTERM, "killpg"),
            (signal.SIGHUP, "killpg"),
        ],
    )
    def test_a_signal_ends_everything_at_once(
        self, start: Start, number: int, send: str, jobs: str, tmp_path: Path
    ) -> None:
        """As a terminal or a batch system sends it: perhaps to the whole group."""
        process = start("--jobs", jobs, "--run", str(tmp_path / "run"))
        getattr(os, send)(process.pid, number)
        _, err = process.communicate(timeout=20)

        assert process.returncode == 128 + number
        command = f"deckcheck resume {tmp_path / 'run'} --jobs {jobs}"
        assert err.endswith(f"\nhelp: Continue with `{command}`\n")
        assert "leaked" not in err
        # Neither the rest of the run is played nor what was waiting for a worker.
        [said] = re.findall(r"Interrupted: ([\d,]+) of ([\d,]+) games", err)
        played, asked = (int(number.replace(",", "")) for number in said)
        assert played < asked / 100
        assert "Traceback" not in err
        assert living_in_group(process.pid) == []

    def test_workers_end_with_a_killed_run(self, start: Start) -> None:
        process = start("--jobs", "2")
        process.kill()
        process.communicate(timeout=20)
        time.sleep(3)

        assert living_in_group(process.pid) == []

    def test_a_killed_worker_costs_its_blocks_alone(self, start: Start) -> None:
        process = start("--jobs", "2")
        wait_for_progress(process)  # the workers have played by then
        before = workers_of(process)
        os.kill(before[0], signal.SIGKILL)
        wait_for_progress(process)

        after = workers_of(process)
        assert len(after) == 2
        assert not {*before} & {*after}
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert living_in_group(process.pid) == []

    def test_a_run_does_not_load_pandas(self) -> None:
        code = (
            "import sys; from deckcheck.cli import main; "
            f"main(['simulate', {SWARM!r}, {SIEGE!r}, '--games', '2', '-qq']); "
            "sys.exit('pandas' in sys.modules)"
        )

        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    return [pid for pid, line in living_in_group(process.pid) if "spawn_" in line]


def wait_for_progress(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if " games, " in line:
            return
    raise AssertionError("the run ended by itself")


def living_in_group(group: int) -> list[tuple[int, str]]:
    """Processes of a group with their command lines.

    Ended ones do not count, nor those about to: they have no command line any more
    and are shown as `[python3]`.
    """
    table = subprocess.run(
        ["ps", "-ww", "-eo", "pid,pgid,stat,args"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(maxsplit=3) for line in table.stdout.splitlines()[1:]]
    return [
        (int(pid), command)
        for pid, pgid, state, command in rows
        if int(pgid) == group and not state.startswith("Z") and command[0] != "["
    ]


# `deckcheck simulate` with rules for one run and by dates, as `validate` has them.

Captured = pytest.CaptureFixture[str]


def test_a_rule_makes_a_deck_illegal(capsys: Captured) -> None:
    assert main(["simulate", SWARM, SIEGE, "--rule", "max specials 6"]) == 1

    shown = capsys.readouterr()
    assert "7 special cards, at most 6 allowed" in shown.out
    assert "from --rule `max specials 6`" in shown.out
    assert shown.err.startswith("No game was played")


# `deckcheck simulate` with rules that stop it, a games table, and a crash.

DECK = str(min((DECKS.parent / "deckmaster" / "standard").glob("*.deck")))
BY_CHANCE = ("--policy", "random", "--jobs", "1", "--seed", "3")
LONG = ("simulate", DECK, "--games", "4000", *BY_CHANCE)


def test_stops_at_a_width_and_says_so(capsys: Captured) -> None:
    out = stdout_of(capsys, *LONG, "--until-width", "30%", "--full")

    assert "stops      once all intervals are at most 30 points wide" in out
    assert "intervals  hold at every look" in out


def test_a_run_that_was_stopped_is_one_of_so_many_games(capsys: Captured) -> None:
    """Games that were played before a look are not played again after it."""

    def played(games: int, *rule: str) -> dict[str, Any]:
        args = ["simulate", DECK, "--games", str(games), *rule, *BY_CHANCE]
        assert main([*args, "--output-format", "json"]) == 0
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    stopped = played(4_000, "--until-width", "20%")
    games = stopped["games_played"]
    whole = played(games)

    assert 100 < games < 4_000
    assert stopped["complete"]
    assert games == 2 * stopped["stopping"]["tables"][0]["sets"]
    assert stopped["checksum"] == whole["checksum"]


def test_the_document_has_the_decisions(capsys: Captured) -> None:
    words = ("--sprt", "0,400", "--output-format", "json")
    found = json.loads(stdout_of(capsys, *LONG, *words))
    check_document("simulate", found)
    stopping = found["stopping"]
    assert stopping["reached"]
    [table] = stopping["tables"]
    assert table["decision"] == "+0 Elo accepted"
    assert table["log_likelihood_ratio"] < -2.9
    assert 2 * table["sets"] == found["games_played"] < 4_000


def test_resuming_comes_to_the_same_decision(capsys: Captured, here: Path) -> None:
    """Blocks are lost in the middle, as if a run was stopped there."""
    whole = stdout_of(capsys, *LONG, "--until-width", "20%", "--run", "run")
    blocks = here / "run" / "blocks.jsonl"
    lines = blocks.read_text().splitlines(keepends=True)
    blocks.write_text("".join([*lines[:2], *lines[4:5]]))

    assert stdout_of(capsys, "resume", "run") == whole


def test_a_crash_gives_the_command_that_replays_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise CrashedGame("a game crashed")

    monkeypatch.setattr("deckcheck.playing.versions.play_logged", crash)
    args = ["simulate", DECK, "--games", "20", *BY_CHANCE]

    err = stderr_of(capsys, *args, code=3)
    assert "a game crashed (seed 3, table 0, set 0)" in err
    assert f"help: `deckcheck replay {DECK} --games 20 --seed 3 --policy random" in err
    assert "--pairing 'player 1 (random), " in err
    assert "--game 1` tells it" in err


# `deckcheck simulate` with lineups: matches, ways to choose, and misuse.

FEW = ("--policy", "random", "--games", "10", "--jobs", "1")


def test_a_lineup_may_meet_itself(capsys: Captured) -> None:
    ways = ("--select", "fixed", "--select", "random")
    words = ["simulate", KIN, KIN, *FEW, *ways, "--full"]
    out = stdout_of(capsys, *words)
    assert "\n\nkin of the coast (1) against kin of the coast (2)\n" in out
    assert "selection  fixed, random\n" in out


def test_odd_numbers_of_matches_are_rounded_up(capsys: Captured) -> None:
    words = ("--games", "5", "--select", "random", "--output-format", "csv")
    assert main(["simulate", KIN, CROWNS, *FEW, *words]) == 0

    captured = capsys.readouterr()
    assert "5 games are rounded up to 6, in mirrored pairs" in captured.err
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    matches = [row["n"] for row in rows if row["metric"] == "match_win_rate"]
    assert matches == ["6"] * 2


def test_known_chances_are_for_tournaments(capsys: Captured, tmp_path: Path) -> None:
    known = str(tmp_path / "known.json")
    duel = ["simulate", SIEGE, SIEGE, *FEW]
    assert main([*duel, "--output-format", "json", "-o", known]) == 0

    assert main([*duel, "--matchups", known]) == 2
    assert "`--matchups` does not apply to" in capsys.readouterr().err


# Words of decks, files and paths never steer the terminal of who reads them.

# What steers: escape sequences, C1 controls, marks of writing direction, line ends.
EVIL = "x\x1b[2Jy\x9b1mz\u202ew\u2028v\u2066u\u200ft"
STEERING = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
STEERING_DECK = f"""\
Name: {EVIL}
Format: gwent/standard
Leader: {EVIL}
{EVIL}: {EVIL}
3 {EVIL}
3 {EVIL} x2
0 Ballista {EVIL}
"""
FILE = "a\x1b[2J\nb\u202ec.deck"

FORMAT = r"""
extends: gwent/standard
title: "x\e[2Jy\u202ez"
ban_cards: ["x\e[2Jy\u202ez"]
"x\e[2Jy\u202ez": 1
"""

EVENT = r"""
name = "x\u001b[2Jy\u202ez"
date = "x\u001b[2Jy\u202ez"
format = "gwent/standard"
lists = "lists"
players = ["Anna\u001b[2J\u202e", "Ben"]
"""

SCENARIO = r"""
rule: gwent 1.2.4
format: gwent/standard
turn: A
players:
  A: {faction: monsters, hand: ["x\e[2Jy\u202ez"]}
  B: {faction: skellige, hand: [olaf]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / FILE).write_text(STEERING_DECK, encoding="utf-8")
    (tmp_path / "league.yaml").write_text(FORMAT, encoding="utf-8")
    (tmp_path / "event.toml").write_text(EVENT, encoding="utf-8")
    (tmp_path / "position.yaml").write_text(SCENARIO, encoding="utf-8")
    titled = FORMAT.partition("ban_cards")[0] + "ban_cards: [Scorch]\n"
    (tmp_path / "le\x1bague.yaml").write_text(titled, encoding="utf-8")
    return tmp_path


OUTPUTS = ("full", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        *(["validate", "lists", "--output-format", each] for each in OUTPUTS),
        ["validate", "lists", "--output-format", "markdown"],
        ["validate", "lists", "--output-format", "rdjson"],
        ["validate", "lists", "-v"],
        ["validate", "lists", "--show-files"],
        ["validate", "lists", "--format", "./league.yaml"],
        ["validate", FILE],
        ["validate", EVIL, "--format", EVIL],
        ["validate", "lists", "--output-format", EVIL],
        ["validate", "lists", f"--{EVIL}"],
        ["convert", f"lists/{FILE}", "--to", "json"],
        ["fmt", "lists"],
        ["event", "event.toml"],
        ["event", "event.toml", "--output-format", "html"],
        ["formats", "list", "--for", f"lists/{FILE}"],
        ["formats", "--for", f"lists/{FILE}", "--output-format", "json"],
        ["formats", "show", "./league.yaml"],
        ["formats", "show", "./le\x1bague.yaml"],
        ["formats", "show", "./le\x1bague.yaml", "--output-format", "json"],
        ["formats", "diff", "gwent/standard", "./le\x1bague.yaml"],
        ["generate", EVIL],
        ["generate", "gwent/standard", "--output", f"{EVIL}\n"],
        ["scenario", "position.yaml"],
        ["scenario", "position.yaml", "--output-format", "json"],
        ["simulate", "lists", "lists"],
        ["cards", "show", EVIL],
        ["rule", EVIL],
        [EVIL],
    ],
    ids=lambda arguments: ascii(" ".join(arguments))[:70],
)
def test_nothing_steers_the_terminal(arguments: list[str], capsys: Captured) -> None:
    main(arguments)

    captured = capsys.readouterr()
    assert captured.out or captured.err
    assert STEERING.findall(captured.out) == []
    assert STEERING.findall(captured.err) == []


@pytest.mark.usefixtures("folder")
def test_what_is_escaped_is_visible(capsys: Captured) -> None:
    assert main(["rule", "x\x1b[2J"]) == 2

    assert capsys.readouterr().err.startswith(r"error: Unknown finding `x\x1b[2J`")


@pytest.mark.parametrize(
    ("command", "name"),
    [("simulate", "junit"), ("simulate", "sarif"), ("compare", "github")],
)
def test_findings_of_illegal_decks_are_written(
    command: str, name: str, here: Path, capsys: Captured
) -> None:
    words = (command, SWARM, TOO_FEW, "--output-format")

    assert main([*words, f"{name}:findings", "-qq"]) == 1
    written = Path("findings").read_text()
    assert "too-few-cards" in written or "DL101" in written
    assert stdout_of(capsys, *words, name, "-q", code=1).startswith(written[:40])
