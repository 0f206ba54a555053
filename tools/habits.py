"""`python -m tools.habits`: how often players of Gwent do silly things.

Each player meets `heuristic`, both with the sample decks or both with random ones.
Counted are, in 1,000 games:

* a spy as the last card in hand;
* a Decoy on a unit that brings nothing by coming again: no ability on entering, and as
  strong as printed, or stronger, where it lies;
* a card that is no spy and no Decoy, or the leader, in a round that is won and not the
  last: the opponent has passed and is behind, or has no card and no leader left;
* a pass that loses, or draws, though one card or the leader would win the match: the
  other has passed and is on the last gem;
* a Mardroeme in a row without a Berserker, and with none in hand;
* a leader that looks for a card in a discard pile, or shuffles piles, and finds none;
* a horn beside an empty row;
* a weather card or Clear Weather that changes no strength;
* a move that lifts a row to ten or more, where a card in the opponent's hand that the
  player knows scorches it;
* a first round that is lost with at most one card left, and five fewer than the other.
"""

from __future__ import annotations

import argparse
from enum import IntEnum
from typing import Any

import numpy as np

from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    set_up,
    to_move,
)
from deckcheck.engine.gwent.abilities import ON_ENTRY
from deckcheck.engine.gwent.board import knows, unit_strength
from deckcheck.engine.gwent.codes import Ability, Kind, Leader, Phase, Verb
from deckcheck.engine.gwent.evaluation import special_gain
from deckcheck.engine.gwent.heuristic import wins_ties
from deckcheck.engine.jit import Context, Move, Player, State, Workspace, entry, jit
from deckcheck.engine.primitives import (
    LeaderState,
    move_card,
    move_row,
    move_verb,
    side_total,
)
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import new_states
from deckcheck.policies.players import choose_move
from deckcheck.policies.registry import policy_names
from tools.tuning.arena import Arena, Side, random_decks, sample_decks

__all__ = ["Habit", "count_habits"]

PLAYER, OTHER = 0, 1
WIN = 2  # half-points
SEED = 3


class Habit(IntEnum):
    """What is counted."""

    LAST_SPY = 0
    IDLE_DECOY = 1
    SAFE_ROUND = 2
    MISSED_WIN = 3
    IDLE_MARDROEME = 4
    IDLE_LEADER = 5
    IDLE_HORN = 6
    IDLE_WEATHER = 7
    KNOWN_SCORCH = 8
    SPENT = 9


TITLES = (
    *("spy last", "idle Decoy", "plays on", "misses a win"),
    *("idle Mardroeme", "idle leader", "idle horn", "idle weather"),
    *("into a known Scorch", "spent and lost"),
)
SCORCHED_FROM = 10  # "if the total strength of that row is 10 or more"
ROW_SCORCHES = (
    *(Ability.SCORCH_CLOSE.value, Ability.SCORCH_RANGED.value),
    Ability.SCORCH_SIEGE.value,
)


@jit
def ahead(s: State, x: Context) -> int:
    """The lead of the player, one more where it wins ties."""
    lead = side_total(s, PLAYER) - side_total(s, OTHER)
    return lead + wins_ties(s, x, PLAYER) - wins_ties(s, x, OTHER)


@jit
def is_safe(s: State, x: Context) -> bool:
    """Whether the round is won, whatever the other does, and another one follows."""
    idle = s.n_hand[OTHER] == 0 and s.leader_state[OTHER] != LeaderState.READY
    return s.gems[OTHER] > 1 and (s.passed[OTHER] or idle) and ahead(s, x) > 0


@jit
def is_idle_target(s: State, x: Context, move: Move) -> bool:
    """Whether the unit that a Decoy takes back is worth nothing more in hand."""
    card, row = move_card(move), move_row(move)
    if x.ability[card] & ON_ENTRY:
        return False
    for i in range(s.n_row[PLAYER, row]):
        if s.row[PLAYER, row, i] == card:
            return unit_strength(s, x, PLAYER, row, i) >= x.strength[card]
    return False


@jit
def could_win(states: Any, x: Context) -> bool:
    """Whether one move, with its choices by the heuristic, would lead."""
    count = legal_moves(states[0], x)
    for i in range(1, count):
        states[1] = states[0]
        apply_move(states[1], x, x.moves[i])
        while states[1].phase != Phase.PLAY:
            answers = legal_moves(states[1], x)
            apply_move(states[1], x, heuristic_move(states[1], x, answers))
        if ahead(states[1], x) > 0:
            return True
        legal_moves(states[0], x)
    return False


@jit
def wins_after(states: Any, x: Context, move: Move) -> bool:
    """Whether the match is over after the move, and won."""
    states[1] = states[0]
    apply_move(states[1], x, move)
    return is_over(states[1]) and returns(states[1], x, PLAYER) == WIN


@jit
def has_berserker(s: State, x: Context, row: int) -> bool:
    """Whether a Berserker of the player lies in this row or is in hand."""
    for i in range(s.n_row[PLAYER, row]):
        if x.ability[s.row[PLAYER, row, i]] & Ability.BERSERKER:
            return True
    for i in range(s.n_hand[PLAYER]):
        if x.ability[s.hand[PLAYER, i]] & Ability.BERSERKER:
            return True
    return False


@jit
def is_known_scorch(s: State, x: Context, row: int) -> bool:
    """Whether the opponent is known to hold a card that scorches this row."""
    for i in range(s.n_hand[OTHER]):
        ability = x.ability[s.hand[OTHER, i]]
        if ability & ROW_SCORCHES[row] and knows(s, x, PLAYER, OTHER, i):
            return True
    return False


