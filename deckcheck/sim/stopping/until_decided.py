"""The rule by which games go on until every expectation is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.results.played import StoppingOutcome, TableDecision
from deckcheck.sim.results.totals import table_result
from deckcheck.sim.stopping.checkpoints import checkpoints
from deckcheck.sim.stopping.expectations import Expectation, Outcome


class UntilDecided:
    """Plays until each expectation holds or fails.

    Jobs that have to do with the same expectations, or share one of them with another
    job that has, go on together: so the mean over several of them is
    told after as many sets of each. Those of which nothing is expected end at the first
    look.
    """

    def __init__(
        self, jobs: Sequence[Job], expectations: Sequence[Expectation]
    ) -> None:
        self._groups = [_Group(*group) for group in _groups(jobs, expectations)]

    def more(self, tallies: Mapping[int, Ints]) -> list[Job]:
        """The jobs of which something is not decided, until their next look."""
        for group in self._groups:
            group.look(tallies)
        return [job for group in self._groups for job in group.go_on()]

    def stopped(self, numbers: Sequence[int]) -> StoppingOutcome:
        """What was decided of the jobs of these numbers."""
        decisions = {
            n: d for group in self._groups for n, d in group.decisions().items()
        }
        rule = "once every expectation is decided"
        return StoppingOutcome(rule, tuple(decisions[number] for number in numbers))


class _Group:
    """Jobs that go on together."""

    def __init__(
        self, jobs: Sequence[Job], expectations: Sequence[Expectation]
    ) -> None:
        self._jobs = jobs
        self._expectations = expectations
        self._most = max(job.sets for job in jobs)
        self._schedule = checkpoints(self._most)
        self._sets = 0
        self._decided = False

    def look(self, tallies: Mapping[int, Ints]) -> None:
        if not self._sets or self._decided:
            return
        tables = [
            table_result(j.names, tallies[j.number], anytime=True) for j in self._jobs
        ]
        outcomes = (
            expectation.judged(tables).outcome for expectation in self._expectations
        )
        self._decided = all(outcome is not Outcome.OPEN for outcome in outcomes)

    def go_on(self) -> list[Job]:
        if self._decided or self._sets == self._most:
            return []
        self._sets = next(self._schedule)
        return [replace(job, sets=min(self._sets, job.sets)) for job in self._jobs]

    def decisions(self) -> dict[int, TableDecision]:
        text = "decided" if self._decided else "not decided"
        return {
            job.number: TableDecision(min(self._sets, job.sets), self._decided, text)
            for job in self._jobs
        }


def _groups(
    jobs: Sequence[Job], expectations: Sequence[Expectation]
) -> list[tuple[list[Job], list[Expectation]]]:
    """The jobs that go on together, with what is expected of them, in order."""
    groups: list[tuple[list[Job], list[Expectation]]] = [([job], []) for job in jobs]
    for expected in expectations:
        met = [
            group
            for group in groups
            if any(rate.is_at(j.names) for j in group[0] for rate in expected.rates)
        ]
        if met:
            first, *others = met
            for jobs_of, expected_of in others:
                first[0].extend(jobs_of)
                first[1].extend(expected_of)
            first[1].append(expected)
            groups = [g for g in groups if not any(g is other for other in others)]
    return groups
