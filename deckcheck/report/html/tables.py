"""The page of tables of play and of tournament matches."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings.words import quote
from deckcheck.report.html.model import Axis, Forest, Section, axis_of, figures, row_of
from deckcheck.report.sections import Report, count, percent, ranged
from deckcheck.sim.played import PlayedTable
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import Estimate, difference

__all__ = ["table_answers", "table_sections"]


def table_answers(result: SimulationResult) -> Iterator[str]:
    """Who does best at each table, or in each match; of many the first three."""
    noun = "matches" if result.play == "match" else "games"
    for table in result.tables[:3]:
        shares = _shares(table)
        (name, best), (_, next_best) = sorted(shares, key=lambda s: -s[1].value)[:2]
        others = " and ".join(quote(n) for n, _ in shares if n != name)
        even = len(shares) == 2 and best.interval.low <= table.even_share
        close = even or difference(best, next_best).interval.low <= 0
        doubt = ", which may be chance" if close else ""
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
        forests: tuple[Forest, ...] = (_against(result, axis),)
    else:
        forests = tuple(
            Forest(
                caption=f"Win share at table {number}" if several else "Win share",
                of="entrant",
                axis=axis,
                rate="win share",
                rows=tuple(row_of(name, rate, axis) for name, rate in _shares(table)),
            )
            for number, table in enumerate(result.tables, start=1)
        )
    yield Section("shares", "Who wins", forests)
    yield Section("details", "In detail", tuple(map(figures, report.tables)))


def _against(result: SimulationResult, axis: Axis) -> Forest:
    """Two at each table: one row is enough."""
    noun = "matches" if result.play == "match" else "games"
    found = [
        (" against ".join(t.entrants), t.games, _shares(t)[0][1]) for t in result.tables
    ]
    return Forest(
        caption="Win rate of the one named first",
        of="match" if result.play == "match" else "table",
        axis=axis,
        columns=(noun,),
        rows=tuple(row_of(name, rate, axis, [count(n)]) for name, n, rate in found),
    )


def _shares(table: PlayedTable) -> list[tuple[str, Estimate]]:
    pairs = zip(table.entrants, table.performances, strict=True)
    return [(name, each.win_share) for name, each in pairs if each.win_share]
