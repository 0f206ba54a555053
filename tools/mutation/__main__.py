"""`python -m tools.mutation`: do the tests notice random mutants of the code?

Each mutant is written into a private copy of the tree, where the tests of its package
run until one fails: those of a file of its name first, and transcripts at the end.
What numba compiles runs uncompiled, and meets pinned games first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from compileall import compile_dir
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import yaml
from platformdirs import user_cache_path

from tools.mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).parent / "survivors.yaml"
COMPILED = ("engine", "playing", "policies")
"""Packages that numba compiles, or whose records compiled code reads."""
PINNED = ("tests/engine/test_pinned_games.py", "tests/scenarios/test_scenarios.py")
TRANSCRIPTS = "test_transcripts.py"
MAX_TEST_SECONDS = 240
"""Seconds of CPU after which a mutant counts as endless."""


@dataclass(frozen=True)
class Result:
    """A result of the tests on a mutant: "killed", "survived" or "timeout"."""

    name: str
    line: int
    result: str
    by: str
    seconds: float


def find_package(file: str) -> str:
    """Return the package of a file, or the name of a module outside of packages."""
    return Path(file).parts[1].removesuffix(".py")


def find_tests(file: str, tree: Path) -> list[str]:
    """List the test files that a mutant meets, in this order."""
    package, path = find_package(file), Path(file)
    first = [tree / name for name in PINNED if package in COMPILED]
    nearby = [
        *tree.glob(f"tests/test_{path.name}"),
        *tree.glob(f"tests/{package}/test_*"),
    ]
    nearby.sort(key=lambda test: test.name != f"test_{path.name}")
    imports = f"from {'.'.join(path.with_suffix('').parts)} import"
    modules = sorted((tree / "deckcheck").glob("**/*.py"))
    users = [module.name for module in modules if imports in module.read_text("utf-8")]
    others = [t for name in users for t in sorted(tree.glob(f"tests/*/test_{name}"))]
    others += sorted(tree.glob(f"tests/*/{TRANSCRIPTS}"))
    found = dict.fromkeys([*first, *nearby, *([] if first else others)])
    return [test.relative_to(tree).as_posix() for test in found]


def copy_tree(tree: Path) -> Path:
    """Copy the working tree anew, without files that git ignores."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    shutil.rmtree(tree, ignore_errors=True)
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    compile_dir(tree / "deckcheck", quiet=1)
    return tree


def run_tests(tests: Sequence[str], tree: Path, *, uncompiled: bool) -> tuple[str, str]:
    """Run tests until the first failure. Return the result and the failed test."""
    words = ["-m", "pytest", "-xq", "--tb=no", "-p", "no:cacheprovider"]
    words += ["-m", f"not slow and not {'compiled' if uncompiled else 'rules'}"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(uncompiled))}
    # A mutant is newer than what was compiled of its file, and leaves nothing behind.
    environment |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"NUMBA_CACHE_DIR": str(tree.parent / "numba")}
    process = subprocess.Popen(
        [sys.executable, *words, "--hypothesis-seed=0", *tests],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (MAX_TEST_SECONDS,) * 2)
    try:
        output, _ = process.communicate(timeout=4 * MAX_TEST_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return "timeout", process.communicate()[0].strip().rpartition("\n")[2]
    if process.returncode < 0:
        return "timeout", output.strip().rpartition("\n")[2]
    if process.returncode == 0:
        return "survived", ""
    lines = output.strip().splitlines()
    failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    # Where pytest itself gives up, its last line has the reason.
    return "killed", (failed or lines[-1:] or [""])[0]


def try_mutant(mutant: Mutant, tree: Path) -> Result:
    """Run the tests of a mutant, and restore the file after them."""
    file, source = tree / mutant.file, (ROOT / mutant.file).read_bytes()
    started = time.perf_counter()
    file.write_bytes(mutant.apply(source))
    try:
        uncompiled = find_package(mutant.file) in COMPILED
        result, by = run_tests(
            find_tests(mutant.file, tree), tree, uncompiled=uncompiled
        )
    finally:
        shutil.copy2(ROOT / mutant.file, file)
    seconds = round(time.perf_counter() - started, 1)
    return Result(mutant.name, mutant.line, result, by, seconds)


def draw_mutants(packages: Sequence[str], number: int, seed: int) -> list[Mutant]:
    """Draw mutants, all equally likely, in the order of a hash of their names."""

    def everything() -> Iterator[Mutant]:
        for path in sorted(ROOT.glob("deckcheck/**/*.py")):
            file = path.relative_to(ROOT).as_posix()
            if not packages or find_package(file) in packages:
                yield from mutants_of(file, path.read_bytes())

    def order(mutant: Mutant) -> bytes:
        return sha256(f"{seed} {mutant.name}".encode()).digest()

    return sorted(everything(), key=order)[:number]


def check_killers(results: Sequence[Result], tree: Path) -> None:
    """Run the tests that noticed mutants without any; SystemExit if one fails."""
    killers: dict[bool, set[str]] = {False: set(), True: set()}
    for each in results:
        if match := re.search(r"tests/\S+::[^\s\[]+(?:\[\S+\])?", each.by):
            uncompiled = find_package(each.name.partition(" ")[0]) in COMPILED
            killers[uncompiled].add(match[0])
    for uncompiled, tests in killers.items():
        if tests and (by := run_tests(sorted(tests), tree, uncompiled=uncompiled)[1]):
            raise SystemExit(f"without a mutant: {by}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants, and print the survivors; 1 if one has no reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation", description=__doc__
    )
    folder = user_cache_path("deckcheck-mutation", False)
    parser.add_argument("--folder", type=Path, default=folder, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=300, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument("--package", nargs="+", default=[], metavar="NAME")
    parser.add_argument(
        "--least",
        type=float,
        metavar="SHARE",
        help="end with 1 only below this share of mutants that are noticed",
    )
    options = parser.parse_args(arguments)
    reasons = yaml.safe_load(REASONS.read_text(encoding="utf-8"))
    tree, kept = copy_tree(options.folder / "tree"), options.folder / "results.jsonl"
    kept.touch()
    lines = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    known = {result.name: result for result in (Result(**line) for line in lines)}
    results = []
    for mutant in draw_mutants(options.package, options.number, options.seed):
        result = known.get(mutant.name) or try_mutant(mutant, tree)
        if mutant.name not in known:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")
        print(f"{result.result:8} {result.seconds:5.0f} s  {result.name}", flush=True)
        results.append(result)
    check_killers(results, tree)
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
