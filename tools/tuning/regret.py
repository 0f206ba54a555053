"""`python -m tools.tuning.regret`: where Gwent's heuristic loses win probability.

A position of a game between heuristics is dealt anew in many worlds, hidden cards at
random, and every move is played to the end in each by heuristics. The move that is best
in one half of the worlds is valued in the other half, so that luck does not count; its
value less that of the heuristic's own move is the regret.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    to_move,
)
from deckcheck.engine.gwent.codes import PASS, USE_LEADER, Phase
from deckcheck.engine.jit import Context, Move, State, entry, jit
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import set_up, start_game
from deckcheck.playing.table import new_states
from tools.tuning.arena import FORMAT, Arena, sample_decks

__all__ = ["Position", "positions"]

WORLDS = 48
LONGEST = 44
"""Most moves made before a position is looked at."""
CARD_BITS = 4095


@entry
def walk(s: State, x: Context, steps: int) -> int:
    """Make `steps` moves of a game; returns how many legal moves there are then."""
    set_up(s, x)
    for _ in range(steps):
        if is_over(s):
            return 0
        apply_move(s, x, heuristic_move(s, x, legal_moves(s, x)))
    return 0 if is_over(s) else legal_moves(s, x)


@jit
def play_out(s: State, x: Context) -> None:
    """Play to the end."""
    while not is_over(s):
        apply_move(s, x, heuristic_move(s, x, legal_moves(s, x)))


@entry
def value_moves(states: Any, x: Context, moves: Any, worlds: int, totals: Any) -> Move:
    """Sum half-points of each move by halves of the worlds; returns the move made."""
    count = legal_moves(states[0], x)
    for i in range(count):
        moves[i] = x.moves[i]
    own = heuristic_move(states[0], x, count)
    player = to_move(states[0])
    for world in range(worlds):
        states[1] = states[0]
        determinize(states[1], x, player)
        for i in range(count):
            states[2] = states[1]
            apply_move(states[2], x, moves[i])
            play_out(states[2], x)
            totals[world % 2, i] += returns(states[2], x, player)
    return own


@dataclass(frozen=True)
class Position:
    """A decision: the gems, what the heuristic did, what was better and by how much."""

    gems: str
    other_passed: bool
    own: str
    best: str
    regret: float
    told: str


def positions(arena: Arena, number: int, seed: int) -> Iterator[Position]:
    """Values of moves at `number` random turns of random deck pairs."""
    states = new_states("gwent", "two", 3)
    database = database_of(load_format(FORMAT))
    chance = np.random.default_rng(seed)
    found = 0
    moves = np.zeros(256, np.int64)
    while found < number:
        x = arena.contexts[chance.integers(len(arena.pairs))]
        game = int(chance.integers(1 << 30))
        start_game(states[0], x, seed, 0, game, game % 2)
        count = walk(states[0], x, int(chance.integers(5, LONGEST)))
        s = states[0]
        if count < 2 or s.phase != Phase.PLAY:
            continue
        found += 1
        totals = np.zeros((2, 256), np.int64)
        own = value_moves(states, x, moves, WORLDS, totals)
        values = totals[:, :count] / WORLDS
        best = int(values[0].argmax())
        mine = int(np.flatnonzero(moves[:count] == own)[0])
        yield describe(database, s, moves[:count], values, mine=mine, best=best)


def describe(
    database: CardDatabase, s: State, moves: Any, values: Any, *, mine: int, best: int
) -> Position:
    """Put a decision into words."""
    me = int(s.turn)
    names = [move_name(database, int(move)) for move in moves]
    hand = [card_name(database, int(c)) for c in s.hand[me, : s.n_hand[me]]]
    told = (
        f"{s.total[me].sum()}-{s.total[1 - me].sum()} round {s.round_no}, "
        f"cards {s.n_hand[me]}-{s.n_hand[1 - me]}, hand {', '.join(hand)}: "
        f"plays {names[mine]} {values.mean(0)[mine]:.2f}, "
        f"{names[best]} {values.mean(0)[best]:.2f}"
    )
    return Position(
        f"{s.gems[me]}-{s.gems[1 - me]}",
        bool(s.passed[1 - me]),
        kind_of(database, int(moves[mine])),
        kind_of(database, int(moves[best])),
        float(values[1, best] - values[1, mine]),
        told,
    )


def card_name(database: CardDatabase, number: int) -> str:
    """The English name of a card by its number in the engine."""
    return list(database.cards.values())[number - 1].name


def move_name(database: CardDatabase, move: int) -> str:
    """A move in a word or two."""
    if move == PASS:
        return "pass"
    if move == USE_LEADER:
        return "leader"
    return f"{card_name(database, move & CARD_BITS)}/{move >> 12 & 15}"


def kind_of(database: CardDatabase, move: int) -> str:
    """What sort of move it is: passing, the leader, or by the ability of the card."""
    if move in (PASS, USE_LEADER):
        return move_name(database, move)
    card = list(database.cards.values())[(move & CARD_BITS) - 1]
    if card.abilities:
        return card.abilities[0].code
    return card.kind


def main() -> None:
    """Print the mean regret by gems and by kinds of moves, and the worst examples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=30)
    options = parser.parse_args()
    found = list(positions(Arena(sample_decks()), options.positions, options.seed))
    print(f"mean regret {np.mean([p.regret for p in found]):.4f}")
    for key in ("gems", "other_passed", "own", "kinds"):
        table(found, key)
    for each in sorted(found, key=lambda p: -p.regret)[: options.examples]:
        print(f"{each.gems} {'P' if each.other_passed else ' '} {each.told}")


def table(found: list[Position], key: str) -> None:
    """Print the share of all regret that falls to each value of a field."""
    by: dict[str, list[float]] = defaultdict(list)
    for each in found:
        kinds = f"{each.own} -> {each.best}"
        by[kinds if key == "kinds" else str(getattr(each, key))].append(each.regret)
    print(f"\n{key:40} turns  regret a turn  share")
    whole = sum(p.regret for p in found)
    for name, regrets in sorted(by.items(), key=lambda item: -sum(item[1]))[:24]:
        share = sum(regrets) / whole
        print(f"{name:40} {len(regrets):5}  {np.mean(regrets):13.4f}  {share:.0%}")


if __name__ == "__main__":
    main()
