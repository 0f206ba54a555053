"""The page of a run."""

from __future__ import annotations

from pathlib import Path

from deckcheck.findings.words import plural
from deckcheck.pages import render
from deckcheck.report.html.duels import (
    duel_answers,
    duel_sections,
    meta_if_any,
    meta_sections,
)
from deckcheck.report.html.endings import ending_sections
from deckcheck.report.html.limits import limit_sections
from deckcheck.report.html.model import Page
from deckcheck.report.html.tables import table_answers, table_sections
from deckcheck.report.meta import meta_answers
from deckcheck.report.sections import count, warnings_of
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.runs.directory import SimulationRun

__all__ = ["page_of", "written"]


def page_of(run: SimulationRun) -> Page:
    """Return the page of what was played of a run."""
    result = run.result()
    is_duel = result.play == "duel"
    answers = list(duel_answers(result) if is_duel else table_answers(result))
    sections = list(duel_sections(result) if is_duel else table_sections(result))
    meta = meta_if_any(result)
    if meta is not None:
        answers += meta_answers(meta)
        sections[2:2] = meta_sections(meta)
    sections += ending_sections(result)
    return Page(
        title=_title(result),
        about=f"{result.format} ({result.month}) · {count(result.games_played)} games",
        answers=tuple(answers),
        warnings=warnings_of(result),
        sections=(*sections, *limit_sections(run, result)),
        digest=result.digest,
    )


def written(page: Page) -> str:
    """Return a page as HTML: one file that needs no other."""
    return render(Path(__file__).with_name("page.html"), page=page)


def _title(result: SimulationResult) -> str:
    if len(result.tables) == 1:
        return " against ".join(result.tables[0].entrants)
    if result.play == "match":
        return f"{plural(len(result.lineups), 'lineup')}, every two in matches"
    if result.play == "duel":
        way = "against a field" if result.challengers else "all against all"
        return f"{plural(len(result.decks), 'deck')}, {way}"
    return f"{plural(len(result.tables), 'table')} of {result.format}"
