"""Expectations of by how much win rates change from one experiment to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.stopping.expectations import Expectation, Judged, JudgedRate
from deckcheck.studies.changes.pairing import PairedRuns


@dataclass(frozen=True, slots=True)
class ExpectedChange(Expectation):
    """Changes of win rates, -1 to 1; `before` is the experiment that they are from."""

    LEAST: ClassVar[float] = -1.0

    before: str = ""

    def judged_between(
        self, before: SimulationResult, after: SimulationResult
    ) -> Judged:
        """What the games of both say of it."""
        pairs = PairedRuns(before, after, {})
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
