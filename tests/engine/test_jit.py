"""Compiled functions: what Python may call, and what is loaded from disk."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from numba.core.caching import FunctionCache

from deckcheck.engine import jit
from deckcheck.engine.games.gwent.rules.scoring import rescore


def make_cache():
    return jit.PatientCache(jit.entry)


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
