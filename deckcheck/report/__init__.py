"""What a simulation looks like on a screen, in a page, in a spreadsheet."""

from deckcheck.report.formats import report_names, width_of, write_report, writers

__all__ = ["report_names", "width_of", "write_report", "writers"]
