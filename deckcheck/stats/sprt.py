"""The sequential probability ratio test of a difference in playing strength.

Scores take equally spaced values from 0 to 1: three for single games (lost, drawn,
won), five for mirrored pairs. Their distribution is not known, so that the ratio is
that of the two most likely distributions that have the strengths tested (a generalised
ratio). Error rates hold for counts that are large enough for that, not to the letter.

Source: A. Wald (1945), Sequential tests of statistical hypotheses, Annals of
Mathematical Statistics 16; M. Van den Bergh, The generalized SPRT, and its Normalized
Elo (2021), notes to the Fishtest framework.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt

UNSEEN = 1e-3  # the count of a score that has not come up, so that no ratio is infinite
MIDDLE = 0.5
PRECISION = 1e-12
MOST_STEPS = 200
NORMALISED = 800 / log(10)  # Elo for a lead of one standard deviation of a game


class EloScale(StrEnum):
    """What a lead in Elo is measured by."""

    LOGISTIC = "logistic"  # by the score that it leads to
    NORMALISED = "normalised"  # by the score in standard deviations of a single game


class Verdict(StrEnum):
    """What a sequential test has come to."""

    GOING = "going on"
    LOWER = "lower accepted"
    HIGHER = "higher accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test whether a lead is `elo0` or `elo1`, the larger of the two.

    `alpha` is the chance to find `elo1` where `elo0` holds, `beta` that of the reverse.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: EloScale = EloScale.LOGISTIC

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"{self.elo0} is not less than {self.elo1} Elo")
        if not (0 < self.alpha < MIDDLE and 0 < self.beta < MIDDLE):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0`, or `elo1`, is accepted."""
        return (
            log(self.beta / (1 - self.alpha)),
            log((1 - self.beta) / self.alpha),
        )

    def ratio(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of `elo1` to `elo0`; positive speaks for `elo1`.

        `counts[i]` is how often the score was `i / (len(counts) - 1)`.
        """
        if len(counts) < 2 or min(counts) < 0:
            raise ValueError(f"counts must be two or more, none negative: {counts}")
        if sum(counts) == 0:
            return 0.0
        seen = [count or UNSEEN for count in counts]
        lower, higher = (self._likeliest(seen, elo) for elo in (self.elo0, self.elo1))
        return sum(
            count * log(q / p) for count, p, q in zip(seen, lower, higher, strict=True)
        )

    def verdict(self, counts: Sequence[float]) -> Verdict:
        """Whether the test has come to an end with these counts."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        if ratio <= low:
            return Verdict.LOWER
        return Verdict.HIGHER if ratio >= high else Verdict.GOING

    def _likeliest(self, counts: Sequence[float], elo: float) -> list[float]:
        scores = [i / (len(counts) - 1) for i in range(len(counts))]
        if self.scale is EloScale.LOGISTIC:
            return _likeliest(counts, [x - score_of(elo) for x in scores])
        games = (len(counts) - 1) / 2
        return _likeliest_lead(counts, scores, elo / NORMALISED * sqrt(games))


def score_of(elo: float) -> float:
    """The score, from 0 to 1, that a lead in logistic Elo leads to."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """The lead in logistic Elo that leads to `score`, which lies between 0 and 1."""
    return 400 * log(score / (1 - score)) / log(10)


def _likeliest(counts: Sequence[float], values: Sequence[float]) -> list[float]:
    """The most likely distribution over `values` that has the mean 0.

    Its weights are `counts[i] / (n (1 + tilt values[i]))` for the one `tilt` that leads
    to this mean; all counts are positive, and there are values on both sides of 0.
    """
    n = sum(counts)
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(MOST_STEPS):
        tilt = (low + high) / 2
        if high - low <= PRECISION * (1 + abs(tilt)):
            break
        mean = sum(c * v / (1 + tilt * v) for c, v in zip(counts, values, strict=True))
        low, high = (tilt, high) if mean > 0 else (low, tilt)
    return [c / n / (1 + tilt * v) for c, v in zip(counts, values, strict=True)]


def _likeliest_lead(
    counts: Sequence[float], scores: Sequence[float], lead: float
) -> list[float]:
    """The most likely distribution whose mean is `lead` deviations above one half.

    That condition is made linear at the distribution found last, until it stays.
    """
    likeliest = [1 / len(counts)] * len(counts)
    for _ in range(MOST_STEPS):
        mean = sum(p * x for p, x in zip(likeliest, scores, strict=True))
        spread = sqrt(
            sum(p * (x - mean) ** 2 for p, x in zip(likeliest, scores, strict=True))
        )
        last = likeliest
        likeliest = _likeliest(
            counts,
            [
                x - MIDDLE - lead * spread / 2 * (1 + ((x - mean) / spread) ** 2)
                for x in scores
            ],
        )
        if max(abs(p - q) for p, q in zip(last, likeliest, strict=True)) < PRECISION:
            break
    return likeliest
