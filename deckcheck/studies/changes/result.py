"""What changed from one run to another: settings, decks, and win rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from deckcheck.findings import UsageError
from deckcheck.findings.json_text import document_head
from deckcheck.findings.words import plural, quote
from deckcheck.report.sections import Report, Table, percent
from deckcheck.sim.results.document import Data, Row
from deckcheck.sim.results.played import Performance
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.runs.directory import SimulationRun
from deckcheck.stats import (
    Estimate,
    anytime_score_interval,
    difference,
    mean_score_interval,
)

__all__ = ["Change", "Changes", "changes_between", "changes_report", "points"]

DOUBT = 0.05
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Change:
    """A rate in both runs; the intervals of all differences hold together."""

    name: str
    before: Estimate
    after: Estimate
    by: Estimate

    @property
    def is_clear(self) -> bool:
        """Whether chance alone does not explain it."""
        return not self.by.interval.low <= 0 <= self.by.interval.high


@dataclass(frozen=True)
class Changes:
    """What differs between two runs, `rates` by how much they changed.

    `alone` is what was played in one run only; `format`, with its month, and `digest`
    are those of the run that came later.
    """

    settings: tuple[str, ...]
    rates: tuple[Change, ...]
    alone: tuple[str, ...]
    format: str
    digest: str

    @cached_property
    def clear(self) -> tuple[Change, ...]:
        """The rates that changed beyond doubt."""
        return tuple(each for each in self.rates if each.is_clear)

    def answers(self) -> Iterator[str]:
        """What changed, in sentences."""
        number = plural(len(self.rates), "win rate")
        if not self.clear:
            yield f"No change beyond doubt, of {number}."
            return
        most = self.clear[0]
        yield (
            f"{len(self.clear)} of {number} changed beyond doubt, most of all "
            f"{quote(most.name)}: from {percent(most.before.value)} to "
            f"{percent(most.after.value)}, by {points(most.by.value)} points."
        )

    def to_dict(self) -> Data:
        """The changes as `deckcheck schema changes` describes them."""
        return {
            **document_head(),
            "answer": " ".join(self.answers()),
            "settings": list(self.settings),
            "alone": list(self.alone),
            "changes": [
                {
                    "name": each.name,
                    "before": _measured(each.before),
                    "after": _measured(each.after),
                    "difference": round(each.by.value, DIGITS),
                    "interval": [round(end, DIGITS) for end in each.by.interval],
                    "clear": each.is_clear,
                }
                for each in self.rates
            ],
        }

    def to_rows(self) -> list[Row]:
        """A flat row for each win rate."""
        return [
            {
                "name": each.name,
                **_flat("before", each.before),
                **_flat("after", each.after),
                **_flat("difference", each.by),
                "clear": int(each.is_clear),
            }
            for each in self.rates
        ]


def changes_between(before: SimulationRun, after: SimulationRun) -> Changes:
    """Return what changed from one run to another.

    Decks go by their names; where a single deck of each run is not in the other, one
    took the place of the other. Raises UsageError for runs that have nothing in common.
    """
    renamed = _renamed(before, after)
    old = {_name(key, {}): own for key, own in _rates(before.result())}
    new = {_name(key, renamed): own for key, own in _rates(after.result())}
    both = [name for name in old if name in new]
    if not both:
        raise UsageError(
            "These runs have no table of the same decks in common",
            "Compare runs in which decks have the same names",
        )
    level = 1 - DOUBT / len(both)
    found = []
    for name in both:
        by = difference(_at(new[name], level), _at(old[name], level))
        found.append(Change(name, _at(old[name]), _at(new[name]), by))
    found.sort(key=lambda change: -abs(change.by.value))
    alone = [name for name in (*old, *new) if not (name in old and name in new)]
    settings = [*after.file.differences(before.file), *_cards(before, after, renamed)]
    fmt = after.study.setting.format
    return Changes(
        tuple(settings),
        tuple(found),
        tuple(alone),
        f"{fmt.id} ({fmt.month})",
        fmt.digest,
    )


def changes_report(changes: Changes) -> Report:
    """Return what changed as tables for a terminal."""
    columns = ("", "before", "after", "difference", "interval")
    rows = tuple(
        (
            each.name,
            percent(each.before.value),
            percent(each.after.value),
            points(each.by.value),
            " to ".join(points(end) for end in each.by.interval),
        )
        for each in changes.rates
    )
    note = (
        "differences in points of the win rate; their intervals hold all together in "
        "95 of 100 runs, and are a little too wide where both runs share shuffles"
    )
    table = Table("Win rates before and after", columns, rows, note=note)
    facts = tuple(("differs", each) for each in changes.settings)
    facts += tuple(("in one run only", each) for each in changes.alone)
    settings = facts or (("differs", "nothing: the settings are the same"),)
    return Report((table,), (), settings, tuple(changes.answers()))


def points(value: float) -> str:
    """Return a difference of rates in points: `+1.9`."""
    return f"{100 * value:+.1f}"


def _measured(rate: Estimate) -> Data:
    ends = [round(end, DIGITS) for end in rate.interval]
    return {
        "games": rate.games,
        "win_rate": round(rate.value, DIGITS),
        "interval": ends,
    }


def _flat(name: str, found: Estimate) -> Row:
    low, high = (round(end, DIGITS) for end in found.interval)
    return {
        name: round(found.value, DIGITS),
        f"{name}_low": low,
        f"{name}_high": high,
    }


def _rates(result: SimulationResult) -> Iterator[tuple[tuple[str, ...], Performance]]:
    """The win rates of all tables; where two play, that of the first."""
    for table in result.tables:
        shown = 1 if len(table.entrants) == 2 else len(table.entrants)
        pairs = list(zip(table.entrants, table.performances, strict=True))
        for name, own in pairs[:shown]:
            others = [each for each in table.entrants if each != name]
            yield (name, *others), own


def _name(key: tuple[str, ...], renamed: dict[str, str]) -> str:
    first, *others = (renamed.get(name, name) for name in key)
    return f"{first} against {', '.join(others)}" if others else first


def _at(own: Performance, level: float = 1 - DOUBT) -> Estimate:
    """The win share with its interval at this level."""
    share = own.win_share
    assert share is not None
    interval_of = anytime_score_interval if own.anytime else mean_score_interval
    counts = [own.worth * count for count in own.scores]
    return replace(share, interval=interval_of(counts, level))


def _renamed(before: SimulationRun, after: SimulationRun) -> dict[str, str]:
    """The name that stands for that of a deck which took the place of another."""
    old = [deck.name for deck in before.file.decks]
    new = [deck.name for deck in after.file.decks]
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(gone) == 1 and len(come) == 1:
        return {come[0]: gone[0]}
    return {}


def _cards(
    before: SimulationRun, after: SimulationRun, renamed: dict[str, str]
) -> Iterator[str]:
    """The cards that decks of both runs have more or less of."""
    old = {deck.name: deck for deck in before.file.decks}
    database = after.study.setting.database
    for deck in after.file.decks:
        was = old.get(renamed.get(deck.name, deck.name))
        if was is None or was.cards == deck.cards:
            continue
        more = Counter(deck.cards)
        more.subtract(was.cards)
        told = [
            f"{count:+d} {database.cards[id].name if id in database.cards else id}"
            for id, count in sorted(more.items())
            if count
        ]
        yield f"cards of {quote(was.name)}: {', '.join(told)}"
