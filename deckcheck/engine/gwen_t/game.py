"""Gwen't: the heuristic, its hidden information, and the functions of the contract."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.gwen_t.context import fill_context, find_variant
from deckcheck.engine.gwen_t.rules import (
    EFFECTS,
    PASS,
    apply_move,
    best_other_score,
    fill_pool,
    legal_moves,
    list_kinds,
    random_card,
    score_under,
    set_up,
)
from deckcheck.engine.gwen_t.state import CONTEXT, NO_ROW, STATE, Effect, Kind
from deckcheck.engine.jit import Card, Context, Move, Player, Row, State, entry, jit
from deckcheck.engine.primitives import (
    copies,
    draw_below,
    mix,
    move_card,
    renew_chance,
    seed_generator,
)
from deckcheck.engine.registry import card_numbers

# -----------------------------------------------------------------------------
# Worth of cards to their player: now, and when kept

WEATHER_WORTH = 22  # loss of the others by a weather card in an average use
CLEAR_WORTH = 12
BOOST_WORTH = 2


@jit
def margin(s: State, x: Context, player: Player) -> int:
    """Return the current lead of the player over the best opponent."""
    return margin_under(s, x, player, s.weather_row)


@jit
def margin_under(s: State, x: Context, player: Player, weather_row: Row) -> int:
    """Return the lead of the player if weather covered `weather_row`."""
    score = score_under(s, x, player, weather_row)
    return score - best_other_score(s, x, player, weather_row)


@jit
def card_gain(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the change of the margin by playing the card now."""
    if x.kind[card] == Kind.WEATHER:
        changed = margin_under(s, x, player, x.effect_row[card])
        return changed - margin(s, x, player)
    gain = 0
    strength = x.strength[card]
    row = x.effect_row[card]
    if x.effect[card] == Effect.TIGHT_BOND:
        stacked = sum_namesakes(s, player, row, card)
        if stacked > 0 or x.lone_bond_doubles:
            strength *= 2
        gain = stacked
    elif x.effect[card] == Effect.MORALE_BOOST:
        gain = s.n_row[player, row]
    if row == s.weather_row:
        gain = shown_gain(s, x, player, row, card)
    if x.row[card] == s.weather_row:
        return gain + x.weather_strength
    return gain + strength


@jit
def shown_gain(s: State, x: Context, player: Player, row: Row, card: Card) -> int:
    """Return the gain by an effect that is visible under weather.

    It is 0, unless weather covers a card first, by option (5.8).
    """
    if not x.covered_first:
        return 0
    if x.effect[card] == Effect.MORALE_BOOST:
        return s.n_row[player, row]
    shown = 0
    if x.effect[card] == Effect.TIGHT_BOND:
        for i in range(s.n_row[player, row]):
            if s.row[player, row, i] == card:
                shown += x.weather_strength + s.gained[player, row, i]
    return shown


