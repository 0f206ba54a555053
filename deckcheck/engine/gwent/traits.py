"""Gwent: the traits by which `learned` rates moves of a turn and answers to choices.

Nothing here reads a hidden card: gains and worths come from the heuristic, which uses
only its player's knowledge. Only traits other than 0 are listed. The common traits of
all moves of a turn are listed once, so their weights are added once.
"""

from __future__ import annotations

from enum import IntEnum

from deckcheck.engine.features import DUEL_STAGES, best_enemy_gain
from deckcheck.engine.gwent.codes import (
    PASS,
    FactionAbility,
    Kind,
    Phase,
    Role,
    Verb,
)
from deckcheck.engine.gwent.evaluation import (
    card_worth,
    later_gain,
    move_gain,
    move_worth,
)
from deckcheck.engine.gwent.features import counted_lead, features
from deckcheck.engine.gwent.heuristic import choice_value, hand_worth
from deckcheck.engine.gwent.rounds import round_winner
from deckcheck.engine.jit import Context, Player, State, Workspace, jit
from deckcheck.engine.primitives import (
    ROW_COUNT,
    copies,
    move_card,
    move_row,
    move_verb,
)

MAX_LEAD = 120
"""The largest lead that counts."""
NO_COST = 1000  # above the worth of every card
ROLE_COUNT = len(Role)


class Trait(IntEnum):
    """The numbers of the traits of moves, with separate traits for a pass."""

    # of all moves of a turn
    TURN_MOST = 0  # the largest gain
    TURN_LEAST = 1  # the cost of the cheapest move
    TURN_HAND = 2  # the worth of the hand
    TURN_LEAD = 3
    TURN_BEST_LEAD = 4  # after the move that gains most
    # of a pass
    PASS = 5
    PASS_MOST = 6
    PASS_LEAST = 7
    PASS_HAND = 8
    PASS_LEAD = 9
    PASS_BEST_LEAD = 10
    PASS_SECOND = 11  # the second largest gain
    PASS_IS_AHEAD = 12
    PASS_CARDS = 13
    # of a card, or of the leader
    WORTH = 14  # of the card in an average use
    LATER_GAIN = 15  # later in the round, as by a horn
    WASTE = 16  # the worth beyond the gain
    BEYOND = 17  # the lead after the move beyond MAX_LEAD
    IS_AHEAD = 18
    IS_BEST = 19
    IS_CHEAPEST_LEAD = 20  # the cheapest move that takes the lead
    NO_GAIN = 21
    IS_LOSS = 22
    STICKS_OUT = 23  # its gain beyond the strongest unit on the board
    COPIES = 24  # more of the card in hand
    STRENGTH = 25
    HERO = 26
    ROW = 27  # 1 for the row of the move, among this and the next two
    ROW_STRENGTH = 30  # of the player's own units now
    ROW_UNITS = 31
    ROW_WEATHER = 32
    LEADER = 33
    ROLE = 34  # 1 for the role of the card, with a trait for each role
    GAIN = 56  # the gain of the card, with a trait for each role
    LEADER_GAIN = 78
    # of a pass as well
    PASS_RETURN = 79  # the strength of the units that return in round 3
    PASS_ENEMY_RETURN = 80
    PASS_HAND_LEAD = 81  # in cards
    PASS_WORTH_LEAD = 82  # in the worth of the hands
    PASS_LAST_LEAD = 83  # after all cards that the enemy is expected to hold
    PASS_NEXT_LEAD = 84  # after the enemy's best card
    PASS_OUTLASTS_CARD = 85  # 1 if the best card does not take the lead
    PASS_OUTLASTS_HAND = 86
    PASS_IS_BEHIND = 87


class Answer(IntEnum):
    """The numbers of the traits of answers, with separate traits for a kept hand."""

    KEEP = 0
    VALUE = 1  # by the heuristic
    WORTH = 2  # of the card in an average use
    BEHIND_BEST = 3
    IS_BEST = 4
    STRENGTH = 5
    HERO = 6
    IN_HAND = 7  # copies in hand
    IN_DECK = 8  # copies in the deck
    ROW = 9  # 1 for the row of the answer, among this and the next two
    ROW_STRENGTH = 12
    ROW_UNITS = 13
    ROW_WEATHER = 14
    USUAL = 15  # the worth of the card in `x.worth`
    KEEP_REDRAWS = 16
    KEEP_LEAST = 17  # the worth of the hand's worst card
    KEEP_AVERAGE = 18  # the average worth of the deck's cards
    BELOW_AVERAGE = 19  # the average of the deck less the worth
    KEEP_GAIN = 20
    SECOND = 21  # the best answer's value less the second best


