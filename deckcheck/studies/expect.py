"""The expectations of a plan, judged by games: result and reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePath
from typing import Annotated, ClassVar, Literal, NamedTuple

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
    CHANGE_FIGURE,
    Experiment,
    Named,
    Plan,
    PlanFault,
    plan_error,
    read_expectation,
)
from deckcheck.rules import FAILED_EXPECTATION, OPEN_EXPECTATION
from deckcheck.sim.documents import SimulationDocument
from deckcheck.sim.expectations import (
    Expectation,
    ExpectationVerdict,
    Judged,
    JudgedRate,
    RateInterval,
)
from deckcheck.sim.figures import ALL, Row, Tabular, figure_ends, figure_value, tidy
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.simulation import Simulation
from deckcheck.studies.changes import PairedRuns, find_untouched
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
    """A win rate about which something is expected."""

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
    """The change of the win rate, -1 to 1; null unless a change is expected."""
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
    """The baseline experiment of a change; null where win rates are expected."""
    rates: list[RateDocument]
    """The win rates that it is about."""


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


# Changes of win rates from one experiment to another


@dataclass(frozen=True, slots=True)
class ExpectedChange(Expectation):
    """Changes of win rates, -1 to 1, from the experiment `before`."""

    LEAST: ClassVar[float] = -1.0

    before: str = ""

    def judge_change(
        self,
        before: SimulationResult,
        after: SimulationResult,
        untouched: Collection[str],
    ) -> Judged:
        """Return the outcome by the games of both experiments, see `PairedRuns`."""
        pairs = PairedRuns(before, after, {}, untouched)
        judged = []
        for rate in self.rates:
            opponents = (rate.opponent,) if rate.opponent else None
            change = pairs.change(rate.deck, opponents, self.level)
            judged.append(JudgedRate(rate, change, self.judge_estimate(change)))
        return Judged(self, tuple(judged))


# The expectations of a plan, and their outcomes


MAX_MESSAGE_LENGTH = 120
OPEN_HELP = "Play more games, or let `until_decided = true` play as many as it takes"
RULE_BY_OUTCOME = {
    ExpectationVerdict.FAILS: FAILED_EXPECTATION,
    ExpectationVerdict.OPEN: OPEN_EXPECTATION,
}
"""The findings of outcomes. An expectation that holds is not a finding."""
HOLD_VERBS = ("holds", "hold")
FAIL_VERBS = ("fails", "fail")
OPEN_VERBS = ("is undecided", "are undecided")


class PlacedExpectation(NamedTuple):
    """An expectation and its position in the plan."""

    expectation: Expectation
    span: Span


@dataclass(frozen=True, slots=True)
class CheckedExperiment:
    """An experiment, its games, and the outcomes of its expectations."""

    name: str
    result: SimulationResult
    judged: tuple[Judged, ...]
    spans: tuple[Span, ...]


class JudgedPart(NamedTuple):
    """An expectation of a plan with its experiment, its outcome and its position."""

    experiment: CheckedExperiment
    judged: Judged
    span: Span


@dataclass(frozen=True, slots=True, repr=False)
class PlanCheck(Tabular):
    """A plan whose experiments were played."""

    path: str
    """The path of the plan."""
    text: str
    """The text of the plan."""
    experiments: tuple[CheckedExperiment, ...]
    fails_open: bool = False
    """Whether an undecided expectation is an error."""

    @property
    def parts(self) -> list[JudgedPart]:
        """Each expectation in the order of the plan, with its position there."""
        parts = []
        for experiment in self.experiments:
            for judged, span in zip(experiment.judged, experiment.spans, strict=True):
                parts.append(JudgedPart(experiment, judged, span))
        return parts

    @property
    def outcomes(self) -> Counter[ExpectationVerdict]:
        """The number of expectations that hold, fail and are open."""
        return Counter(part.judged.outcome for part in self.parts)

    @property
    def answer(self) -> str:
        """The number of expectations that hold, fail and are undecided, as a sentence.

        For example "3 of 5 expectations hold, 1 fails, 1 is undecided."
        """
        counts = self.outcomes
        holding = counts[ExpectationVerdict.HOLDS]
        failing = counts[ExpectationVerdict.FAILS]
        undecided = counts[ExpectationVerdict.OPEN]
        expectations = plural(counts.total(), "expectation")
        are_several = counts.total() > 1 and holding != 1
        parts = [f"{holding} of {expectations} {HOLD_VERBS[are_several]}"]
        if failing:
            parts.append(f"{failing} {FAIL_VERBS[failing != 1]}")
        for part in self.parts:
            if failing == 1 and part.judged.outcome is ExpectationVerdict.FAILS:
                parts[-1] += f" ({quote(part.judged.expectation.text)})"
        if undecided:
            parts.append(f"{undecided} {OPEN_VERBS[undecided != 1]}")
        return f"{', '.join(parts)}."

    @property
    def validation(self) -> Validation:
        """The outcomes as findings about the plan, a report for each expectation.

        A failed expectation is an error, an undecided expectation a warning unless
        `fails_open`.
        """
        reports = []
        for part in self.parts:
            title = f"{part.experiment.name}: {part.judged.expectation.text}"
            findings = tuple(self._find_outcome(part))
            source = DeckSource(self.path)
            reports.append(FileReport(source, title, findings, self.text))
        return Validation((), tuple(reports))

    def to_dict(self) -> CheckDocument:
        """Return the outcome as `deckcheck schema expect` describes it."""
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
            "expectations": list(map(_make_expectation_document, self.parts)),
            "experiments": [
                {"name": experiment.name, "result": experiment.result.to_dict()}
                for experiment in self.experiments
            ],
        }

    def to_rows(self) -> list[Row]:
        """Return tidy rows, for each rate about which something is expected.

        Its interval has the confidence that the plan asks for.
        """
        rows: list[Row] = []
        for part in self.parts:
            baseline = find_baseline(part.judged)
            for rate in part.judged.rates:
                rows += tidy(
                    "difference" if baseline else "win_rate",
                    rate.estimate,
                    rate.estimate.games if rate.estimate else 0,
                    rate.rate.deck,
                    rate.rate.opponent or ALL,
                    baseline=baseline,
                    experiment=part.experiment.name,
                    expectation=part.judged.expectation.text,
                    outcome=rate.outcome.value,
                )
        return rows

    def _find_outcome(self, part: JudgedPart) -> Sequence[Finding]:
        """Return the finding of an expectation that fails or is undecided."""
        judged = part.judged
        if judged.outcome not in RULE_BY_OUTCOME:
            return ()
        worst, *others = judged.deciding
        verdict, help = "does not hold", None
        if judged.outcome is ExpectationVerdict.OPEN:
            verdict, help = "is not decided", OPEN_HELP
        text = quote(judged.expectation.text, MAX_MESSAGE_LENGTH)
        message = f"{text} {verdict}: {describe_rate(worst, judged.expectation)}"
        if others:
            message += f", and {len(others)} more"
        rule = RULE_BY_OUTCOME[judged.outcome]
        if self.fails_open:
            rule = replace(rule, severity=Severity.ERROR)
        run = part.experiment.result
        played = f"{run.format}, seed {run.seed}, checksum {run.checksum}"
        finding = rule.at(
            self.path,
            part.span,
            message,
            notes=(f"experiment {quote(part.experiment.name)}, {played}",),
            help=help,
        )
        return (finding,)


def check_experiments(
    results: Mapping[str, SimulationResult],
    planned: Mapping[str, tuple[Simulation, Sequence[PlacedExpectation]]],
) -> tuple[CheckedExperiment, ...]:
    """Return the experiments about which something is expected, with the outcomes.

    `results` has the baseline experiments, too, even without expectations.
    """
    experiments = []
    for name, (simulation, placed_expectations) in planned.items():
        result = results[name]
        outcomes = []
        for placed in placed_expectations:
            expectation = placed.expectation
            if isinstance(expectation, ExpectedChange):
                before = expectation.before
                untouched = find_untouched(planned[before][0], simulation)
                outcome = expectation.judge_change(results[before], result, untouched)
            else:
                outcome = expectation.judge(result.tables)
            outcomes.append(outcome)
        if outcomes:
            spans = tuple(placed.span for placed in placed_expectations)
            experiments.append(CheckedExperiment(name, result, tuple(outcomes), spans))
    return tuple(experiments)


def find_baseline(judged: Judged) -> str | None:
    """Return the baseline experiment of a change, None for an expected win rate."""
    expectation = judged.expectation
    if isinstance(expectation, ExpectedChange):
        return expectation.before
    return None


def name_rate(rate: JudgedRate) -> str:
    """Return the deck of a rate and its opponent: `Siege masters against The swarm`."""
    deck, opponent = rate.rate.deck, rate.rate.opponent
    if opponent is None:
        return deck
    return f"{deck} against {opponent}"


def describe_rate(rate: JudgedRate, expectation: Expectation) -> str:
    """Return a rate in words, with its interval."""
    estimate = rate.estimate
    if estimate is None:
        return f"no game of {name_rate(rate)} was played"
    games = game_count(estimate.games)
    ends = f"{100 * estimate.interval.low:.1f} to {100 * estimate.interval.high:.1f}"
    interval = f"{100 * expectation.confidence:g}% interval {ends}"
    if isinstance(expectation, ExpectedChange):
        change = f"{100 * estimate.value:+.1f} points"
        return f"{name_rate(rate)} changed by {change} in {games}, {interval}"
    return f"{name_rate(rate)} won {100 * estimate.value:.1f}% of {games}, {interval}"


def _make_expectation_document(part: JudgedPart) -> ExpectationDocument:
    expectation = part.judged.expectation
    before = find_baseline(part.judged)
    return {
        "experiment": part.experiment.name,
        "text": expectation.text,
        "line": part.span.start.line,
        "column": part.span.start.column,
        "low": expectation.low,
        "high": expectation.high,
        "confidence": expectation.confidence,
        "outcome": part.judged.outcome.value,
        "before": before,
        "rates": [_make_rate_document(rate, before) for rate in part.judged.rates],
    }


def _make_rate_document(rate: JudgedRate, before: str | None) -> RateDocument:
    estimate = rate.estimate
    win_rate, change = (None, estimate) if before else (estimate, None)
    return {
        "deck": rate.rate.deck,
        "opponent": rate.rate.opponent,
        "games": estimate.games if estimate else 0,
        "win_rate": figure_value(win_rate),
        "interval": figure_ends(win_rate),
        "change": figure_value(change),
        "change_interval": figure_ends(change),
        "outcome": rate.outcome.value,
    }


# Reading the expectations of a plan, with the decks that they name


DEFAULT_CONFIDENCE = 0.95
EVERY_DECK = "*"
MAX_LISTED_DECKS = 8


@dataclass(frozen=True, slots=True)
class ExpectedMeetings:
    """The matchups of an experiment."""

    tables: tuple[tuple[str, ...], ...]
    """The entrants of each table."""
    decks: tuple[str, ...]
    """The entrants for which `*` stands."""
    aliases: tuple[tuple[str, str], ...]
    """Other names of entrants, which are their files, each with the entrant."""

    @classmethod
    def from_simulation(cls, simulation: Simulation) -> ExpectedMeetings:
        """Return the matchups of a simulation."""
        tournament = simulation.tournament
        files = []
        if tournament is not None:
            tables = tuple(job.names for job in tournament.jobs({}))
            for lineup in tournament.lineups:
                files += [(lineup.name, entrant.deck) for entrant in lineup.entrants]
        else:
            tables = tuple(table.entrants for table in simulation.tables)
            files = [(entrant.name, entrant.deck) for entrant in simulation.entrants]
        aliases = []
        names_with_deck = set()
        for name, deck in files:
            aliases.append((PurePath(deck.source.path).stem, name))
            names_with_deck.add(name)
        names = _list_names(tables)
        # An automa has no deck file. Teams and lineups have names of their own.
        decks = tuple(name for name in names if name in names_with_deck) or names
        if tournament is None and simulation.challengers:
            decks = simulation.challengers
        return cls(tables, decks, tuple(dict.fromkeys(aliases)))

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants."""
        return _list_names(self.tables)

    def find_rates(
        self, deck: str, opponents: Sequence[str] | None
    ) -> Iterator[RateInterval]:
        """Yield the rates of a deck that are played, over all without `opponents`."""
        rates = [RateInterval(deck)]
        if opponents is not None:
            rates = [RateInterval(deck, other) for other in opponents if other != deck]
        for rate in rates:
            if any(rate.is_at(table) for table in self.tables):
                yield rate


