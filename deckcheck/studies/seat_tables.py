"""The tables of games with several players: win shares, places, points, by seat."""

from __future__ import annotations

from deckcheck.messages import game_count, plural
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    MEAN,
    PERCENT,
    UNKNOWN_CELL,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    describe_policies,
    list_replayed_facts,
    list_warnings,
    numbers,
    run_facts,
)
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Estimate
from deckcheck.studies.duel_tables import describe_rest, find_most_decisive

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_ROUNDING_ERROR = 1e-4
"""A spread of means up to this is only due to floating point."""


def make_seats_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the result of each table of play, after an overview of several tables.

    Of many tables only the most decisive are shown in detail, unless `full`.
    """
    numbered = list(enumerate(result.tables, start=1))
    shown = numbered if full else find_most_decisive(numbered, _measure_distance)
    tables = []
    if len(numbered) > 1:
        tables.append(_tabulate_overview(result, len(shown)))
    for number, played in shown:
        title = _describe_games(played)
        if len(numbered) > 1:
            title = f"Table {number}: {title}"
        tables.append(_tabulate_shares(title, played))
        if played.rotation > 1:
            tables.append(_tabulate_turns(played))
    games = f"{count(result.games_played)}, one by one"
    rotation = result.tables[0].rotation
    if rotation > 1:
        games = f"{count(result.games_played)}, in deal groups of {rotation}"
    facts = run_facts(result, describe_policies(result.players), games)
    second_facts = list_replayed_facts(result.cross_checked)
    return Report(tuple(tables), list_warnings(result), (*facts, *second_facts))


def _measure_distance(numbered: tuple[int, TableResult]) -> float:
    """Return how far the best at a table is from an even share."""
    _, played = numbered
    shares = [performance.win_share for performance in played.performances]
    return max(abs(share.value - played.even_share) for share in shares if share)


def _describe_games(played: TableResult) -> str:
    """Return who played, and how many games."""
    entrants = f"{len(played.entrants)} at a table"
    if len(played.entrants) == 2:
        entrants = " against ".join(played.entrants)
    return f"{entrants}, {game_count(played.games)}"


def _tabulate_shares(title: str, played: TableResult) -> ReportTable:
    """Return the results of each entrant at a table."""
    columns = (
        Column(""),
        Column("win share", PERCENT, "95%", joint="-"),
        *numbers(COUNT, "wins", "shared"),
        *numbers(MEAN, "place", "points"),
    )
    rows = []
    for name, performance in zip(played.entrants, played.performances, strict=True):
        row = (
            name,
            performance.win_share,
            performance.wins,
            performance.shared,
            _format_mean(performance.place),
            _format_mean(performance.points),
        )
        rows.append(row)
    note = (
        f"even shares {100 * played.even_share:.1f}%; "
        f"a game: {played.rounds_mean:.2f} rounds, {played.turns_mean:.1f} turns; "
        f"drawn by all: {count(played.draws)} "
        f"({100 * played.draws / played.games:.1f}%)"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def _format_mean(estimate: Estimate | None) -> str:
    """Return a mean with half the width of its interval: `2.31 ±0.12`.

    The mean is alone after one set, or sets that are all alike, whose spread is not
    known.
    """
    if estimate is None:
        return UNKNOWN_CELL
    reach = (estimate.interval.high - estimate.interval.low) / 2
    if reach > _ROUNDING_ERROR:
        return f"{estimate.value:.2f} ±{reach:.2f}"
    return f"{estimate.value:.2f}"


def _tabulate_turns(played: TableResult) -> ReportTable:
    """Return the seats by when they move first in a game."""
    shares: list[Cell] = ["win share in %"]
    intervals: list[Cell] = ["95%"]
    wins: list[Cell] = ["won alone in %"]
    places: list[Cell] = ["mean place"]
    points: list[Cell] = ["mean points"]
    for seat in played.seats:
        share = seat.win_share
        shares.append(share)
        intervals.append(IN_PERCENT.ends(share.interval if share else None, "-"))
        wins.append(seat.wins / seat.games if seat.games else None)
        places.append(MEAN.number(seat.place.value if seat.place else None))
        points.append(MEAN.number(seat.points.value if seat.points else None))
    rows = [shares, intervals, wins, places, points]
    for name, performances in zip(played.entrants, played.by_seat, strict=True):
        rows.append([name, *(performance.win_share for performance in performances)])
    return ReportTable(
        "By who moves first",
        (Column(""), *numbers(IN_PERCENT, *ORDINALS[: len(played.seats)])),
        tuple(tuple(row) for row in rows),
        matrix=True,
        note="below the means: the win share in % of each by when it came to move",
    )


def _tabulate_overview(result: SimulationResult, shown: int) -> ReportTable:
    """Return a row for each table, `shown` of which are shown in detail."""
    columns = (
        Column("table"),
        Column("win share", PERCENT, "95% interval"),
        *numbers(COUNT, "wins", "shared", "games"),
    )
    rows = []
    for played in result.tables:
        name = " against ".join(played.entrants)
        first = played.performances[0]
        rows.append((name, first.win_share, first.wins, first.shared, played.games))
    note = f"counted for the one named first{describe_rest(shown, len(rows))}"
    title = plural(len(rows), "table")
    return ReportTable(title, columns, tuple(rows), ranked=True, note=note)
