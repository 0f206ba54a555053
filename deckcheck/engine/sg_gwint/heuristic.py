"""The rule-of-thumb player: worth, trying moves on copies."""

from __future__ import annotations

from deckcheck.engine.jit import Card, Context, Move, Player, Side, State, entry, jit
from deckcheck.engine.primitives import copies, move_card, move_row, move_verb, move_who
from deckcheck.engine.sg_gwint.abilities import ENTRY_OR_LAGER
from deckcheck.engine.sg_gwint.board import lead, lift, may_stay, place
from deckcheck.engine.sg_gwint.codes import (
    DECLINE,
    KEEP_HAND,
    PASS,
    START,
    Ability,
    Kind,
    Phase,
    Verb,
    encode_row,
)
from deckcheck.engine.sg_gwint.moves import apply_move, legal_moves
from deckcheck.engine.sg_gwint.rounds import wins_ties
from deckcheck.engine.sg_gwint.state import copy_game

# -----------------------------------------------------------------------------
# Worth of a card in hand in an average use: rules of thumb for one player

CARD_WORTH = 5  # worth of another card in hand, in points of strength
IN_COMPANY = int(Ability.MUSTER | Ability.TIGHT_BOND)  # worth more with others


@jit
def family_strength(s: State, x: Context, player: Player, family: int) -> int:
    """Return the printed strength of a muster family in the deck."""
    total = 0
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        if x.family[card] == family and not x.shield[card]:
            total += x.strength[card]
    return total


@jit
def card_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the strength that a card in hand brings in an average use."""
    ability = x.ability[card]
    worth = x.worth[card]
    if not ability & IN_COMPANY or x.kind[card] > Kind.GOLD or ability & Ability.SPY:
        return worth
    strength = x.strength[card]
    if ability & Ability.MUSTER:
        called = family_strength(s, x, player, x.calls[card])
        strength += called
        worth += called
    if ability & Ability.TIGHT_BOND:
        worth += strength * (max(copies(s.hand[player], s.n_hand[player], card), 1) - 1)
    return worth


@jit
def hand_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the worth of a card in this hand, which muster cannot find."""
    if x.ability[card] & Ability.MUSTER and x.calls[card] == x.family[card]:
        for i in range(s.n_hand[player]):
            other = s.hand[player, i]
            if x.family[other] == x.family[card] and other != card:
                return x.strength[card]
        if copies(s.hand[player], s.n_hand[player], card) > 1:
            return x.strength[card]
    return card_worth(s, x, player, card)


# -----------------------------------------------------------------------------
# Trying moves on copies of the state: the gain of a move, with its choices made well
#
# Only the player's knowledge counts: the battlefield and the sizes of hands. Any card
# that is drawn in a copy counts the same, so hidden cards change no decision.

NEVER_PLAYED = -100_000  # below the gain of every move
LATER_DIVISOR = 2  # strength in the next round is worth a half
# Abilities of a unit that change the position beyond its own row.
WIDE_ABILITIES = int(ENTRY_OR_LAGER | Ability.GUARDIAN | Ability.TENACITY)


@jit
def keep_moves(x: Context, level: int, count: int) -> None:
    """Copy the list of moves, which trying overwrites."""
    for i in range(count):
        x.tried[level, i] = x.moves[i]


@jit
def position_value(s: State, x: Context, player: Player) -> int:
    """Return the lead, with `CARD_WORTH` for each card in hand and gains to come."""
    value = lead(s, player)
    for who in range(2):
        sign = 1 if who == player else -1
        value += sign * hand_value(s, x, who)
        if s.lives[0] + s.lives[1] > 2:
            value += sign * later_value(s, x, who)
    return value


@jit
def hand_value(s: State, x: Context, player: Player) -> int:
    """Return the value of a hand, in which only cards seen by both differ."""
    count = s.n_hand[player]
    if s.phase == Phase.EXCHANGE and s.turn == player:
        count -= 1
    value = count * CARD_WORTH
    for i in range(s.n_hand[player]):
        if s.seen[player, i]:
            value += card_worth(s, x, player, s.hand[player, i]) - CARD_WORTH
    return value


@jit
def later_value(s: State, x: Context, side: Side) -> int:
    """Return the value of the strength that a side's units bring to the next round."""
    value = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.ability[card] & Ability.GUARDIAN:
                value += x.strength[x.summoned[card]]
            if may_stay(s, x, side, row, i):
                value += x.strength[card] + s.extra[side, row, i]
    return value // LATER_DIVISOR


