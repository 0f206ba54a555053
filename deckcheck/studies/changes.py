"""The differences between two runs, and a field under two formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple, Unpack

from deckcheck.cards import Root
from deckcheck.documents.records import ShownAs, Tool, one_of
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.formats.wording import changed_cards, compare
from deckcheck.markup import tool
from deckcheck.messages import check_range, option, plural, quote
from deckcheck.policies.registry import policy_label
from deckcheck.report.blocks import Notes, PageFacts, draw_forest
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Page, Section
from deckcheck.report.tables import (
    COUNT,
    DIFFERENCE_COLUMN,
    PERCENT,
    WIN_RATE,
    Cell,
    Column,
    Report,
    ReportTable,
    advise_games,
    count,
    describe_policies,
    games_each,
    list_warnings,
    numbers,
    percent,
    points,
    ranged,
)
from deckcheck.sim import COMPARE_MARGIN, MAX_GAMES
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import ALL, Claim, Row, Tabular, tidy
from deckcheck.sim.jobs import Records
from deckcheck.sim.kept_runs import KeptRun, records_in_memory
from deckcheck.sim.records import EFFECT_BESIDE, Rate, Record, ShownClaim
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import SimulationRun, new_run
from deckcheck.sim.run_files import begin_series
from deckcheck.sim.scheduler import Progress, Watch
from deckcheck.sim.simulation import Simulation, usual_games_each
from deckcheck.sim.standings import Standing as DeckStanding
from deckcheck.sim.standings import TableResult
from deckcheck.sim.study import RunOptions
from deckcheck.stats import (
    Estimate,
    Interval,
    Verdict,
    average,
    difference,
    find_verdict,
)
from deckcheck.stats.combinations import (
    GroupedDifference,
    average_grouped,
    grouped_difference,
)
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.payoff import StandingShift, compare_standings

VerdictWord = Annotated[Verdict, ShownAs(Annotated[str, one_of(Verdict)])]

# Differences of win rates between two runs, paired where their shuffles are


@dataclass(frozen=True, slots=True)
class RunChange(Record):
    """A win rate in both runs."""

    KEYS = ("name", "before", "after", "by", "verdict", "same_games")
    deck: str
    """The deck whose rate it is."""
    opponent: str
    """The deck or decks that it met, ALL for a mean."""
    before: Rate
    """The win rate in the earlier run."""
    after: Rate
    """The win rate in the later run."""
    by: Annotated[Estimate, EFFECT_BESIDE]
    """The win rate after less that before; all intervals of a table are simultaneous.
    """
    same_games: bool = False
    """Whether both runs had the same games, with the same results."""
    is_paired: bool = False
    """Whether both runs had the same shuffles."""

    @property
    def name(self) -> str:
        """The deck, or the two decks that met."""
        if self.opponent == ALL:
            return self.deck
        return f"{self.deck} against {self.opponent}"

    @property
    def quoted_name(self) -> str:
        """The name as a sentence has it."""
        if self.opponent == ALL:
            return quote(self.deck)
        return f"{quote(self.deck)} against {quote(self.opponent)}"

    @property
    def verdict(self) -> VerdictWord:
        """Whether the rate is better or worse after the change, or neither is clear."""
        return Verdict.EQUAL if self.same_games else find_verdict(self.by.interval)

    @property
    def is_clear(self) -> bool:
        """Whether it is better or worse for sure."""
        return self.verdict.is_sure

    def is_known(self, margin: float) -> bool:
        """Report whether it is less than `margin`, or known to half of its size."""
        low, high = self.by.interval
        if max(abs(low), abs(high)) <= margin:
            return True
        return self.is_clear and high - low <= max(2 * margin, abs(self.by.value))


@dataclass(frozen=True)
class _Pair:
    """A table in both runs."""

    before: TableResult
    after: TableResult
    is_paired: bool
    """Whether the shuffles of both are the same."""
    is_untouched: bool
    """Whether no difference between the runs can act here."""

    @property
    def is_same(self) -> bool:
        """Whether the games had to be the same, and all that was counted is.

        Equal counts alone prove little: a changed card may not have been drawn.
        """
        is_same = self.is_paired and self.is_untouched
        return is_same and self.after.counted == self.before.counted

    def difference(self, entrant: int) -> GroupedDifference:
        """Return the difference of an entrant's shares, if the runs are paired."""
        assert self.before.groups is not None
        assert self.after.groups is not None
        before, after = self.before.groups[entrant], self.after.groups[entrant]
        full = len(self.before.performances[entrant].scores) - 1
        return grouped_difference(before, after, self.before.sets, full)

    def change(self, entrant: int, names: Sequence[str], level: float) -> RunChange:
        """Return the change for an entrant. `names` are the names of all entrants."""
        opponents = [name for i, name in enumerate(names) if i != entrant]
        old = self.before.performances[entrant].share
        new = self.after.performances[entrant].share
        games = old.games + new.games
        if self.is_same:
            by = _make_zero_difference(games)
        elif self.is_paired:
            by = self.difference(entrant).estimate(level, games)
        else:
            by = difference(new, old).estimate(level)
        return RunChange(
            names[entrant],
            ", ".join(opponents),
            old.estimate(),
            new.estimate(),
            by,
            self.is_same,
            self.is_paired,
        )


