"""Tallies of many jobs: most of their cells are zeros, which take no memory here."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import NamedTuple

import numpy as np

from deckcheck.playing.tally import Ints


class PackedTally(NamedTuple):
    """A tally without its zeros: the places of all other cells, and their values."""

    shape: tuple[int, ...]
    places: bytes
    cells: bytes

    @classmethod
    def of(cls, tally: Ints) -> PackedTally:
        """What is to be kept of a tally."""
        cells = tally.ravel()
        places = np.flatnonzero(cells)
        there = places.astype(np.int32).tobytes()
        return cls(tally.shape, there, cells[places].tobytes())

    def unpacked(self) -> Ints:
        """The tally."""
        tally = np.zeros(self.shape, np.int64)
        places = np.frombuffer(self.places, np.int32)
        tally.ravel()[places] = np.frombuffer(self.cells, np.int64)
        return tally


class Tallies(MutableMapping[int, Ints]):
    """Tallies by the number of their job."""

    def __init__(self) -> None:
        self._packed: dict[int, PackedTally] = {}

    def __getitem__(self, number: int) -> Ints:
        return self._packed[number].unpacked()

    def __setitem__(self, number: int, tally: Ints) -> None:
        self._packed[number] = PackedTally.of(tally)

    def __delitem__(self, number: int) -> None:
        del self._packed[number]

    def __contains__(self, number: object) -> bool:
        return number in self._packed

    def __iter__(self) -> Iterator[int]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)
