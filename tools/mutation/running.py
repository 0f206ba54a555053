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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deckcheck.engine.cache import PACKAGE, compiled_sources
from tools.mutation.hook.budget import TRANSCRIPTS

__all__ = ["ROOT", "Copy", "Outcome", "fills_records", "is_compiled"]

ROOT = Path(__file__).resolve().parents[2]
HOOK = "tools/mutation/hook"
PATIENCE = 2
"""How many times its seconds of CPU a run may wait for other programs."""
WARMED, WARMING = ("gwent/standard", "gwen_t/pool"), 600
"""Formats, and the seconds of CPU that compiling them may take."""
NO_TESTS = 5
"""How pytest ends when all tests are left out."""
COMPILERS = frozenset(
    f"deckcheck/engine/{name}.py"
    for name in ("cache", "compiling", "inner", "internals", "jit")
)
"""What only runs where something is compiled."""
COMPILED = {
    f"deckcheck/{path.relative_to(PACKAGE).as_posix()}" for path in compiled_sources()
} - COMPILERS


FILLING = ("context.py", "weights.py", "workspace.py")
"""What fills the records that compiled code reads."""


def is_compiled(file: str) -> bool:
    """Whether numba compiles the code of a file, or it fills what such code reads.

    Its mutants run uncompiled.
    """
    return file in COMPILED or fills_records(file)


def fills_records(file: str) -> bool:
    """Whether it fills what compiled code reads, and is not compiled itself."""
    return Path(file).name in FILLING


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests made of a mutant.

    `result` is "killed", "survived" or "timeout"; `by` is the first test that failed or
    did not end, or the last line that was printed; `seconds` is how long it took.
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
        *,
        budget: float | None = None,
        function: str = "",
    ) -> Outcome:
        """Play scenarios, then run tests, in this order until one fails.

        `tests` are those of pytest, and files and folders of scenarios, which are
        played uncompiled. `mutant` is a file and what it says in place of its own text;
        `seconds` is the limit of each process, of CPU: what runs longer is a timeout.
        After `budget` seconds of CPU no further test of pytest begins. Transcripts of
        a command that is called as the `function` of the mutant come first.
        """
        marks = f"not slow and not {'compiled' if uncompiled else 'rules'}"
        command = [
            *("pytest", "-v", "-x", "-rfE", "--no-header", "--tb=no", "-p", "budget"),
            *("-p", "no:cacheprovider", "--hypothesis-seed=0", "-m", marks),
        ]
        extra = {"MUTATION_FUNCTION": function}
        extra |= {} if budget is None else {"MUTATION_BUDGET": str(budget)}
        scenarios = [name for name in tests if ".py" not in name]
        others = [name for name in tests if ".py" in name]
        outcome = Outcome("survived", "no test reaches it", 0.0)
        if scenarios:
            arguments = ["play_scenarios", *scenarios]
            outcome = self._meet(arguments, seconds, mutant, True, extra)
        if outcome.result == "survived" and others:
            outcome = self._meet(
                [*command, *others], seconds, mutant, uncompiled, extra
            )
        return outcome

    def warm(self) -> None:
        """Compile what most tests play, so that no mutant's budget is spent on it."""
        words = ["warmup", "--quiet", "--policy", "heuristic", *WARMED]
        self._meet(["deckcheck", *words], WARMING, None, False, {})
        tests = [*self.tree.glob(f"tests/*/{TRANSCRIPTS}")]
        self.check_passing([str(path) for path in tests], WARMING, False)

    def check_passing(
        self, tests: Sequence[str], seconds: float, uncompiled: bool
    ) -> None:
        """Raise SystemExit if a test fails without a mutant: it says nothing then."""
        if tests:
            outcome = self.test(tests, seconds, None, uncompiled)
            if outcome.result != "survived":
                raise SystemExit(f"without a mutant: {outcome.by}")

    def _meet(
        self,
        arguments: Sequence[str],
        seconds: float,
        mutant: tuple[str, bytes] | None,
        uncompiled: bool,
        extra: dict[str, str],
    ) -> Outcome:
        """Run a module with arguments, which ends with 0 if nothing is noticed."""
        with tempfile.TemporaryDirectory(prefix="mutation-") as name:
            scratch = Path(name)
            extra = {**extra, "MUTATION_SECONDS": str(int(seconds))}
            if mutant is not None:
                file, text = mutant
                (scratch / "mutant.py").write_bytes(text)
                extra["MUTATION_MODULE"] = _module(file)
                extra["MUTATION_FILE"] = str(self.tree / file)
                extra["MUTATION_TEXT"] = str(scratch / "mutant.py")
            started = time.perf_counter()
            environment = self._environment(scratch, uncompiled) | extra
            code, output = self._run(arguments, environment, PATIENCE * seconds)
        took = time.perf_counter() - started
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return Outcome("timeout", _last_line(output), took)
        result = "survived" if code in (0, NO_TESTS) else "killed"
        return Outcome(result, _first_failure(output), took)

    def _environment(self, scratch: Path, uncompiled: bool) -> dict[str, str]:
        return {
            **{k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"},
            "PYTHONPATH": os.pathsep.join((str(self.tree / HOOK), str(self.tree))),
            "NUMBA_CACHE_DIR": str(self.folder / "numba"),
            "XDG_CACHE_HOME": str(scratch),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
            "TMPDIR": str(scratch),
            **({"NUMBA_DISABLE_JIT": "1"} if uncompiled else {}),
        }

    def _run(
        self, arguments: Sequence[str], environment: dict[str, str], patience: float
    ) -> tuple[int, str]:
        """The exit code of a module, and what it printed; killed after `patience`."""
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            process = subprocess.Popen(
                [sys.executable, "-u", "-m", *arguments],
                cwd=self.tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience)
            _kill_group(process.pid)
            process.wait()
            output.seek(0)
            return process.returncode, output.read()


def _kill_group(group: int) -> None:
    """End the workers that a killed test run left."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _first_failure(output: str) -> str:
    """The test that failed, by the summary of pytest; else the last line."""
    for line in output.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line
    return _last_line(output)


def _last_line(output: str) -> str:
    return ([""] + [line for line in output.splitlines() if line.strip()])[-1].strip()


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