class PairedRuns:
    """Two runs of simulations; decks of the later run may have been `renamed`.

    On the decks that are `untouched` no difference between the runs can act.
    Intervals hold at each of the `checkpoints`.
    """

    def __init__(
        self,
        before: SimulationResult,
        after: SimulationResult,
        renamed: Mapping[str, str],
        untouched: Collection[str] = (),
        checkpoints: int = 1,
    ) -> None:
        self._before, self._after = before, after
        self._checkpoints = checkpoints
        self._renamed = renamed
        old = _index_tables(before, {})
        new = _index_tables(after, renamed)
        self._pairs: dict[tuple[str, ...], _Pair] = {}
        self.alone: list[str] = []
        for names in dict.fromkeys((*old, *new)):
            if names not in old or names not in new:
                self.alone.append(_describe_table(names))
                continue
            (old_index, was), (new_index, now) = old[names], new[names]
            has_same_shuffles = before.seed == after.seed and old_index == new_index
            is_paired = has_same_shuffles and _are_pairable(was, now)
            is_untouched = set(names) <= set(untouched)
            self._pairs[names] = _Pair(was, now, is_paired, is_untouched)

    def rates(self) -> list[RunChange]:
        """Return the changes at each table, the largest first.

        Of a table of two decks that is the change of the first deck. Changes with the
        same games are not part of the correction for their number.
        """
        open_pairs = sum(not pair.is_same for pair in self._pairs.values())
        rates = []
        for names, pair in self._pairs.items():
            shown = 1 if len(names) == 2 else len(names)
            level = joint_level(open_pairs * shown * self._checkpoints)
            rates += [pair.change(i, names, level) for i in range(shown)]
        return sorted(rates, key=lambda rate: -abs(rate.by.value))

    def decks(self) -> list[RunChange]:
        """Return the changes of mean win rates of decks, if they met the same decks."""
        if self.alone or len(self._pairs) < 2:
            return []
        new = {
            self._renamed.get(standing.deck, standing.deck): standing
            for standing in self._after.standings()
        }
        standings = []
        for standing in self._before.standings():
            name = standing.deck
            if name in new and not all(p.is_same for p in self._find_pairs(name)):
                standings.append((name, standing, new[name]))
        level = joint_level(len(standings) * self._checkpoints)
        decks = [self._change_deck(*standing, level) for standing in standings]
        return sorted(decks, key=lambda deck: -abs(deck.by.value))

    def change(
        self, deck: str, opponents: Collection[str] | None, level: float
    ) -> Estimate | None:
        """Return the change of a deck's mean win rate against opponents, or all.

        None if that was not played in both runs.
        """
        pairs = self._find_pairs(deck)
        if opponents is not None:
            wanted = [{deck, opponent} for opponent in opponents]
            pairs = [pair for pair in pairs if {*pair.before.entrants} in wanted]
        if not pairs:
            return None
        games = sum(pair.before.games + pair.after.games for pair in pairs)
        if all(pair.is_same for pair in pairs):
            return _make_zero_difference(games)
        seated = [(pair, pair.before.entrants.index(deck)) for pair in pairs]
        if all(pair.is_paired for pair in pairs):
            parts = [pair.difference(entrant) for pair, entrant in seated]
            return average_grouped(parts).estimate(level, games)
        was = average([pair.before.performances[i].share for pair, i in seated])
        now = average([pair.after.performances[i].share for pair, i in seated])
        return difference(now, was).estimate(level)

    def _change_deck(
        self, name: str, was: DeckStanding, now: DeckStanding, level: float
    ) -> RunChange:
        pairs = self._find_pairs(name)
        by = self.change(name, None, level)
        assert by is not None
        is_paired = all(pair.is_paired for pair in pairs)
        return RunChange(name, ALL, was.estimate, now.estimate, by, is_paired=is_paired)

    def _find_pairs(self, name: str) -> list[_Pair]:
        """Return the tables at which a deck met a different deck."""
        return [
            pair
            for names, pair in self._pairs.items()
            if name in names and len(set(names)) > 1
        ]


