"""The stub of the Python API, which shows every keyword to editors and mypy.

Keywords that functions have together are declared once, see `api.arguments.takes`, so
that no `def` lists them. `python -m tools.pages` writes the stub.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from pathlib import Path

from deckcheck import api

FILE = Path(api.__file__).with_suffix(".pyi")

_STARS = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}

_HEAD = '''\
"""The Python API by name; `python -m tools.pages` writes this stub."""
'''


def api_stub() -> str:
    """The text of the stub, as ruff formats it."""
    functions = [getattr(api, name) for name in api.__all__]
    text = "\n".join(map(_function, functions))
    homes = {}
    for module in sorted({function.__module__ for function in functions}):
        homes.update(_homes(module))
    wanted: dict[str, list[str]] = {}
    for name in sorted(set(re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", text)))):
        if name in homes:
            wanted.setdefault(homes[name], []).append(name)
    standard = [home for home in wanted if not home.startswith("deckcheck")]
    imports = [
        "\n".join(_import(home, wanted[home]) for home in sorted(homes_of_a_kind))
        for homes_of_a_kind in (standard, wanted.keys() - set(standard))
    ]
    third = "import pandas as pd"
    return "\n\n".join((_HEAD + "\n" + imports[0], third, imports[1], text)) + "\n"


def _import(home: str, names: list[str]) -> str:
    line = f"from {home} import {', '.join(names)}"
    if len(line) <= 88:
        return line
    return "\n".join([f"from {home} import (", *(f"    {n}," for n in names), ")"])


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
