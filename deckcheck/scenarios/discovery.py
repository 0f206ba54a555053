"""Which files are scenarios: named files, globs, and folders to any depth."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path

from deckcheck.decks.discovery import missing
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

__all__ = ["SUFFIXES", "find_scenarios"]

SUFFIXES = (".yaml", ".yml")


def find_scenarios(targets: Sequence[str]) -> list[Path | None]:
    """The files that `targets` name, each once; a folder gives its YAML files, sorted.

    None is standard input, `-`. Raises UsageError for a name that does not exist and a
    target without scenarios.
    """
    found: dict[Path | None, Path | None] = {}
    for target in targets:
        if target == "-":
            found[None] = None
            continue
        for file in _expand(target):
            found.setdefault(file.absolute(), file)
    return list(found.values())


def _expand(target: str) -> list[Path]:
    path = Path(target)
    if os.path.isdir(path):
        files = _in_folder(path)
        if not files:
            help = f"Scenarios end in {' or '.join(SUFFIXES)}"
            raise UsageError(f"folder {quote(target)} holds no scenario", help)
        return files
    if os.path.exists(path):
        return [path]
    if not glob.has_magic(target):
        raise missing(target)
    matches = [Path(name) for name in sorted(glob.glob(target, recursive=True))]
    files = [
        file
        for match in matches
        for file in (_in_folder(match) if match.is_dir() else [match])
    ]
    if not files:
        raise UsageError(f"nothing matches {quote(target)}", "Check the pattern")
    return files


def _in_folder(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in SUFFIXES
        and file.is_file()
        and not any(p.startswith(".") for p in file.relative_to(folder).parts)
    )
