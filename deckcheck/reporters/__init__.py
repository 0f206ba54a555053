"""Outputs of `deckcheck validate`."""

from __future__ import annotations

from importlib import import_module
from typing import TextIO

from deckcheck.reporters.base import Reporter
from deckcheck.terminal import Style, wants_color
from deckcheck.validation import Validation

__all__ = ["OUTPUTS", "REPORTERS", "Reporter", "Style", "wants_color"]

_TEXT_OUTPUTS = ("full", "concise", "line", "markdown")
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
"""The values of `--output-format`. `x` is `write_x` of its module."""


def _import_later(name: str) -> Reporter:
    """Return the reporter `name`, which is imported when it is first used."""

    def write(
        run: Validation, stream: TextIO, style: Style, with_summary: bool
    ) -> None:
        topic = "text" if name in _TEXT_OUTPUTS else "machine"
        module = import_module(f"{__name__}.{topic}")
        reporter: Reporter = getattr(module, f"write_{name}")
        reporter(run, stream, style, with_summary)

    return write


REPORTERS: tuple[tuple[str, Reporter], ...] = tuple(
    (name, _import_later(name)) for name in OUTPUTS
)
"""Every output by its name."""
