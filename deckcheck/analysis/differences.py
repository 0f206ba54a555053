"""Two versions compared: by how much one is better, and when enough was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from deckcheck.playing.host.versions import Pair
from deckcheck.stats import Interval
from deckcheck.stats.paired import (
    Joint,
    difference_interval,
    mean_difference,
    variance_ratio,
)

__all__ = ["Difference", "Verdict", "difference_of", "every_pair", "looks"]

FIRST_LOOK = 256
LEVEL = 0.95


class Verdict(StrEnum):
    """What is known of the second of two versions, relative to the first."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"  # within the margin
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the version in place `b` wins more than that in `a`.

    `value` and `interval` are differences of win rates, from -1 to 1. `saved` is how
    many times the games other shuffles for each would have taken; None where the two
    always did alike.
    """

    a: int
    b: int
    value: float
    interval: Interval
    verdict: Verdict
    saved: float | None

    def is_known(self, margin: float) -> bool:
        """Whether it is known which version is better, and about by how much.

        About is to half of the difference, or to `margin`. Or that they do alike.
        """
        low, high = self.interval
        small = max(margin, abs(self.value) / 2)
        is_sure = self.verdict in (Verdict.BETTER, Verdict.WORSE)
        return self.verdict is Verdict.SAME or (is_sure and high - low <= 2 * small)

    def opposite(self) -> Difference:
        """The same, seen from the other version."""
        low, high = self.interval
        turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
        return Difference(
            self.b,
            self.a,
            -self.value,
            Interval(-high, -low),
            turned.get(self.verdict, self.verdict),
            self.saved,
        )


def difference_of(
    pair: Pair,
    joints: Sequence[Joint],
    *,
    margin: float,
    anytime: bool,
    together: int = 1,
) -> Difference:
    """The difference over several opponents, each with the same number of sets.

    So many intervals `together` hold with a chance of 95 % (Bonferroni). A difference
    is called none when it is surely less than `margin`.
    """
    joint = sum(joints[1:], joints[0])
    level = 1 - (1 - LEVEL) / together
    interval = difference_interval(joint, level, anytime=anytime)
    return Difference(
        *pair,
        mean_difference(joint),
        interval,
        _verdict(interval, margin),
        variance_ratio(joints),
    )


def every_pair(count: int) -> tuple[Pair, ...]:
    """All pairs of so many versions."""
    return tuple(combinations(range(count), 2))


def looks(opponents: int, most: int) -> Iterator[int]:
    """The numbers of sets with each opponent after which to look, `most` at the end.

    Each is a quarter more than the one before.
    """
    sets = -(-FIRST_LOOK // opponents)
    while sets < most:
        yield sets
        sets += -(-sets // 4)
    yield most


def _verdict(interval: Interval, margin: float) -> Verdict:
    if interval.low > 0:
        return Verdict.BETTER
    if interval.high < 0:
        return Verdict.WORSE
    is_small = -margin < interval.low and interval.high < margin
    return Verdict.SAME if is_small else Verdict.OPEN
