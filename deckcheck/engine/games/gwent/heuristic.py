"""The rule-of-thumb player of Gwent: honest, fast, and above all good at passing."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.games.gwent.codes import (
    Ability,
    FactionAbility,
    Kind,
    Leader,
    Phase,
    Verb,
)
from deckcheck.engine.games.gwent.encoding import (
    PASS,
    move_card,
    move_row,
    move_verb,
)
from deckcheck.engine.games.gwent.gains import (
    decoy_gain,
    horn_gain,
    lead,
    revival_gain,
    row_scorch_gain,
    special_gain,
    unit_gain,
    weather_gain,
)
from deckcheck.engine.games.gwent.leaders import (
    any_bond_copy,
    fetched_weather,
    has_in_deck,
    horn_row,
    scorched_row,
)
from deckcheck.engine.games.gwent.seats import enemy_side, opponent
from deckcheck.engine.games.gwent.worth import card_worth, copies_at_hand
from deckcheck.engine.jit import entry, jit

__all__ = ["heuristic_move"]

NEVER = -1000
# The figures below were found by play: against `sane_random` and against earlier
# versions of this player, with all sample decks on both sides.
GAIN_WEIGHT = 4
WORTH_WEIGHT = 10
LEADER_WORTH = 8  # what a leader is worth in an average use
REACH = 21  # no single card of the other brings more than this
FIRST_ROUND_LEAD = 23  # a lead to rest on, with as many cards as the other
CARD_EDGE = 11  # less by this for each card the other has more
SECOND_ROUND_LEAD = 13
HOPELESS = 33  # too far behind to follow in a round that may be lost
FAIR_PRICE = 14  # the most a card may be worth that wins a round which may be lost
CHASE = 18  # how far behind to start making up with more than one card


@entry
def heuristic_move(s: Any, x: Any, count: Any) -> Any:
    """The move of the rule-of-thumb player among the `count` moves in `x.moves`."""
    player = s.turn
    if s.phase == Phase.PLAY:
        return turn_move(s, x, player, count)
    if s.phase == Phase.REDRAW:
        return redraw_move(s, x, player, count)
    best = x.moves[0]
    best_value = NEVER
    for i in range(count):
        value = choice_value(s, x, player, x.moves[i])
        if value > best_value:
            best, best_value = x.moves[i], value
    return best


# Redraws and choices


@jit
def redraw_move(s: Any, x: Any, player: Any, count: Any) -> Any:
    """Give back the card worth least, if the deck promises a better one."""
    total = 0
    for i in range(s.n_deck[player]):
        total += card_worth(s, x, player, s.deck[player, i])
    average = total / max(s.n_deck[player], 1)
    worst = x.moves[0]
    least = average - 1
    for i in range(count):
        if move_verb(x.moves[i]) == Verb.REDRAW:
            worth = hand_worth(s, x, player, move_card(x.moves[i]))
            if worth < least:
                worst, least = x.moves[i], worth
    return worst


@jit
def hand_worth(s: Any, x: Any, player: Any, card: Any) -> Any:
    """Worth of a card in this hand: a second card of a muster family adds little."""
    if x.ability[card] & Ability.MUSTER and x.calls[card] == x.family[card]:
        for i in range(s.n_hand[player]):
            other = s.hand[player, i]
            if x.family[other] == x.family[card] and other != card:
                return 0
        if s.n_hand[player] > 1 and copies_at_hand(s, player, card) > 1:
            return 0
    return card_worth(s, x, player, card)


@jit
def choice_value(s: Any, x: Any, player: Any, move: Any) -> Any:
    """How good an answer to the open choice is."""
    card = move_card(move)
    phase = s.phase
    if phase == Phase.MEDIC:
        return revival_gain(s, x, player, card, move_row(move))
    if phase == Phase.DECOY:
        return decoy_gain(s, x, player, move_row(move), card)
    if phase == Phase.DISCARD_TWO:
        return -hand_worth(s, x, player, card)
    if phase == Phase.WEATHER_FROM_DECK:
        return weather_gain(s, x, player, x.ability[card])
    if phase == Phase.BOND_COPY:
        return unit_gain(s, x, player, card, move_row(move))
    if phase == Phase.MARDROEME_ROW:
        return special_gain(s, x, player, card, move_row(move))
    if phase == Phase.STARTER:
        return 0
    return card_worth(s, x, player, card)


# Turns


@jit
def move_gain(s: Any, x: Any, player: Any, move: Any) -> Any:
    """By how much the lead grows with this move."""
    if move_verb(move) == Verb.LEADER:
        return leader_gain(s, x, player)
    card = move_card(move)
    if x.kind[card] <= Kind.HERO:
        return unit_gain(s, x, player, card, move_row(move))
    return special_gain(s, x, player, card, move_row(move))


@jit
def move_worth(s: Any, x: Any, player: Any, move: Any) -> Any:
    """What the spent card or leader would be worth in an average use."""
    if move_verb(move) == Verb.LEADER:
        return LEADER_WORTH
    return card_worth(s, x, player, move_card(move))


@jit
def leader_gain(s: Any, x: Any, player: Any) -> Any:
    """By how much the lead grows with the active leader."""
    leader = s.leader[player]
    side = x.side[player]
    weather = fetched_weather(leader)
    horn = horn_row(leader)
    scorched = scorched_row(leader)
    if weather:
        return fetched_weather_gain(s, x, player, weather)
    if horn >= 0:
        return horn_gain(s, x, side, horn)
    if scorched >= 0:
        return row_scorch_gain(s, x, enemy_side(s, x, side), scorched)
    if leader == Leader.CLEAR_WEATHER:
        return weather_gain(s, x, player, Ability.WEATHER_CLEAR.value)
    if leader == Leader.TAKE_FROM_ENEMY_DISCARD:
        return best_in_pile(s, x, player, enemy_side(s, x, side))
    if leader == Leader.RESTORE_OWN_DISCARD:
        return best_in_pile(s, x, player, side)
    if leader == Leader.DISCARD_TWO_PICK_ONE:
        return 1
    if leader == Leader.PLAY_TIGHT_BOND_COPY_FROM_DECK:
        return 14 if any_bond_copy(s, x, player) else 0
    return 1


@jit
def fetched_weather_gain(s: Any, x: Any, player: Any, weather: Any) -> Any:
    """The best gain among the weather cards that the leader may fetch."""
    best = 0
    for kind in range(5):
        ability = Ability.WEATHER_FROST.value << kind
        if weather & ability and has_in_deck(s, x, player, ability):
            best = max(best, weather_gain(s, x, player, ability))
    return best


@jit
def best_in_pile(s: Any, x: Any, player: Any, side: Any) -> Any:
    """Worth of the best card in a discard pile."""
    best = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if side == x.side[player] or x.kind[card] != Kind.HERO:
            best = max(best, card_worth(s, x, player, card))
    return best


@jit
def wins_ties(s: Any, x: Any, player: Any) -> Any:
    """Whether a tie is a won round: Nilfgaard against another faction."""
    return (
        x.faction_ability[player] == FactionAbility.WIN_TIES
        and x.faction_ability[opponent(s, x, player)] != FactionAbility.WIN_TIES
    )


@jit
def turn_move(s: Any, x: Any, player: Any, count: Any) -> Any:
    """Pass, or the best of the moves."""
    if count == 1:
        return x.moves[0]
    side = x.side[player]
    ahead = lead(s, x, side)
    if wins_ties(s, x, player):
        ahead += 1
    if s.passed[opponent(s, x, player)]:
        return answer_to_pass(s, x, player, count, ahead)
    best, gain, reserve = best_play(s, x, player, count)
    if should_pass(s, x, player, best, gain, reserve, ahead):
        return PASS
    return best


@jit
def is_spy(s: Any, x: Any, player: Any, move: Any) -> Any:
    """Whether the move plays a spy that draws."""
    return (
        move_verb(move) == Verb.PLAY
        and x.ability[move_card(move)] & Ability.SPY != 0
        and s.n_deck[player] > 0
    )


@jit
def best_play(s: Any, x: Any, player: Any, count: Any) -> Any:
    """The best move that is no pass, its gain, and the two best gains together.

    A spy comes first: two cards for one. Else cheap cards come before dear ones, so
    that the good ones wait for a use that pays; what would cost strength comes last.
    """
    best, best_value, best_gain = PASS, 100 * NEVER, NEVER
    strongest, second = 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if gain > strongest:
            strongest, second = gain, strongest
        elif gain > second:
            second = gain
        value = GAIN_WEIGHT * gain - WORTH_WEIGHT * move_worth(s, x, player, move)
        if is_spy(s, x, player, move):
            value -= NEVER
        elif gain < 0:
            value += NEVER
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second


@jit
def should_pass(
    s: Any, x: Any, player: Any, best: Any, gain: Any, reserve: Any, ahead: Any
) -> Any:
    """Whether to leave the round to the other, who is still in it.

    `reserve` is what the two best moves could add.
    """
    other = opponent(s, x, player)
    hand, enemy_hand = s.n_hand[player], s.n_hand[other]
    # The round is won: nothing more to spend on it.
    if ahead > enemy_hand * REACH:
        return True
    if is_spy(s, x, player, best):
        return False
    if gain < 0:
        return True
    if s.gems[x.side[player]] == 1:
        return False
    if s.gems[x.side[other]] == 1:
        # The other has to win this round: let him pay for it, or keep the cards.
        return ahead >= SECOND_ROUND_LEAD or -ahead > HOPELESS
    if ahead >= FIRST_ROUND_LEAD - CARD_EDGE * (enemy_hand - hand):
        return True
    return -ahead > reserve


@jit
def answer_to_pass(s: Any, x: Any, player: Any, count: Any, ahead: Any) -> Any:
    """The other has passed: win the round as cheaply as possible, or leave it."""
    need = 1 - ahead
    last_gem = s.gems[x.side[player]] == 1
    cheapest, price = PASS, -NEVER
    biggest, most, total = PASS, 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        if is_spy(s, x, player, move):
            # A spy that leaves us ahead is two cards for one.
            if ahead > x.strength[move_card(move)]:
                return move
            continue
        gain = move_gain(s, x, player, move)
        worth = move_worth(s, x, player, move)
        if gain >= need and worth < price:
            cheapest, price = move, worth
        if gain > most:
            biggest, most = move, gain
        total += max(gain, 0)
    if need <= 0:
        return PASS
    if cheapest != PASS and (last_gem or price <= FAIR_PRICE):
        return cheapest
    if last_gem or (total >= need and need <= CHASE):
        return biggest
    return PASS
