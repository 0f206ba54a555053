"""The page of a result, of whatever kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deckcheck.analysis.comparison import ComparisonResult
from deckcheck.analysis.impact_result import ImpactResult
from deckcheck.analysis.meta_result import MetaResult
from deckcheck.findings.words import plural
from deckcheck.pages import render
from deckcheck.report.changes import Changes
from deckcheck.report.html import comparisons, impacts
from deckcheck.report.html.compared import page_of_changes
from deckcheck.report.html.comparisons import comparison_sections
from deckcheck.report.html.duels import duel_answers, duel_sections
from deckcheck.report.html.endings import ending_sections
from deckcheck.report.html.impacts import impact_sections
from deckcheck.report.html.limits import limit_sections
from deckcheck.report.html.meta import meta_if_any, meta_page, meta_sections
from deckcheck.report.html.model import Page, Section, figures
from deckcheck.report.html.tables import table_answers, table_sections
from deckcheck.report.meta import meta_answers
from deckcheck.report.sections import Report, count
from deckcheck.sim.played import Run
from deckcheck.sim.program import Program
from deckcheck.sim.result import SimulationResult

__all__ = ["page_of", "page_of_plan", "written"]


def page_of(result: Any, report: Report, tool: Program | None = None) -> Page:
    """Return the page of a result, of which `report` has all tables.

    `tool` is what played, this program if it is left out. A kind of result without a
    page of its own has its tables on it.
    """
    if isinstance(result, MetaResult):
        return meta_page(result)
    if isinstance(result, Changes):
        return page_of_changes(result)
    tool = tool or Program.here()
    if isinstance(result, SimulationResult):
        return _simulation(result, report, tool)
    if isinstance(result, ComparisonResult):
        old, *new = result.versions
        title = f"Is {new[0]} better than {old}?"
        if len(new) > 1:
            title = f"Which of {len(result.versions)} versions is best?"
        sections = comparison_sections(result)
        return _page(title, result, report, tool, sections, limits=comparisons.LIMITS)
    if isinstance(result, ImpactResult):
        title, sections = f"The cards of {result.deck}", impact_sections(result, report)
        return _page(title, result, report, tool, sections, limits=impacts.LIMITS)
    found = Section("figures", "In figures", tuple(map(figures, report.tables)))
    title = report.title or f"A result of {result.format}"
    return _page(title, result, report, tool, [found])


def written(page: Page) -> str:
    """Return a page as HTML: one file that needs no other."""
    return render(Path(__file__).with_name("page.html"), page=page)


def page_of_plan(parts: Sequence[tuple[str, SimulationResult, Report]]) -> Page:
    """Return the page of the experiments of a plan, one after the other."""
    pages = [(name, page_of(result, report)) for name, result, report in parts]
    games = sum(result.games_played for _, result, _ in parts)
    return Page(
        title=plural(len(pages), "experiment"),
        about=f"{', '.join(name for name, _ in pages)} · {count(games)} games",
        answers=tuple(f"{name}: {a}" for name, page in pages for a in page.answers[:1]),
        warnings=tuple(f"{name}: {w}" for name, page in pages for w in page.warnings),
        sections=tuple(
            replace(
                section,
                id=f"part-{number}-{section.id}",
                title=f"{name}: {section.title}",
                link=name if section is page.sections[0] else "",
            )
            for number, (name, page) in enumerate(pages, start=1)
            for section in page.sections
        ),
        digest=", ".join(dict.fromkeys(page.digest for _, page in pages)),
    )


def _simulation(result: SimulationResult, report: Report, tool: Program) -> Page:
    is_duel = result.play == "duel"
    answers = list(duel_answers(result) if is_duel else table_answers(result))
    sections = list(
        duel_sections(result) if is_duel else table_sections(result, report)
    )
    meta = meta_if_any(result)
    if meta is not None:
        answers += meta_answers(meta)
        sections[2:2] = meta_sections(meta)
    sections += ending_sections(result)
    return _page(_title(result), result, report, tool, sections, answers=answers)


def _page(
    title: str,
    run: Run,
    report: Report,
    tool: Program,
    sections: Iterable[Section],
    *,
    limits: tuple[str, ...] = (),
    answers: Iterable[str] | None = None,
) -> Page:
    return Page(
        title=title,
        about=f"{run.format} ({run.month}) · {count(run.games_played)} games",
        answers=report.answers if answers is None else tuple(answers),
        warnings=report.warnings,
        sections=(*sections, *limit_sections(run, report, tool, limits)),
        digest=run.digest,
    )


def _title(result: SimulationResult) -> str:
    if len(result.tables) == 1:
        return " against ".join(result.tables[0].entrants)
    if result.play == "match":
        return f"{plural(len(result.lineups), 'lineup')}, every two in matches"
    if result.play == "duel":
        way = "against a field" if result.challengers else "all against all"
        return f"{plural(len(result.decks), 'deck')}, {way}"
    return f"{plural(len(result.tables), 'table')} of {result.format}"
