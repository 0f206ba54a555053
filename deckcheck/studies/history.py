"""Win rates over several runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

from deckcheck.documents.records import Count, Difference, DifferenceInterval, Tool
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import game_count, plural, quote
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import (
    Figures,
    Line,
    Notes,
    Page,
    PageFacts,
    Section,
    draw_forest,
    draw_line,
    fit_axis,
)
from deckcheck.report.tables import (
    COUNT,
    DIFFERENCE,
    PERCENT,
    WIN_RATE,
    Column,
    Report,
    ReportTable,
    describe_deck_policies,
    difference_text,
    list_warnings,
    numbers,
    percent,
    whose_play,
    words,
)
from deckcheck.sim.documents import ClaimDocument, WinRate
from deckcheck.sim.entrants import short_paths
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Row,
    Tabular,
    document_of,
    effect,
    tidy,
    win_rate,
)
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import SimulationRun
from deckcheck.stats import Combination, Estimate, mean_of
from deckcheck.stats.intervals import level_of
from deckcheck.studies.changes import (
    PairedRuns,
    RunChange,
    change_sentence,
    named_change,
    settings_between,
    untouched_between,
)


class HistoryRun(TypedDict):
    """A run, and what it changed."""

    name: str
    """The folder of the run, as much of its path as tells it from the others."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    seed: Count
    """The seed of the run."""
    checksum: str
    """A hash of all games of the run."""
    digest: str
    """A hash of the format's rules and its cards."""
    settings: list[str]
    """What differs from the run before it, in words."""


class RateInRun(WinRate):
    """A mean win rate in one run."""

    run: str
    """The name of the run."""


class DeckHistory(TypedDict):
    """A deck's win rates, over the same opponents in each run."""

    deck: str
    """The deck."""
    opponents: list[str]
    """The opponents over which the means are taken, all alike."""
    rates: list[RateInRun]
    """The mean win rate in each run that the deck took part in, the oldest first."""


class DeckChange(TypedDict):
    """How much a deck changed from its first to its last run."""

    deck: str
    """The deck."""
    difference: Difference
    """The win rate in the last run less that in the first, -1 to 1."""
    interval: DifferenceInterval
    """The difference's interval, -1 to 1; all of them hold jointly in 95 %."""
    clear: bool
    """Whether the interval leaves out 0: chance alone does not explain the change."""


class StepChange(DeckChange):
    """How much a deck changed from one of its runs to the next."""

    before: str
    """The name of the run before."""
    after: str
    """The name of the run after it."""


class HistoryDocument(TypedDict):
    """The output of `deckcheck report --history --output-format json`."""

    schema_version: Literal[1]
    """The version of this document."""
    tool: Tool
    """The program that wrote this document."""
    answer: str
    """The answer in sentences."""
    claims: list[ClaimDocument]
    """What the answer says of figures, each with its verdict."""
    runs: list[HistoryRun]
    """The runs, the oldest first."""
    decks: list[DeckHistory]
    """The decks of two runs or more, the best of the last run first."""
    changes: list[DeckChange]
    """The changes from first to last run, the largest first."""
    steps: list[StepChange]
    """The changes from each run to the next, deck by deck; none where it has two."""
    alone: list[str]
    """The decks without two runs in which they met the same opponent."""


# Win rates of decks over several runs, one after another


MOST_TOLD = 3
"""How many of a run's settings, those that changed a deck most, are shown with it."""

Rates = Mapping[str, Mapping[str, Combination]]
"""The win rate of each deck against each that it met."""


@dataclass(frozen=True, slots=True)
class Course:
    """A deck's mean win rate in each run that it took part in, by the run's name.

    All of them are over the same `opponents`, all alike: those that it met in every one
    of these runs.
    """

    deck: str
    opponents: tuple[str, ...]
    rates: Mapping[str, Estimate]

    @property
    def latest(self) -> float:
        """The rate in the last of these runs."""
        return [*self.rates.values()][-1].value


@dataclass(frozen=True, slots=True)
class RunStep:
    """The change of a deck from one of its runs, `before`, to a later one."""

    before: str
    after: str
    change: RunChange


