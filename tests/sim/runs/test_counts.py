"""Counts that games make add up; with one cell changed they do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallies import Outcome, tally_of

from deckcheck.playing.kernel import Head, Ints, SeatColumns
from deckcheck.sim.jobs import Job
from deckcheck.sim.run_directory import adds_up


@dataclass
class Shaped:
    """Stands in for a table: has tallies of this shape."""

    tally_shape: tuple[int, ...]


def job_of(tally: Ints, entrants: int, games: int) -> Job:
    table: Any = Shaped(tally.shape)
    return Job(1, "a against b", table, ("random",), 9, games, entrants)


@st.composite
def games(draw: st.DrawFn, entrants: int) -> Outcome:
    """The end of a game of so many, the seat that began being left open."""
    ranks = draw(st.lists(st.integers(0, 3), min_size=entrants, max_size=entrants))
    places = [1 + sum(other > own for other in ranks) for own in ranks]
    return places, [10 * rank for rank in ranks], 0


@given(st.data(), st.integers(2, 5), st.integers(1, 3))
def test_what_is_played_adds_up(data: st.DataObject, entrants: int, sets: int) -> None:
    played = [
        [(*data.draw(games(entrants))[:2], began) for began in range(entrants)]
        for _ in range(sets)
    ]
    tally = tally_of(played)

    assert adds_up(job_of(tally, entrants, entrants), sets, tally)
    assert not adds_up(job_of(tally, entrants, entrants), sets + 1, tally)
    assert not adds_up(job_of(tally[:-1], entrants, entrants), sets, tally)


TWO, THREE = (
    [[((1, 2), (3, 1), 0), ((1, 1), (2, 2), 1)], [((2, 1), (0, 4), 0)] * 2],
    [[((1, 2, 3), (5, 3, 1), 0), ((1, 1, 3), (4, 4, 0), 1), ((1, 1, 1), (2,) * 3, 2)]],
)
SUMMED = (
    SeatColumns.WINS,
    SeatColumns.SHARED,
    SeatColumns.PLACES,
    SeatColumns.POINTS,
    SeatColumns.CARDS_LEFT,
    SeatColumns.GAMES,
)


@pytest.mark.parametrize("sets", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("change", [1, -1, 1 << 40])
def test_one_cell_that_is_changed_is_noticed(
    sets: list[list[Outcome]], change: int
) -> None:
    entrants = len(sets[0][0][0])
    whole = tally_of(sets)
    job = job_of(whole, entrants, len(sets[0]))
    cells = [(0, cell) for cell in (Head.SETS, Head.GAMES)]
    cells += [(row, cell) for row in range(1, len(whole)) for cell in SUMMED]
    cells += [(row, SeatColumns.SHARES + 1) for row in range(1, 1 + 2 * entrants)]
    if entrants == len(TWO[0][0][0]):
        # Of three, two may share the first place of a game that is not drawn.
        cells.append((0, Head.DRAWS))
    for cell in cells:
        tally = whole.copy()
        tally[cell] += change
        assert not adds_up(job, len(sets), tally), cell


def test_versions_that_play_the_same_games_may_count_one() -> None:
    tally = tally_of(TWO)

    assert adds_up(job_of(tally, 2, 2), 2, tally)
    assert adds_up(job_of(tally, 2, 6), 2, tally)
    assert adds_up(job_of(tally, 2, 4), 1, tally)
    assert not adds_up(job_of(tally, 2, 3), 2, tally)


def test_nobody_wins_more_than_there_was_to_win() -> None:
    """As much in every row that has to agree, so that the winners alone tell."""
    tally = tally_of(TWO)
    for row in (1, 3, 5):
        tally[row, SeatColumns.WINS] += 7
    assert not adds_up(job_of(tally, 2, 2), 2, tally)

    tally = tally_of(TWO)
    tally[0, Head.DRAWS] += 1
    assert not adds_up(job_of(tally, 2, 2), 2, tally)
