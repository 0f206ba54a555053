"""A folder with several runs, each in one of its own: where a plan is played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from deckcheck.findings import UsageError
from deckcheck.findings.files import unusable
from deckcheck.findings.json_text import document_head
from deckcheck.findings.words import quote
from deckcheck.sim.runs.documents import (
    damaged,
    draft_of,
    read_document,
    write_document,
)

RUN = "run.json"
SERIES = "plan.json"
REMEDY = "Delete it, and the command that began these runs writes it again"


def begin_series(folder: Path, names: list[str], check: Path | None = None) -> None:
    """Write down which runs a folder holds, or find that it holds the same.

    `check` is the plan by which they are checked: what it expects is no part of them.
    Raises UsageError for a folder that holds anything else.
    """
    runs = runs_of(folder)
    if runs is not None and runs != names:
        raise UsageError(
            f"{quote(str(folder))} holds other experiments: {', '.join(runs)}",
            "Name another folder",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = {*os.listdir(folder)} - {draft_of(folder / SERIES).name, *names}
        if runs is None and others:
            raise UsageError(
                f"{quote(str(folder))} holds files that are no plan's",
                "Name an empty folder, or one that does not exist",
            )
    except OSError as error:
        raise unusable("write to", folder, error) from None
    plan = checked_plan(folder) if check is None else check
    checked = {} if plan is None else {"check": os.path.abspath(plan)}
    tool = document_head()["tool"]
    write_document(folder / SERIES, {"tool": tool, "experiments": names, **checked})


def checked_plan(folder: Path) -> Path | None:
    """The plan that runs of a folder were checked by; None if they never were."""
    plan = _document(folder).get("check")
    return Path(plan) if isinstance(plan, str) else None


def runs_of(folder: Path) -> list[str] | None:
    """The names of the runs in a folder of several, in order; None for another one."""
    document = _document(folder)
    if not document:
        return None
    names = document.get("experiments")
    if not isinstance(names, list) or not names or not all(map(_is_name, names)):
        why = "`experiments` are no names of folders"
        raise damaged(folder / SERIES, why, REMEDY)
    return names


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run, or every run of a plan, by their files alone."""
    try:
        names = runs_of(folder)
    except UsageError:
        return False
    folders = [folder] if names is None else [folder / name for name in names]
    return all(os.path.isfile(folder / RUN) for folder in folders)


def _document(folder: Path) -> dict[str, Any]:
    """What the folder says of its runs; nothing where it is none of several."""
    file = folder / SERIES
    return read_document(file, REMEDY) if os.path.isfile(file) else {}


def _is_name(name: object) -> bool:
    """Whether it names a folder of this folder: it is no path that leads elsewhere."""
    if not isinstance(name, str) or name in ("", os.curdir, os.pardir):
        return False
    return name == Path(name).name
