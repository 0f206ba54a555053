"""The generator of all chance: the published one, with a sequence for each game."""

from __future__ import annotations

import numpy as np
import pytest

from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import draw_below, seed_generator

WORD = 1 << 32
HALF = 1 << 31  # the largest bound: products have 63 bits
TRIPLES = [(0, 0, 0), (1, 2, 3), (2**62 - 1, 2**32 - 1, 2**32 - 1)]


@entry
def draw(rng, bound, drawn):
    """Fill `drawn` with random integers below `bound`."""
    for i in range(len(drawn)):
        drawn[i] = draw_below(rng, bound)


def sequence(seed, stream, counter, bound=HALF, count=8):
    rng, drawn = np.zeros(4, np.int64), np.zeros(count, np.int64)
    seed_generator(rng, seed, stream, counter)
    draw(rng, bound, drawn)
    return tuple(drawn.tolist())


def published(a, b, c, counter, count):
    """Words of sfc32 as PractRand 0.94 has it, in 32-bit arithmetic."""
    a, b, c, counter, *steps = np.array([a, b, c, counter, 1, 9, 3, 21, 11], np.uint32)
    one, shift, left, turn, back = steps
    words = []
    with np.errstate(over="ignore"):
        for _ in range(count):
            word = a + b + counter
            counter += one
            a = b ^ (b >> shift)
            b = c + (c << left)
            c = ((c << turn) | (c >> back)) + word
            words.append(int(word))
    return words


@pytest.mark.parametrize(("seed", "stream", "counter"), TRIPLES)
def test_words_are_those_of_sfc32(seed, stream, counter):
    words = published(seed % WORD, seed // WORD, stream, counter, count=16 + 8)

    assert sequence(seed, stream, counter) == tuple(word >> 1 for word in words[16:])


def test_every_bit_of_seed_stream_and_counter_matters():
    places = [(1 << bit, 0, 0) for bit in range(62)]
    places += [(0, 1 << bit, 0) for bit in range(32)]
    places += [(0, 0, 1 << bit) for bit in range(32)]
    sequences = {sequence(*place) for place in [(0, 0, 0), *places]}

    assert len(sequences) == 1 + 62 + 32 + 32


def test_neighbours_have_nothing_in_common():
    """Games differ by 1 in their counter: first draws are even and independent."""
    first = np.array(
        [sequence(7, 0, counter, bound=10, count=1) for counter in range(4000)]
    )
    pairs = 10 * first[:-1, 0] + first[1:, 0]
    counts = np.bincount(pairs, minlength=100)
    deviations = (counts - counts.mean()) ** 2 / counts.mean()

    # Chi-squared with 99 degrees of freedom lies below this in 999 of 1000 cases.
    assert deviations.sum() < 149


@pytest.mark.parametrize("bound", [1, 2, 7, 1000])
def test_draws_lie_below_the_bound(bound):
    drawn = sequence(3, 1, 4, bound=bound, count=5000)

    assert min(drawn) == 0
    assert max(drawn) == bound - 1
