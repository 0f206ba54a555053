"""Tallies of tables, counted by hand: the outcome of each game, set by set."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.playing.kernel import Head, Ints, SeatColumns, new_tally, whole

Outcome = tuple[Sequence[int], Sequence[int], int]
"""Places and points by entrant, and who began."""


def tally_of(sets: Sequence[Sequence[Outcome]]) -> Ints:
    """The tally of sets of games, seats in the order of the entrants.

    Each game has 3 rounds and 20 turns, and leaves entrant `i` with `i + 1` cards.
    """
    entrants, rotation = len(sets[0][0][0]), len(sets[0])
    tally = new_tally(entrants, rotation)
    for games in sets:
        sums = new_tally(entrants, rotation)
        for places, points, began in games:
            for i in range(entrants):
                share = whole(entrants) // list(places).count(1)
                won = share if places[i] == 1 else 0
                seat = (i - began) % entrants
                cell = 1 + 2 * entrants + i * entrants + seat
                for row in (1 + i, 1 + entrants + seat, cell):
                    _count(tally[row], won, whole(entrants), places[i], points[i])
                    tally[row, SeatColumns.CARDS_LEFT] += i + 1
                    _count(sums[row], won, whole(entrants), places[i], points[i])
                    sums[row, SeatColumns.SHARES] += won
                tally[cell, SeatColumns.PLACES_SQUARED] += places[i] ** 2
                tally[cell, SeatColumns.POINTS_SQUARED] += points[i] ** 2
                tally[cell, SeatColumns.SHARES + won] += 1
            tally[0, Head.GAMES] += 1
            tally[0, Head.ROUNDS] += 3
            tally[0, Head.TURNS] += 20
            tally[0, Head.DRAWS] += list(places).count(1) == entrants
        tally[1:, SeatColumns.GAMES_SQUARED] += sums[1:, SeatColumns.GAMES] ** 2
        for row in range(1, 1 + 2 * entrants):
            tally[row, SeatColumns.PLACES_SQUARED] += sums[row, SeatColumns.PLACES] ** 2
            tally[row, SeatColumns.POINTS_SQUARED] += sums[row, SeatColumns.POINTS] ** 2
            tally[row, SeatColumns.SHARES + sums[row, SeatColumns.SHARES]] += 1
        tally[0, Head.SETS] += 1
    return tally


def _count(row: Ints, won: int, full: int, place: int, points: int) -> None:
    row[SeatColumns.GAMES] += 1
    row[SeatColumns.WINS] += won == full
    row[SeatColumns.SHARED] += 0 < won < full
    row[SeatColumns.PLACES] += place
    row[SeatColumns.POINTS] += points


def duel_tally(pairs: Sequence[tuple[int, str]]) -> Ints:
    """The tally of pairs: how many there are, and their games as `A- B+`.

    A capital is the deck that begins, the sign says how deck a fared: `+`, `-` or `=`.
    """
    places = {"+": (1, 2), "-": (2, 1), "=": (1, 1)}
    return tally_of(
        [
            [(places[g[1]], (0, 0), "AB".index(g[0])) for g in games.split()]
            for count, games in pairs
            for _ in range(count)
        ]
    )
