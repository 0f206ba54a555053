"""Which test files execute which lines, measured once and kept beside the copy."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import CoverageData

from benchmarks.mutation.operators import Mutant
from benchmarks.mutation.running import Copy, is_compiled

__all__ = ["Reach", "TestFile"]

UNCOMPILED = (
    *("tests/controllers", "tests/engine", "tests/policies", "tests/scenarios"),
    "tests/test_scenarios.py",
)
"""Where tests are that play uncompiled."""
AT_ONCE = 20
"""Test files that are measured in one process, and then written down."""
SETTINGS = """\
[run]
source = {tree}/deckcheck
data_file = {scratch}/coverage/data
parallel = true
sigterm = true
context = ${{MUTATION_CONTEXT}}
"""


@dataclass(frozen=True, slots=True)
class TestFile:
    """What one test file does: its seconds of CPU, its lines of each source file.

    `digest` is that of its text; `failed` are the tests that fail without a mutant.
    """

    digest: str
    seconds: float
    failed: list[str]
    lines: dict[str, list[int]]


class Reach:
    """What all test files do, in two ways: compiled, and uncompiled."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.sources = _digest(copy.tree, sorted(copy.tree.glob("deckcheck/**/*.py")))
        self.path = copy.folder / "reach.json"
        self.files: dict[bool, dict[str, TestFile]] = {False: {}, True: {}}
        if self.path.is_file():
            self._read(json.loads(self.path.read_text(encoding="utf-8")))

    def measure(self, uncompiled: bool) -> None:
        """Run the test files that are new or changed; all when a source changed."""
        kept = self.files[uncompiled]
        digests = {
            name: _digest(self.copy.tree, [path]) for name, path in self._tests()
        }
        if uncompiled:
            digests = {n: d for n, d in digests.items() if n.startswith(UNCOMPILED)}
        wanted = [
            name
            for name, digest in digests.items()
            if name not in kept or kept[name].digest != digest
        ]
        for start in range(0, len(wanted), AT_ONCE):
            way = "uncompiled" if uncompiled else "compiled"
            print(
                f"measuring {way} test files: {start} of {len(wanted)}",
                file=sys.stderr,
                flush=True,
            )
            self._run(wanted[start : start + AT_ONCE], digests, uncompiled)
            self._write()
        self.files[uncompiled] = {n: f for n, f in kept.items() if n in digests}

    def tests_of(self, mutant: Mutant, budget: float) -> list[str]:
        """The test files that execute a mutant, nearest and cheapest first.

        What does not fit into `budget` seconds is left out, but for the first.
        """
        first, last = mutant.reach
        files = self.files[is_compiled(mutant.file)]

        def executes(test: TestFile) -> bool:
            lines = test.lines.get(mutant.file, ())
            return bool(lines) and (
                not last or any(first <= line <= last for line in lines)
            )

        names = [name for name, test in files.items() if executes(test)]
        names.sort(key=lambda n: (_distance(mutant.file, n) * files[n].seconds, n))
        chosen = names[:1]
        for name in names[1:]:
            if self.seconds_of([*chosen, name], is_compiled(mutant.file)) <= budget:
                chosen.append(name)
        return chosen

    def seconds_of(self, tests: Sequence[str], uncompiled: bool) -> float:
        """Seconds of CPU that these test files take."""
        return sum(self.files[uncompiled][name].seconds for name in tests)

    def failed_of(self, tests: Sequence[str], uncompiled: bool) -> list[str]:
        """Those of their tests that fail without a mutant."""
        files = self.files[uncompiled]
        return [test for name in tests for test in files[name].failed]

    def _tests(self) -> Iterator[tuple[str, Path]]:
        for path in sorted((self.copy.tree / "tests").rglob("test_*.py")):
            yield path.relative_to(self.copy.tree).as_posix(), path

    def _run(
        self, names: Sequence[str], digests: dict[str, str], uncompiled: bool
    ) -> None:
        with TemporaryDirectory(prefix="mutation-") as folder:
            scratch = Path(folder)
            (scratch / "coverage").mkdir()
            settings = SETTINGS.format(tree=self.copy.tree, scratch=scratch)
            (scratch / "coveragerc").write_text(settings, encoding="utf-8")
            extra = {
                "COVERAGE_PROCESS_START": str(scratch / "coveragerc"),
                "MUTATION_CONTEXT": "",
                "MUTATION_RECORD": str(scratch / "record.json"),
            }
            arguments = ["-p", "recording", *names]
            _, output = self.copy.pytest(arguments, scratch, uncompiled, extra)
            try:
                text = (scratch / "record.json").read_text(encoding="utf-8")
            except FileNotFoundError:
                raise SystemExit(
                    f"pytest did not end as it should:\n{output}"
                ) from None
            record = json.loads(text)
            lines = self._lines(scratch / "coverage")
        for name in names:
            self.files[uncompiled][name] = TestFile(
                digest=digests[name],
                seconds=round(record["seconds"].get(name, 0.0), 2),
                failed=record["failed"].get(name, []),
                lines={file: sorted(found) for file, found in lines[name].items()},
            )

    def _lines(self, folder: Path) -> dict[str, dict[str, set[int]]]:
        """Lines by test file and source file, of all processes."""
        lines: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for path in folder.iterdir():
            data = CoverageData(str(path))
            data.read()
            for source in data.measured_files():
                file = Path(source).relative_to(self.copy.tree).as_posix()
                for line, contexts in data.contexts_by_lineno(source).items():
                    for context in contexts:
                        lines[context.rpartition("|")[2]][file].add(line)
        return lines

    def _read(self, kept: dict[str, object]) -> None:
        if kept["sources"] == self.sources:
            for way, files in kept["files"].items():  # type: ignore[attr-defined]
                self.files[way == "uncompiled"] = {
                    name: TestFile(**fields) for name, fields in files.items()
                }

    def _write(self) -> None:
        files = {
            way: {name: asdict(test) for name, test in self.files[number].items()}
            for number, way in ((False, "compiled"), (True, "uncompiled"))
        }
        text = json.dumps({"sources": self.sources, "files": files})
        self.path.write_text(text, encoding="utf-8")


def _digest(tree: Path, paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(tree).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _distance(file: str, test: str) -> int:
    """How far a test file is: 0 if it is that of the module, 1 of its package, 4 else.

    Those that belong to no package, such as the one of all scenarios, are near to all.
    """
    _, *folders, module = file.removesuffix(".py").split("/")
    _, *places, name = test.removesuffix(".py").split("/")
    if folders[-1:] and name in (f"test_{module}", f"test_{folders[-1]}_{module}"):
        return 0
    return 1 if places[:1] in ([], folders[:1]) else 4
