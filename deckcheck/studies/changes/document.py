"""The JSON document of what changed from one run to another."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Difference,
    DifferenceInterval,
    Ordinal,
    Share,
    Tool,
)
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


class StandingChange(TypedDict):
    """A deck in the standings of both runs."""

    deck: str
    """The deck."""
    before: WinRate
    """The mean win rate in the earlier run."""
    after: WinRate
    """The mean win rate in the later run."""
    place_before: Ordinal
    """The place in the standings of the earlier run, from 1."""
    place_after: Ordinal
    """The place in the standings of the later run, from 1."""
    share_before: Share | None
    """How often the best mix of the earlier run brings it; null where not all met."""
    share_after: Share | None
    """How often the best mix of the later run brings it; null where not all met."""


class ChangesDocument(TypedDict):
    """The output of `deckcheck report --compare --output-format json`.

    `deckcheck compare --new-format` prints it too.
    """

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
    cards: list[str]
    """The cards and leaders that differ, in words."""
    standings: list[StandingChange]
    """The decks by their later places; empty where not the same ones were ranked."""
