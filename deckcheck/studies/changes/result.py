"""Differences between two runs: settings, decks, and win rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from deckcheck.cards.changes import Change as CardChange
from deckcheck.findings import UsageError
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.formats.comparing import compare
from deckcheck.report.sections import Report, games_each, policies_of, warnings_of
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import (
    COUNT,
    PERCENT,
    POINTS,
    count,
    percent,
    points,
    ranged,
)
from deckcheck.sim.results.figures import Row, ends, rounded, win_rate
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.results.tidy import tidy
from deckcheck.sim.runs.directory import SimulationRun
from deckcheck.studies.changes.document import (
    ChangesDocument,
    RateChange,
    StandingChange,
)
from deckcheck.studies.changes.pairing import Change, PairedRuns
from deckcheck.studies.changes.standing import Standing, standings_of


@dataclass(frozen=True, repr=False)
class Changes(Tabular):
    """What differs between two runs, `rates` by how much they changed.

    `decks` are the mean win rates of decks whose games are not the same. `alone` is
    what was played in one run only; `before` and `after` are the two runs. `cards` are
    the cards and leaders that differ, in words, `standings` all decks if both runs
    ranked the same ones. `looks` is at how many looks all intervals hold.
    """

    settings: tuple[str, ...]
    rates: tuple[Change, ...]
    alone: tuple[str, ...]
    before: SimulationResult
    after: SimulationResult
    decks: tuple[Change, ...] = ()
    cards: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()
    looks: int = 1

    def is_known(self, margin: float) -> bool:
        """Whether what changed is known to half of its size, or less than `margin`.

        That is asked of decks, if they have means, or else of each win rate.
        """
        return all(change.is_known(margin) for change in self.decks or self.open)

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
        """What changed, in sentences: cards, then decks, then tables."""
        if self.cards:
            yield f"Changed: {', '.join(self.cards)}."
        if self.decks:
            yield change_sentence(self.decks, "deck")
        if self.open:
            yield change_sentence(self.open, "win rate")
        if not self.open:
            yield "Nothing can have changed: both runs had the same games."
        elif len(self.open) < len(self.rates):
            number = plural(len(self.rates) - len(self.open), "win rate")
            yield f"{number} cannot have changed: both runs had the same games there."
        if any(s.share_before != s.share_after for s in self.standings):
            before, after = (
                _mix({s.deck: getattr(s, name) for s in self.standings})
                for name in ("share_before", "share_after")
            )
            yield f"The best mix is {after}; it was {before}."

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
            "cards": list(self.cards),
            "standings": [_standing(standing) for standing in self.standings],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: each rate before and after, and the difference."""
        return [
            row
            for change in (*self.decks, *self.rates)
            for metric, figure in (
                ("win_rate_before", change.before),
                ("win_rate_after", change.after),
                ("difference", change.by),
            )
            for row in tidy(metric, figure, figure.games, *change.met)
        ]


def changes_between(before: SimulationRun, after: SimulationRun) -> Changes:
    """Return what changed from one run to another.

    Decks go by their names; where a single deck of each run is not in the other, one
    took the place of the other. Raises UsageError for runs that have nothing in common.
    """
    renamed = _renamed(before, after)
    old, new = before.result(), after.result()
    cards = changed_cards(old.changes, new.changes)
    settings = settings_between(before, after, renamed)
    return changes_of(old, new, settings, cards=cards, renamed=renamed)


def settings_between(
    before: SimulationRun,
    after: SimulationRun,
    renamed: Mapping[str, str] | None = None,
) -> list[str]:
    """Return what differs in how two runs were played, in words, the cards first.

    Decks of the later one may have been `renamed`.
    """
    old, new = (run.study.setting.format.changes for run in (before, after))
    return [
        *changed_cards(old, new),
        *_cards(before, after, renamed or {}),
        *after.file.differences(before.file),
    ]


def changes_of(
    before: SimulationResult,
    after: SimulationResult,
    settings: Sequence[str],
    *,
    cards: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    looks: int = 1,
) -> Changes:
    """Return what changed between two results, of which `settings` differ."""
    renamed = renamed or {}
    pairs = PairedRuns(before, after, renamed, looks)
    rates = pairs.rates()
    if not rates:
        raise UsageError(
            "These runs have no table of the same decks in common",
            "Compare runs in which decks have the same names",
        )
    return Changes(
        tuple(settings),
        tuple(rates),
        tuple(pairs.alone),
        before,
        after,
        tuple(pairs.decks()),
        tuple(card.partition(" ")[2] for card in cards),
        standings_of(before, after, renamed),
        looks,
    )


