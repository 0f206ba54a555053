"""Observation vector shared by games: hands, race, stages, writing."""

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
# Features are written one after the other, within their limits.

LIMIT = 255  # no feature is larger than this, nor smaller than its negative


@jit
def put(q: Workspace, at: int, value: int) -> int:
    """Write a feature, within its limits; returns the next place."""
    q.features[at] = max(-LIMIT, min(LIMIT, value))
    return at + 1


@jit
def flag(q: Workspace, at: int, holds: bool) -> int:
    """Write a feature that is 1 or 0; returns the next place."""
    q.features[at] = 1 if holds else 0
    return at + 1


# -----------------------------------------------------------------------------
# The stages of a game: by the lives left, and by passes.

STAGES = 12


@jit
def duel_stage(lives: Cells, passed: Cells, player: Player, enemy: Player) -> int:
    """Return the stage of a duel for the player. `lives` are those of both sides."""
    return 3 * life_stage(lives, player, enemy) + round_stage(passed, player, enemy)


@jit
def life_stage(lives: Cells, own: int, other: int) -> int:
    """Return whether one side, or both, would lose the game with the round."""
    return 2 * (lives[own] <= 1) + (lives[other] <= 1)


@jit
def round_stage(passed: Cells, player: Player, enemy: Player) -> int:
    """0 with both in the round, 1 if the enemy has passed, 2 if only the player has."""
    if passed[enemy]:
        return 1
    return 2 if passed[player] else 0


# -----------------------------------------------------------------------------
# What units of a side are worth on average.


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
# The rows of the board, and where the strength of a card counts in them.


class Lane(IntEnum):
    """Where the printed strength of a card counts; what nothing touches is apart."""

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
# Heaps of cards as numbers: how many of each role, what they would bring.

PART = 8  # expected numbers of cards are in eighths
BIG, MIDDLE, SMALL = 10, 6, 2  # gains of these sizes are counted
CARDS_READ, GAIN = 5, 7  # sets of cards whose gains are summed, and figures of each
SHARE_BITS = 32


@jit
def clear_sums(q: Workspace) -> None:
    """Make all heaps empty, and all gains zero."""
    for heap in range(q.heap.shape[0]):
        for i in range(q.heap.shape[1]):
            q.heap[heap, i] = 0
    for of in range(q.gains.shape[0]):
        for i in range(q.gains.shape[1]):
            q.gains[of, i] = 0


@jit
def count_card(x: Context, q: Workspace, heap: int, card: Card, roles: int) -> None:
    """Count a card in one of the heaps: first come `roles` numbers, then the lanes."""
    q.heap[heap, x.role[card]] += 1
    q.heap[heap, roles + x.lane[card]] += x.strength[card]


@jit
def note(q: Workspace, of: int, value: int) -> None:
    """Add to the gains `of` some cards: sum, the three best, how many of which size."""
    q.gains[of, 4] += value >= BIG
    q.gains[of, 5] += value >= MIDDLE
    q.gains[of, 6] += value <= SMALL
    # Smaller and larger without branches, which a processor could not guess.
    rest = max(value, 0)
    q.gains[of, 0] += rest
    for i in range(1, 4):
        best = q.gains[of, i]
        q.gains[of, i] = max(best, rest)
        rest = min(best, rest)


@jit
def expect_enemy(q: Workspace) -> None:
    """Gains to be expected of the enemy's hand: of its known cards and of the rest.

    `q.unknown` of the `q.unseen` cards are in hand.
    """
    q.unseen = max(q.unseen, 1)
    big = PART * q.gains[3, 4] * q.unknown // q.unseen
    q.expected = q.gains[2, 0] + q.gains[3, 0] * q.unknown // q.unseen
    q.expected_worth = q.known_worth + q.gains[4, 0] * q.unknown // q.unseen
    q.expected_big = PART * q.gains[2, 4] + big


