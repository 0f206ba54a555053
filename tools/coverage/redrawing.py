"""Cases of what the redraw of a card of the dealt hand gains."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deckcheck.playing.redraws import moments_of
from deckcheck.playing.versions import ROTATION
from deckcheck.studies.redraws import Redraw, redraw_of
from tools.coverage.cases import Case, Chance, Play, Truths, holds
from tools.coverage.drawing import alike_games

CARDS = 20
DEALT = 0.35
"""How many of the hands have a card."""

CHANGED = 0.15
"""How often a redraw changes the course of a game at all."""


def redraw_cases() -> Iterator[Case]:
    """What `impact --redraws` says of cards."""
    for pairs in (6, 50, 1_000):
        for rate, other in ((0.5, 0.5), (0.5, 0.8), (0.95, 0.9), (0.02, 0.05)):
            where = f"{rate}, {other} where it matters, {pairs} pairs"
            play = _gain(rate, other, pairs)
            yield Case("impact", "gain from a redraw", where, play)
    for pairs in (50, 500):
        where = f"{CARDS} cards without effect, {pairs} pairs"
        yield Case("impact", "gains from all redraws", where, _all(pairs), cost=4)


def drawn(
    chance: Chance, rate: float, other: float, pairs: int, together: int
) -> Redraw:
    """A card with which games are won at a rate, and in some at another without it."""
    is_dealt = chance.random(pairs) < DEALT
    is_dealt[0] = True  # where no hand has it nothing is said of it
    counts = is_dealt.repeat(ROTATION)
    kept = alike_games(chance, rate, pairs).ravel()
    differs = (chance.random(pairs) < CHANGED).repeat(ROTATION)
    redrawn = np.where(differs, alike_games(chance, other, pairs).ravel(), kept)
    moments = moments_of(counts, ~counts, 2 * kept, 2 * redrawn)
    return redraw_of(("card",), moments.tolist(), together)


def _gain(rate: float, other: float, pairs: int) -> Play:
    def play(chance: Chance) -> Truths:
        redraw = drawn(chance, rate, other, pairs, 1)
        return [holds(redraw.gain.interval, CHANGED * (other - rate))]

    return play


def _all(pairs: int) -> Play:
    """Cards that may as well be kept: every one that is named is named wrongly."""

    def play(chance: Chance) -> Truths:
        redraws = [drawn(chance, 0.5, 0.5, pairs, CARDS) for _ in range(CARDS)]
        return [all(holds(redraw.gain.interval, 0.0) for redraw in redraws)]

    return play
