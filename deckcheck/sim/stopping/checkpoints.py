"""The checkpoints at which stopping rules are evaluated."""

from __future__ import annotations

from collections.abc import Iterator

FIRST_CHECKPOINT = 32


def checkpoints(most: int) -> Iterator[int]:
    """The numbers of sets at which a job of at most `most` sets is evaluated.

    Each is a quarter more than the one before, so that a rule is never met much later
    than it could be, and the looks are few.
    """
    sets = FIRST_CHECKPOINT
    while sets < most:
        yield sets
        sets = sets * 5 // 4
    yield most
