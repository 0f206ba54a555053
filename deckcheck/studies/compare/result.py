"""The result of versions of a deck that played the same games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from deckcheck.findings.words import choice, quote
from deckcheck.report.units import IN_PERCENT, points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, ends, rounded, win_rate
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import ALL, NONE, tidy
from deckcheck.stats import Interval
from deckcheck.studies.compare.document import (
    ComparisonDocument,
    OpponentEntry,
    VersionDifference,
)
from deckcheck.studies.differences import (
    NO_OPPONENTS,
    Against,
    Difference,
    Verdict,
)

TWO = 2
SERIES = 100


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult(ResultHeader):
    """A finished comparison: `games` are those of each version with each opponent.

    Differences over the field hold together with a chance of 95 %, and so do those
    against one opponent each. `twins` are versions, two each, that are the same deck.
    `looks` is how often the games were looked at before they ended, 0 for a fixed
    number of games; intervals are valid all the same.
    """

    versions: tuple[str, ...] = ()
    field: Against = NO_OPPONENTS
    opponents: tuple[Against, ...] = ()
    margin: float = 0.0
    looks: int = 0
    twins: tuple[tuple[int, int], ...] = ()

    @property
    def ranking(self) -> tuple[int, ...]:
        """The places of the versions, the best one first."""
        rates = self.field.win_rates
        return tuple(sorted(range(len(rates)), key=lambda i: -rates[i].value))

    def difference(self, a: int, b: int) -> Difference:
        """By how much version `b` is better than `a`, over the field."""
        for difference in self.field.differences:
            if (difference.a, difference.b) == (a, b):
                return difference
            if (difference.b, difference.a) == (a, b):
                return difference.opposite()
        raise ValueError(f"{a} and {b} are no two versions")

    @property
    def is_clear(self) -> bool:
        """Whether of each two it is known which is better, and about by how much."""
        return all(
            difference.is_known(self.margin)
            for difference in self.field.differences
            if (difference.a, difference.b) not in self.twins
        )

    @property
    def answer(self) -> str:
        """What the games say, in a sentence or two."""
        if len(self.versions) == TWO:
            return self._verdict(self.field.differences[0])
        best, *others = self.ranking
        name = quote(self.versions[best])
        differences = {i: self.difference(best, i) for i in others}
        near = [i for i in others if differences[i].verdict is not Verdict.WORSE]
        if not near:
            second = self._verdict(differences[others[0]].opposite())
            return f"{name} is best of {len(self.versions)}. {second}"
        names = choice([self.versions[i] for i in near], "and")
        if all(differences[i].verdict is Verdict.SAME for i in near):
            size = IN_PERCENT.number(self.margin)
            return f"{name} is best, but less than {size} points better than {names}"
        return f"{name} did best, but it is not clear whether it is better than {names}"

    def to_dict(self) -> ComparisonDocument:
        """The result as `deckcheck schema compare` describes it."""
        return {
            "schema_version": 2,
            **head_data(self),
            "answer": self.answer,
            "versions": [
                {"name": name, **win_rate(rate)}
                for name, rate in zip(self.versions, self.field.win_rates, strict=True)
            ],
            "margin": self.margin,
            "looks": self.looks,
            "ranking": [self.versions[i] for i in self.ranking],
            "differences": [self._difference(d) for d in self.field.differences],
            "opponents": [self._opponent(opponent) for opponent in self.opponents],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: versions and their differences, over the field, then by opponent.

        `baseline` is the version that a difference is from.
        """
        return [row for a in (self.field, *self.opponents) for row in self._rows(a)]

    def _rows(self, against: Against) -> Iterator[Row]:
        opponent = against.opponent or ALL
        for name, rate in zip(self.versions, against.win_rates, strict=True):
            n = rate.games
            yield from tidy("win_rate", rate, n, name, opponent, baseline=NONE)
        for d in against.differences:
            n, new = against.win_rates[d.b].games, self.versions[d.b]
            old = self.versions[d.a]
            yield from tidy("difference", d, n, new, opponent, baseline=old)

    def _verdict(self, difference: Difference) -> str:
        """What is known of two versions, in words."""
        old, new = (quote(self.versions[i]) for i in (difference.a, difference.b))
        if (difference.a, difference.b) in self.twins or (
            difference.b,
            difference.a,
        ) in self.twins:
            return f"{new} and {old} are the same deck"
        by = IN_PERCENT.number(abs(difference.value))
        size = f"{by} points ({ranged(_positive(difference))})"
        rates = [self.field.win_rates[i].value for i in (difference.b, difference.a)]
        if difference.verdict in (Verdict.BETTER, Verdict.WORSE):
            return (
                f"{new} is {difference.verdict} than {old} by {size}; in a series of "
                f"{SERIES} games each, the better one wins more of them "
                f"{_times_ahead(*rates)} times in 100"
            )
        if difference.verdict is Verdict.SAME:
            small, reach = IN_PERCENT.number(self.margin), ranged(difference.interval)
            return f"{new} and {old} differ by less than {small} points ({reach})"
        reach = ranged(difference.interval)
        gap = f"{points(difference.value)} points ({reach})"
        return f"It is not clear whether {new} is better than {old}: {gap}"

    def _opponent(self, against: Against) -> OpponentEntry:
        assert against.opponent is not None
        return {
            "name": against.opponent,
            "win_rates": [win_rate(rate) for rate in against.win_rates],
            "differences": [self._difference(d) for d in against.differences],
        }

    def _difference(self, difference: Difference) -> VersionDifference:
        return {
            "old": self.versions[difference.a],
            "new": self.versions[difference.b],
            "difference": rounded(difference.value),
            "interval": ends(difference.interval),
            "verdict": difference.verdict.value,
            "saved": rounded(difference.saved, 3),
        }


def _positive(difference: Difference) -> Interval:
    """The interval of the size of a difference that is sure."""
    return (
        difference.interval if difference.value > 0 else difference.opposite().interval
    )


def _times_ahead(new: float, old: float) -> int:
    """In how many of 100 series of games the better of two wins more of them.

    Each plays games of its own, which are as many as `SERIES`.
    """
    deviation = sqrt(SERIES * (new * (1 - new) + old * (1 - old)))
    lead = SERIES * abs(new - old) - 0.5
    chance = NormalDist().cdf(lead / deviation) if deviation else float(lead > 0)
    return round(100 * chance)
