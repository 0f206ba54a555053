"""The tally of a block of tournament matches, and the statistics it turns into.

Its first rows are those of a table of two (see `playing.tally`), counted in matches:
who chose first in game 1 is in seat 0, rounds are games, points are games won. Then
follows a row with the cells of `Chosen`, and one with those of `Cell` for each deck of
side 0 against each of side 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from deckcheck.playing import tally
from deckcheck.playing.tally import Ints
from deckcheck.sim.matches.lineups import Lineup
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.totals import table_result
from deckcheck.stats import (
    Estimate,
    anytime_score_interval,
    mean_score,
    mean_score_interval,
)

PAIRED = 0.5
"""What a game of a deck counts: in the worst case both of a pair always end alike."""

ROWS, COLUMNS = tally.new_tally(2, 2).shape


class Chosen(IntEnum):
    """Single games, from the side of who chose the deck first."""

    LOST = 0
    DRAWN = 1
    WON = 2
    GAMES = 3
    GAMES_DRAWN = 4


class Cell(IntEnum):
    """Games of two decks, from side 0, and matches that these two opened."""

    LOST = 0
    DRAWN = 1
    WON = 2
    OPENED = 3


def new_tally(sizes: tuple[int, int]) -> Ints:
    """An empty tally of lineups of `sizes` decks."""
    return np.zeros((ROWS + 1 + sizes[0] * sizes[1], COLUMNS), np.int64)


def chosen_row() -> int:
    """The row of `Chosen`, behind those of the table."""
    return int(ROWS)


def cell_row(sizes: tuple[int, int], a: Ints, b: Ints) -> Ints:
    """The rows of decks `a` of side 0 against decks `b` of side 1."""
    rows: Ints = ROWS + 1 + a * sizes[1] + b
    return rows


def games_of_matches(tally: Ints) -> int:
    """The games of all matches that `tally` counts."""
    return int(tally[chosen_row(), Chosen.GAMES])


def games_of_decks(tally: Ints) -> list[int]:
    """The games of each deck of side 0 against each of side 1, row by row."""
    cells = tally[chosen_row() + 1 :, Cell.LOST : Cell.WON + 1]
    games: list[int] = cells.sum(axis=1).tolist()
    return games


def match_result(
    a: Lineup, b: Lineup, tally: Ints, value: float | None, *, anytime: bool = False
) -> MatchResult:
    """Return the matches of two lineups that `tally` counts.

    `value` is what the chances promise `a`; `anytime` is for a tally that was looked at
    before its end.
    """
    table, chosen = tally[: chosen_row()], tally[chosen_row()].tolist()
    columns = len(Cell)
    cells = tally[chosen_row() + 1 :, :columns]
    cells = cells.reshape(len(a.entrants), len(b.entrants), columns)
    mirrored = cells.transpose(1, 0, 2)[
        :, :, [Cell.WON, Cell.DRAWN, Cell.LOST, Cell.OPENED]
    ]
    return MatchResult(
        table=table_result((a.name, b.name), table, anytime=anytime),
        games=chosen[Chosen.GAMES],
        games_drawn=chosen[Chosen.GAMES_DRAWN],
        chose_first=_rate(chosen[Chosen.LOST : Chosen.WON + 1], anytime),
        decks_a=_decks(a, cells, anytime),
        decks_b=_decks(b, mirrored, anytime),
        value=value,
    )


def _rate(counts: Sequence[int], anytime: bool, worth: float = 1.0) -> Estimate:
    """The win rate of lost, drawn and won games, each worth so many independent ones.

    Who chooses first changes within a pair, so shuffles that both share cancel there.
    """
    interval_of = anytime_score_interval if anytime else mean_score_interval
    interval = interval_of([worth * count for count in counts])
    return Estimate(mean_score(counts), interval, sum(counts))


def _decks(lineup: Lineup, cells: Ints, anytime: bool) -> tuple[DeckInMatch, ...]:
    """The decks of a lineup, a row of `cells` each."""
    decks = []
    for entrant, row in zip(lineup.entrants, cells, strict=True):
        lost, drawn, won, opened = row.sum(axis=0).tolist()
        games = lost + drawn + won
        decks.append(
            DeckInMatch(
                name=entrant.name,
                opened=opened,
                games=games,
                wins=won,
                draws=drawn,
                rate=_rate((lost, drawn, won), anytime, PAIRED) if games else None,
                against=tuple((count[0], count[1], count[2]) for count in row.tolist()),
            )
        )
    return tuple(decks)
