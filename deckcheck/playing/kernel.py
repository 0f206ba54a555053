"""Playing games: the compiled loop over moves and over a list of games.

The games of a list need nothing of each other, so the caller decides what they
are: the sets of a table, the games that tournament matches have come to, or a single
game played again.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    is_over,
    legal_moves,
    place,
    points,
    rounds_played,
    score_margin,
    seat_of,
    set_up,
    to_move,
)
from deckcheck.engine.errors import GameDoesNotEnd
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import seed_generator
from deckcheck.policies.choose import choose_move

MAX_TURNS = 10_000


class Game(IntEnum):
    """The columns of a game to be played."""

    CONTEXT = 0  # which context it is played in
    STREAM = 1  # random stream of chance; those of the players follow, by beginner
    COUNTER = 2  # the place in these streams
    BEGINNER = 3  # the seat for which the coin falls


class Outcome(IntEnum):
    """The columns of a game that was played.

    From PLACE on there are four blocks of columns with one for each entrant: places,
    points, seats (0 began), and cards left in hand.
    """

    ROUNDS = 0
    TURNS = 1  # moves made
    HISTORY = 2  # hash over all moves
    LEAD = 3  # of player 0 on the board, at the end
    PLACE = 4


@jit
def play_game(s: Any, x: Any, p: Any, moves: Any) -> Any:
    """Play one game from its start to its end; `p` is the workspace of the players.

    `moves` gets as many of its moves as have room.
    """
    set_up(s, x)
    while not is_over(s):
        player = to_move(s)
        count = legal_moves(s, x)
        move = choose_move(s, x, p, x.policy[player], count)
        if s.turns < moves.shape[0]:
            moves[s.turns] = move
        apply_move(s, x, move)
        if s.turns > MAX_TURNS:
            raise GameDoesNotEnd("the game does not end")


@entry
def start_game(
    s: Any, x: Any, seed: Any, stream: Any, counter: Any, beginner: Any
) -> Any:
    """Seed all chance of one game; `beginner` is the seat for which the coin falls."""
    seed_generator(s.rng, seed, stream, counter)
    seed_generator(x.rng, seed, stream + 1 + beginner, counter)
    x.coin = beginner


@entry
def play_games(
    states: Any,
    contexts: Any,
    workspaces: Any,
    seed: Any,
    games: Any,
    outcomes: Any,
    moves: Any,
    at: Any,
) -> Any:
    """Play each of `games` (columns of `Game`) and write its outcome to `outcomes`.

    `at[0]` always holds the number of the game being played, for the report of a crash.
    `moves` gets those of the last game, as many as have room.
    """
    s, p = states[0], workspaces[0]
    for i in range(games.shape[0]):
        at[0] = i
        x = contexts[games[i, Game.CONTEXT.value]]
        start_game(
            s,
            x,
            seed,
            games[i, Game.STREAM.value],
            games[i, Game.COUNTER.value],
            games[i, Game.BEGINNER.value],
        )
        play_game(s, x, p, moves)
        note_outcome(s, x, outcomes, i)


@jit
def note_outcome(s: Any, x: Any, outcomes: Any, i: Any) -> Any:
    """Write an ended game to row `i` of `outcomes`."""
    outcomes[i, Outcome.ROUNDS.value] = rounds_played(s)
    outcomes[i, Outcome.TURNS.value] = s.turns
    outcomes[i, Outcome.HISTORY.value] = s.history
    outcomes[i, Outcome.LEAD.value] = score_margin(s, x, 0)
    entrants = (outcomes.shape[1] - Outcome.PLACE) // 4
    for entrant in range(entrants):
        column = Outcome.PLACE + entrant
        outcomes[i, column] = place(s, x, entrant)
        outcomes[i, column + entrants] = points(s, x, entrant)
        outcomes[i, column + 2 * entrants] = seat_of(s, x, entrant)
        outcomes[i, column + 3 * entrants] = cards_left(s, x, entrant)