def _index_tables(
    result: SimulationResult, renamed: Mapping[str, str]
) -> dict[tuple[str, ...], tuple[int, TableResult]]:
    """Return the tables of a result with their places, by the names of their decks."""
    tables = {}
    for index, table in enumerate(result.tables):
        names = tuple(renamed.get(name, name) for name in table.entrants)
        tables[names] = (index, table)
    return tables


def _make_zero_difference(games: int) -> Estimate:
    """Return the difference of the same games."""
    return Estimate(0.0, Interval(0.0, 0.0), games)


def _are_pairable(before: TableResult, after: TableResult) -> bool:
    """Report whether as many sets were played in both, and counted in groups."""
    performances = (*before.performances, *after.performances)
    has_checkpoints = any(performance.anytime for performance in performances)
    is_grouped = before.groups is not None and after.groups is not None
    sizes = {(table.sets, table.games) for table in (before, after)}
    return is_grouped and not has_checkpoints and len(sizes) == 1


def _describe_table(names: Sequence[str]) -> str:
    first, *others = names
    return f"{first} against {', '.join(others)}" if others else first


# Differences between two runs: settings, decks, and win rates


@dataclass(frozen=True, repr=False)
class Changes(Tabular, Record):
    """The output of `deckcheck report --compare --output-format json`.

    `deckcheck compare --new-format` prints it too.
    """

    KEYS = tuple(
        """
        schema_version tool answer claims settings alone decks changes cards
        standings
        """.split()
    )
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 did not pair games of the same shuffles."""
    settings: tuple[str, ...]
    """The settings, cards and decks that differ, in words."""
    rates: tuple[RunChange, ...]
    alone: tuple[str, ...]
    """The decks and tables that are in one of the runs only."""
    before: SimulationResult
    after: SimulationResult
    decks: tuple[RunChange, ...] = ()
    """The mean win rates of decks whose games differ."""
    cards: tuple[str, ...] = ()
    """The cards and leaders that differ, in words."""
    standings: tuple[StandingShift, ...] = ()
    """The decks by their later places; empty where not the same ones were ranked."""
    checkpoints: int = 1
    """The number of checkpoints at which all intervals hold."""

    @property
    def tool(self) -> Tool:
        """The program that wrote this document."""
        return tool()

    @property
    def changes(self) -> tuple[RunChange, ...]:
        """The win rates at each table, the largest change first."""
        return self.rates

    def is_known(self, margin: float) -> bool:
        """Report whether all are less than `margin`, or known to half of their size.

        These are the changes of decks, if they have means, or else of all tables.
        """
        return all(change.is_known(margin) for change in self.decks or self.open)

    @cached_property
    def clear(self) -> tuple[RunChange, ...]:
        """The rates that clearly changed."""
        return tuple(rate for rate in self.rates if rate.is_clear)

    @cached_property
    def open(self) -> tuple[RunChange, ...]:
        """The rates whose games were not the same in both runs."""
        return tuple(rate for rate in self.rates if not rate.same_games)

    @property
    def claims(self) -> tuple[ShownClaim, ...]:
        """What the answer says of figures, each with its verdict."""
        shown = [find_main_change(each) for each in (self.decks, self.open) if each]
        return tuple(Claim(each.name, "", each.by, each.verdict) for each in shown)

    @property
    def answer(self) -> str:
        """The answer in sentences."""
        return " ".join(self.answers())

    def answers(self) -> Iterator[str]:
        """Yield the answer in paragraphs: changed cards, decks, tables, best mix."""
        if self.cards:
            yield f"Changed: {', '.join(self.cards)}."
        runs = (self.before, self.after)
        noun = "matchup" if all(", " not in r.opponent for r in self.rates) else "seat"
        if self.decks:
            yield describe_changes(self.decks, "deck", runs)
        if self.open:
            yield describe_changes(self.open, noun, runs, advises=not self.decks)
        same = len(self.rates) - len(self.open)
        if not self.open:
            yield "Both runs played the same games, with the same results."
        elif same:
            number = plural(same, noun)
            yield f"{number} had the same games with the same results in both runs."
        if any(s.share_before != s.share_after for s in self.standings):
            now = _describe_mix({s.deck: s.share_after for s in self.standings})
            was = _describe_mix({s.deck: s.share_before for s in self.standings})
            yield f"The best mix of decks is now {now}; before it was {was}."
        bots = {deck.policy for run in runs for deck in run.decks}
        if self.open and len(bots) == 1:
            yield f"All decks were piloted by {quote(policy_label(bots.pop()))}."

    def to_rows(self) -> list[Row]:
        """Return tidy rows: each rate before and after, and the difference."""
        rows: list[Row] = []
        for change in (*self.decks, *self.rates):
            figures = {
                "win_rate_before": change.before,
                "win_rate_after": change.after,
                "difference": change.by,
            }
            for metric, figure in figures.items():
                names = (change.deck, change.opponent)
                rows += tidy(metric, figure, figure.games, *names)
        return rows


def changes_between(before: SimulationRun, after: SimulationRun) -> Changes:
    """Return the changes from one run to another.

    Decks are matched by their names. A single deck that is in the later run alone takes
    the place of the single deck that is in the earlier run alone. Raises UsageError for
    runs that have nothing in common.
    """
    renamed = _find_renamed(before, after)
    old, new = before.result(), after.result()
    cards = changed_cards(old.changes, new.changes)
    settings = settings_between(before, after, renamed)
    untouched = untouched_between(before, after)
    return find_changes(
        old, new, settings, cards=cards, renamed=renamed, untouched=untouched
    )


def settings_between(
    before: SimulationRun,
    after: SimulationRun,
    renamed: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the differences in how two runs were played, in words, the cards first.

    Decks of the later run may have been `renamed`.
    """
    old, new = (run.study.setting.format.changes for run in (before, after))
    return [
        *changed_cards(old, new),
        *_list_card_changes(before, after, renamed or {}),
        *after.file.differences(before.file),
    ]


