"""Commands start quickly, and compile beforehand what they are asked to."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Semaphore

import pytest
from helpers.commands import run_alone, stderr_of, stdout_of
from helpers.results import simulated

from deckcheck.cli import main, progress
from deckcheck.cli.invocation import Invocation
from deckcheck.cli.loading import plays_few_games
from deckcheck.engine import cache
from deckcheck.engine.cache import is_warm
from deckcheck.engine.registry import GAMES, load_game
from deckcheck.formats import format_ids
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import extra_players
from deckcheck.report.tables import percent, ranged
from deckcheck.sim.errors import NoWorkersError
from deckcheck.sim.simulation import Simulation

# Starting up is fast because heavy libraries stay out.

DECK = Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "mo_swarm.deck"

SWARM, SIEGE = str(DECK), str(DECK.with_name("nr_siege_masters.deck"))
KIN = str(DECK.parents[1] / "tournament" / "kin_of_the_coast.deck")
"""Two decks and a lineup."""

HEAVY = {"numpy", "numba", "llvmlite", "pandas", "matplotlib", "scipy", "rich"}
SLOW = {
    *("pydantic", "yaml", "rapidfuzz", "csv", "tomllib", "deckcheck.config"),
    *("deckcheck.validation.suppression", "deckcheck.documents.readers"),
    "deckcheck.decks.structured",
}
"""What takes its time too, and is for what a plain text deck does not have."""

PROGRAM = """
import sys
from deckcheck.cli import main
commands = [[]]
for word in sys.argv[1:]:
    commands.append([]) if word == "+" else commands[-1].append(word)
code = max(main(command) for command in commands)
sys.stdout.flush()
print(code, *sorted(sys.modules), file=sys.stderr)
"""


def imported(folder: Path, *args: str) -> set[str]:
    """Return the modules and packages that commands import, with `+` between them."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *args],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0"
    return {*modules, *(name.partition(".")[0] for name in modules)}


def test_validating_a_deck_imports_nothing_heavy(tmp_path: Path) -> None:
    """The first run reads and checks cards and formats, later ones know them."""
    first, *later = (imported(tmp_path, "validate", str(DECK)) for _ in range(2))
    assert first & HEAVY == set()
    assert all(modules & (HEAVY | SLOW) == set() for modules in later)


def test_nor_do_names_that_are_not_english_and_configurations(tmp_path: Path) -> None:
    """Nor does any command that is small."""
    text = DECK.read_text(encoding="utf-8")
    for name in ("Finte", "Dekoy"):  # German, and a typo
        (tmp_path / f"{name}.deck").write_text(text.replace("Decoy", name, 1))
    args = ("validate", "--exit-zero", "Finte.deck", "Dekoy.deck")

    imported(tmp_path, *args)
    assert imported(tmp_path, *args) & (HEAVY | SLOW - {"rapidfuzz"}) == set()
    (tmp_path / "deckcheck.toml").write_text('fail-on = "note"\n')
    small = ["+", "-h", "+", "--version", "+", "rule", "DL103"]
    found = imported(tmp_path, *args, *small)
    assert "pydantic" in found
    assert found & HEAVY == set()


@pytest.mark.compiled
def test_a_report_loads_no_compiler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes 140 MB. Games of losses are played again, by compiled code."""
    words = f"simulate {SWARM} {SIEGE} -n 20 -j 1 --run {tmp_path / 'run'}"
    shown = stdout_of(capsys, *words.split())
    named = ("json:page.json", "csv:page.csv", "table")
    outputs = ["--html=page.html", *(f"--output-format={each}" for each in named)]
    found = imported(tmp_path, "report", "run", *outputs)
    assert found & {"numba", "llvmlite"} == set()
    assert stdout_of(capsys, "report", str(tmp_path / "run")) == shown
    assert "numba" in imported(tmp_path, "report", "run", "--losses", "The swarm")


# `deckcheck warmup`, and Ctrl-C while code is compiled.


def test_compiling_is_announced_unless_one_wants_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cache, "is_warm", lambda _: False)
    assert stdout_of(capsys, "warmup", "gwent/advanced").startswith("gwent/advanced: ")
    for command in ("warmup gwent/standard", f"simulate {SWARM} {SIEGE} -n 2 -j 1"):
        said = stderr_of(capsys, *command.split(), code=0)
        assert "compiling the gwent-learned engine, once per ver" in said
        assert stderr_of(capsys, *command.split(), "-q", code=0) == ""


@pytest.mark.compiled
def test_few_games_wait_for_no_compiler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", SWARM, SIEGE, "-n", "2", "-j", "1", "--output-format", "csv"]
    variables = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    done = run_alone(*words, env=os.environ | variables)
    assert "compiling" not in done.stderr
    assert not list(tmp_path.rglob("*.nb?"))
    assert done.stdout == stdout_of(capsys, *words)


def test_few_games_are_those_of_few_decks() -> None:
    usual = {"decks": [SWARM, SIEGE], "games": 100, "mirror": False, "policy": None}
    for changed, few in (
        *(({}, True), ({"games": 101}, False), ({"mirror": True}, False)),
        ({"policy": ["random", "learned"]}, False),
        *(({"gauntlet": True}, False), ({"plan": Path("plan.toml")}, False)),
        ({"decks": [str(DECK.parent)]}, False),
        ({"decks": [SWARM, SIEGE, SWARM]}, False),
        *(
            ({"decks": [SWARM, KIN]}, False),
            ({"decks": [SWARM, "missing.deck"]}, False),
        ),
    ):
        asked = Invocation("simulate", (), {**usual, **changed}, {}, None)
        assert plays_few_games(asked) == few, changed


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that has to be compiled, on two cores."""
    monkeypatch.setattr(progress, "is_warm", lambda _: False)
    monkeypatch.setattr(progress, "usable_cores", lambda: 2)


