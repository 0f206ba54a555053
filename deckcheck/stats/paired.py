"""Two that played the same games: by how much one is better, and what pairing saves.

`joint[i, j]` is how often the first one scored `i / (k - 1)` where the second one
scored `j / (k - 1)`, an array of k by k counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.stats.intervals import Interval, mean_score_interval
from deckcheck.stats.sequences import anytime_score_interval

Joint: TypeAlias = npt.NDArray[np.int64]


def difference_counts(joint: Joint) -> list[int]:
    """How often the second one scored so much more: from -1 to 1 in equal steps."""
    scores = range(len(joint))
    return [
        int(np.trace(joint, offset))
        for offset in (*(-s for s in scores[:0:-1]), *scores)
    ]


def mean_difference(joint: Joint) -> float:
    """By how much the second one scored more than the first, -1 to 1."""
    steps = len(joint) - 1
    gained = sum(i * n for i, n in enumerate(difference_counts(joint), -steps))
    return gained / (int(joint.sum()) * steps)


def difference_interval(
    joint: Joint, level: float = 0.95, *, anytime: bool = False
) -> Interval:
    """The interval of `mean_difference`; it holds under looking if `anytime`.

    A difference is a bounded score, see `mean_score_interval`.
    """
    interval_of = anytime_score_interval if anytime else mean_score_interval
    low, high = interval_of(difference_counts(joint), level)
    return Interval(2 * low - 1, 2 * high - 1)


def variance_ratio(joints: Sequence[Joint]) -> float | None:
    """How many times the games would be needed if the two played other ones each.

    That is the variance of the difference of independent scores, relative to that of
    the scores of the same games, here the sum over several tables. None if these never
    differed.
    """
    apart = sum(
        _variance(joint.sum(axis=0)) + _variance(joint.sum(axis=1)) for joint in joints
    )
    together = sum(_variance(np.array(difference_counts(joint))) for joint in joints)
    return apart / together if together > 0 else None


def _variance(counts: npt.NDArray[np.int64]) -> float:
    """The variance of the place in a list, by how often each came up."""
    places = np.arange(len(counts))
    total = int(counts.sum())
    mean = float(counts @ places) / total
    return float(counts @ (places - mean) ** 2) / total
