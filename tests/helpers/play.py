"""Players and positions for tests of the engine."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from helpers.endgames import FILE, open_position, read
from helpers.records import lend
from helpers.samples import SAMPLES, opened

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    is_over,
    legal_moves,
    set_up,
    to_move,
)
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.policies import players as choose
from deckcheck.policies.registry import Policy, read_policy
from deckcheck.policies.workspace import extra_players, new_workspace

# Players for tests to call: they are compiled into the games.

BASIC = lend(new_workspace("gwent", "two", ()))[0]
"""The workspace of games without extra players, the same for all games."""


@entry
def chosen(s: Any, x: Any, p: Any, policy: Any, count: Any) -> Any:
    """The move of a player, compiled."""
    return choose.choose_move(s, x, p, policy, count)


def choose_move(s: Any, x: Any, policy: Any, count: Any, p: Any = BASIC) -> Any:
    """The move of player number `policy` among the `count` moves in `x.moves`."""
    return chosen(s, x, p, policy, count)


def printed_alike(program: str) -> str:
    """What a program prints, compiled as well as uncompiled."""
    printed = []
    for switch in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    return printed[0]


def play_on(s: Any, x: Any, policy: int | None = None) -> Iterator[int]:
    """Play a game to its end; yields before each move with the number of moves.

    Everybody plays as `policy` does, or else as the seats say.
    """
    while not is_over(s):
        count = legal_moves(s, x)
        yield count
        count = legal_moves(s, x)
        player = x.policy[to_move(s)] if policy is None else policy
        apply_move(s, x, choose_move(s, x, player, count))


def chosen_in_worlds(states: Any, x: Any, step: int, policy: int) -> set[int]:
    """The moves of the player to move, in worlds that look alike to that player."""
    player = to_move(states[0])
    moves = set()
    for world in range(3):
        states[1] = states[0]
        if world:
            seed_generator(x.rng, step, world, 0)
            determinize(states[1], x, player)
        seed_generator(x.rng, step, 0, 0)
        count = legal_moves(states[1], x)
        moves.add(int(choose_move(states[1], x, policy, count)))
    return moves


def dealt_alike(
    states: Any, x: Any, player: int, snapshot: Callable[[Any], Any], step: int
) -> tuple[Any, Any]:
    """What `determinize` makes of `states[0]`, and of another that looks like it."""
    found = []
    for is_other in (False, True):
        states[1] = states[0]
        if is_other:
            seed_generator(x.rng, step, 1, 1)
            determinize(states[1], x, player)
        seed_generator(x.rng, step, 2, 2)
        determinize(states[1], x, player)
        found.append(snapshot(states[1]))
    return found[0], found[1]


# What players do in endgames.

SEED = 3


def moves_chosen(name: str, file=FILE, most: int = 100) -> list[int]:
    """What a player does in the first positions of a file."""
    player = read_policy(name)
    extras = extra_players([player.policy], "gwent", "two")
    p = lend(new_workspace("gwent", "two", extras))[0]
    moves = []
    for number, position in enumerate(read(file)[:most]):
        states, x = open_position(position)
        x.budget[:] = player.budget
        seed_generator(x.rng, SEED, number, 0)
        count = legal_moves(states[0], x)
        moves.append(int(choose_move(states[0], x, player.policy, count, p)))
    return moves


# Tables where everybody moves at random.


class RandomTable:
    """Seats at a table of a format, where everybody moves at random."""

    def __init__(self, format: str, seats: Sequence[Seat], **options: Any) -> None:
        fmt = load_format(format)
        self.format = replace(fmt, options={**fmt.options, **options})
        self.database = database_of(fmt)
        game = load_game(fmt.game)
        variant = game.find_variant(self.format, len(seats))
        self.context = game.fill_context(self.database, self.format, seats)
        self.state = np.zeros(1, game.RECORD_TYPES[variant][0]).view(np.recarray)
        self.players = len(seats)


# Late positions of games, and what `search` decides in them.

FORMATS = ("gwent/standard", "gwen_t/pool", "deckmaster/standard")
LATE_GAMES = [
    next(sample for sample in SAMPLES if sample.format == format and sample.decks)
    for format in FORMATS
]
LATE = {"gwent": 16, "gwen_t": 8, "deckmaster": 20}
"""The turn after which little is left to try, in each of these games."""


def late(sample, budget, other="search:2"):
    """A game that was played at random up to its last moves."""
    table = sample.table(f"search:{budget}", other)
    states, s, x = opened(table)
    start_game(s, x, 9, 0, 0, 0)
    set_up(s, x)
    for _ in range(LATE[table.game]):
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, Policy.RANDOM, count))
    p = new_workspace(table.game, table.variant, table.extras)
    return states, s, x, lend(p)[0]


def decisions(sample):
    """What the players decide to the end of the game."""
    _, s, x, p = late(sample, 1)
    made = []
    while not is_over(s):
        count = legal_moves(s, x)
        made.append(int(choose_move(s, x, Policy.SEARCH, count, p)))
        apply_move(s, x, made[-1])
    return made
