"""The stub of the Python API, which shows every keyword to editors and mypy.

Keywords that functions have together are declared once, see `api.arguments.takes`, so
that no `def` lists them. `python -m tools.pages` writes the stub.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, isclass, isfunction, signature
from pathlib import Path

import deckcheck
from deckcheck.studies import ENTRIES

FILE = Path(deckcheck.__file__).with_suffix(".pyi")

_STARS = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}

_HEAD = '''\
"""The Python API by name; `python -m tools.pages` writes this stub."""

'''


def api_stub() -> str:
    """The text of the stub, as ruff formats it."""
    public = {name: getattr(deckcheck, name) for name in deckcheck.__all__}
    functions = [value for value in public.values() if isfunction(value)]
    text = "\n".join(map(_function, functions))
    homes = {entry.result.partition(":")[2]: _home(entry.result) for entry in ENTRIES}
    # What groups of keywords are annotated with stands where these are declared.
    modules = {"deckcheck.api.arguments", *(f.__module__ for f in functions)}
    for module in sorted(modules):
        homes.update(_homes(module))
    wanted: dict[str, list[str]] = {"deckcheck.version": ["__version__"]}
    for name in set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", text))):
        if name in homes and name not in public:
            wanted.setdefault(homes[name], []).append(name)
    for name, value in public.items():
        if isclass(value):
            wanted.setdefault(homes.get(name, value.__module__), []).append(name)
    standard = [home for home in wanted if not home.startswith("deckcheck")]
    imports = [
        "\n".join(_import(home, wanted[home]) for home in sorted(homes_of_a_kind))
        for homes_of_a_kind in (standard, wanted.keys() - set(standard))
    ]
    third = "import pandas as pd"
    listed = "\n".join(f'    "{name}",' for name in deckcheck.__all__)
    parts = (_HEAD + imports[0], third, imports[1], f"__all__ = [\n{listed}\n]", text)
    return "\n\n".join(parts) + "\n"


def _home(place: str) -> str:
    return f"deckcheck.{place.partition(':')[0]}"


def _import(home: str, names: list[str]) -> str:
    line = f"from {home} import {', '.join(sorted(names))}"
    if len(line) <= 88:
        return line
    return "\n".join(
        [f"from {home} import (", *(f"    {n}," for n in sorted(names)), ")"]
    )


def _homes(module: str) -> Iterator[tuple[str, str]]:
    """The names in a module, with the modules that define them."""
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.name, str(node.module)) for alias in node.names)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, module


def _function(function: Callable[..., object]) -> str:
    lines, is_keyword = [], False
    shown = signature(function)
    for each in shown.parameters.values():
        if each.kind is Parameter.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            lines.append("    *,")
        star = _STARS.get(each.kind, "")
        is_keyword = is_keyword or bool(star)
        default = "" if each.default is Parameter.empty else f" = {_text(each.default)}"
        lines.append(f"    {star}{each.name}: {each.annotation}{default},")
    body = "\n".join(lines)
    return f"def {function.__name__}(\n{body}\n) -> {shown.return_annotation}: ..."


def _text(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:_}" if isinstance(value, int) and value > 9999 else repr(value)