@dataclass(frozen=True, repr=False)
class History(Tabular):
    """Several runs, the oldest first, see `HistoryDocument`.

    `courses` are its decks. The intervals of all `changes` and `steps` hold jointly.
    `settings` is what each run changed of the one before it, in words.
    """

    runs: Mapping[str, SimulationResult]
    courses: tuple[Course, ...]
    changes: tuple[RunChange, ...]
    steps: tuple[RunStep, ...]
    settings: Mapping[str, tuple[str, ...]]
    alone: tuple[str, ...]

    @property
    def answer(self) -> str:
        """What changed from first to last, in sentences."""
        first, *_, last = self.runs
        number = plural(len(self.runs), "run")
        players = whose_play(d.policy for run in self.runs.values() for d in run.decks)
        changed = change_sentence(self.changes, "deck", players)
        sentences = f"{number}, from {quote(first)} to {quote(last)}. {changed}"
        return f"{sentences} {self._step_sentence()}" if self.steps else sentences

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The changes that are named, that of a step compared with the run before."""
        named = [("", named_change(self.changes))]
        named += [(step.before, step.change) for step in self._clear_steps[:1]]
        return tuple(Claim(c.name, than, c.by, c.verdict) for than, c in named)

    @property
    def _clear_steps(self) -> list[RunStep]:
        """The clear changes from one run to the next, the largest first."""
        clear = [step for step in self.steps if step.change.is_clear]
        return sorted(clear, key=lambda step: -abs(step.change.by.value))

    def _step_sentence(self) -> str:
        """The largest clear change from one run to the next."""
        clear = self._clear_steps
        if not clear:
            return "No change from one run to the next is clear."
        most = clear[0]
        where = f"from {quote(most.before)} to {quote(most.after)}"
        number = f"{len(clear)} of {plural(len(self.steps), 'change')}"
        differs = self.settings.get(most.after, ())[:MOST_TOLD]
        return (
            f"From one run to the next {number} {'is' if len(clear) == 1 else 'are'} "
            f"clear, the greatest that of {quote(most.change.deck)} {where}: "
            f"{difference_text(most.change.by)}."
            + (f" What differs there: {'; '.join(differs)}." if differs else "")
        )

    def to_dict(self) -> HistoryDocument:
        """The history as `deckcheck schema history` describes it."""
        return document_of(
            HistoryDocument,
            self,
            schema_version=1,
            tool=tool(),
            runs=[
                document_of(
                    HistoryRun,
                    run,
                    name=name,
                    snapshot=run.month,
                    settings=list(self.settings[name]),
                )
                for name, run in self.runs.items()
            ],
            decks=[
                document_of(
                    DeckHistory,
                    course,
                    rates=[{"run": k, **win_rate(r)} for k, r in course.rates.items()],
                )
                for course in self.courses
            ],
            changes=[_change(change) for change in self.changes],
            steps=[
                {"before": step.before, "after": step.after, **_change(step.change)}
                for step in self.steps
            ],
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows: each rate, with the name of its run, and each change."""
        rows = [
            row
            for course in self.courses
            for run, rate in course.rates.items()
            for row in tidy("win_rate", rate, rate.games, course.deck, run=run)
        ]
        for change in self.changes:
            by = change.by
            rows += tidy("difference", by, by.games, change.deck, run=ALL)
        for step in self.steps:
            by, deck = step.change.by, step.change.deck
            rows += tidy("difference", by, by.games, deck, run=step.after)
        return rows


def _change(change: RunChange) -> DeckChange:
    by = effect(change.by)
    return document_of(DeckChange, change, **by, clear=change.is_clear)


