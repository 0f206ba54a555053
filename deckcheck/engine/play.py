"""Playing games: the compiled loops over moves, games and mirrored pairs."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    first_player,
    is_over,
    legal_moves,
    returns,
    rounds_played,
    set_up,
    to_move,
)
from deckcheck.engine.errors import GameDoesNotEnd
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import seed_generator
from deckcheck.engine.tally import CHECKSUM_MASK, Field
from deckcheck.policies.choose import choose_move

__all__ = ["play_game", "play_pairs"]

MAX_TURNS = 10_000
STREAMS = 4  # chance, and the players' own chance in either game of a pair
HASH = 2654435761  # Knuth's multiplicative hash, below 2**32


@jit
def play_game(s: Any, x: Any) -> Any:
    """Play one game from its start to its end."""
    set_up(s, x)
    while not is_over(s):
        player = to_move(s)
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, x.policy[player], count))
        if s.turns > MAX_TURNS:
            raise GameDoesNotEnd("the game does not end")


@entry
def start_game(
    s: Any, x: Any, seed: Any, pairing: Any, pair: Any, mirrored: Any
) -> Any:
    """Seed all chance of one game of a pair; the second one has the coin turned."""
    seed_generator(s.rng, seed, pairing * STREAMS, pair)
    seed_generator(x.rng, seed, pairing * STREAMS + 1 + mirrored, pair)
    x.coin = mirrored


@entry
def play_pairs(
    states: Any,
    contexts: Any,
    seed: Any,
    pairing: Any,
    first_pair: Any,
    pairs: Any,
    tally: Any,
    at: Any,
) -> Any:
    """Play mirrored pairs of games and add them to `tally`.

    `at[0]` always holds the number of the pair being played, so that a crash can be
    replayed.
    """
    s = states[0]
    x = contexts[0]
    for pair in range(first_pair, first_pair + pairs):
        at[0] = pair
        score = 0
        began = 0
        for mirrored in range(2):
            start_game(s, x, seed, pairing, pair, mirrored)
            play_game(s, x)
            count_game(s, x, tally, pair)
            score += returns(s, 0)
            began += first_player(s)
        tally[Field.PAIR_SCORE + score] += 1
        if began == 1:
            tally[Field.PAIRS_APART] += 1


@jit
def count_game(s: Any, x: Any, tally: Any, pair: Any) -> Any:
    """Add one ended game to the tally."""
    began = first_player(s)
    result = returns(s, 0)
    tally[Field.GAMES + began] += 1
    if result == 2:
        tally[Field.WINS_A + began] += 1
    elif result == 0:
        tally[Field.WINS_B + began] += 1
    else:
        tally[Field.DRAWS + began] += 1
    tally[Field.ROUNDS] += rounds_played(s)
    tally[Field.CARDS_LEFT_A] += cards_left(s, x, 0)
    tally[Field.CARDS_LEFT_B] += cards_left(s, x, 1)
    tally[Field.TURNS] += s.turns
    game_hash = (s.history ^ (pair * HASH)) + 3 * result + began
    tally[Field.CHECKSUM] = (tally[Field.CHECKSUM] + game_hash) & CHECKSUM_MASK
