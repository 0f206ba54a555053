"""The hash that names the cache folder covers what is compiled, and nothing else.

What compiled code is made of is read from the sources: it begins with the functions
that are compiled and the records they work on, and goes on to every name these use.
Types of parameters are no use, numba does not read them.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest

from deckcheck.engine import cache as cache_folder
from deckcheck.engine.cache import PACKAGE, compiled_sources, source_hash
from deckcheck.engine.registry import GAMES

pytestmark = pytest.mark.compiled

DECORATORS = {"jit", "entry"}
MACHINERY = {"deckcheck.engine.jit", "deckcheck.engine.inner"}
LIST_DISPATCHERS = """
import pkgutil, sys
from importlib import import_module
from numba.core.dispatcher import Dispatcher
import deckcheck
for module in pkgutil.walk_packages(deckcheck.__path__, "deckcheck."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
for name in sorted(sys.modules):
    if name.startswith("deckcheck"):
        for value in vars(sys.modules[name]).values():
            if isinstance(value, Dispatcher):
                print(value.py_func.__module__, value.py_func.__qualname__)
"""


def dotted(path) -> str:
    """The name of the module in a file below the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


FILES = {dotted(path): path for path in PACKAGE.rglob("*.py")}


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """Where the names that a module imports from deckcheck come from."""
    found = {}
    for node in parsed(module).body:
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name)
    return found


@cache
def definitions(module: str) -> dict[str, list[ast.stmt]]:
    """The statements at the top of a module that define each name."""
    found: dict[str, list[ast.stmt]] = {}
    for node in parsed(module).body:
        names = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [n.id for n in ast.walk(node) if is_stored(n)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def names_used(node: ast.AST) -> Iterator[str]:
    """Every name a statement reads, those of types aside."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.Name):
                yield child.id
            elif isinstance(child, ast.AST):
                yield from names_used(child)


def compiled_functions() -> Iterator[tuple[str, str]]:
    """Module and name of every function with one of our decorators."""
    for module in FILES:
        for name, nodes in definitions(module).items():
            for node in nodes:
                if isinstance(node, ast.FunctionDef) and DECORATORS & {
                    d.id for d in node.decorator_list if isinstance(d, ast.Name)
                }:
                    yield module, name


@cache
def needed() -> frozenset[str]:
    """The modules that compiled code is made of."""
    seen: set[tuple[str, str]] = set()
    waiting = [*compiled_functions(), *((game, "RECORDS") for game in GAMES.values())]
    while waiting:
        module, name = waiting.pop()
        if (module, name) in seen or module in MACHINERY:
            continue
        if name in imports(module):
            waiting.append(imports(module)[name])
        elif name in definitions(module):
            seen.add((module, name))
            for node in definitions(module)[name]:
                waiting += [(module, used) for used in names_used(node)]
    return frozenset(module for module, _ in seen) | MACHINERY


def hashed() -> set[str]:
    return {dotted(path) for path in compiled_sources()}


def test_all_that_is_compiled_is_hashed() -> None:
    assert needed() - hashed() == set()


def test_all_that_is_hashed_is_compiled() -> None:
    assert hashed() - needed() == set()


def test_no_compiled_function_is_overlooked() -> None:
    """The functions numba has are those that the sources mark."""
    listed = subprocess.run(
        [sys.executable, "-c", LIST_DISPATCHERS],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = {tuple(line.split()) for line in listed.stdout.splitlines()}

    assert found == set(compiled_functions())


def is_enumeration(module: str, name: str) -> bool:
    """Whether a name means a class of numbered words, such as `RowName`."""
    module, name = imports(module).get(name, (module, name))
    nodes = definitions(module).get(name, []) if module in FILES else []
    return any(
        isinstance(node, ast.ClassDef)
        and any("Enum" in ast.unparse(base) for base in node.bases)
        for node in nodes
    )


def test_no_array_is_indexed_by_a_member_of_an_enumeration() -> None:
    """numba can do so from 0.68 on only; `.value` of the member is a plain number."""
    found = [
        f"{module}:{node.lineno}"
        for module in hashed()
        for node in ast.walk(parsed(module))
        if isinstance(node, ast.Subscript)
        for index in (
            node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        )
        if isinstance(index, ast.Attribute)
        and isinstance(index.value, ast.Name)
        and is_enumeration(module, index.value.id)
    ]

    assert found == []


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the package whose files may be changed."""
    package = tmp_path / "deckcheck"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache_folder, "PACKAGE", package)
    return package


@pytest.mark.parametrize(
    ("path", "is_compiled"),
    [
        ("engine/gwent/board.py", True),
        ("engine/gwent/codes.py", True),
        ("engine/gwen_t/state.py", True),
        ("engine/inner.py", True),
        ("policies/players.py", True),
        ("engine/gwent/context.py", False),
        ("engine/cache.py", False),
        ("engine/jit.py", False),
        ("policies/registry.py", False),
        ("scenarios/games/gwent/adapter.py", False),
    ],
)
def test_a_comment_recompiles_only_where_code_is_compiled(
    copied, path, is_compiled
) -> None:
    before = source_hash()
    with (copied / path).open("a", encoding="utf-8") as file:
        file.write("# a comment\n")

    assert (source_hash() != before) == is_compiled
