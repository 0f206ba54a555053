"""Which test files are nearest to a line, by what they import, run and name.

Nothing is measured: an import is an edge, wherever it stands, and so is the name of a
module or of a command in a text. What a package exports is traced to where it is made.
The name of what a line belongs to leads to all that name it, and on from there.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from deckcheck.cli.commands import module_of
from tools.mutation.hook.budget import PINNED, TRANSCRIPTS

__all__ = ["NEAREST", "Reach"]

LEFT_OUT = ("tests/repository/", "tests/scenarios/test_scenarios.py", "tests/tools/")
"""Tests of pages, benchmarks and the whole tree; scenarios are met without pytest."""
UNCOMPILED = ("tests/controllers", "tests/engine", "tests/policies", "tests/scenarios")
"""Where tests are that play uncompiled."""
KEPT = {
    **dict.fromkeys(("cards", "formats", "rules"), ("cli", "decks")),
    **dict.fromkeys(("policies", "replays", "scenarios"), ("cli",)),
    **dict.fromkeys(("playing", "report", "sim"), ("studies", "sim")),
    **dict.fromkeys(("stats", "studies"), ("studies", "sim")),
    "cli": ("cli", "decks", "events", "sim", "studies"),
    "decks": ("decks",),
    "documents": ("studies", "sim"),
    "events": ("events",),
    "reporters": ("decks", "events"),
    "validation": ("decks",),
}
"""The folders whose transcripts show what the modules of a package do."""
NEAREST = 12
"""How many test files one mutant meets."""
API = {f"deckcheck.api.{name}" for name in ("runs", "simulating", "studies")}
"""Where the package has from what it offers."""
GAME = re.compile(r"deckcheck/(?:engine|scenarios)/(\w+)(?:/|\.py)")
FAR, FEW = 9, 2
"""Steps from name to name of a test to which none lead; how few may share a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A function, a value or a field of a module, and the names that it mentions.

    Methods that Python calls by itself are named as their class.
    """

    module: str
    names: tuple[str, ...]
    lines: range
    mentioned: set[str]


class Reach:
    """The modules and test files of a tree, and what they import.

    `most` is how many test files one mutant meets, all without it.
    """

    def __init__(self, tree: Path, most: int | None = NEAREST) -> None:
        self.tree, self.most = tree, most
        self.paths = {
            _module(path.relative_to(tree)): path
            for path in sorted(tree.glob("deckcheck/**/*.py"))
        }

    def tests_of(self, file: str, line: int, uncompiled: bool) -> list[str]:
        """The scenarios of the game of a file, and the test files nearest to a line.

        What plays the scenarios of every game meets all of them.
        Transcripts of the package come before those, or pinned games; tests of the
        package that name nothing of it come last.
        """
        game, module = GAME.match(file), _module(Path(file))
        named = self._named_by(module, line)
        folders = self._scenarios(f"{game[1]}*") if game else []
        if not folders and file.startswith("deckcheck/scenarios/"):
            folders = self._scenarios("*")
        package = Path(file).parts[1]
        nearest = sorted(
            (
                named.get(test, FAR)
                + steps
                - 2 * len(_words(test) & _words(file))
                - FAR * _mirrors(test, file),
                test,
            )
            for test, distances in self._distances.items()
            if not uncompiled or test.startswith(UNCOMPILED)
            if (steps := distances.get(module)) is not None
        )
        beside = [test for test in self._tests if test.startswith(f"tests/{package}/")]
        kept = KEPT.get(package, ("cli",) if package.endswith(".py") else ())
        paths = [f"tests/{folder}/{TRANSCRIPTS}" for folder in kept]
        paths = [PINNED] if uncompiled else paths
        others = dict.fromkeys([*(test for _, test in nearest), *beside])
        others = [test for test in others if test not in paths]
        whole = [path for path in paths if path in self._tests]
        return folders + whole + others[: self.most]

    def _scenarios(self, games: str) -> list[str]:
        files = self.tree.glob(f"tests/scenarios/{games}/*.yaml")
        return sorted({file.parent.relative_to(self.tree).as_posix() for file in files})

    def _named_by(self, module: str, line: int) -> dict[str, int]:
        """How many names lie between a line and each test file that they lead to."""
        own = self._parts.get(module, ())
        steps = {part: 0 for part in own if line in part.lines}
        waiting = deque(steps)
        while waiting:
            part = waiting.popleft()
            for name in part.names:
                for other in self._naming[name]:
                    # A name of many parts is that of this one beside an import of it.
                    near = part.module in (other.module, *self._edges[other.module])
                    if other not in steps and (near or self._named[name] <= FEW):
                        steps[other] = steps[part] + 1
                        waiting.append(other)
        return {part.module: far for part, far in steps.items()}

    @cached_property
    def _parts(self) -> dict[str, list[Part]]:
        """Those of each module; a test file is one without a name."""
        parts = {
            name: list(_parts_of(name, tree)) for name, tree in self._trees.items()
        }
        for test, tree in self._tests.items():
            parts[test] = [Part(test, (), range(0), _mentioned(tree))]
        return parts

    @cached_property
    def _naming(self) -> dict[str, list[Part]]:
        """The parts that mention a name."""
        naming = defaultdict(list)
        for part in chain.from_iterable(self._parts.values()):
            for name in part.mentioned:
                naming[name].append(part)
        return naming

    @cached_property
    def _named(self) -> Counter[str]:
        """How many parts have a name."""
        parts = chain.from_iterable(self._parts.values())
        return Counter(name for part in parts for name in part.names)

    @cached_property
    def _tests(self) -> dict[str, ast.Module]:
        return {
            name: ast.parse(path.read_bytes())
            for path in sorted((self.tree / "tests").rglob("test_*.py"))
            if not (name := path.relative_to(self.tree).as_posix()).startswith(LEFT_OUT)
        }

    @cached_property
    def _distances(self) -> dict[str, dict[str, int]]:
        """How many imports lie between each test file and each module."""
        return {test: self._distances_from(test) for test in self._tests}

    def _distances_from(self, test: str) -> dict[str, int]:
        first = self._edges[test]
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
        modules = {
            name: {*self._imports(tree, name)} - {name}
            for name, tree in self._trees.items()
        }
        tests = {
            name: {*self._imports(tree, ""), *self._commands(tree)}
            for name, tree in self._tests.items()
        }
        return modules | tests

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


def _parts_of(module: str, tree: ast.Module) -> Iterator[Part]:
    owners = [n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef)]
    for owner in owners:
        for node in owner.body:
            names = [_own_name(node, owner)]
            if isinstance(node, ast.Assign | ast.AnnAssign):
                found = (n for n in ast.walk(node) if isinstance(n, ast.Name))
                names = [n.id for n in found if isinstance(n.ctx, ast.Store)]
            if any(names) and not isinstance(node, ast.ClassDef):
                lines = range(node.lineno, (node.end_lineno or 0) + 1)
                yield Part(module, tuple(names), lines, _mentioned(node))


def _own_name(node: ast.stmt, owner: ast.Module | ast.ClassDef) -> str:
    name = getattr(node, "name", "")
    return getattr(owner, "name", name) if name.startswith("__") else name


def _mentioned(node: ast.AST) -> set[str]:
    """The names in a node, and the words that may be one, as of a command."""
    words: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=word) | ast.Attribute(attr=word):
                words.add(word)
            case ast.keyword(arg=str(word)):
                words.add(word)
            case ast.alias(name=word) | ast.Constant(value=str(word)):
                words.add(word.replace("-", "_"))
    return words


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _mirrors(test: str, file: str) -> bool:
    """Whether a test file has the name of a module."""
    return Path(test).name == f"test_{Path(file).name}"


def _words(path: str) -> set[str]:
    """The words of a path: `tests/cli/test_searches.py` has `cli`, `tune`, ..."""
    return {*re.findall(r"[a-z]+", path)} - {"deckcheck", "py", "test", "tests"}
