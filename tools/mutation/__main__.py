"""`python -m tools.mutation`: do the tests notice random mutants of the code?

First all quick tests run once in a private copy of the tree, to learn which of them
execute which lines. Then each mutant is written into the copy and meets the tests that
execute its line, the cheapest first, until one fails.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from compileall import compile_dir
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

import yaml
from coverage import CoverageData
from platformdirs import user_cache_path

from tools.mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).parent / "survivors.yaml"
COMPILED = ("engine", "playing", "policies")
"""Packages with code that numba compiles, of which it executes no line."""
UNCOMPILED_TESTS = ("tests/engine", "tests/scenarios", "tests/policies")
PLAYED = ("tests/cli", "tests/sim")
"""Tests of what compiled games come to."""
TRANSCRIPTS = "test_transcripts.py"
NO_TESTS = 5
"""The exit code of pytest when it had no test to run."""
CHEAP_TESTS, CHEAP_SECONDS = 40, 8
"""The tests that each mutant meets first: most mutants meet no others."""
MAX_SECONDS = 600
"""What the tests of a mutant may take without it; dearer tests are left out."""
MAX_FILES = 3
"""How many files with tests that execute the line are run as a whole."""
MAX_CPU_SECONDS = 1200
"""The CPU time of tests after which a mutant counts as endless."""
MAX_FIRST_CPU_SECONDS = 120
"""The same for the first of them."""
MAX_MEASURING_SECONDS = 7200


@dataclass(frozen=True)
class Result:
    """A result of the tests on a mutant: "killed", "survived" or "timeout"."""

    name: str
    line: int
    result: str
    by: str
    seconds: float


@dataclass(frozen=True)
class Executed:
    """The tests that execute each line, compiled or uncompiled."""

    uncompiled: bool
    data: CoverageData
    seconds: Counter[str]
    """What each test takes, and each file of tests."""

    def find_tests(self, file: Path, lines: range) -> list[str]:
        """Return the tests that execute any of the lines, the cheapest first.

        What runs as the module is imported is checked by all tests of the module, or
        by any test if there are none.
        """
        contexts = self.data.contexts_by_lineno(str(file))
        found = {test for line in lines for test in contexts.get(line, ())}
        if "" in found or not found:
            found = {test for tests in contexts.values() for test in tests} - {""}
        found = found or set(self.seconds)
        return sorted(found & self.seconds.keys(), key=lambda t: (self.seconds[t], t))


def find_package(file: str) -> str:
    """Return the package of a file, or the name of a module outside of packages."""
    return Path(file).parts[1].removesuffix(".py")


def copy_tree(folder: Path) -> Path:
    """Copy the working tree, without files that git ignores, to a folder of its own.

    The folder is named by what the tree holds: after a change all is measured anew.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if (ROOT / name).is_file()]
    digest = sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    tree = folder / digest.hexdigest()[:12] / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    # A test asks git which files it ignores.
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    compile_dir(tree / "deckcheck", quiet=1)
    return tree


