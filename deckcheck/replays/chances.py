"""The chances of both players in a game that is told, by the value of `learned`.

Each is what the player in that seat can see: its hidden cards are counted as the rest
of the lists, as `learned` does when it plays (`policies/learned`). The two need not add
up to 1, since each knows its own hand alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from deckcheck.playing.host.table import Table
from deckcheck.policies.host.learned import is_learned
from deckcheck.policies.host.workspace import new_workspace
from deckcheck.policies.learned.network import ONE
from deckcheck.policies.learned.player import win_chance
from deckcheck.replays.model import Step, TurningPoint

TWO = 2
LEARNED = "learned"
LEAST = 0.1
MOST = 3

Chances = Callable[[], Mapping[str, float]]


def chances_of(
    states: Any, contexts: Any, table: Table, players: Sequence[str]
) -> Chances:
    """Return what says each player's chance in the position that `states` is in.

    It says none where `learned` does not know the game, nor before hands are dealt:
    what it has learned begins with them.
    """
    game, variant = table.game, table.variant
    if len(players) != TWO or not is_learned(game, variant):
        return dict
    q = new_workspace(game, variant, [LEARNED])[0][LEARNED]

    def chances() -> dict[str, float]:
        s, x = states[0], contexts[0]
        if s.turns == 0 and not s.n_hand.any():
            return {}
        return {
            player: round(float(win_chance(s, x, q, seat)) / ONE, 4)
            for seat, player in enumerate(players)
        }

    return chances


def chance_of_first(step: Step) -> float:
    """The chance of the first player: the mean of what both players expect of it."""
    own, other = step.chances.values()
    return (own + 1 - other) / 2


def turning_points(steps: Sequence[Step]) -> tuple[TurningPoint, ...]:
    """The moves that changed the chances most, in their order.

    At most three are named, none that changed the chance by less than ten points.
    """
    changes = [
        TurningPoint(step, chance_of_first(before), chance_of_first(step))
        for before, step in pairwise(steps)
        if before.chances and step.chances
    ]
    largest = sorted(changes, key=_change, reverse=True)[:MOST]
    named = [point for point in largest if _change(point) >= LEAST]
    return tuple(sorted(named, key=lambda point: point.step.number))


def _change(point: TurningPoint) -> float:
    return abs(point.after - point.before)