def history_of(runs: Sequence[SimulationRun]) -> History:
    """Return the win rates of decks over several runs, the oldest first.

    Decks go by their names. Raises UsageError for a single run, for one that is named
    twice, and for runs in which no deck met the same opponent again.
    """
    results = _named(runs)
    rates = {name: _rates(run) for name, run in results.items()}
    decks = dict.fromkeys(deck for run in rates.values() for deck in run)
    found = {deck: _course(deck, rates) for deck in decks}
    courses = [course for course in found.values() if course is not None]
    if not courses:
        raise UsageError(
            "No deck met the same opponent in two of these runs",
            "Name runs of duels or matches in which decks have the same names",
        )
    changes, steps = _changes(courses, dict(zip(results, runs, strict=True)))
    settings = [(), *(tuple(settings_between(a, b)) for a, b in pairwise(runs))]
    return History(
        results,
        tuple(sorted(courses, key=lambda course: course.latest, reverse=True)),
        tuple(sorted(changes, key=lambda change: -abs(change.by.value))),
        tuple(steps),
        dict(zip(results, settings, strict=True)),
        tuple(deck for deck, course in found.items() if course is None),
    )


def _named(runs: Sequence[SimulationRun]) -> dict[str, SimulationResult]:
    """The results of runs by the ends of their paths that tell them apart."""
    places = [run.folder.resolve().as_posix() for run in runs]
    if len(runs) < 2:
        raise UsageError("A history needs two runs or more", "Name the oldest first")
    for place in places:
        if places.count(place) > 1:
            name = quote(Path(place).name)
            raise UsageError(f"{name} is named twice", "Name each run once")
    names = short_paths(places)
    return {name: run.result() for name, run in zip(names, runs, strict=True)}


def _rates(run: SimulationResult) -> Rates:
    """Who met whom, two at a time, with the win rate from both sides."""
    rates: dict[str, dict[str, Combination]] = {}
    for table in run.tables:
        if len(set(table.entrants)) == len(table.entrants) == 2:
            a, b = table.entrants
            share = table.first.share
            rates.setdefault(a, {})[b] = share
            rates.setdefault(b, {})[a] = share.opposite()
    return rates


def _course(deck: str, rates: Mapping[str, Rates]) -> Course | None:
    """The rates of a deck over the opponents of all its runs; None if there are none.

    A deck of a single run has no course.
    """
    runs = {name: run[deck] for name, run in rates.items() if deck in run}
    if len(runs) < 2:
        return None
    first, *others = runs.values()
    opponents = [name for name in first if all(name in other for other in others)]
    if not opponents:
        return None
    means = {
        name: mean_of([met[opponent] for opponent in opponents]).estimate()
        for name, met in runs.items()
    }
    return Course(deck, tuple(opponents), means)


def _changes(
    courses: Sequence[Course], runs: Mapping[str, SimulationRun]
) -> tuple[list[RunChange], list[RunStep]]:
    """What changed of each deck from its first to its last run, and in between."""
    spans = {course.deck: [*pairwise(course.rates)] for course in courses}
    steps = sum(len(each) for each in spans.values() if len(each) > 1)
    level = level_of(len(courses) + steps)
    pairs: dict[tuple[str, str], PairedRuns] = {}

    def change(course: Course, first: str, last: str) -> RunChange:
        if (first, last) not in pairs:
            old, new = runs[first], runs[last]
            untouched = untouched_between(old, new)
            pairs[first, last] = PairedRuns(old.result(), new.result(), {}, untouched)
        by = pairs[first, last].change(course.deck, course.opponents, level)
        assert by is not None
        before, after = course.rates[first], course.rates[last]
        return RunChange(course.deck, ALL, before, after, by)

    whole = []
    for course in courses:
        first, *_, last = course.rates
        whole.append(change(course, first, last))
    return (
        whole,
        [
            RunStep(*span, change(course, *span))
            for course in courses
            if len(spans[course.deck]) > 1
            for span in spans[course.deck]
        ],
    )


def settings_lines(history: History) -> Iterator[tuple[str, str]]:
    """What each run changed of the one before it, a line each."""
    for name, settings in history.settings.items():
        for setting in settings:
            yield name, setting


# Win rates over several runs: the tables and the page


RATES = "Mean win rate in each run, over the opponents of all runs of a deck"
ALONE = "in a single run, or never against the same opponents"
CHANGES = "From the first to the last run of each deck"
STEPS = "From each run to the next"
TOGETHER = (
    "points of the win rate; the intervals of all changes hold jointly in 95 of 100 "
    "histories"
)


