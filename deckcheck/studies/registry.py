"""Every study by the name of its command: what plays it, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.report.html.model import Page
from deckcheck.report.outputs import USUAL_WIDTH, Presentation, Writers
from deckcheck.report.sections import Report
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.runs.file import Kinds
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.study import Study
from deckcheck.studies.balance.play import Balance
from deckcheck.studies.balance.result import BalanceResult
from deckcheck.studies.balance.tables import BALANCE
from deckcheck.studies.build.play import Building
from deckcheck.studies.changes.page import CHANGES
from deckcheck.studies.changes.result import Changes
from deckcheck.studies.compare.page import COMPARISON
from deckcheck.studies.compare.play import Comparison
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.history.page import HISTORY
from deckcheck.studies.history.result import History
from deckcheck.studies.impact.page import IMPACT
from deckcheck.studies.impact.play import Impact
from deckcheck.studies.impact.result import ImpactResult
from deckcheck.studies.lineups.play import LineupChoice
from deckcheck.studies.lineups.result import LineupsResult
from deckcheck.studies.lineups.tables import LINEUPS
from deckcheck.studies.losses.result import Losses
from deckcheck.studies.losses.tables import LOSSES
from deckcheck.studies.meta.page import META
from deckcheck.studies.meta.result import MetaResult
from deckcheck.studies.redraws.play import RedrawStudy
from deckcheck.studies.redraws.result import RedrawsResult
from deckcheck.studies.redraws.tables import REDRAWS
from deckcheck.studies.search.result import FoundDeck
from deckcheck.studies.search.tables import DECK_SEARCH
from deckcheck.studies.simulate.page import SIMULATION
from deckcheck.studies.solve.play import Solve
from deckcheck.studies.solve.result import SolveResult
from deckcheck.studies.solve.tables import SOLUTION
from deckcheck.studies.tune.play import Tuning


class Registered(NamedTuple):
    """A study that run directories may hold, and how its results are shown."""

    study: type[Study[Any, Any]]
    presentation: Presentation[Any]


STUDIES: Mapping[str, Registered] = {
    entry.study.KIND: entry
    for entry in (
        Registered(Simulation, SIMULATION),
        Registered(Comparison, COMPARISON),
        Registered(Impact, IMPACT),
        Registered(RedrawStudy, REDRAWS),
        Registered(Tuning, DECK_SEARCH),
        Registered(Building, DECK_SEARCH),
        Registered(Balance, BALANCE),
        Registered(Solve, SOLUTION),
        Registered(LineupChoice, LINEUPS),
    )
}
"""Every study that run directories may hold, by the name of its command."""

KINDS: Kinds = tuple(entry.study for entry in STUDIES.values())

PRESENTATIONS: Mapping[type, Presentation[Any]] = {
    BalanceResult: BALANCE,
    Changes: CHANGES,
    ComparisonResult: COMPARISON,
    FoundDeck: DECK_SEARCH,
    History: HISTORY,
    ImpactResult: IMPACT,
    LineupsResult: LINEUPS,
    Losses: LOSSES,
    MetaResult: META,
    RedrawsResult: REDRAWS,
    SimulationResult: SIMULATION,
    SolveResult: SOLUTION,
}
"""How each kind of result is shown."""


def presentation_of(result: object) -> Presentation[Any]:
    """Return how `result` is shown; raises UsageError if it is no result of ours."""
    for kind, presentation in PRESENTATIONS.items():
        if isinstance(result, kind):
            return presentation
    raise UsageError(
        f"A {type(result).__name__} has no report", "Give it a result of deckcheck"
    )


def report_of(result: object, all_matchups: bool = False) -> Report:
    """Return the tables of a result of any study."""
    return presentation_of(result).report(result, all_matchups)


def page_of(result: object, tool: Program | None = None) -> Page:
    """Return the page of a result; `tool` is the program that played, or this one."""
    return presentation_of(result).page(result, tool or Program.here())


def write_report(
    result: object,
    name: str,
    width: int = USUAL_WIDTH,
    *,
    all_matchups: bool = False,
) -> str:
    """Return `result` in the output `name`; `width` is for the table alone.

    Of many matchups, tables or matches, `table` and `markdown` show all in an overview
    and ten in detail, unless `all_matchups`.
    """
    presentation = presentation_of(result)
    return presentation.text(result, name, width, all_matchups=all_matchups)


def writers_of(kind: str, simulation_options: Mapping[str, object]) -> Writers:
    """Return the outputs of a study that is no simulation, by name.

    `simulation_options` are options that only simulations have, and their values.
    Raises UsageError for one that was given, and for a study that is not known.
    """
    for option, value in simulation_options.items():
        if value:
            raise UsageError(
                f"`{option}` is for simulations, this is a run of {quote(kind)}",
                "Leave it out",
            )
    if kind not in STUDIES:
        raise UsageError(
            f"This version does not support runs of {quote(kind)}",
            "Install the version that played it",
        )
    return STUDIES[kind].presentation.writers()
