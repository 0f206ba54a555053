"""Playing sets: the same shuffles once with each seat beginning.

A set of a game for two is a mirrored pair. From one set to the next the circular
orders of the seats go round, so that nobody always sits next to the same opponent.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import place, points, rounds_played, seat_of
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.play import HASH, play_game
from deckcheck.engine.rng import seed_generator
from deckcheck.engine.set_tally import WHOLE, Head, Part
from deckcheck.engine.tally import CHECKSUM_MASK

__all__ = ["play_sets"]

STREAMS = 8  # chance, and the players' own chance in each game of a set


@entry
def start_set_game(
    s: Any, x: Any, seed: Any, table: Any, number: Any, beginner: Any
) -> Any:
    """Seed all chance of one game of a set; `beginner` is the seat that begins."""
    seed_generator(s.rng, seed, table * STREAMS, number)
    seed_generator(x.rng, seed, table * STREAMS + 1 + beginner, number)
    x.coin = beginner


@entry
def play_sets(
    states: Any,
    contexts: Any,
    entrant_in: Any,
    seed: Any,
    table: Any,
    first_set: Any,
    sets: Any,
    rotation: Any,
    tally: Any,
    sums: Any,
    at: Any,
) -> Any:
    """Play sets of `rotation` games and add them to `tally`.

    `contexts` holds one context for each order of the seats, and `entrant_in[order, i]`
    the entrant that the game calls `i` in that order. `sums` is a working array of the
    shape of the tally, zero before and after. `at[0]` is the set being played, for the
    report of a crash.
    """
    s = states[0]
    for number in range(first_set, first_set + sets):
        at[0] = number
        order = number % contexts.shape[0]
        x = contexts[order]
        for beginner in range(rotation):
            start_set_game(s, x, seed, table, number, beginner)
            play_game(s, x)
            count_places(s, x, entrant_in, order, tally, sums)
            count_game(s, x, entrant_in.shape[1], tally, number)
        count_set(tally, sums, entrant_in.shape[1])


@jit
def count_places(
    s: Any, x: Any, entrant_in: Any, order: Any, tally: Any, sums: Any
) -> Any:
    """Count an ended game for every entrant, for its seat, and for both together."""
    entrants = entrant_in.shape[1]
    winners = 0
    for i in range(entrants):
        if place(s, x, i) == 1:
            winners += 1
    share = WHOLE // winners
    if winners == entrants:
        tally[0, Head.DRAWS] += 1
    for i in range(entrants):
        entrant = entrant_in[order, i]
        seat = seat_of(s, x, i)
        won = share if place(s, x, i) == 1 else 0
        for row in (1 + entrant, 1 + entrants + seat):
            count_part(s, x, i, won, tally, row)
            sums[row, Part.SHARES] += won
            sums[row, Part.PLACES] += place(s, x, i)
            sums[row, Part.POINTS] += points(s, x, i)
        row = 1 + entrants * (2 + entrant) + seat
        count_part(s, x, i, won, tally, row)
        tally[row, Part.PLACES_SQUARED] += place(s, x, i) ** 2
        tally[row, Part.POINTS_SQUARED] += points(s, x, i) ** 2
        tally[row, Part.SHARES + won] += 1


@jit
def count_part(s: Any, x: Any, i: Any, won: Any, tally: Any, row: Any) -> Any:
    """Add one game to the counts and sums of a row."""
    tally[row, Part.GAMES] += 1
    if won == WHOLE:
        tally[row, Part.WINS] += 1
    elif won > 0:
        tally[row, Part.SHARED] += 1
    tally[row, Part.PLACES] += place(s, x, i)
    tally[row, Part.POINTS] += points(s, x, i)


@jit
def count_game(s: Any, x: Any, entrants: Any, tally: Any, number: Any) -> Any:
    """Add one ended game to the first row."""
    game_hash = s.history ^ (number * HASH)
    for i in range(entrants):
        game_hash = 31 * game_hash + 7 * points(s, x, i) + place(s, x, i)
        game_hash &= CHECKSUM_MASK
    tally[0, Head.CHECKSUM] = (tally[0, Head.CHECKSUM] + game_hash) & CHECKSUM_MASK
    tally[0, Head.GAMES] += 1
    tally[0, Head.ROUNDS] += rounds_played(s)
    tally[0, Head.TURNS] += s.turns


@jit
def count_set(tally: Any, sums: Any, entrants: Any) -> Any:
    """Add the sums of one set, the unit that counts as one observation."""
    tally[0, Head.SETS] += 1
    for row in range(1, 1 + 2 * entrants):
        tally[row, Part.PLACES_SQUARED] += sums[row, Part.PLACES] ** 2
        tally[row, Part.POINTS_SQUARED] += sums[row, Part.POINTS] ** 2
        tally[row, Part.SHARES + sums[row, Part.SHARES]] += 1
        for cell in (Part.PLACES.value, Part.POINTS.value, Part.SHARES.value):
            sums[row, cell] = 0