def history_report(history: History) -> Report:
    """Return the tables of a history."""
    warnings = [
        f"{quote(name)}: {warning}"
        for name, run in history.runs.items()
        for warning in list_warnings(run)
    ]
    facts = [*settings_lines(history), *_played(history)]
    if history.alone:
        facts.append(("left out", f"{', '.join(history.alone)}: {ALONE}"))
    tables = [changes_table(history), steps_table(history), rates_table(history)]
    tables = [table for table in tables if table.rows]
    return Report(tuple(tables), tuple(warnings), tuple(facts), (history.answer,))


def rates_table(history: History) -> ReportTable:
    """Each deck in each run, a row each."""
    columns = (
        Column("deck"),
        Column("run"),
        WIN_RATE,
        *numbers(COUNT, "opponents", "games"),
    )
    rows = tuple(
        (course.deck, run, rate, len(course.opponents), rate.games)
        for course in history.courses
        for run, rate in course.rates.items()
    )
    return ReportTable(RATES, columns, rows)


def changes_table(history: History) -> ReportTable:
    """By how much each deck changed in all."""
    rows = tuple((c.deck, c.before, c.after, c.by) for c in history.changes)
    columns = (Column("deck"), *numbers(PERCENT, "before", "after"), DIFFERENCE)
    return ReportTable(CHANGES, columns, rows, note=TOGETHER)


def steps_table(history: History) -> ReportTable:
    """By how much each deck changed from each run to the next."""
    columns = (
        *words("deck", "from", "to"),
        *numbers(PERCENT, "before", "after"),
        DIFFERENCE,
    )
    rows = tuple(
        (c.deck, step.before, step.after, c.before, c.after, c.by)
        for step in history.steps
        for c in (step.change,)
    )
    return ReportTable(STEPS, columns, rows, note=TOGETHER)


def history_page(history: History) -> Page:
    """Return the page of a history."""
    report = history_report(history)
    rates, changes = rates_table(history), changes_table(history)
    decks = [(str(deck), False) for deck, *_ in rates.rows]
    named = replace(
        rates,
        columns=(Column("deck and run"), *rates.columns[2:]),
        rows=tuple((f"{deck}, {run}", *rest) for deck, run, *rest in rates.rows),
    )
    lines = tuple(_lines(history))
    sections = [
        Section("changes", "First and last", (draw_forest(changes),)),
        Section("rates", "Run by run", (*lines, draw_forest(named, decks=decks))),
    ]
    if history.steps:
        steps = Figures(steps_table(history))
        sections.insert(1, Section("steps", STEPS, (steps,)))
    settings = [f"{quote(name)}: {line}" for name, line in settings_lines(history)]
    differs = Notes(tuple(settings or ["Nothing: the settings of all are the same."]))
    sections.append(Section("settings", "What each run changed", (differs,)))
    if history.alone:
        alone = Notes(tuple(f"{deck}: {ALONE}" for deck in history.alone))
        sections.append(Section("alone", "Decks that are left out", (alone,)))
    facts = PageFacts(tuple(_played(history)))
    sections.append(Section("played", "How they were played", (facts,)))
    [*_, last] = history.runs.values()
    number = plural(len(history.runs), "run")
    return Page(
        title=f"{plural(len(history.courses), 'deck')} over {number}",
        about=f"{last.format} ({last.month})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest=last.digest,
    )


def _lines(history: History) -> Iterator[Line]:
    """A line for each deck over its runs, all of them on one scale."""
    axis = fit_axis([rate for c in history.courses for rate in c.rates.values()])
    reach = f"on a scale from {percent(axis.low)} to {percent(axis.high)}"
    for course in history.courses:
        first, *_, last = course.rates.values()
        answer = f"First {percent(first.value)}, last {percent(last.value)}, {reach}"
        yield draw_line(course.deck, answer, axis, course.rates)


def _played(history: History) -> list[tuple[str, str]]:
    """How each run was played."""
    return [
        (
            name,
            f"{run.format}, snapshot {run.month}; "
            f"{describe_deck_policies(run.decks)}; "
            f"{game_count(run.games_played)}, seed {run.seed}, "
            f"checksum {run.checksum}",
        )
        for name, run in history.runs.items()
    ]


HISTORY = Presentation[History](
    history_report, lambda history, _tool: history_page(history)
)
