"""Games of a player, and the decisions in them that are judged.

Each game is one with two sample decks or with two random legal ones, in turn; the
player takes either seat, and either beginner, equally often. Its opponent is always the
same, so that all players come to similar positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from deckcheck import parse, read
from deckcheck.decks import Deck
from deckcheck.engine.contract import apply_move, legal_moves, set_up, to_move
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.generating import Generator
from deckcheck.playing.kernel import GameOutcome, ListedGame, start_game
from deckcheck.playing.table import (
    Table,
    new_states,
    open_workspace,
    play_listed,
    seat,
    set_table,
)
from deckcheck.policies.registry import policy_number
from deckcheck.policies.workspace import extra_players
from deckcheck.validation import Validator

ROOT = Path(__file__).resolve().parents[2]
WORST = Path(__file__).with_name("worst.yaml")
FORMAT = "gwent/standard"
OPPONENT = "learned-1"
PART = 6  # one decision of six is judged
DECKS = 1 << 20  # numbers of random decks
LONGEST = 2048  # moves of a game


@dataclass(frozen=True, slots=True)
class Position:
    """Decks by name, `sample 3` or `random 17`, a seed, and the moves that were made.

    The coin fell for seat `beginner`.
    """

    decks: tuple[str, str]
    seed: int
    beginner: int
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that costs more than ten points, and the better one.

    `cost` is the chance to win that it loses, 0 to 1, `error` the standard error.
    """

    player: str
    kind: str
    made: str
    better: str
    cost: float
    error: float
    codes: tuple[int, int]
    position: Position


def decisions(player: str, seed: int) -> Iterator[tuple[int, Position, int]]:
    """Decisions of `player`, without end: the number of the game, where, and the move.

    Games depend on `seed` alone, and so does which of their decisions are judged.
    """
    for number in range(1 << 30):
        chance = Random(f"{seed} {number}")
        names = _draw_decks(chance, "random" if number % 2 else "sample")
        own, beginner = number // 2 % 2, number // 4 % 2
        game_seed = chance.randrange(1 << 30)
        start = Position(names, game_seed, beginner, ())
        moves = _play(start, player, own)
        states, x = open_position(start)
        for i, move in enumerate(moves):
            mine = to_move(states[0]) == own and legal_moves(states[0], x) > 1
            if mine and chance.randrange(PART) == 0:
                yield number, Position(names, game_seed, beginner, moves[:i]), move
            apply_move(states[0], x, move)


def open_position(position: Position) -> tuple[Any, Any]:
    """The states, of which the first is the position, and the context."""
    states = new_states("gwent", "two", 3)
    x = table_of(position.decks, OPPONENT, OPPONENT).read_contexts()
    context = x.view(np.recarray)[0]
    start_game(states[0], context, position.seed, 0, 0, position.beginner)
    set_up(states[0], context)
    for move in position.moves:
        apply_move(states[0], context, move)
    return states, context


def write_blunders(blunders: list[Blunder], file: Path = WORST) -> None:
    """Write the worst moves of the players."""
    text = yaml.safe_dump(
        [_plain(asdict(blunder)) for blunder in blunders],
        default_flow_style=None,
        sort_keys=False,
        width=88,
    )
    file.write_text(text, "utf-8")


def read_blunders(file: Path = WORST) -> list[Blunder]:
    """The worst moves that were found."""
    return [
        Blunder(
            **{
                **entry,
                "codes": tuple(entry["codes"]),
                "position": Position(
                    **{
                        **entry["position"],
                        "decks": tuple(entry["position"]["decks"]),
                        "moves": tuple(entry["position"]["moves"]),
                    }
                ),
            }
        )
        for entry in yaml.safe_load(file.read_text("utf-8"))
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _play(start: Position, player: str, own: int) -> tuple[int, ...]:
    """The moves of a whole game."""
    players = (player, OPPONENT) if own == 0 else (OPPONENT, player)
    table = table_of(start.decks, *players)
    games = np.zeros((1, len(ListedGame)), np.int64)
    games[0, ListedGame.BEGINNER] = start.beginner
    moves = np.zeros(LONGEST, np.int64)
    outcome = play_listed(table, start.seed, games, moves)
    return tuple(moves[: outcome[0, GameOutcome.TURNS]].tolist())


def _draw_decks(chance: Random, source: str) -> tuple[str, str]:
    count = DECKS if source == "random" else len(_samples())
    first, second = chance.randrange(count), chance.randrange(count)
    return f"{source} {first}", f"{source} {second}"


@lru_cache(maxsize=8)
def table_of(decks: tuple[str, str], *players: str) -> Table:
    """A table at which two players meet with these decks."""
    fmt = load_format(FORMAT)
    seats = [seat(deck_of(deck), who) for deck, who in zip(decks, players, strict=True)]
    return set_table(fmt, database_of(fmt), seats)


@lru_cache(maxsize=8)
def deck_of(name: str) -> Deck:
    """A sample deck, or a random one, by its number."""
    source, number = name.split()
    if source == "sample":
        return _samples()[int(number)]
    return parse(_generator().file(1, int(number)))


@cache
def _samples() -> list[Deck]:
    return list(read(ROOT / "decks" / FORMAT))


@cache
def _generator() -> Generator:
    fmt = load_format(FORMAT)
    return Generator(fmt, Validator(fmt.id))


@cache
def workspace() -> Any:
    """The workspace of the players who judge."""
    extras = extra_players([policy_number(OPPONENT)], "gwent", "two")
    assert "two" in load_game("gwent").LEARNED
    return open_workspace("gwent", "two", extras)[0]
