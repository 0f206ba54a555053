"""Late positions of games, and what `search` decides in them."""

from __future__ import annotations

from deciding import choose_move
from samples import SAMPLES, opened

from deckcheck.engine.contract import apply_move, is_over, legal_moves, set_up
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import open_workspace
from deckcheck.policies.registry import Policy

FORMATS = ("gwent/standard", "gwen_t/pool", "deckmaster/standard")
GAMES = [
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
    return states, s, x, open_workspace(table.game, table.variant, table.extras)[0]


def decisions(sample):
    """What the players decide to the end of the game."""
    _, s, x, p = late(sample, 1)
    made = []
    while not is_over(s):
        count = legal_moves(s, x)
        made.append(int(choose_move(s, x, Policy.SEARCH, count, p)))
        apply_move(s, x, made[-1])
    return made