def run_pytest(
    words: Sequence[str], tree: Path, seconds: float, *, uncompiled: bool
) -> tuple[int, str]:
    """Run pytest in the copy. Return its exit code, below 0 for no end, and output."""
    marks = f"not slow and not {'compiled' if uncompiled else 'rules'}"
    command = [sys.executable, "-m", *words, "-p", "no:cacheprovider", "-m", marks]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(uncompiled))}
    # A mutant is newer than what was compiled of its file, and leaves nothing behind.
    environment |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"NUMBA_CACHE_DIR": str(tree.parent / "numba")}
    environment |= {"TEST_SECONDS": str(tree.parent / f"seconds-{uncompiled:d}.txt")}
    process = subprocess.Popen(
        [*command, "--hypothesis-seed=0"],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds),) * 2)
    try:
        output, _ = process.communicate(timeout=4 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return -1, process.communicate()[0].strip()
    return process.returncode, output.strip()


def measure_tests(tree: Path, *, uncompiled: bool) -> Executed:
    """Run all quick tests without a mutant; SystemExit if one fails."""
    file = tree.parent / f"coverage-{uncompiled:d}"
    settings = file.with_suffix(".ini")
    settings.write_text(
        f"[run]\npatch = subprocess\nsource = {tree}/deckcheck\ndata_file = {file}\n"
    )
    coverage = ["coverage", "run", f"--rcfile={settings}", "-m"]
    words = ["pytest", "-q", "--tb=no", "-n", "auto", "-p", "tools.mutation.contexts"]
    if not file.exists():
        tests = UNCOMPILED_TESTS if uncompiled else ("tests",)
        code, output = run_pytest(
            [*coverage, *words, *tests],
            tree,
            MAX_MEASURING_SECONDS,
            uncompiled=uncompiled,
        )
        if code not in (0, NO_TESTS):
            raise SystemExit(f"without a mutant: {find_failure(output)}")
        combine = ["coverage", "combine", "-q", f"--rcfile={settings}"]
        subprocess.run([sys.executable, "-m", *combine], cwd=tree, check=True)
    data = CoverageData(str(file))
    data.read()
    seconds: Counter[str] = Counter()
    text = (tree.parent / f"seconds-{uncompiled:d}.txt").read_text("utf-8")
    for line in text.splitlines():
        test, _, took = line.rpartition(" ")
        seconds[test] += float(took)
        seconds[test.partition("::")[0]] += float(took)
    return Executed(uncompiled, data, seconds)


def find_failure(output: str) -> str:
    """Return the line about the test that failed, or else about pytest's own end."""
    lines = output.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return (failed or lines[-1:] or [""])[0]


@cache
def list_statements(path: Path) -> list[range]:
    """Return the lines of each statement of a file, without its body."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            found.append(range(node.lineno, max(end, node.lineno) + 1))
    return found


def list_stages(
    mutant: Mutant, tree: Path, runs: Sequence[Executed]
) -> Iterator[tuple[Sequence[str], bool]]:
    """Yield the tests that a mutant meets, and whether they run uncompiled.

    A fixture is filled by the first test that needs it, and others look at it. So all
    tests of the first files come as well.
    """
    path = tree / mutant.file
    around = [lines for lines in list_statements(path) if mutant.line in lines]
    lines = min(around, key=len, default=range(mutant.line, mutant.line + 1))
    is_compiled = find_package(mutant.file) in COMPILED
    for run in runs if is_compiled else runs[-1:]:
        tests = run.find_tests(tree / mutant.file, lines)
        ends = [*accumulate(run.seconds[test] for test in tests)]
        few = min(bisect(ends, CHEAP_SECONDS), CHEAP_TESTS)
        yield tests[:few], run.uncompiled
        yield tests[few : bisect(ends, MAX_SECONDS)], run.uncompiled
        files = dict.fromkeys(test.partition("::")[0] for test in tests[:few])
        whole = [file for file in files if Path(file).name != TRANSCRIPTS]
        yield whole[:MAX_FILES], run.uncompiled
    if is_compiled:
        yield [f"{folder}/{TRANSCRIPTS}" for folder in PLAYED], False


def try_mutant(
    mutant: Mutant, tree: Path, measured: Path, runs: Sequence[Executed]
) -> Result:
    """Run the tests of a mutant in a tree, and restore the file after them."""
    started = time.perf_counter()
    file = tree / mutant.file
    source, times = file.read_bytes(), file.stat()
    file.write_bytes(mutant.apply(source))
    result, by, limit = "survived", "", MAX_FIRST_CPU_SECONDS
    try:
        for tests, uncompiled in list_stages(mutant, measured, runs):
            if not tests:
                continue
            listed = tree.with_suffix(".txt")
            listed.write_text("\n".join(tests), encoding="utf-8")
            words = ["pytest", "-xq", "--tb=no", f"@{listed}"]
            code, output = run_pytest(words, tree, limit, uncompiled=uncompiled)
            limit = MAX_CPU_SECONDS
            if code not in (0, NO_TESTS):
                result, by = "timeout" if code < 0 else "killed", find_failure(output)
                break
    finally:
        file.write_bytes(source)
        # So that what was compiled of it stays.
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    seconds = round(time.perf_counter() - started, 1)
    return Result(mutant.name, mutant.line, result, by, seconds)


def draw_mutants(tree: Path, number: int, seed: int) -> list[Mutant]:
    """Draw mutants, all equally likely, in the order of a hash of their names."""
    found: list[Mutant] = []
    for path in tree.glob("deckcheck/**/*.py"):
        found += mutants_of(path.relative_to(tree).as_posix(), path.read_bytes())

    def order(mutant: Mutant) -> bytes:
        return sha256(f"{seed} {mutant.name}".encode()).digest()

    return sorted(found, key=order)[:number]


def try_mutants(
    mutants: Sequence[Mutant], tree: Path, runs: Sequence[Executed]
) -> Iterator[Result]:
    """Yield the result of each mutant, in their order, and keep it beside the tree."""
    results = tree.parent / "results.jsonl"
    results.touch()
    lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    known = {line["name"]: Result(**line) for line in lines}
    trees: SimpleQueue[Path] = SimpleQueue()
    for job in range(os.cpu_count() or 1):
        copy = tree.parent / f"tree-{job}"
        shutil.copytree(tree, copy, dirs_exist_ok=True)
        trees.put(copy)

    def find_result(mutant: Mutant) -> Result:
        if mutant.name in known:
            return known[mutant.name]
        copy = trees.get()
        try:
            result = try_mutant(mutant, copy, tree, runs)
        finally:
            trees.put(copy)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(find_result, mutants)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants, and print the survivors; 1 if one has no reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation", description=__doc__
    )
    folder = user_cache_path("deckcheck-mutation", False)
    parser.add_argument("--folder", type=Path, default=folder, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=300, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument(
        "--least",
        type=float,
        metavar="SHARE",
        help="end with 1 only below this share of mutants that are noticed",
    )
    options = parser.parse_args(arguments)
    reasons = yaml.safe_load(REASONS.read_text(encoding="utf-8"))
    tree = copy_tree(options.folder.absolute())
    runs = [measure_tests(tree, uncompiled=uncompiled) for uncompiled in (True, False)]
    mutants = draw_mutants(tree, options.number, options.seed)
    results = []
    for result in try_mutants(mutants, tree, runs):
        print(f"{result.result:8} {result.seconds:5.0f} s  {result.name}", flush=True)
        results.append(result)
    survivors = [each for each in results if each.result == "survived"]
    missed = [each for each in survivors if each.name not in reasons]
    counted = len(results) - len(survivors) + len(missed)
    share = 1 - len(missed) / counted if counted else 1.0
    print(f"\n{share:.1%} noticed of {counted} that can be")
    for each in missed:
        print(f"survived without a reason: {each.name} (line {each.line})")
    return int(bool(missed) if options.least is None else share < options.least)


if __name__ == "__main__":
    sys.exit(main())
