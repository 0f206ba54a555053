"""The Python API: functions that do what the commands do, by their topics."""

from __future__ import annotations

from deckcheck.api.runs import frame, merge, meta, replay, report_of, resume
from deckcheck.api.simulating import parse, read, simulate, validate
from deckcheck.api.studies import (
    balance,
    build,
    compare,
    compare_formats,
    expect,
    impact,
    redraws,
    solve,
    tune,
)

__all__ = [
    "balance",
    "build",
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
    "tune",
    "validate",
]
