"""Colours, and when to use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from deckcheck.findings.finding import Severity

_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}


@dataclass(frozen=True, slots=True)
class Style:
    """Paints words, or leaves them as they are when `color` is off."""

    color: bool

    def severity(self, severity: Severity, text: str) -> str:
        """`text` in the colour of how much a finding weighs."""
        return self._paint(_SEVERITY[severity], text)

    def strong(self, text: str) -> str:
        """Bold text: the message."""
        return self._paint("1", text)

    def frame(self, text: str) -> str:
        """The lines, arrows and numbers around source text."""
        return self._paint("34", text)

    def good(self, text: str) -> str:
        """What is as it should be."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """What is not as it should be, or goes."""
        return self._paint("31", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style(color=False)


def wants_color(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to paint, by `--color`, then NO_COLOR, FORCE_COLOR, TERM, the stream."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return environ.get("TERM") != "dumb" and stream.isatty()
