"""Compiled code that is kept: where, and what of it is believed."""

import gc
import io
import os
import pickle
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numba
import pytest
from llvmlite import binding
from numba.core.caching import FunctionCache

from deckcheck.engine import cache, compiling
from deckcheck.engine.cache import CPU_NEEDED, PACKAGE_FOLDER
from deckcheck.engine.jit import entry

pytestmark = pytest.mark.compiled

# Compiled code that is kept: only what is whole and the user's own is loaded.


def tripled(number):
    return 3 * number


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """Where code is kept in this test; no note was printed yet."""
    monkeypatch.setattr(compiling, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(cache, "PRINTED_NOTES", set())
    return tmp_path


def is_loaded(argument=2):
    """Whether a new start of the program finds the function on disk."""
    function = entry(tripled)
    assert function(argument) == 3 * argument
    return sum(function.stats.cache_hits.values()) == 1


def kept(folder, suffix):
    (file,) = folder.rglob(f"*.{suffix}")
    return file


FILES = pytest.mark.parametrize("suffix", ["nbi", "nbc"])


def test_code_is_kept_for_the_next_start(own_folder, capfd):
    assert not is_loaded()
    assert is_loaded()
    modes = [file.stat().st_mode & 0o777 for file in own_folder.rglob("*.nb?")]
    assert modes == [0o600, 0o600]
    # Processes of earlier tests may still write there.
    assert "compiled" not in capfd.readouterr().err


@pytest.mark.parametrize("threshold", [700, 50_000, 0])
def test_the_collector_is_quiet_only_while_code_is_compiled(own_folder, threshold):
    usual = gc.get_threshold()
    gc.set_threshold(threshold, *usual[1:])
    try:
        with compiling.quiet_collector(), compiling.quiet_collector():
            inside = gc.get_threshold()[0]
            assert inside == (
                max(threshold, compiling.COLLECTOR_THRESHOLD) if threshold else 0
            )
            assert gc.get_freeze_count() > 0
        is_loaded()
        assert gc.get_threshold() == (threshold, *usual[1:])
        assert gc.get_freeze_count() == 0
    finally:
        gc.set_threshold(*usual)


class Planted:
    """Runs when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("planted",)


@FILES
def test_what_has_no_checksum_is_never_unpickled(
    own_folder, capfd, monkeypatch, suffix
):
    is_loaded()
    monkeypatch.chdir(own_folder)
    kept(own_folder, suffix).write_bytes(b"\0\0\0\0" + pickle.dumps(Planted()))

    assert not is_loaded()
    assert not (own_folder / "planted").exists()
    assert capfd.readouterr().err == (
        "note: compiled code that was kept is not used and is compiled again (up to a "
        "minute): it is damaged\n"
    )
    assert is_loaded()


@pytest.mark.parametrize(
    ("suffix", "others"),
    [("nbi", "own it"), ("nbc", "may write it"), ("nbi", "linked it")],
)
def test_what_others_wrote_is_never_unpickled(
    own_folder, capfd, monkeypatch, suffix, others
):
    is_loaded()
    monkeypatch.chdir(own_folder)
    file = kept(own_folder, suffix)
    file.write_bytes(compiling.with_checksum(pickle.dumps(Planted())))
    with monkeypatch.context() as patch:
        if others == "own it":
            patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        elif others == "may write it":
            file.chmod(0o660)
        else:
            file.rename(own_folder / "elsewhere")
            file.symlink_to(own_folder / "elsewhere")
        assert not is_loaded()

    assert not (own_folder / "planted").exists()
    assert capfd.readouterr().err.count("\n") == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert is_loaded()


@FILES
def test_damage_is_noticed_wherever_it_is(own_folder, monkeypatch, suffix):
    """Each bit that is flipped, and files that were cut short or are longer."""
    is_loaded()
    file = kept(own_folder, suffix)
    whole = file.read_bytes()
    chance = random.Random(1)
    files = compiling.WholeFiles(str(file.parent), "any", None)
    assert files._load_kept(str(file)) is not None
    damaged = [whole[:-1], b"", bytes(len(whole)), bytes(4), whole + b"\0"]
    monkeypatch.setattr(pickle, "loads", None)  # nothing damaged gets that far
    for place in [0, 3, 4, len(whole) - 1, *chance.sample(range(len(whole)), 200)]:
        data = bytearray(whole)
        data[place] ^= 1 << chance.randrange(8)
        damaged.append(bytes(data))
    for data in damaged:
        file.write_bytes(data)
        assert files._load_kept(str(file)) is None


def test_code_of_another_source_is_not_loaded(own_folder):
    own, other = (
        compiling.WholeFiles(str(own_folder), "any", source)
        for source in ("a source", "another")
    )
    own.save("key", "code")

    assert (own.load("key"), other.load("key")) == ("code", None)


def test_code_of_another_signature_is_not_loaded(own_folder):
    """Two processes that compile at once can leave an index that mistakes them."""
    is_loaded()
    of_integers = kept(own_folder, "nbc").read_bytes()
    is_loaded(2.5)
    _, of_floats = sorted(own_folder.rglob("*.nbc"))
    of_floats.write_bytes(of_integers)

    assert not is_loaded(2.5)
    assert is_loaded(2.5)


def test_code_is_kept_nowhere_else_than_in_our_folder(own_folder, capfd):
    """numba would take another one, whose name does not say which sources it has."""
    own_folder.rmdir()
    own_folder.write_text("")

    assert not is_loaded()
    assert not is_loaded()
    assert capfd.readouterr().err == (
        "warning: compiled code cannot be kept, so every run compiles it again: no "
        "folder for it can be made\n"
    )


def test_a_full_disk_costs_time_and_one_warning(own_folder, capfd, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiling, "write_own", full)

    assert not is_loaded()
    assert not is_loaded()
    assert capfd.readouterr().err == (
        "warning: compiled code cannot be kept, so every run compiles it again: No "
        "space left on device\n"
    )


def test_what_numba_cannot_load_is_compiled_again(own_folder, capfd, monkeypatch):
    is_loaded()

    def fail(*_):
        raise ValueError("two\nlines" * 1000)

    with monkeypatch.context() as patch:
        patch.setattr(FunctionCache, "load_overload", fail)
        assert not is_loaded()

    error = capfd.readouterr().err
    assert error.startswith("note: compiled code that was kept is not used and is")
    assert "ValueError: two\\nlines" in error
    assert error.count("\n") == 1
    assert len(error) < 400


@pytest.mark.usefixtures("own_folder")
def test_workers_and_closed_streams_take_no_note(capfd, monkeypatch):
    """The process that started a worker says it."""
    with monkeypatch.context() as patch:
        patch.setattr(cache, "parent_process", lambda: "a process")
        cache.warn_unkept_code("No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        cache.warn_unkept_code("No space left on device")

    assert capfd.readouterr() == ("", "")


MODULE = """
from deckcheck.engine.jit import entry, jit

@entry
def leaf(number):
    return number + 1

@jit
def middle(number):
    return leaf(number) * 2

@entry
def top(number):
    return middle(number)
"""


@pytest.mark.usefixtures("own_folder")
@pytest.mark.slow
def test_an_entry_loaded_for_an_inner_function_can_be_called(tmp_path):
    """`leaf` is on disk when `middle` asks for it, and Python calls it afterwards."""
    (tmp_path / "three.py").write_text(MODULE)
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONPATH": str(tmp_path),
    }
    said = []
    for calls in ("leaf(1)", "top(1), leaf(1)"):
        command = [sys.executable, "-c", f"from three import *; print({calls})"]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        said.append((done.returncode, done.stdout.strip()))

    assert said == [(0, "2"), (0, "4 2")]


def test_code_stays_in_the_folder_of_its_sources(monkeypatch, own_folder):
    """In another folder, code of other sources would be taken for it.

    numba reads its settings again when the environment changes.
    """
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(own_folder / "of_the_user"))
    locator = compiling.OurFolder.from_function(entry, __file__)

    assert locator.get_cache_path() == str(own_folder)


# Where compiled code is kept, and what happens when it cannot be.


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The system's folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def no_home(tmp_path, monkeypatch):
    """The user's cache folder cannot be made."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))


def become_somebody_else(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


def test_a_folder_that_can_be_made_is_used(tmp_path):
    assert cache.folder_fault(tmp_path / "a" / "b") is None
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_a_folder_where_code_cannot_be_kept_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path)
    fault = cache.folder_fault
    assert fault(tmp_path / "file" / "x") == "cannot be written: not a directory"
    assert fault(tmp_path / "open") == "is not this user's alone"
    assert fault(tmp_path / "link") == "is not this user's alone"

    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "TemporaryFile", refuse)
        assert fault(tmp_path) == "cannot be written: read-only file system"
    with monkeypatch.context() as patch:
        patch.setattr(cache, "FREE_BYTES_NEEDED", 1 << 62)
        assert fault(tmp_path).endswith(" MB left")
    become_somebody_else(monkeypatch)
    assert fault(tmp_path) == "is not this user's alone"