def format_differences(old: Format, new: Format) -> tuple[list[str], list[str]]:
    """What differs between two formats, in words, and the cards and leaders of it."""
    cards = [*changed_cards(old.changes, new.changes)]
    others = [
        f"{d.about} {quote(d.name)}: {d.new or 'none'}, not {d.old or 'none'}"
        for d in compare(old, new)
        if d.about not in ("card", "leader")
    ]
    names = [fmt.id for fmt in (old, new)]
    named = [] if names[0] == names[1] else [f"format is {names[1]}, not {names[0]}"]
    return [*cards, *others, *named], cards


def changes_report(changes: Changes) -> Report:
    """Return what changed as tables for a terminal."""
    tables = [standings_table(changes)] if changes.standings else []
    if changes.decks:
        tables.append(
            changes_table("Mean win rates of decks before and after", changes.decks)
        )
    tables.append(changes_table("Win rates before and after", changes.open))
    facts = tuple(("differs", setting) for setting in changes.settings)
    facts += tuple(("in one run only", deck) for deck in changes.alone)
    settings = facts or (("differs", "nothing: the settings are the same"),)
    shown = tuple(table for table in tables if table.rows)
    warnings = tuple(warnings_of(changes.after))
    return Report(
        shown, warnings, (*settings, *played_facts(changes)), tuple(changes.answers())
    )


def played_facts(changes: Changes) -> Iterator[tuple[str, str]]:
    """How both runs were played; what differs between them is said before."""
    both = changes.before, changes.after
    games = count(sum(run.games_played for run in both))
    for name, texts in (
        ("format", [f"{run.format}, snapshot {run.month}" for run in both]),
        ("policies", [policies_of([d.policy for d in run.decks]) for run in both]),
        ("games", [f"{games} in all, {games_each(run, run.games)}" for run in both]),
        ("seed", [str(run.seed) for run in both]),
        ("checksum", [run.checksum for run in both]),
        ("digest", [run.digest for run in both]),
    ):
        yield name, " and ".join(dict.fromkeys(texts))
    if changes.looks > 1:
        yield "intervals", f"hold at each of {changes.looks} looks (Bonferroni)"


def standings_table(changes: Changes) -> Table:
    """The decks by their places after the change."""
    has_mix = changes.standings[0].share_after is not None
    columns = (
        Column("deck"),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(PERCENT, "before"),
        *numbers(COUNT, "place before"),
        *(numbers(PERCENT, "in the best mix", "mix before") if has_mix else ()),
    )
    rows = tuple(
        (
            s.deck,
            s.after,
            s.before.value,
            s.place_before,
            *((s.share_after, s.share_before) if has_mix else ()),
        )
        for s in changes.standings
    )
    mix = "the best mix is a best guess, without an interval" if has_mix else None
    return Table("Standings", columns, rows, ranked=True, note=mix, before="before")


def _mix(shares: Mapping[str, float | None]) -> str:
    """The decks of a mix, the most frequent first."""
    named = sorted(shares.items(), key=lambda share: -(share[1] or 0))
    return ", ".join(f"{quote(name)} {percent(n)}" for name, n in named if n)


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


def change_sentence(changes: Sequence[Change], noun: str) -> str:
    """Return how many changed beyond doubt, and which one most of all."""
    if len(changes) == 1:
        [only] = changes
        size = f"{points(only.by.value)} points ({ranged(only.by.interval)})"
        before, after = percent(only.before.value), percent(only.after.value)
        doubt = "" if only.is_clear else ", which may be chance"
        return f"{quote(only.name)}: from {before} to {after}, by {size}{doubt}."
    clear = [change for change in changes if change.is_clear]
    number = plural(len(changes), noun)
    if not clear:
        return (
            f"No change beyond doubt, of {number}; the greatest is that of "
            f"{quote(changes[0].name)}, by {points(changes[0].by.value)} points "
            f"({ranged(changes[0].by.interval)})."
        )
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


def _standing(standing: Standing) -> StandingChange:
    return {
        "deck": standing.deck,
        "before": win_rate(standing.before),
        "after": win_rate(standing.after),
        "place_before": standing.place_before,
        "place_after": standing.place_after,
        "share_before": rounded(standing.share_before),
        "share_after": rounded(standing.share_after),
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


def changed_cards(
    before: Iterable[CardChange], after: Iterable[CardChange]
) -> list[str]:
    """The cards and leaders that sets made differ, of the old and of the new cards."""
    old, new = (
        {(change.about, change.record.id): change for change in changes}
        for changes in (before, after)
    )
    lines = []
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
            lines.append(f"{change.about} {quote(change.name)}: {words}")
    return lines


def _cards(
    before: SimulationRun, after: SimulationRun, renamed: Mapping[str, str]
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
