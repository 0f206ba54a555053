"""Stopping rules, which evaluate the tallies of a run at fixed checkpoints.

All rules share the checkpoints, and see nothing but whole tallies up to there. So a run
ends at the same game for any workers and blocks, however often it was resumed. Repeated
looks invalidate intervals for a fixed number of games. A run with such a rule has
intervals that hold at all checkpoints together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol

from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.messages import choice, option, quote
from deckcheck.playing.kernel import Ints, SeatColumns, count_shares
from deckcheck.sim import ALPHA, BETA
from deckcheck.sim.documents import TableDecision
from deckcheck.sim.expectations import Expectation, ExpectationVerdict
from deckcheck.sim.jobs import Job
from deckcheck.sim.table_results import estimate_shares, make_table_result
from deckcheck.stats import Elimination, EloScale, Sprt, SprtDecision
from deckcheck.stats.intervals import DEFAULT_LEVEL

FIRST_CHECKPOINT = 32
"""Sets of each job before the first checkpoint."""


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


# The rule that a user asks for.


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
        has_limit = self.until_width is not None or self.sprt is not None
        return has_limit or self.adaptive or bool(self.expectations)

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
        if self.adaptive:
            return "--adaptive"
        return "none"

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
        return make_expectation_rule(jobs, stopping.expectations)
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
        jobs = []
        for group in self.groups:
            jobs += group.more(tallies)
        return jobs

    def make_outcome(self, numbers: Sequence[int]) -> StoppingOutcome:
        """Return the last decisions at the jobs of these numbers."""
        decisions: dict[int, TableDecision] = {}
        for group in self.groups:
            decisions.update(group.decisions())
        shown = tuple(decisions[number] for number in numbers)
        return StoppingOutcome(self.rule, shown, test=self.test)


class _UntilWidth(_Group):
    def __init__(self, job: Job, width: float) -> None:
        super().__init__(job)
        self._width = width

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        [job] = self._jobs
        shares = estimate_shares(tallies[job.number], job.entrants, anytime=True)
        widest = max(share.interval.high - share.interval.low for share in shares)
        text = f"interval {100 * widest:.2f} points wide"
        return TableDecision(self._sets, widest <= self._width, text, None)


class _Test(_Group):
    def __init__(self, job: Job, test: Sprt) -> None:
        super().__init__(job)
        self._test = test

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        [job] = self._jobs
        test = self._test
        counts = _count_scores(tallies[job.number], 0, job)
        decision, ratio = test.verdict(counts), test.ratio(counts)
        if decision is SprtDecision.GOING:
            return TableDecision(self._sets, False, "neither accepted", ratio)
        elo = test.elo0 if decision is SprtDecision.LOWER else test.elo1
        return TableDecision(self._sets, True, f"{elo:+g} Elo accepted", ratio)


class _UntilDecided(_Group):
    def __init__(
        self, jobs: Sequence[Job], expectations: Sequence[Expectation]
    ) -> None:
        super().__init__(*jobs)
        self._expectations = expectations

    def look(self, tallies: Mapping[int, Ints]) -> TableDecision:
        tables = []
        for job in self._jobs:
            tally = tallies[job.number]
            tables.append(make_table_result(job.names, tally, anytime=True))
        for expectation in self._expectations:
            if expectation.judge(tables).outcome is ExpectationVerdict.OPEN:
                return TableDecision(self._sets, False, "not decided", None)
        return TableDecision(self._sets, True, "decided", None)


def make_expectation_rule(
    jobs: Sequence[Job], expectations: Sequence[Expectation]
) -> StoppingRule:
    """Return the rule that ends when each expectation holds or fails.

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
    for expectation in expectations:
        joined_jobs: list[Job] = []
        joined_expectations: list[Expectation] = []
        joined = (joined_jobs, joined_expectations)
        others = []
        for group in groups:
            if not any(_concerns(expectation, job) for job in group[0]):
                others.append(group)
                continue
            if not joined_jobs:
                others.append(joined)
            joined_jobs += group[0]
            joined_expectations += group[1]
        joined_expectations.append(expectation)
        groups = others
    return groups


def _concerns(expectation: Expectation, job: Job) -> bool:
    return any(rate.is_at(job.names) for rate in expectation.rates)


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
        self.decks = list(
            dict.fromkeys(chain.from_iterable(j.names for j in self.jobs))
        )
        pairs = {frozenset(job.names) for job in self.jobs}
        all_pairs = len(self.decks) * (len(self.decks) - 1) // 2
        is_robin = len(pairs) == len(self.jobs) == all_pairs
        if not is_robin or all_pairs < 2 or any(len(pair) != 2 for pair in pairs):
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
        step = FIRST_CHECKPOINT
        if self._sets:
            step = max(1, self._sets // 4)
            counts = {}
            for deck in self._open:
                counts[deck] = self._count_half_points(deck, tallies)
            self.race.look(counts)
        going = [job for job in self.jobs if not self._open.isdisjoint(job.names)]
        if not going:
            return []
        step = min(step, self._left // len(going))
        if step == 0:
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
            sets = self._played[job.number]
            is_settled = self._open.isdisjoint(job.names)
            text = "both places settled" if is_settled else "places not settled"
            outcomes[job.number] = TableDecision(sets, is_settled, text, None)
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
        """Count how often a set brought a deck each number of half-points.

        All opponents are counted. An unsettled deck has met each equally often.
        """
        counts = []
        for job in self.jobs:
            if deck in job.names:
                seat = job.names.index(deck)
                counts.append(_count_scores(tallies[job.number], seat, job))
        return [sum(column) for column in zip(*counts, strict=True)]


def _count_scores(tally: Ints, entrant: int, job: Job) -> list[int]:
    """Count how often a set brought an entrant each number of shares."""
    first_cell = SeatColumns.SHARES
    last_cell = first_cell + count_shares(job.entrants) * job.games
    scores: list[int] = tally[1 + entrant, first_cell : last_cell + 1].tolist()
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
        until_width=_read_width(until_width),
        sprt=_read_leads(sprt),
        alpha=alpha,
        beta=beta,
        elo=elo,
        adaptive=adaptive,
    )


def _read_width(given: str | float | None) -> float | None:
    if given is None:
        return None
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


def _read_leads(given: str | Sequence[float] | None) -> tuple[float, float] | None:
    if given is None:
        return None
    leads: Sequence[str | float] = given
    if isinstance(given, str):
        leads = given.split(",")
    try:
        low, high = map(float, leads)
    except (TypeError, ValueError):
        raise UsageError(
            f"{option('sprt')} is {quote(str(given))}, must be two numbers",
            f"Write it like {option('sprt', '0,5')}",
        ) from None
    return low, high