@pytest.mark.usefixtures("uncompiled")
def test_the_first_games_are_told_while_the_engine_is_compiled() -> None:
    """They are those that the run plays, and each interval is that of its games."""
    study = few_decks("random", 2)
    told: list[str] = []
    are_told = Semaphore(0)

    def tell(sentence: str) -> None:
        told.append(sentence)
        are_told.release()

    with progress.preliminary_figures(study, tell):
        for _ in progress.FIRST_SETS:
            are_told.acquire()

    expected = []
    for sets in progress.FIRST_SETS:
        (matchup,) = study.with_games(2 * sets).run().matchups
        rate = matchup.win_rate(matchup.a)
        expected.append(
            f"preliminary: `{matchup.a}` wins {percent(rate.value)} of the first "
            f"{2 * sets} games ({ranged(rate.interval)})"
        )
    assert told == expected


def few_decks(player: str, count: int, mode: str = "duel") -> Simulation:
    study = simulated(mode, 100, player)
    return replace(study, entrants=study.entrants[:count])


def test_nothing_is_told_of_what_takes_long_or_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of one core, compiled code, bots that think for long, tables and matches."""
    monkeypatch.setattr(progress, "WorkerProcesses", pytest.fail)
    for study, cores, is_compiled in (
        (("random", 2), 1, False),
        (("random", 2), 2, True),
        (("search", 2), 2, False),
        (("random", 3), 2, False),
        (("random", 6, "match"), 2, False),
    ):
        monkeypatch.setattr(progress, "is_warm", lambda _, warm=is_compiled: warm)
        monkeypatch.setattr(progress, "usable_cores", lambda n=cores: n)
        with progress.preliminary_figures(few_decks(*study), pytest.fail):
            pass


@pytest.mark.usefixtures("uncompiled")
def test_no_room_for_a_process_stops_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoRoom(progress.WorkerProcesses):
        def _start(self) -> None:
            raise NoWorkersError("resource temporarily unavailable")

    monkeypatch.setattr(progress, "WorkerProcesses", NoRoom)
    with progress.preliminary_figures(few_decks("random", 2), pytest.fail):
        pass


def test_without_a_compiler_there_is_nothing_to_do() -> None:
    done = run_alone("warmup", env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    assert done.stdout == "nothing to compile: NUMBA_DISABLE_JIT is set\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_while_compiling_ends_at_once() -> None:
    code = (
        "import os, signal\n"
        "from deckcheck.cli.loading import interrupts_end_at_once\n"
        "with interrupts_end_at_once():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('still here')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted: no game was played\n"


@pytest.mark.slow
def test_everything_that_is_installed_is_compiled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["warmup"]) == 0

    printed = capsys.readouterr()
    parts = [line.partition(": ")[0] for line in printed.out.splitlines()[:-1]]
    told = [line for line in printed.err.splitlines() if " of " in line]
    assert told == [f"{n} of {len(parts)}: {part}" for n, part in enumerate(parts, 1)]
    assert sorted(id for part in parts for id in part.split(", ")) == format_ids()
    for game in GAMES:
        variants = load_game(game).RECORD_TYPES
        for variant in variants:
            extras = extra_players([Policy.HEURISTIC], game, variant)
            own = () if variant == "two" else (variant,)
            assert is_warm("-".join((game, *own, *extras)))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_keeps_what_is_compiled(tmp_path: Path) -> None:
    """With an empty cache compiling takes long enough to be interrupted."""
    done = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", "warmup", "deckmaster/standard"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.stderr is not None
    lines = [done.stderr.readline(), done.stderr.readline()]
    done.send_signal(signal.SIGINT)

    assert lines[0] == "1 of 1: deckmaster/standard\n"
    assert lines[1].startswith("compiling the deckmaster engine")
    assert done.stderr.read() == "Interrupted: parts compiled before are kept\n"
    assert done.wait() == 130
