"""A folder with several runs, each in one of its own: where a plan is played."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from deckcheck.findings import UsageError
from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import quote

__all__ = ["SERIES", "begin_series", "checked_plan", "runs_of"]

SERIES = "plan.json"
SCHEMA_VERSION = 1


def begin_series(folder: Path, names: list[str], check: Path | None = None) -> None:
    """Write down which runs a folder holds, or find that it holds the same.

    `check` is the plan by which they are checked: what it expects is no part of them.
    Raises UsageError for a folder that holds anything else.
    """
    known = runs_of(folder)
    if known is not None and known != names:
        raise UsageError(
            f"{quote(str(folder))} holds other experiments: {', '.join(known)}",
            "Name another folder",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if known is None and os.listdir(folder):
            raise UsageError(
                f"{quote(str(folder))} holds files that are no plan's",
                "Name an empty folder, or one that does not exist",
            )
        draft = folder / f".{SERIES}.part"
        document: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "experiments": names,
        }
        plan = checked_plan(folder) if check is None else check
        if plan is not None:
            document["check"] = os.path.abspath(plan)
        draft.write_text(json_text(document), encoding="utf-8")
        os.replace(draft, folder / SERIES)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot write to {quote(str(folder))}: {reason}") from None


def checked_plan(folder: Path) -> Path | None:
    """The plan that runs of a folder were checked by; None if they never were."""
    if runs_of(folder) is None:
        return None
    plan = json.loads((folder / SERIES).read_text(encoding="utf-8")).get("check")
    return Path(plan) if isinstance(plan, str) else None


def runs_of(folder: Path) -> list[str] | None:
    """The names of the runs in a folder of several, in order; None for another one."""
    file = folder / SERIES
    if not file.is_file():
        return None
    try:
        names = json.loads(file.read_text(encoding="utf-8"))["experiments"]
        # A name is no path that leads elsewhere.
        if not all(name == Path(name).name for name in names):
            raise ValueError(names)
    except (OSError, ValueError, TypeError, LookupError):
        raise UsageError(f"{quote(str(file))} is damaged") from None
    return [str(name) for name in names]
