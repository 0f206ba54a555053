"""The judge: a search whose trials are played to the end by `learned`, on both sides.

It has the information of the player it judges: in each possible world the cards that
this player cannot see are dealt anew. All candidates are tried in the same worlds, with
the same chance. The best move is chosen in some worlds, and what it is better by is
measured in others, so that no move is best for its luck alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.policies.players import most_valued_move
from tools.blunders.positions import Position, open_position, workspace

Floats = npt.NDArray[np.float64]

BLUNDER = 0.1
ROUNDS = (8, 16, 32, 64)  # worlds in which candidates are tried, the better half each
ESTIMATE, CONFIRM = 64, 384  # fresh worlds for the cost, and to confirm a blunder
DOUBTFUL = 0.02  # a cost that is looked at again
FRESH, AGAIN = 1 << 16, 1 << 17  # the first of the fresh worlds


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a move costs against the best one, in chance to win.

    `cost` has no bias; `confirmed`, with its standard error, comes from more worlds,
    and is 0 where `cost` is small.
    """

    best: int
    cost: float
    confirmed: float = 0.0
    error: float = 0.0

    @property
    def is_blunder(self) -> bool:
        """Whether more than ten points are lost."""
        return self.confirmed > BLUNDER


@entry
def try_moves(
    states: Any,
    x: Any,
    p: Any,
    moves: Any,
    seed: Any,
    first: Any,
    values: Any,
) -> Any:
    """Play each of `moves` to the end, in the possible worlds from `first` on.

    `states[0]` is the position. `values` gets the half-points of the player to move, a
    row for each world and a column for each move.
    """
    player = to_move(states[0])
    for world in range(values.shape[0]):
        seed_generator(x.rng, seed, 0, first + world)
        states[1] = states[0]
        determinize(states[1], x, player)
        for i in range(moves.shape[0]):
            t = states[2]
            states[2] = states[1]
            seed_generator(x.rng, seed, 1, first + world)
            apply_move(t, x, moves[i])
            while not is_over(t):
                apply_move(t, x, most_valued_move(t, x, p, legal_moves(t, x)))
            values[world, i] = returns(t, x, player)


def judge(position: Position, made: int, seed: int) -> Verdict:
    """What a move costs in a position."""
    trials = _Trials(position, seed)
    best = _best_move(trials, made)
    if best == made:
        return Verdict(made, 0.0)
    cost = trials.gain(best, made, FRESH, ESTIMATE)[0]
    if cost < DOUBTFUL:
        return Verdict(best, cost)
    return Verdict(best, cost, *trials.gain(best, made, AGAIN, CONFIRM))


def advantage(position: Position, move: int, other: int, seed: int) -> float:
    """What a move is better by than another, in chance to win."""
    return _Trials(position, seed).gain(move, other, AGAIN, CONFIRM)[0]


class _Trials:
    """Moves tried in possible worlds of one position."""

    def __init__(self, position: Position, seed: int) -> None:
        self.states, self.x = open_position(position)
        self.seed = seed

    def legal(self) -> list[int]:
        """The moves of the position."""
        count = legal_moves(self.states[0], self.x)
        return self.x.moves[:count].tolist()  # type: ignore[no-any-return]

    def values(self, moves: list[int], first: int, worlds: int) -> Floats:
        """The chance to win by each of `moves` (columns) in each world."""
        values = np.zeros((worlds, len(moves)), np.int64)
        tried = np.array(moves, np.int64)
        try_moves(self.states, self.x, workspace(), tried, self.seed, first, values)
        return values / 2

    def gain(
        self, best: int, made: int, first: int, worlds: int
    ) -> tuple[float, float]:
        """What `best` is better by, and the standard error."""
        values = self.values([best, made], first, worlds)
        gains = values[:, 0] - values[:, 1]
        return float(gains.mean()), float(gains.std(ddof=1) / worlds**0.5)


def _best_move(trials: _Trials, made: int) -> int:
    """The best move by sequential halving, `made` if none is clearly better."""
    alive = trials.legal()
    values = np.zeros((0, len(alive)))
    for worlds in ROUNDS:
        new = trials.values(alive, len(values), worlds)
        values = np.concatenate([values, new])
        order = np.argsort(-values.mean(axis=0), kind="stable")
        kept = sorted({*order[: (len(alive) + 1) // 2].tolist(), alive.index(made)})
        alive, values = [alive[i] for i in kept], values[:, kept]
    own = alive.index(made)
    best = int(np.argmax(values.mean(axis=0)))
    gains = values[:, best] - values[:, own]
    is_better = gains.mean() > gains.std(ddof=1) / len(gains) ** 0.5
    return alive[best] if is_better else made
