"""What players do in the endgames of `benchmarks/endgames`."""

from __future__ import annotations

from deciding import choose_move

from benchmarks.endgames.positions import FILE, open_position, read
from deckcheck.engine.contract import legal_moves
from deckcheck.engine.primitives import seed_generator
from deckcheck.policies.registry import read_policy
from deckcheck.policies.workspace import extra_players, new_workspace

__all__ = ["SEED", "moves_chosen"]

SEED = 3


def moves_chosen(name: str, file=FILE, most: int = 100) -> list[int]:
    """What a player does in the first positions of a file."""
    player = read_policy(name)
    p = new_workspace("gwent", "two", extra_players([player.policy], "gwent", "two"))[0]
    moves = []
    for number, position in enumerate(read(file)[:most]):
        states, x = open_position(position)
        x.budget[:] = player.budget
        seed_generator(x.rng, SEED, number, 0)
        count = legal_moves(states[0], x)
        moves.append(int(choose_move(states[0], x, player.policy, count, p)))
    return moves
