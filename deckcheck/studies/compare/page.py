"""The page of versions of a deck that played the same games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.report.html.model import (
    Axis,
    Block,
    Cell,
    Forest,
    Heatmap,
    Page,
    Row,
    Section,
    axis_of,
    cell_of,
    mark_on,
    row_of,
)
from deckcheck.report.html.page import page_with
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import plain_percent
from deckcheck.sim.jobs.program import Program
from deckcheck.stats import Estimate
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.compare.tables import comparison_report, verdict_word
from deckcheck.studies.differences import Against, Difference, points, spread

TWO = 2
NOTE = (
    "Old and new: win rates in %. Both versions played the same games. Intervals over "
    "all opponents hold together, and so do those against one each; the verdict is "
    "that of its line."
)
LIMITS = (
    "The difference is that against this field and no other. Against some decks of it "
    "the other version may be better.",
)


def comparison_sections(result: ComparisonResult) -> Iterator[Section]:
    """The difference over the field, and against each opponent."""
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
    differences = [
        (opponent, _of(opponent, old, new))
        for opponent in (result.field, *result.opponents)
    ]
    whole, *parts = differences
    parts.sort(key=lambda part: -part[1].value)
    shown = [whole, *parts] if len(parts) > 1 else [whole]
    axis = axis_of([_estimate(difference) for _, difference in shown], 0.0, signed=True)
    names = result.versions[old], result.versions[new]
    return Forest(
        caption=f"By how many points {names[1]} wins more than {names[0]}",
        of="against",
        axis=axis,
        rate="points",
        columns=("old", "new", "verdict"),
        rows=tuple(_row(against, difference, axis) for against, difference in shown),
        note=NOTE if (old, new) == _shown_pairs(result)[-1] else "",
    )


def _of(against: Against, old: int, new: int) -> Difference:
    for difference in against.differences:
        if (difference.a, difference.b) == (old, new):
            return difference
        if (difference.b, difference.a) == (old, new):
            return difference.opposite()
    raise ValueError(f"{old} and {new} are no two versions")


def _row(against: Against, difference: Difference, axis: Axis) -> Row:
    old, new = (against.win_rates[i].value for i in (difference.a, difference.b))
    return Row(
        against.opponent or "all opponents",
        points(difference.value, sign=True),
        spread(difference.interval),
        mark_on(axis, _estimate(difference)),
        (plain_percent(old), plain_percent(new), verdict_word(difference)),
    )


def _estimate(difference: Difference) -> Estimate:
    return Estimate(difference.value, difference.interval, 0)


def _ranking(result: ComparisonResult) -> Forest:
    rates = result.field.win_rates
    axis = axis_of(rates)
    return Forest(
        caption=f"Mean win rate over {len(result.opponents)} opponents",
        of="version",
        axis=axis,
        rows=tuple(row_of(result.versions[i], rates[i], axis) for i in result.ranking),
        note="Versions play the same games, so that their differences are known far "
        "better than their rates: see below.",
    )


def _matrix(result: ComparisonResult) -> Heatmap:
    rows: Sequence[tuple[Cell, ...]] = [
        tuple(cell_of(opponent.win_rates[i]) for i in result.ranking)
        for opponent in result.opponents
    ]
    return Heatmap(
        caption="Win rate in % of the version in the column against the opponent",
        names=tuple(opponent.opponent or "" for opponent in result.opponents),
        columns=tuple(result.versions[i] for i in result.ranking),
        rows=tuple(rows),
        note="Blue: the version wins more; orange: the opponent does.",
    )


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
