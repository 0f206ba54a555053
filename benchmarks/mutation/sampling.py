"""Random mutants of the named packages, and what the tests make of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import yaml

from benchmarks.mutation.operators import Mutant, mutants_of
from benchmarks.mutation.reaching import Reach
from benchmarks.mutation.running import Copy, is_compiled

__all__ = ["PACKAGES", "Result", "draw", "read_reasons", "read_results", "try_mutants"]

PACKAGES = {
    **{
        name: f"deckcheck/{name}/**/*.py"
        for name in (
            *("stats", "playing", "sim", "validation", "rules", "formats"),
            "studies",
        )
    },
    "play": "deckcheck/engine/games/*/rules/**/*.py",
}
"""The files of each package; `play` is the rules of play of all games."""
REASONS = Path(__file__).parent / "survivors.yaml"


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests made of one mutant, as it is kept; `by` as in `Outcome`."""

    name: str
    package: str
    operator: str
    line: int
    result: str
    by: str
    seconds: float
    tests: int


def draw(
    copy: Copy, packages: Sequence[str], number: int, seed: int
) -> list[tuple[str, Mutant]]:
    """Mutants with their packages, each of all mutants as likely as any other."""
    everything = [
        (package, mutant)
        for package in packages
        for path in sorted(copy.tree.glob(PACKAGES[package]))
        for mutant in mutants_of(
            path.relative_to(copy.tree).as_posix(), path.read_bytes()
        )
    ]
    return Random(seed).sample(everything, min(number, len(everything)))


def try_mutants(
    mutants: Sequence[tuple[str, Mutant]],
    copy: Copy,
    reach: Reach,
    budget: float,
    jobs: int,
) -> Iterator[Result]:
    """Run the tests that execute each mutant, `jobs` mutants at once."""

    def meet(package: str, mutant: Mutant) -> Result:
        uncompiled = is_compiled(mutant.file)
        tests = reach.tests_of(mutant, budget)
        fields = (mutant.name, package, mutant.operator, mutant.line)
        if not tests:
            return Result(*fields, "survived", "no test executes it", 0.0, 0)
        limit = 20 + 2 * reach.seconds_of(tests, uncompiled)
        text = mutant.apply(copy.read(mutant.file))
        failed = reach.failed_of(tests, uncompiled)
        met = copy.test(tests, limit, (mutant.file, text), uncompiled, failed)
        return Result(*fields, met.result, met.by, round(met.seconds, 1), len(tests))

    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(meet, *entry) for entry in mutants]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def read_results(path: Path) -> dict[str, Result]:
    """Results by the names of mutants; the last one counts."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    results = (Result(**json.loads(line)) for line in lines)
    return {result.name: result for result in results}


def write_result(path: Path, result: Result) -> None:
    """Add one line to the results."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(result)) + "\n")


def read_reasons(path: Path = REASONS) -> dict[str, str]:
    """Why mutants cannot be noticed, by their names."""
    if not path.is_file():
        return {}
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {}
