"""A private copy of the tree, in which tests meet a mutant."""

from __future__ import annotations

import filecmp
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deckcheck.engine.host.cache import PACKAGE, compiled_sources

__all__ = ["ROOT", "Copy", "Outcome", "is_compiled"]

ROOT = Path(__file__).resolve().parents[2]
HOOK = "benchmarks/mutation/hook"
PATIENCE = 8
"""How many times its seconds of CPU a run may wait for other programs."""
COMPILED = frozenset(
    f"deckcheck/{path.relative_to(PACKAGE).as_posix()}" for path in compiled_sources()
)


def is_compiled(file: str) -> bool:
    """Whether numba compiles the code of a file, so that mutants run uncompiled."""
    return file in COMPILED


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests made of a mutant.

    `result` is "killed", "survived" or "timeout"; `by` is the first test that failed,
    or the last line of pytest; `seconds` is how long it took.
    """

    result: str
    by: str
    seconds: float


class Copy:
    """A copy of the tree at a place that stays, where the engine is compiled once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tree = folder, folder / "tree"
        _refresh(self.tree)

    def read(self, file: str) -> bytes:
        """The text of a file in the copy."""
        return (self.tree / file).read_bytes()

    def test(
        self,
        tests: Sequence[str],
        seconds: float,
        mutant: tuple[str, bytes] | None,
        uncompiled: bool,
        deselected: Sequence[str] = (),
    ) -> Outcome:
        """Run test files in this order until a test fails.

        `mutant` is a file and what it says in place of its own text; `seconds` is the
        limit, of CPU. What runs longer is a timeout.
        """
        with tempfile.TemporaryDirectory(prefix="mutation-") as name:
            scratch = Path(name)
            extra = {"MUTATION_SECONDS": str(int(seconds))}
            if mutant is not None:
                file, text = mutant
                (scratch / "mutant.py").write_bytes(text)
                extra["MUTATION_MODULE"] = _module(file)
                extra["MUTATION_FILE"] = str(self.tree / file)
                extra["MUTATION_TEXT"] = str(scratch / "mutant.py")
            options = [f"--deselect={test}" for test in deselected]
            started = time.perf_counter()
            code, output = self.pytest(
                ["-x", *options, *tests], scratch, uncompiled, extra, seconds
            )
        took = time.perf_counter() - started
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return Outcome("timeout", f"more than {seconds:.0f} s", took)
        return Outcome("killed" if code else "survived", _first_failure(output), took)

    def pytest(
        self,
        arguments: Sequence[str],
        scratch: Path,
        uncompiled: bool,
        extra: dict[str, str],
        seconds: float | None = None,
    ) -> tuple[int, str]:
        """Run pytest in the copy; its exit code and what it printed."""
        environment = {
            **{k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"},
            "PYTHONPATH": os.pathsep.join((str(self.tree / HOOK), str(self.tree))),
            "NUMBA_CACHE_DIR": str(self.folder / "numba"),
            "XDG_CACHE_HOME": str(scratch),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
            "TMPDIR": str(scratch),
            **({"NUMBA_DISABLE_JIT": "1"} if uncompiled else {}),
            **extra,
        }
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no"),
                *("-p", "no:cacheprovider", "--hypothesis-seed=0"),
                *("-m", "not slow and not compiled" if uncompiled else "not slow"),
                *arguments,
            ],
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=seconds and PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            output = ""
        finally:
            _kill_group(process.pid)
        process.wait()
        return process.returncode, output


def _kill_group(group: int) -> None:
    """End the workers that a killed test run left."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _first_failure(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for line in lines:
        if line.startswith(("FAILED ", "ERROR ", "E   ")):
            return line
    return lines[-1] if lines else ""


def _refresh(tree: Path) -> None:
    """Make the copy say what the working tree says, files that git ignores left out."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = {Path(name) for name in listing.stdout.decode().split("\0") if name}
    files = {name for name in names if (ROOT / name).is_file()}
    for path in [*tree.rglob("*")]:
        if path.is_file() and path.suffix != ".pyc":
            name = path.relative_to(tree)
            if name not in files:
                path.unlink()
    for name in files:
        old, new = tree / name, ROOT / name
        if not old.is_file() or not filecmp.cmp(old, new, shallow=False):
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(new, old)