def test_the_users_folder_gets_the_hash_appended(tmp_path, monkeypatch, temporary):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    expected = tmp_path / f"engine-{cache.source_hash()}"
    assert cache.choose_cache_folder() == (expected, "")
    assert not list(temporary.iterdir())


@pytest.mark.usefixtures("no_home")
def test_without_a_usable_home_the_temporary_folder_serves(tmp_path, temporary):
    name = f"engine-{cache.source_hash()}"
    folder, fault = cache.choose_cache_folder()

    assert folder == temporary / f"deckcheck-{os.getuid()}" / name
    assert fault == (f"`{tmp_path / 'file' / name}` cannot be written: not a directory")


@pytest.mark.usefixtures("no_home")
def test_nothing_is_kept_when_no_disk_will_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    folder, fault = cache.choose_cache_folder()

    assert folder is None
    assert fault.count("directory") == 2


class TestTheTemporaryFolder:
    """Anybody may put something below the system's temporary folder."""

    def place(self, temporary: Path) -> Path:
        return temporary / f"deckcheck-{os.getuid()}"

    def test_it_is_made_for_the_user_alone(self, temporary):
        folder = cache.private_temporary_folder()

        assert folder == self.place(temporary)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert cache.private_temporary_folder() == folder

    @pytest.mark.parametrize(
        "put",
        [
            lambda place, _: place.mkdir() or place.chmod(0o777),
            lambda place, _: place.mkdir() or place.chmod(0o710),
            lambda place, other: other.mkdir(mode=0o700) or place.symlink_to(other),
            lambda place, other: place.symlink_to(other),
            lambda place, _: place.touch(),
        ],
        ids=["writable", "readable", "link", "link to nothing", "file"],
    )
    def test_what_others_may_have_put_there_is_not_taken(
        self, temporary, tmp_path, put
    ):
        """Another is made, the user's alone too, and taken by the next process."""
        put(self.place(temporary), tmp_path / "elsewhere")
        folder = cache.private_temporary_folder()

        assert folder.parent == temporary
        assert folder != self.place(temporary)
        assert stat.S_IMODE(folder.lstat().st_mode) == 0o700
        assert cache.private_temporary_folder() == folder
        assert not list(tmp_path.glob("elsewhere/*"))

    def test_one_of_another_user_is_not_taken(self, temporary, monkeypatch):
        self.place(temporary).mkdir(mode=0o700)
        become_somebody_else(monkeypatch)

        assert cache.private_temporary_folder() != self.place(temporary)


