"""The Python API: functions that do what the commands do, by their topics."""

from deckcheck.api.balancing import balance
from deckcheck.api.comparing import compare, compare_formats, impact, redraws
from deckcheck.api.expecting import expect
from deckcheck.api.reading import parse, read, validate
from deckcheck.api.reporting import frame, meta, report_of
from deckcheck.api.runs import merge, replay, resume
from deckcheck.api.searching import build, solve, tune
from deckcheck.api.simulating import simulate

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
