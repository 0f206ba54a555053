"""The expectations of a plan, and their outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.decks import DeckSource
from deckcheck.findings import Finding, Span
from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote
from deckcheck.rules.plan_rules import FAILED_EXPECTATION, OPEN_EXPECTATION
from deckcheck.sim.results.figures import Row, ends_of, value_of
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.results.tidy import ALL, NONE, tidy
from deckcheck.sim.stopping.expectations import Expectation, Judged, JudgedRate, Outcome
from deckcheck.studies.expect.change import ExpectedChange
from deckcheck.studies.expect.document import (
    CheckDocument,
    ExpectationDocument,
    RateDocument,
)
from deckcheck.validation import FileReport, Validation

LONGEST = 120
HELP = "Play more games, or let `until_decided = true` play as many as it takes"
KINDS = {
    Outcome.FAILS: FAILED_EXPECTATION,
    Outcome.OPEN: OPEN_EXPECTATION,
}
"""The findings that outcomes are: what holds is none."""


class Placed(NamedTuple):
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

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How many expectations hold, fail and are open."""
        return Counter(
            j.outcome for experiment in self.experiments for j in experiment.judged
        )

    @property
    def answer(self) -> str:
        """How many expectations hold, in a sentence."""
        counts = self.outcomes
        words = {
            Outcome.HOLDS: ("holds", "hold"),
            Outcome.FAILS: ("fails", "fail"),
            Outcome.OPEN: ("is open", "are open"),
        }
        parts = [
            f"{n} {words[outcome][n != 1]}"
            for outcome in (Outcome.FAILS, Outcome.OPEN, Outcome.HOLDS)
            if (n := counts[outcome])
        ]
        return f"Of {plural(counts.total(), 'expectation')} {', '.join(parts)}"

    @property
    def validation(self) -> Validation:
        """The same as findings about the plan, a part for each expectation.

        What fails is an error, what is open a warning.
        """
        parts = (
            FileReport(
                DeckSource(self.path),
                f"{experiment.name}: {judged.expectation.text}",
                tuple(self._findings(experiment, judged, span)),
                self.text,
            )
            for experiment in self.experiments
            for judged, span in zip(experiment.judged, experiment.spans, strict=True)
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
                "holds": counts[Outcome.HOLDS],
                "fails": counts[Outcome.FAILS],
                "open": counts[Outcome.OPEN],
            },
            "expectations": [
                _expectation(experiment.name, judged, span)
                for experiment in self.experiments
                for judged, span in zip(
                    experiment.judged, experiment.spans, strict=True
                )
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
            for experiment in self.experiments
            for judged in experiment.judged
            for rate in judged.rates
            for row in tidy(
                "difference" if baseline_of(judged) else "win_rate",
                rate.estimate,
                rate.estimate.games if rate.estimate else 0,
                rate.rate.deck,
                rate.rate.opponent or ALL,
                baseline=baseline_of(judged) or NONE,
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
        verb = "does not hold" if judged.outcome is Outcome.FAILS else "is not decided"
        text = quote(judged.expectation.text, LONGEST)
        message = f"{text} {verb}: {_told(worst, judged.expectation)}{more}"
        finding = KINDS[judged.outcome].at(
            self.path,
            span,
            message,
            notes=(f"experiment {quote(experiment.name)}, {_played(experiment)}",),
            help=None if judged.outcome is Outcome.FAILS else HELP,
        )
        return (finding,)


def checked(
    results: Mapping[str, SimulationResult], expected: Mapping[str, Sequence[Placed]]
) -> tuple[CheckedExperiment, ...]:
    """What came of what was expected of experiments, by name.

    `results` are those of the experiments before them, too.
    """
    return tuple(
        CheckedExperiment(
            name,
            results[name],
            tuple(_judged(placed.expectation, name, results) for placed in own),
            tuple(placed.span for placed in own),
        )
        for name, own in expected.items()
        if own
    )


def _judged(
    expectation: Expectation, name: str, results: Mapping[str, SimulationResult]
) -> Judged:
    if isinstance(expectation, ExpectedChange):
        return expectation.judged_between(results[expectation.before], results[name])
    return expectation.judged(results[name].tables)


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
    low, high = (100 * end for end in estimate.interval)
    if isinstance(expectation, ExpectedChange):
        return (
            f"{named(rate)} changed by {100 * estimate.value:+.1f} points in "
            f"{estimate.games:,} games, {100 * expectation.confidence:g} % interval "
            f"{low:.1f} to {high:.1f}"
        )
    return (
        f"{named(rate)} won {100 * estimate.value:.1f} % of {estimate.games:,} games, "
        f"{100 * expectation.confidence:g} % interval {low:.1f} to {high:.1f}"
    )


def _played(experiment: CheckedExperiment) -> str:
    result = experiment.result
    return f"{result.format}, seed {result.seed}, checksum {result.checksum}"


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