@jit
def sum_namesakes(s: State, player: Player, row: Row, card: Card) -> int:
    """Return the stacked strength of all cards of this name in the row."""
    total = 0
    for i in range(s.n_row[player, row]):
        if s.row[player, row, i] == card:
            total += s.stacked[player, row, i]
    return total


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the gain of the card if kept, together with its copies in hand."""
    if x.kind[card] == Kind.WEATHER:
        return CLEAR_WORTH if x.effect_row[card] == NO_ROW else WEATHER_WORTH
    strength = x.strength[card]
    if x.effect[card] == Effect.TIGHT_BOND:
        return strength * bond_factor(copies(s.hand[player], s.n_hand[player], card))
    if x.effect[card] == Effect.MORALE_BOOST:
        return strength + BOOST_WORTH
    return strength


@jit
def bond_factor(bonded: int) -> int:
    """Return about how many times its strength each of `bonded` cards of a name shows.

    One shows 1, two show 2 + 2, three show 4 + 4 + 2. From four on the factor is an
    overestimate: four show 8 + 8 + 4 + 2, a mean of 5.5 and not 8.
    """
    if bonded <= 2:
        return bonded
    return 3 if bonded == 3 else 2 ** (bonded - 1)


# -----------------------------------------------------------------------------
# The heuristic for Gwen't: fast and honest
#
# It reads its hand, the board, the weather, gems, and the sizes of the other hands.
# A hand is refilled between rounds up to its limit, so the first cards of a round
# cost nothing. With gems to spare it plays these, the weakest first, and goes on only
# while the lead is within reach of a card or two. The rest is kept for the rounds that
# decide. Cards that bond are kept together, and units avoid a row under weather.

NEVER_PLAYED = -100_000  # below the value of every card
NO_PRICE = 100_000  # above the worth of every card
CARD_REACH = 30  # the most that a card of another player may add
SAFE_LEAD = 30  # a lead over each player, except a player still in the round
CARDS_KEPT = 2  # so few cards are kept in any round
CHASE_CARDS = 2  # cards beyond the free cards that a lead is worth
GAIN_WEIGHT = 4
WORTH_WEIGHT = 3
# Cards are played in this order in the last round of the game: units, units under
# weather, boosts, weather. Each number is more than any gain of those before.
COVERED_LATE = 100
BOOST_LATE = 200
WEATHER_LAST = 1000


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the heuristic's move among `count` moves in `x.moves`."""
    player = s.turn
    ahead = margin(s, x, player)
    if s.standing - s.n_passed == 1:
        return answer_to_passes(s, x, player, count, ahead)
    if is_final(s):
        return final_move(s, x, player, count)
    if s.gems[player] == 1:
        return must_win_move(s, x, player, count, ahead)
    return careful_move(s, x, player, count, ahead)


@jit
def careful_move(s: State, x: Context, player: Player, count: int, ahead: int) -> Move:
    """Play free cards, then hold or take the lead: there are gems to spare."""
    spare = free_cards(s, x, player)
    if spare > 0:
        return spare_move(s, x, player, count)
    # Somebody will answer: the more opponents, the larger the lead has to be.
    lead = SAFE_LEAD * (s.standing - s.n_passed - 2)
    if ahead > lead or s.n_hand[player] <= CARDS_KEPT:
        return PASS
    return cheapest_lead(s, x, player, count, lead + 1 - ahead, CHASE_CARDS)


@jit
def free_cards(s: State, x: Context, player: Player) -> int:
    """Return the number of cards that the next round brings back."""
    back = min(x.cards_per_round, s.n_deck[player])
    return s.n_hand[player] + back - x.hand_limit


@jit
def is_final(s: State) -> bool:
    """Report whether the round ends the game, as all players have their last gem."""
    for i in range(s.standing):
        if s.gems[s.order[i]] > 1:
            return False
    return True


@jit
def find_reach(s: State, player: Player) -> int:
    """Return the largest possible gain of an opponent who has not passed."""
    most = 0
    for i in range(s.standing):
        other = s.order[i]
        if other != player and not s.passed[other]:
            most = max(most, s.n_hand[other] * CARD_REACH)
    return most


@jit
def spare_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return the card whose gain now most exceeds its worth later."""
    best, best_value = PASS, NEVER_PLAYED
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
    """Win as cheaply as possible after all passed, or leave the round."""
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
    """Return the cheapest card that gains `need`, else the card that gains most.

    It is a pass if `cards` cards with that gain are not enough.
    """
    cheapest, cheapest_worth = PASS, NO_PRICE
    biggest, biggest_gain = PASS, 0
    for i in range(1, count):
        move = x.moves[i]
        gain = card_gain(s, x, player, move_card(move))
        worth = card_worth(s, x, player, move_card(move))
        if gain >= need and worth < cheapest_worth:
            cheapest, cheapest_worth = move, worth
        if gain > biggest_gain:
            biggest, biggest_gain = move, gain
    if cheapest != PASS:
        return cheapest
    return biggest if biggest_gain * cards >= need else PASS


@jit
def must_win_move(s: State, x: Context, player: Player, count: int, ahead: int) -> Move:
    """Stay ahead at the least cost with the last gem at stake."""
    if ahead > find_reach(s, player):
        return PASS
    cheapest, cheapest_worth = PASS, NO_PRICE
    biggest, biggest_gain = x.moves[1], NEVER_PLAYED
    for i in range(1, count):
        move = x.moves[i]
        gain = card_gain(s, x, player, move_card(move))
        worth = card_worth(s, x, player, move_card(move))
        if ahead + gain > 0 and gain >= 0 and worth < cheapest_worth:
            cheapest, cheapest_worth = move, worth
        if gain > biggest_gain:
            biggest, biggest_gain = move, gain
    return cheapest if cheapest != PASS else biggest


@jit
def final_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Play all cards in the last round of a game: units, boosts, then weather."""
    best, best_value = PASS, NEVER_PLAYED
    for i in range(1, count):
        move = x.moves[i]
        card = move_card(move)
        gain = card_gain(s, x, player, card)
        value = gain
        if x.kind[card] == Kind.WEATHER:
            # The last weather counts: it waits, and harmful weather is not played.
            value = gain - WEATHER_LAST if gain > 0 else NEVER_PLAYED
        elif x.effect[card] == Effect.MORALE_BOOST:
            value -= BOOST_LATE
        elif x.row[card] == s.weather_row:
            value -= COVERED_LATE
        if value > best_value:
            best, best_value = move, value
    return best


