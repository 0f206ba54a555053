"""The JSON document of several runs, one after another."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Count,
    Difference,
    DifferenceInterval,
    Tool,
)
from deckcheck.sim.results.run_document import WinRate


class HistoryRun(TypedDict):
    """A run, and what it changed."""

    name: str
    """The folder of the run, as much of its path as tells it from the others."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    seed: Count
    """The seed of the run."""
    checksum: str
    """A hash of all games of the run."""
    digest: str
    """A hash of the format's rules and its cards."""
    settings: list[str]
    """What differs from the run before it, in words."""


class RateInRun(WinRate):
    """A mean win rate in one run."""

    run: str
    """The name of the run."""


class DeckHistory(TypedDict):
    """A deck's win rates, over the same opponents in each run."""

    deck: str
    """The deck."""
    opponents: list[str]
    """The opponents over which the means are taken, all alike."""
    rates: list[RateInRun]
    """The mean win rate in each run that the deck took part in, the oldest first."""


class DeckChange(TypedDict):
    """How much a deck changed from its first to its last run."""

    deck: str
    """The deck."""
    difference: Difference
    """The win rate in the last run less that in the first, -1 to 1."""
    interval: DifferenceInterval
    """The difference's interval, -1 to 1; all of them hold together in 95 %."""
    clear: bool
    """Whether the interval leaves out 0: chance alone does not explain the change."""


class HistoryDocument(TypedDict):
    """The output of `deckcheck report --history --output-format json`."""

    schema_version: Literal[1]
    """The version of this document."""
    tool: Tool
    """The program that wrote this document."""
    answer: str
    """The answer in sentences."""
    runs: list[HistoryRun]
    """The runs, the oldest first."""
    decks: list[DeckHistory]
    """The decks of two runs or more, the best of the last run first."""
    changes: list[DeckChange]
    """The changes from first to last run, the greatest first."""
    alone: list[str]
    """The decks without two runs in which they met the same opponent."""
