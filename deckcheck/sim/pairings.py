"""Who plays whom: two decks a match, more a round robin."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pairing", "pair_up", "pairing_number"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two decks by position, `a` <= `b`, and the number that seeds their games."""

    number: int
    a: int
    b: int


def pairing_number(a: int, b: int) -> int:
    """Return the number of the pairing of decks `a` <= `b`, counted from 0.

    It depends on the two positions alone: a deck added at the end of the list leaves
    the games of all others as they were.
    """
    if not 0 <= a <= b:
        raise ValueError(f"positions must be 0 <= a <= b, not {a} and {b}")
    return b * (b + 1) // 2 + a


def pair_up(decks: int, mirror: bool = False) -> list[Pairing]:
    """Return every pairing of `decks` decks; with `mirror` also each with itself."""
    gap = 0 if mirror else 1
    return [
        Pairing(pairing_number(a, b), a, b)
        for a in range(decks)
        for b in range(a + gap, decks)
    ]
