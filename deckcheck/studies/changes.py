"""The differences between two runs: win rates, standings, settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from deckcheck.documents.records import ShownAs, Tool, one_of
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.formats.wording import list_changed_cards
from deckcheck.markup import tool
from deckcheck.messages import plural, quote
from deckcheck.policies.registry import policy_label
from deckcheck.report.tables import advise_games, percent, points, ranged
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import ALL, Claim, Row, Tabular, tidy
from deckcheck.sim.records import EFFECT_BESIDE, Rate, Record, ShownClaim
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import SimulationRun
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.table_results import TableResult
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
            change = _make_zero_difference(games)
        elif self.is_paired:
            change = self.difference(entrant).estimate(level, games)
        else:
            change = difference(new, old).estimate(level)
        return RunChange(
            deck=names[entrant],
            opponent=", ".join(opponents),
            before=old.estimate(),
            after=new.estimate(),
            by=change,
            same_games=self.is_same,
            is_paired=self.is_paired,
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
            old_index, old_table = old[names]
            new_index, new_table = new[names]
            has_same_shuffles = before.seed == after.seed and old_index == new_index
            self._pairs[names] = _Pair(
                before=old_table,
                after=new_table,
                is_paired=has_same_shuffles and _are_pairable(old_table, new_table),
                is_untouched=set(names) <= set(untouched),
            )

    def list_rates(self) -> list[RunChange]:
        """Return the changes at each table, the largest first.

        Of a table of two decks that is the change of the first deck. Changes with the
        same games are not part of the correction for their number.
        """
        open_pairs = sum(not pair.is_same for pair in self._pairs.values())
        rates = []
        for names, pair in self._pairs.items():
            count = 1 if len(names) == 2 else len(names)
            level = joint_level(open_pairs * count * self._checkpoints)
            for entrant in range(count):
                rates.append(pair.change(entrant, names, level))
        return sorted(rates, key=lambda rate: -abs(rate.by.value))

    def list_decks(self) -> list[RunChange]:
        """Return the changes of mean win rates of decks, if they met the same decks."""
        if self.alone or len(self._pairs) < 2:
            return []
        new = {}
        for standing in self._after.standings():
            new[self._renamed.get(standing.deck, standing.deck)] = standing
        changed = []
        for standing in self._before.standings():
            pairs = self._find_pairs(standing.deck)
            if standing.deck in new and not all(pair.is_same for pair in pairs):
                changed.append(standing)
        level = joint_level(len(changed) * self._checkpoints)
        decks = []
        for standing in changed:
            name = standing.deck
            by = self.change(name, None, level)
            assert by is not None
            is_paired = all(pair.is_paired for pair in self._find_pairs(name))
            before, after = standing.estimate, new[name].estimate
            change = RunChange(name, ALL, before, after, by, is_paired=is_paired)
            decks.append(change)
        return sorted(decks, key=lambda deck: -abs(deck.by.value))

    def change(
        self, deck: str, opponents: Collection[str] | None, level: float
    ) -> Estimate | None:
        """Return the change of a deck's mean win rate against opponents, or all.

        The result is None if these games were not played in both runs.
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
        if all(pair.is_paired for pair in pairs):
            parts = []
            for pair in pairs:
                parts.append(pair.difference(pair.before.entrants.index(deck)))
            return average_grouped(parts).estimate(level, games)
        old, new = [], []
        for pair in pairs:
            seat = pair.before.entrants.index(deck)
            old.append(pair.before.performances[seat].share)
            new.append(pair.after.performances[seat].share)
        return difference(average(new), average(old)).estimate(level)

    def _find_pairs(self, name: str) -> list[_Pair]:
        """Return the tables at which a deck met a different deck."""
        pairs = []
        for names, pair in self._pairs.items():
            if name in names and len(set(names)) > 1:
                pairs.append(pair)
        return pairs


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
    is_same_size = (before.sets, before.games) == (after.sets, after.games)
    return is_grouped and is_same_size and not has_checkpoints


