"""Compiled code that is kept: only what is whole and the user's own is loaded."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys

import numba
import pytest
from numba.core.caching import FunctionCache

from deckcheck.engine import cache
from deckcheck.engine import cache as keeping
from deckcheck.engine.jit import entry

pytestmark = pytest.mark.compiled


def tripled(number):
    return 3 * number


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where code is kept in this test; no note was printed yet."""
    monkeypatch.setattr(keeping, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr("deckcheck.engine.jit.CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(cache, "SAID", set())
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


def test_code_is_kept_for_the_next_start(folder, capfd):
    assert not is_loaded()
    assert is_loaded()
    assert [file.stat().st_mode & 0o777 for file in folder.rglob("*.nb?")] == [
        0o600,
        0o600,
    ]
    # Processes of earlier tests may still write there.
    assert "compiled" not in capfd.readouterr().err


class Planted:
    """Runs when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("planted",)


@FILES
def test_what_has_no_checksum_is_never_unpickled(folder, capfd, monkeypatch, suffix):
    is_loaded()
    monkeypatch.chdir(folder)
    kept(folder, suffix).write_bytes(b"\0\0\0\0" + pickle.dumps(Planted()))

    assert not is_loaded()
    assert not (folder / "planted").exists()
    assert capfd.readouterr().err == (
        "note: compiled code that was kept is not used and is compiled again (up to a "
        "minute): it is damaged\n"
    )
    assert is_loaded()


@FILES
@pytest.mark.parametrize("others", ["own it", "may write it", "linked it"])
def test_what_others_wrote_is_never_unpickled(
    folder, capfd, monkeypatch, suffix, others
):
    is_loaded()
    monkeypatch.chdir(folder)
    file = kept(folder, suffix)
    file.write_bytes(keeping.with_checksum(pickle.dumps(Planted())))
    with monkeypatch.context() as patch:
        if others == "own it":
            patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        elif others == "may write it":
            file.chmod(0o660)
        else:
            file.rename(folder / "elsewhere")
            file.symlink_to(folder / "elsewhere")
        assert not is_loaded()

    assert not (folder / "planted").exists()
    assert capfd.readouterr().err.count("\n") == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert is_loaded()


@FILES
def test_a_flipped_bit_is_noticed_wherever_it_is(folder, monkeypatch, suffix):
    is_loaded()
    file = kept(folder, suffix)
    whole = file.read_bytes()
    chance = random.Random(1)
    monkeypatch.setattr(pickle, "loads", None)  # nothing damaged gets that far
    files = keeping.WholeFiles(str(file.parent), "any", None)
    for place in [0, 3, 4, len(whole) - 1, *chance.sample(range(len(whole)), 200)]:
        data = bytearray(whole)
        data[place] ^= 1 << chance.randrange(8)
        file.write_bytes(data)

        assert files._kept(str(file)) is None


@FILES
@pytest.mark.parametrize(
    "damage", ["cut", "empty", "zeros", "checksum of zero", "longer"]
)
def test_what_was_cut_short_is_compiled_again(folder, capfd, suffix, damage):
    is_loaded()
    file = kept(folder, suffix)
    whole = file.read_bytes()
    made = {
        "cut": whole[:-1],
        "empty": b"",
        "zeros": bytes(len(whole)),
        "checksum of zero": bytes(4),
        "longer": whole + b"\0",
    }
    file.write_bytes(made[damage])

    assert not is_loaded()
    assert "it is damaged" in capfd.readouterr().err
    assert is_loaded()


def test_code_of_another_source_is_not_loaded(folder):
    keeping.WholeFiles(str(folder), "any", "a source").save("key", "code")

    assert keeping.WholeFiles(str(folder), "any", "a source").load("key") == "code"
    assert keeping.WholeFiles(str(folder), "any", "another").load("key") is None


def test_code_of_another_signature_is_not_loaded(folder):
    """Two processes that compile at once can leave an index that mistakes them."""
    is_loaded()
    of_integers = kept(folder, "nbc").read_bytes()
    is_loaded(2.5)
    _, of_floats = sorted(folder.rglob("*.nbc"))
    of_floats.write_bytes(of_integers)

    assert not is_loaded(2.5)
    assert is_loaded(2.5)


def test_code_is_kept_nowhere_else_than_in_our_folder(folder, capfd):
    """numba would take another one, whose name does not say which sources it has."""
    folder.rmdir()
    folder.write_text("")

    assert not is_loaded()
    assert not is_loaded()
    assert capfd.readouterr().err == (
        "warning: compiled code cannot be kept, so every run compiles it again: no "
        "folder for it can be made\n"
    )


def test_a_full_disk_costs_time_and_one_warning(folder, capfd, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping, "write_own", full)

    assert not is_loaded()
    assert not is_loaded()
    assert capfd.readouterr().err == (
        "warning: compiled code cannot be kept, so every run compiles it again: No "
        "space left on device\n"
    )


def test_what_numba_cannot_load_is_compiled_again(folder, capfd, monkeypatch):
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


def test_workers_leave_notes_to_the_process_that_started_them(capfd, monkeypatch):
    monkeypatch.setattr(cache, "parent_process", lambda: "a process")
    cache.tell_unkept("No space left on device")

    assert capfd.readouterr().err == ""


def test_a_closed_stream_takes_no_note(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    cache.tell_unkept("No space left on device")

    assert capfd.readouterr().out == ""


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


def test_code_stays_in_the_folder_of_its_sources(monkeypatch, folder):
    """In another folder, code of other sources would be taken for it.

    numba reads its settings again when the environment changes.
    """
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder / "of_the_user"))
    locator = keeping.OurFolder.from_function(entry, __file__)

    assert locator.get_cache_path() == str(folder)
