"""The report of a plan whose expectations were checked: tables, page, outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TextIO

from deckcheck.messages import game_count
from deckcheck.report.blocks import Block, PageFacts, draw_where_possible
from deckcheck.report.outputs import (
    PAGE_OUTPUT,
    Writers,
    as_csv,
    as_json,
    as_markdown,
    measure_width,
    text_writers,
)
from deckcheck.report.page import Page, Section, render_page
from deckcheck.report.tables import (
    COUNT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    describe_policies,
    list_warnings,
    run_facts,
)
from deckcheck.report.text import as_text
from deckcheck.reporters import REPORTERS
from deckcheck.sim.expectations import Judged
from deckcheck.studies.expect import (
    CheckedExperiment,
    PlanCheck,
    find_baseline,
    name_rate,
)
from deckcheck.terminal import Style

# Tables of a plan whose expectations were checked


FINDINGS = ("junit", "github", "gitlab")
"""The outputs that write findings as `validate` does."""


def make_expectation_report(experiment: CheckedExperiment) -> Report:
    """Return the expectations of an experiment, and how it was played."""
    result = experiment.result
    changes, rates = [], []
    for judged in experiment.judged:
        if find_baseline(judged):
            changes.append(judged)
        else:
            rates.append(judged)
    tables = []
    if rates:
        tables.append(_tabulate(experiment, rates, Column("win rate", PERCENT)))
    if changes:
        tables.append(_tabulate(experiment, changes, Column("change", POINTS)))
    policies = describe_policies([deck.policy for deck in result.decks])
    facts = run_facts(result, policies, f"{count(result.games_played)} in all")
    return Report(tuple(tables), list_warnings(result), facts)


def _tabulate(
    experiment: CheckedExperiment, expectations: Sequence[Judged], figure: Column
) -> ReportTable:
    """Return a table of expectations with the rate that decides each."""
    levels = {100 * judged.expectation.confidence for judged in experiment.judged}
    note = None
    if any(len(judged.rates) != 1 for judged in experiment.judged):
        note = (
            "where an expectation is about several rates, the table shows how many of "
            "them settle it, and one as an example; their 95% intervals are "
            "simultaneous"
        )
    columns = (
        Column("expectation"),
        replace(figure, interval=f"{max(levels):g}% interval"),
        Column("games", COUNT),
        Column("outcome"),
    )
    rows = tuple(map(_list_cells, expectations))
    return ReportTable(experiment.name, columns, rows, note=note, whole=True)


def _list_cells(judged: Judged) -> tuple[Cell, ...]:
    deciding = judged.deciding
    estimate = deciding[0].estimate
    text = judged.expectation.text
    if len(judged.rates) > 1:
        number, name = len(deciding), name_rate(deciding[0])
        text += f": {number} of {len(judged.rates)} rates, for example {name}"
    return (text, estimate, estimate.games if estimate else 0, judged.outcome.value)


# The page of a plan whose expectations were checked


TABLE_TITLE = "What is expected, and what was played"


def make_check_page(check: PlanCheck) -> Page:
    """Return the page: each expectation, its estimate and its verdict."""
    games = 0
    answers = [check.answer]
    for finding in check.validation.findings:
        answers.append(f"{finding.message}.")
    sections, warnings, fingerprints = [], [], []
    for number, experiment in enumerate(check.experiments, start=1):
        report = make_expectation_report(experiment)
        warnings += [f"{experiment.name}: {warning}" for warning in report.warnings]
        blocks: list[Block] = []
        for table in report.tables:
            blocks.append(draw_where_possible(replace(table, title=TABLE_TITLE)))
        blocks.append(PageFacts(report.facts, title="How it was played"))
        sections.append(Section(f"part-{number}", experiment.name, tuple(blocks)))
        games += experiment.result.games_played
        fingerprints.append(experiment.result.fingerprint)
    return Page(
        title=f"Does {PurePath(check.path).name} hold?",
        about=f"{check.path} · {game_count(games)}",
        answers=tuple(answers),
        warnings=tuple(warnings),
        sections=tuple(sections),
        fingerprint=", ".join(dict.fromkeys(fingerprints)),
    )


# The outputs of a plan whose expectations were checked, by name


def write_expectation_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    """Write the page of a CI job."""
    stream.write(_render(check, "markdown", measure_width(stream)))


def _render(check: PlanCheck, output: str, width: int) -> str:
    if output == "json":
        return as_json(check)
    if output == "csv":
        return as_csv(check)
    if output == PAGE_OUTPUT:
        return render_page(make_check_page(check))
    reports = map(make_expectation_report, check.experiments)
    if output == "markdown":
        texts = list(map(as_markdown, reports))
    else:
        texts = [as_text(report, width, whole=True) for report in reports]
    return "\n".join([f"{check.answer}\n", *texts])


def _write_findings(
    name: str, check: PlanCheck, stream: TextIO, style: Style, _: bool
) -> None:
    # Their summary counts decks.
    dict(REPORTERS)[name](check.validation, stream, style, False)


EXPECTATION_WRITERS: Writers = (
    *text_writers(
        ("table", "json", "csv", "markdown", PAGE_OUTPUT), _render, PlanCheck.to_rows
    ),
    *((name, partial(_write_findings, name)) for name in FINDINGS),
)
"""Every output of `check` by its name; see `deckcheck.reporters.Reporter`."""
