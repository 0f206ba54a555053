"""Win rates over several runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from deckcheck.documents.records import Count, Tool
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import game_count, plural, quote
from deckcheck.policies.registry import policy_label
from deckcheck.report.blocks import Figures, Notes, PageFacts
from deckcheck.report.forests import Line, draw_forest, draw_line, fit_axis
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
    describe_deck_policies,
    difference_text,
    list_warnings,
    numbers,
    percent,
    words,
)
from deckcheck.sim.figures import ALL, Claim, Row, Tabular, tidy
from deckcheck.sim.naming import shorten_paths
from deckcheck.sim.records import EFFECT_BESIDE, RateBeside, Record, ShownClaim
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import SimulationRun
from deckcheck.stats import Combination, Estimate, average
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.changes import (
    PairedRuns,
    RunChange,
    compare_settings,
    describe_changes,
    find_main_change,
    find_untouched_decks,
)

# Win rates of decks over several runs, in their order


MAX_STEP_SETTINGS = 3
"""The most settings that are named with the largest change between two runs."""

Rates = Mapping[str, Mapping[str, Combination]]
"""The win rate of each deck against each opponent."""


@dataclass(frozen=True, slots=True, repr=False)
class HistoryRun(Record):
    """A run, and its differences from the run before it."""

    KEYS = ("name", "format", "snapshot", "seed", "checksum", "fingerprint", "settings")
    name: str
    """The folder of the run, as much of its path as tells it from the others."""
    result: SimulationResult
    settings: tuple[str, ...] = ()
    """The differences from the run before it, in words."""

    @property
    def format(self) -> str:
        """The id of the format, such as `gwent/standard`."""
        return self.result.format

    @property
    def snapshot(self) -> str:
        """The date from which on the format was as it was played."""
        return self.result.month

    @property
    def seed(self) -> Count:
        """The seed of the run."""
        return self.result.seed

    @property
    def checksum(self) -> str:
        """A hash of all games of the run."""
        return self.result.checksum

    @property
    def fingerprint(self) -> str:
        """A hash of the format's rules and its cards."""
        return self.result.fingerprint


@dataclass(frozen=True, slots=True)
class RateInRun(Record):
    """A mean win rate in one run."""

    run: str
    """The name of the run."""
    rate: RateBeside


@dataclass(frozen=True, slots=True)
class DeckHistory(Record):
    """A deck's win rates, over the same opponents in each run."""

    deck: str
    """The deck."""
    opponents: tuple[str, ...]
    """The opponents that it met in all of its runs, each of the same weight."""
    rates: tuple[RateInRun, ...]
    """The mean win rate in each run that the deck took part in, the oldest first."""

    @property
    def by_run(self) -> dict[str, Estimate]:
        """The rates by the names of their runs."""
        return {rate.run: rate.rate for rate in self.rates}