def _list_names(tables: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(tables)))


def plan_experiments(
    plan: Plan, names: Iterable[str], simulate: Callable[[str], Simulation]
) -> dict[str, tuple[Simulation, list[PlacedExpectation]]]:
    """Return the simulations of experiments with their expectations, by name.

    Raises UsageError with all faults of the expectations, and what `simulate` raises,
    at the position of the experiment.
    """
    planned: dict[str, tuple[Simulation, list[PlacedExpectation]]] = {}
    defects: list[SourceDefect] = []
    for name in names:
        with plan.checking(name):
            simulation = simulate(name)
            expectations = _read_expectations(plan, name, simulation, defects)
            if plan.experiments[name].until_decided and expectations:
                simulation = _play_until_decided(simulation, expectations)
        planned[name] = simulation, expectations
    if defects:
        raise plan_error(plan.path, defects)
    return planned


def _read_expectations(
    plan: Plan, name: str, simulation: Simulation, defects: list[SourceDefect]
) -> list[PlacedExpectation]:
    """Return the expectations of an experiment. Each mistake is added to `defects`."""
    experiment = plan.experiments[name]
    confidence = _read_confidence(plan, name, experiment, defects)
    before = _read_baseline(plan, name, defects)
    if not experiment.expect:
        return []
    meetings = ExpectedMeetings.from_simulation(simulation)
    expectations = []
    for index, text in enumerate(experiment.expect):
        span = plan.source.document.span(("experiments", name, "expect", index))
        faults: list[PlanFault] = []
        expectation = _read_text(text, meetings, confidence, before, faults)
        for fault in faults:
            fault_span = _locate_fault(span, text, fault)
            defects.append(SourceDefect(plan.path, fault_span, fault.message))
        if expectation is not None:
            expectations.append(PlacedExpectation(expectation, span))
    return expectations


