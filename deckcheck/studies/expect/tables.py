"""Tables of a plan whose expectations were checked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.findings.style import Style
from deckcheck.report.markdown import as_markdown
from deckcheck.report.outputs import PARQUET, Writer, as_csv, width_of, write_parquet
from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table
from deckcheck.report.text import as_text
from deckcheck.report.units import COUNT, PERCENT, POINTS, count
from deckcheck.reporters import REPORTERS
from deckcheck.sim.stopping.expectations import Judged
from deckcheck.studies.expect.result import (
    CheckedExperiment,
    PlanCheck,
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


def write_expectation_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    """Write the page of a CI job."""
    _write_markdown(check, stream)


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


def _write_table(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [
        as_text(expectation_report(e), width_of(stream)) for e in check.experiments
    ]
    stream.write("\n".join(parts))


def _write_markdown(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [
        as_markdown(expectation_report(experiment)) for experiment in check.experiments
    ]
    stream.write("\n".join(parts))


def _write_json(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(json_text(check.to_dict()))


def _write_csv(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(as_csv(check))


def _write_parquet(check: PlanCheck, stream: TextIO, *_: object) -> None:
    write_parquet(check.to_rows(), stream)


def _write_findings(
    name: str, check: PlanCheck, stream: TextIO, style: Style, _: bool
) -> None:
    # Their summary counts decks.
    dict(REPORTERS)[name](check.validation, stream, style, False)


def _of_findings(name: str) -> tuple[str, Callable[..., None]]:
    return name, partial(_write_findings, name)


EXPECTATION_WRITERS: tuple[tuple[str, Writer], ...] = (
    ("table", _write_table),
    ("json", _write_json),
    ("csv", _write_csv),
    ("markdown", _write_markdown),
    (PARQUET, _write_parquet),
    *map(_of_findings, FINDINGS),
)
"""Every output of `check` by its name; see `deckcheck.reporters.Reporter`."""
