"""Stopping rules at checkpoints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import ClassVar, Protocol

from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.messages import choice, option, quote
from deckcheck.playing.kernel import Ints, SeatColumns, count_shares
from deckcheck.sim import ALPHA, BETA
from deckcheck.sim.documents import TableDecision
from deckcheck.sim.jobs import Job
from deckcheck.sim.table_results import TableResult, estimate_shares, make_table_result
from deckcheck.stats import Elimination, EloScale, Estimate, Sprt, SprtDecision, average
from deckcheck.stats.intervals import DEFAULT_LEVEL

# The checkpoints at which stopping rules are evaluated.

FIRST_CHECKPOINT = 32


def checkpoints(most: int) -> Iterator[int]:
    """Yield the numbers of sets at which a job of at most `most` sets is evaluated.

    Each is a quarter more than the one before, so that a rule is met soon after it
    could be, with few looks.
    """
    sets = FIRST_CHECKPOINT
    while sets < most:
        yield sets
        sets = sets * 5 // 4
    yield most


# Expectations of win rates, and whether games bear them out.

RATE_DIGITS = 9


class ExpectationVerdict(StrEnum):
    """The verdict of games on an expectation, with the confidence asked for."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RateInterval:
    """The win rate of a deck against an opponent, or over all tables that it sits at.

    Where several sit at a table, it is the part of the games that the deck wins.
    """

    __pydantic_config__ = CLOSED

    deck: str
    opponent: str | None = None

    def is_at(self, entrants: Sequence[str]) -> bool:
        """Report whether games of these entrants count. Games of a deck with itself do
        not.
        """
        if self.opponent is not None:
            return set(entrants) == {self.deck, self.opponent}
        return self.deck in entrants and len(set(entrants)) > 1


@dataclass(frozen=True, slots=True)
class Expectation:
    """Win rates that are expected between two bounds, or above or below a bound.

    `text` is how it was written. With a chance of `confidence` the intervals of all its
    `rates` hold the true values together.
    """

    __pydantic_config__ = CLOSED

    LEAST: ClassVar[float] = 0.0

    text: str
    rates: tuple[RateInterval, ...]
    low: float | None
    high: float | None
    confidence: float

    @property
    def level(self) -> float:
        """The confidence of each interval by itself (Bonferroni).

        The rates of two decks against each other count once.
        """
        rates = {frozenset((r.deck, r.opponent)) for r in self.rates}
        return 1 - (1 - self.confidence) / len(rates)

    def judge(self, tables: Sequence[TableResult]) -> Judged:
        """Return the outcome by the games of these tables."""
        return Judged(
            self, tuple(self._judge_rate(rate, tables) for rate in self.rates)
        )

    def _judge_rate(
        self, rate: RateInterval, tables: Sequence[TableResult]
    ) -> JudgedRate:
        performances = []
        for table in tables:
            if rate.is_at(table.entrants):
                performances.append(table.performances[table.entrants.index(rate.deck)])
        shares = [p.share for p in performances if p.games]
        # Over tables, all with the same weight.
        mean = average(shares).estimate(self.level) if shares else None
        return JudgedRate(rate, mean, self._judge_outcome(mean))

    def _judge_outcome(self, estimate: Estimate | None) -> ExpectationVerdict:
        if estimate is None:
            return ExpectationVerdict.OPEN
        low = self.LEAST if self.low is None else self.low
        high = 1.0 if self.high is None else self.high
        # Machines may differ in the last digits of what they compute.
        first, last = (round(end, RATE_DIGITS) for end in estimate.interval)
        if low <= first and last <= high:
            return ExpectationVerdict.HOLDS
        if last < low or first > high:
            return ExpectationVerdict.FAILS
        return ExpectationVerdict.OPEN


@dataclass(frozen=True, slots=True)
class JudgedRate:
    """A measured win rate, None without games, and its outcome."""

    rate: RateInterval
    estimate: Estimate | None
    outcome: ExpectationVerdict