def untouched_between(before: SimulationRun, after: SimulationRun) -> frozenset[str]:
    """Return the decks on which no difference between two runs can act."""
    if before.file.tool != after.file.tool:
        return frozenset()
    return untouched_decks(before.study, after.study)


def untouched_decks(old: Simulation, new: Simulation) -> frozenset[str]:
    """Return the decks on which no difference between two simulations can act.

    The rules of play are the same, and so are their bots, leaders and cards. No card
    that is not in decks, but brought by other cards, has changed.
    """
    before, after = old.setting, new.setting
    was = {**before.database.cards, **before.database.leaders}
    now = {**after.database.cards, **after.database.leaders}
    changed = {id for id in {*was, *now} if was.get(id) != now.get(id)}
    brought = {id for id, card in before.database.cards.items() if not card.deckable}
    if _list_rules(before.format) != _list_rules(after.format) or changed & brought:
        return frozenset()
    contents = {entrant.name: _describe_contents(entrant) for entrant in new.entrants}
    untouched = set()
    for entrant in old.entrants:
        cards, *_ = content = _describe_contents(entrant)
        if contents.get(entrant.name) == content and changed.isdisjoint(cards):
            untouched.add(entrant.name)
    return frozenset(untouched)


def _list_rules(fmt: Format) -> tuple[object, ...]:
    """Return the rules by which a format is played."""
    return fmt.game, fmt.seating, fmt.options


