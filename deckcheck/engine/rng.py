"""Chance: a small counter-seeded generator that is the same compiled or not.

The generator is sfc32 (Chris Doty-Humphrey, PractRand 0.94): three 32-bit words and a
counter, kept in four int64 cells so that no operation overflows in plain Python
either. The seed of a game is a pure function of its place in the run, so results do
not depend on workers, blocks or order.
"""

from __future__ import annotations

from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Cells

MASK = 0xFFFFFFFF
WARM_UP = 16


@jit
def next_word(rng: Cells) -> int:
    """The next 32 random bits of the generator in the cells `rng[0..3]`."""
    a, b, c = rng[0], rng[1], rng[2]
    word = (a + b + rng[3]) & MASK
    rng[3] = (rng[3] + 1) & MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & MASK
    rng[2] = ((((c << 21) & MASK) | (c >> 11)) + word) & MASK
    return word


@jit
def draw_below(rng: Cells, bound: int) -> int:
    """A random integer from 0 to `bound` - 1; the bias is below `bound` / 2**32."""
    return (next_word(rng) * bound) >> 32


@entry
def seed_generator(rng: Cells, seed: int, stream: int, counter: int) -> None:
    """Set the generator to the start of its sequence for (seed, stream, counter).

    `seed` may use 62 bits, `stream` and `counter` 32 bits each. Different triples
    give different sequences.
    """
    rng[0] = seed & MASK
    rng[1] = (seed >> 32) & MASK
    rng[2] = stream & MASK
    rng[3] = counter & MASK
    for _ in range(WARM_UP):
        next_word(rng)
