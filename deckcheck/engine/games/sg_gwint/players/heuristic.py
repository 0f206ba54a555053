"""The rule-of-thumb player of SG Gwint: honest, and above all good at passing."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_verb, move_who
from deckcheck.engine.games.sg_gwint.codes import (
    Ability,
    FactionAbility,
    Phase,
    Verb,
)
from deckcheck.engine.games.sg_gwint.players.trying import (
    NEVER,
    keep_moves,
    move_gain,
    restore_moves,
)
from deckcheck.engine.games.sg_gwint.players.worth import card_worth, hand_worth
from deckcheck.engine.games.sg_gwint.rules.encoding import (
    DECLINE,
    KEEP_HAND,
    PASS,
    START,
    at,
)
from deckcheck.engine.games.sg_gwint.rules.scoring import lead
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Context, Move, Player, State

# The figures are those of the player of Gwent, but that single cards reach less far and
# a hand is worth less, since both draw in every round: tried against `sane_random`.
GAIN_WEIGHT = 4
WORTH_WEIGHT = 10
LEADER_WORTH = 8  # what a leader is worth in an average use
TRASH = 1  # a card of this worth is better discarded than a round left
REACH = 16  # no single card of the other brings more than this
FIRST_ROUND_LEAD = 23  # a lead to rest on, with as many cards as the other
CARD_EDGE = 8  # less by this for each card the other has more
SECOND_ROUND_LEAD = 13
HOPELESS = 33  # too far behind to follow in a round that may be lost
FAIR_PRICE = 14  # the most a card may be worth that wins a round which may be lost
CHASE = 18  # how far behind to start making up with more than one card


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """The move of the rule-of-thumb player among the `count` moves in `x.moves`."""
    if count == 1:
        return x.moves[0]
    keep_moves(x, 0, count)
    player, phase = s.turn, s.phase
    if phase == Phase.PLAY:
        move = turn_move(s, x, player, count)
    elif phase == Phase.REDRAW:
        move = redraw_move(s, x, player, count)
    elif phase == Phase.EXCHANGE:
        move = worst_card(s, x, player, count)
    elif phase == Phase.ANNOUNCE:
        # To start makes little difference in the first round: keep the ability.
        move = DECLINE
    elif phase == Phase.STARTER or phase == Phase.CLAIM:
        # The last word is worth more than the first.
        move = START | at(1 - player, 0)
    else:
        move = best_choice(s, x, player, count)
    restore_moves(x, count)
    return move


@jit
def best_choice(s: State, x: Context, player: Player, count: int) -> Move:
    """The choice that brings most."""
    best, best_gain = x.tried[0, 0], NEVER
    for i in range(count):
        gain = move_gain(s, x, player, x.tried[0, i])
        if gain > best_gain:
            best, best_gain = x.tried[0, i], gain
    return best


@jit
def redraw_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Give back the card worth least, if the deck promises a better one."""
    total = 0
    for i in range(s.n_under[player], s.n_deck[player]):
        total += card_worth(s, x, player, s.deck[player, i])
    average = total // max(s.n_deck[player] - s.n_under[player], 1)
    worst, least = KEEP_HAND, average - 1
    for i in range(count):
        if move_verb(x.moves[i]) == Verb.REDRAW:
            worth = hand_worth(s, x, player, move_card(x.moves[i]))
            if worth < least:
                worst, least = x.moves[i], worth
    return worst


@jit
def worst_card(s: State, x: Context, player: Player, count: int) -> Move:
    """The move that gives away the card worth least."""
    worst, least = x.moves[0], -NEVER
    for i in range(count):
        worth = hand_worth(s, x, player, move_card(x.moves[i]))
        if worth < least:
            worst, least = x.moves[i], worth
    return worst


@jit
def wins_ties(x: Context, player: Player) -> bool:
    """Whether a tie is a won round: Nilfgaard against another faction."""
    return (
        x.faction_ability[player] == FactionAbility.WIN_TIES
        and x.faction_ability[1 - player] != FactionAbility.WIN_TIES
    )


@jit
def counted_lead(s: State, x: Context, player: Player) -> int:
    """The lead; a player who wins ties has one more."""
    return lead(s, player) + wins_ties(x, player) - wins_ties(x, 1 - player)


