"""Many tests at once: how many of those that look sure are chance."""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.95


def level_of(count: int) -> float:
    """The level of each of `count` intervals that hold together in 95 of 100 cases.

    Source: C. E. Bonferroni (1936), Teoria statistica delle classi e calcolo delle
    probabilita.
    """
    return 1 - (1 - LEVEL) / max(1, count)


def benjamini_hochberg(chances: Sequence[float]) -> list[float]:
    """The false discovery rate at which each test would just be called sure.

    `chances` are p-values. Of the tests with a rate of at most 5 %, no more than 5 %
    are expected to be chance.

    Source: Y. Benjamini and Y. Hochberg (1995), Controlling the false discovery rate:
    a practical and powerful approach to multiple testing, Journal of the Royal
    Statistical Society B 57.
    """
    order = sorted(range(len(chances)), key=lambda i: chances[i], reverse=True)
    rates = [0.0] * len(chances)
    lowest = 1.0
    for rank, i in zip(range(len(chances), 0, -1), order, strict=True):
        lowest = min(lowest, chances[i] * len(chances) / rank)
        rates[i] = lowest
    return rates