@dataclass(frozen=True, slots=True)
class Judged:
    """An expectation, and the estimate of each of its rates."""

    expectation: Expectation
    rates: tuple[JudgedRate, ...]

    @property
    def outcome(self) -> ExpectationVerdict:
        """The verdict: failure if a rate fails, and success if all hold."""
        outcomes = {rate.outcome for rate in self.rates}
        for worst in (ExpectationVerdict.FAILS, ExpectationVerdict.OPEN):
            if worst in outcomes:
                return worst
        return ExpectationVerdict.HOLDS

    @property
    def deciding(self) -> tuple[JudgedRate, ...]:
        """The rates that decide the outcome, starting with the rate closest to a
        bound.
        """
        rates = [rate for rate in self.rates if rate.outcome is self.outcome]
        return tuple(sorted(rates, key=self._measure_room))

    def _measure_room(self, rate: JudgedRate) -> float:
        """Return how far inside its bounds a rate is."""
        if rate.estimate is None:
            return 0.0
        low, high = self.expectation.low, self.expectation.high
        room = [] if low is None else [rate.estimate.value - low]
        room += [] if high is None else [high - rate.estimate.value]
        return min(room)


# Stopping rules: they evaluate the tallies of a run at fixed checkpoints.
#
# All rules share the checkpoints, and see nothing but whole tallies up to there. So a
# run ends at the same game for any workers and blocks, however often it was
# resumed. Repeated looks invalidate intervals for a fixed number of games; a run with
# such a rule has intervals that hold at all checkpoints together.


@dataclass(frozen=True, slots=True)
class Stopping:
    """A user's rule for stopping: a width, a test, or an order, or no rule."""

    __pydantic_config__ = CLOSED

    until_width: float | None = None
    """The width of the widest interval, from 0 to 1."""
    sprt: tuple[float, float] | None = None
    """The two leads of the first-named deck that are tested."""
    alpha: float = ALPHA
    """The chance of an error if the first lead is true."""
    beta: float = BETA
    """The chance of an error if the second lead is true."""
    elo: str = EloScale.LOGISTIC.value
    """The scale of the leads."""
    adaptive: bool = False
    expectations: tuple[Expectation, ...] = ()
    """The expectations to decide."""

    def __post_init__(self) -> None:
        asked = [self.until_width is not None, self.sprt is not None, self.adaptive]
        if self.expectations and any(asked):
            raise UsageError(
                "`until_decided` and another rule that stops games cannot be used "
                "together",
                "Choose one of them",
            )
        if sum(asked) > 1:
            raise UsageError(
                f"{option('until-width')}, {option('sprt')} and {option('adaptive')} "
                "cannot be used together",
                "Choose one of them",
            )
        if self.until_width is not None and not 0 < self.until_width < 1:
            raise UsageError(
                f"{option('until-width')} must be more than 0% and less than 100%",
                f"{option('until-width', '1%')} stops at 95% intervals like 54.2 to "
                "55.2",
            )
        if self.elo not in tuple(EloScale):
            message = f"{option('elo')} is {quote(self.elo)}"
            raise UsageError(message, f"Choose {choice(tuple(EloScale))}")
        if self.sprt is not None:
            try:
                self.test()
            except ValueError as error:
                raise UsageError(
                    f"{option('sprt')} cannot test this: {error}",
                    f"Write two leads like {option('sprt', '0,5')}",
                ) from None

    @property
    def has_checkpoints(self) -> bool:
        """Whether the run is looked at before its end."""
        is_ruled = self.until_width is not None or self.sprt is not None
        return is_ruled or self.adaptive or bool(self.expectations)

    def __str__(self) -> str:
        """Return the options that ask for it."""
        if self.until_width is not None:
            return f"--until-width {100 * self.until_width:g}%"
        if self.sprt is not None:
            leads = f"{self.sprt[0]:g},{self.sprt[1]:g}"
            chances = f"--alpha {self.alpha:g} --beta {self.beta:g}"
            return f"--sprt {leads} --elo {self.elo} {chances}"
        if self.expectations:
            return "until_decided"
        return "--adaptive" if self.adaptive else "none"

    def test(self) -> Sprt:
        """Return the test of `sprt`."""
        assert self.sprt is not None
        scale = EloScale(self.elo)
        return Sprt(*self.sprt, alpha=self.alpha, beta=self.beta, scale=scale)


