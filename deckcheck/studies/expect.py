"""The expectations of a plan held against games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import PurePath
from typing import Annotated, ClassVar, Literal, NamedTuple, TextIO

from typing_extensions import TypedDict

from deckcheck.decks import DeckSource
from deckcheck.documents.readers import SourceDefect
from deckcheck.documents.records import (
    Count,
    Difference,
    DifferenceInterval,
    Interval,
    Ordinal,
    Share,
    Tool,
    one_of,
)
from deckcheck.findings import Finding, Position, Severity, Span
from deckcheck.markup import tool
from deckcheck.messages import choice, game_count, nearest, plural, quote
from deckcheck.plans import (
    CHANGE,
    Experiment,
    Named,
    Plan,
    PlanFault,
    plan_error,
    read_expectation,
)
from deckcheck.report.outputs import (
    PAGE,
    Writers,
    as_csv,
    as_json,
    as_markdown,
    as_text,
    text_writers,
    width_of,
)
from deckcheck.report.page import Block, Page, PageFacts, Section, drawn_or_not, written
from deckcheck.report.tables import (
    COUNT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    policies_of,
    run_facts,
    warnings_of,
)
from deckcheck.reporters import REPORTERS
from deckcheck.rules import FAILED_EXPECTATION, OPEN_EXPECTATION
from deckcheck.sim.documents import SimulationDocument
from deckcheck.sim.figures import ALL, Row, Tabular, ends_of, tidy, value_of
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping import (
    Expectation,
    ExpectationVerdict,
    Judged,
    JudgedRate,
    RateInterval,
)
from deckcheck.studies.changes import PairedRuns, untouched_decks
from deckcheck.terminal import Style
from deckcheck.validation import FileReport, Validation

OutcomeWord = Annotated[str, one_of(ExpectationVerdict)]


class ExpectationSummaryDocument(TypedDict):
    """The numbers of expectations that hold, fail and are open."""

    holds: Count
    """The number of expectations that hold."""
    fails: Count
    """The number of expectations that fail."""
    open: Count
    """The number of expectations that the games do not decide."""


class RateDocument(TypedDict):
    """A win rate of which something is expected."""

    deck: str
    """The name of the deck."""
    opponent: str | None
    """The name of the opponent; null for the mean over all opponents."""
    games: Count
    """The number of games."""
    win_rate: Share | None
    """The win rate, 0 to 1; null without games, and of a change."""
    interval: Interval | None
    """The lower and the upper end of the win rate's interval; null without one."""
    change: Difference | None
    """By how much the win rate changed, -1 to 1; null unless that is expected."""
    change_interval: DifferenceInterval | None
    """The lower and the upper end of the change's interval, -1 to 1."""
    outcome: OutcomeWord
    """Whether this win rate is as expected."""


class ExpectationDocument(TypedDict):
    """An expectation and its outcome."""

    experiment: str
    """The name of the experiment."""
    text: str
    """The expectation as the plan has it."""
    line: Ordinal
    """The line of the plan, from 1."""
    column: Ordinal
    """The column of that line, from 1."""
    low: Difference | None
    """The lower bound, 0 to 1, of a change -1 to 1; null if there is none."""
    high: Difference | None
    """The upper bound, 0 to 1, of a change -1 to 1; null if there is none."""
    confidence: float
    """The confidence of the interval, 0 to 1, such as 0.95."""
    outcome: OutcomeWord
    """Whether the expectation holds, fails or is open."""
    before: str | None
    """The experiment that a change is from; null where win rates are expected."""
    rates: list[RateDocument]
    """The win rates of which it speaks."""


class ExperimentDocument(TypedDict):
    """An experiment that was played."""

    name: str
    """The name of the experiment."""
    result: SimulationDocument
    """The result, as `simulate` prints it."""


