"""Differences between versions that played the same games, and when they are clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from deckcheck.playing.host.versions import ROTATION, Pair, Versions
from deckcheck.playing.tally import Ints
from deckcheck.sim.results.totals import table_result
from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    anytime_score_interval,
    mean_of,
    mean_score,
    mean_score_interval,
)
from deckcheck.stats.paired import (
    Joint,
    difference_counts,
    difference_interval,
    mean_difference,
    variance_ratio,
)

FIRST_CHECKPOINT = 256
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
    shares: Sequence[float] = (),
) -> Difference:
    """The difference over several opponents.

    They count by their `shares`, where there are any; without, each must have the same
    number of sets. `together` intervals hold jointly with a chance of 95 %
    (Bonferroni). A difference is called none when it is surely less than `margin`.
    """
    level = 1 - (1 - LEVEL) / together
    saved = variance_ratio(joints)
    if not _count_alike([int(joint.sum()) for joint in joints], shares):
        gains = [_score(difference_counts(joint)) for joint in joints]
        total = mean_of(gains, shares)
        low, high = total.interval(level)
        interval = Interval(2 * low - 1, 2 * high - 1)
        value = 2 * total.value - 1
        return Difference(*pair, value, interval, _verdict(interval, margin), saved)
    joint = sum(joints[1:], joints[0])
    interval = difference_interval(joint, level, anytime=anytime)
    value = mean_difference(joint)
    return Difference(*pair, value, interval, _verdict(interval, margin), saved)


def _count_alike(sets: Sequence[int], shares: Sequence[float]) -> bool:
    """Whether opponents count alike and have as many sets: then these are one."""
    return not shares or len(set(sets)) == len(set(shares)) == 1


def _score(counts: Sequence[int]) -> Combination:
    """The mean score of sets that came to it."""
    return Combination.of(Sample(tuple(counts), ROTATION * sum(counts)))


def every_pair(count: int) -> tuple[Pair, ...]:
    """All pairs of `count` versions."""
    return tuple(combinations(range(count), 2))


def looks(opponents: int, most: int) -> Iterator[int]:
    """The numbers of sets with each opponent after which to look, `most` at the end.

    Each is a quarter more than the one before.
    """
    sets = -(-FIRST_CHECKPOINT // opponents)
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


@dataclass(frozen=True, slots=True)
class Against:
    """How the versions did against one opponent, or against the field as a whole.

    There is a win rate for each version, and a difference for each two of them.
    """

    opponent: str | None
    win_rates: tuple[Estimate, ...]
    differences: tuple[Difference, ...]


NO_OPPONENTS = Against(None, (), ())


def against(
    opponent: str | None,
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    *,
    margin: float,
    anytime: bool,
    rows: int = 1,
    twins: Sequence[Pair] = (),
) -> Against:
    """The figures against one opponent by name, or over several; None is a field.

    Opponents count alike, so each must have the same number of sets. `margin` is the
    difference of win rates that does not matter. `anytime` is for games that were
    looked at before their end. Differences over a field hold together (Bonferroni),
    and so do those of `rows` rows, against one opponent each. `twins` are versions
    that are the same deck, whatever games leave room for.
    """
    own = [t.tallies(tally) for t, tally in zip(tables, tallies, strict=True)]
    return Against(
        opponent,
        tuple(
            win_rate_of([table[i] for table in own], anytime=anytime)
            for i in range(len(tables[0].tables))
        ),
        tuple(
            replace(difference, verdict=Verdict.SAME)
            if (difference.a, difference.b) in twins
            else difference
            for difference in differences(
                tables, tallies, margin=margin, anytime=anytime, rows=rows
            )
        ),
    )


def differences(
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    *,
    margin: float,
    anytime: bool,
    rows: int = 1,
) -> tuple[Difference, ...]:
    """The differences alone, as `against` has them."""
    pairs = tables[0].pairs
    joints = [t.joint(tally) for t, tally in zip(tables, tallies, strict=True)]
    return tuple(
        difference_of(
            pair,
            [joint[pair] for joint in joints],
            margin=margin,
            anytime=anytime,
            together=len(pairs) * rows,
        )
        for pair in pairs
    )


def win_rate_of(
    tallies: Sequence[Ints], *, anytime: bool, shares: Sequence[float] = ()
) -> Estimate:
    """The win rate of a version over all opponents, as `difference_of` counts them."""
    scores = [table_result(("", ""), tally).performances[0].scores for tally in tallies]
    if not _count_alike([sum(counts) for counts in scores], shares):
        return mean_of([_score(counts) for counts in scores], shares).estimate()
    counts = [sum(column) for column in zip(*scores, strict=True)]
    interval_of = anytime_score_interval if anytime else mean_score_interval
    return Estimate(mean_score(counts), interval_of(counts), ROTATION * sum(counts))
