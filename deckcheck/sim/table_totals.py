"""From the tally of a table to its showings, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from deckcheck.engine.set_tally import WHOLE, Head, Part
from deckcheck.engine.tally import CHECKSUM_MASK
from deckcheck.sim.table_result import PlayedTable, Showing
from deckcheck.stats import (
    Estimate,
    mean_interval,
    mean_score,
    mean_score_interval,
)

__all__ = ["checksum_of", "first_share_of", "played_table"]

SQUARES = {Part.PLACES: Part.PLACES_SQUARED, Part.POINTS: Part.POINTS_SQUARED}


def played_table(entrants: Sequence[str], rotation: int, tally: Any) -> PlayedTable:
    """Return the table of `entrants` that `tally` counts, in sets of `rotation`."""
    count, games = len(entrants), int(tally[0, Head.GAMES])
    sets = int(tally[0, Head.SETS])
    rows = [_showing(tally[1 + i], rotation, sets) for i in range(2 * count)]
    cells = [_showing(row, 1, sets) for row in tally[1 + 2 * count :]]
    return PlayedTable(
        entrants=tuple(entrants),
        games=games,
        sets=sets,
        draws=int(tally[0, Head.DRAWS]),
        showings=tuple(rows[:count]),
        seats=tuple(rows[count:]),
        by_seat=tuple(tuple(cells[i * count : (i + 1) * count]) for i in range(count)),
        rounds_mean=int(tally[0, Head.ROUNDS]) / games,
        turns_mean=int(tally[0, Head.TURNS]) / games,
    )


def first_share_of(tally: Any) -> Estimate:
    """Return the win share of the first entrant with its interval."""
    rotation = int(tally[0, Head.GAMES]) // int(tally[0, Head.SETS])
    showing = _showing(tally[1], rotation, int(tally[0, Head.SETS]))
    assert showing.win_share is not None
    return showing.win_share


def checksum_of(tallies: Iterable[Any]) -> str:
    """Return the checksum over all games as 12 hex digits; order does not matter."""
    total = sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"


def _showing(row: Any, rotation: int, sets: int) -> Showing:
    """What a row of the tally says; it counts sums over `rotation` games at a time."""
    games = int(row[Part.GAMES])
    if games == 0:
        return Showing(0, 0, 0, None, None, None)
    observed = games // rotation
    # An entrant that chooses who begins may sit in one seat several times in a set;
    # these games share their shuffles and count as one.
    worth = min(1.0, sets / observed)
    return Showing(
        games=games,
        wins=int(row[Part.WINS]),
        shared=int(row[Part.SHARED]),
        win_share=_share(row, rotation, games, worth),
        place=_mean(row, Part.PLACES, observed, worth),
        points=_mean(row, Part.POINTS, observed, worth),
    )


def _share(row: Any, rotation: int, games: int, worth: float) -> Estimate:
    counts = [int(n) for n in row[Part.SHARES : Part.SHARES + WHOLE * rotation + 1]]
    interval = mean_score_interval([worth * n for n in counts])
    return Estimate(mean_score(counts), interval, games)


def _mean(row: Any, what: Part, observed: int, worth: float) -> Estimate:
    """The mean per game of what was summed over `observed` independent sums."""
    games, total = int(row[Part.GAMES]), int(row[what])
    interval = mean_interval(total, int(row[SQUARES[what]]), observed, worth)
    return Estimate(total / games, interval.scaled(observed / games), games)
