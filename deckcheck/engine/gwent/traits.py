"""The traits of each move of a turn, which `learned` rates along with the position.

Nothing here reads a hidden card: gains and worths are those of the heuristic, which
goes by what its player knows.
"""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.gwent.codes import PASS, Kind, Phase, Role, Verb
from deckcheck.engine.gwent.evaluation import move_gain, move_worth, to_come
from deckcheck.engine.gwent.features import counted_lead, features
from deckcheck.engine.jit import Context, Player, State, Workspace, jit
from deckcheck.engine.primitives import copies, move_card, move_row, move_verb

MOST = 120
"""The largest lead that counts."""
NO_COST = 1000  # more than any card is worth


class Trait(IntEnum):
    """The places of the traits of a move; those of a pass stand apart."""

    PASS = 0
    GAIN = 1  # by how much the lead grows
    WORTH = 2  # of the card in an average use
    TO_COME = 3  # what a horn will still bring this round
    WASTE = 4  # the worth beyond the gain
    LEAD = 5  # after the move
    IS_AHEAD = 6
    BEHIND_BEST = 7  # how much less it gains than the move that gains most
    IS_BEST = 8
    ABOVE_CHEAPEST = 9  # how much more it costs than the cheapest move
    IS_CHEAPEST_LEAD = 10  # the cheapest move that takes the lead
    NO_GAIN = 11
    IS_LOSS = 12
    HAND_LEFT = 13  # what the other cards are worth
    STICKS_OUT = 14  # its gain beyond the strongest unit on the board
    LEADER = 15
    COPIES = 16  # more of the card in hand
    STRENGTH = 17
    HERO = 18
    ROW = 19  # and the next two: which one
    PASS_HAND = 22  # what the hand is worth that is kept
    PASS_BEST = 23  # the gain that is passed up
    PASS_SECOND = 24  # the second best one
    PASS_LEAD = 25
    PASS_IS_AHEAD = 26
    PASS_CARDS = 27
    ROW_STRENGTH = 28  # of own units, as they are
    ROW_UNITS = 29
    ROW_WEATHER = 30
    BEST_LEAD = 31  # after the move that gains most
    ROLE = 32  # of the card, a place each; then the gain, at its place


TRAITS = Trait.ROLE + 2 * len(Role)
"""How many traits a move has."""
ROLES = len(Role)


@jit
def see_turn(s: State, x: Context, q: Workspace, player: Player, count: int) -> int:
    """Write features and traits; returns the stage of the game, -1 between turns."""
    if s.phase != Phase.PLAY:
        return -1
    stage = features(s, x, q, player)
    q.lead = counted_lead(s, x, player, 1 - player)
    weigh_turn(s, x, q, player, count)
    compare_costs(x, q, count)
    for i in range(count):
        for j in range(q.traits.shape[1]):
            q.traits[i, j] = 0
        if x.moves[i] == PASS:
            put_pass(s, q, player, i)
        else:
            put_move(s, x, q, player, i)
    return stage


@jit
def weigh_turn(s: State, x: Context, q: Workspace, player: Player, count: int) -> None:
    """What each move brings and costs, the two largest gains, the worth of the hand."""
    q.most, q.second_most, q.hand_worth = 0, 0, 0
    last, worth = 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if gain > q.most:
            q.second_most = q.most
            q.most = gain
        elif gain > q.second_most:
            q.second_most = gain
        # Moves of one card follow each other.
        if move_card(move) != last:
            last = move_card(move)
            worth = move_worth(s, x, player, move)
            q.hand_worth += worth
        elif last == 0:
            worth = move_worth(s, x, player, move)
        q.gain[i] = gain
        q.cost[i] = worth


@jit
def compare_costs(x: Context, q: Workspace, count: int) -> None:
    """The cost of the cheapest move, and of the cheapest that takes the lead."""
    q.least, q.least_ahead = NO_COST, NO_COST
    for i in range(count):
        if x.moves[i] != PASS:
            q.least = min(q.least, q.cost[i])
            if q.lead + q.gain[i] > 0:
                q.least_ahead = min(q.least_ahead, q.cost[i])


@jit
def put_pass(s: State, q: Workspace, player: Player, i: int) -> None:
    """The traits of a pass: what is kept, and what is passed up."""
    t = q.traits[i]
    t[Trait.PASS.value] = 1
    t[Trait.PASS_HAND.value] = q.hand_worth
    t[Trait.PASS_BEST.value] = q.most
    t[Trait.PASS_SECOND.value] = q.second_most
    t[Trait.PASS_LEAD.value] = q.lead
    t[Trait.PASS_IS_AHEAD.value] = q.lead > 0
    t[Trait.PASS_CARDS.value] = s.n_hand[player]


@jit
def put_move(s: State, x: Context, q: Workspace, player: Player, i: int) -> None:
    """The traits of a card, or of the leader."""
    t, move, gain, worth = q.traits[i], x.moves[i], q.gain[i], q.cost[i]
    expected = to_come(s, x, player, move)
    after = q.lead + gain
    t[Trait.GAIN.value] = gain
    t[Trait.WORTH.value] = worth
    t[Trait.TO_COME.value] = expected
    t[Trait.WASTE.value] = max(worth - gain - expected, 0)
    t[Trait.LEAD.value] = min(max(after, -MOST), MOST)
    t[Trait.IS_AHEAD.value] = after > 0
    t[Trait.BEHIND_BEST.value] = q.most - gain
    t[Trait.IS_BEST.value] = gain == q.most
    t[Trait.ABOVE_CHEAPEST.value] = worth - q.least
    t[Trait.IS_CHEAPEST_LEAD.value] = after > 0 and worth == q.least_ahead
    t[Trait.NO_GAIN.value] = gain == 0
    t[Trait.IS_LOSS.value] = gain < 0
    t[Trait.HAND_LEFT.value] = q.hand_worth - worth
    t[Trait.STICKS_OUT.value] = max(gain - q.strongest, 0)
    t[Trait.BEST_LEAD.value] = min(max(q.lead + q.most, -MOST), MOST)
    if move_verb(move) == Verb.LEADER:
        t[Trait.LEADER.value] = 1
    else:
        put_card(s, x, q, player, i)


@jit
def put_card(s: State, x: Context, q: Workspace, player: Player, i: int) -> None:
    """The traits of a card, and of the row to which it goes."""
    t, card, row = q.traits[i], move_card(x.moves[i]), move_row(x.moves[i])
    t[Trait.COPIES.value] = copies(s.hand[player], s.n_hand[player], card) - 1
    t[Trait.STRENGTH.value] = x.strength[card]
    t[Trait.HERO.value] = x.kind[card] == Kind.HERO
    if x.kind[card] <= Kind.HERO or x.role[card] == Role.HORN:
        t[Trait.ROW + row] = 1
        t[Trait.ROW_STRENGTH.value] = q.now[player, row]
        t[Trait.ROW_UNITS.value] = q.units[player, row]
        t[Trait.ROW_WEATHER.value] = q.weathered[row]
    role = Trait.ROLE + x.role[card]
    t[role] = 1
    t[role + ROLES] = q.gain[i]
