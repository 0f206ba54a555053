"""Paths as CI services need them: from the root of the repository on."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from deckcheck.files import relative_path
from deckcheck.validation import DeckReport, FileReport, Validation

REPOSITORY_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Variables in which GitHub and GitLab name the folder of the repository."""

_NO_FILE = re.compile(r"<|DC[0-9]+_")
"""How the name of standard input and of a share code begins."""

Part = TypeVar("Part", DeckReport, FileReport)


def make_locator(
    folder: Path | None = None, fallback: Path | None = None
) -> Callable[[str], str] | None:
    """Return a function that changes shown paths to paths from the root on.

    Shown paths start from `folder`, by default the working folder. The root is the
    folder that a CI service names, else the nearest folder above with `.git`, else
    `fallback`. A path outside of the root stays as it is. Returns None without a root.
    """
    start = os.path.realpath(folder or os.curdir)
    root = _find_root(start)
    if root is None and fallback is not None:
        root = os.path.realpath(fallback)
    if root is None:
        return None

    @cache
    def locate(path: str) -> str:
        if _NO_FILE.match(path):
            return path
        parent, name = os.path.split(os.path.join(start, path))
        relative = relative_path(os.path.join(os.path.realpath(parent), name), root)
        if os.path.isabs(relative) or relative.split(os.sep)[0] == os.pardir:
            return path  # outside of the root
        return relative.replace(os.sep, "/")

    return locate


def _find_root(start: str) -> str | None:
    for variable in REPOSITORY_VARIABLES:
        root = os.path.realpath(os.environ.get(variable) or os.devnull)
        if Path(start).is_relative_to(root):
            return root
    for folder in (Path(start), *Path(start).parents):
        if os.path.lexists(folder / ".git"):
            return str(folder)
    return None


def in_repository(run: Validation, fallback: Path | None = None) -> Validation:
    """Return the run with paths from the root on, see `make_locator`."""
    locate = make_locator(run.folder, fallback)
    if locate is None:
        return run
    return replace(
        run,
        reports=tuple(_move_report(report, locate) for report in run.reports),
        files=tuple(_move_report(report, locate) for report in run.files),
        whole=run.whole and in_repository(run.whole, fallback),
    )


def _move_report(report: Part, locate: Callable[[str], str]) -> Part:
    findings = (replace(f, path=locate(f.path)) for f in report.findings)
    source = replace(report.source, path=locate(report.source.path))
    return replace(report, source=source, findings=tuple(findings))