# -----------------------------------------------------------------------------
# Hidden information: the hands of the others, and the order of the decks
#
# Decklists are taken as known, but not which of their cards are in hand. For a random
# deck only the pool is known, and the cards that have been played.


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal all cards that `player` cannot see again, at random from `x.rng`.

    The future chance of the game is new as well.
    """
    for other in range(s.players):
        if other == player:
            mix(s.deck[other], s.n_deck[other], x.rng)
        else:
            redeal(s, x, other)
    renew_chance(s, x)


@jit
def redeal(s: State, x: Context, other: Player) -> None:
    """Deal hand and deck of another player again from the cards they may hold."""
    hand = s.n_hand[other]
    deck = s.n_deck[other]
    if x.random_deck[other]:
        left = list_unplayed(s, x, other)
        for i in range(hand + deck):
            x.unseen[i] = random_card(x, x.rng, left - i)
    else:
        for i in range(hand):
            x.unseen[i] = s.hand[other, i]
        for i in range(deck):
            x.unseen[hand + i] = s.deck[other, i]
    mix(x.unseen, hand + deck, x.rng)
    for i in range(hand):
        s.hand[other, i] = x.unseen[i]
    for i in range(deck):
        s.deck[other, i] = x.unseen[hand + i]


@jit
def list_unplayed(s: State, x: Context, other: Player) -> int:
    """List the unplayed cards of a player's pool, and return how many."""
    left = fill_pool(x)
    for i in range(s.n_discard[other]):
        x.left[s.discard[other, i]] -= 1
    left -= s.n_discard[other]
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[other, row]):
            x.left[s.row[other, row, i]] -= 1
        left -= s.n_row[other, row]
    if s.weather and s.weather_by == other:
        x.left[s.weather] -= 1
        left -= 1
    list_kinds(x)
    return left


# -----------------------------------------------------------------------------
# The functions of the contract

# The records of the state and of the context, by variant of the game.
RECORD_TYPES = {"table": (STATE, CONTEXT)}
CARRIED_OUT = {"table": {Effect: EFFECTS}}


@entry
def is_over(s: State) -> bool:
    """Report whether fewer than two players are left (rules 4.7)."""
    return s.over != 0


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """Return 2 for the winner, 1 for a shared first place, else 0."""
    if s.place[player] != 1:
        return 0
    return 2 if s.winner == player else 1


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """Return the place of a player. A later defeat is a better place."""
    return s.place[entrant]


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Return the sum of the player's scores at the ends of the rounds."""
    return s.points[entrant]


@entry
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return 0 for the player who began, then the turn order of the first round."""
    return (entrant - s.first) % s.players


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the player's score minus the best score of an opponent."""
    return margin(s, x, player)


@entry
def pass_move(s: State, x: Context) -> Move:
    """Return the move that passes, which is possible on every turn."""
    return PASS


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Report whether all others have passed and are behind."""
    return s.standing - s.n_passed == 1 and margin(s, x, s.turn) > 0


register(sys.modules[__name__], STATE)