TRAITS = Trait.PASS_IS_BEHIND + 1
"""How many traits there are."""


@jit
def put_trait(q: Workspace, index: int, trait: int, value: int) -> int:
    """List a trait, unless it is 0, and return the next index of the list."""
    q.place[index] = trait
    q.amount[index] = value
    return index + (value != 0)


@jit
def see_turn(s: State, x: Context, q: Workspace, player: Player, count: int) -> int:
    """Write features, list common traits of moves, and return the stage of the game.

    Answers to choices have further stages.
    """
    stage = features(s, x, q, player)
    q.listed = 0
    if s.phase != Phase.PLAY:
        weigh_answers(s, x, q, player, count)
        return DUEL_STAGES + s.phase
    q.lead = counted_lead(s, x, player, 1 - player)
    weigh_turn(s, x, q, player, count)
    compare_costs(x, q, count)
    index = put_trait(q, 0, Trait.TURN_MOST.value, q.most)
    index = put_trait(q, index, Trait.TURN_LEAST.value, q.least)
    index = put_trait(q, index, Trait.TURN_HAND.value, q.hand_worth)
    index = put_trait(q, index, Trait.TURN_LEAD.value, q.lead)
    index = put_trait(q, index, Trait.TURN_BEST_LEAD.value, limit_lead(q.lead + q.most))
    q.listed = index
    return stage


@jit
def see_move(s: State, x: Context, q: Workspace, player: Player, i: int) -> None:
    """List the traits of move `i` that not all moves share."""
    if s.phase != Phase.PLAY:
        q.listed = put_answer(s, x, q, player, i)
    elif x.moves[i] == PASS:
        q.listed = put_pass(s, x, q, player)
    else:
        q.listed = put_move(s, x, q, player, i)


@jit
def limit_lead(lead: int) -> int:
    """Return a lead within `MAX_LEAD` and its negative."""
    return min(max(lead, -MAX_LEAD), MAX_LEAD)


@jit
def weigh_turn(s: State, x: Context, q: Workspace, player: Player, count: int) -> None:
    """Find the gain and cost of each move, the two largest gains, the hand's worth."""
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
    """Find the cost of the cheapest move, and of the cheapest that takes the lead."""
    q.least, q.least_ahead = NO_COST, NO_COST
    for i in range(count):
        if x.moves[i] != PASS:
            q.least = min(q.least, q.cost[i])
            if q.lead + q.gain[i] > 0:
                q.least_ahead = min(q.least_ahead, q.cost[i])


@jit
def put_pass(s: State, x: Context, q: Workspace, player: Player) -> int:
    """List the traits of a pass: the cards kept, and the gains passed up."""
    index = put_trait(q, 0, Trait.PASS.value, 1)
    index = put_trait(q, index, Trait.PASS_MOST.value, q.most)
    index = put_trait(q, index, Trait.PASS_LEAST.value, q.least)
    index = put_trait(q, index, Trait.PASS_HAND.value, q.hand_worth)
    index = put_trait(q, index, Trait.PASS_LEAD.value, q.lead)
    index = put_trait(q, index, Trait.PASS_BEST_LEAD.value, limit_lead(q.lead + q.most))
    index = put_trait(q, index, Trait.PASS_SECOND.value, q.second_most)
    index = put_trait(q, index, Trait.PASS_IS_AHEAD.value, q.lead > 0)
    index = put_trait(q, index, Trait.PASS_CARDS.value, s.n_hand[player])
    strength = returning_strength(s, x, q, player)
    index = put_trait(q, index, Trait.PASS_RETURN.value, strength)
    enemy = 1 - player
    strength = returning_strength(s, x, q, enemy)
    index = put_trait(q, index, Trait.PASS_ENEMY_RETURN.value, strength)
    cards = s.n_hand[player] - s.n_hand[enemy]
    index = put_trait(q, index, Trait.PASS_HAND_LEAD.value, cards)
    worth = q.hand_worth - q.expected_worth
    index = put_trait(q, index, Trait.PASS_WORTH_LEAD.value, worth)
    return index if s.passed[enemy] else put_risk(q, index)


