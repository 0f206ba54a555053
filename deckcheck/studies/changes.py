"""The differences between two runs, and a field under two formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Unpack

from typing_extensions import TypedDict

from deckcheck.cards import Root
from deckcheck.documents.records import (
    Difference,
    DifferenceInterval,
    Tool,
    one_of,
)
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.formats.wording import changed_cards, compare
from deckcheck.markup import tool
from deckcheck.messages import check_range, option, plural, quote
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Notes, Page, PageFacts, Section, draw_forest
from deckcheck.report.tables import (
    COUNT,
    DIFFERENCE,
    PERCENT,
    WIN_RATE,
    Column,
    Report,
    ReportTable,
    count,
    describe_policies,
    difference_text,
    games_each,
    list_warnings,
    more_games,
    numbers,
    percent,
    whose_play,
)
from deckcheck.sim import COMPARE_MARGIN, MOST_GAMES
from deckcheck.sim.documents import ClaimDocument, WinRate
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Row,
    Tabular,
    document_of,
    effect,
    tidy,
)
from deckcheck.sim.jobs import Records
from deckcheck.sim.kept_runs import KeptRun, records_in_memory
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import SimulationRun, new_run
from deckcheck.sim.run_files import begin_series
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.standings import Standing as DeckStanding
from deckcheck.sim.standings import TableResult
from deckcheck.sim.study import RunOptions
from deckcheck.stats import (
    Estimate,
    Interval,
    Verdict,
    difference,
    mean_of,
    verdict_of,
)
from deckcheck.stats.intervals import level_of
from deckcheck.stats.regression import (
    GroupedDifference,
    grouped_difference,
    mean_of_grouped,
)
from deckcheck.studies.payoff import StandingShift, standings_of


class RateChange(TypedDict):
    """A win rate in both runs."""

    name: str
    """The deck, or the two decks that met."""
    before: WinRate
    """The win rate in the earlier run."""
    after: WinRate
    """The win rate in the later run."""
    difference: Difference
    """The win rate after less that before, -1 to 1."""
    interval: DifferenceInterval
    """The difference's interval, -1 to 1; all of them hold jointly in 95 %."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether the rate is better or worse after the change, or neither is clear."""
    same_games: bool
    """Whether both runs had the same games, with the same results."""


class ChangesDocument(TypedDict):
    """The output of `deckcheck report --compare --output-format json`.

    `deckcheck compare --new-format` prints it too.
    """

    schema_version: Literal[2]
    """The version of this document; 1 did not pair games of the same shuffles."""
    tool: Tool
    """The program that wrote this document."""
    answer: str
    """The answer in sentences."""
    claims: list[ClaimDocument]
    """What the answer says of figures, each with its verdict."""
    settings: list[str]
    """The settings, cards and decks that differ, in words."""
    alone: list[str]
    """The decks and tables that are in one of the runs only."""
    decks: list[RateChange]
    """The mean win rates of decks whose games differ."""
    changes: list[RateChange]
    """The win rates at each table, the largest change first."""
    cards: list[str]
    """The cards and leaders that differ, in words."""
    standings: list[StandingShift]
    """The decks by their later places; empty where not the same ones were ranked."""


# By how much win rates differ between two runs, paired where their shuffles are


@dataclass(frozen=True, slots=True)
class RunChange:
    """A rate in both runs; the intervals of all differences hold jointly.

    `deck` is whose rate it is, `opponent` who it met, ALL for a mean. `is_same` says
    that both runs had the same games with the same results, and could have no others;
    `is_paired` that they had the same shuffles.
    """

    deck: str
    opponent: str
    before: Estimate
    after: Estimate
    by: Estimate
    is_same: bool = False
    is_paired: bool = False

    @property
    def met(self) -> tuple[str, str]:
        """Who met whom."""
        return self.deck, self.opponent

    @property
    def name(self) -> str:
        """The same in words."""
        return self.deck if self.opponent == ALL else _shown(self.met)

    @property
    def verdict(self) -> Verdict:
        """Whether it became better or worse; equal only where games are the same."""
        return Verdict.EQUAL if self.is_same else verdict_of(self.by.interval)

    @property
    def is_clear(self) -> bool:
        """Whether it is better or worse for sure."""
        return self.verdict.is_sure

    def is_known(self, margin: float) -> bool:
        """Whether it is clearly less than `margin`, or known to half of its size."""
        low, high = self.by.interval
        if max(abs(low), abs(high)) <= margin:
            return True
        return self.is_clear and high - low <= max(2 * margin, abs(self.by.value))

    def to_dict(self) -> RateChange:
        """As documents have it."""
        by = effect(self.by)
        return document_of(RateChange, self, **by, same_games=self.is_same)


