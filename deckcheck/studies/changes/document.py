"""The JSON document of what changed from one run to another."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Difference, DifferenceInterval, Tool
from deckcheck.sim.results.run_document import WinRate


class RateChange(TypedDict):
    """A win rate in both runs."""

    name: str
    """The deck, or the two decks that met."""
    before: WinRate
    """The win rate in the earlier run."""
    after: WinRate
    """The win rate in the later run."""
    difference: Difference
    """The win rate after less that before, -1 to 1."""
    interval: DifferenceInterval
    """The difference's interval, -1 to 1; all of them hold together in 95 %."""
    clear: bool
    """Whether the interval leaves out 0: chance alone does not explain the change."""
    same_games: bool
    """Whether both runs had the same games, so that nothing can have changed."""


class ChangesDocument(TypedDict):
    """The output of `deckcheck report --compare --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 did not pair games of the same shuffles."""
    tool: Tool
    """The program that wrote this document."""
    answer: str
    """The answer in sentences."""
    settings: list[str]
    """The settings, cards and decks that differ, in words."""
    alone: list[str]
    """The decks and tables that are in one of the runs only."""
    decks: list[RateChange]
    """The mean win rates of decks whose games differ."""
    changes: list[RateChange]
    """The win rates at each table, the largest change first."""
