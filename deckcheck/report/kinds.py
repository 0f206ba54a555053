"""The outputs of each kind of study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.report.formats import (
    Writer,
    balance_writers,
    comparison_writers,
    found_writers,
    impact_writers,
    solution_writers,
    writers,
)

__all__ = ["WRITERS", "writers_of"]

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


def writers_of(
    kind: str, given: Mapping[str, object]
) -> tuple[tuple[str, Writer], ...]:
    """What writes the results of a kind of study that is no simulation.

    `given` are options that only simulations have. Raises UsageError for one of them,
    and for a kind that is not known.
    """
    for option, value in given.items():
        if value:
            raise UsageError(
                f"`{option}` is for simulations, this is a run of {quote(kind)}",
                "Leave it out",
            )
    if kind not in WRITERS:
        raise UsageError(
            f"This version knows no runs of {quote(kind)}",
            "Install the version that played it",
        )
    return WRITERS[kind]()
