"""The recorded games of a simulation: nothing is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.jobs.record import GAMES, MEASURING, Records
from deckcheck.sim.jobs.tallies import Tallies
from deckcheck.sim.scheduling.scheduler import RunTallies
from deckcheck.sim.stopping.rules import Stopping, rule_of


class NoGamesRecorded(Exception):
    """The run has too few recorded games to produce a result."""


class RecordedGames:
    """Finds what records hold of each part of a simulation."""

    def __init__(self, records: Records, stopping: Stopping) -> None:
        self._records = records
        self._stopping = stopping

    def games(self, work: Sequence[Job], seed: int, part: str = GAMES) -> RunTallies:
        """The tallies of the main part, up to where the stopping rule ended it."""
        if not self._stopping.has_checkpoints:
            return self(work, seed, part)
        names = dict.fromkeys(name for job in work for name in job.names)
        rule = rule_of(self._stopping, work, list(names))
        tallies = Tallies()
        recorded = self(rule.more({}), seed, part)
        while True:
            tallies.update(recorded.tallies)
            more = rule.more(tallies) if recorded.complete else []
            if not more:
                stopped = rule.stopped(sorted(tallies))
                return replace(recorded, tallies=tallies, stopped=stopped)
            recorded = self(more, seed, part)

    def __call__(self, work: Sequence[Job], seed: int, part: str = GAMES) -> RunTallies:
        """What there is of one part; raises NothingPlayed. The seed has been used."""
        record = self._records(part)
        tallies, missing = Tallies(), 0
        for job in work:
            sets, tally = record.played(job)
            missing += job.sets - sets
            if tally is not None:
                tallies[job.number] = tally
        if not tallies or (part == MEASURING and missing):
            raise NoGamesRecorded
        return RunTallies(tallies, None, None, not missing)
