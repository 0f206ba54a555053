"""deckcheck: validate decklists, and measure them by fast, reproducible play.

The names in `__all__` are the Python API, see docs/python-api.md; everything else may
change in any release, see docs/releases.md. They are imported when they are first used,
so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.analysis.checking import PlanCheck
    from deckcheck.analysis.comparison import ComparisonResult
    from deckcheck.analysis.impact_result import ImpactResult
    from deckcheck.analysis.meta_result import MetaResult
    from deckcheck.api import (
        balance,
        build,
        check,
        compare,
        impact,
        merge,
        meta,
        parse,
        read,
        replay,
        report_of,
        resume,
        simulate,
        solve,
        tune,
        validate,
    )
    from deckcheck.decks import Deck
    from deckcheck.findings import Finding, UsageError
    from deckcheck.sim.errors import IllegalDeckError, SimulationError
    from deckcheck.sim.result import SimulationResult
    from deckcheck.validation import DeckReport, Validation
    from deckcheck.workshop.balancing_result import BalanceResult
    from deckcheck.workshop.found import FoundDeck
    from deckcheck.workshop.solving_result import SolveResult

__all__ = [
    "BalanceResult",
    "ComparisonResult",
    "Deck",
    "DeckReport",
    "Finding",
    "FoundDeck",
    "IllegalDeckError",
    "ImpactResult",
    "MetaResult",
    "PlanCheck",
    "SimulationError",
    "SimulationResult",
    "SolveResult",
    "UsageError",
    "Validation",
    "__version__",
    "balance",
    "build",
    "check",
    "compare",
    "impact",
    "merge",
    "meta",
    "parse",
    "read",
    "replay",
    "report_of",
    "resume",
    "simulate",
    "solve",
    "tune",
    "validate",
]

_HOMES = {
    "BalanceResult": "deckcheck.workshop.balancing_result",
    "ComparisonResult": "deckcheck.analysis.comparison",
    "Deck": "deckcheck.decks",
    "DeckReport": "deckcheck.validation",
    "Finding": "deckcheck.findings",
    "FoundDeck": "deckcheck.workshop.found",
    "IllegalDeckError": "deckcheck.sim.errors",
    "ImpactResult": "deckcheck.analysis.impact_result",
    "PlanCheck": "deckcheck.analysis.checking",
    "MetaResult": "deckcheck.analysis.meta_result",
    "SimulationError": "deckcheck.sim.errors",
    "SimulationResult": "deckcheck.sim.result",
    "SolveResult": "deckcheck.workshop.solving_result",
    "UsageError": "deckcheck.findings",
    "Validation": "deckcheck.validation",
    "balance": "deckcheck.api",
    "build": "deckcheck.api",
    "check": "deckcheck.api",
    "compare": "deckcheck.api",
    "impact": "deckcheck.api",
    "merge": "deckcheck.api",
    "meta": "deckcheck.api",
    "parse": "deckcheck.api",
    "read": "deckcheck.api",
    "replay": "deckcheck.api",
    "report_of": "deckcheck.api",
    "resume": "deckcheck.api",
    "simulate": "deckcheck.api",
    "solve": "deckcheck.api",
    "tune": "deckcheck.api",
    "validate": "deckcheck.api",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module `deckcheck` has no attribute `{name}`")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
