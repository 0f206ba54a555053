"""Measuring: a figure and a reference loop in turns, and the median of the ratios."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.reference import compiled_rate, plain_rate

__all__ = ["COMPILED", "PLAIN", "Figure", "Measurement", "measure"]

COMPILED, PLAIN = compiled_rate, plain_rate


@dataclass(frozen=True, slots=True)
class Figure:
    """What is measured: its name, and in `unit` a speed, or a time in `s` of CPU.

    `prepare` takes how many seconds to measure for, and returns what is then measured
    again and again beside the loop `reference`. What takes long is measured `once`.
    """

    name: str
    unit: str
    prepare: Callable[[float], Callable[[], float]]
    reference: Callable[[], float] = PLAIN
    once: bool = False


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure with its reference: medians over the rounds of a run.

    `ratio` may be compared between days. For figures per second it is per million steps
    of the reference loop; for seconds it is how many million steps the loop would have
    made in that time; for speed-ups it is the share of what the loop gains. `spread` is
    the largest ratio of the rounds divided by the smallest: 1.0 is a quiet machine.
    """

    name: str
    value: float
    unit: str
    ratio: float
    spread: float


def measure(figure: Figure, rounds: int, seconds: float) -> Measurement:
    """Measure a figure in some rounds, the reference before and after each."""
    value_of = figure.prepare(seconds)
    before = figure.reference()
    values, ratios = [], []
    for _ in range(1 if figure.once else rounds):
        values.append(value_of())
        after = figure.reference()
        ratios.append(_ratio(values[-1], figure.unit, (before + after) / 2))
        before = after
    spread = max(ratios) / min(ratios)
    return Measurement(figure.name, median(values), figure.unit, median(ratios), spread)


def _ratio(value: float, unit: str, reference: float) -> float:
    if unit.endswith("/s"):
        return value / reference * 1e6
    return value * reference / 1e6 if unit == "s" else value / reference
