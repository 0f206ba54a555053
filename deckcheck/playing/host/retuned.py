"""Two decks that meet with the cards as they are, and with cards that differ.

The decks are the same and every game has the same shuffles, so what differs between
two versions of the cards is caused by that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from deckcheck.playing.host.cells import TableWithCells, with_cells
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import Table
from deckcheck.playing.host.versions import SCORES, align_decks
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints, Part

Patch: TypeAlias = tuple[tuple[int, bytes], ...]
"""Where a context differs from another one, and the bytes that stand there."""

PLAYERS = 2


@dataclass(frozen=True)
class Retuned(TableWithCells):
    """A table of two, and what differs in its context for each version of the cards.

    A tally is that of the cards as they are, with the checksum of all games, and below
    it for each version how often the first deck scored each number of half-points.
    All games come from `stream`, whatever the number of the job.
    """

    patches: tuple[Patch, ...]
    stream: int

    @property
    def cells(self) -> int:
        """A count of each score, for each version of the cards."""
        return len(self.patches) * SCORES

    def play(
        self,
        seed: int,
        number: int,
        first_set: int,
        sets: int,
        log: GameLog | None = None,
    ) -> Ints:
        """Play `sets` sets with each version of the cards; tallies are added by `+`.

        `number` changes nothing. `log` gets a row for each game, version by version.
        Raises CrashedGame for a game that could not be played to its end.
        """
        tally = self.table.play(seed, self.stream, first_set, sets, log)
        counts = np.empty((len(self.patches), SCORES), np.int64)
        checksum = int(tally[0, Head.CHECKSUM])
        for place, patch in enumerate(self.patches):
            table = self._with(patch)
            other = table.play(seed, self.stream, first_set, sets, log)
            counts[place] = first_scores(other)
            checksum += int(other[0, Head.CHECKSUM])
        tally[0, Head.CHECKSUM] = checksum & CHECKSUM_MASK
        return with_cells(tally, counts)

    def scores(self, tally: Ints) -> list[tuple[int, ...]]:
        """How often the first deck came to 0 to 4 half-points: as is, each version."""
        counts = [first_scores(tally), *self.cells_of(tally).reshape(-1, SCORES)]
        return [tuple(int(n) for n in count) for count in counts]

    def _with(self, patch: Patch) -> Table:
        context = bytearray(self.table.contexts[0])
        for start, data in patch:
            context[start : start + len(data)] = data
        return replace(self.table, contexts=(bytes(context),))


def first_scores(tally: Ints) -> Ints:
    """How often the first entrant of a duel came to 0 to 4 half-points in a set."""
    return tally[1, Part.SHARES : Part.SHARES + SCORES]


def retuned(base: Table, others: Sequence[Table], stream: int) -> Retuned:
    """The table of two decks with others at which the same two sit with other cards.

    Cards that a deck has at all of them lie in the same places.
    """
    contexts = [table.read_contexts() for table in (base, *others)]
    for player in range(PLAYERS):
        align_decks([x[0] for x in contexts], player)
    own, *rest = (x.tobytes() for x in contexts)
    patches = tuple(tuple(_differences(own, context)) for context in rest)
    return Retuned(replace(base, contexts=(own,)), patches, stream)


def _differences(own: bytes, other: bytes) -> Iterator[tuple[int, bytes]]:
    """Where `other` differs, in runs."""
    pair = np.frombuffer(own, np.uint8), np.frombuffer(other, np.uint8)
    places = np.flatnonzero(pair[0] != pair[1])
    if len(places):
        for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
            start, end = int(run[0]), int(run[-1]) + 1
            yield start, other[start:end]
