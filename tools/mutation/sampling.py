"""Random mutants of all code of the package, and what the tests make of each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import yaml

from tools.mutation.hook.budget import TRANSCRIPTS
from tools.mutation.hook.limits import TEST
from tools.mutation.operators import Mutant, mutants_of
from tools.mutation.reaching import UNCOMPILED, Reach
from tools.mutation.running import ROOT, Copy, fills_records, is_compiled

__all__ = [
    "PACKAGES",
    "Result",
    "draw",
    "read_reasons",
    "read_results",
    "share_noticed",
    "try_mutant",
]

PACKAGES = {
    **{
        path.parent.name: f"deckcheck/{path.parent.name}/**/*.py"
        for path in sorted((ROOT / "deckcheck").glob("*/__init__.py"))
    },
    "modules": "deckcheck/*.py",
}
"""The files of each package; `modules` are those that lie in none."""
PLAYED = 250
"""Seconds of CPU that scenarios, or pinned games, may take in all."""
TRANSCRIBED = [f"tests/{folder}/{TRANSCRIPTS}" for folder in ("cli", "sim", "studies")]
"""What shows that commands which play say something else."""
SECONDS = 3600
"""The limit of all tests that noticed mutants, of CPU."""
KILLER = re.compile(r"(?:FAILED |ERROR |)(tests/\S+\.py::[^\[\s]+)")
"""A test, without its parameters, in a line of pytest."""
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


def draw(
    copy: Copy, packages: Sequence[str], number: int, seed: int
) -> list[tuple[str, Mutant]]:
    """Mutants with their packages, each of all mutants as likely as any other.

    A hash of its name decides, so that a change of the code leaves most of them drawn.
    """
    everything = [
        (package, mutant)
        for package in packages
        for path in sorted(copy.tree.glob(PACKAGES[package]))
        for mutant in mutants_of(
            path.relative_to(copy.tree).as_posix(), path.read_bytes()
        )
    ]
    everything.sort(key=lambda m: sha256(f"{seed} {m[1].name}".encode()).digest())
    return everything[:number]


def try_mutant(
    package: str, mutant: Mutant, copy: Copy, reach: Reach, budget: float
) -> Result:
    """Let a mutant meet the scenarios of its game and the nearest tests.

    One that fills records then meets the transcripts of commands, compiled.
    """
    uncompiled = is_compiled(mutant.file)
    change = mutant.file, mutant.apply(copy.read(mutant.file))
    tests = reach.tests_of(mutant.file, mutant.line, uncompiled)
    # Transcripts and the nearest file have the budget once, and all others together;
    # pinned games have none, and the last test of each may go beyond.
    seconds = PLAYED + 3 * (budget + TEST)
    outcome = copy.test(
        *(tests, seconds, change, uncompiled),
        budget=budget,
        function=mutant.function,
    )
    if outcome.result == "survived" and fills_records(mutant.file):
        outcome = copy.test(TRANSCRIBED, seconds, change, False, budget=budget)
    return Result(
        *(mutant.name, package, mutant.operator, mutant.line),
        *(outcome.result, outcome.by, round(outcome.seconds, 1)),
    )


def check_killers(results: Sequence[Result], copy: Copy) -> None:
    """Run the tests that noticed mutants without any; SystemExit if one fails."""
    for uncompiled in (False, True):
        tests = {
            match[1]
            for result in results
            if (match := KILLER.match(result.by)) and result.result != "survived"
            if _is_uncompiled(result, match[1]) is uncompiled
        }
        copy.check_passing(sorted(tests), SECONDS, uncompiled)


def _is_uncompiled(result: Result, test: str) -> bool:
    file = result.name.partition(" ")[0]
    return is_compiled(file) and test.startswith(UNCOMPILED)


def share_noticed(results: Sequence[Result], reasons: Mapping[str, str]) -> float:
    """The share that tests noticed of the mutants that can be; 1 where none can."""
    counted = [r for r in results if r.result != "survived" or r.name not in reasons]
    noticed = sum(result.result != "survived" for result in counted)
    return noticed / len(counted) if counted else 1.0


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
