"""What a simulation looks like on a screen, in a page, in a spreadsheet."""

from deckcheck.report.formats import Result, report_names, write_report

__all__ = ["Result", "report_names", "write_report"]
