"""Tallies of tables, counted by hand: the outcome of each game, set by set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckcheck.engine.set_tally import WHOLE, Head, Part, new_set_tally

Outcome = tuple[Sequence[int], Sequence[int], int]
"""Places and points by entrant, and who began."""


def tally_of(sets: Sequence[Sequence[Outcome]]) -> Any:
    """The tally of sets of games, seats in the order of the entrants."""
    entrants, rotation = len(sets[0][0][0]), len(sets[0])
    tally = new_set_tally(entrants, rotation)
    for games in sets:
        sums = new_set_tally(entrants, rotation)
        for places, points, began in games:
            share = WHOLE // list(places).count(1)
            for i in range(entrants):
                seat = (i - began) % entrants
                won = share if places[i] == 1 else 0
                cell = 1 + 2 * entrants + i * entrants + seat
                for row in (1 + i, 1 + entrants + seat, cell):
                    tally[row, Part.GAMES] += 1
                    tally[row, Part.WINS] += won == WHOLE
                    tally[row, Part.SHARED] += 0 < won < WHOLE
                    tally[row, Part.PLACES] += places[i]
                    tally[row, Part.POINTS] += points[i]
                    sums[row, Part.SHARES] += won
                    sums[row, Part.PLACES] += places[i]
                    sums[row, Part.POINTS] += points[i]
                tally[cell, Part.PLACES_SQUARED] += places[i] ** 2
                tally[cell, Part.POINTS_SQUARED] += points[i] ** 2
                tally[cell, Part.SHARES + won] += 1
            tally[0, Head.GAMES] += 1
            tally[0, Head.ROUNDS] += 3
            tally[0, Head.TURNS] += 20
            tally[0, Head.DRAWS] += list(places).count(1) == entrants
        for row in range(1, 1 + 2 * entrants):
            tally[row, Part.PLACES_SQUARED] += sums[row, Part.PLACES] ** 2
            tally[row, Part.POINTS_SQUARED] += sums[row, Part.POINTS] ** 2
            tally[row, Part.SHARES + sums[row, Part.SHARES]] += 1
        tally[0, Head.SETS] += 1
    return tally
