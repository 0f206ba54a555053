"""Positions with few cards and open hands, each the end of a game that was played.

`tools/endgames` of the tag `tools-before-0.3` searched them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from helpers.records import lend

import deckcheck
from deckcheck.cards import load_database
from deckcheck.engine.contract import apply_move, legal_moves, set_up, to_move
from deckcheck.engine.gwent.board import KNOWN_TO_ALL
from deckcheck.engine.jit import entry
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import new_states, open_table, seat, set_table
from deckcheck.policies.players import UNKNOWN_VALUE, WON_VALUE, solve
from deckcheck.policies.workspace import new_workspace

ROOT = Path(__file__).resolve().parents[2]
ENDGAMES = Path(__file__).parent / "positions"
FILE = ENDGAMES / "any.txt"
HARD = ENDGAMES / "hard.txt"
"""Positions in which some moves win, and in which at most a third do."""

FORMAT = "gwent/standard"
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
    """Two states, of which the first is the position, and the context."""
    states, x = _deal(position.decks, position.seed)
    for move in position.moves:
        apply_move(states[0], x, move)
    _lay_open(states[0])
    return states, x


def winning_moves(states: Any, x: Any) -> list[int] | None:
    """The moves that win by force, None where it takes too long to find out."""
    won = []
    states[1] = states[0]
    count = legal_moves(states[0], x)
    player = int(to_move(states[0]))
    for move in x.moves[:count].tolist():
        apply_move(states[0], x, move)
        value = value_of(states, x, player)
        states[0] = states[1]
        if value == UNKNOWN_VALUE:
            return None
        if value == WON_VALUE:
            won.append(move)
    return won


def value_of(states: Any, x: Any, player: int, limit: int = LIMIT) -> int:
    """The half-points that `player` gets with best play, or UNKNOWN_VALUE."""
    q = _workspace().search.solver
    q.line[0] = states[0]
    return int(solved(q, x, player, limit))


@entry
def solved(q: Any, x: Any, player: Any, limit: Any) -> Any:
    """The same, compiled where the program is."""
    return solve(q, x, player, limit)


@cache
def _workspace() -> Any:
    return lend(new_workspace("gwent", "two", ("learned_1", "search")))[0]


def _deal(decks: Sequence[int], seed: int) -> tuple[Any, Any]:
    fmt = load_format(FORMAT)
    seats = [seat(_decks()[number], "heuristic-1") for number in decks]
    table = set_table(fmt, load_database(fmt.game), seats)
    _, contexts = open_table(table)
    states, x = lend(new_states(table.game, table.variant, 2)), lend(contexts)[0]
    start_game(states[0], x, seed, 0, 0, seed % 2)
    set_up(states[0], x)
    return states, x


@cache
def _decks() -> list[deckcheck.Deck]:
    return deckcheck.read(ROOT / "decks" / FORMAT)


def _lay_open(s: Any) -> None:
    s.n_deck[:] = 0
    s.seen[:] = KNOWN_TO_ALL