@jit
def put_risk(q: Workspace, index: int) -> int:
    """List what becomes of the lead after a pass if the enemy plays on."""
    after_card, after_hand = q.lead - best_enemy_gain(q), q.lead - q.expected
    index = put_trait(q, index, Trait.PASS_LAST_LEAD.value, after_hand)
    index = put_trait(q, index, Trait.PASS_NEXT_LEAD.value, after_card)
    index = put_trait(q, index, Trait.PASS_OUTLASTS_CARD.value, after_card > 0)
    index = put_trait(q, index, Trait.PASS_OUTLASTS_HAND.value, after_hand > 0)
    return put_trait(q, index, Trait.PASS_IS_BEHIND.value, q.lead < 0)


@jit
def returning_strength(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Return the strength of two units that Skellige returns in round 3 (rules 1.7.5).

    They are average units of the discard pile, to which those of the board will go.
    """
    ability = x.faction_ability[player]
    if ability != FactionAbility.RETURN_TWO_UNITS or s.round_no > 2:
        return 0
    units, strength = q.dead[player], q.dead_strength[player]
    for row in range(ROW_COUNT):
        units += q.units[player, row]
        strength += q.printed[player, row]
    return 2 * strength // max(units, 1)


@jit
def judge_pass(s: State, x: Context) -> int:
    """Return 1 if a pass wins a duel, -1 if it loses unless the enemy plays on, else 0.

    A round without a winner costs both players a gem (rules 1.4.2).
    """
    player, enemy = s.turn, 1 - s.turn
    winner = round_winner(s, x)
    gems = s.gems[player] - (winner != player)
    enemy_gems = s.gems[enemy] - (winner != enemy)
    if gems == 0 and enemy_gems > 0:
        return -1
    return int(gems > 0 and enemy_gems == 0 and s.passed[enemy] != 0)


@jit
def put_move(s: State, x: Context, q: Workspace, player: Player, i: int) -> int:
    """List the traits of a card, or of the leader."""
    move = x.moves[i]
    gain = q.gain[i]
    worth = q.cost[i]
    expected = later_gain(s, x, player, move)
    after = q.lead + gain
    index = put_trait(q, 0, Trait.WORTH.value, worth)
    index = put_trait(q, index, Trait.LATER_GAIN.value, expected)
    index = put_trait(q, index, Trait.WASTE.value, max(worth - gain - expected, 0))
    index = put_trait(q, index, Trait.BEYOND.value, after - limit_lead(after))
    index = put_trait(q, index, Trait.IS_AHEAD.value, after > 0)
    index = put_trait(q, index, Trait.IS_BEST.value, gain == q.most)
    cheapest = after > 0 and worth == q.least_ahead
    index = put_trait(q, index, Trait.IS_CHEAPEST_LEAD.value, cheapest)
    index = put_trait(q, index, Trait.NO_GAIN.value, gain == 0)
    index = put_trait(q, index, Trait.IS_LOSS.value, gain < 0)
    index = put_trait(q, index, Trait.STICKS_OUT.value, max(gain - q.strongest, 0))
    if move_verb(move) == Verb.LEADER:
        index = put_trait(q, index, Trait.LEADER.value, 1)
        return put_trait(q, index, Trait.LEADER_GAIN.value, gain)
    return put_card(s, x, q, player, i, index)


@jit
def put_card(
    s: State, x: Context, q: Workspace, player: Player, i: int, index: int
) -> int:
    """List the traits of a card, and of the row to which it goes."""
    card = move_card(x.moves[i])
    row = move_row(x.moves[i])
    more = copies(s.hand[player], s.n_hand[player], card) - 1
    index = put_trait(q, index, Trait.COPIES.value, more)
    index = put_trait(q, index, Trait.STRENGTH.value, x.strength[card])
    index = put_trait(q, index, Trait.HERO.value, x.kind[card] == Kind.HERO)
    if x.kind[card] <= Kind.HERO or x.role[card] == Role.HORN:
        index = put_trait(q, index, Trait.ROW + row, 1)
        index = put_trait(q, index, Trait.ROW_STRENGTH.value, q.now[player, row])
        index = put_trait(q, index, Trait.ROW_UNITS.value, q.units[player, row])
        index = put_trait(q, index, Trait.ROW_WEATHER.value, q.weathered[row])
    index = put_trait(q, index, Trait.ROLE + x.role[card], 1)
    return put_trait(q, index, Trait.GAIN + x.role[card], q.gain[i])


# -----------------------------------------------------------------------------
# The traits of the answers to a choice between turns


@jit
def weigh_answers(
    s: State, x: Context, q: Workspace, player: Player, count: int
) -> None:
    """Find the value of each answer by the heuristic, the best two and the least."""
    total = 0
    for i in range(s.n_deck[player]):
        total += card_worth(s, x, player, s.deck[player, i])
    q.average = total // max(s.n_deck[player], 1)
    q.most, q.second_most, q.least = -MAX_LEAD, -MAX_LEAD, NO_COST
    for i in range(count):
        move = x.moves[i]
        value = -q.average
        if move_verb(move) == Verb.REDRAW:
            value = -hand_worth(s, x, player, move_card(move))
            q.least = min(q.least, -value)
        elif move_verb(move) == Verb.CHOOSE:
            value = choice_value(s, x, player, move)
        q.gain[i] = min(max(value, -MAX_LEAD), MAX_LEAD)
        q.second_most = max(q.second_most, min(q.most, q.gain[i]))
        q.most = max(q.most, q.gain[i])


@jit
def put_answer(s: State, x: Context, q: Workspace, player: Player, i: int) -> int:
    """List the traits of an answer."""
    value = q.gain[i]
    verb = move_verb(x.moves[i])
    index = put_trait(q, 0, Answer.BEHIND_BEST.value, q.most - value)
    if value == q.most:
        index = put_trait(q, index, Answer.IS_BEST.value, 1)
        index = put_trait(q, index, Answer.SECOND.value, q.most - q.second_most)
    if verb == Verb.START:
        return index
    if verb == Verb.KEEP_HAND:
        index = put_trait(q, index, Answer.KEEP.value, 1)
        index = put_trait(q, index, Answer.KEEP_REDRAWS.value, s.redraws[player])
        index = put_trait(q, index, Answer.KEEP_LEAST.value, q.least)
        index = put_trait(q, index, Answer.KEEP_AVERAGE.value, q.average)
        return put_trait(q, index, Answer.KEEP_GAIN.value, max(q.average - q.least, 0))
    return put_chosen(s, x, q, player, i, index)


@jit
def put_chosen(
    s: State, x: Context, q: Workspace, player: Player, i: int, index: int
) -> int:
    """List the traits of an answer that names a card."""
    card = move_card(x.moves[i])
    row = move_row(x.moves[i])
    worth = card_worth(s, x, player, card)
    in_hand = copies(s.hand[player], s.n_hand[player], card)
    in_deck = copies(s.deck[player], s.n_deck[player], card)
    index = put_trait(q, index, Answer.VALUE.value, q.gain[i])
    index = put_trait(q, index, Answer.WORTH.value, worth)
    index = put_trait(q, index, Answer.STRENGTH.value, x.strength[card])
    index = put_trait(q, index, Answer.HERO.value, x.kind[card] == Kind.HERO)
    index = put_trait(q, index, Answer.IN_HAND.value, in_hand)
    index = put_trait(q, index, Answer.IN_DECK.value, in_deck)
    index = put_trait(q, index, Answer.USUAL.value, x.worth[card])
    index = put_trait(q, index, Answer.BELOW_AVERAGE.value, q.average - worth)
    index = put_trait(q, index, Answer.ROW + row, 1)
    index = put_trait(q, index, Answer.ROW_STRENGTH.value, q.now[player, row])
    index = put_trait(q, index, Answer.ROW_UNITS.value, q.units[player, row])
    index = put_trait(q, index, Answer.ROW_WEATHER.value, q.weathered[row])
    index = put_trait(q, index, Trait.ROLE + x.role[card], 1)
    return put_trait(q, index, Trait.GAIN + x.role[card], q.gain[i])
