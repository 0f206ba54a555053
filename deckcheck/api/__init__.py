"""The Python API: functions that do what the commands do, by their topics."""

from __future__ import annotations

from deckcheck.api.runs import frame, merge, meta, replay, report_of, resume
from deckcheck.api.simulating import parse, read, simulate, validate
from deckcheck.api.studies import (
    balance,
    compare,
    compare_formats,
    expect,
    function_of,
    impact,
    redraws,
    solve,
)
from deckcheck.studies import ENTRIES

__all__ = [
    "balance",
    "compare",
    "compare_formats",
    "expect",
    "frame",
    "impact",
    "merge",
    "meta",
    "parse",
    "read",
    "redraws",
    "replay",
    "report_of",
    "resume",
    "simulate",
    "solve",
    "validate",
]

# Other studies have functions that their entries describe.
for _entry in ENTRIES:
    if _entry.question is not None and _entry.question.study_of:
        globals()[_entry.name] = function_of(_entry.name)
        __all__.append(_entry.name)
