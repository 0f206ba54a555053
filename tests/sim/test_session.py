"""What a session of games knows of the jobs that it played."""

from __future__ import annotations

from fake_engine import jobs_of

from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.workers import InProcess


def test_each_job_has_sets_of_its_own() -> None:
    [one], [*_, other] = jobs_of(2, 8), jobs_of(3, 5)
    with GameSession(7, 1, InProcess()) as games:
        assert games.played(one) == (0, None)
        games.play([one], ())
        games.play([other], ())

        for job in (one, other):
            sets, tally = games.played(job)
            assert sets == job.sets
            assert tally is not None
            assert tally[0] == job.sets
            assert games.missing(job) == [range(job.sets, job.sets)]
