"""Outputs of `deckcheck validate`, one per file."""

from __future__ import annotations

from importlib import import_module
from typing import TextIO

from deckcheck.reporters.base import Reporter
from deckcheck.terminal import Style, wants_color
from deckcheck.validation import Validation

__all__ = ["OUTPUTS", "REPORTERS", "Reporter", "Style", "wants_color"]

_PEOPLE = ("full", "concise", "line", "markdown")
OUTPUTS = (
    "full",
    "concise",
    "line",
    "json",
    "jsonl",
    "github",
    "gitlab",
    "sarif",
    "junit",
    "markdown",
    "rdjson",
)
"""The names that `--output-format` takes; `x` is `write_x` of its module."""


def _reporter(name: str) -> Reporter:
    """The reporter `name`, imported when it is first used."""

    def write(
        run: Validation, stream: TextIO, style: Style, with_summary: bool
    ) -> None:
        module = import_module(f"{__name__}.{'text' if name in _PEOPLE else 'machine'}")
        reporter: Reporter = getattr(module, f"write_{name}")
        reporter(run, stream, style, with_summary)

    return write


REPORTERS: tuple[tuple[str, Reporter], ...] = tuple(
    (name, _reporter(name)) for name in OUTPUTS
)
"""Every output by its name."""
