"""Scenarios: a position, scripted moves and the expected outcome, in a YAML document.

`run_scenarios` plays the scenarios of a file. The parts of a game are in its adapter,
see `contract`.
"""

from __future__ import annotations

from deckcheck.scenarios.contract import ScenarioError, ScenarioFault
from deckcheck.scenarios.result import Failure, ScenarioResult
from deckcheck.scenarios.running import run_scenarios

__all__ = [
    "Failure",
    "ScenarioError",
    "ScenarioFault",
    "ScenarioResult",
    "run_scenarios",
]
