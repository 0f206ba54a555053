"""The page of tables of play and of tournament matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckcheck.findings.words import quote
from deckcheck.report.html.model import (
    Axis,
    Block,
    Forest,
    Heatmap,
    Section,
    axis_of,
    cell_of,
    figures,
    row_of,
)
from deckcheck.report.sections import Report, count, percent, ranged
from deckcheck.sim.results.played import TableResult
from deckcheck.sim.results.result import SimulationResult
from deckcheck.stats import Estimate

MATRIX_NOTE = "Blue: the row wins more; orange: the column does."


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
    several = len(result.tables) > 1
    if all(len(table.entrants) == 2 for table in result.tables):
        forests: tuple[Block, ...] = (_against(result, axis), *_lineups(result))
    else:
        forests = tuple(
            Forest(
                caption=f"Win share at table {number}" if several else "Win share",
                of="entrant",
                axis=replace(axis, even=axis.at(table.even_share)),
                rate="win share",
                rows=tuple(row_of(name, rate, axis) for name, rate in _shares(table)),
            )
            for number, table in enumerate(result.tables, start=1)
        )
    yield Section("shares", "Who wins", forests)
    yield Section("details", "In detail", tuple(map(figures, report.tables)))


def matrix_of(
    caption: str, order: Sequence[str], tables: Sequence[TableResult]
) -> Heatmap:
    """The win rates of those who met two at a time."""
    shares: dict[tuple[str, str], Estimate] = {}
    for table in tables:
        (a, rate), (b, _) = _shares(table)
        shares[a, b] = rate
        if a != b:
            shares[b, a] = rate.opposite()
    rows = (
        tuple(cell_of(shares[a, b]) if (a, b) in shares else None for b in order)
        for a in order
    )
    return Heatmap(caption, tuple(order), tuple(rows), MATRIX_NOTE)


def _lineups(result: SimulationResult) -> Iterator[Heatmap]:
    """Lineups against each other, where there are more than two."""
    names = [lineup.name for lineup in result.lineups]
    if len(names) > 2:
        caption = "Match rate in % of the lineup in the row against that in the column"
        yield matrix_of(caption, names, result.tables)


def _against(result: SimulationResult, axis: Axis) -> Forest:
    """Two at each table: one row is enough."""
    noun = "matches" if result.play == "match" else "games"
    rows = [
        (" against ".join(t.entrants), t.games, _shares(t)[0][1]) for t in result.tables
    ]
    return Forest(
        caption="Win rate of the one named first",
        of="match" if result.play == "match" else "table",
        axis=axis,
        columns=(noun,),
        rows=tuple(row_of(name, rate, axis, [count(n)]) for name, n, rate in rows),
    )


def _shares(table: TableResult) -> list[tuple[str, Estimate]]:
    pairs = zip(table.entrants, table.performances, strict=True)
    return [(name, share.win_share) for name, share in pairs if share.win_share]