def _play_until_decided(
    simulation: Simulation, placed_expectations: Sequence[PlacedExpectation]
) -> Simulation:
    """Return the simulation, played until all expectations are decided."""
    setting, request = simulation.setting, simulation.setting.request
    expectations = tuple(placed.expectation for placed in placed_expectations)
    stopping = replace(request.stopping, expectations=expectations)
    request = replace(request, stopping=stopping)
    return replace(simulation, setting=replace(setting, request=request))


def _read_confidence(
    plan: Plan, name: str, experiment: Experiment, defects: list[SourceDefect]
) -> float:
    confidence = experiment.confidence
    if confidence is None:
        return DEFAULT_CONFIDENCE
    if not 0.5 <= confidence < 1:
        message = f"confidence is {confidence:g}, must be 0.5 or more and less than 1"
        defects.append(plan.make_defect(name, "confidence", message))
        return DEFAULT_CONFIDENCE
    return confidence


def _read_baseline(plan: Plan, name: str, defects: list[SourceDefect]) -> str | None:
    """Return the experiment from which changes are measured, or None.

    It needs the same decks, and both need a fixed number of games. Each mistake is
    added to `defects`.
    """
    experiment = plan.experiments[name]
    if experiment.before is None:
        return None
    candidates = {n: other for n, other in plan.experiments.items() if n != name}
    if experiment.before not in candidates:
        near = nearest(experiment.before, candidates)
        help = "name one of this plan"
        if near:
            help = f"did you mean {choice(near)}?"
        message = f"There is no experiment {quote(experiment.before)}: {help}"
        defects.append(plan.make_defect(name, "before", message))
        return None
    baseline = candidates[experiment.before]
    names = f"{quote(experiment.before)} and {quote(name)}"
    if _list_decks(baseline) != _list_decks(experiment):
        message = f"{names} have other decks"
        defects.append(plan.make_defect(name, "before", message))
    if not (_has_fixed_games(baseline) and _has_fixed_games(experiment)):
        message = f"{names} have no fixed number of games"
        defects.append(plan.make_defect(name, "before", message))
    return experiment.before