class CheckDocument(TypedDict):
    """The output of `deckcheck expect --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    plan: str
    """The path of the plan."""
    answer: str
    """The number of expectations that hold, in a sentence."""
    summary: ExpectationSummaryDocument
    """The numbers of expectations that hold, fail and are open."""
    expectations: list[ExpectationDocument]
    """The expectations, in the order of the plan."""
    experiments: list[ExperimentDocument]
    """The experiments, in the order of the plan."""


# Expectations of by how much win rates change from one experiment to another


@dataclass(frozen=True, slots=True)
class ExpectedChange(Expectation):
    """Changes of win rates, -1 to 1; `before` is the experiment that they are from."""

    LEAST: ClassVar[float] = -1.0

    before: str = ""

    def judged_between(
        self,
        before: SimulationResult,
        after: SimulationResult,
        untouched: Collection[str] = (),
    ) -> Judged:
        """What the games of both say of it, see `PairedRuns`."""
        pairs = PairedRuns(before, after, {}, untouched)
        changes = (
            pairs.change(r.deck, r.opponent and (r.opponent,), self.level)
            for r in self.rates
        )
        return Judged(
            self,
            tuple(
                JudgedRate(rate, change, self._outcome(change))
                for rate, change in zip(self.rates, changes, strict=True)
            ),
        )


# The expectations of a plan, and their outcomes


LONGEST = 120
HELP = "Play more games, or let `until_decided = true` play as many as it takes"
KINDS = {
    ExpectationVerdict.FAILS: FAILED_EXPECTATION,
    ExpectationVerdict.OPEN: OPEN_EXPECTATION,
}
"""The findings that outcomes are: what holds is none."""


class PlacedExpectation(NamedTuple):
    """An expectation and where it stands in its plan."""

    expectation: Expectation
    span: Span


@dataclass(frozen=True, slots=True)
class CheckedExperiment:
    """An experiment, its games, and the outcomes of its expectations."""

    name: str
    result: SimulationResult
    judged: tuple[Judged, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, repr=False)
class PlanCheck(Tabular):
    """A plan whose experiments were played; `path` and `text` are those of its file."""

    path: str
    text: str
    experiments: tuple[CheckedExperiment, ...]
    fails_open: bool = False

    @property
    def _parts(self) -> list[tuple[CheckedExperiment, Judged, Span]]:
        """Each expectation in the order of the plan, and where it stands there."""
        return [
            (experiment, judged, span)
            for experiment in self.experiments
            for judged, span in zip(experiment.judged, experiment.spans, strict=True)
        ]

    @property
    def outcomes(self) -> Counter[ExpectationVerdict]:
        """How many expectations hold, fail and are open."""
        return Counter(judged.outcome for _, judged, _ in self._parts)

    @property
    def answer(self) -> str:
        """How many expectations hold, in a sentence."""
        counts = self.outcomes
        words = {
            ExpectationVerdict.FAILS: ("fails", "fail"),
            ExpectationVerdict.OPEN: ("is open", "are open"),
            ExpectationVerdict.HOLDS: ("holds", "hold"),
        }
        parts = [
            f"{n} {several if n > 1 else one}"
            for outcome, (one, several) in words.items()
            if (n := counts[outcome])
        ]
        return f"Of {plural(counts.total(), 'expectation')} {', '.join(parts)}"

    @property
    def validation(self) -> Validation:
        """The same as findings about the plan, a part for each expectation.

        What fails is an error, what is open a warning unless it fails the plan, too.
        """
        parts = (
            FileReport(
                DeckSource(self.path),
                f"{experiment.name}: {judged.expectation.text}",
                tuple(self._findings(experiment, judged, span)),
                self.text,
            )
            for experiment, judged, span in self._parts
        )
        return Validation((), tuple(parts))

    def to_dict(self) -> CheckDocument:
        """The outcome as `deckcheck schema expect` describes it."""
        counts = self.outcomes
        return {
            "schema_version": 1,
            "tool": tool(),
            "plan": self.path,
            "answer": self.answer,
            "summary": {
                "holds": counts[ExpectationVerdict.HOLDS],
                "fails": counts[ExpectationVerdict.FAILS],
                "open": counts[ExpectationVerdict.OPEN],
            },
            "expectations": [
                _expectation(experiment.name, judged, span)
                for experiment, judged, span in self._parts
            ],
            "experiments": [
                {"name": experiment.name, "result": experiment.result.to_dict()}
                for experiment in self.experiments
            ],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: each rate of which something is expected.

        Its interval is that of the confidence that was asked for.
        """
        return [
            row
            for experiment, judged, _ in self._parts
            for rate in judged.rates
            for row in tidy(
                "difference" if baseline_of(judged) else "win_rate",
                rate.estimate,
                rate.estimate.games if rate.estimate else 0,
                rate.rate.deck,
                rate.rate.opponent or ALL,
                baseline=baseline_of(judged),
                experiment=experiment.name,
                expectation=judged.expectation.text,
                outcome=rate.outcome.value,
            )
        ]

    def _findings(
        self, experiment: CheckedExperiment, judged: Judged, span: Span
    ) -> Sequence[Finding]:
        if judged.outcome not in KINDS:
            return ()
        worst, *others = judged.deciding
        more = f", and {len(others)} more" if others else ""
        fails = judged.outcome is ExpectationVerdict.FAILS
        verb = "does not hold" if fails else "is not decided"
        text = quote(judged.expectation.text, LONGEST)
        message = f"{text} {verb}: {_told(worst, judged.expectation)}{more}"
        rule = KINDS[judged.outcome]
        if self.fails_open:
            rule = replace(rule, severity=Severity.ERROR)
        run = experiment.result
        played = f"{run.format}, seed {run.seed}, checksum {run.checksum}"
        finding = rule.at(
            self.path,
            span,
            message,
            notes=(f"experiment {quote(experiment.name)}, {played}",),
            help=None if fails else HELP,
        )
        return (finding,)


