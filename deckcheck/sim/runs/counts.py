"""Consistency of tallies: whether the counts add up as those of played games do."""

from __future__ import annotations

import numpy as np

from deckcheck.playing.host.versions import Versions
from deckcheck.playing.tally import Head, Ints, Part
from deckcheck.sim.jobs.blocks import Job

_SUMMED = [
    *(Part.GAMES, Part.WINS, Part.SHARED),
    *(Part.PLACES, Part.POINTS, Part.CARDS_LEFT),
]
"""The cells of an entrant that are the sums of its cells in each seat."""


def adds_up(job: Job, sets: int, tally: Ints) -> bool:
    """Whether a tally may be that of `sets` sets of a job.

    Above what a kind of study counts of its own, the tally has that of a table, or
    those of several versions.
    """
    if tally.shape != job.table.tally_shape:
        return False
    if isinstance(job.table, Versions):
        return all(_adds_up(job, sets, own) for own in job.table.tallies(tally))
    return _adds_up(job, sets, tally)


def _adds_up(job: Job, sets: int, tally: Ints) -> bool:
    head, entrants = tally[0], job.entrants
    own, in_seats = tally[1 : 1 + entrants], tally[1 + entrants :][:entrants]
    cells = tally[1 + 2 * entrants :][: entrants * entrants]
    cells = cells.reshape(entrants, entrants, -1)
    return (
        _has_games(job, sets, head)
        and int(own[:, Part.GAMES].sum()) == entrants * int(head[Head.GAMES])
        and _is_sum(own, cells.sum(axis=1))
        and _is_sum(in_seats, cells.sum(axis=0))
        and _has_winners(entrants, head, own)
        and _has_scores(head, tally[1 : 1 + 2 * entrants])
    )


def _has_games(job: Job, sets: int, head: Ints) -> bool:
    """Whether there are as many sets and games as there should be.

    Of versions that play the same games a tally may have the first one alone.
    """
    played, games = int(head[Head.SETS]), int(head[Head.GAMES])
    if min(played, games) <= 0 or played % sets or games % played:
        return False
    rotation = games // played
    is_whole = played * rotation == sets * job.games
    return is_whole or (played == sets and job.games % rotation == 0)


def _is_sum(rows: Ints, sums: Ints) -> bool:
    return np.array_equal(rows[:, _SUMMED], sums[:, _SUMMED])


def _has_winners(entrants: int, head: Ints, own: Ints) -> bool:
    """Whether each game has one winner, or several who share the first place."""
    games, draws = int(head[Head.GAMES]), int(head[Head.DRAWS])
    shared_games = games - int(own[:, Part.WINS].sum())
    shared = int(own[:, Part.SHARED].sum())
    if own[:, : Part.POINTS].min() < 0 or not 0 <= draws <= shared_games:
        return False
    # All share the first place of a drawn game, two to all but one that of another.
    others = shared_games - draws
    least = entrants * draws + 2 * others
    most = entrants * draws + max(0, entrants - 1) * others
    return least <= shared <= most


def _has_scores(head: Ints, rows: Ints) -> bool:
    """Whether each set brought each entrant, and each seat, one sum of shares."""
    counts = rows[:, Part.SHARES :]
    return bool((counts.sum(axis=1) == head[Head.SETS]).all() and counts.min() >= 0)