def _list_decks(experiment: Experiment) -> tuple[object, ...]:
    return experiment.decks, experiment.against, experiment.gauntlet, experiment.mirror


def _has_fixed_games(experiment: Experiment) -> bool:
    has_end = experiment.until_decided or experiment.until_width
    return not (has_end or experiment.sprt or experiment.adaptive)


def _read_text(
    text: str,
    meetings: ExpectedMeetings,
    confidence: float,
    before: str | None,
    faults: list[PlanFault],
) -> Expectation | None:
    """Return the expectation of a text. Every mistake is added to `faults`."""
    try:
        written = read_expectation(text)
        if written.figure == CHANGE_FIGURE and before is None:
            message = "A change is from another experiment: name it by `before`"
            raise PlanFault(message, 0, len(text))
        entrants = _find_all_entrants(written.decks, meetings, faults)
        if faults:
            return None
        rates = _find_rates(written.decks, entrants, meetings)
    except PlanFault as fault:
        faults.append(fault)
        return None
    bounds = written.low, written.high
    if written.figure == CHANGE_FIGURE and before is not None:
        return ExpectedChange(text, rates, *bounds, confidence, before)
    return Expectation(text, rates, *bounds, confidence)


def _find_all_entrants(
    decks: Sequence[Named], meetings: ExpectedMeetings, faults: list[PlanFault]
) -> list[Sequence[str]]:
    """Return the entrants for each name. Every unknown name is added to `faults`."""
    entrants = []
    for deck in decks:
        try:
            entrants.append(_find_entrants(deck, meetings))
        except PlanFault as fault:
            faults.append(fault)
    return entrants


