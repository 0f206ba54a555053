"""Cases of what `report --losses` observes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deckcheck.stats.intervals import level_of
from deckcheck.studies.losses import SIGNS, contrast
from tools.coverage.cases import Case, Chance, Play, Truths, holds

LOST = 0.4
"""The part of all games that is lost."""


def losing_cases() -> Iterator[Case]:
    """How often something happens in losses and in wins."""
    for games in (40, 200):
        for losing, winning in ((0.5, 0.5), (0.9, 0.7), (0.05, 0.02)):
            where = f"{losing} of losses and {winning} of wins, {games} games"
            play = _signs(losing, winning, games)
            yield Case("report", "all signs of losses", where, play, cost=4)


def _signs(losing: float, winning: float, games: int) -> Play:
    """As many signs as there are, all of them as frequent; do all intervals hold?"""
    level = level_of(len(SIGNS))

    def play(chance: Chance) -> Truths:
        lost = chance.random(games) < LOST
        differences = []
        for _ in SIGNS:
            seen = chance.random(games) < np.where(lost, losing, winning)
            pairs = list(zip((~lost).tolist(), seen.tolist(), strict=True))
            differences.append(contrast("sign", "sign", pairs, level).difference)
        return [
            all(holds(d.interval, losing - winning) for d in differences if d),
        ]

    return play
