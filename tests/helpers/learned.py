"""What `learned` sees in games of sample decks, also as a program."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from helpers.play import choose_move

from deckcheck import read
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    features,
    is_endgame,
    is_over,
    judge_pass,
    legal_moves,
    pass_move,
    possible_worlds,
    returns,
    see_move,
    see_turn,
    set_up,
    to_move,
    wins_by_passing,
)
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import draw_below, seed_generator
from deckcheck.engine.records import Records
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import Table, new_states, seat, set_table
from deckcheck.policies.players import win_chance
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import is_rated, new_workspace

# The games that `learned` knows, each with a few tables at which they are played.

DECKS = Path(__file__).parents[2] / "decks"
TEAMS = 2


@dataclass(frozen=True)
class Way:
    """Sample decks of a folder, by name, at a table of a format."""

    format: str
    folder: str
    decks: tuple[str, ...]

    def table(self, policies: Sequence[str], rotation: int | None = None) -> Table:
        """The decks in order, played by the policies in turn."""
        fmt = load_format(self.format)
        decks = {deck.name: deck for deck in read(DECKS / self.folder)}
        seats = [
            seat(decks[name], policies[i % len(policies)])
            for i, name in enumerate(self.decks)
        ]
        sides = TEAMS if fmt.seating.play == "teams" else len(seats)
        return set_table(
            *(fmt, database_of(fmt), seats),
            entrant_in=[tuple(range(sides))],
            rotation=rotation,
        )


def duels(format: str, *pairs: tuple[str, str]) -> tuple[Way, ...]:
    """Duels with sample decks of a format."""
    return tuple(Way(format, format, pair) for pair in pairs)


def tables(format: str, *tables: tuple[str, ...]) -> tuple[Way, ...]:
    """Tables of several players, with sample decks of Gwent."""
    return tuple(Way(format, "gwent/standard", decks) for decks in tables)


KNOWN = {
    ("gwent", "two"): duels(
        "gwent/standard",
        ("The swarm", "Archers in the rain"),
        ("Berserkers", "Smugglers and healers"),
    ),
    ("gwent", "many"): (
        *tables(
            "gwent/free_for_all",
            ("The swarm", "Archers in the rain", "Berserkers"),
            (
                *("Smugglers and healers", "Heroes in the frost", "Berserkers"),
                *("Commandos and Reavers", "Night of the vampires"),
            ),
        ),
        *tables(
            "gwent/two_vs_two",
            ("The swarm", "Spies and medics", "Berserkers", "Archers in the rain"),
        ),
    ),
    ("sg_gwint", "duel"): duels(
        "sg_gwint/approximation",
        ("Wild Hunt", "Isles in rage"),
        ("Imperial bonds", "Dwarves and elves"),
    ),
}
"""By game and variant."""


# What `learned` sees in games of sample decks, printed as JSON: run uncompiled.
#
# Its arguments are a game and a variant of it, see `learned_ways`.
#
# Each line is a position, seen by one player after the other: whether it looks the same
# in another possible world, a fingerprint of that, whether all features were written,
# the largest, whether hidden cards differed in that world; now and then the moves that
# the player who is to move chooses in both, and the value of a position in which to
# pass wins.

UNWRITTEN = 9999
WIN = 2  # half-points
SEEN = 3
"""After how many moves a position is looked at."""
ROUNDS_BETWEEN = 5
"""How many moves each player makes until moves are compared again."""


@entry
def look(s: Any, x: Any, q: Any, player: Any) -> Any:
    """Write the features of a position, compiled where the program is."""
    return features(s, x, q, player)


@entry
def valued(s: Any, x: Any, q: Any, player: Any) -> Any:
    """The chance to win, compiled where the program is."""
    return win_chance(s, x, q, player)


@entry
def judged(s: Any, x: Any) -> Any:
    """The verdict on a pass, compiled where the program is."""
    return judge_pass(s, x)


@entry
def look_at_turn(s: Any, x: Any, q: Any, count: Any) -> Any:
    """List the traits that all moves share, compiled where the program is."""
    return see_turn(s, x, q, to_move(s), count)


@entry
def look_at_move(s: Any, x: Any, q: Any, i: Any) -> Any:
    """List the traits of a move, compiled where the program is."""
    see_move(s, x, q, to_move(s), i)


def see(s: Any, x: Any, q: Any, player: int) -> tuple[int, list[int]]:
    """The stage of a game and its features; what is not written is `UNWRITTEN`."""
    q.features[:] = UNWRITTEN
    return int(look(s, x, q, player)), q.features.tolist()


def positions(way: Way, seed: int) -> Any:
    """Yield what is seen at each move of a random game."""
    table = way.table(["learned"])
    states = Records(new_states(table.game, table.variant, 3))
    s, world = states[0], states[1]
    x = Records(table.read_contexts())[0]
    versions = versions_of(table.game, table.variant)
    p = Records(new_workspace(table.game, table.variant, versions))[0]
    q = p.learned_1
    start_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    players = len(way.decks)
    every = ROUNDS_BETWEEN * players + 1
    rates_moves = is_rated(table.game, table.variant)
    for step in count():
        if is_over(s):
            return
        move = x.moves[draw_below(x.rng, legal_moves(s, x))]
        apply_move(s, x, move)
        is_passing = not is_over(s) and is_won(states, x)
        may_rest = rates_moves and not is_over(s) and pass_move(s, x) >= 0
        verdict = int(judged(s, x)) if may_rest else 0
        is_ahead = may_rest and bool(wins_by_passing(s, x))
        is_telling = is_passing or is_ahead or verdict
        if step % SEEN and step % every and not is_telling:
            continue
        player = step // SEEN % players
        stage, seen = see(s, x, q, player)
        states[1] = states[0]
        determinize(world, x, player)
        position = {
            "same": (stage, seen) == see(world, x, q, player),
            "digest": crc32(str((stage, seen)).encode()),
            "written": UNWRITTEN not in seen,
            "largest": max(map(abs, seen)),
            "differs": hidden(s, player) != hidden(world, player),
            "moves": [],
            "won": None,
            "traits": [],
            "between": [],
        }
        if may_rest:
            position["verdicts"] = verdict, judge_by_passing(states, x)
            chosen = choose_move(s, x, Policy.LEARNED, legal_moves(s, x), p)
            rests = bool(chosen == pass_move(s, x))
            if verdict:
                position["rests"] = rests == (verdict > 0 or legal_moves(s, x) == 1)
            elif is_ahead and not is_endgame(s, x, to_move(s)):
                position["rests"] = rests or bool(possible_worlds(s, x, chosen) > 1)
        if not is_over(s):
            mover = int(to_move(s))
            if is_passing:
                position["won"] = int(valued(s, x, q, mover))
            if step % every == 0:
                states[1] = states[0]
                determinize(world, x, mover)
                if rates_moves:
                    both = s, world
                    position["traits"] = [see_moves(t, x, p.learned) for t in both]
                    position["between"] = [see_answers(t, x, p.learned) for t in both]
                position["moves"] = moves_of((s, world), x, p, step // every)
        yield position


def see_moves(s: Any, x: Any, q: Any) -> list[list[int]]:
    """Return the traits of the moves of a turn, by their places.

    The first are those that all moves share. None are returned for an answer to a
    choice between turns.
    """
    count = legal_moves(s, x)
    stages = q.net[0].last.shape[0]
    if look_at_turn(s, x, q, count) >= stages:
        return []
    seen = [listed_traits(q)]
    for i in range(count):
        look_at_move(s, x, q, i)
        seen.append(listed_traits(q))
    return seen


def see_answers(s: Any, x: Any, q: Any) -> list[list[int]]:
    """Return the traits of the answers to a choice between turns, else none."""
    count = legal_moves(s, x)
    if look_at_turn(s, x, q, count) < q.net[0].last.shape[0]:
        return []
    seen = []
    for i in range(count):
        look_at_move(s, x, q, i)
        seen.append(listed_traits(q))
    return seen


def listed_traits(q: Any) -> list[int]:
    """Return all traits by their places, from the list of those that are not 0."""
    traits = [0] * q.net[0].trait.shape[0]
    for place, amount in zip(q.place[: q.listed], q.amount[: q.listed], strict=True):
        assert traits[place] == 0, "a trait was listed twice"
        assert amount != 0, "a trait that is 0 was listed"
        traits[place] = int(amount)
    return traits


def versions_of(game: str, variant: str) -> tuple[str, ...]:
    """Return the versions of the player that have weights of their own for a game."""
    if is_rated(game, variant):
        return ("learned_1", "learned_3", "learned")
    return ("learned_1",)


MOVES = {
    "learned_1": Policy.LEARNED_1,
    "learned_3": Policy.LEARNED_3,
    "learned": Policy.LEARNED,
}


def is_won(states: Any, x: Any) -> bool:
    """Whether the player who is to move wins the game by passing, tried in a copy."""
    s, after = states[0], states[2]
    if pass_move(s, x) < 0:
        return False
    states[2] = s
    apply_move(after, x, pass_move(s, x))
    return bool(is_over(after)) and int(returns(after, x, int(to_move(s)))) == WIN


def judge_by_passing(states: Any, x: Any) -> int:
    """Return 1 if a pass wins, -1 if it loses when the others pass, tried in a copy."""
    s, after = states[0], states[2]
    player = int(to_move(s))
    if is_won(states, x):
        return 1
    states[2] = s
    while not is_over(after) and pass_move(after, x) >= 0:
        if int(after.round_no) > int(s.round_no):
            return 0
        apply_move(after, x, pass_move(after, x))
    return -int(is_over(after) and int(returns(after, x, player)) == 0)


def moves_of(states: Any, x: Any, p: Any, turn: int) -> list[int]:
    """A move in the game and in another possible world, by one luck.

    It is that of each version of the player, by turns, where there are several.
    """
    versions = [number for name, number in MOVES.items() if name in p.dtype.names]
    policy = versions[turn % len(versions)]
    moves = []
    for state in states:
        seed_generator(x.rng, 1, 0, 0)
        moves.append(int(choose_move(state, x, policy, legal_moves(state, x), p)))
    return moves


def hidden(s: Any, player: int) -> list[list[int]]:
    """The hands of the others; the deck of one who plays without a hand."""
    others = [i for i in range(len(s.n_hand)) if i != player]
    hands = [s.hand[i, : s.n_hand[i]].tolist() for i in others]
    return hands if any(hands) else [s.deck[i, : s.n_deck[i]].tolist() for i in others]


if __name__ == "__main__":
    for number, way in enumerate(KNOWN[sys.argv[1], sys.argv[2]]):
        for position in positions(way, number):
            print(json.dumps(position))
