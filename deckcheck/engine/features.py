"""The parts that games share of a learned view, a vector of whole numbers.

These are hands, the race for the round, stages of a game, and how features are written.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from deckcheck.engine.jit import (
    Card,
    Cells,
    Context,
    Player,
    Side,
    State,
    Workspace,
    jit,
)

# -----------------------------------------------------------------------------
# Features are written in order, within their limits

FEATURE_LIMIT = 255  # no feature is larger than this, nor smaller than its negative


@jit
def put(q: Workspace, index: int, value: int) -> int:
    """Write a feature within its limits and return the next index."""
    q.features[index] = max(-FEATURE_LIMIT, min(FEATURE_LIMIT, value))
    return index + 1


@jit
def flag(q: Workspace, index: int, holds: bool) -> int:
    """Write a feature of 1 or 0 and return the next index."""
    q.features[index] = 1 if holds else 0
    return index + 1


# -----------------------------------------------------------------------------
# The stages of a game: by the lives left, and by passes

DUEL_STAGES = 12


@jit
def duel_stage(lives: Cells, passed: Cells, player: Player, enemy: Player) -> int:
    """Return the stage of a duel for the player. `lives` has both sides."""
    return 3 * life_stage(lives, player, enemy) + round_stage(passed, player, enemy)


@jit
def life_stage(lives: Cells, side: int, enemy: int) -> int:
    """Return which sides lose the game with the round: 2 for `side`, 1 for `enemy`."""
    return 2 * (lives[side] <= 1) + (lives[enemy] <= 1)


@jit
def round_stage(passed: Cells, player: Player, enemy: Player) -> int:
    """Return 1 if the enemy has passed, 2 if only the player has, 0 if nobody has."""
    if passed[enemy]:
        return 1
    return 2 if passed[player] else 0


# -----------------------------------------------------------------------------
# What units of a side are worth on average


@jit
def average_unit(q: Workspace, side: Side) -> int:
    """Return the average strength of a unit on the side."""
    units = q.units[side, 0] + q.units[side, 1] + q.units[side, 2]
    printed = q.printed[side, 0] + q.printed[side, 1] + q.printed[side, 2]
    return printed // max(units, 1)


@jit
def average_pair(q: Workspace, side: Side) -> int:
    """Return the average strength of two units of the discard pile."""
    return 2 * q.dead_strength[side] // max(q.dead[side], 1)


# -----------------------------------------------------------------------------
# The rows of the board, and where the strength of a card counts in them


class Lane(IntEnum):
    """The row of a card's printed strength, or APART if nothing can change it."""

    CLOSE = 0
    RANGED = 1
    SIEGE = 2
    AGILE = 3
    APART = 4


@jit
def read_scorched(q: Workspace, sides: int, best: int) -> None:
    """Sum the units of strength `best` on each side, which Scorch would take."""
    for side in range(sides):
        q.scorched[side] = 0
        for row in range(q.best.shape[1]):
            if q.best[side, row] == best:
                q.scorched[side] += q.burnt[side, row]


# -----------------------------------------------------------------------------
# Heaps of cards as numbers: how many of each role, and their possible gains


class Heap(IntEnum):
    """The heaps of cards that are counted. The enemy's have no hidden card."""

    OWN_HAND = 0
    OWN_DECK = 1
    KNOWN = 2  # in the enemy's hand
    UNSEEN = 3  # in the enemy's hand or deck


class Gains(IntEnum):
    """The groups of gains: those now, or the general worth of the cards."""

    OWN_NOW = 0
    OWN_WORTH = 1
    KNOWN_NOW = 2
    UNSEEN_NOW = 3
    UNSEEN_WORTH = 4


class GainFigure(IntEnum):
    """The numbers that sum up the gains of a group."""

    SUM = 0
    BEST = 1
    SECOND = 2
    THIRD = 3
    BIG = 4  # how many gains are at least BIG_GAIN
    MIDDLE = 5
    SMALL = 6  # how many gains are at most SMALL_GAIN


PARTS_PER_CARD = 8  # expected numbers of cards are in eighths
BIG_GAIN = 10
MIDDLE_GAIN = 6
SMALL_GAIN = 2
GAIN_GROUPS = len(Gains)
GAIN_FIGURES = len(GainFigure)
SHARE_BITS = 32