@dataclass(frozen=True, slots=True)
class StoppingOutcome:
    """The outcome of a stopping rule."""

    rule: str
    """The rule in words."""
    decisions: tuple[TableDecision, ...]
    """The decision at each table."""
    ranked: int = 0
    """The decks whose order the rule asked for."""
    open: tuple[str, ...] = ()
    """The ranked decks whose place is not settled."""
    test: Sprt | None = None
    """The sequential test that decided, if there was one."""

    @property
    def reached(self) -> bool:
        """Whether the rule was fulfilled everywhere."""
        return all(decision.reached for decision in self.decisions)

    @property
    def summary(self) -> str:
        """The outcome in a few words."""
        if len(self.decisions) == 1:
            return _describe_decision(self.decisions[0])
        if self.decisions[0].log_likelihood_ratio is not None:
            tables = Counter(decision.decision for decision in self.decisions)
            return ", ".join(f"{text} at {n} tables" for text, n in tables.items())
        if self.ranked:
            return self._describe_places()
        reached = sum(decision.reached for decision in self.decisions)
        return f"reached at {reached} of {len(self.decisions)} tables"

    def _describe_places(self) -> str:
        settled = self.ranked - len(self.open)
        places = f"{settled} of {self.ranked} places settled"
        if settled and self.open:
            return f"{places}, not those of {', '.join(self.open)}"
        return places


def _describe_decision(decision: TableDecision) -> str:
    """Return the only decision of a rule, with its log-likelihood ratio."""
    text = decision.decision
    if decision.log_likelihood_ratio is not None:
        text += f", log-likelihood ratio {decision.log_likelihood_ratio:.2f}"
    if not decision.reached:
        text += ", the rule was not met"
    return text


class StoppingRule(Protocol):
    """Decides which sets are to be played next."""

    def more(self, tallies: Mapping[int, Ints]) -> list[Job]:
        """Return the jobs that continue, with the sets until the next checkpoint.

        Returns no jobs at the end. `tallies` has the tallies of all sets requested so
        far, by number of job.
        """

    def make_outcome(self, numbers: Sequence[int]) -> StoppingOutcome:
        """Return the outcome at the jobs of these numbers."""


def make_rule(stopping: Stopping, jobs: Sequence[Job]) -> StoppingRule:
    """Return the rule for these jobs. Raises UsageError if it cannot be applied."""
    if stopping.expectations:
        return until_decided(jobs, stopping.expectations)
    width = stopping.until_width
    if width is not None:
        rule = f"once all intervals are at most {100 * width:g} points wide"
        return _ByGroups(rule, [_UntilWidth(job, width) for job in jobs])
    if stopping.sprt is not None:
        for job in jobs:
            if job.entrants != 2:
                raise UsageError(
                    f"{option('sprt')} tests the lead of one deck over another, and "
                    f"there are {job.entrants} at a table here",
                    f"{option('until-width')} stops tables of any number",
                )
        test = stopping.test()
        rule = (
            f"once {test.elo0:g} or {test.elo1:g} Elo ({test.scale}) is accepted, "
            f"alpha {test.alpha:g}, beta {test.beta:g}"
        )
        return _ByGroups(rule, [_Test(job, test) for job in jobs], test)
    return Adaptive(jobs)


class _Group(ABC):
    """Jobs that go on together until a rule is fulfilled there, or to their end."""

    def __init__(self, *jobs: Job) -> None:
        self._jobs = jobs
        self._most = max(job.sets for job in jobs)
        self._schedule = checkpoints(self._most)
        self._sets = 0
        self._is_over = False
        self._decision = TableDecision(0, False, "not decided", None)

    @abstractmethod
    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        """Return the decision after `_sets` sets of each job, or after all of its
        sets.
        """

    def more(self, tallies: Mapping[int, Ints]) -> list[Job]:
        """Return the jobs until their next look, none once it is over."""
        if self._sets and not self._is_over:
            self._decision = self.look(tallies)
            self._is_over = self._decision.reached or self._sets == self._most
        if self._is_over:
            return []
        self._sets = next(self._schedule)
        return [replace(job, sets=min(self._sets, job.sets)) for job in self._jobs]

    def decisions(self) -> Iterator[tuple[int, TableDecision]]:
        """Yield the last decision, by the number of each job."""
        for job in self._jobs:
            sets = min(self._sets, job.sets)
            yield job.number, replace(self._decision, sets=sets)


