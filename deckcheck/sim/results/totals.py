"""Turns tallies into statistics of each entrant, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckcheck.playing.host.histograms import MOST_MARGIN, counts_in
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, Part, whole
from deckcheck.sim.results.played import Performance, TableResult
from deckcheck.stats import (
    Estimate,
    Histogram,
    Interval,
    anytime_mean_interval,
    mean_interval,
)
from deckcheck.stats.bounded import bounded_mean_interval

SQUARES = {Part.PLACES: Part.PLACES_SQUARED, Part.POINTS: Part.POINTS_SQUARED}


def table_result(
    entrants: Sequence[str], tally: Ints, *, anytime: bool = False
) -> TableResult:
    """Return the table of `entrants` that `tally` counts.

    `anytime` is for a tally that was looked at before its end.
    """
    count, head = len(entrants), tally[0]
    games, sets = int(head[Head.GAMES]), int(head[Head.SETS])
    rotation = games // sets
    cells = tally.shape[1] - Part.SHARES
    rows = [
        _performance(row, cells, count, rotation, anytime)
        for row in tally[1 : 1 + 2 * count]
    ]
    own = rows[:count]
    counts = counts_in(tally, count)
    rounds = counts and Histogram.of(counts.rounds.tolist())
    margins = counts and Histogram.of(counts.margins.tolist(), -MOST_MARGIN)
    return TableResult(
        entrants=tuple(entrants),
        games=games,
        sets=sets,
        draws=int(head[Head.DRAWS]),
        performances=tuple(own),
        seats=tuple(rows[count:]),
        by_seat=tuple(
            _by_seat(tally[1 + count * (2 + i) :][:count], own[i]) for i in range(count)
        ),
        rounds_mean=int(head[Head.ROUNDS]) / games,
        turns_mean=int(head[Head.TURNS]) / games,
        rounds=rounds,
        margins=margins,
        groups=counts and tuple(tuple(row) for row in counts.groups.tolist()),
    )


def shares_of(tally: Ints, entrants: int, *, anytime: bool) -> list[Estimate]:
    """Return the win share of each entrant; see `table_result`."""
    rotation = int(tally[0, Head.GAMES]) // int(tally[0, Head.SETS])
    cells = tally.shape[1] - Part.SHARES
    rows = tally[1 : 1 + entrants]
    shares = (
        _performance(row, cells, entrants, rotation, anytime).win_share for row in rows
    )
    return [share for share in shares if share is not None]


def checksum_of(tallies: Iterable[Ints]) -> str:
    """Return the checksum over all games as 12 hex digits; order does not matter."""
    total = sum(int(tally[0, Head.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"


def _by_seat(rows: Ints, own: Performance) -> tuple[Performance, ...]:
    """What an entrant did in each seat: one that never changed it did it all there.

    A single game that counts for its set brings as much as that.
    """
    is_once = own.games == sum(own.scores)
    cells = len(own.scores) if is_once else whole(len(rows)) + 1
    return tuple(
        own
        if row[Part.GAMES] == own.games
        else _performance(row, cells, len(rows), 1, own.anytime)
        for row in rows
    )


def _performance(
    row: Ints, cells: int, entrants: int, rotation: int, anytime: bool
) -> Performance:
    """What a row of the tally says; it counts sums over `rotation` games at a time.

    `cells` is the number of cells of shares, `entrants` that of places.
    """
    games = int(row[Part.GAMES])
    counts = [int(n) for n in row[Part.SHARES :][:cells]]
    if games == 0:
        return Performance(0, 0, 0, None, None, None, tuple(counts), anytime=anytime)
    observed = games // rotation
    # An entrant that chooses who begins may sit in one seat several times in a set.
    # These games share their shuffles and are counted as if they always ended alike,
    # the worst case; in rows of whole sets this is the rule and changes nothing.
    worth = games * rotation / int(row[Part.GAMES_SQUARED])
    return Performance(
        games=games,
        wins=int(row[Part.WINS]),
        shared=int(row[Part.SHARED]),
        place=_place(row, entrants, observed, worth, anytime),
        points=_mean(row, Part.POINTS, observed, worth, anytime),
        cards_left=int(row[Part.CARDS_LEFT]) / games,
        scores=tuple(counts),
        worth=worth,
        anytime=anytime,
    )


def _place(
    row: Ints, entrants: int, observed: int, worth: float, anytime: bool
) -> Estimate:
    """The mean place, which lies between 1 and the number of entrants."""
    place = _mean(row, Part.PLACES, observed, worth, anytime)
    squares, total = int(row[Part.PLACES_SQUARED]), int(row[Part.PLACES])
    spread = max(0.0, squares - total * total / observed) / max(1, observed - 1)
    per_game = observed / place.games
    low, high = bounded_mean_interval(
        place.value, spread * per_game**2, observed, worth, within=(1, entrants)
    )
    if anytime:
        low, high = min(low, place.interval.low), max(high, place.interval.high)
    return Estimate(place.value, Interval(low, high), place.games)


def _mean(
    row: Ints, what: Part, observed: int, worth: float, anytime: bool
) -> Estimate:
    """The mean per game of what was summed over `observed` independent sums."""
    games, total = int(row[Part.GAMES]), int(row[what])
    interval_of = anytime_mean_interval if anytime else mean_interval
    interval = interval_of(total, int(row[SQUARES[what]]), observed, worth)
    return Estimate(total / games, interval.scaled(observed / games), games)