@pytest.mark.parametrize(
    ("folder", "fault", "said"),
    [
        (Path("x"), "", "compiling the any engine, once per version (up to a min"),
        (Path("x"), "`y` is full", "note: compiled code is kept in x: `y` is full\n"),
        (
            None,
            "`y` is full",
            "compiling the any engine (up to a minute) ...\n"
            "warning: compiled code cannot be kept, so every run compiles it again: "
            "`y` is full\n",
        ),
    ],
)
def test_where_compiled_code_goes_is_said_if_it_matters(
    monkeypatch, capsys, folder, fault, said
):
    for name, value in {
        "compiled": True,
        "CACHE_FOLDER": folder,
        "CACHE_FAULTS": fault,
        "PRINTED_NOTES": set(),
    }.items():
        monkeypatch.setattr(cache, name, value)

    assert cache.announce_compilation("any")
    assert said in capsys.readouterr().err
    cache.announce_compilation("any")
    assert "`y`" not in capsys.readouterr().err


class Terminal(io.StringIO):
    """A terminal on which somebody waits for a text."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.awaited, self.shown = awaited, threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        super().write(text)
        if self.awaited in self.getvalue():
            self.shown.set()
        return len(text)


def test_a_terminal_counts_the_seconds_of_compiling(monkeypatch):
    terminal = Terminal("3 s")
    monkeypatch.setattr(cache, "WAIT_SECONDS", 0.001)
    monkeypatch.setattr(cache, "CACHE_FOLDER", None)
    monkeypatch.setattr(cache, "SHIPPED_FOLDER", None)
    monkeypatch.setattr(cache, "compiled", True)
    monkeypatch.setattr(sys, "stderr", terminal)

    with cache.announce_compilations(["any"]):
        assert terminal.shown.wait(60)

    lines = terminal.getvalue()
    assert lines.startswith("compiling the any engine (up to a minute) ...\n")
    assert "\r1 s \r2 s \r3 s " in lines
    assert lines.endswith("\r       \r")


def test_only_old_code_of_other_versions_is_deleted(tmp_path):
    names = ["engine-old", "engine-recent", "engine-kept", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    month_ago = (tmp_path / "other").stat().st_mtime - 30 * 24 * 3600
    os.utime(tmp_path / "engine-old", (month_ago, month_ago))
    os.utime(tmp_path / "other", (month_ago, month_ago))
    cache.remove_old_folders(tmp_path, keep="engine-kept")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


# Machine code that came with the package: loaded where it fits, else compiled anew.

PLAY = """
from deckcheck import simulate
played = simulate(
    random_decks=True, format="deckmaster/standard", policies="random", games=200
)
print(played.checksum)
"""
ANOTHER_NUMBA = "from importlib import metadata as m; m.version = lambda _: '1'" + PLAY
COMPILES = "compiling the deckmaster engine"
AGAIN = "compiled code that was kept is not used and is compiled again"
IS_LINUX = binding.get_process_triple() == "x86_64-unknown-linux-gnu"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder with a package that has machine code for one game."""
    folder = tmp_path_factory.mktemp("installed")
    ignored = shutil.ignore_patterns("__pycache__", cache.SHIPPED_CODE.name)
    shutil.copytree(PACKAGE_FOLDER, folder / "deckcheck", ignore=ignored)
    shutil.copytree(PACKAGE_FOLDER.parent / "card_db", folder / "card_db")
    run(folder, "-m", "deckcheck.sim.warmup", "deckmaster/standard")
    return folder


