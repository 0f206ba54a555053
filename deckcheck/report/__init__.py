"""The parts that all studies share to show their results: tables, pages, outputs."""

from __future__ import annotations

from deckcheck.report.outputs import Presentation, report_names, width_of

__all__ = ["Presentation", "report_names", "width_of"]
