"""The rule-of-thumb player of Gwent: honest, fast, and above all good at passing."""

from __future__ import annotations

from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import (
    Ability,
    FactionAbility,
    LeaderState,
    Phase,
    Verb,
)
from deckcheck.engine.games.gwent.players.free_for_all import opponent_value, table_move
from deckcheck.engine.games.gwent.players.gains import (
    decoy_gain,
    lead,
    revival_gain,
    special_gain,
    unit_gain,
    weather_gain,
)
from deckcheck.engine.games.gwent.players.weighing import (
    NEVER,
    best_play,
    is_spy,
    move_gain,
    move_worth,
)
from deckcheck.engine.games.gwent.players.worth import card_worth, copies_at_hand
from deckcheck.engine.games.gwent.rules.encoding import (
    PASS,
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.engine.games.gwent.rules.seats import (
    has_many_sides,
    others_passed,
    players,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Card, Context, Move, Player, Side, State

__all__ = ["heuristic_move", "plan_alike"]


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
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


@entry
def plan_alike(s: State, x: Context, player: Player) -> None:
    """Give all players the figures of `player`."""
    for other in range(players(s, x)):
        x.figures[other] = x.figures[player]


# Redraws and choices


@jit
def redraw_move(s: State, x: Context, player: Player, count: int) -> Move:
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
def hand_worth(s: State, x: Context, player: Player, card: Card) -> int:
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
def choice_value(s: State, x: Context, player: Player, move: Move) -> int:
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
    if phase == Phase.RECIPIENT or phase == Phase.OPPONENT:
        return opponent_value(s, x, player, move_who(move))
    if phase == Phase.VOID_LEADER:
        return s.leader_state[move_who(move)] != LeaderState.VOID
    if (
        phase == Phase.ENEMY_DISCARD
        or phase == Phase.OWN_DISCARD
        or phase == Phase.FROM_DECK
    ):
        return card_worth(s, x, player, card)
    raise UnplayedCode("choice")


# Turns


@jit
def own_cards(s: State, x: Context, side: Side) -> int:
    """Cards in the hands of a side."""
    cards = 0
    for player in range(players(s, x)):
        if x.side[player] == side:
            cards += s.n_hand[player]
    return cards


@jit
def enemy_cards(s: State, x: Context, side: Side, in_round: int) -> int:
    """Cards in the hands of the other side, or of those who have not passed."""
    cards = 0
    for player in range(players(s, x)):
        if x.side[player] != side and not (in_round and s.passed[player]):
            cards += s.n_hand[player]
    return cards


@jit
def wins_ties(s: State, x: Context, side: Side) -> bool:
    """Whether a tie is a won round: Nilfgaard on this side, and on no other."""
    own, other = False, False
    for player in range(players(s, x)):
        if x.faction_ability[player] == FactionAbility.WIN_TIES:
            if x.side[player] == side:
                own = True
            else:
                other = True
    return own and not other


@jit
def turn_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Pass, or the best of the moves."""
    if count == 1:
        return x.moves[0]
    if has_many_sides(s, x):
        return table_move(s, x, player, count)
    side = x.side[player]
    ahead = lead(s, x, side)
    if wins_ties(s, x, side):
        ahead += 1
    if others_passed(s, x, side):
        return answer_to_pass(s, x, player, count, ahead)
    best, gain, reserve = best_play(s, x, player, count)
    if should_pass(s, x, player, best, gain, reserve, ahead):
        return PASS
    return best


@jit
def should_pass(
    s: State, x: Context, player: Player, best: int, gain: int, reserve: int, ahead: int
) -> bool:
    """Whether to leave the round to the others, who are still in it.

    `reserve` is what the two best moves could add.
    """
    side = x.side[player]
    figures = x.figures[player]
    # The round is won: nothing more to spend on it.
    if ahead > enemy_cards(s, x, side, True) * figures.reach:
        return True
    if is_spy(s, x, player, best):
        return False
    if gain < 0:
        return True
    if s.gems[side] == 1:
        return False
    size = players(s, x) // 2
    if s.gems[1 - side] == 1:
        # The other has to win this round: let him pay for it, or keep the cards.
        return ahead >= figures.second_lead * size or -ahead > figures.hopeless * size
    edge = enemy_cards(s, x, side, False) - own_cards(s, x, side)
    if ahead >= figures.first_lead * size - figures.card_edge * edge:
        return True
    return -ahead > reserve * size


@jit
def answer_to_pass(
    s: State, x: Context, player: Player, count: int, ahead: int
) -> Move:
    """The others have passed: win the round as cheaply as possible, or leave it."""
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
    if cheapest != PASS and (last_gem or price <= x.figures[player].fair_price):
        return cheapest
    if last_gem or (total >= need and need <= x.figures[player].chase):
        return biggest
    return PASS
