"""Defects of format files."""

from __future__ import annotations

from deckcheck.findings.errors import UsageError


class FormatError(UsageError):
    """An unknown format, or a format file with defects.

    For defects the message lists all of them, one on a line, each as
    `path:line:column: what is wrong`.
    """


class SnapshotError(FormatError):
    """A snapshot that a format does not have."""
