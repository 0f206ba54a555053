"""The parts that the pages of all studies share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from deckcheck.findings.words import plural
from deckcheck.pages import render
from deckcheck.report.html.cutting import cut
from deckcheck.report.html.limits import limit_sections
from deckcheck.report.html.model import Page, Section, drawn_or_not
from deckcheck.report.sections import Report
from deckcheck.report.units import count
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.results.played import ResultHeader


def page_with(
    title: str,
    run: ResultHeader,
    report: Report,
    tool: Program,
    sections: Iterable[Section],
    *,
    limits: tuple[str, ...] = (),
    answers: Iterable[str] | None = None,
) -> Page:
    """Return the page of a result with these sections, its settings and limits below.

    `report` has the answers, unless `answers` are given, and all tables. `tool` is the
    program that played, `limits` are those of this kind of study.
    """
    return Page(
        title=title,
        about=f"{run.format} ({run.month}) · {count(run.games_played)} games",
        answers=report.answers if answers is None else tuple(answers),
        warnings=report.warnings,
        sections=(*sections, *limit_sections(run, report, tool, limits)),
        digest=run.digest,
    )


def page_of_tables(run: ResultHeader, report: Report, tool: Program) -> Page:
    """Return the page of a study that has no drawings of its own: its tables."""
    blocks = tuple(map(drawn_or_not, report.tables))
    tables = Section("figures", "In figures", blocks)
    title = report.title or f"A result of {run.format}"
    return page_with(title, run, report, tool, [tables])


def page_of_plan(pages: Sequence[tuple[str, Page]], games: int) -> Page:
    """Return the pages of the experiments of a plan as one, by their names.

    `games` is the number of games played in all of them.
    """
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


def written(page: Page) -> str:
    """Return a page as HTML: one file that needs no other."""
    return render(Path(__file__).with_name("page.html"), page=cut(page))
