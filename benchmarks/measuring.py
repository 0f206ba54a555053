"""Measuring: a figure and a reference loop in turns, and the median of the ratios."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.reference import compiled_rate, plain_rate

__all__ = ["COMPILED", "PLAIN", "Measurement", "Reference", "measure"]


@dataclass(frozen=True, slots=True)
class Reference:
    """What to compare with: its name, and how to measure it."""

    name: str
    measure: Callable[[], float]


COMPILED = Reference("compiled loop", compiled_rate)
PLAIN = Reference("plain loop", plain_rate)


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
    reference: str
    reference_value: float
    ratio: float
    spread: float
    rounds: int


def measure(
    name: str,
    unit: str,
    figure: Callable[[], float],
    reference: Reference,
    rounds: int,
) -> Measurement:
    """Measure `figure` in `rounds` rounds, the reference before and after each."""
    before = reference.measure()
    values, references, ratios = [], [], []
    for _ in range(rounds):
        value = figure()
        after = reference.measure()
        beside = (before + after) / 2
        values.append(value)
        references.append(beside)
        ratios.append(_ratio(value, unit, beside))
        before = after
    return Measurement(
        name=name,
        value=median(values),
        unit=unit,
        reference=reference.name,
        reference_value=median(references),
        ratio=median(ratios),
        spread=max(ratios) / min(ratios),
        rounds=rounds,
    )


def _ratio(value: float, unit: str, reference: float) -> float:
    if unit.endswith("/s"):
        return value / reference * 1e6
    if unit == "s":
        return value * reference / 1e6
    return value / reference