def checked(
    results: Mapping[str, SimulationResult],
    planned: Mapping[str, tuple[Simulation, Sequence[PlacedExpectation]]],
) -> tuple[CheckedExperiment, ...]:
    """The outcome of each expectation of experiments, by name.

    Those before them, of which nothing may be expected, have their results here, too.
    """

    def judged(expectation: Expectation, name: str) -> Judged:
        if not isinstance(expectation, ExpectedChange):
            return expectation.judged(results[name].tables)
        before = expectation.before
        untouched = untouched_decks(planned[before][0], planned[name][0])
        return expectation.judged_between(results[before], results[name], untouched)

    return tuple(
        CheckedExperiment(
            name,
            results[name],
            tuple(judged(placed.expectation, name) for placed in own),
            tuple(placed.span for placed in own),
        )
        for name, (_, own) in planned.items()
        if own
    )


def baseline_of(judged: Judged) -> str | None:
    """The experiment that a change is from; None of an expected win rate."""
    expectation = judged.expectation
    return expectation.before if isinstance(expectation, ExpectedChange) else None


def named(rate: JudgedRate) -> str:
    """Whose rate it is: `Siege masters against The swarm`."""
    deck, opponent = rate.rate.deck, rate.rate.opponent
    return deck if opponent is None else f"{deck} against {opponent}"


def _told(rate: JudgedRate, expectation: Expectation) -> str:
    """A rate in words, with its interval."""
    estimate = rate.estimate
    if estimate is None:
        return f"no game of {named(rate)} was played"
    games = game_count(estimate.games)
    low, high = (100 * end for end in estimate.interval)
    came = f"won {100 * estimate.value:.1f} % of {games}"
    if isinstance(expectation, ExpectedChange):
        came = f"changed by {100 * estimate.value:+.1f} points in {games}"
    return (
        f"{named(rate)} {came}, "
        f"{100 * expectation.confidence:g} % interval {low:.1f} to {high:.1f}"
    )


def _expectation(name: str, judged: Judged, span: Span) -> ExpectationDocument:
    expectation = judged.expectation
    return {
        "experiment": name,
        "text": expectation.text,
        "line": span.start.line,
        "column": span.start.column,
        "low": expectation.low,
        "high": expectation.high,
        "confidence": expectation.confidence,
        "outcome": judged.outcome.value,
        "before": baseline_of(judged),
        "rates": [_rate(rate, baseline_of(judged)) for rate in judged.rates],
    }


def _rate(rate: JudgedRate, before: str | None) -> RateDocument:
    estimate = rate.estimate
    figure = None if before else estimate
    change = estimate if before else None
    return {
        "deck": rate.rate.deck,
        "opponent": rate.rate.opponent,
        "games": estimate.games if estimate else 0,
        "win_rate": value_of(figure),
        "interval": ends_of(figure),
        "change": value_of(change),
        "change_interval": ends_of(change),
        "outcome": rate.outcome.value,
    }


