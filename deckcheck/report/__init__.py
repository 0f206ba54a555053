"""The parts that all studies share to show their results: tables, pages, outputs."""

from __future__ import annotations

from deckcheck.report.outputs import Presentation, measure_width, report_names

__all__ = ["Presentation", "measure_width", "report_names"]