@dataclass(frozen=True)
class _Pair:
    """A table in both runs; `is_paired` says that its shuffles are the same.

    `is_untouched` says that nothing which differs between the runs can act there.
    """

    before: TableResult
    after: TableResult
    is_paired: bool
    is_untouched: bool

    @property
    def is_same(self) -> bool:
        """Whether the games had to be the same, and all that was counted is.

        Equal counts alone prove little: a changed card may not have been drawn.
        """
        is_same = self.is_paired and self.is_untouched
        return is_same and self.after.counted == self.before.counted

    def by(self, entrant: int) -> GroupedDifference:
        """By how much the share of an entrant differs, of runs that are paired."""
        assert self.before.groups is not None
        assert self.after.groups is not None
        before, after = self.before.groups[entrant], self.after.groups[entrant]
        full = len(self.before.performances[entrant].scores) - 1
        return grouped_difference(before, after, self.before.sets, full)

    def change(self, entrant: int, names: Sequence[str], level: float) -> RunChange:
        """What changed for an entrant; `names` are those of all."""
        others = [name for i, name in enumerate(names) if i != entrant]
        old = self.before.performances[entrant].share
        new = self.after.performances[entrant].share
        games = old.games + new.games
        if self.is_same:
            by = _nothing(games)
        elif self.is_paired:
            by = self.by(entrant).estimate(level, games)
        else:
            by = difference(new, old).estimate(level)
        return RunChange(
            names[entrant],
            ", ".join(others),
            old.estimate(),
            new.estimate(),
            by,
            self.is_same,
            self.is_paired,
        )