@dataclass(frozen=True, slots=True)
class _ByGroups:
    """A rule, in words, by which each group of jobs ends on its own."""

    rule: str
    groups: Sequence[_Group]
    test: Sprt | None = None

    def more(self, tallies: Mapping[int, Ints]) -> list[Job]:
        """Return the jobs at which the rule is not fulfilled, until their next look."""
        return [job for group in self.groups for job in group.more(tallies)]

    def make_outcome(self, numbers: Sequence[int]) -> StoppingOutcome:
        """Return the last decisions at the jobs of these numbers."""
        decisions = dict(chain.from_iterable(g.decisions() for g in self.groups))
        shown = tuple(decisions[number] for number in numbers)
        return StoppingOutcome(self.rule, shown, test=self.test)


class _UntilWidth(_Group):
    def __init__(self, job: Job, width: float) -> None:
        super().__init__(job)
        self._width = width

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        [job] = self._jobs
        shares = estimate_shares(tallies[job.number], job.entrants, anytime=True)
        widest = max(high - low for low, high in (s.interval for s in shares))
        text = f"interval {100 * widest:.2f} points wide"
        return TableDecision(self._sets, widest <= self._width, text, None)


class _Test(_Group):
    def __init__(self, job: Job, test: Sprt) -> None:
        super().__init__(job)
        self._test = test

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        [job] = self._jobs
        counts = _count_scores(tallies[job.number], 0, job)
        verdict, ratio = self._test.verdict(counts), self._test.ratio(counts)
        accepted = {
            SprtDecision.LOWER: f"{self._test.elo0:+g} Elo accepted",
            SprtDecision.HIGHER: f"{self._test.elo1:+g} Elo accepted",
            SprtDecision.GOING: "neither accepted",
        }[verdict]
        reached = verdict is not SprtDecision.GOING
        return TableDecision(self._sets, reached, accepted, ratio)


class _UntilDecided(_Group):
    def __init__(
        self, jobs: Sequence[Job], expectations: Sequence[Expectation]
    ) -> None:
        super().__init__(*jobs)
        self._expectations = expectations

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        tables = [
            make_table_result(j.names, tallies[j.number], anytime=True)
            for j in self._jobs
        ]
        outcomes = {expected.judge(tables).outcome for expected in self._expectations}
        decided = ExpectationVerdict.OPEN not in outcomes
        text = "decided" if decided else "not decided"
        return TableDecision(self._sets, decided, text, None)


def until_decided(
    jobs: Sequence[Job], expectations: Sequence[Expectation]
) -> StoppingRule:
    """Play until each expectation holds or fails.

    Jobs with a common expectation, directly or through other jobs, continue together,
    so that a mean over several of them is taken after equally many sets. Jobs without
    expectations end at the first look.
    """
    groups = [_UntilDecided(*group) for group in _group_jobs(jobs, expectations)]
    return _ByGroups("once every expectation is decided", groups)


def _group_jobs(
    jobs: Sequence[Job], expectations: Sequence[Expectation]
) -> list[tuple[list[Job], list[Expectation]]]:
    """Return the jobs that continue together, with their expectations, in order."""
    groups: list[tuple[list[Job], list[Expectation]]] = [([job], []) for job in jobs]
    for expected in expectations:
        shared_groups = []
        for group in groups:
            if any(rate.is_at(j.names) for j in group[0] for rate in expected.rates):
                shared_groups.append(group)
        if shared_groups:
            first, *others = shared_groups
            for jobs_of, expected_of in others:
                first[0].extend(jobs_of)
                first[1].extend(expected_of)
            first[1].append(expected)
            groups = [g for g in groups if not any(g is other for other in others)]
    return groups