# Tables of a plan whose expectations were checked


FINDINGS = ("junit", "github", "gitlab")
"""The outputs that write findings as `validate` does."""


def expectation_report(experiment: CheckedExperiment) -> Report:
    """Return the expectations of an experiment, and how it was played."""
    result = experiment.result
    levels = {100 * outcome.expectation.confidence for outcome in experiment.judged}
    note = None
    if any(len(outcome.rates) != 1 for outcome in experiment.judged):
        note = (
            "of an expectation about several rates: one that decides, and of how many; "
            "their intervals hold jointly"
        )
    tables = []
    for figure, unit, is_change in (
        ("win rate", PERCENT, False),
        ("change", POINTS, True),
    ):
        rows = [_row(j) for j in experiment.judged if bool(baseline_of(j)) == is_change]
        columns = (
            Column("expectation"),
            Column(figure, unit, f"{max(levels, default=95):g} % interval"),
            Column("games", COUNT),
            Column("outcome"),
        )
        if rows:
            title, cells = experiment.name, tuple(rows)
            tables.append(ReportTable(title, columns, cells, note=note, whole=True))
    policies = policies_of([deck.policy for deck in result.decks])
    facts = run_facts(result, policies, f"{count(result.games_played)} in all")
    return Report(tuple(tables), warnings_of(result), facts)


def _row(judged: Judged) -> tuple[Cell, ...]:
    deciding = judged.deciding
    estimate = deciding[0].estimate
    text = judged.expectation.text
    if len(judged.rates) > 1:
        text += f": {named(deciding[0])} ({len(deciding)} of {len(judged.rates)})"
    return (text, estimate, estimate.games if estimate else 0, judged.outcome.value)


# The page of a plan whose expectations were checked


EXPECTED = "What is expected, and what was played"


def check_page(check: PlanCheck) -> Page:
    """Return the page: each expectation, its estimate and its verdict."""
    sections, warnings = [], []
    for number, experiment in enumerate(check.experiments, start=1):
        report = expectation_report(experiment)
        warnings += [f"{experiment.name}: {warning}" for warning in report.warnings]
        tables = [replace(table, title=EXPECTED) for table in report.tables]
        blocks: list[Block] = [*map(drawn_or_not, tables)]
        blocks.append(PageFacts(report.facts, title="How it was played"))
        sections.append(Section(f"part-{number}", experiment.name, tuple(blocks)))
    games = sum(experiment.result.games_played for experiment in check.experiments)
    digests = (experiment.result.digest for experiment in check.experiments)
    return Page(
        title=f"Does {PurePath(check.path).name} hold?",
        about=f"{check.path} · {game_count(games)}",
        answers=(
            f"{check.answer}.",
            *(f"{finding.message}." for finding in check.validation.findings),
        ),
        warnings=tuple(warnings),
        sections=tuple(sections),
        digest=", ".join(dict.fromkeys(digests)),
    )


# The outputs of a plan whose expectations were checked, by name


def write_expectation_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    """Write the page of a CI job."""
    stream.write(_text(check, "markdown", width_of(stream)))


def _text(check: PlanCheck, name: str, width: int) -> str:
    if name == "json":
        return as_json(check)
    if name == "csv":
        return as_csv(check)
    if name == PAGE:
        return written(check_page(check))
    reports = map(expectation_report, check.experiments)
    if name == "markdown":
        texts = list(map(as_markdown, reports))
    else:
        texts = [as_text(report, width, whole=True) for report in reports]
    return "\n".join([f"{check.answer}.\n", *texts])


def _write_findings(
    name: str, check: PlanCheck, stream: TextIO, style: Style, _: bool
) -> None:
    # Their summary counts decks.
    dict(REPORTERS)[name](check.validation, stream, style, False)


EXPECTATION_WRITERS: Writers = (
    *text_writers(("table", "json", "csv", "markdown", PAGE), _text, PlanCheck.to_rows),
    *((name, partial(_write_findings, name)) for name in FINDINGS),
)
"""Every output of `check` by its name; see `deckcheck.reporters.Reporter`."""


# The expectations of a plan: read, with their decks resolved


