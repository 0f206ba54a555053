"""Which test files are nearest to a module, by what they import and what they run.

Nothing is measured: an import is an edge, wherever it stands, and so is the name of a
module or of a command in a text. What a package exports is traced to where it is made.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from deckcheck.cli.commands import module_of

__all__ = ["Reach"]

LEFT_OUT = ("tests/repository/", "tests/scenarios/test_scenarios.py", "tests/tools/")
"""Tests of pages, benchmarks and the whole tree; scenarios are met without pytest."""
UNCOMPILED = ("tests/controllers", "tests/engine", "tests/policies", "tests/scenarios")
"""Where tests are that play uncompiled."""
NEAREST = 12
"""How many test files one mutant meets."""
API = {f"deckcheck.api.{name}" for name in ("runs", "simulating", "studies")}
"""Where the package has from what it offers."""
GAME = re.compile(r"deckcheck/engine/(\w+)/")


class Reach:
    """The modules and test files of a tree, and what they import."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.paths = {
            _module(path.relative_to(tree)): path
            for path in sorted(tree.glob("deckcheck/**/*.py"))
        }

    def tests_of(self, file: str, uncompiled: bool) -> list[str]:
        """The scenarios of the game of a file, and the test files nearest to it."""
        game = GAME.match(file)
        folders = self.tree.glob(f"tests/scenarios/{game[1]}*/") if game else ()
        scenarios = sorted(path.relative_to(self.tree).as_posix() for path in folders)
        nearest = sorted(
            (steps - 2 * len(_words(test) & _words(file)), test)
            for test, distances in self._distances.items()
            if not uncompiled or test.startswith(UNCOMPILED)
            if (steps := distances.get(_module(Path(file)))) is not None
        )
        return scenarios + [test for _, test in nearest[:NEAREST]]

    @cached_property
    def _distances(self) -> dict[str, dict[str, int]]:
        """How many imports lie between each test file and each module."""
        tests = {
            path.relative_to(self.tree).as_posix(): path
            for path in (self.tree / "tests").rglob("test_*.py")
        }
        return {
            name: self._distances_from(path)
            for name, path in tests.items()
            if not name.startswith(LEFT_OUT)
        }

    def _distances_from(self, test: Path) -> dict[str, int]:
        tree = ast.parse(test.read_bytes())
        first = {*self._imports(tree, ""), *self._commands(tree)}
        distances = dict.fromkeys(first, 1)
        waiting = deque(distances)
        while waiting:
            module = waiting.popleft()
            for other in self._edges[module]:
                if other not in distances:
                    distances[other] = distances[module] + 1
                    waiting.append(other)
        return distances

    @cached_property
    def _trees(self) -> dict[str, ast.Module]:
        return {name: ast.parse(path.read_bytes()) for name, path in self.paths.items()}

    @cached_property
    def _edges(self) -> dict[str, set[str]]:
        return {
            name: {*self._imports(tree, name)} - {name}
            for name, tree in self._trees.items()
        }

    def _imports(self, tree: ast.Module, module: str) -> Iterator[str]:
        texts = self.paths.keys() - {"deckcheck", module}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
                names |= API if "deckcheck" in names else set()
                yield from names & (self.paths.keys() - {"deckcheck"})
            elif isinstance(node, ast.ImportFrom) and node.module in self.paths:
                for alias in node.names:
                    yield self._home(node.module, alias.name)
            elif isinstance(node, ast.Constant) and node.value in texts:
                yield node.value

    def _home(self, module: str, name: str) -> str:
        """Where a package has a name from; the module itself if it is made there."""
        if f"{module}.{name}" in self.paths:
            return f"{module}.{name}"
        for node in self._trees[module].body:
            if isinstance(node, ast.ImportFrom) and node.module in self.paths:
                names = {alias.asname or alias.name for alias in node.names}
                if name in names:
                    return self._home(node.module, name)
        return module

    def _commands(self, tree: ast.Module) -> Iterator[str]:
        """Modules of the commands that a test names: `main(["tune"])`, `api.tune()`."""
        for node in ast.walk(tree):
            name = node.value if isinstance(node, ast.Constant) else None
            name = node.attr if isinstance(node, ast.Attribute) else name
            if name is not None and module_of(name) in self.paths:
                yield module_of(name)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _words(path: str) -> set[str]:
    """The words of a path: `tests/cli/test_searches.py` has `cli`, `tune`, ..."""
    return {*re.findall(r"[a-z]+", path)} - {"deckcheck", "py", "test", "tests"}
