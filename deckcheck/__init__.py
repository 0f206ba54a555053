"""deckcheck: validate decklists, and measure them by fast, reproducible play.

The names in `__all__` are the Python API, see docs/reference/python.md; everything else
may change in any release, see docs/explanation/releases.md. They are imported when they
are first used, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.api import (
        balance,
        build,
        compare,
        compare_formats,
        expect,
        frame,
        impact,
        merge,
        meta,
        parse,
        read,
        redraws,
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
    from deckcheck.studies.balance.result import BalanceResult
    from deckcheck.studies.changes import Changes
    from deckcheck.studies.compare import ComparisonResult
    from deckcheck.studies.expect import PlanCheck
    from deckcheck.studies.impact import ImpactResult
    from deckcheck.studies.lineups import LineupsResult
    from deckcheck.studies.meta import MetaResult
    from deckcheck.studies.redraws import RedrawsResult
    from deckcheck.studies.search.result import FoundDeck
    from deckcheck.studies.solve_result import SolveResult
    from deckcheck.validation import DeckReport, Validation

__all__ = [
    "BalanceResult",
    "Changes",
    "ComparisonResult",
    "Deck",
    "DeckReport",
    "Finding",
    "FoundDeck",
    "IllegalDeckError",
    "ImpactResult",
    "LineupsResult",
    "MetaResult",
    "PlanCheck",
    "RedrawsResult",
    "SimulationError",
    "SimulationResult",
    "SolveResult",
    "UsageError",
    "Validation",
    "__version__",
    "balance",
    "build",
    "compare",
    "compare_formats",
    "expect",
    "frame",
    "impact",
    "merge",
    "meta",
    "parse",
    "read",
    "redraws",
    "replay",
    "report_of",
    "resume",
    "simulate",
    "solve",
    "tune",
    "validate",
]

_HOMES = {
    "BalanceResult": "deckcheck.studies.balance.result",
    "Changes": "deckcheck.studies.changes",
    "ComparisonResult": "deckcheck.studies.compare",
    "Deck": "deckcheck.decks",
    "DeckReport": "deckcheck.validation",
    "Finding": "deckcheck.findings",
    "FoundDeck": "deckcheck.studies.search.result",
    "IllegalDeckError": "deckcheck.sim.errors",
    "ImpactResult": "deckcheck.studies.impact",
    "LineupsResult": "deckcheck.studies.lineups",
    "PlanCheck": "deckcheck.studies.expect",
    "MetaResult": "deckcheck.studies.meta",
    "RedrawsResult": "deckcheck.studies.redraws",
    "SimulationError": "deckcheck.sim.errors",
    "SimulationResult": "deckcheck.sim.result",
    "SolveResult": "deckcheck.studies.solve_result",
    "UsageError": "deckcheck.findings",
    "Validation": "deckcheck.validation",
    "balance": "deckcheck.api",
    "build": "deckcheck.api",
    "compare": "deckcheck.api",
    "compare_formats": "deckcheck.api",
    "expect": "deckcheck.api",
    "frame": "deckcheck.api",
    "impact": "deckcheck.api",
    "merge": "deckcheck.api",
    "meta": "deckcheck.api",
    "parse": "deckcheck.api",
    "read": "deckcheck.api",
    "redraws": "deckcheck.api",
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

    if name == "check":
        raise AttributeError("`deckcheck.check` is called `deckcheck.expect` now")
    if name not in _HOMES:
        raise AttributeError(f"module `deckcheck` has no attribute `{name}`")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