def _find_rates(
    decks: Sequence[Named],
    entrants: Sequence[Sequence[str]],
    meetings: ExpectedMeetings,
) -> tuple[RateInterval, ...]:
    """Return the rates of the first entrants, against the second if there are any.

    Raises PlanFault if none is played.
    """
    first, last = decks[0], decks[-1]
    message = f"{quote(first.name)} meets no other deck here"
    opponents = None
    if len(entrants) > 1:
        opponents = entrants[1]
        names = f"{quote(first.name)} and {quote(last.name)}"
        message = f"{names} do not meet in a game of two here"
    rates: list[RateInterval] = []
    for name in entrants[0]:
        rates += meetings.find_rates(name, opponents)
    if not rates:
        raise PlanFault(message, first.start, last.end)
    return tuple(rates)


def _find_entrants(named: Named, meetings: ExpectedMeetings) -> Sequence[str]:
    """Return the entrants for which a name stands: the only match, or all for `*`."""
    if named.name == EVERY_DECK:
        return meetings.decks if named.is_first else meetings.names
    names_by_key: dict[str, list[str]] = {}
    for name in meetings.names:
        names_by_key.setdefault(_normalise(name), []).append(name)
    entrant_keys = set(names_by_key)
    for alias, name in meetings.aliases:
        if _normalise(alias) not in entrant_keys:
            names_by_key.setdefault(_normalise(alias), []).append(name)
    entrants = list(dict.fromkeys(names_by_key.get(_normalise(named.name), ())))
    if len(entrants) == 1:
        return entrants
    message = _explain_unknown(named.name, entrants, names_by_key)
    raise PlanFault(message, named.start, named.end)


def _explain_unknown(
    name: str, entrants: Sequence[str], names_by_key: dict[str, list[str]]
) -> str:
    if entrants:
        return f"{quote(name)} may be {choice(entrants)}: write one of these names"
    names = list(dict.fromkeys(chain.from_iterable(names_by_key.values())))
    near = nearest(name, [*names, *names_by_key], limit=1)
    if near:
        meant = names_by_key.get(_normalise(near[0]), near)[0]
        return f"No deck is called {quote(name)}: did you mean {quote(meant)}?"
    listed = choice(names[:MAX_LISTED_DECKS], "and")
    if len(names) > MAX_LISTED_DECKS:
        listed += f" and {len(names) - MAX_LISTED_DECKS} more"
    return f"No deck is called {quote(name)}; decks are {listed}"


def _normalise(name: str) -> str:
    return " ".join(name.casefold().split())


def _locate_fault(span: Span, text: str, fault: PlanFault) -> Span:
    """Return the span of a fault, where the file has the text without escapes."""
    start, end = span
    if start.line != end.line or end.column - start.column != len(text) + 2:
        return span
    first = start.column + 1
    return Span(
        Position(start.line, first + fault.start),
        Position(start.line, first + min(fault.end, len(text))),
    )
