"""The page of tables of play and of tournament matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deckcheck.findings.words import quote
from deckcheck.report.html.heatmap import Heatmap, heatmap_of
from deckcheck.report.html.model import (
    Axis,
    Block,
    Figures,
    Forest,
    Section,
    axis_of,
    forest_of,
)
from deckcheck.report.sections import Report
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import COUNT, IN_PERCENT, PERCENT, count, percent, ranged
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate

MATRIX_NOTE = "blue: the row wins more; orange: the column does"


def table_answers(result: SimulationResult) -> Iterator[str]:
    """The best at each table, or in each match; of many the first three."""
    noun = "matches" if result.play == "match" else "games"
    for table in result.tables[:3]:
        shares = [share for _, share in _shares(table)]
        first, *rest = sorted(range(len(shares)), key=lambda i: -shares[i].value)
        name, best = table.entrants[first], shares[first]
        others = " and ".join(quote(n) for n in table.entrants if n != name)
        ahead = (table.difference(first, other) for other in rest)
        is_clear = all(by.interval.low > 0 for by in ahead)
        doubt = "" if is_clear else ", which may be chance"
        yield (
            f"{quote(name)} wins {percent(best.value)} of {count(table.games)} {noun} "
            f"({ranged(best.interval)}) against {others}{doubt}."
        )


def table_sections(result: SimulationResult, report: Report) -> Iterator[Section]:
    """Win shares of all tables, and the tables that a terminal shows."""
    rates = [rate for table in result.tables for _, rate in _shares(table)]
    axis = axis_of(rates, result.tables[0].even_share)
    if all(len(table.entrants) == 2 for table in result.tables):
        blocks: tuple[Block, ...] = (_against(result, axis), *_lineups(result))
    else:
        blocks = tuple(
            _forest(table, number if len(result.tables) > 1 else None, axis)
            for number, table in enumerate(result.tables, start=1)
        )
    yield Section("shares", "Who wins", blocks)
    yield Section("details", "In detail", tuple(map(Figures, report.tables)))


def _forest(table: TableResult, number: int | None, axis: Axis) -> Forest:
    """The win shares at one table, on the axis of all."""
    title = "Win share" if number is None else f"Win share at table {number}"
    columns = (Column("entrant"), Column("win share", PERCENT, "95 %"))
    even = replace(axis, even=axis.at(table.even_share))
    return forest_of(Table(title, columns, tuple(_shares(table))), axis=even)


def _lineups(result: SimulationResult) -> Iterator[Heatmap]:
    """Lineups against each other, where there are more than two."""
    names = [lineup.name for lineup in result.lineups]
    if len(names) > 2:
        title = "Match rate in % of the lineup in the row against that in the column"
        shares: dict[tuple[str, str], Estimate] = {}
        for table in result.tables:
            (a, rate), (b, _) = _shares(table)
            shares |= {(a, b): rate, (b, a): rate.opposite()}
        rows = tuple((a, *(shares.get((a, b)) for b in names)) for a in names)
        columns = (Column(""), *numbers(IN_PERCENT, *names))
        yield heatmap_of(Table(title, columns, rows, matrix=True), MATRIX_NOTE)


def _against(result: SimulationResult, axis: Axis) -> Forest:
    """Two at each table: one row is enough."""
    noun, plural = (
        ("match", "matches") if result.play == "match" else ("table", "games")
    )
    columns = (
        Column(noun),
        Column("win rate", PERCENT, "95 %"),
        Column(plural, COUNT),
    )
    rows = tuple(
        (" against ".join(table.entrants), _shares(table)[0][1], table.games)
        for table in result.tables
    )
    title = "Win rate of the one named first"
    return forest_of(Table(title, columns, rows), axis=axis)


def _shares(table: TableResult) -> list[tuple[str, Estimate]]:
    pairs = zip(table.entrants, table.performances, strict=True)
    return [(name, share.win_share) for name, share in pairs if share.win_share]
