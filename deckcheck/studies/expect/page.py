"""The page of a plan whose expectations were checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from deckcheck.report.html.model import Block, Facts, Page, Section, drawn_or_not
from deckcheck.report.units import count
from deckcheck.studies.expect.result import PlanCheck
from deckcheck.studies.expect.tables import expectation_report

EXPECTED = "What is expected, and what was played"


def check_page(check: PlanCheck) -> Page:
    """Return the page: each expectation, its estimate and its verdict."""
    sections, warnings = [], []
    for number, experiment in enumerate(check.experiments, start=1):
        report = expectation_report(experiment)
        warnings += [f"{experiment.name}: {warning}" for warning in report.warnings]
        tables = [replace(table, title=EXPECTED) for table in report.tables]
        blocks: list[Block] = [*map(drawn_or_not, tables)]
        blocks.append(Facts(report.facts, title="How it was played"))
        sections.append(Section(f"part-{number}", experiment.name, tuple(blocks)))
    games = sum(experiment.result.games_played for experiment in check.experiments)
    digests = (experiment.result.digest for experiment in check.experiments)
    return Page(
        title=f"Does {PurePath(check.path).name} hold?",
        about=f"{check.path} · {count(games)} games",
        answers=(f"{check.answer}.", *_undone(check)),
        warnings=tuple(warnings),
        sections=tuple(sections),
        digest=", ".join(dict.fromkeys(digests)),
    )


def _undone(check: PlanCheck) -> list[str]:
    """What fails, and what is open, in sentences."""
    return [f"{finding.message}." for finding in check.validation.findings]
