"""What a simulation looks like on a screen, in a page, in a spreadsheet."""

from deckcheck.report.formats import report_names, write_report

__all__ = ["report_names", "write_report"]
