"""Defects of a card database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.findings.documents import Defect


class DatabaseError(UsageError):
    """A card database that is missing or has a defect.

    The message lists all defects of the files read, one on a line, each as
    `path:line:column: what is wrong`.
    """


def list_defects(what: str, defects: Sequence[Defect]) -> str:
    """One message for all defects, in the order of files, lines and columns."""
    ordered = sorted(dict.fromkeys(defects), key=lambda defect: defect[:2])
    count = "1 defect" if len(ordered) == 1 else f"{len(ordered)} defects"
    return "\n".join([f"{what} has {count}", *map(str, ordered)])
