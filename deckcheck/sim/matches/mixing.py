"""Random numbers that depend on a few words alone, for many matches at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deckcheck.playing.tally import Ints

Random = npt.NDArray[np.uint64]


def mixed(start: Random, *words: int | Ints) -> Random:
    """Random whole numbers below 2 ** 64, one for each element of `start`.

    Each depends on its start and the words that follow, whole numbers from 0. Source:
    the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), applied to each
    word in turn.
    """
    state = start
    for word in words:
        state = (state ^ np.asarray(word).astype(np.uint64)) + np.uint64(
            0x9E3779B97F4A7C15
        )
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return state


def number_of(*words: int) -> int:
    """A single random whole number below 2 ** 64 that depends on `words` alone."""
    return int(mixed(np.zeros(1, np.uint64), *words)[0])