DEFAULT_CONFIDENCE = 0.95
EVERY = "*"
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class ExpectedMeetings:
    """The matchups of an experiment: the entrants of each table.

    `own` are those that `*` stands for, `also` other names for entrants: their files.
    """

    tables: tuple[tuple[str, ...], ...]
    own: tuple[str, ...]
    also: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, simulation: Simulation) -> ExpectedMeetings:
        """Those of a simulation."""
        tournament = simulation.tournament
        if tournament is not None:
            tables = tuple(job.names for job in tournament.jobs({}))
            files = [(e.name, x.deck) for e in tournament.lineups for x in e.entrants]
        else:
            tables = tuple(table.entrants for table in simulation.tables)
            files = [(e.name, e.deck) for e in simulation.entrants]
        also = ((PurePath(deck.source.path).stem, name) for name, deck in files)
        names = tuple(dict.fromkeys(name for table in tables for name in table))
        # An automa is nobody's deck; teams and lineups have names of their own.
        decks = {name for name, _ in files}
        own = tuple(name for name in names if name in decks) or names
        if tournament is None and simulation.challengers:
            own = simulation.challengers
        return cls(tables, own, tuple(dict.fromkeys(also)))

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table))

    def rates(
        self, deck: str, opponents: Sequence[str] | None
    ) -> Iterator[RateInterval]:
        """The rates of a deck that are played: against these opponents, or over all."""
        others = [None] if opponents is None else [o for o in opponents if o != deck]
        for rate in (RateInterval(deck, other) for other in others):
            if any(rate.is_at(table) for table in self.tables):
                yield rate


def planned(
    plan: Plan, names: Iterable[str], simulation_of: Callable[[str], Simulation]
) -> dict[str, tuple[Simulation, list[PlacedExpectation]]]:
    """The simulations of some experiments, and what is expected of each, by name.

    Raises UsageError with all that is wrong with what is expected, and what
    `simulation_of` raises, at the place of the experiment.
    """
    found: dict[str, tuple[Simulation, list[PlacedExpectation]]] = {}
    defects: list[SourceDefect] = []
    for name in names:
        with plan.checking(name):
            simulation = simulation_of(name)
            expected, simulation = _expecting(plan, name, simulation, defects)
        found[name] = simulation, expected
    if defects:
        raise plan_error(plan.path, defects)
    return found


def _expecting(
    plan: Plan, name: str, simulation: Simulation, defects: list[SourceDefect]
) -> tuple[list[PlacedExpectation], Simulation]:
    """What is expected of an experiment, and its simulation that goes on so far.

    Each mistake is added to `found`, at its place.
    """
    experiment = plan.experiments[name]
    confidence = _confidence(plan, name, experiment, defects)
    meetings = ExpectedMeetings.of(simulation) if experiment.expect else None
    before = _before(plan, name, defects)
    expected = []
    for place, text in enumerate(experiment.expect):
        assert meetings is not None
        span = plan.source.document.span(("experiments", name, "expect", place))
        faults: list[PlanFault] = []
        expectation = _read(text, meetings, confidence, before, faults)
        defects += [
            SourceDefect(plan.path, _within(span, text, f), f.message) for f in faults
        ]
        if expectation is not None:
            expected.append(PlacedExpectation(expectation, span))
    if experiment.until_decided and expected:
        return expected, _until_decided(simulation, expected)
    return expected, simulation


def _until_decided(
    simulation: Simulation, expected: Sequence[PlacedExpectation]
) -> Simulation:
    """The simulation that goes on until all of this is decided."""
    setting, request = simulation.setting, simulation.setting.request
    expectations = tuple(expectation.expectation for expectation in expected)
    stopping = replace(request.stopping, expectations=expectations)
    request = replace(request, stopping=stopping)
    return replace(simulation, setting=replace(setting, request=request))


def _confidence(
    plan: Plan, name: str, experiment: Experiment, defects: list[SourceDefect]
) -> float:
    confidence = experiment.confidence
    if confidence is None:
        return DEFAULT_CONFIDENCE
    if not 0.5 <= confidence < 1:
        message = f"confidence is {confidence:g}, must be 0.5 or more and less than 1"
        defects.append(plan.defect_of(name, "confidence", message))
        return DEFAULT_CONFIDENCE
    return confidence


