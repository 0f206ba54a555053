"""Scenarios: a position, scripted moves and what must come out, in one YAML file.

`run_scenario` plays one file. The parts of a game are in its adapter, see `contract`.
"""

from __future__ import annotations

from deckcheck.scenarios.contract import ScenarioError, ScenarioFault
from deckcheck.scenarios.result import Failure, ScenarioResult
from deckcheck.scenarios.running import run_scenario

__all__ = [
    "Failure",
    "ScenarioError",
    "ScenarioFault",
    "ScenarioResult",
    "run_scenario",
]
