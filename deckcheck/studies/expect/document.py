"""The JSON document of a plan whose expectations were checked."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import (
    Count,
    Difference,
    DifferenceInterval,
    Interval,
    Ordinal,
    Share,
    Tool,
    one_of,
)
from deckcheck.sim.results.document import SimulationDocument
from deckcheck.sim.stopping.expectations import Outcome

OutcomeWord = Annotated[str, one_of(Outcome)]


class SummaryDocument(TypedDict):
    """The numbers of expectations that hold, fail and are open."""

    holds: Count
    """The number of expectations that hold."""
    fails: Count
    """The number of expectations that fail."""
    open: Count
    """The number of expectations that the games do not decide."""


class RateDocument(TypedDict):
    """A win rate of which something is expected."""

    deck: str
    """The name of the deck."""
    opponent: str | None
    """The name of the opponent; null for the mean over all opponents."""
    games: Count
    """The number of games."""
    win_rate: Share | None
    """The win rate, 0 to 1; null without games, and of a change."""
    interval: Interval | None
    """The lower and the upper end of the win rate's interval; null without one."""
    change: Difference | None
    """By how much the win rate changed, -1 to 1; null unless that is expected."""
    change_interval: DifferenceInterval | None
    """The lower and the upper end of the change's interval, -1 to 1."""
    outcome: OutcomeWord
    """Whether this win rate is as expected."""


class ExpectationDocument(TypedDict):
    """An expectation and its outcome."""

    experiment: str
    """The name of the experiment."""
    text: str
    """The expectation as the plan has it."""
    line: Ordinal
    """The line of the plan, from 1."""
    column: Ordinal
    """The column of that line, from 1."""
    low: Difference | None
    """The lower bound, 0 to 1, of a change -1 to 1; null if there is none."""
    high: Difference | None
    """The upper bound, 0 to 1, of a change -1 to 1; null if there is none."""
    confidence: float
    """The confidence of the interval, 0 to 1, such as 0.95."""
    outcome: OutcomeWord
    """Whether the expectation holds, fails or is open."""
    before: str | None
    """The experiment that a change is from; null where win rates are expected."""
    rates: list[RateDocument]
    """The win rates of which it speaks."""


class ExperimentDocument(TypedDict):
    """An experiment that was played."""

    name: str
    """The name of the experiment."""
    result: SimulationDocument
    """The result, as `simulate` prints it."""


class CheckDocument(TypedDict):
    """The output of `deckcheck expect --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    plan: str
    """The path of the plan."""
    answer: str
    """The number of expectations that hold, in a sentence."""
    summary: SummaryDocument
    """The numbers of expectations that hold, fail and are open."""
    expectations: list[ExpectationDocument]
    """The expectations, in the order of the plan."""
    experiments: list[ExperimentDocument]
    """The experiments, in the order of the plan."""