@jit
def clear_sums(q: Workspace) -> None:
    """Make all heaps empty, and all gains zero."""
    for heap in range(q.heap.shape[0]):
        for i in range(q.heap.shape[1]):
            q.heap[heap, i] = 0
    for group in range(q.gains.shape[0]):
        for i in range(q.gains.shape[1]):
            q.gains[group, i] = 0


@jit
def count_card(x: Context, q: Workspace, heap: int, card: Card, roles: int) -> None:
    """Count a card in a heap: first come `roles` numbers, then the lanes."""
    q.heap[heap, x.role[card]] += 1
    q.heap[heap, roles + x.lane[card]] += x.strength[card]


@jit
def note_gain(q: Workspace, group: int, value: int) -> None:
    """Add a gain to its group: to the sum, the three best, and the counts by size."""
    q.gains[group, GainFigure.BIG.value] += value >= BIG_GAIN
    q.gains[group, GainFigure.MIDDLE.value] += value >= MIDDLE_GAIN
    q.gains[group, GainFigure.SMALL.value] += value <= SMALL_GAIN
    # Smaller and larger without branches, which a processor could not guess.
    rest = max(value, 0)
    q.gains[group, GainFigure.SUM.value] += rest
    for i in range(GainFigure.BEST.value, GainFigure.THIRD.value + 1):
        best = q.gains[group, i]
        q.gains[group, i] = max(best, rest)
        rest = min(best, rest)


@jit
def expect_enemy(q: Workspace) -> None:
    """Compute the gains to be expected of the enemy's hand, known cards and the rest.

    `q.unknown` of the `q.unseen` cards are in hand.
    """
    q.unseen = max(q.unseen, 1)
    known = q.gains[Gains.KNOWN_NOW.value, GainFigure.SUM.value]
    unseen = q.gains[Gains.UNSEEN_NOW.value, GainFigure.SUM.value]
    unseen_worth = q.gains[Gains.UNSEEN_WORTH.value, GainFigure.SUM.value]
    known_big = q.gains[Gains.KNOWN_NOW.value, GainFigure.BIG.value]
    unseen_big = q.gains[Gains.UNSEEN_NOW.value, GainFigure.BIG.value]
    big = PARTS_PER_CARD * unseen_big * q.unknown // q.unseen
    q.expected = known + unseen * q.unknown // q.unseen
    q.expected_worth = q.known_worth + unseen_worth * q.unknown // q.unseen
    q.expected_big = PARTS_PER_CARD * known_big + big


