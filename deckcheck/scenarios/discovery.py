"""The files that are scenarios: named files, globs, and folders to any depth."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path

from deckcheck.decks.discovery import missing, shown_path
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import file_fault
from deckcheck.findings.words import quote

SUFFIXES = (".yaml", ".yml")


def find_scenarios(
    targets: Sequence[str], notes: list[str] | None = None
) -> list[Path | None]:
    """The files that `targets` name, each once; a folder gives its YAML files, sorted.

    None is standard input, `-`. `notes` gets a sentence for each entry of a folder that
    is called as a scenario and is no file, such as a pipe. Raises UsageError for a name
    that does not exist and a target without scenarios.
    """
    notes = [] if notes is None else notes
    files: dict[Path | None, Path | None] = {}
    for target in targets:
        if target == "-":
            files[None] = None
            continue
        for file in _expand(target, notes):
            files.setdefault(file.absolute(), file)
    return list(files.values())


def _expand(target: str, notes: list[str]) -> list[Path]:
    path = Path(target)
    if os.path.isdir(path):
        files = _in_folder(path, notes)
        if not files:
            help = f"Scenarios end in {' or '.join(SUFFIXES)}"
            why = f": {notes[-1]}" if notes else ""
            raise UsageError(f"folder {quote(target)} holds no scenario{why}", help)
        return files
    if os.path.exists(path):
        return [path]
    if not glob.has_magic(target):
        raise missing(target)
    matches = [Path(name) for name in sorted(glob.glob(target, recursive=True))]
    files = [
        file
        for match in matches
        for file in (_in_folder(match, notes) if match.is_dir() else [match])
    ]
    if not files:
        raise UsageError(f"nothing matches {quote(target)}", "Check the pattern")
    return files


def _in_folder(folder: Path, notes: list[str]) -> list[Path]:
    named = sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in SUFFIXES
        and not file.is_dir()
        and not any(p.startswith(".") for p in file.relative_to(folder).parts)
    )
    files = []
    for file in named:
        fault = file_fault(file)
        if fault is None:
            files.append(file)
        else:
            notes.append(f"{quote(shown_path(file))} is left out: it {fault}")
    return files