def _describe_contents(
    entrant: Entrant,
) -> tuple[Mapping[str | None, int], str | None, str]:
    """Return a deck's cards and leader with their numbers, its faction and its bot."""
    deck = entrant.deck
    cards: Counter[str | None] = Counter({deck.leader: 1})
    for held in (deck.counts(), deck.reserve_counts()):
        cards.update(held.elements())
    return cards, deck.faction, entrant.policy


def find_changes(
    before: SimulationResult,
    after: SimulationResult,
    settings: Sequence[str],
    *,
    cards: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    untouched: Collection[str] = (),
    checkpoints: int = 1,
) -> Changes:
    """Return the changes between two results whose `settings` differ.

    On the decks that are `untouched` none of these differences can act.
    """
    renamed = renamed or {}
    pairs = PairedRuns(before, after, renamed, untouched, checkpoints)
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
        compare_standings(before, after, renamed),
        checkpoints,
    )


def format_differences(old: Format, new: Format) -> tuple[list[str], list[str]]:
    """Return the differences of two formats in words: all, and of cards alone."""
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
    """Return the tables of `changes`, their answer first."""
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
    """Yield how both runs were played, as pairs of a word and a text."""
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
        ("rules", [f"fingerprint {run.fingerprint}" for run in both]),
    ):
        yield name, " and ".join(dict.fromkeys(texts))
    if changes.checkpoints > 1:
        number = changes.checkpoints
        yield "intervals", f"valid at each of {number} checkpoints (Bonferroni)"