@dataclass(frozen=True, slots=True)
class DeckChange(Record):
    """The change of a deck from its first to its last run."""

    KEYS: ClassVar[tuple[str, ...]] = ("deck", "by", "clear")
    change: RunChange

    @property
    def deck(self) -> str:
        """The deck."""
        return self.change.deck

    @property
    def by(self) -> Annotated[Estimate, EFFECT_BESIDE]:
        """The win rate in the last run less that in the first; all are simultaneous."""
        return self.change.by

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0, so that it is not chance alone."""
        return self.change.is_clear


@dataclass(frozen=True, slots=True)
class StepChange(DeckChange):
    """The change of a deck from one of its runs to the next."""

    KEYS = ("before", "after", "deck", "by", "clear")
    before: str
    """The name of the run before."""
    after: str
    """The name of the run after it."""


@dataclass(frozen=True, repr=False)
class History(Tabular, Record):
    """The output of `deckcheck report --history --output-format json`."""

    KEYS = tuple(
        "schema_version tool answer claims runs decks changes steps alone".split()
    )
    schema_version: ClassVar[Literal[1]] = 1
    """The version of this document."""
    runs: tuple[HistoryRun, ...]
    """The runs, the oldest first."""
    decks: tuple[DeckHistory, ...]
    """The decks of two runs or more, the best of the last run first."""
    changes: tuple[DeckChange, ...]
    """The changes from first to last run, the largest first."""
    steps: tuple[StepChange, ...]
    """The changes from each run to the next, deck by deck, if it has more than two."""
    alone: tuple[str, ...]
    """The decks without two runs in which they met the same opponent."""

    @property
    def tool(self) -> Tool:
        """The program that wrote this document."""
        return tool()

    @property
    def answer(self) -> str:
        """The answer in sentences."""
        first, last = self.runs[0].name, self.runs[-1].name
        results = [run.result for run in self.runs]
        changes = [change.change for change in self.changes]
        sentences = [
            describe_changes(changes, "deck", results),
            f"Compared are the first of {len(self.runs)} runs, {quote(first)}, and the "
            f"last, {quote(last)}.",
        ]
        if self.steps:
            sentences.append(self._describe_steps())
        bots = set()
        for result in results:
            for deck in result.decks:
                bots.add(deck.policy)
        if len(bots) == 1:
            bot = quote(policy_label(bots.pop()))
            sentences.append(f"All decks were piloted by {bot}.")
        return " ".join(sentences)

    @property
    def claims(self) -> tuple[ShownClaim, ...]:
        """What the answer says of figures, each with its verdict."""
        main = find_main_change([change.change for change in self.changes])
        claims = [Claim(main.name, "", main.by, main.verdict)]
        for step in self._clear_steps[:1]:
            verdict = step.change.verdict
            claims.append(Claim(step.deck, step.before, step.by, verdict))
        return tuple(claims)

    @property
    def _clear_steps(self) -> list[StepChange]:
        """The clear changes from one run to the next, the largest first."""
        clear = [step for step in self.steps if step.clear]
        return sorted(clear, key=lambda step: -abs(step.by.value))

    def _describe_steps(self) -> str:
        """Say which change from one run to the next is the largest clear change."""
        clear = self._clear_steps
        if not clear:
            return "No deck clearly changed from one run to the next."
        main = clear[0]
        sentence = (
            f"The largest of {plural(len(clear), 'clear change')} from one run to the "
            f"next is {quote(main.deck)} from {quote(main.before)} to "
            f"{quote(main.after)}: {difference_text(main.by)}."
        )
        settings = {run.name: run.settings for run in self.runs}[main.after]
        if settings:
            named = "; ".join(settings[:MAX_STEP_SETTINGS])
            sentence += f" The differences between these runs: {named}."
        return sentence

    def to_rows(self) -> list[Row]:
        """Return tidy rows: each rate, with the name of its run, and each change."""
        rows: list[Row] = []
        for deck in self.decks:
            for run, rate in deck.by_run.items():
                rows += tidy("win_rate", rate, rate.games, deck.deck, run=run)
        for change in self.changes:
            rows += tidy("difference", change.by, change.by.games, change.deck, run=ALL)
        for step in self.steps:
            by = step.by
            rows += tidy("difference", by, by.games, step.deck, run=step.after)
        return rows


def make_history(runs: Sequence[SimulationRun]) -> History:
    """Return the win rates of decks over several runs, the oldest first.

    Decks are matched by their names. Raises UsageError for a single run, for a run that
    is named twice, and for runs in which no deck met the same opponent again.
    """
    by_name = _name_runs(runs)
    results: dict[str, SimulationResult] = {}
    rates: dict[str, Rates] = {}
    for name, run in by_name.items():
        results[name] = run.result()
        rates[name] = _collect_rates(results[name])
    decks: list[DeckHistory] = []
    alone: list[str] = []
    for name in dict.fromkeys(chain.from_iterable(rates.values())):
        deck = _follow_deck(name, rates)
        if deck is None:
            alone.append(name)
        else:
            decks.append(deck)
    if not decks:
        raise UsageError(
            "No deck met the same opponent in two of these runs",
            "Name runs of duels or matches in which decks have the same names",
        )
    changes, steps = _find_changes(decks, by_name)
    settings: list[tuple[str, ...]] = [()]
    for before, after in pairwise(runs):
        settings.append(tuple(compare_settings(before, after)))
    return History(
        tuple(map(HistoryRun, results, results.values(), settings)),
        tuple(sorted(decks, key=lambda deck: -deck.rates[-1].rate.value)),
        tuple(sorted(changes, key=lambda change: -abs(change.by.value))),
        tuple(steps),
        tuple(alone),
    )


def _name_runs(runs: Sequence[SimulationRun]) -> dict[str, SimulationRun]:
    """Return runs by the ends of their paths that tell them apart."""
    paths = [run.folder.resolve().as_posix() for run in runs]
    if len(runs) < 2:
        raise UsageError("A history needs two runs or more", "Name the oldest first")
    for path in paths:
        if paths.count(path) > 1:
            name = quote(Path(path).name)
            raise UsageError(f"{name} is named twice", "Name each run once")
    return dict(zip(shorten_paths(paths), runs, strict=True))


def _collect_rates(run: SimulationResult) -> Rates:
    """Return the win rates of all decks that met two at a time, from both sides."""
    rates: dict[str, dict[str, Combination]] = {}
    for table in run.tables:
        if len(set(table.entrants)) == len(table.entrants) == 2:
            a, b = table.entrants
            share = table.first.share
            rates.setdefault(a, {})[b] = share
            rates.setdefault(b, {})[a] = share.opposite()
    return rates


def _follow_deck(deck: str, rates: Mapping[str, Rates]) -> DeckHistory | None:
    """Return the rates of a deck over the opponents that it met in all of its runs.

    None if it has a single run, or no such opponent.
    """
    runs = {name: run[deck] for name, run in rates.items() if deck in run}
    if len(runs) < 2:
        return None
    first, *later = runs.values()
    shared = set(first).intersection(*later)
    opponents = [name for name in first if name in shared]
    if not opponents:
        return None
    means = []
    for name, run in runs.items():
        mean = average([run[opponent] for opponent in opponents])
        means.append(RateInRun(name, mean.estimate()))
    return DeckHistory(deck, tuple(opponents), tuple(means))


def _find_changes(
    decks: Sequence[DeckHistory], runs: Mapping[str, SimulationRun]
) -> tuple[list[DeckChange], list[StepChange]]:
    """Return the change of each deck from its first to its last run, and in between."""
    spans = {deck.deck: [*pairwise(deck.by_run)] for deck in decks}
    steps = sum(len(each) for each in spans.values() if len(each) > 1)
    level = joint_level(len(decks) + steps)
    pairs: dict[tuple[str, str], PairedRuns] = {}

    def measure_change(deck: DeckHistory, first: str, last: str) -> RunChange:
        if (first, last) not in pairs:
            old, new = runs[first], runs[last]
            untouched = find_untouched_decks(old, new)
            pairs[first, last] = PairedRuns(old.result(), new.result(), {}, untouched)
        by = pairs[first, last].change(deck.deck, deck.opponents, level)
        assert by is not None
        return RunChange(deck.deck, ALL, deck.by_run[first], deck.by_run[last], by)

    changes: list[DeckChange] = []
    step_changes: list[StepChange] = []
    for deck in decks:
        first, *_, last = deck.by_run
        changes.append(DeckChange(measure_change(deck, first, last)))
        if len(spans[deck.deck]) == 1:
            continue
        for before, after in spans[deck.deck]:
            change = measure_change(deck, before, after)
            step_changes.append(StepChange(change, before, after))
    return changes, step_changes


def list_settings(history: History) -> Iterator[tuple[str, str]]:
    """Yield the differences of each run from the run before it, a line each."""
    for run in history.runs:
        for setting in run.settings:
            yield run.name, setting


# Win rates over several runs: the tables and the page


RATES_TITLE = "Mean win rate in each run, over the opponents of all runs of a deck"
ALONE_NOTE = "in a single run, or never against the same opponents"
CHANGES_TITLE = "From the first to the last run of each deck"
STEPS_TITLE = "From each run to the next"
CHANGES_NOTE = (
    "difference: in percentage points; the intervals of all changes of the history are "
    "simultaneous 95% intervals (Bonferroni)"
)


def make_history_report(history: History) -> Report:
    """Return the tables of a history, its answer first."""
    warnings = []
    for run in history.runs:
        for warning in list_warnings(run.result):
            warnings.append(f"{quote(run.name)}: {warning}")
    facts = [*list_settings(history), *_list_played_facts(history)]
    if history.alone:
        facts.append(("left out", f"{', '.join(history.alone)}: {ALONE_NOTE}"))
    tables = []
    for make_table in (make_changes_table, make_steps_table, make_rates_table):
        table = make_table(history)
        if table.rows:
            tables.append(table)
    return Report(tuple(tables), tuple(warnings), tuple(facts), (history.answer,))


def make_rates_table(history: History) -> ReportTable:
    """Return a table with a row for each deck in each run."""
    columns = (*words("deck", "run"), WIN_RATE, *numbers(COUNT, "opponents", "games"))
    rows: list[tuple[Cell, ...]] = []
    for deck in history.decks:
        for run, rate in deck.by_run.items():
            rows.append((deck.deck, run, rate, len(deck.opponents), rate.games))
    return ReportTable(RATES_TITLE, columns, tuple(rows))


def make_changes_table(history: History) -> ReportTable:
    """Return the change of each deck from its first to its last run."""
    columns = (Column("deck"), *numbers(PERCENT, "before", "after"), DIFFERENCE_COLUMN)
    rows: list[tuple[Cell, ...]] = []
    for deck in history.changes:
        rows.append((deck.deck, deck.change.before, deck.change.after, deck.by))
    return ReportTable(CHANGES_TITLE, columns, tuple(rows), note=CHANGES_NOTE)


def make_steps_table(history: History) -> ReportTable:
    """Return the change of each deck from each run to the next."""
    columns = (
        *words("deck", "from", "to"),
        *numbers(PERCENT, "before", "after"),
        DIFFERENCE_COLUMN,
    )
    rows: list[tuple[Cell, ...]] = []
    for step in history.steps:
        before, after = step.change.before, step.change.after
        rows.append((step.deck, step.before, step.after, before, after, step.by))
    return ReportTable(STEPS_TITLE, columns, tuple(rows), note=CHANGES_NOTE)


def make_history_page(history: History) -> Page:
    """Return the page of a history."""
    report = make_history_report(history)
    rates, changes = make_rates_table(history), make_changes_table(history)
    rows: list[tuple[Cell, ...]] = []
    decks: list[tuple[str, bool]] = []
    for deck, run, *cells in rates.rows:
        rows.append((f"{deck}, {run}", *cells))
        decks.append((str(deck), False))
    columns = (Column("deck and run"), *rates.columns[2:])
    named = replace(rates, columns=columns, rows=tuple(rows))
    lines = tuple(_draw_lines(history))
    sections = [
        Section("changes", "First and last", (draw_forest(changes),)),
        Section("rates", "Run by run", (*lines, draw_forest(named, decks=decks))),
    ]
    if history.steps:
        steps = Figures(make_steps_table(history))
        sections.insert(1, Section("steps", STEPS_TITLE, (steps,)))
    settings = [f"{quote(name)}: {line}" for name, line in list_settings(history)]
    differs = Notes(tuple(settings or ["Nothing: the settings of all are the same."]))
    sections.append(Section("settings", "What each run changed", (differs,)))
    if history.alone:
        alone = Notes(tuple(f"{deck}: {ALONE_NOTE}" for deck in history.alone))
        sections.append(Section("alone", "Decks that are left out", (alone,)))
    facts = PageFacts(tuple(_list_played_facts(history)))
    sections.append(Section("played", "How they were played", (facts,)))
    last, number = history.runs[-1], plural(len(history.runs), "run")
    return Page(
        title=f"{plural(len(history.decks), 'deck')} over {number}",
        about=f"{last.format} ({last.snapshot})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        fingerprint=last.fingerprint,
    )


def _draw_lines(history: History) -> Iterator[Line]:
    """Draw a line for each deck over its runs, all of them on one scale."""
    rates: list[Estimate] = []
    for deck in history.decks:
        rates += deck.by_run.values()
    axis = fit_axis(rates)
    scale = f"on a scale from {percent(axis.low)} to {percent(axis.high)}"
    for deck in history.decks:
        first, last = deck.rates[0].rate.value, deck.rates[-1].rate.value
        answer = f"First {percent(first)}, last {percent(last)}, {scale}"
        yield draw_line(deck.deck, answer, axis, deck.by_run)


def _list_played_facts(history: History) -> Iterator[tuple[str, str]]:
    """Yield how each run was played."""
    for run in history.runs:
        yield (
            run.name,
            f"{run.format}, snapshot {run.snapshot}; "
            f"{describe_deck_policies(run.result.decks)}; "
            f"{game_count(run.result.games_played)}, seed {run.seed}, "
            f"checksum {run.checksum}",
        )


HISTORY = Presentation[History](
    make_history_report, lambda history, _tool: make_history_page(history)
)
