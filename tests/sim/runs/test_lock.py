"""One process at a time writes a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from socket import gethostname

import pytest

from deckcheck.findings import UsageError
from deckcheck.sim.run_files import Lock

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


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    Lock(tmp_path).release()
    lock = Lock(tmp_path)
    with pytest.raises(UsageError, match=f"process {os.getpid()} on"):
        Lock(tmp_path)
    lock.release()


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or directory"):
        Lock(tmp_path / "gone")
