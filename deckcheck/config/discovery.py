"""Finds the configuration file of a folder."""

from __future__ import annotations

import os
from pathlib import Path

PYPROJECT = "pyproject.toml"
_OWN = ("deckcheck.toml", ".deckcheck.toml")


def find_config(folder: str) -> Path | None:
    """The nearest configuration, in `folder` or above, None if there is none.

    In one folder `deckcheck.toml` goes before `.deckcheck.toml`, and both before a
    `pyproject.toml`, which counts when it has a table `[tool.deckcheck]`.
    """
    while True:
        for name in _OWN:
            file = os.path.join(folder, name)
            if os.path.isfile(file):
                return Path(file)
        file = os.path.join(folder, PYPROJECT)
        if os.path.isfile(file) and _has_table(file):
            return Path(file)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _has_table(file: str) -> bool:
    """Whether a `pyproject.toml` is about deckcheck; most of them are not."""
    try:
        with open(file, "rb") as stream:
            content = stream.read()
    except OSError:
        return False
    if b"deckcheck" not in content or b"tool" not in content:
        return False
    import tomllib

    try:
        data = tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        # Broken, and perhaps not ours: the program it belongs to will say so.
        return b"[tool.deckcheck" in content
    tool = data.get("tool")
    return isinstance(tool, dict) and "deckcheck" in tool
