"""From the tallies of versions that played the same games to their figures."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.analysis.comparison import Against
from deckcheck.analysis.differences import Difference, difference_of
from deckcheck.playing.host.versions import ROTATION, Versions
from deckcheck.playing.tally import Ints
from deckcheck.sim.totals import played_table
from deckcheck.stats import (
    Estimate,
    anytime_score_interval,
    mean_score,
    mean_score_interval,
)

__all__ = ["against", "differences"]


def against(
    opponent: str | None,
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    *,
    margin: float,
    anytime: bool,
) -> Against:
    """The figures against one opponent by name, or over several; None is a field.

    Opponents count alike, so each must have the same number of sets. `margin` is the
    difference of win rates that does not matter. `anytime` is for games that were
    looked at before their end. Differences over a field hold together (Bonferroni).
    """
    rows = [t.tallies(tally) for t, tally in zip(tables, tallies, strict=True)]
    return Against(
        opponent,
        tuple(
            _rate([each[i] for each in rows], anytime=anytime)
            for i in range(len(tables[0].tables))
        ),
        differences(opponent, tables, tallies, margin=margin, anytime=anytime),
    )


def differences(
    opponent: str | None,
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    *,
    margin: float,
    anytime: bool,
) -> tuple[Difference, ...]:
    """The differences alone, as `against` has them."""
    pairs = tables[0].pairs
    joints = [t.joint(tally) for t, tally in zip(tables, tallies, strict=True)]
    return tuple(
        difference_of(
            pair,
            [joint[pair] for joint in joints],
            margin=margin,
            anytime=anytime,
            together=len(pairs) if opponent is None else 1,
        )
        for pair in pairs
    )


def _rate(tallies: Sequence[Ints], *, anytime: bool) -> Estimate:
    """The win rate of a version over all opponents, whose pairs are put together."""
    scores = [played_table(("", ""), tally).performances[0].scores for tally in tallies]
    counts = [sum(column) for column in zip(*scores, strict=True)]
    interval_of = anytime_score_interval if anytime else mean_score_interval
    return Estimate(mean_score(counts), interval_of(counts), ROTATION * sum(counts))
