"""Positions with few cards and open hands, each the end of a game that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import deckcheck
from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    pass_move,
    set_up,
    to_move,
)
from deckcheck.engine.gwent.board import KNOWN_TO_ALL
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import new_states, open_table, seat, set_table
from deckcheck.policies.players import UNKNOWN, WON, solve
from deckcheck.policies.workspace import new_workspace

__all__ = [
    "FILE",
    "HARD",
    "Position",
    "endgames",
    "open_position",
    "read",
    "value_of",
    "winning_moves",
]

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("positions.txt")
HARD = Path(__file__).with_name("hard.txt")
FORMAT = "gwent/standard"
MOST_CARDS = 3  # in a hand
LIMIT = 20_000  # moves to try for a solution


@dataclass(frozen=True, slots=True)
class Position:
    """Two sample decks by number, the seed of the game, and the moves that were made.

    Then the decks are set aside, and the hands laid open.
    """

    decks: tuple[int, int]
    seed: int
    moves: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, (*self.decks, self.seed, *self.moves)))


def read(file: Path = FILE) -> list[Position]:
    """The positions of a file, one on each line."""
    lines = [line.split() for line in file.read_text("ascii").splitlines()]
    numbers = [[int(word) for word in line] for line in lines if line]
    return [Position((a, b), seed, tuple(moves)) for a, b, seed, *moves in numbers]


def open_position(position: Position) -> tuple[Any, Any]:
    """The states, of which the first is the position, and the context."""
    states, x = _deal(position.decks, position.seed)
    for move in position.moves:
        apply_move(states[0], x, move)
    _lay_open(states[0])
    return states, x


def winning_moves(states: Any, x: Any) -> list[int] | None:
    """The moves that win by force, None where it takes too long to find out."""
    position = states[:1].copy()
    won = []
    count = legal_moves(states[0], x)
    player = int(to_move(states[0]))
    for move in x.moves[:count].tolist():
        apply_move(states[0], x, move)
        value = value_of(states, x, player)
        states[:1] = position
        if value == UNKNOWN:
            return None
        if value == WON:
            won.append(move)
    return won


def value_of(states: Any, x: Any, player: int, limit: int = LIMIT) -> int:
    """The half-points that `player` gets with best play, or UNKNOWN."""
    q = _workspace().search.solver
    q.line[0] = states[0]
    return int(solve(q, x, player, limit))


@cache
def _workspace() -> Any:
    return new_workspace("gwent", "two", ("learned_1", "search"))[0]


def endgames(seed: int, part: int = 1) -> Iterator[Position]:
    """Positions in which some moves win and some do not, one of each game.

    At most one in `part` moves wins.
    """
    random = Random(seed)
    while True:
        count = len(_decks())
        decks = (random.randrange(count), random.randrange(count))
        moves = _played(decks, random.randrange(1 << 30), part)
        if moves is not None:
            yield moves


def _played(decks: tuple[int, int], seed: int, part: int) -> Position | None:
    """The first position of a game that qualifies; rules of thumb play it."""
    states, x = _deal(decks, seed)
    s, moves = states[0], []
    while not is_over(s):
        count = legal_moves(s, x)
        is_turn = pass_move(s, x) >= 0
        if is_turn and count > 1 and max(s.n_hand) <= MOST_CARDS:
            position = Position(decks, seed, tuple(moves))
            trial, y = open_position(position)
            won = winning_moves(trial, y)
            moves_left = legal_moves(trial[0], y)
            if won and len(won) < moves_left and part * len(won) <= moves_left:
                return position
        count = legal_moves(s, x)
        moves.append(int(heuristic_move(s, x, count)))
        apply_move(s, x, moves[-1])
    return None


def _deal(decks: Sequence[int], seed: int) -> tuple[Any, Any]:
    fmt = load_format(FORMAT)
    seats = [seat(_decks()[number], "heuristic-1") for number in decks]
    table = set_table(fmt, load_database(fmt.game), seats)
    _, contexts = open_table(table)
    states = new_states(table.game, table.variant, 1)
    start_game(states[0], contexts[0], seed, 0, 0, seed % 2)
    set_up(states[0], contexts[0])
    return states, contexts[0]


@cache
def _decks() -> list[deckcheck.Deck]:
    return deckcheck.read(ROOT / "decks" / FORMAT)


def _lay_open(s: Any) -> None:
    s.n_deck[:] = 0
    s.seen[:] = KNOWN_TO_ALL
