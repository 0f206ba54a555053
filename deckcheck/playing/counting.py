"""From the outcomes of games to the tally of their sets: the compiled loop.

It knows no game: outcomes are numbers (see `kernel.Outcome`), so it is compiled once.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import entry, jit
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Part

__all__ = ["count_sets"]

HASH = 2654435761  # Knuth's multiplicative hash, below 2**32


@entry
def count_sets(
    outcomes: Any,
    who: Any,
    numbers: Any,
    rotation: Any,
    full: Any,
    tally: Any,
    sums: Any,
) -> Any:
    """Add whole sets of `rotation` games, one set after the other, to `tally`.

    `who[game, i]` is the entrant that the game calls `i`, `numbers[game]` is mixed into
    its hash, and `full` is how many shares a win is worth. `sums` is a working array of
    the shape of the tally, zero before and after.
    """
    entrants = who.shape[1]
    for game in range(outcomes.shape[0]):
        count_game(outcomes, game, numbers[game], entrants, tally)
        winners = count_winners(outcomes, game, entrants, tally)
        for i in range(entrants):
            place = outcomes[game, Outcome.PLACE + i]
            won = full // winners if place == 1 else 0
            entrant = who[game, i]
            seat = outcomes[game, Outcome.PLACE + 2 * entrants + i]
            count_entrant(outcomes, game, i, won, full, 1 + entrant, tally, sums)
            count_entrant(
                outcomes, game, i, won, full, 1 + entrants + seat, tally, sums
            )
            cell = 1 + entrants * (2 + entrant) + seat
            count_entrant(outcomes, game, i, won, full, cell, tally, sums)
        if (game + 1) % rotation == 0:
            count_set(tally, sums, entrants)


@jit
def count_game(outcomes: Any, game: Any, number: Any, entrants: Any, tally: Any) -> Any:
    """Add one ended game to the first row."""
    mixed = outcomes[game, Outcome.HISTORY] ^ (number * HASH)
    for i in range(entrants):
        place = outcomes[game, Outcome.PLACE + i]
        points = outcomes[game, Outcome.PLACE + entrants + i]
        mixed = (31 * mixed + 7 * points + place) & CHECKSUM_MASK
    tally[0, Head.CHECKSUM] = (tally[0, Head.CHECKSUM] + mixed) & CHECKSUM_MASK
    tally[0, Head.GAMES] += 1
    tally[0, Head.ROUNDS] += outcomes[game, Outcome.ROUNDS]
    tally[0, Head.TURNS] += outcomes[game, Outcome.TURNS]


@jit
def count_winners(outcomes: Any, game: Any, entrants: Any, tally: Any) -> Any:
    """How many entrants share the first place; the game is drawn if all do."""
    winners = 0
    for i in range(entrants):
        if outcomes[game, Outcome.PLACE + i] == 1:
            winners += 1
    if winners == entrants:
        tally[0, Head.DRAWS] += 1
    return winners


@jit
def count_entrant(
    outcomes: Any,
    game: Any,
    i: Any,
    won: Any,
    full: Any,
    row: Any,
    tally: Any,
    sums: Any,
) -> Any:
    """Count an ended game in a row: of an entrant, of its seat, or of both together."""
    entrants = (outcomes.shape[1] - Outcome.PLACE) // 4
    column = Outcome.PLACE + i
    place = outcomes[game, column]
    points = outcomes[game, column + entrants]
    tally[row, Part.GAMES] += 1
    if won == full:
        tally[row, Part.WINS] += 1
    elif won > 0:
        tally[row, Part.SHARED] += 1
    tally[row, Part.PLACES] += place
    tally[row, Part.POINTS] += points
    tally[row, Part.CARDS_LEFT] += outcomes[game, column + 3 * entrants]
    sums[row, Part.GAMES] += 1
    sums[row, Part.PLACES] += place
    sums[row, Part.POINTS] += points
    sums[row, Part.SHARES] += won
    if row > 2 * entrants:
        tally[row, Part.PLACES_SQUARED] += place * place
        tally[row, Part.POINTS_SQUARED] += points * points
        tally[row, Part.SHARES + won] += 1


@jit
def count_set(tally: Any, sums: Any, entrants: Any) -> Any:
    """Add the sums of one set, the unit that counts as one observation."""
    tally[0, Head.SETS] += 1
    for row in range(1, tally.shape[0]):
        games = sums[row, Part.GAMES]
        tally[row, Part.GAMES_SQUARED] += games * games
        if row <= 2 * entrants:
            places, points = sums[row, Part.PLACES], sums[row, Part.POINTS]
            tally[row, Part.PLACES_SQUARED] += places * places
            tally[row, Part.POINTS_SQUARED] += points * points
            tally[row, Part.SHARES + sums[row, Part.SHARES]] += 1
        sums[row, Part.GAMES] = 0
        sums[row, Part.PLACES] = 0
        sums[row, Part.POINTS] = 0
        sums[row, Part.SHARES] = 0