@jit
def put_heaps(q: Workspace, roles: int, index: int) -> int:
    """Write the hand and deck of the player, and the expected cards of the enemy."""
    # The share of the unseen cards in hand, rounded up so little that each expected
    # number comes out as if it were divided.
    in_hand = q.unknown * ((1 << SHARE_BITS) // q.unseen + 1)
    figures = q.heap.shape[1]
    for heap in range(Heap.OWN_HAND.value, Heap.OWN_DECK.value + 1):
        for i in range(figures):
            put(q, index + i, q.heap[heap, i])
        index += figures
    for i in range(figures):
        parts = PARTS_PER_CARD if i < roles else 1
        unseen = parts * q.heap[Heap.UNSEEN.value, i]
        expected = unseen * in_hand >> SHARE_BITS
        put(q, index + i, parts * q.heap[Heap.KNOWN.value, i] + expected)
        put(q, index + figures + i, unseen - expected)
    return index + 2 * figures


@jit
def put_all_gains(q: Workspace, index: int) -> int:
    """Write the gains of all groups that both duels and tables have."""
    for group in range(GAIN_GROUPS):
        index = put_gains(q, group, index)
    return index


@jit
def put_gains(q: Workspace, group: int, index: int) -> int:
    """Write the figures of a group of gains."""
    for i in range(GAIN_FIGURES):
        index = put(q, index, q.gains[group, i])
    return index


# -----------------------------------------------------------------------------
# How a round may end: the lead, how it may change, and flags for their steps

LEAD_STEPS = (
    -40,
    -30,
    -22,
    -16,
    -12,
    -8,
    -5,
    -3,
    -1,
    0,
    1,
    2,
    4,
    6,
    9,
    13,
    17,
    23,
    31,
    41,
)
RACE_FIGURES = 11  # lines of `put_race` and `put_end` without steps
RACE_FEATURES = RACE_FIGURES + 3 * len(LEAD_STEPS)
"""How many features the race has."""


@jit
def put_race(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, index: int
) -> int:
    """Write the lead and its possible values with the cards in hand, in steps too."""
    balance = lead
    if not s.passed[player]:
        balance += q.gains[Gains.OWN_NOW.value, GainFigure.SUM.value]
    if not s.passed[enemy]:
        balance -= q.expected
    reach = lead_within_reach(s, q, player, enemy, lead)
    index = put(q, index, lead)
    index = put(q, index, balance)
    index = put(q, index, q.expected)
    index = put(q, index, q.expected_big)
    index = put(q, index, reach)
    index = put_end(s, q, player, enemy, lead, index)
    index = flag(q, index, s.passed[player] != 0 and reach > 0)
    index = put_steps(q, index, lead)
    index = put_steps(q, index, balance)
    return put_steps(q, index, reach)


@jit
def lead_within_reach(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int
) -> int:
    """Return the lead after the best card of the last player in the round."""
    if s.passed[enemy] and not s.passed[player]:
        return lead + q.gains[Gains.OWN_NOW.value, GainFigure.BEST.value]
    if s.passed[player] and not s.passed[enemy]:
        return lead - best_enemy_gain(q)
    return lead


@jit
def best_enemy_gain(q: Workspace) -> int:
    """Return the gain of the best card that the enemy may hold."""
    best = GainFigure.BEST.value
    known = q.gains[Gains.KNOWN_NOW.value, best]
    return max(known, q.gains[Gains.UNSEEN_NOW.value, best])


@jit
def put_end(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, index: int
) -> int:
    """Write how many cards would win the round if a player has left it."""
    now = Gains.OWN_NOW.value
    alone = s.passed[enemy] != 0
    after_card = lead + q.gains[now, GainFigure.BEST.value]
    after_two = after_card + q.gains[now, GainFigure.SECOND.value]
    after_all = lead + q.gains[now, GainFigure.SUM.value]
    index = put(q, index, after_two)
    index = flag(q, index, alone and after_card > 0)
    index = flag(q, index, alone and after_two > 0)
    index = flag(q, index, alone and after_all > 0)
    return flag(q, index, s.passed[player] != 0 and lead > q.expected)


@jit
def put_steps(q: Workspace, index: int, value: int) -> int:
    """Write a flag for each step that a number has reached."""
    for step in LEAD_STEPS:
        index = flag(q, index, value >= step)
    return index


@jit
def put_edge(s: State, q: Workspace, player: Player, enemy: Player, index: int) -> int:
    """Write the player's lead in cards in hand, and whether a hand is empty."""
    edge = s.n_hand[player] - s.n_hand[enemy]
    for step in range(-3, 4):
        index = flag(q, index, edge >= step)
    index = flag(q, index, s.n_hand[player] == 0)
    return flag(q, index, s.n_hand[enemy] == 0)


# -----------------------------------------------------------------------------
# The common part of the workspaces of `learned`, in any game

INT = np.int64


def hand_fields(
    heap_figures: int, features: int, groups: int = GAIN_GROUPS
) -> tuple[tuple[Any, ...], ...]:
    """Return the fields for hands and decks, and for the view as a whole.

    A heap has `heap_figures` numbers. Gains are summed in `groups`.
    """
    return (
        ("heap", INT, (len(Heap), heap_figures)),
        ("gains", INT, (groups, GAIN_FIGURES)),
        ("exposed", INT),  # own cards that everybody knows
        ("doubled", INT),  # own cards that another card of the hand would muster
        ("bonded", INT),  # strength that copies in hand give each other
        ("known_worth", INT),
        ("expected_worth", INT),
        ("known", INT),  # cards of the enemy's hand that the player knows
        ("unknown", INT),
        ("unseen", INT),  # unknown cards, and the cards of the deck
        ("expected", INT),
        ("expected_big", INT),
        ("features", INT, (features,)),
    )