@pytest.fixture(scope="module")
def checksum(tmp_path_factory) -> str:
    """What the games of the test come to where nothing is compiled."""
    return run(PACKAGE_FOLDER.parent, "-c", PLAY, NUMBA_DISABLE_JIT="1").stdout


def run(package: Path, *arguments: str, **variables: str):
    """Run Python where it imports the package in this folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=package,
        env=os.environ | {"NUMBA_DISABLE_JIT": "0"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )


def play(installed: Path, kept: Path, program=PLAY, **variables):
    """The checksum of a first run, what it said, and the code that it kept."""
    done = run(installed, "-c", program, NUMBA_CACHE_DIR=str(kept), **variables)
    return done.stdout, done.stderr, list(kept.rglob("*.nbc"))


def shipped(installed: Path, pattern: str) -> Path:
    (file,) = (installed / "deckcheck/engine/machine_code").rglob(pattern)
    return file


@pytest.mark.slow
@pytest.mark.skipif(not IS_LINUX, reason="machine code is shipped for Linux")
class TestTheFirstGame:
    def test_needs_no_compiler(self, installed, tmp_path, checksum):
        assert play(installed, tmp_path) == (checksum, "", [])

    @pytest.mark.parametrize(
        ("program", "variables"),
        [
            (ANOTHER_NUMBA, {}),
            (PLAY, {"NUMBA_CPU_NAME": "generic"}),
            (PLAY, {"NUMBA_OPT": "1"}),
        ],
        ids=["another numba", "another processor", "another option"],
    )
    def test_is_compiled_where_the_code_does_not_fit(
        self, installed, tmp_path, checksum, program, variables
    ):
        played, said, kept = play(installed, tmp_path, program, **variables)

        assert played == checksum
        assert COMPILES in said
        assert kept

    def test_is_compiled_where_a_file_is_damaged(self, installed, tmp_path, checksum):
        file = shipped(installed, "deckcheck.playing.kernel*play_games*.nbc")
        whole = file.read_bytes()
        file.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        try:
            played, said, kept = play(installed, tmp_path)
        finally:
            file.write_bytes(whole)

        assert played == checksum
        assert f"{AGAIN} (up to a minute): it is damaged" in said
        assert [path.name for path in kept] == [file.name]

    def test_is_compiled_where_others_may_have_written_it(
        self, installed, tmp_path, checksum
    ):
        file = shipped(installed, "deckcheck.playing.kernel*play_games*.nbc")
        file.chmod(0o666)
        try:
            played, said, kept = play(installed, tmp_path)
        finally:
            file.chmod(0o644)

        assert played == checksum
        assert AGAIN in said
        assert [path.name for path in kept] == [file.name]


@pytest.mark.parametrize("missing", ["", "avx2"])
def test_an_older_processor_has_no_use_for_the_code(tmp_path, monkeypatch, missing):
    features = {name: name != missing for name in CPU_NEEDED}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(cache, "SHIPPED_CODE", tmp_path)
    folder = tmp_path / cache.shipped_name()

    assert cache.find_shipped() is None
    folder.mkdir()
    assert cache.find_shipped() == (None if missing else folder)
