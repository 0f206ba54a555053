"""Tables of solo: a user with a whole faction and an automa."""

from __future__ import annotations

from dataclasses import replace

from deciding import choose_move

from deckcheck.cards import load_database
from deckcheck.engine.contract import apply_move, is_over, legal_moves, set_up
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import new_states, open_table, set_table
from deckcheck.policies.registry import policy_number

PAIRS = [
    ("nilfgaard", "skellige"),
    ("skellige", "northern_realms"),
    ("monsters", "scoiatael"),
    ("scoiatael", "nilfgaard"),
    ("northern_realms", "monsters"),
]


def seat(mine, theirs, fmt="solo", leader=0, policy="random", **options):
    """A table of a user with a whole faction and an automa."""
    database, game = load_database("gwent"), load_game("gwent")
    rules = load_format(f"gwent/{fmt}")
    rules = replace(rules, options={**rules.options, **options})
    own = [x.id for x in database.leaders.values() if x.faction == mine]
    deck = Seat({}, policy_number(policy), mine, own[leader % len(own)])
    user = game.player_seat(database, rules, deck)
    automa = game.automa_seat(database, rules, theirs)
    return set_table(rules, database, [user, automa], rotation=1)


def opened(table, seed=1):
    """Two states, the game that has been set up and a spare one, and the context."""
    _, contexts = open_table(table)
    states = new_states(table.game, table.variant, 2)
    start_game(states[0], contexts[0], seed, 0, 0, 0)
    set_up(states[0], contexts[0])
    return states, states[0], contexts[0]


def play_on(s, x, policy):
    """Play a game to its end; yields before each move with the number of moves."""
    while not is_over(s):
        count = legal_moves(s, x)
        yield count
        count = legal_moves(s, x)
        apply_move(s, x, choose_move(s, x, policy, count))
