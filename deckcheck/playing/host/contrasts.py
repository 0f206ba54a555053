"""Many versions of a deck that play the same games, and sums of what they differ by.

Where `versions` counts the scores of two versions jointly, here weighted sums over
versions are taken: one swap against the deck as it is, or the mean of several swaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from deckcheck.playing.host.cells import TableWithCells, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import Table
from deckcheck.playing.host.versions import (
    ROTATION,
    VERSION,
    aligned,
    deck_of,
    scores_of,
    set_deck,
)
from deckcheck.playing.tally import Head, Ints

Contrast: TypeAlias = tuple[tuple[int, int], ...]
"""Versions by their places, 0 the deck as it is, each with a whole weight."""


@dataclass(frozen=True)
class Contrasts(TableWithCells):
    """A table, and the decks of other versions that take the place of its second one.

    A tally is that of the deck as it is, with the checksum of all games, and below it
    the sums of each contrast over sets, in half-points, and of their squares.
    """

    decks: tuple[tuple[int, ...], ...]
    contrasts: tuple[Contrast, ...]

    @property
    def cells(self) -> int:
        """The sums of each contrast, and those of their squares."""
        return 2 * len(self.contrasts)

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version; tallies are added by `+`.

        `log` gets a row for each game, version by version. Raises CrashedGame for a
        game that could not be played to its end.
        """
        log = GameLog() if log is None else log
        scores = np.empty((1 + len(self.decks), sets), np.int64)
        tallies = []
        for place in range(len(scores)):
            table = self._table(place)
            tallies.append(table.play(seed, number, first_set, sets, log))
            scores[place] = scores_of(log.last_outcomes(sets * ROTATION))
        tally = tallies[0]
        tally[0, Head.CHECKSUM] = sum(int(t[0, Head.CHECKSUM]) for t in tallies)
        values = self._weights @ scores
        sums = np.stack([values.sum(axis=1), (values * values).sum(axis=1)])
        return with_cells(tally, sums)

    def own(self, tally: Ints) -> Ints:
        """The tally of the deck as it is."""
        return tally[: self.table.tally_shape[0]]

    def sums(self, tally: Ints) -> Ints:
        """Sums over sets of each contrast, in half-points, and of their squares."""
        return self.cells_of(tally).reshape(2, -1)

    @cached_property
    def _weights(self) -> Ints:
        weights = np.zeros((len(self.contrasts), 1 + len(self.decks)), np.int64)
        for row, contrast in enumerate(self.contrasts):
            for version, weight in contrast:
                weights[row, version] += weight
        return weights

    def _table(self, place: int) -> Table:
        if place == 0:
            return self.table
        x = self.table.read_contexts()
        deck = self.decks[place - 1]
        set_deck(x[0], VERSION, deck, by_place=bool(x["by_place"][0, VERSION]))
        return replace(self.table, contexts=(x.tobytes(),))


def with_swapped_decks(
    table: Table,
    numbers: Mapping[str, int],
    decks: Sequence[Mapping[str, int]],
    contrasts: Sequence[Contrast],
) -> Contrasts:
    """The table with the first of `decks` as that of its second player, and the others.

    Decks count cards by id, `numbers` are those of the engine. The first one must be
    the deck that sits at the table.
    """
    x = table.read_contexts()
    lists = [
        sorted(numbers[card] for card, count in deck.items() for _ in range(count))
        for deck in decks
    ]
    # A game may number the cards of its second player from another start.
    offset = int(min(deck_of(x[0]))) - lists[0][0]
    own, *others = aligned([[card + offset for card in deck] for deck in lists])
    by_place = any(0 in deck for deck in (own, *others))
    set_deck(x[0], VERSION, own, by_place=by_place)
    base = replace(table, contexts=(x.tobytes(),))
    return Contrasts(base, tuple(tuple(deck) for deck in others), tuple(contrasts))
