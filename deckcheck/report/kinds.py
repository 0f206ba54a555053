"""The outputs of each kind of study."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from deckcheck.report.formats import (
    Writer,
    balance_writers,
    comparison_writers,
    found_writers,
    impact_writers,
    solution_writers,
    writers,
)

__all__ = ["WRITERS"]

Writers: TypeAlias = Callable[[], tuple[tuple[str, Writer], ...]]

WRITERS: dict[str, Writers] = {
    "simulate": writers,
    "compare": comparison_writers,
    "impact": impact_writers,
    "tune": found_writers,
    "build": found_writers,
    "balance": balance_writers,
    "solve": solution_writers,
}
"""What writes the results of a kind of study, by its name."""
