"""Where compiled code is kept, and what happens when it cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from numba.core.caching import FunctionCache

from deckcheck.engine import jit
from deckcheck.engine.games.gwent.rules.scoring import rescore


def make_cache():
    return jit.PatientCache(jit.source_hash)


def refuse(*arguments):
    raise OSError(28, "No space left on device")


def test_a_full_disk_costs_time_and_not_the_run(monkeypatch):
    monkeypatch.setattr(FunctionCache, "save_overload", refuse)

    assert make_cache().save_overload(None, None) is None


@pytest.mark.parametrize("error", [OSError, EOFError, ValueError])
def test_unreadable_compiled_code_is_compiled_again(monkeypatch, error):
    def fail(*arguments):
        raise error("cut short")

    monkeypatch.setattr(FunctionCache, "load_overload", fail)

    assert make_cache().load_overload(None, None) is None


def test_a_folder_that_cannot_be_made_is_not_used(tmp_path):
    (tmp_path / "file").write_text("")

    assert not jit.usable(tmp_path / "file" / "cache")


def test_a_nearly_full_disk_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "FREE_BYTES_NEEDED", 1 << 62)

    assert not jit.usable(tmp_path)


def test_the_users_folder_gets_the_hash_appended(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    assert jit.choose_cache_folder() == tmp_path / f"engine-{jit.source_hash()}"


def test_without_a_usable_home_the_temporary_folder_serves(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(jit, "private_temporary_folder", lambda: tmp_path / "own")

    assert jit.choose_cache_folder() == tmp_path / "own" / f"engine-{jit.source_hash()}"


def test_nothing_is_kept_when_no_disk_will_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "usable", lambda folder: False)

    assert jit.choose_cache_folder() is None


def test_only_old_code_of_other_versions_is_deleted(tmp_path):
    names = ["engine-old", "engine-recent", "engine-kept", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    month_ago = time.time() - 30 * 24 * 3600
    os.utime(tmp_path / "engine-old", (month_ago, month_ago))
    os.utime(tmp_path / "other", (month_ago, month_ago))
    jit.remove_old_folders(tmp_path, keep="engine-kept")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def test_inner_functions_refuse_calls_from_python():
    """They have no wrapper, so such a call would crash; uncompiled they are Python."""
    error = TypeError if jit.compiled else AttributeError
    with pytest.raises(error):
        rescore(None, None, 0, 0)


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