def _describe_table(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{names[0]} against {', '.join(names[1:])}"


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
        claims = []
        for changes in (self.decks, self.open):
            if changes:
                main = find_main_change(changes)
                claims.append(Claim(main.name, "", main.by, main.verdict))
        return tuple(claims)

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
        old_mix, new_mix = {}, {}
        for standing in self.standings:
            old_mix[standing.deck] = standing.share_before
            new_mix[standing.deck] = standing.share_after
        if new_mix != old_mix:
            new, old = _describe_mix(new_mix), _describe_mix(old_mix)
            yield f"The best mix of decks is now {new}; before it was {old}."
        bots = {deck.policy for deck in (*self.before.decks, *self.after.decks)}
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
                rows += tidy(metric, figure, figure.games, change.deck, change.opponent)
        return rows


def compare_runs(before: SimulationRun, after: SimulationRun) -> Changes:
    """Return the changes from one run to another.

    Decks are matched by their names. A single deck that is in the later run alone takes
    the place of the single deck that is in the earlier run alone. Raises UsageError for
    runs that have nothing in common.
    """
    renamed = _find_renamed(before, after)
    old, new = before.result(), after.result()
    cards = list_changed_cards(old.changes, new.changes)
    settings = compare_settings(before, after, renamed)
    untouched = find_untouched_decks(before, after)
    return find_changes(
        old, new, settings, cards=cards, renamed=renamed, untouched=untouched
    )


def compare_settings(
    before: SimulationRun,
    after: SimulationRun,
    renamed: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the differences in how two runs were played, in words, the cards first.

    Decks of the later run may have been `renamed`.
    """
    old, new = before.study.setting.format, after.study.setting.format
    return [
        *list_changed_cards(old.changes, new.changes),
        *_list_card_changes(before, after, renamed or {}),
        *after.file.differences(before.file),
    ]


def find_untouched_decks(before: SimulationRun, after: SimulationRun) -> frozenset[str]:
    """Return the decks on which no difference between two runs can act."""
    if before.file.tool != after.file.tool:
        return frozenset()
    return find_untouched(before.study, after.study)


def find_untouched(old: Simulation, new: Simulation) -> frozenset[str]:
    """Return the decks on which no difference between two simulations can act.

    The rules of play are the same, and so are their bots, leaders and cards. No card
    that is not in decks, but brought by other cards, has changed.
    """
    before, after = old.setting, new.setting
    old_records = {**before.database.cards, **before.database.leaders}
    new_records = {**after.database.cards, **after.database.leaders}
    changed = set()
    for id in {*old_records, *new_records}:
        if old_records.get(id) != new_records.get(id):
            changed.add(id)
    brought = {id for id, card in before.database.cards.items() if not card.deckable}
    if _list_rules(before.format) != _list_rules(after.format) or changed & brought:
        return frozenset()
    new_contents = {e.name: _describe_contents(e) for e in new.entrants}
    untouched = set()
    for entrant in old.entrants:
        contents = _describe_contents(entrant)
        is_same = new_contents.get(entrant.name) == contents
        if is_same and changed.isdisjoint(contents[0]):
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

    None of these differences can act on the `untouched` decks. Raises UsageError if the
    results have no table in common.
    """
    renamed = renamed or {}
    pairs = PairedRuns(before, after, renamed, untouched, checkpoints)
    rates = pairs.list_rates()
    if not rates:
        raise UsageError(
            "These runs have no table of the same decks in common",
            "Compare runs in which decks have the same names",
        )
    return Changes(
        settings=tuple(settings),
        rates=tuple(rates),
        alone=tuple(pairs.alone),
        before=before,
        after=after,
        decks=tuple(pairs.list_decks()),
        cards=tuple(card.partition(" ")[2] for card in cards),
        standings=compare_standings(before, after, renamed),
        checkpoints=checkpoints,
    )


def _describe_mix(shares: Mapping[str, float | None]) -> str:
    """List the decks of a mix, the most frequent first."""
    named = sorted(shares.items(), key=lambda share: -(share[1] or 0))
    return ", ".join(f"{quote(name)} {percent(n)}" for name, n in named if n)


def find_main_change(changes: Sequence[RunChange]) -> RunChange:
    """Return the largest clear change, or else the largest."""
    for change in changes:
        if change.is_clear:
            return change
    return changes[0]


def describe_changes(
    changes: Sequence[RunChange],
    noun: str,
    runs: Sequence[SimulationResult],
    *,
    advises: bool = True,
) -> str:
    """Return sentences about how many win rates clearly changed, and which one most.

    `noun` names what has these win rates, `deck` or `matchup`.
    """
    main = find_main_change(changes)
    name = quote(main.deck)
    if main.opponent != ALL:
        name += f" against {quote(main.opponent)}"
    size = _describe_size(main)
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
    games = set()
    for run in runs:
        if not run.complete or run.stopped is not None:
            return None
        games.add(run.games)
    return games.pop() if len(games) == 1 else None


def _find_renamed(before: SimulationRun, after: SimulationRun) -> dict[str, str]:
    """Return the old name of a deck by its new name, if a single deck was replaced."""
    old = {deck.name for deck in before.file.decks}
    new = {deck.name for deck in after.file.decks}
    removed, added = old - new, new - old
    if len(removed) == 1 and len(added) == 1:
        return {added.pop(): removed.pop()}
    return {}


def _list_card_changes(
    before: SimulationRun, after: SimulationRun, renamed: Mapping[str, str]
) -> Iterator[str]:
    """Yield, for each deck of both runs, the cards that it has more or fewer of."""
    old = {deck.name: deck for deck in before.file.decks}
    database = after.study.setting.database
    for deck in after.file.decks:
        old_deck = old.get(renamed.get(deck.name, deck.name))
        if old_deck is None or old_deck.cards == deck.cards:
            continue
        differences = Counter(deck.cards)
        differences.subtract(old_deck.cards)
        swaps = []
        for id, number in sorted(differences.items()):
            name = database.cards[id].name if id in database.cards else id
            if number:
                swaps.append(f"{number:+d} {name}")
        yield f"cards of {quote(old_deck.name)}: {', '.join(swaps)}"