@jit
def is_open(s: State, player: Player) -> bool:
    """Report whether the player still has to choose for the played card."""
    is_effect = s.phase >= Phase.LAND and s.phase <= Phase.MOVE_TO
    is_search = s.phase >= Phase.FROM_DECK and s.phase <= Phase.SKY_ROW
    return s.turn == player and (is_effect or is_search)


@jit
def choose_at_sight(x: Context, player: Player) -> None:
    """Make the open choices in the second copy, each the best at sight."""
    while is_open(x.trial[1], player):
        count = legal_moves(x.trial[1], x)
        keep_moves(x, 2, count)
        best, best_value = x.tried[2, 0], NEVER_PLAYED
        for i in range(count):
            copy_game(x.trial[2], x.trial[1], x)
            apply_move(x.trial[2], x, x.tried[2, i])
            value = position_value(x.trial[2], x, player)
            if value > best_value:
                best, best_value = x.tried[2, i], value
        apply_move(x.trial[1], x, best)


@jit
def choose_ahead(x: Context, player: Player) -> None:
    """Make the open choices in the first copy, each with the choices that follow."""
    while is_open(x.trial[0], player):
        count = legal_moves(x.trial[0], x)
        keep_moves(x, 1, count)
        best, best_value = x.tried[1, 0], NEVER_PLAYED
        for i in range(count):
            copy_game(x.trial[1], x.trial[0], x)
            apply_move(x.trial[1], x, x.tried[1, i])
            choose_at_sight(x, player)
            value = position_value(x.trial[1], x, player)
            if value > best_value:
                best, best_value = x.tried[1, i], value
        apply_move(x.trial[0], x, best)


@jit
def move_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the gain of a move in lead. Cards that it draws count `CARD_WORTH` each.

    The played card counts nothing here.
    """
    verb = move_verb(move)
    card = move_card(move)
    is_plain = x.kind[card] <= Kind.GOLD and not x.ability[card] & WIDE_ABILITIES
    if verb == Verb.PLAY and is_plain:
        return laying_gain(s, x, player, move)
    before = position_value(s, x, player)
    copy_game(x.trial[0], s, x)
    apply_move(x.trial[0], x, move)
    choose_ahead(x, player)
    gain = position_value(x.trial[0], x, player) - before
    if verb == Verb.PLAY:
        gain += played_value(s, x, player, card)
    return gain


@jit
def played_value(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the value that a played card had in the hand."""
    for i in range(s.n_hand[player]):
        if s.hand[player, i] == card and s.seen[player, i]:
            return card_worth(s, x, player, card)
    return CARD_WORTH


