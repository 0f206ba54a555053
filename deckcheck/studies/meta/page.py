"""The page of what to bring, and its section on the page of a run."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import UsageError
from deckcheck.report.html.model import (
    Facts,
    Figures,
    Forest,
    Notes,
    Page,
    Section,
    forest_of,
)
from deckcheck.report.outputs import Presentation
from deckcheck.sim.results.result import SimulationResult
from deckcheck.studies.meta.field import field_of
from deckcheck.studies.meta.play import meta_of
from deckcheck.studies.meta.result import MetaResult
from deckcheck.studies.meta.tables import (
    answers_table,
    best_mix,
    crossing_tables,
    expected_table,
    meta_report,
    mix_table,
)


def meta_if_any(result: SimulationResult) -> MetaResult | None:
    """What to bring, where three or more have met."""
    try:
        field = field_of(result)
        return meta_of(field) if len(field.players) > 2 else None
    except UsageError:
        return None


def meta_page(meta: MetaResult) -> Page:
    """The page of what to bring."""
    report, origin = meta_report(meta), meta.field.origin
    sections = [*_expected(meta), *meta_sections(meta), *_crossing(meta)]
    sections.append(Section("settings", "How it was played", (Facts(report.facts),)))
    limits = (
        f"Programs played: {', '.join(origin.players)}. What is hard to play is worth "
        "more in hands that play it better.",
        f"What did not take part is not known: a {meta.field.noun} that is not here "
        "may beat all of these.",
        "The mix is for those who expect everybody else to choose as well as can be. "
        "Against a field that chooses otherwise another one is better.",
        "Each interval holds in 95 of 100 runs. That is said of each alone.",
    )
    sections.append(Section("limits", "What this does not say", (Notes(limits),)))
    return Page(
        title=f"What to bring, of {len(meta.players)} {meta.field.noun}s",
        about=f"{origin.format} ({origin.snapshot})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest=origin.digest,
    )


def _expected(meta: MetaResult) -> Iterator[Section]:
    """How each does against the field that is expected, if one is."""
    table = expected_table(meta)
    if table.rows:
        yield Section("expected", "Against your field", (forest_of(table),))


def _crossing(meta: MetaResult) -> Iterator[Section]:
    """Players and decks apart, where every player played every deck."""
    tables = crossing_tables(meta)
    if tables:
        players, decks = tables
        blocks = (forest_of(players), Figures(decks))
        yield Section("players", "Players and decks apart", blocks)


def meta_sections(meta: MetaResult) -> Iterator[Section]:
    """The mix, ratings and best answers.

    Shares of a single deck are no picture: then the best answers are drawn alone.
    """
    mix, answers = mix_table(meta), forest_of(answers_table(meta))
    shown = forest_of(mix) if len(best_mix(meta)) > 1 else Figures(mix)
    blocks = (shown, answers) if isinstance(shown, Forest) else (answers, shown)
    yield Section("bring", "What to bring", blocks)


META = Presentation[MetaResult](
    lambda meta, _all_matchups: meta_report(meta), lambda meta, _tool: meta_page(meta)
)
