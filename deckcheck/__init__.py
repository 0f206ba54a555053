"""deckcheck: validate decklists, and measure them by fast, reproducible play.

The names in `__all__` are the Python API, see docs/reference/python.md; everything else
may change in any release, see docs/explanation/releases.md. They are imported when they
are first used, so that the command line starts fast; `__init__.pyi` shows them to
editors.
"""

from __future__ import annotations

from deckcheck.studies import ENTRIES, named
from deckcheck.version import __version__ as __version__

_FUNCTIONS = {
    "runs": ("frame", "merge", "meta", "replay", "report_of", "resume"),
    "simulating": ("parse", "read", "simulate", "validate"),
    "studies": (
        "compare_formats",
        "expect",
        "redraws",
        *(entry.name for entry in ENTRIES if entry.question is not None),
    ),
}

_PLACES = {
    "Changes": "studies.changes:Changes",
    "Deck": "decks:Deck",
    "DeckReport": "validation:DeckReport",
    "Finding": "findings:Finding",
    "IllegalDeckError": "sim.errors:IllegalDeckError",
    "MetaResult": "studies.meta_result:MetaResult",
    "PlanCheck": "studies.expect:PlanCheck",
    "SimulationError": "sim.errors:SimulationError",
    "UsageError": "findings:UsageError",
    "Validation": "validation:Validation",
    **{entry.result.partition(":")[2]: entry.result for entry in ENTRIES},
    **{name: f"api.{file}:{name}" for file in _FUNCTIONS for name in _FUNCTIONS[file]},
}

__all__ = sorted([*_PLACES, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module `deckcheck` has no attribute `{name}`")
    return named(_PLACES[name])


def __dir__() -> list[str]:
    return sorted(__all__)
