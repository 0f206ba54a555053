"""Finding the order of several by their mean scores: who is settled, who is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deckcheck.stats.intervals import Interval
from deckcheck.stats.sequences import anytime_score_interval


@dataclass(slots=True)
class Elimination:
    """Successive elimination of those whose place in the order is settled.

    Each of `names` has scores; at each look the counts of those that are not settled
    are given. One is settled as soon as its interval meets that of no other one. The
    intervals hold at all times and for all of them together, so that with a chance of
    at least `level` every order that follows from settled places is the true one, no
    matter when one looks or stops.

    Source: R. Heckel, N. B. Shah, K. Ramchandran and M. J. Wainwright (2019), Active
    ranking from pairwise comparisons and when parametric assumptions do not help,
    Annals of Statistics 47.
    """

    names: Sequence[str]
    level: float = 0.95
    intervals: dict[str, Interval] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    @property
    def open(self) -> list[str]:
        """Those whose place is not settled, in the order of `names`."""
        return [name for name in self.names if name not in self.settled]

    def look(self, counts: Mapping[str, Sequence[float]]) -> None:
        """Take note of all counts so far of those in `open`.

        `counts[name][i]` is how often the score was `i / (len(counts[name]) - 1)`.
        """
        level = 1 - (1 - self.level) / len(self.names)
        for name in self.open:
            self.intervals[name] = anytime_score_interval(counts[name], level)
        for name in self.open:
            others = (self.intervals[other] for other in self.names if other != name)
            if not _meets_any(self.intervals[name], others):
                self.settled.add(name)


def _meets_any(interval: Interval, others: Iterable[Interval]) -> bool:
    low, high = interval
    return any(low <= other.high and other.low <= high for other in others)
