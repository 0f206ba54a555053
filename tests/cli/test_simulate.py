"""`deckcheck simulate` from its arguments to its output and exit code."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.playing.table import Table
from deckcheck.sim import simulation
from deckcheck.sim.errors import CrashedGameError
from deckcheck.sim.scheduler import RunTallies, StoppedEarly
from deckcheck.sim.warmup import warm_format

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
SWARM = str(DECKS / "standard" / "mo_swarm.deck")
SIEGE = str(DECKS / "standard" / "nr_siege_masters.deck")
LONGSHIPS = str(DECKS / "standard" / "sk_longships.deck")
TOO_FEW = str(DECKS.parents[1] / "examples/broken/gwent" / "too-few-units.deck")
BONDS = str(DECKS / "advanced" / "nr_bonds.deck")

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


class Ended:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


Run = Callable[..., Ended]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Compile before anything is looked at: it would be announced on stderr."""
    warm_format(load_format("gwent/standard"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def simulate(*arguments: str) -> Ended:
        code = main(["simulate", *arguments])
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return simulate


class TestResults:
    def test_two_decks_are_a_match(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, *FAST)

        assert ended.code == 0
        assert ended.out.startswith("The swarm against Siege masters\n")
        assert "format    gwent/standard, snapshot 2025-10\n" in ended.out
        assert "seed      1\n" in ended.out

    def test_three_decks_are_a_round_robin(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, LONGSHIPS, *FAST)

        assert "Standings" in ended.out
        assert "Siege masters against Longships of Skellige" in ended.out

    def test_a_folder_gives_all_its_decks(self, run: Run) -> None:
        folder = str(DECKS / "advanced")
        ended = run(folder, "--games", "2", "--output-format", "json")

        assert len(json.loads(ended.out)["matchups"]) == 10

    def test_json_follows_its_schema(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, LONGSHIPS, *FAST, "--output-format", "json")
        document = json.loads(ended.out)

        jsonschema.validate(document, closed_schema("simulate"))
        assert document["policies"] == {
            "The swarm": "random",
            "Siege masters": "random",
            "Longships of Skellige": "random",
        }

    def test_csv_and_markdown(self, run: Run) -> None:
        table = run(SWARM, SIEGE, *FAST, "--output-format", "csv").out
        page = run(SWARM, SIEGE, *FAST, "--output-format", "markdown").out

        rows = csv.DictReader(io.StringIO(table))
        rates = [row for row in rows if row["metric"] == "win_rate"]
        assert {(row["deck"], row["opponent"], row["n"]) for row in rates} >= {
            ("The swarm", "Siege masters", "20"),
            ("Siege masters", "The swarm", "20"),
        }
        assert page.startswith("### The swarm against Siege masters")

    def test_each_deck_starts_one_game_of_each_pair(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, *FAST, "--output-format", "json")
        (matchup,) = json.loads(ended.out)["matchups"]

        assert matchup["a_starts"]["games"] == matchup["b_starts"]["games"] == 10
        assert sum(matchup["pairs"]) == 10

    def test_the_same_seed_gives_the_same_games(self, run: Run) -> None:
        def games(seed: str) -> object:
            ended = run(SWARM, SIEGE, *FAST, "--seed", seed, "--output-format", "json")
            document = json.loads(ended.out)
            return document["checksum"], document["matchups"]

        assert games("7") == games("7")
        assert games("7") != games("8")

    def test_a_deck_more_leaves_the_other_matchups_as_they_were(self, run: Run) -> None:
        def first(*decks: str) -> object:
            ended = run(*decks, *FAST, "--output-format", "json")
            matchup = json.loads(ended.out)["matchups"][0]
            # Their bins are those of the whole run.
            matchup["margins"] = sum(matchup["margins"]["games"])
            return matchup

        assert first(SWARM, SIEGE, LONGSHIPS) == first(SWARM, SIEGE)


class TestChoices:
    def test_policies_in_order(self, run: Run) -> None:
        players = ("--policy", "random", "--policy", "sane_random")
        ended = run(SWARM, SIEGE, "--games", "20", *players)

        assert "The swarm (random) against Siege masters (sane_random)" in ended.out

    def test_one_deck_under_two_players(self, run: Run) -> None:
        players = ("--policy", "random", "--policy", "sane_random")
        ended = run(SWARM, SWARM, "--games", "20", *players)

        assert "The swarm (random) against The swarm (sane_random)" in ended.out

    def test_decks_of_one_name_are_told_apart_by_file(
        self, run: Run, tmp_path: Path
    ) -> None:
        for player in ("anna", "ben"):
            shutil.copy(SWARM, tmp_path / f"{player}.deck")
        ended = run(str(tmp_path), *FAST, "--output-format", "json")
        (matchup,) = json.loads(ended.out)["matchups"]

        assert matchup["a"] == "The swarm (anna.deck)"
        assert matchup["b"] == "The swarm (ben.deck)"

    def test_a_share_code_named_twice_meets_itself(self, run: Run) -> None:
        ended = run(SWARM_CODE, SWARM_CODE, "-n", "2", "--policy", "random")

        assert (ended.code, ended.err) == (0, "")
        assert " against " in ended.out

    def test_share_codes_are_named_by_their_ends(self, run: Run) -> None:
        ended = run(SWARM_CODE, SIEGE_CODE, *FAST)

        assert ended.out.startswith(
            f"DC1_…{SWARM_CODE[-6:]} against DC1_…{SIEGE_CODE[-6:]}\n"
        )

    def test_a_deck_meets_itself_on_request(self, run: Run) -> None:
        assert "The swarm against The swarm" in run(SWARM, "--mirror", *FAST).out

    def test_odd_games_are_rounded_up(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, "--games", "21", "--policy", "random")

        assert "note: 21 games are rounded up to 22, in mirrored pairs" in ended.err
        assert "games     22, in mirrored pairs" in ended.out

    def test_a_file_named_twice_takes_part_once(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, SWARM, *FAST)

        assert "takes part once: `" in ended.err
        assert ended.out.startswith("The swarm against Siege masters\n")

    def test_quiet_shows_the_result_alone(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, "--games", "21", "--policy", "random", "-q")

        assert ended.err == ""
        assert ended.out != ""

    def test_quieter_shows_nothing(self, run: Run) -> None:
        ended = run(SWARM, SIEGE, *FAST, "-qq")

        assert (ended.code, ended.out, ended.err) == (0, "", "")


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

    def test_it_plays_when_allowed_and_the_report_says_so(self, run: Run) -> None:
        ended = run(SWARM, TOO_FEW, *FAST, "--allow-illegal")

        assert ended.code == 0
        assert "is illegal in gwent/standard" in " ".join(ended.out.split())

    def test_json_says_so_too(self, run: Run) -> None:
        allowed = ("--allow-illegal", "--output-format", "json")
        document = json.loads(run(SWARM, TOO_FEW, *FAST, *allowed).out)

        assert [deck["legal"] for deck in document["decks"]] == [True, False]

    def test_an_unreadable_deck_cannot_play_at_all(self, run: Run) -> None:
        empty = str(DECKS.parents[1] / "examples/broken/gwent" / "empty.deck")

        assert run(SWARM, empty, *FAST, "--allow-illegal").code == 1
        assert run(SWARM, empty, *FAST).err == "No game was played\n"


class TestOutputs:
    """`FORMAT:FILE`, and `--output` for the one without a file."""

    def test_several_at_once(self, run: Run, tmp_path: Path) -> None:
        words = ("table", f"json:{tmp_path / 'r.json'}", f"csv:{tmp_path / 'r.csv'}")
        outputs = [part for word in words for part in ("--output-format", word)]
        ended = run(SWARM, SIEGE, *FAST, *outputs)

        assert ended.out.startswith("The swarm against Siege masters\n")
        document = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        assert document["games"] == 20
        assert (
            (tmp_path / "r.csv")
            .read_text(encoding="utf-8")
            .startswith("deck,opponent,")
        )

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
        assert "names no format" in run(".", *FAST).err

        Path("deckcheck.toml").write_text('default-format = "gwent/standard"\n')
        assert run(".", *FAST).code == 1

        with Path("deckcheck.toml").open("a") as file:
            file.write('games = 4\n[severity]\ntoo-few-cards = "warning"\n')
        ended = run(".", "--policy", "random")
        assert ended.code == 0
        assert "4, in mirrored pairs" in ended.out

    def test_outputs_of_validate_are_passed_over(self, run: Run) -> None:
        Path("deckcheck.toml").write_text('output-format = "concise"\n')

        assert run(SWARM, SIEGE, *FAST).out.startswith("The swarm against")


class TestMisuse:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((SWARM,), "error: Found 1 deck, needs at least 2"),
            ((), "error: No decks given"),
            ((SWARM, "missing.deck"), "error: `missing.deck` does not exist"),
            ((SWARM, SIEGE, "--policy", "heuristik"), "help: Did you mean `heuristic`"),
            ((SWARM, SIEGE, "--policy", "chess"), "help: Choose one of random"),
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
    def test_a_crashed_game_names_what_replays_it(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def crash(*_: object) -> None:
            raise IndexError("row 3 of 3")

        monkeypatch.setattr(Table, "play", crash)
        ended = run(SWARM, SIEGE, *FAST)

        assert ended.code == 3
        assert "row 3 of 3 (seed 1, table 1, set 0)" in ended.err
        assert ended.out == ""

    def test_an_interrupt_tells_what_was_played(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(*_: object, **__: object) -> None:
            raise StoppedEarly(RunTallies({}, 0.0, 1, complete=False))

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
        assert err.endswith(f"\nhelp: Go on with `{command}`\n")
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
