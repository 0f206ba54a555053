"""What Windows, containers and read-only systems do differently, forced here."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from deckcheck.cli import crash, main
from deckcheck.engine.host import cache, trying
from deckcheck.findings import UsageError
from deckcheck.findings.files import expanded, only_one, relative_path
from deckcheck.formats.ids import own_id
from deckcheck.sim.scheduling import executors
from deckcheck.sim.scheduling.interrupts import interrupts_held_back

ROOT = Path(__file__).resolve().parent.parent
DECK = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"


@pytest.fixture
def other_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every path lies on another drive than the working folder."""

    def relpath(path: str, start: str = os.curdir) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", relpath)


@pytest.mark.usefixtures("other_drive")
def test_a_path_on_another_drive_stays_absolute(tmp_path: Path) -> None:
    assert relative_path(tmp_path / "a.yaml") == str(tmp_path / "a.yaml")
    assert own_id(tmp_path / "a.yaml") == (tmp_path / "a.yaml").as_posix()


def test_no_module_asks_for_a_relative_path_that_there_may_not_be() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "deckcheck").rglob("*.py")
        if "os.path.relpath(" in path.read_text("utf-8")
        or "os.path.commonpath(" in path.read_text("utf-8")
    }

    # The second one asks for paths below a folder.
    assert users == {"deckcheck/findings/files.py", "deckcheck/cards/cache.py"}


def test_patterns_are_expanded_where_no_shell_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b", "a", "[c]"):
        Path(name).mkdir()

    assert expanded([Path("[ab]"), Path("[c]"), Path("z*"), Path("b")]) == [
        *(Path("a"), Path("b"), Path("[c]"), Path("z*"), Path("b"))
    ]
    assert only_one(Path("b*")) == Path("b")
    with pytest.raises(UsageError, match=r"^`\[ab\]` matches 2 files$") as info:
        only_one(Path("[ab]"))
    assert info.value.help == "Name one of them, such as `a`"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["merge", "s*", "--run", "all"], "`s1` is no run"),
        (["report", "s*"], "`s1` is no run"),
        (["resume", "s*"], "`s1` is no run"),
        (["meta", "s*"], "`s1` is no run"),
        (["event", "e*.toml"], "e1.toml"),
        (["expect", "e*.toml"], "e1.toml"),
    ],
)
def test_commands_expand_patterns(
    command: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s1").mkdir()
    Path("e1.toml").write_text("", encoding="utf-8")

    assert main(command) == 2
    assert said in capsys.readouterr().err


def run(*arguments: str, **environment: str) -> bytes:
    """What a command writes where its output is no terminal."""
    command = [sys.executable, "-m", "deckcheck", *arguments]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONIOENCODING"}
    env.update(environment)
    done = subprocess.run(command, capture_output=True, env=env, check=True)
    return done.stdout


def test_redirected_output_is_utf_8_whatever_the_code_page(tmp_path: Path) -> None:
    deck = tmp_path / "a.deck"
    text = DECK.read_text("utf-8").replace("The swarm", "Łódź Größe")
    deck.write_text(text, encoding="utf-8")
    # As with code page 1252 of Windows: the locale's encoding has no `Ł`.
    latin = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}

    written = run("convert", str(deck), "--to", "yaml", **latin)

    assert "Łódź Größe" in written.decode("utf-8")
    (tmp_path / "b.yaml").write_bytes(written)
    assert b"1 legal" in run("validate", str(tmp_path / "b.yaml"), **latin)


def test_a_checkout_with_other_line_ends_is_the_same_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    (tmp_path / "engine").mkdir()
    source = tmp_path / "engine" / "rules.py"
    source.write_bytes(b"a = 1\nb = 2\n")
    unix = cache.code_hash()
    source.write_bytes(b"a = 1\r\nb = 2\r\n")

    assert cache.code_hash() == unix
    source.write_bytes(b"a = 1\nb = 3\n")
    assert cache.code_hash() != unix


def test_no_more_workers_are_started_than_windows_waits_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    class Pool:
        def __init__(self, workers: int, **options: object) -> None:
            asked.append(workers)

    monkeypatch.setattr(executors, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(executors, "MOST_WORKERS", 61)
    executors.WorkerProcesses(100)
    executors.WorkerProcesses(4)

    assert asked == [61, 4]


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "max 100000\n"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8),
        ({"cpu.max": "nonsense\n"}, 8),
        ({}, 8),
    ],
)
def test_a_container_uses_the_cores_whose_time_it_gets(
    files: dict[str, str], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(executors, "CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)

    assert executors.usable_cores() == cores


@pytest.fixture
def no_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that is read-only has none."""

    def gettempdir() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", gettempdir)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *_, **__: gettempdir())
    monkeypatch.setenv("HOME", "/proc/none")
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, "/proc/none")


@pytest.mark.usefixtures("no_temporary_folder")
def test_a_system_without_a_temporary_folder_plays_and_tells_of_crashes() -> None:
    assert cache.choose_cache_folder()[0] is None
    assert not trying.trial_succeeds()
    assert crash.write_log(ValueError("x"), ["simulate"]) is None


def test_workers_of_windows_are_born_deaf_to_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They take over that the console's Ctrl-C is ignored, and only they."""
    calls: list[tuple[object, bool]] = []

    class Kernel:
        class kernel32:
            @staticmethod
            def SetConsoleCtrlHandler(handler: object, ignored: bool) -> None:
                calls.append((handler, ignored))

    monkeypatch.setattr(ctypes, "windll", Kernel, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    with interrupts_held_back():
        assert calls == [(None, True)]

    assert calls == [(None, True), (None, False)]