@jit
def put_heaps(q: Workspace, roles: int, at: int) -> int:
    """Own hand and deck; what is in the enemy's hand and deck, as expected."""
    # The share of the unseen cards that is in hand, rounded up so little that each
    # expected number comes out as if it were divided.
    in_hand = q.unknown * ((1 << SHARE_BITS) // q.unseen + 1)
    zone = q.heap.shape[1]
    for own in range(2):
        for i in range(zone):
            put(q, at + i, q.heap[own, i])
        at += zone
    for i in range(zone):
        part = PART if i < roles else 1
        inside = part * q.heap[3, i] * in_hand >> SHARE_BITS
        put(q, at + i, part * q.heap[2, i] + inside)
        put(q, at + zone + i, part * q.heap[3, i] - inside)
    return at + 2 * zone


@jit
def put_all_gains(q: Workspace, at: int) -> int:
    """Write the gains of the cards of all sets."""
    for of in range(CARDS_READ):
        at = put_gains(q, of, at)
    return at


@jit
def put_gains(q: Workspace, of: int, at: int) -> int:
    """Write the gains of cards: sum, three best, and numbers of each size."""
    for i in range(GAIN):
        at = put(q, at, q.gains[of, i])
    return at


# -----------------------------------------------------------------------------
# How a round may end: the lead, what it may become, and flags for their steps.

STEPS = (-40, -30, -22, -16, -12, -8, -5, -3, -1, 0, 1, 2, 4, 6, 9, 13, 17, 23, 31, 41)
FIGURES = 11
RACE = FIGURES + 3 * len(STEPS)
"""How many features the race has."""


@jit
def put_race(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, at: int
) -> int:
    """Write the lead and its possible values with the cards in hand, in steps too."""
    balance = lead
    if not s.passed[player]:
        balance += q.gains[0, 0]
    if not s.passed[enemy]:
        balance -= q.expected
    reach = lead_within_reach(s, q, player, enemy, lead)
    at = put(q, at, lead)
    at = put(q, at, balance)
    at = put(q, at, q.expected)
    at = put(q, at, q.expected_big)
    at = put(q, at, reach)
    at = put_end(s, q, player, enemy, lead, at)
    at = flag(q, at, s.passed[player] != 0 and reach > 0)
    at = put_steps(q, at, lead)
    at = put_steps(q, at, balance)
    return put_steps(q, at, reach)


@jit
def lead_within_reach(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int
) -> int:
    """Return the lead after the best card of the last player in the round."""
    if s.passed[enemy] and not s.passed[player]:
        return lead + q.gains[0, 1]
    if s.passed[player] and not s.passed[enemy]:
        return lead - max(q.gains[2, 1], q.gains[3, 1])
    return lead


@jit
def put_end(
    s: State, q: Workspace, player: Player, enemy: Player, lead: int, at: int
) -> int:
    """Whether a round that one of them has left can be won, with how many cards."""
    alone = s.passed[enemy] != 0
    one = lead + q.gains[0, 1]
    two = one + q.gains[0, 2]
    at = put(q, at, two)
    at = flag(q, at, alone and one > 0)
    at = flag(q, at, alone and two > 0)
    at = flag(q, at, alone and lead + q.gains[0, 0] > 0)
    return flag(q, at, s.passed[player] != 0 and lead > q.expected)


@jit
def put_steps(q: Workspace, at: int, value: int) -> int:
    """Write a flag for each step that a number has reached."""
    for step in STEPS:
        at = flag(q, at, value >= step)
    return at


@jit
def put_edge(s: State, q: Workspace, player: Player, enemy: Player, at: int) -> int:
    """Write the player's lead in cards in hand, and whether a hand is empty."""
    edge = s.n_hand[player] - s.n_hand[enemy]
    for step in range(-3, 4):
        at = flag(q, at, edge >= step)
    at = flag(q, at, s.n_hand[player] == 0)
    return flag(q, at, s.n_hand[enemy] == 0)


# -----------------------------------------------------------------------------
# What the workspaces of `learned` have in common, in any game.

INT = np.int64
HEAPS = 4


def hand_fields(
    zone: int, features: int, sets: int = CARDS_READ
) -> tuple[tuple[Any, ...], ...]:
    """Return the fields for hands and decks, and for the view as a whole.

    A heap is described by `zone` numbers; gains are summed for `sets` of cards.
    """
    return (
        ("heap", INT, (HEAPS, zone)),
        ("gains", INT, (sets, GAIN)),
        ("exposed", INT),  # own cards that everybody knows
        ("doubled", INT),  # own cards that another one of the hand would muster
        ("bonded", INT),  # strength that copies in hand give each other
        ("known_worth", INT),
        ("expected_worth", INT),
        ("known", INT),  # cards of the enemy's hand that the player knows
        ("unknown", INT),
        ("unseen", INT),  # unknown cards, and those of the deck
        ("expected", INT),
        ("expected_big", INT),
        ("features", INT, (features,)),
    )
