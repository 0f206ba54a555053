"""Counts the outcomes of games into the tally of their sets: the compiled loop.

It knows no game: outcomes are numbers (see `kernel.Outcome`), so it is compiled once.
"""

from __future__ import annotations

from typing import Any

from deckcheck.engine.jit import entry, jit
from deckcheck.playing.kernel import Outcome
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Part

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
            place = outcomes[game, Outcome.PLACE.value + i]
            won = full // winners if place == 1 else 0
            entrant = who[game, i]
            seat = outcomes[game, Outcome.PLACE.value + 2 * entrants + i]
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
    mixed = outcomes[game, Outcome.HISTORY.value] ^ (number * HASH)
    for i in range(entrants):
        place = outcomes[game, Outcome.PLACE.value + i]
        points = outcomes[game, Outcome.PLACE.value + entrants + i]
        mixed = (31 * mixed + 7 * points + place) & CHECKSUM_MASK
    tally[0, Head.CHECKSUM.value] = (
        tally[0, Head.CHECKSUM.value] + mixed
    ) & CHECKSUM_MASK
    tally[0, Head.GAMES.value] += 1
    tally[0, Head.ROUNDS.value] += outcomes[game, Outcome.ROUNDS.value]
    tally[0, Head.TURNS.value] += outcomes[game, Outcome.TURNS.value]


@jit
def count_winners(outcomes: Any, game: Any, entrants: Any, tally: Any) -> Any:
    """How many entrants share the first place; the game is drawn if all do."""
    winners = 0
    for i in range(entrants):
        if outcomes[game, Outcome.PLACE.value + i] == 1:
            winners += 1
    if winners == entrants:
        tally[0, Head.DRAWS.value] += 1
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
    tally[row, Part.GAMES.value] += 1
    if won == full:
        tally[row, Part.WINS.value] += 1
    elif won > 0:
        tally[row, Part.SHARED.value] += 1
    tally[row, Part.PLACES.value] += place
    tally[row, Part.POINTS.value] += points
    tally[row, Part.CARDS_LEFT.value] += outcomes[game, column + 3 * entrants]
    sums[row, Part.GAMES.value] += 1
    sums[row, Part.PLACES.value] += place
    sums[row, Part.POINTS.value] += points
    sums[row, Part.SHARES.value] += won
    if row > 2 * entrants:
        tally[row, Part.PLACES_SQUARED.value] += place * place
        tally[row, Part.POINTS_SQUARED.value] += points * points
        tally[row, Part.SHARES.value + won] += 1


@jit
def count_set(tally: Any, sums: Any, entrants: Any) -> Any:
    """Add the sums of one set, the unit that counts as one observation."""
    tally[0, Head.SETS.value] += 1
    for row in range(1, tally.shape[0]):
        games = sums[row, Part.GAMES.value]
        tally[row, Part.GAMES_SQUARED.value] += games * games
        if row <= 2 * entrants:
            places, points = sums[row, Part.PLACES.value], sums[row, Part.POINTS.value]
            tally[row, Part.PLACES_SQUARED.value] += places * places
            tally[row, Part.POINTS_SQUARED.value] += points * points
            tally[row, Part.SHARES.value + sums[row, Part.SHARES.value]] += 1
        sums[row, Part.GAMES.value] = 0
        sums[row, Part.PLACES.value] = 0
        sums[row, Part.POINTS.value] = 0
        sums[row, Part.SHARES.value] = 0
