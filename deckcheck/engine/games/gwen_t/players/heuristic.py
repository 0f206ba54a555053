"""A rule-of-thumb player for Gwen't: fast, honest, and no fool.

It reads the own hand, the board, the weather, gems, and how many cards the others
hold. A hand is refilled between rounds up to its limit, so the first cards of a round
cost nothing. With gems to spare it plays these, the weakest first, and goes on only
while the lead is within reach of a card or two; the rest is kept for the rounds that
decide. What bonds is kept together, and no unit goes where weather lies without need.
"""

from __future__ import annotations

from deckcheck.engine.games.gwen_t.codes import Effect, Kind
from deckcheck.engine.games.gwen_t.players.worth import card_gain, card_worth, margin
from deckcheck.engine.games.gwen_t.rules.moves import PASS, move_card
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Context, Move, Player, State

NEVER = -100_000
REACH = 30  # what a card of another player may add
LEAD = 30  # a lead over each player but one who is still in the round
KEPT = 2  # so few cards are kept whatever the round
CHASE_CARDS = 2  # cards beyond the free ones that a lead is worth
GAIN_WEIGHT = 4
WORTH_WEIGHT = 3


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """The rule-of-thumb move among `count` moves in `x.moves`."""
    player = s.turn
    ahead = margin(s, x, player)
    if s.standing - s.n_passed == 1:
        return answer_to_passes(s, x, player, count, ahead)
    if is_final(s, player):
        return final_move(s, x, player, count, ahead)
    if s.gems[player] == 1:
        return must_win_move(s, x, player, count, ahead)
    return careful_move(s, x, player, count, ahead)


@jit
def careful_move(s: State, x: Context, player: Player, count: int, ahead: int) -> Move:
    """There are gems to spare: play what is free, then hold a lead or take it."""
    spare = free_cards(s, x, player)
    if spare > 0:
        return spare_move(s, x, player, count)
    # One of several will answer: the more there are, the longer the lead has to be.
    lead = LEAD * (s.standing - s.n_passed - 2)
    if ahead > lead or s.n_hand[player] <= KEPT:
        return PASS
    return cheapest_lead(s, x, player, count, lead + 1 - ahead, CHASE_CARDS)


@jit
def free_cards(s: State, x: Context, player: Player) -> int:
    """Cards that the next round brings back: what else would not fit the hand."""
    back = min(x.cards_per_round, s.n_deck[player])
    return s.n_hand[player] + back - x.hand_limit


@jit
def is_final(s: State, player: Player) -> bool:
    """Whether any winner of this round ends the game: all are at their last gem."""
    for i in range(s.standing):
        if s.gems[s.order[i]] > 1:
            return False
    return True


@jit
def reach_of_others(s: State, player: Player) -> int:
    """What the others who have not passed may still add, as the largest of them."""
    most = 0
    for i in range(s.standing):
        other = s.order[i]
        if other != player and not s.passed[other]:
            most = max(most, s.n_hand[other] * REACH)
    return most


@jit
def spare_move(s: State, x: Context, player: Player, count: int) -> Move:
    """The card that does most for what it would be worth later."""
    best, best_value = PASS, NEVER
    for i in range(1, count):
        move = x.moves[i]
        card = move_card(move)
        value = GAIN_WEIGHT * card_gain(s, x, player, card)
        value -= WORTH_WEIGHT * card_worth(s, x, player, card)
        if value > best_value:
            best, best_value = move, value
    return best


@jit
def answer_to_passes(
    s: State, x: Context, player: Player, count: int, ahead: int
) -> Move:
    """All others have passed: win as cheaply as possible, or leave the round."""
    if ahead > 0:
        return PASS
    if s.gems[player] == 1:
        return cheapest_lead(s, x, player, count, 1 - ahead, s.n_hand[player])
    cards = max(free_cards(s, x, player), 0) + CHASE_CARDS
    return cheapest_lead(s, x, player, count, 1 - ahead, cards)


@jit
def cheapest_lead(
    s: State, x: Context, player: Player, count: int, need: int, cards: int
) -> Move:
    """The cheapest card that gains `need`; else the best, if `cards` of it would do."""
    cheapest, price = PASS, -NEVER
    biggest, most = PASS, 0
    for i in range(1, count):
        move = x.moves[i]
        gain = card_gain(s, x, player, move_card(move))
        worth = card_worth(s, x, player, move_card(move))
        if gain >= need and worth < price:
            cheapest, price = move, worth
        if gain > most:
            biggest, most = move, gain
    if cheapest != PASS:
        return cheapest
    return biggest if most * cards >= need else PASS


@jit
def must_win_move(s: State, x: Context, player: Player, count: int, ahead: int) -> Move:
    """The last gem is at stake, and others have more: stay ahead at the least cost."""
    if ahead > reach_of_others(s, player):
        return PASS
    cheapest, price = PASS, -NEVER
    biggest, most = x.moves[1], NEVER
    for i in range(1, count):
        move = x.moves[i]
        gain = card_gain(s, x, player, move_card(move))
        worth = card_worth(s, x, player, move_card(move))
        if ahead + gain > 0 and gain >= 0 and worth < price:
            cheapest, price = move, worth
        if gain > most:
            biggest, most = move, gain
    return cheapest if cheapest != PASS else biggest


@jit
def final_move(s: State, x: Context, player: Player, count: int, ahead: int) -> Move:
    """Nothing is left to save for: units first, boosts behind them, weather last."""
    best, best_value = PASS, NEVER
    for i in range(1, count):
        move = x.moves[i]
        card = move_card(move)
        gain = card_gain(s, x, player, card)
        value = gain
        if x.kind[card] == Kind.WEATHER:
            # The last weather counts: it waits, and one that harms is not played.
            value = gain - 1000 if gain > 0 else NEVER
        elif x.effect[card] == Effect.MORALE_BOOST:
            value -= 200
        elif x.row[card] == s.weather_row:
            value -= 100
        if value > best_value:
            best, best_value = move, value
    return best
