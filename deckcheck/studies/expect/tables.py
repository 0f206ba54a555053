"""Tables of a plan whose expectations were checked."""

from __future__ import annotations

from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table
from deckcheck.report.units import COUNT, PERCENT, POINTS, count
from deckcheck.sim.stopping.expectations import Judged
from deckcheck.studies.expect.result import (
    CheckedExperiment,
    baseline_of,
    named,
)

FINDINGS = ("junit", "github", "gitlab")
"""The outputs that write findings as `validate` does."""


def expectation_report(experiment: CheckedExperiment) -> Report:
    """Return the expectations of an experiment, and how it was played."""
    result = experiment.result
    levels = {100 * outcome.expectation.confidence for outcome in experiment.judged}
    tables = []
    for figure, unit, is_change in (
        ("win rate", PERCENT, False),
        ("change", POINTS, True),
    ):
        rows = [_row(j) for j in experiment.judged if bool(baseline_of(j)) == is_change]
        columns = (
            Column("expectation"),
            Column(figure, unit, f"{max(levels, default=95):g} % interval"),
            Column("games", COUNT),
            Column("outcome"),
        )
        if rows:
            note = _note(experiment)
            name = experiment.name
            tables.append(Table(name, columns, tuple(rows), note=note, whole=True))
    policies = policies_of([deck.policy for deck in result.decks])
    facts = run_facts(result, policies, f"{count(result.games_played)} in all")
    return Report(tuple(tables), warnings_of(result), facts)


def _note(experiment: CheckedExperiment) -> str | None:
    if all(len(outcome.rates) == 1 for outcome in experiment.judged):
        return None
    return (
        "of an expectation about several rates: one that decides, and of how many; "
        "their intervals hold together"
    )


def _row(judged: Judged) -> tuple[Cell, ...]:
    deciding = judged.deciding
    estimate = deciding[0].estimate
    text = judged.expectation.text
    if len(judged.rates) > 1:
        text += f": {named(deciding[0])} ({len(deciding)} of {len(judged.rates)})"
    return (text, estimate, estimate.games if estimate else 0, judged.outcome.value)