@jit
def laying_gain(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the gain of a unit without an effect beyond its row."""
    side = move_who(move)
    row = move_row(move)
    before = s.total[side, row]
    ident = s.last_ident
    place(s, x, side, row, move_card(move))
    gain = s.total[side, row] - before
    lift(s, side, row, s.n_row[side, row] - 1)
    s.total[side, row] = before
    s.last_ident = ident
    return gain if side == player else -gain


# -----------------------------------------------------------------------------
# The heuristic of SG Gwint: honest, and above all good at passing

# The figures are Gwent's, except that single cards reach less far and a hand is worth
# less, since both draw in every round. They were tried against `sane_random`.
GAIN_WEIGHT = 4
WORTH_WEIGHT = 10
LEADER_WORTH = 8  # the worth of a leader in an average use
TRASH_WORTH = 1  # a card of this worth is discarded rather than the round left
CARD_REACH = 16  # no single card of the opponent brings more than this
FIRST_ROUND_LEAD = 23  # a lead to pass with, if both hands have as many cards
CARD_EDGE = 8  # for each card that the opponent has more, that lead is smaller by this
SECOND_ROUND_LEAD = 13
GIVE_UP_LEAD = 33  # too far behind to follow in a round that may be lost
FAIR_PRICE = 14  # the highest price, in worth, of a round that may be lost
CHASE_LEAD = 18  # the largest gap to close with more than one card


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the heuristic's move among the `count` moves in `x.moves`."""
    if count == 1:
        return x.moves[0]
    keep_moves(x, 0, count)
    player = s.turn
    phase = s.phase
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
        move = START | encode_row(1 - player, 0)
    else:
        move = best_choice(s, x, player, count)
    for i in range(count):
        x.moves[i] = x.tried[0, i]
    return move


@jit
def best_choice(s: State, x: Context, player: Player, count: int) -> Move:
    """Return the choice with the largest gain."""
    best, best_gain = x.tried[0, 0], NEVER_PLAYED
    for i in range(count):
        gain = move_gain(s, x, player, x.tried[0, i])
        if gain > best_gain:
            best, best_gain = x.tried[0, i], gain
    return best


@jit
def redraw_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Give back the card worth least, if the deck promises a better card."""
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
    """Return the move that gives away the card worth least."""
    worst, least = x.moves[0], -NEVER_PLAYED
    for i in range(count):
        worth = hand_worth(s, x, player, move_card(x.moves[i]))
        if worth < least:
            worst, least = x.moves[i], worth
    return worst


@jit
def counted_lead(s: State, x: Context, player: Player) -> int:
    """Return the lead, plus 1 for a player who wins ties."""
    return lead(s, player) + wins_ties(x, player) - wins_ties(x, 1 - player)


@jit
def move_worth(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the worth of the spent card or leader in an average use."""
    verb = move_verb(move)
    if verb == Verb.LEADER or verb == Verb.LAY:
        return LEADER_WORTH
    return card_worth(s, x, player, move_card(move))


@jit
def is_spy(s: State, x: Context, player: Player, move: Move) -> bool:
    """Report whether the move plays a spy that draws."""
    is_across = move_verb(move) == Verb.PLAY and move_who(move) != player
    has_ability = x.ability[move_card(move)] & Ability.SPY != 0
    return is_across and has_ability and s.n_deck[player] > 0


@jit
def is_discard(move: Move) -> bool:
    """Report whether the move discards a card."""
    return move_verb(move) == Verb.DISCARD


@jit
def turn_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return a pass or the best move."""
    ahead = lead(s, player) + wins_ties(x, player)
    if s.passed[1 - player] and not s.must_play:
        return answer_to_pass(s, x, player, count, ahead)
    best, gain, reserve = best_play(s, x, player, count)
    if s.must_play or not should_pass(s, player, best, gain, reserve, ahead):
        return best
    # To discard a useless card is to wait for a turn.
    if ahead <= s.n_hand[1 - player] * CARD_REACH:
        trash = best_trash(s, x, player, count)
        if trash != PASS:
            return trash
    return PASS


@jit
def best_trash(s: State, x: Context, player: Player, count: int) -> Move:
    """Return the discard of a card without a use, PASS if there is none."""
    best, least = PASS, TRASH_WORTH + 1
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
    """Return the best playing move, its gain, and the two best gains together.

    Cheap cards come before expensive cards, which wait for a use that pays. A loss of
    strength comes last.
    """
    best, best_value, best_gain = x.tried[0, 0], 10 * NEVER_PLAYED, NEVER_PLAYED
    strongest, second = 0, 0
    for i in range(count):
        move = x.tried[0, i]
        if move == PASS or is_discard(move):
            continue
        gain = move_gain(s, x, player, move)
        second = max(second, min(strongest, gain))
        strongest = max(strongest, gain)
        value = GAIN_WEIGHT * gain - WORTH_WEIGHT * move_worth(s, x, player, move)
        if gain < 0:
            value += NEVER_PLAYED
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain, strongest + second


@jit
def should_pass(
    s: State, player: Player, best: int, gain: int, reserve: int, ahead: int
) -> bool:
    """Report whether to leave the round to an opponent who has not passed.

    `reserve` is the gain of the two best moves.
    """
    other = 1 - player
    # The round is won, and needs no more cards.
    if ahead > s.n_hand[other] * CARD_REACH:
        return True
    if gain < 0:
        return True
    if s.lives[player] == 1:
        return False
    if s.lives[other] == 1:
        # The opponent has to win this round and will spend cards on it.
        return ahead >= SECOND_ROUND_LEAD or -ahead > GIVE_UP_LEAD
    edge = s.n_hand[other] - s.n_hand[player]
    if ahead >= FIRST_ROUND_LEAD - CARD_EDGE * edge:
        return True
    return -ahead > reserve


@jit
def answer_to_pass(
    s: State, x: Context, player: Player, count: int, ahead: int
) -> Move:
    """Win the round as cheaply as possible after a pass, or leave it."""
    need = 1 - ahead
    if need <= 0:
        return PASS
    last_life = s.lives[player] == 1
    cheapest, cheapest_worth = PASS, -NEVER_PLAYED
    biggest, biggest_gain = PASS, 0
    total = 0
    for i in range(count):
        move = x.tried[0, i]
        if move == PASS or is_discard(move):
            continue
        gain = move_gain(s, x, player, move)
        worth = move_worth(s, x, player, move)
        if gain >= need and worth < cheapest_worth:
            cheapest, cheapest_worth = move, worth
        if gain > biggest_gain:
            biggest, biggest_gain = move, gain
        total += max(gain, 0)
    if cheapest != PASS and (last_life or cheapest_worth <= FAIR_PRICE):
        return cheapest
    if last_life or (total >= need and need <= CHASE_LEAD):
        return biggest
    return PASS
