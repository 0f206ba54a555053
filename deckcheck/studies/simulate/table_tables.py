"""Tables of games with several players: win shares, places and points, by seat."""

from __future__ import annotations

from deckcheck.findings.words import plural
from deckcheck.report.sections import (
    Report,
    most_decisive,
    policies_of,
    rest_note,
    run_facts,
    warnings_of,
)
from deckcheck.report.tables import Cell, Column, Table, numbers
from deckcheck.report.units import COUNT, IN_PERCENT, MEAN, PERCENT, UNKNOWN, count
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_ROUNDING = 1e-4  # a spread that is only due to floating point is below


def table_report(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return what each table of play came to, an overview first if there are more.

    Of many tables only the most decisive are shown in detail, unless `all_matchups`.
    """
    several = len(result.tables) > 1
    numbered = list(enumerate(result.tables, start=1))
    shown = numbered if all_matchups else most_decisive(numbered, _distance)
    tables = [_overview(result, len(shown))] if several else []
    for number, played in shown:
        title = f"Table {number}: " if several else ""
        tables.append(_shares(f"{title}{_games(played)}", played))
        if played.rotation > 1:
            tables.append(_by_turn(played))
    rotation = result.tables[0].rotation
    sets = f"in sets of {rotation}" if rotation > 1 else "one by one"
    return Report(
        tuple(tables),
        warnings_of(result),
        run_facts(
            result, policies_of(result.players), f"{count(result.games_played)}, {sets}"
        ),
    )


def _distance(numbered: tuple[int, TableResult]) -> float:
    """How far the best at a table is from an even share."""
    _, played = numbered
    shares = [performance.win_share for performance in played.performances]
    return max(abs(share.value - played.even_share) for share in shares if share)


def _games(played: TableResult) -> str:
    names = played.entrants
    who = " against ".join(names) if len(names) == 2 else f"{len(names)} at a table"
    games = "1 game" if played.games == 1 else f"{count(played.games)} games"
    return f"{who}, {games}"


def _shares(title: str, played: TableResult) -> Table:
    columns = (
        Column(""),
        Column("win share", PERCENT, "95 %", joint="-"),
        *numbers(COUNT, "wins", "shared"),
        *numbers(MEAN, "place", "points"),
    )
    rows = tuple(
        (
            name,
            *(performance.win_share, performance.wins, performance.shared),
            *(_mean(performance.place), _mean(performance.points)),
        )
        for name, performance in zip(played.entrants, played.performances, strict=True)
    )
    note = (
        f"even shares {100 * played.even_share:.1f} %; "
        f"a game: {played.rounds_mean:.2f} rounds, {played.turns_mean:.1f} turns; "
        f"drawn by all: {count(played.draws)} "
        f"({100 * played.draws / played.games:.1f} %)"
    )
    return Table(title, columns, rows, note=note)


def _mean(estimate: Estimate | None) -> str:
    """A mean with half the width of its interval, alone where nothing varied."""
    if estimate is None:
        return UNKNOWN
    reach = (estimate.interval.high - estimate.interval.low) / 2
    # One set, or sets that are all alike, say nothing of the spread.
    spread = f" ±{reach:.2f}" if reach > _ROUNDING else ""
    return f"{estimate.value:.2f}{spread}"


def _by_turn(played: TableResult) -> Table:
    """The seats by when they come to move first in a game."""
    seats = played.seats
    shares = [seat.win_share for seat in seats]
    won = [seat.wins / seat.games if seat.games else None for seat in seats]
    spans = [
        IN_PERCENT.ends(share.interval if share else None, "-") for share in shares
    ]
    rows: list[tuple[Cell, ...]] = [
        ("win share in %", *shares),
        ("95 %", *spans),
        ("won alone in %", *won),
        ("mean place", *(_plain(seat.place) for seat in seats)),
        ("mean points", *(_plain(seat.points) for seat in seats)),
    ]
    rows += [
        (name, *(performance.win_share for performance in performances))
        for name, performances in zip(played.entrants, played.by_seat, strict=True)
    ]
    note = "below the means: the win share in % of each by when it came to move"
    columns = (Column(""), *numbers(IN_PERCENT, *ORDINALS[: len(seats)]))
    return Table("By who moves first", columns, tuple(rows), matrix=True, note=note)


def _plain(estimate: Estimate | None) -> str:
    return MEAN.number(estimate.value if estimate else None)


def _overview(result: SimulationResult, shown: int) -> Table:
    columns = (
        Column("table"),
        Column("win share", PERCENT, "95 % interval"),
        *numbers(COUNT, "wins", "shared", "games"),
    )
    rows = tuple(
        (
            " against ".join(played.entrants),
            *(first.win_share, first.wins, first.shared, played.games),
        )
        for played in result.tables
        for first in [played.performances[0]]
    )
    note = f"counted for the one named first{rest_note(shown, len(rows))}"
    title = plural(len(rows), "table")
    return Table(title, columns, rows, ranked=True, note=note)
