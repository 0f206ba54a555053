"""Two loops that never change, so that figures of different days can be compared.

A machine that is slower today slows the loop and the measured code alike. Changing
either loop makes all earlier ratios worthless.
"""

from __future__ import annotations

from time import process_time

import numba
import numpy as np

__all__ = ["compiled_rate", "plain_rate"]

COMPILED_STEPS = 20_000_000
PLAIN_STEPS = 400_000
CELLS = 64
MASK = 0xFFFFFFFF


def compiled_rate() -> float:
    """Return the steps per second of a compiled loop with random access and branches.

    It takes about a tenth of a second; the first call in a process compiles it.
    """
    cells = np.arange(CELLS, dtype=np.int64)
    scramble(cells, 1)
    start = process_time()
    scramble(cells, COMPILED_STEPS)
    return COMPILED_STEPS / (process_time() - start)


def plain_rate() -> float:
    """Return the steps per second of a loop in plain Python, about 0.1 s long."""
    start = process_time()
    counts: dict[str, int] = {}
    word = 1
    for _ in range(PLAIN_STEPS):
        word = (word * 1_103_515_245 + 12_345) & MASK
        key = str(word >> 24)
        counts[key] = counts.get(key, 0) + 1
    return PLAIN_STEPS / (process_time() - start)


@numba.njit(boundscheck=True, nogil=True)
def scramble(cells: np.ndarray, steps: int) -> int:
    """Walk through `cells` at random, adding to each."""
    word = 1
    for step in range(steps):
        word = (word * 1_103_515_245 + 12_345) & MASK
        index = (word >> 16) % CELLS
        if cells[index] & 1:
            cells[index] += step
        else:
            cells[index] ^= word
    return int(cells.sum())