def _before(plan: Plan, name: str, defects: list[SourceDefect]) -> str | None:
    """The experiment from which changes are measured; each mistake is a defect.

    That is one with the same decks, and with a fixed number of games as this one.
    """
    experiment = plan.experiments[name]
    if experiment.before is None:
        return None
    others = {n: e for n, e in plan.experiments.items() if n != name}
    if experiment.before not in others:
        near = nearest(experiment.before, others)
        help = f"did you mean {choice(near)}?" if near else "name one of this plan"
        message = f"There is no experiment {quote(experiment.before)}: {help}"
        defects.append(plan.defect_of(name, "before", message))
        return None
    both = (others[experiment.before], experiment)
    before, own = ((e.decks, e.against, e.gauntlet, e.mirror) for e in both)
    is_open = any(
        e.until_decided or e.until_width or e.sprt or e.adaptive for e in both
    )
    wrong = ["other decks"] if before != own else []
    wrong += ["no fixed number of games"] if is_open else []
    for what in wrong:
        message = f"{quote(experiment.before)} and {quote(name)} have {what}"
        defects.append(plan.defect_of(name, "before", message))
    return experiment.before


def _read(
    text: str,
    meetings: ExpectedMeetings,
    confidence: float,
    before: str | None,
    faults: list[PlanFault],
) -> Expectation | None:
    """What a text expects; every mistake is added to `faults`."""
    try:
        written = read_expectation(text)
    except PlanFault as fault:
        faults.append(fault)
        return None
    if written.figure == CHANGE and before is None:
        message = "A change is from another experiment: name it by `before`"
        faults.append(PlanFault(message, 0, len(text)))
        return None
    meant: list[Sequence[str]] = []
    for deck_rate in written.decks:
        try:
            meant.append(_meant(deck_rate, meetings))
        except PlanFault as fault:
            faults.append(fault)
    if faults:
        return None
    opponents = meant[1] if len(meant) > 1 else None
    rates = tuple(r for deck in meant[0] for r in meetings.rates(deck, opponents))
    if not rates:
        first, last = written.decks[0], written.decks[-1]
        message = f"{quote(first.name)} meets no other deck here"
        if opponents is not None:
            names = f"{quote(first.name)} and {quote(last.name)}"
            message = f"{names} do not meet in a game of two here"
        faults.append(PlanFault(message, first.start, last.end))
        return None
    bounds = written.low, written.high
    if written.figure == CHANGE and before is not None:
        return ExpectedChange(text, rates, *bounds, confidence, before)
    return Expectation(text, rates, *bounds, confidence)


def _meant(named: Named, meetings: ExpectedMeetings) -> Sequence[str]:
    """The entrants that a name stands for: one, or each."""
    if named.name == EVERY:
        return meetings.own if named.is_first else meetings.names
    names: dict[str, list[str]] = {}
    for name in meetings.names:
        names.setdefault(_key(name), []).append(name)
    for other, name in meetings.also:
        if _key(other) not in map(_key, meetings.names):
            names.setdefault(_key(other), []).append(name)
    meanings = list(dict.fromkeys(names.get(_key(named.name), ())))
    if len(meanings) == 1:
        return meanings
    raise PlanFault(_why_not(named.name, meanings, names), named.start, named.end)


def _why_not(
    name: str, meanings: Sequence[str], names_by_key: dict[str, list[str]]
) -> str:
    if meanings:
        return f"{quote(name)} may be {choice(meanings)}: write one of these names"
    names = list(dict.fromkeys(chain.from_iterable(names_by_key.values())))
    near = nearest(name, [*names, *names_by_key], limit=1)
    meant = names_by_key.get(_key(near[0]), near)[:1] if near else []
    if meant:
        return f"No deck is called {quote(name)}: did you mean {quote(meant[0])}?"
    listed = choice(names[:MOST_LISTED], "and")
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"No deck is called {quote(name)}; decks are {listed}{more}"


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _within(span: Span, text: str, fault: PlanFault) -> Span:
    """The place of a fault in the file, where the text stands there as it is."""
    start, end = span
    if start.line != end.line or end.column - start.column != len(text) + 2:
        return span
    first = start.column + 1
    return Span(
        Position(start.line, first + fault.start),
        Position(start.line, first + min(fault.end, len(text))),
    )
