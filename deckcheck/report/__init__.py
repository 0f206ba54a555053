"""What a simulation looks like on a screen, in a page, in a spreadsheet."""

from deckcheck.report.formats import (
    comparison_writers,
    found_writers,
    impact_writers,
    meta_writers,
    report_names,
    width_of,
    write_report,
    writers,
)
from deckcheck.report.kinds import WRITERS
from deckcheck.report.plans import plan_writers

__all__ = [
    "WRITERS",
    "comparison_writers",
    "found_writers",
    "impact_writers",
    "meta_writers",
    "plan_writers",
    "report_names",
    "width_of",
    "write_report",
    "writers",
]