def standings_table(changes: Changes) -> ReportTable:
    """Return the decks by their places after the change."""
    has_mix = changes.standings[0].share_after is not None
    columns = [
        Column("deck"),
        WIN_RATE,
        *numbers(PERCENT, "before"),
        *numbers(COUNT, "place before"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for s in changes.standings:
        rows.append((s.deck, s.after, s.before.value, s.place_before))
        if has_mix:
            rows[-1] += (s.share_after, s.share_before)
    note = None
    if has_mix:
        columns += numbers(PERCENT, "in the best mix", "mix before")
        note = "the best mix is a best guess, without an interval"
    return ReportTable(
        "Standings",
        tuple(columns),
        tuple(rows),
        ranked=True,
        note=note,
        before="before",
    )


def _describe_mix(shares: Mapping[str, float | None]) -> str:
    """List the decks of a mix, the most frequent first."""
    named = sorted(shares.items(), key=lambda share: -(share[1] or 0))
    return ", ".join(f"{quote(name)} {percent(n)}" for name, n in named if n)


def changes_table(title: str, changes: Sequence[RunChange]) -> ReportTable:
    """Return a table with a row for each rate: before, after, and the difference."""
    columns = (Column(""), *numbers(PERCENT, "before", "after"), DIFFERENCE_COLUMN)
    rows = tuple(
        (change.name, change.before, change.after, change.by) for change in changes
    )
    return ReportTable(title, columns, rows, note=DIFFERENCE_NOTE)


def find_main_change(changes: Sequence[RunChange]) -> RunChange:
    """Return the largest clear change, or else the largest."""
    return next((change for change in changes if change.is_clear), changes[0])


def describe_changes(
    changes: Sequence[RunChange],
    noun: str,
    runs: Sequence[SimulationResult],
    *,
    advises: bool = True,
) -> str:
    """Say how many win rates clearly changed, and which one most.

    `noun` is what has these win rates, `deck` or `matchup`.
    """
    main = find_main_change(changes)
    name, size = main.quoted_name, _describe_size(main)
    if main.is_clear and len(changes) == 1:
        return f"The win rate of {name} changed {size}."
    if main.is_clear:
        clear = sum(change.is_clear for change in changes)
        return (
            f"The win rate of {clear} of {len(changes)} {noun}s changed; the largest "
            f"change is {name}, {size}."
        )
    sentences = [
        f"No {noun}'s win rate clearly changed.",
        f"The largest difference is {name}, {size}.",
    ]
    if len(changes) == 1:
        sentences = [f"The win rate of {name} did not clearly change: {size}."]
    if advises:
        played = find_common_games(runs)
        sentences.append(advise_games(main.by, played, place=" in both runs"))
    return " ".join(sentences)


def _describe_size(change: RunChange) -> str:
    """Return both rates and their difference: `from 80.5% to 44.0% (-36.5 points)`.

    The interval of the difference comes after it.
    """
    before, after = percent(change.before.value), percent(change.after.value)
    by, interval = points(change.by.value), ranged(change.by.interval)
    return f"from {before} to {after} ({by} points, {interval})"


def find_common_games(runs: Sequence[SimulationResult]) -> int | None:
    """Return `--games` of all runs, None where they differ or a run stopped early."""
    games = {run.games for run in runs}
    is_fixed = all(run.complete and run.stopped is None for run in runs)
    return games.pop() if is_fixed and len(games) == 1 else None


def _find_renamed(before: SimulationRun, after: SimulationRun) -> dict[str, str]:
    """Return the old name of a deck by its new name, if a single deck was replaced."""
    old = [deck.name for deck in before.file.decks]
    new = [deck.name for deck in after.file.decks]
    removed = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    if len(removed) == 1 and len(added) == 1:
        return {added[0]: removed[0]}
    return {}


def _list_card_changes(
    before: SimulationRun, after: SimulationRun, renamed: Mapping[str, str]
) -> Iterator[str]:
    """Yield, for each deck of both runs, the cards that it has more or fewer of."""
    old = {deck.name: deck for deck in before.file.decks}
    database = after.study.setting.database
    for deck in after.file.decks:
        was = old.get(renamed.get(deck.name, deck.name))
        if was is None or was.cards == deck.cards:
            continue
        more = Counter(deck.cards)
        more.subtract(was.cards)
        swaps = []
        for id, number in sorted(more.items()):
            card = database.cards.get(id)
            if number:
                swaps.append(f"{number:+d} {card.name if card else id}")
        yield f"cards of {quote(was.name)}: {', '.join(swaps)}"


# The page of what changed from one run to another


DIFFERENCE_NOTE = (
    "difference: in percentage points, with simultaneous 95% intervals (Bonferroni), "
    "which are narrower for the same shuffles in both runs"
)
DECKS_CAPTION = "Change of mean win rates in percentage points, the largest first"
RATES_CAPTION = "Change of win rates in percentage points, the largest first"
STANDINGS_CAPTION = "Mean win rate after the change; even is 50%"
MAX_TITLE_CARDS = 2
NO_SETTINGS = "Nothing: the settings of both runs are the same."


def make_changes_page(changes: Changes) -> Page:
    """Return the page of `changes`."""
    after, rates = changes.after, plural(len(changes.rates), "win rate")
    differs = Notes(changes.settings or (NO_SETTINGS,))
    sections = []
    if changes.standings:
        table = replace(standings_table(changes), title=STANDINGS_CAPTION)
        sections.append(Section("standings", "Standings", (draw_forest(table),)))
    sections += [
        Section(name, title, (draw_forest(changes_table(caption, changes_shown)),))
        for name, title, caption, changes_shown in (
            ("decks", "Decks", DECKS_CAPTION, changes.decks),
            ("rates", "Win rates", RATES_CAPTION, changes.open),
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
        title=_describe_cards(changes),
        about=f"{after.format} ({after.month}) · {rates}",
        answers=tuple(changes.answers()),
        warnings=(),
        sections=tuple(sections),
        fingerprint=after.fingerprint,
    )


def _describe_cards(changes: Changes) -> str:
    """Return the changed cards, or how many they are."""
    if not changes.cards:
        return "Before and after"
    if len(changes.cards) > MAX_TITLE_CARDS:
        return f"{plural(len(changes.cards), 'changed card')}, before and after"
    return ", ".join(card.replace("`", "") for card in changes.cards)


CHANGES = Presentation[Changes](
    changes_report, lambda changes, _tool: make_changes_page(changes)
)


# The same decks under two formats: what a changed card or rule does to a field


BEFORE_FOLDER, AFTER_FOLDER = "before", "after"
FIRST_GAMES = 200
GAMES_GROWTH = 4
MAX_CHECKPOINTS = 5


class KeptRuns(NamedTuple):
    """The folder that keeps both runs, and the cards that they play with."""

    folder: Path
    card_db: Root = None


def make_second_bot_error() -> UsageError:
    """Return the error of a second bot, which does not play two formats."""
    return UsageError(
        f"{option('cross-check')} does not work with {option('new-format')}: one bot "
        "plays both formats",
        f"Leave it out, or name that bot with {option('policy')}",
    )


@dataclass(frozen=True)
class FieldChange:
    """Decks that play under two formats, the same shuffles in both.

    `games` are those of each pair of decks; without a number they are played until each
    change is known, or is clearly less than `margin`, in points, within the usual
    number unless it is `thorough`. At each of at most LOOKS checkpoints games are
    GROWTH times as many, and intervals hold at all of them (Bonferroni).
    Raises UsageError for decks that do not meet in the same way in both, and where
    nothing differs.
    """

    before: Simulation
    after: Simulation
    games: int | None = None
    margin: float = COMPARE_MARGIN
    place: KeptRuns | None = None
    kept: tuple[KeptRun[Simulation], KeptRun[Simulation]] | None = None
    thorough: bool = False

    def __post_init__(self) -> None:
        if self.games is not None:
            check_range("games", self.games, 1, MAX_GAMES)
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
            records = self._open_records(stack)
            watch = options.get("watch")
            for number, (games, looks) in enumerate(self._schedule(), 1):
                until = f"checkpoint {number} of {looks}" if looks > 1 else ""
                options["watch"] = watch and _watch_runs(watch, until, following=1)
                before = self.before.with_games(games).run(
                    records=records[0], **options
                )
                # The engine is loaded, or compiled, once.
                options.pop("while_compiling", None)
                options["watch"] = watch and _watch_runs(watch, until, following=0)
                after = self.after.with_games(games).run(records=records[1], **options)
                changes = find_changes(
                    before,
                    after,
                    settings,
                    cards=cards,
                    untouched=untouched,
                    checkpoints=looks,
                )
                if changes.is_known(self.margin / 100):
                    break
        return changes

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """Return the games of each pair of decks by checkpoint, and their number."""
        if self.games is not None:
            yield self.games, 1
            return
        numbers = [FIRST_GAMES * GAMES_GROWTH**look for look in range(MAX_CHECKPOINTS)]
        if not self.thorough:
            most = usual_games_each(self.before, runs=2)
            numbers = [games for games in numbers if games <= most] or [most]
        for games in numbers:
            yield games, len(numbers)

    def _open_records(self, stack: ExitStack) -> list[Records]:
        """Return the records of each run: in a folder, in the cache, or in memory."""
        if self.kept is not None:
            return [stack.enter_context(run.open()) for run in self.kept]
        if self.place is None:
            return [records_in_memory(simulation) for simulation in self._both]
        folder, card_db = self.place
        begin_series(folder, [BEFORE_FOLDER, AFTER_FOLDER])
        most = [games for games, _ in self._schedule()][-1]
        runs = [
            new_run(folder / name, simulation.with_games(most), card_db=card_db)
            for name, simulation in zip(
                (BEFORE_FOLDER, AFTER_FOLDER), self._both, strict=True
            )
        ]
        for run in runs:
            stack.enter_context(run.kept_open())
        return [run.part for run in runs]


def _watch_runs(watch: Watch, until: str, following: int) -> Watch:
    """Return a watch for a run, which counts further runs of the same length."""

    def tell(progress: Progress) -> None:
        left = progress.seconds_left
        if left is not None:
            left += following * (progress.seconds + left)
        watch(replace(progress, seconds_left=left, until=until))

    return tell