@jit
def feeds_scorch(states: Any, x: Context, move: Move) -> bool:
    """Whether a move lifts a row to where a known card of the other scorches it."""
    s = states[0]
    if s.passed[OTHER]:
        return False
    states[1] = s
    apply_move(states[1], x, move)
    for row in range(3):
        before, after = s.total[PLAYER, row], states[1].total[PLAYER, row]
        if before < SCORCHED_FROM <= after and is_known_scorch(s, x, row):
            return True
    return False


@jit
def is_spent(s: State) -> bool:
    """Whether the first round was lost with hardly a card left."""
    few = s.n_hand[PLAYER] <= 1 and s.n_hand[OTHER] >= s.n_hand[PLAYER] + 5
    return few and s.gems[PLAYER] < s.gems[OTHER]


@jit
def finds_nothing(s: State) -> bool:
    """Whether the player's leader needs cards in discard piles that are empty."""
    leader = s.leader[PLAYER]
    own, other = s.n_discard[PLAYER], s.n_discard[OTHER]
    if leader == Leader.RESHUFFLE_DISCARDS:
        return own + other == 0
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return other == 0
    return leader == Leader.RESTORE_OWN_DISCARD and own == 0


@jit
def note_idle(s: State, x: Context, move: Move, counts: Any) -> None:
    """Count a special or weather card that brings nothing."""
    card, row = move_card(move), move_row(move)
    ability = x.ability[card]
    if x.kind[card] == Kind.WEATHER:
        idle = special_gain(s, x, PLAYER, card, row) == 0
        counts[Habit.IDLE_WEATHER.value] += idle
    if x.kind[card] != Kind.SPECIAL:
        return
    if ability & Ability.MARDROEME:
        counts[Habit.IDLE_MARDROEME.value] += not has_berserker(s, x, row)
    if ability & Ability.COMMANDERS_HORN:
        counts[Habit.IDLE_HORN.value] += s.n_row[PLAYER, row] == 0


@jit
def note(states: Any, x: Context, move: Move, counts: Any) -> None:
    """Count what the player is about to do."""
    s = states[0]
    verb = move_verb(move)
    if s.phase == Phase.DECOY:
        counts[Habit.IDLE_DECOY.value] += is_idle_target(s, x, move)
    if s.phase != Phase.PLAY:
        return
    if verb == Verb.PASS:
        decides = s.passed[OTHER] and s.gems[OTHER] == 1
        if decides and not wins_after(states, x, move) and could_win(states, x):
            counts[Habit.MISSED_WIN.value] += 1
        return
    counts[Habit.KNOWN_SCORCH.value] += feeds_scorch(states, x, move)
    if verb == Verb.LEADER:
        counts[Habit.IDLE_LEADER.value] += finds_nothing(s)
    ability = x.ability[move_card(move)] if verb == Verb.PLAY else 0
    if verb == Verb.PLAY:
        note_idle(s, x, move, counts)
    is_last = s.n_hand[PLAYER] == 1
    counts[Habit.LAST_SPY.value] += ability & Ability.SPY != 0 and is_last
    saves = ability & (Ability.SPY | Ability.DECOY) != 0
    counts[Habit.SAFE_ROUND.value] += not saves and is_safe(s, x)


@entry
def watch(states: Any, x: Context, p: Workspace, pairs: Any, counts: Any) -> None:
    """Play these mirrored pairs of games and count the habits of player 0."""
    s = states[0]
    for pair in pairs:
        for beginner in range(2):
            start_game(s, x, SEED, 0, pair, beginner)
            set_up(s, x)
            first_round = True
            while not is_over(s):
                if first_round and s.round_no > 1:
                    first_round = False
                    counts[Habit.SPENT.value] += is_spent(s)
                player: Player = to_move(s)
                move = choose_move(s, x, p, x.policy[player], legal_moves(s, x))
                if player == PLAYER:
                    note(states, x, move, counts)
                apply_move(s, x, move)


def count_habits(arena: Arena, policy: str, pairs: int) -> Any:
    """How often a player did each thing in 1,000 games, by `Habit`.

    It plays `pairs` mirrored pairs with each pair of the decks of `arena`.
    """
    arena.seat(PLAYER, Side(policy))
    arena.seat(OTHER, Side("heuristic"))
    states = new_states("gwent", "two", 2)
    workspace = arena.workspace()[0]
    counts = np.zeros(len(Habit), np.int64)
    for number, x in enumerate(arena.contexts):
        numbers = np.arange(number * pairs, (number + 1) * pairs)
        watch(states, x, workspace, numbers, counts)
    return counts * 1000 / (2 * pairs * len(arena.contexts))


def main() -> None:
    """Print a table with a row for each player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20, help="for each two decks")
    parser.add_argument("--policy", action="append", help="a player; else all")
    parser.add_argument("--random", type=int, help="a number of random decks instead")
    options = parser.parse_args()
    number = options.random
    arena = Arena(random_decks(number) if number else sample_decks())
    print("| in 1,000 games | " + " | ".join(TITLES) + " |")
    print("|---|" + "---:|" * len(TITLES))
    for policy in options.policy or policy_names():
        found = count_habits(arena, policy, options.pairs)
        print(f"| `{policy}` | " + " | ".join(f"{n:.1f}" for n in found) + " |")


if __name__ == "__main__":
    main()