@dataclass(slots=True)
class Adaptive:
    """Spends the games of all jobs where the order of the decks is least decided.

    Each deck is ranked by its mean win rate over all opponents, each with the same
    weight. Its place is settled once its interval does not meet any other interval. Two
    settled decks do not meet again, and their games go to the others. See `Elimination`
    for the guarantee.
    """

    jobs: Sequence[Job]
    decks: list[str] = field(init=False)
    race: Elimination = field(init=False)
    _left: int = field(init=False)
    _sets: int = field(init=False, default=0)
    _played: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.decks = [*dict.fromkeys(name for job in self.jobs for name in job.names)]
        pairs = {frozenset(job.names) for job in self.jobs}
        wanted = len(self.decks) * (len(self.decks) - 1) // 2
        is_robin = len(pairs) == len(self.jobs) == wanted
        if not is_robin or wanted < 2 or any(len(pair) != 2 for pair in pairs):
            raise UsageError(
                f"{option('adaptive')} ranks three decks or more that all meet each "
                "other",
                f"{option('until-width')} and {option('sprt')} stop any matchup",
            )
        self.race = Elimination(self.decks, DEFAULT_LEVEL)
        self._left = sum(job.sets for job in self.jobs)
        self._played = {job.number: 0 for job in self.jobs}

    def more(self, tallies: Mapping[int, Ints]) -> list[Job]:
        """Return the matchups of unsettled decks, until the next look."""
        if self._sets:
            self.race.look(
                {deck: self._count_half_points(deck, tallies) for deck in self._open}
            )
        going = [job for job in self.jobs if not self._open.isdisjoint(job.names)]
        if not going:
            return []
        step = FIRST_CHECKPOINT if not self._sets else max(1, self._sets // 4)
        step = min(step, self._left // len(going))
        if not step:
            return []
        self._sets += step
        self._left -= step * len(going)
        for job in going:
            self._played[job.number] = self._sets
        return [replace(job, sets=self._sets) for job in going]

    def make_outcome(self, numbers: Sequence[int]) -> StoppingOutcome:
        """Return the state of each matchup, and the unsettled decks."""
        outcomes = {}
        for job in self.jobs:
            settled = self._open.isdisjoint(job.names)
            text = "both places settled" if settled else "places not settled"
            outcomes[job.number] = TableDecision(
                self._played[job.number], settled, text, None
            )
        return StoppingOutcome(
            f"once the order is settled with {DEFAULT_LEVEL:.0%} confidence",
            tuple(outcomes[number] for number in numbers),
            len(self.decks),
            tuple(self.race.open),
        )

    @property
    def _open(self) -> set[str]:
        return set(self.race.open)

    def _count_half_points(self, deck: str, tallies: Mapping[int, Ints]) -> list[int]:
        """Count how often a set brought a deck each number of half-points, over
        opponents.

        An unsettled deck has met every opponent equally often.
        """
        counts = []
        for job in self.jobs:
            if deck in job.names:
                seat = job.names.index(deck)
                counts.append(_count_scores(tallies[job.number], seat, job))
        return [sum(column) for column in zip(*counts, strict=True)]


def _count_scores(tally: Ints, entrant: int, job: Job) -> list[int]:
    """Count how often a set brought an entrant each number of shares."""
    cells = count_shares(job.entrants) * job.games + 1
    scores: list[int] = tally[
        1 + entrant, SeatColumns.SHARES : SeatColumns.SHARES + cells
    ].tolist()
    return scores


def parse_stopping(
    until_width: str | float | None,
    sprt: str | Sequence[float] | None,
    alpha: float,
    beta: float,
    *,
    elo: str,
    adaptive: bool,
) -> Stopping:
    """Return the rule of the options. Raises UsageError for impossible values."""
    return Stopping(
        until_width=None if until_width is None else _to_percent(until_width),
        sprt=None if sprt is None else _find_leads(sprt),
        alpha=alpha,
        beta=beta,
        elo=elo,
        adaptive=adaptive,
    )


def _to_percent(given: str | float) -> float:
    try:
        if not isinstance(given, str):
            return float(given)
        if not given.rstrip().endswith("%"):
            raise ValueError
        return float(given.rstrip().removesuffix("%")) / 100
    except (TypeError, ValueError):
        raise UsageError(
            f"{option('until-width')} is {quote(str(given))}, must be a percentage",
            f"Write it like {option('until-width', '0.5%')}",
        ) from None


def _find_leads(given: str | Sequence[float]) -> tuple[float, float]:
    try:
        leads = given.split(",") if isinstance(given, str) else given
        low, high = map(float, leads)
    except (TypeError, ValueError):
        raise UsageError(
            f"{option('sprt')} is {quote(str(given))}, must be two numbers",
            f"Write it like {option('sprt', '0,5')}",
        ) from None
    return low, high
