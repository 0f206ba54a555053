"""The page of versions of a deck that played the same games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckcheck.report.html.heatmap import Heatmap, heatmap_of
from deckcheck.report.html.model import (
    Block,
    Figures,
    Forest,
    Page,
    Section,
    forest_of,
)
from deckcheck.report.html.page import page_with
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import Column, Table
from deckcheck.report.units import PERCENT
from deckcheck.sim.jobs.program import Program
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.compare.tables import (
    cards_tables,
    comparison_report,
    differences_table,
    matrix_table,
)

TWO = 2
LIMITS = (
    "The difference is that against this field and no other. Against some decks of it "
    "the other version may be better.",
)


def comparison_sections(result: ComparisonResult) -> Iterator[Section]:
    """What differs, the difference over the field, and against each opponent."""
    if tables := cards_tables(result):
        yield Section("cards", "What differs", tuple(map(Figures, tables)))
    if len(result.versions) > TWO:
        yield Section("ranking", "Ranking", (_ranking(result),))
    pairs = _shown_pairs(result)
    blocks: list[Block] = [_differences(result, old, new) for old, new in pairs]
    yield Section("differences", "By opponent", tuple(blocks))
    if len(result.versions) > TWO:
        yield Section("matrix", "Who does well against whom", (_matrix(result),))


def _shown_pairs(result: ComparisonResult) -> list[tuple[int, int]]:
    """Old and new; of several versions each of the others, and the best one."""
    if len(result.versions) == TWO:
        return [(0, 1)]
    best, *others = result.ranking
    return [(other, best) for other in others]


def _differences(result: ComparisonResult, old: int, new: int) -> Forest:
    names = result.versions[old], result.versions[new]
    title = f"By how many points {names[1]} wins more than {names[0]}"
    table = differences_table(title, result, old, new)
    is_last = (old, new) == _shown_pairs(result)[-1]
    return forest_of(table if is_last else replace(table, note=None))


def _ranking(result: ComparisonResult) -> Forest:
    columns = (Column("version"), Column("win rate", PERCENT, "95 %"))
    rates = result.field.win_rates
    rows = tuple((result.versions[i], rates[i]) for i in result.ranking)
    title = f"Mean win rate over {len(result.opponents)} opponents"
    note = (
        "versions play the same games, so that their differences are known far better "
        "than their rates: see below"
    )
    return forest_of(Table(title, columns, rows, note=note))


def _matrix(result: ComparisonResult) -> Heatmap:
    title = "Win rate in % of the version in the column against the opponent"
    names = tuple(result.versions[i] for i in result.ranking)
    note = "blue: the version wins more; orange: the opponent does"
    return heatmap_of(replace(matrix_table(result), title=title), note, names)


def comparison_page(result: ComparisonResult, tool: Program) -> Page:
    """Return the page of a comparison that `tool` played."""
    old, *new = result.versions
    title = f"Is {new[0]} better than {old}?"
    if len(new) > 1:
        title = f"Which of {len(result.versions)} versions is best?"
    report, sections = comparison_report(result), comparison_sections(result)
    return page_with(title, result, report, tool, sections, limits=LIMITS)


COMPARISON = Presentation[ComparisonResult](
    lambda result, _all_matchups: comparison_report(result), comparison_page
)
