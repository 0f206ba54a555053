"""Figures as documents and rows have them: rounded, with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, overload

from deckcheck.stats import Estimate, Interval

if TYPE_CHECKING:
    from deckcheck.sim.results.run_document import Effect, MeanRate, WinRate

DIGITS = 6

Row: TypeAlias = dict[str, str | int | float | None]


class Figure(Protocol):
    """A value and its interval: an estimate, a difference."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...


@overload
def rounded(value: float, digits: int = DIGITS) -> float: ...
@overload
def rounded(value: float | None, digits: int = DIGITS) -> float | None: ...
def rounded(value: float | None, digits: int = DIGITS) -> float | None:
    """A figure with six digits after the point, or as many as `digits`."""
    return None if value is None else round(value, digits)


@overload
def ends(interval: Interval) -> list[float]: ...
@overload
def ends(interval: Interval | None) -> list[float] | None: ...
def ends(interval: Interval | None) -> list[float] | None:
    """The lower and the upper end, rounded."""
    return None if interval is None else [rounded(end) for end in interval]


def value_of(figure: Figure | None) -> float | None:
    """The value of a figure, rounded; None without one."""
    return None if figure is None else rounded(figure.value)


def ends_of(figure: Figure | None) -> list[float] | None:
    """The ends of a figure's interval, rounded; None without one."""
    return None if figure is None else ends(figure.interval)


def win_rate(rate: Estimate) -> WinRate:
    """A win rate as documents have it."""
    return {
        "games": rate.games,
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
    }


def mean_rate(rate: Estimate) -> MeanRate:
    """A mean of win rates as documents have it."""
    return {
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
        "games": rate.games,
    }


def effect(figure: Figure) -> Effect:
    """A difference of win rates as documents have it."""
    return {"difference": rounded(figure.value), "interval": ends(figure.interval)}


def low_high(interval: Interval) -> Row:
    """The ends of an interval as two cells of a row: `low`, `high`."""
    return {"low": rounded(interval.low), "high": rounded(interval.high)}