@jit
def move_worth(s: State, x: Context, player: Player, move: Move) -> int:
    """What the spent card or leader would be worth in an average use."""
    verb = move_verb(move)
    if verb == Verb.LEADER or verb == Verb.LAY:
        return LEADER_WORTH
    return card_worth(s, x, player, move_card(move))


@jit
def is_spy(s: State, x: Context, player: Player, move: Move) -> bool:
    """Whether the move plays a spy that draws."""
    return (
        move_verb(move) == Verb.PLAY
        and move_who(move) != player
        and x.ability[move_card(move)] & Ability.SPY != 0
        and s.n_deck[player] > 0
    )


@jit
def is_discard(move: Move) -> bool:
    """Whether the move throws a card away."""
    return move_verb(move) == Verb.DISCARD


@jit
def turn_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Pass, or the best of the moves."""
    ahead = lead(s, player) + wins_ties(x, player)
    if s.passed[1 - player] and not s.must_play:
        return answer_to_pass(s, x, player, count, ahead)
    best, gain, reserve = best_play(s, x, player, count)
    if s.must_play or not should_pass(s, player, best, gain, reserve, ahead):
        return best
    # A card without use buys a turn to wait.
    if ahead <= s.n_hand[1 - player] * REACH:
        trash = best_trash(s, x, player, count)
        if trash != PASS:
            return trash
    return PASS


@jit
def best_trash(s: State, x: Context, player: Player, count: int) -> Move:
    """The discard of a card that has no use, PASS if there is none."""
    best, least = PASS, TRASH + 1
    for i in range(count):
        move = x.tried[0, i]
        if is_discard(move):
            worth = hand_worth(s, x, player, move_card(move))
            if worth < least:
                best, least = move, worth
    return best


@jit
def best_play(
    s: State, x: Context, player: Player, count: int
) -> tuple[Move, int, int]:
    """The best move that plays, its gain, and the two best gains together.

    Cheap cards come before dear ones, so that the good ones wait for a use that pays;
    what would cost strength comes last.
    """
    best, best_value, best_gain = x.tried[0, 0], 10 * NEVER, NEVER
    strongest, second = 0, 0
    for i in range(count):
        move = x.tried[0, i]
        if move == PASS or is_discard(move):
            continue
        gain = move_gain(s, x, player, move)
        if gain > strongest:
            strongest, second = gain, strongest
        elif gain > second:
            second = gain
        value = GAIN_WEIGHT * gain - WORTH_WEIGHT * move_worth(s, x, player, move)
        if gain < 0:
            value += NEVER
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second


@jit
def should_pass(
    s: State, player: Player, best: int, gain: int, reserve: int, ahead: int
) -> bool:
    """Whether to leave the round to the other, who is still in it.

    `reserve` is what the two best moves could add.
    """
    other = 1 - player
    # The round is won: nothing more to spend on it.
    if ahead > s.n_hand[other] * REACH:
        return True
    if gain < 0:
        return True
    if s.lives[player] == 1:
        return False
    if s.lives[other] == 1:
        # The other has to win this round: let them pay for it, or keep the cards.
        return ahead >= SECOND_ROUND_LEAD or -ahead > HOPELESS
    edge = s.n_hand[other] - s.n_hand[player]
    if ahead >= FIRST_ROUND_LEAD - CARD_EDGE * edge:
        return True
    return -ahead > reserve


@jit
def answer_to_pass(
    s: State, x: Context, player: Player, count: int, ahead: int
) -> Move:
    """The other has passed: win the round as cheaply as possible, or leave it."""
    need = 1 - ahead
    if need <= 0:
        return PASS
    last_life = s.lives[player] == 1
    cheapest, price = PASS, -NEVER
    biggest, most, total = PASS, 0, 0
    for i in range(count):
        move = x.tried[0, i]
        if move == PASS or is_discard(move):
            continue
        gain = move_gain(s, x, player, move)
        worth = move_worth(s, x, player, move)
        if gain >= need and worth < price:
            cheapest, price = move, worth
        if gain > most:
            biggest, most = move, gain
        total += max(gain, 0)
    if cheapest != PASS and (last_life or price <= FAIR_PRICE):
        return cheapest
    if last_life or (total >= need and need <= CHASE):
        return biggest
    return PASS
