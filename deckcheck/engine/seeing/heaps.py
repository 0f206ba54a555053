"""Heaps of cards as numbers: how many of each role, what they would bring."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.writing import put
from deckcheck.engine.types import Card, Context, Workspace

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
    """What the cards of all sets bring."""
    for of in range(CARDS_READ):
        at = put_gains(q, of, at)
    return at


@jit
def put_gains(q: Workspace, of: int, at: int) -> int:
    """What cards bring: sum, the three best, how many are large, fair and small."""
    for i in range(GAIN):
        at = put(q, at, q.gains[of, i])
    return at