class PairedRuns:
    """Two runs of simulations; decks of the later one may have been `renamed`.

    On the decks that are `untouched` nothing can act that differs between the runs.
    Intervals hold at each of so many `looks`.
    """

    def __init__(
        self,
        before: SimulationResult,
        after: SimulationResult,
        renamed: Mapping[str, str],
        untouched: Collection[str] = (),
        looks: int = 1,
    ) -> None:
        self._before, self._after = before, after
        self._looks = looks
        self._renamed = renamed
        old = {self._names(t, {}): (i, t) for i, t in enumerate(before.tables)}
        new = {self._names(t, renamed): (i, t) for i, t in enumerate(after.tables)}
        self._pairs: dict[tuple[str, ...], _Pair] = {}
        for names, (i, was) in old.items():
            if names in new:
                j, now = new[names]
                alike = before.seed == after.seed and i == j
                is_paired = alike and _may_pair(was, now)
                is_untouched = {*names} <= {*untouched}
                self._pairs[names] = _Pair(was, now, is_paired, is_untouched)
        every = dict.fromkeys((*old, *new))
        self.alone = [_shown(n) for n in every if not (n in old and n in new)]

    def rates(self) -> list[RunChange]:
        """What changed at each table, most of all first; where two play, of the first.

        What had the same games is no part of the correction for their number.
        """
        open_ones = sum(not pair.is_same for pair in self._pairs.values())
        rates = []
        for names, pair in self._pairs.items():
            shown = 1 if len(names) == 2 else len(names)
            level = level_of(open_ones * shown * self._looks)
            rates += [pair.change(i, names, level) for i in range(shown)]
        return sorted(rates, key=lambda rate: -abs(rate.by.value))

    def decks(self) -> list[RunChange]:
        """What changed of the mean win rates of decks, if they met the same ones."""
        if self.alone or len(self._pairs) < 2:
            return []
        old = {standing.deck: standing for standing in self._before.standings()}
        new = {
            self._renamed.get(standing.deck, standing.deck): standing
            for standing in self._after.standings()
        }
        names = [name for name in old if name in new]
        open_ones = [n for n in names if not all(p.is_same for p in self._of(n))]
        level = level_of(len(open_ones) * self._looks)
        decks = [self._deck(name, old[name], new[name], level) for name in open_ones]
        return sorted(decks, key=lambda deck: -abs(deck.by.value))

    def change(
        self, deck: str, opponents: Collection[str] | None, level: float
    ) -> Estimate | None:
        """What changed of a deck's mean win rate against opponents, or against all.

        None where that was not played in both runs.
        """
        pairs = self._of(deck)
        if opponents is not None:
            met = [{deck, opponent} for opponent in opponents]
            pairs = [pair for pair in pairs if {*pair.before.entrants} in met]
        if not pairs:
            return None
        sides = [pair.before.entrants.index(deck) for pair in pairs]
        games = sum(pair.before.games + pair.after.games for pair in pairs)
        if all(pair.is_same for pair in pairs):
            return _nothing(games)
        if all(pair.is_paired for pair in pairs):
            parts = [pair.by(i) for pair, i in zip(pairs, sides, strict=True)]
            return mean_of_grouped(parts).estimate(level, games)
        was, now = (
            mean_of([t.performances[i].share for t, i in zip(run, sides, strict=True)])
            for run in ([p.before for p in pairs], [p.after for p in pairs])
        )
        return difference(now, was).estimate(level)

    def _deck(
        self, name: str, was: DeckStanding, now: DeckStanding, level: float
    ) -> RunChange:
        pairs = self._of(name)
        by = self.change(name, None, level)
        assert by is not None
        is_paired = all(pair.is_paired for pair in pairs)
        return RunChange(name, ALL, was.estimate, now.estimate, by, is_paired=is_paired)

    def _of(self, name: str) -> list[_Pair]:
        """The tables at which a deck met another one."""
        return [
            pair
            for names, pair in self._pairs.items()
            if name in names and len(set(names)) > 1
        ]

    def _names(self, table: TableResult, renamed: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(renamed.get(name, name) for name in table.entrants)


def _nothing(games: int) -> Estimate:
    """The difference of the same games."""
    return Estimate(0.0, Interval(0.0, 0.0), games)


def _may_pair(before: TableResult, after: TableResult) -> bool:
    """Whether as many sets were played in both, and counted in groups."""
    looked = any(own.anytime for own in (*before.performances, *after.performances))
    counted = before.groups is not None and after.groups is not None
    sizes = {(table.sets, table.games) for table in (before, after)}
    return counted and not looked and len(sizes) == 1


def _shown(names: Sequence[str]) -> str:
    first, *others = names
    return f"{first} against {', '.join(others)}" if others else first


# Differences between two runs: settings, decks, and win rates


@dataclass(frozen=True, repr=False)
class Changes(Tabular):
    """The differences between two runs, `before` and `after`, see `ChangesDocument`.

    `rates` are its changes. `looks` is at how many looks all intervals hold.
    """

    settings: tuple[str, ...]
    rates: tuple[RunChange, ...]
    alone: tuple[str, ...]
    before: SimulationResult
    after: SimulationResult
    decks: tuple[RunChange, ...] = ()
    cards: tuple[str, ...] = ()
    standings: tuple[StandingShift, ...] = ()
    looks: int = 1

    def is_known(self, margin: float) -> bool:
        """Whether what changed is known to half of its size, or less than `margin`.

        That is asked of decks, if they have means, or else of each win rate.
        """
        return all(change.is_known(margin) for change in self.decks or self.open)

    @cached_property
    def clear(self) -> tuple[RunChange, ...]:
        """The rates that clearly changed."""
        return tuple(rate for rate in self.rates if rate.is_clear)

    @cached_property
    def open(self) -> tuple[RunChange, ...]:
        """The rates of which both runs had not the same games."""
        return tuple(rate for rate in self.rates if not rate.is_same)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The changes that are named: of decks, and of win rates."""
        shown = [named_change(each) for each in (self.decks, self.open) if each]
        return tuple(Claim(each.name, "", each.by, each.verdict) for each in shown)

    @property
    def answer(self) -> str:
        """What changed, in sentences."""
        return " ".join(self.answers())

    def answers(self) -> Iterator[str]:
        """What changed, in sentences: cards, then decks, then tables."""
        if self.cards:
            yield f"Changed: {', '.join(self.cards)}."
        runs = self.before, self.after
        players = whose_play(deck.policy for run in runs for deck in run.decks)
        for changes, noun in ((self.decks, "deck"), (self.open, "win rate")):
            if changes:
                yield change_sentence(changes, noun, players)
                players = ""
        if not self.open:
            yield "Both runs played the same games, with the same results."
        elif len(self.open) < len(self.rates):
            same = len(self.rates) - len(self.open)
            number = f"{plural(same, 'win rate')} {'is' if same == 1 else 'are'}"
            yield f"{number} of the same games, with the same results in both runs."
        if any(s.share_before != s.share_after for s in self.standings):
            before, after = (
                _mix({s.deck: getattr(s, name) for s in self.standings})
                for name in ("share_before", "share_after")
            )
            yield f"The best mix is {after}; it was {before}."

    def to_dict(self) -> ChangesDocument:
        """The changes as `deckcheck schema changes` describes them."""
        return document_of(
            ChangesDocument,
            self,
            schema_version=2,
            tool=tool(),
            decks=[change.to_dict() for change in self.decks],
            changes=[change.to_dict() for change in self.rates],
        )

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
    untouched = untouched_between(before, after)
    return changes_of(
        old, new, settings, cards=cards, renamed=renamed, untouched=untouched
    )


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


def untouched_between(before: SimulationRun, after: SimulationRun) -> frozenset[str]:
    """Return the decks on which nothing that differs between two runs can act."""
    if before.file.tool != after.file.tool:
        return frozenset()
    return untouched_decks(before.study, after.study)


def untouched_decks(old: Simulation, new: Simulation) -> frozenset[str]:
    """Return the decks on which nothing that differs between two simulations can act.

    The rules of play are the same, and so are their players, leaders and cards; no card
    that decks do not hold, but other cards bring, has changed.
    """
    before, after = old.setting, new.setting
    rules = [
        (s.format.game, s.format.seating, s.format.options) for s in (before, after)
    ]
    was, now = ({**s.database.cards, **s.database.leaders} for s in (before, after))
    changed = {id for id in {*was, *now} if was.get(id) != now.get(id)}
    brought = {id for id, card in before.database.cards.items() if not card.deckable}
    if rules[0] != rules[1] or changed & brought:
        return frozenset()
    others = {entrant.name: _played(entrant) for entrant in new.entrants}
    return frozenset(
        entrant.name
        for entrant in old.entrants
        if others.get(entrant.name) == _played(entrant)
        and changed.isdisjoint(_played(entrant)[0])
    )


def _played(entrant: Entrant) -> tuple[Mapping[str | None, int], str | None, str]:
    """Cards and leader with their numbers, the faction and the player of a deck."""
    deck = entrant.deck
    cards: Counter[str | None] = Counter({deck.leader: 1})
    for held in (deck.counts(), deck.reserve_counts()):
        cards.update(held.elements())
    return cards, deck.faction, entrant.policy


def changes_of(
    before: SimulationResult,
    after: SimulationResult,
    settings: Sequence[str],
    *,
    cards: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    untouched: Collection[str] = (),
    looks: int = 1,
) -> Changes:
    """Return what changed between two results, of which `settings` differ.

    On the decks that are `untouched` none of that can act.
    """
    renamed = renamed or {}
    pairs = PairedRuns(before, after, renamed, untouched, looks)
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
    facts = [("differs", setting) for setting in changes.settings]
    facts += [("in one run only", deck) for deck in changes.alone]
    settings = facts or [("differs", "nothing: the settings are the same")]
    return Report(
        tuple(table for table in tables if table.rows),
        list_warnings(changes.after),
        (*settings, *played_facts(changes)),
        tuple(changes.answers()),
    )


def played_facts(changes: Changes) -> Iterator[tuple[str, str]]:
    """How both runs were played; what differs between them is said before."""
    both = changes.before, changes.after
    games = count(sum(run.games_played for run in both))
    for name, texts in (
        ("format", [f"{run.format}, snapshot {run.month}" for run in both]),
        (
            "policies",
            [describe_policies([d.policy for d in run.decks]) for run in both],
        ),
        ("games", [f"{games} in all, {games_each(run, run.games)}" for run in both]),
        ("seed", [str(run.seed) for run in both]),
        ("checksum", [run.checksum for run in both]),
        ("digest", [run.digest for run in both]),
    ):
        yield name, " and ".join(dict.fromkeys(texts))
    if changes.looks > 1:
        yield "intervals", f"hold at each of {changes.looks} looks (Bonferroni)"


def standings_table(changes: Changes) -> ReportTable:
    """The decks by their places after the change."""
    has_mix = changes.standings[0].share_after is not None
    columns = (
        Column("deck"),
        WIN_RATE,
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
    return ReportTable(
        "Standings", columns, rows, ranked=True, note=mix, before="before"
    )


def _mix(shares: Mapping[str, float | None]) -> str:
    """The decks of a mix, the most frequent first."""
    named = sorted(shares.items(), key=lambda share: -(share[1] or 0))
    return ", ".join(f"{quote(name)} {percent(n)}" for name, n in named if n)


def changes_table(title: str, changes: Sequence[RunChange]) -> ReportTable:
    """A row for each rate: before, after, and by how much it changed."""
    columns = (Column(""), *numbers(PERCENT, "before", "after"), DIFFERENCE)
    rows = tuple(
        (change.name, change.before, change.after, change.by) for change in changes
    )
    what = "are too wide where both runs share shuffles"
    if changes and all(change.is_paired for change in changes):
        what = "are those of the same shuffles in both runs"
    note = (
        "differences in points of the win rate; their intervals hold all together in "
        f"95 of 100 runs, and {what}"
    )
    return ReportTable(title, columns, rows, note=note)


def named_change(changes: Sequence[RunChange]) -> RunChange:
    """Return the largest clear change, or else the largest."""
    return next((change for change in changes if change.is_clear), changes[0])


def change_sentence(changes: Sequence[RunChange], noun: str, players: str = "") -> str:
    """Return how many clearly changed, which one most of all, and by whose play."""
    most, number = named_change(changes), plural(len(changes), noun)
    clear = sum(change.is_clear for change in changes)
    name, size = quote(most.name), f"from {percent(most.before.value)} to "
    size += f"{percent(most.after.value)}, by {difference_text(most.by)}"
    if not clear:
        more = more_games(most.by, most.by.games)
        which = f" or any of {number}" if len(changes) > 1 else ""
        return f"It is not clear whether {name}{which} changed: {size}{more}{players}."
    if len(changes) == 1:
        return f"{name}: {size}{players}."
    return f"{clear} of {number} changed, most of all {name}: {size}{players}."


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


# The page of what changed from one run to another


DECKS = "Difference in points of the mean win rate, the greatest first"
RATES = "Difference in points of the win rate, the greatest first"
STANDINGS = "Mean win rate after the change; even is 50 %"
MOST_NAMED = 2
NOTHING = "Nothing: the settings of both runs are the same."


def page_of_changes(changes: Changes) -> Page:
    """Return the page."""
    after, rates = changes.after, plural(len(changes.rates), "win rate")
    differs = Notes(changes.settings or (NOTHING,))
    sections = []
    if changes.standings:
        table = replace(standings_table(changes), title=STANDINGS)
        sections.append(Section("standings", "Standings", (draw_forest(table),)))
    sections += [
        Section(name, title, (draw_forest(changes_table(caption, changes_shown)),))
        for name, title, caption, changes_shown in (
            ("decks", "Decks", DECKS, changes.decks),
            ("rates", "Win rates", RATES, changes.open),
        )
        if changes_shown
    ]
    sections.append(Section("settings", "What differs", (differs,)))
    facts = PageFacts(tuple(played_facts(changes)))
    sections.append(Section("played", "How it was played", (facts,)))
    if changes.alone:
        alone = Section("alone", "In one run only", (Notes(changes.alone),))
        sections.append(alone)
    return Page(
        title=_title(changes),
        about=f"{after.format} ({after.month}) · {rates}",
        answers=tuple(changes.answers()),
        warnings=(),
        sections=tuple(sections),
        digest=after.digest,
    )


def _title(changes: Changes) -> str:
    """What differs, as far as a line can say it."""
    if not changes.cards:
        return "Before and after"
    if len(changes.cards) > MOST_NAMED:
        return f"{plural(len(changes.cards), 'changed card')}, before and after"
    return ", ".join(card.replace("`", "") for card in changes.cards)


CHANGES = Presentation[Changes](
    changes_report, lambda changes, _tool: page_of_changes(changes)
)


# The same decks under two formats: what a changed card or rule does to a field


BEFORE, AFTER = "before", "after"
FIRST_GAMES = 200
GROWTH = 4
LOOKS = 5


class KeptRuns(NamedTuple):
    """The folder that keeps both runs, and the cards that they play with."""

    folder: Path
    card_db: Root = None


@dataclass(frozen=True)
class FieldChange:
    """Decks that play under two formats, the same shuffles in both.

    `games` are those of every two decks; without a number they are played until each
    change is known, or is clearly less than `margin`, in points. At each of the LOOKS
    games are GROWTH times as many, and intervals hold at all of them (Bonferroni).
    Raises UsageError for decks that do not meet in the same way in both, and where
    nothing differs.
    """

    before: Simulation
    after: Simulation
    games: int | None = None
    margin: float = COMPARE_MARGIN
    place: KeptRuns | None = None
    kept: tuple[KeptRun[Simulation], KeptRun[Simulation]] | None = None

    def __post_init__(self) -> None:
        if self.games is not None:
            check_range("games", self.games, 1, MOST_GAMES)
        ways = [simulation.setting.format.seating for simulation in self._both]
        if ways[0] != ways[1]:
            raise UsageError(
                "The two formats are for different numbers of players",
                "Name two that seat decks in the same way",
            )
        old, new = (simulation.setting.format for simulation in self._both)
        if not any(compare(old, new)):
            raise UsageError(
                f"Nothing differs between {quote(old.id)} and {quote(new.id)}",
                f"Name a format with another card or rule for {option('new-format')}",
            )

    @property
    def _both(self) -> tuple[Simulation, Simulation]:
        return self.before, self.after

    def run(self, **options: Unpack[RunOptions]) -> Changes:
        """Play both, and return what changed; see `Study.run`."""
        old, new = (simulation.setting.format for simulation in self._both)
        settings, cards = format_differences(old, new)
        untouched = untouched_decks(*self._both)
        with ExitStack() as stack:
            records = self._records(stack)
            for games, looks in self._schedule():
                before = self.before.extended(games).run(records=records[0], **options)
                # The engine is loaded, or compiled, once.
                options.pop("while_compiling", None)
                after = self.after.extended(games).run(records=records[1], **options)
                changes = changes_of(
                    *(before, after, settings),
                    cards=cards,
                    untouched=untouched,
                    looks=looks,
                )
                if changes.is_known(self.margin / 100):
                    break
        return changes

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """The games of every two decks at each look, and how many looks there are."""
        if self.games is not None:
            yield self.games, 1
            return
        for look in range(LOOKS):
            yield FIRST_GAMES * GROWTH**look, LOOKS

    def _records(self, stack: ExitStack) -> list[Records]:
        """Return the records of each run: in a folder, in the cache, or in memory."""
        if self.kept is not None:
            return [stack.enter_context(run.open()) for run in self.kept]
        if self.place is None:
            return [records_in_memory(simulation) for simulation in self._both]
        folder, card_db = self.place
        begin_series(folder, [BEFORE, AFTER])
        most = [games for games, _ in self._schedule()][-1]
        runs = [
            new_run(folder / name, simulation.extended(most), card_db=card_db)
            for name, simulation in zip((BEFORE, AFTER), self._both, strict=True)
        ]
        for run in runs:
            stack.enter_context(run.kept_open())
        return [run.part for run in runs]
