"""Random games told step by step, to see whether a change of the context shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format

GAMES = 60
"""So many games have to tell one rule from another; most do so in the first few."""

Change = Callable[[Any], None]


class RandomTable:
    """Seats at a table of a format, where everybody moves at random."""

    def __init__(self, format: str, seats: Sequence[Seat], **options: Any) -> None:
        fmt = load_format(format)
        self.format = replace(fmt, options={**fmt.options, **options})
        self.database = load_database(fmt.game)
        game = load_game(fmt.game)
        variant = game.variant_of(self.format, len(seats))
        self.context = game.fill_context(self.database, self.format, seats)
        self.state = np.zeros(1, game.RECORDS[variant][0]).view(np.recarray)
        self.players = len(seats)

    def changed(self, change: Change) -> RandomTable:
        """The same table with an altered context."""
        other = copy(self)
        other.context = self.context.copy()
        change(other.context[0])
        return other

    def steps(self, seed: int, change: Change | None = None) -> Iterator[Any]:
        """Play a game; yields before every move what can be done, then the move.

        `change` alters the context of the game.
        """
        states, contexts = self.state.copy(), self.context.copy()
        s, x = states[0], contexts[0]
        if change is not None:
            change(x)
        random = Random(seed)
        seed_generator(s.rng, seed, 1, 1)
        seed_generator(x.rng, seed, 2, 1)
        x.coin = seed % self.players if self.players > 1 else 0
        set_up(s, x)
        while not is_over(s):
            count = int(legal_moves(s, x))
            moves = x.moves[:count].tolist()
            yield s, x, moves
            # Passing ends a round, and with it what could be seen in it.
            if len(moves) > 1 and random.random() < 0.9:
                moves = [move for move in moves if move] or moves
            apply_move(s, x, random.choice(moves))

    def told(self, seed: int, change: Change | None = None) -> Iterator[Any]:
        """A game as seen from outside: who may do what, and who leads."""
        for s, x, moves in self.steps(seed, change):
            lead = [int(score_margin(s, x, player)) for player in range(len(x.policy))]
            yield int(to_move(s)), moves, lead


def differs(
    pairs: Sequence[tuple[RandomTable, RandomTable]],
    change: Change | None = None,
    base: Change | None = None,
) -> bool:
    """Whether a random game goes another way at the second table of some pair.

    `change` alters what is played there, and `base` what is played at the first.
    """
    return any(
        list(one.told(seed, base)) != list(other.told(seed, change))
        for seed in range(GAMES)
        for one, other in pairs
    )


def twice(tables: Iterable[RandomTable]) -> list[tuple[RandomTable, RandomTable]]:
    """Each table against itself, for a change that is made to its context."""
    return [(table, table) for table in tables]


def snapshot(s: Any, without: Sequence[str]) -> dict[str, bytes]:
    """A state, but for fields that change whatever is done."""
    return {n: s[n].tobytes() for n in s.dtype.names if n not in without}
