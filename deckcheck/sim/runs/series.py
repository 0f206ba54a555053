"""A folder with several runs, each in one of its own: where a plan is played."""

from __future__ import annotations

import json
import os
from pathlib import Path

from deckcheck.findings import UsageError
from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import quote

__all__ = ["SERIES", "begin_series", "runs_of"]

SERIES = "plan.json"
SCHEMA_VERSION = 1


def begin_series(folder: Path, names: list[str]) -> None:
    """Write down which runs a folder holds, or find that it holds the same.

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
        document = {"schema_version": SCHEMA_VERSION, "experiments": names}
        draft.write_text(json_text(document), encoding="utf-8")
        os.replace(draft, folder / SERIES)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot write to {quote(str(folder))}: {reason}") from None


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
