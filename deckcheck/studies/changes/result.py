"""Differences between two runs: settings, decks, and win rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from deckcheck.cards.changes import Change as CardChange
from deckcheck.findings import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote
from deckcheck.report.sections import Report
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import PERCENT, POINTS, percent, points
from deckcheck.sim.results.figures import Row, cells, ends, rounded, win_rate
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.runs.directory import SimulationRun
from deckcheck.studies.changes.document import ChangesDocument, RateChange
from deckcheck.studies.changes.pairing import Change, PairedRuns


@dataclass(frozen=True, repr=False)
class Changes(Tabular):
    """What differs between two runs, `rates` by how much they changed.

    `decks` are the mean win rates of decks whose games are not the same. `alone` is
    what was played in one run only; `format`, with its month, and `digest` are those of
    the run that came later.
    """

    settings: tuple[str, ...]
    rates: tuple[Change, ...]
    alone: tuple[str, ...]
    format: str
    digest: str
    decks: tuple[Change, ...] = ()

    @cached_property
    def clear(self) -> tuple[Change, ...]:
        """The rates that changed beyond doubt."""
        return tuple(rate for rate in self.rates if rate.is_clear)

    @cached_property
    def open(self) -> tuple[Change, ...]:
        """The rates of which both runs had not the same games."""
        return tuple(rate for rate in self.rates if not rate.is_same)

    @property
    def answer(self) -> str:
        """What changed, in sentences."""
        return " ".join(self.answers())

    def answers(self) -> Iterator[str]:
        """What changed, in sentences: decks first, then tables."""
        if self.decks:
            yield _sentence(self.decks, "deck")
        if self.open:
            yield _sentence(self.open, "win rate")
        if len(self.open) < len(self.rates):
            number = plural(len(self.rates) - len(self.open), "win rate")
            yield f"{number} cannot have changed: both runs had the same games there."

    def to_dict(self) -> ChangesDocument:
        """The changes as `deckcheck schema changes` describes them."""
        return {
            "schema_version": 2,
            "tool": tool(),
            "answer": " ".join(self.answers()),
            "settings": list(self.settings),
            "alone": list(self.alone),
            "decks": [_change(deck) for deck in self.decks],
            "changes": [_change(rate) for rate in self.rates],
        }

    def to_rows(self) -> list[Row]:
        """A flat row for each win rate."""
        return [
            {
                "name": rate.name,
                **cells("before", rate.before),
                **cells("after", rate.after),
                **cells("difference", rate.by),
                "clear": int(rate.is_clear),
            }
            for rate in self.rates
        ]


def changes_between(before: SimulationRun, after: SimulationRun) -> Changes:
    """Return what changed from one run to another.

    Decks go by their names; where a single deck of each run is not in the other, one
    took the place of the other. Raises UsageError for runs that have nothing in common.
    """
    renamed = _renamed(before, after)
    pairs = PairedRuns(before.result(), after.result(), renamed)
    rates = pairs.rates()
    if not rates:
        raise UsageError(
            "These runs have no table of the same decks in common",
            "Compare runs in which decks have the same names",
        )
    settings = [
        *after.file.differences(before.file),
        *_changed_cards(before, after),
        *_cards(before, after, renamed),
    ]
    fmt = after.study.setting.format
    return Changes(
        tuple(settings),
        tuple(rates),
        tuple(pairs.alone),
        f"{fmt.id} ({fmt.month})",
        fmt.digest,
        tuple(pairs.decks()),
    )


def changes_report(changes: Changes) -> Report:
    """Return what changed as tables for a terminal."""
    tables = []
    if changes.decks:
        tables.append(
            changes_table("Mean win rates of decks before and after", changes.decks)
        )
    tables.append(changes_table("Win rates before and after", changes.open))
    facts = tuple(("differs", setting) for setting in changes.settings)
    facts += tuple(("in one run only", deck) for deck in changes.alone)
    settings = facts or (("differs", "nothing: the settings are the same"),)
    shown = tuple(table for table in tables if table.rows)
    return Report(shown, (), settings, tuple(changes.answers()))


def _note(changes: Sequence[Change]) -> str:
    """What the intervals of several differences hold for."""
    note = (
        "differences in points of the win rate; their intervals hold all together in "
        "95 of 100 runs"
    )
    if changes and all(change.is_paired for change in changes):
        return f"{note}, and are those of the same shuffles in both runs"
    return f"{note}, and are too wide where both runs share shuffles"


def changes_table(title: str, changes: Sequence[Change]) -> Table:
    """A row for each rate: before, after, and by how much it changed."""
    columns = (
        Column(""),
        *numbers(PERCENT, "before", "after"),
        Column("difference", POINTS, "interval"),
    )
    rows = tuple(
        (change.name, change.before.value, change.after.value, change.by)
        for change in changes
    )
    return Table(title, columns, rows, note=_note(changes))


def _sentence(changes: Sequence[Change], noun: str) -> str:
    """How many changed beyond doubt, and which one most of all."""
    clear = [change for change in changes if change.is_clear]
    number = plural(len(changes), noun)
    if not clear:
        return f"No change beyond doubt, of {number}."
    most = clear[0]
    return (
        f"{len(clear)} of {number} changed beyond doubt, most of all "
        f"{quote(most.name)}: from {percent(most.before.value)} to "
        f"{percent(most.after.value)}, by {points(most.by.value)} points."
    )


def _change(change: Change) -> RateChange:
    return {
        "name": change.name,
        "before": win_rate(change.before),
        "after": win_rate(change.after),
        "difference": rounded(change.by.value),
        "interval": ends(change.by.interval),
        "clear": change.is_clear,
        "same_games": change.is_same,
    }


def _renamed(before: SimulationRun, after: SimulationRun) -> dict[str, str]:
    """The name that stands for that of a deck which took the place of another."""
    old = [deck.name for deck in before.file.decks]
    new = [deck.name for deck in after.file.decks]
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(gone) == 1 and len(come) == 1:
        return {come[0]: gone[0]}
    return {}


def _changed_cards(before: SimulationRun, after: SimulationRun) -> Iterator[str]:
    """The cards and leaders that sets made differ between the runs, old and new."""
    old, new = (
        {(change.about, change.record.id): change for change in run.result().changes}
        for run in (before, after)
    )
    for key in dict.fromkeys((*old, *new)):
        was = old[key].now if key in old else new[key].was
        now = new[key].now if key in new else old[key].was
        if was is None and now is None:
            continue
        change = CardChange(was, now, "", is_own=True)
        words = change.in_words
        if was is None or now is None:
            words = "new" if was is None else "left out"
        if words:
            yield f"{change.about} {quote(change.name)}: {words}"


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
        swaps = [
            f"{count:+d} {database.cards[id].name if id in database.cards else id}"
            for id, count in sorted(more.items())
            if count
        ]
        yield f"cards of {quote(was.name)}: {', '.join(swaps)}"
