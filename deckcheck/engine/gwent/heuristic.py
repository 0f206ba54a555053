"""The rule-of-thumb player, for two and at a table."""

from __future__ import annotations

from deckcheck.engine.gwent.board import (
    by_record,
    has_many_sides,
    others_passed,
    players,
)
from deckcheck.engine.gwent.codes import PASS, Ability, FactionAbility, Phase, Verb
from deckcheck.engine.gwent.evaluation import (
    NEVER_PLAYED,
    berserkers_in_hand,
    best_play,
    card_worth,
    decoy_gain,
    is_spy,
    lead,
    move_gain,
    move_worth,
    revival_gain,
    row_scorch_gain,
    situation,
    special_gain,
    unit_gain,
    weather_gain,
)
from deckcheck.engine.gwent.leaders import bond_copy_in_deck, scorched_row
from deckcheck.engine.gwent.moves import cards_left
from deckcheck.engine.gwent.rounds import scores_against, target
from deckcheck.engine.jit import (
    Card,
    Context,
    Move,
    Player,
    Side,
    State,
    entry,
    jit,
)
from deckcheck.engine.primitives import (
    LeaderState,
    copies,
    move_card,
    move_row,
    move_verb,
    move_who,
    side_total,
)
from deckcheck.engine.registry import UnplayedCode

# -----------------------------------------------------------------------------
# The heuristic in a free-for-all, which goes by points and not by gems

# These numbers were found by play, as the figures of `heuristic` were.
POINT_WORTH = 14  # the worth of a point, in strength
CARD_REACH = 21  # no single card of an opponent brings more than this
REST_LEAD = 8  # for each opponent, the lead over the strongest that is enough to pass
CHASE_LEAD = 18  # the largest gap to close with more than one card


@jit
def opponent_value(s: State, x: Context, player: Player, who: Player) -> int:
    """Return how good it is that this opponent gets a spy or a leader's harm."""
    total = side_total(s, x.side[who])
    if s.phase == Phase.OPPONENT:
        row = scorched_row(s.leader[player])
        if row < 0:
            return s.n_hand[who]
        return row_scorch_gain(s, x, x.side[who], row) * 4 + s.points[who]
    own_total = side_total(s, x.side[player])
    after = total + x.strength[s.picked]
    overtakes = total <= own_total and after >= own_total
    return -after - 4 * s.points[who] - 50 * overtakes


@jit
def count_beaten(s: State, x: Context, player: Player, more: int) -> int:
    """Return the number of opponents beaten with `more` strength on the board."""
    count = 0
    total = side_total(s, x.side[player])
    for other in range(players(s, x)):
        if other != player:
            other_total = side_total(s, x.side[other])
            wins = total + more > other_total
            if total + more == other_total:
                wins = scores_against(s, x, player, other)
            count += wins
    return count


@jit
def table_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return a pass or the best move, at a table of several opponents."""
    if nobody_follows(s, x, player):
        return last_player_move(s, x, player, count)
    best, gain, reserve, _ = best_play(s, x, player, count)
    if should_leave_round(s, x, player, best, gain, reserve):
        return PASS
    return best


@jit
def no_table_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Replace `table_move` in the record of a duel, where it is never called."""
    return PASS


many_move = by_record(no_table_move, table_move)


@jit
def nobody_follows(s: State, x: Context, player: Player) -> bool:
    """Report whether all others have passed or have no card to play."""
    for other in range(players(s, x)):
        if other != player and not s.passed[other] and s.n_hand[other] > 0:
            return False
    return True


@jit
def someone_wins(s: State, x: Context, player: Player) -> bool:
    """Report whether another player would win the game if the round ended now."""
    for other in range(players(s, x)):
        if other != player:
            scored = s.points[other] + count_beaten(s, x, other, 0)
            if scored >= target(s, x):
                return True
    return False


@jit
def should_leave_round(
    s: State, x: Context, player: Player, best: int, gain: int, reserve: int
) -> bool:
    """Report whether to leave the round to those who have not passed.

    `reserve` is the gain of the two best moves. With more opponents a round is worth
    more points, so more is spent on it.
    """
    ahead = lead_over_active(s, x, player)
    cards = 0
    for other in range(players(s, x)):
        if other != player and not s.passed[other]:
            cards = max(cards, s.n_hand[other])
    opponent_count = players(s, x) - 1
    is_out_of_reach = ahead > cards * CARD_REACH
    if is_out_of_reach and count_beaten(s, x, player, 0) == opponent_count:
        return True
    if is_spy(s, x, player, best):
        return False
    if gain < 0:
        return True
    if someone_wins(s, x, player):
        return False
    if ahead >= REST_LEAD * opponent_count:
        return True
    return -ahead * 2 > reserve * opponent_count


@jit
def lead_over_active(s: State, x: Context, player: Player) -> int:
    """Return the lead over the strongest opponent who has not passed."""
    best = 0
    for other in range(players(s, x)):
        if other != player and not s.passed[other]:
            best = max(best, side_total(s, x.side[other]))
    return side_total(s, x.side[player]) - best


@jit
def last_player_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return the move of the last player of the round, who buys points at a price."""
    now = count_beaten(s, x, player, 0)
    urgent = someone_wins(s, x, player)
    best, best_value = PASS, 0
    biggest, biggest_gain = PASS, 0
    total = 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if is_spy(s, x, player, move):
            if lead(s, x, x.side[player]) > x.strength[move_card(move)]:
                return move
            continue
        if gain > biggest_gain:
            biggest, biggest_gain = move, gain
        total += max(gain, 0)
        won = count_beaten(s, x, player, gain) - now
        value = POINT_WORTH * won - move_worth(s, x, player, move)
        if urgent:
            value -= NEVER_PLAYED * won
        if value > best_value:
            best, best_value = move, value
    if best == PASS and now < players(s, x) - 1:
        need = strength_to_next(s, x, player)
        if total >= need and (urgent or need <= CHASE_LEAD):
            return biggest
    if best == PASS and nobody_scores(s, x):
        # Rounds without a point could go on for ever.
        best, _, _, _ = best_play(s, x, player, count)
    return best


@jit
def nobody_scores(s: State, x: Context) -> bool:
    """Report whether no player would score if the round ended now."""
    for player in range(players(s, x)):
        if count_beaten(s, x, player, 0) > 0:
            return False
    return True


@jit
def strength_to_next(s: State, x: Context, player: Player) -> int:
    """Return the strength needed to beat one more opponent."""
    total = side_total(s, x.side[player])
    need = -NEVER_PLAYED
    for other in range(players(s, x)):
        other_total = side_total(s, x.side[other])
        if other != player and not scores_against(s, x, player, other):
            need = min(need, other_total - total + 1)
    return need


# -----------------------------------------------------------------------------
# The heuristic of Gwent: honest, fast, and above all good at passing

BETWEEN_PLAYERS = (Phase.STARTER, Phase.RECIPIENT, Phase.OPPONENT, Phase.VOID_LEADER)
CARD_CHOICES = (Phase.ENEMY_DISCARD, Phase.OWN_DISCARD, Phase.FROM_DECK)
MAX_SEATS = 8  # more than there are players


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the heuristic's move among the `count` moves in `x.moves`."""
    player = s.turn
    if s.phase == Phase.PLAY:
        return turn_move(s, x, player, count)
    return choice_move(s, x, player, count)


@jit
def choice_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return the best redraw, or the best answer to the open choice."""
    if s.phase == Phase.REDRAW:
        return redraw_move(s, x, player, count)
    best = x.moves[0]
    best_value = NEVER_PLAYED
    for i in range(count):
        value = choice_value(s, x, player, x.moves[i])
        if s.phase in BETWEEN_PLAYERS and x.figures[player].clockwise:
            nearness = rank_clockwise(s, x, player, move_who(x.moves[i]))
            value = value * MAX_SEATS + nearness
        if value > best_value:
            best, best_value = x.moves[i], value
    return best


@entry
def suppose_plans(s: State, x: Context, player: Player, world: int) -> None:
    """Give all players the figures of `player`, or opponents the first in odd worlds.

    A player who expects everybody to play alike is exploited by other plans.
    """
    for other in range(players(s, x)):
        if world % 2 == 1 and x.side[other] != x.side[player]:
            x.figures[other] = x.first_figures
        else:
            x.figures[other] = x.figures[player]


@jit
def rank_clockwise(s: State, x: Context, player: Player, who: Player) -> int:
    """Return how soon `who` follows `player` clockwise. The next has the highest rank.

    It decides between players who are equal otherwise, so the seat numbers do not.
    """
    count = players(s, x)
    return (player - who + count) % count


# -----------------------------------------------------------------------------
# Redraws and choices


@jit
def redraw_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Give back the card worth least, if the deck promises a better card."""
    total = 0
    for i in range(s.n_deck[player]):
        total += card_worth(s, x, player, s.deck[player, i])
    average = total / max(s.n_deck[player], 1)
    worst = x.moves[0]
    least = average - x.figures[player].redraw_margin
    for i in range(count):
        if move_verb(x.moves[i]) == Verb.REDRAW:
            worth = hand_worth(s, x, player, move_card(x.moves[i]))
            if worth < least:
                worst, least = x.moves[i], worth
    return worst


@jit
def hand_worth(s: State, x: Context, player: Player, card: Card) -> int:
    """Return the worth of a card in this hand: 0 for a second card of a family."""
    if x.ability[card] & Ability.MUSTER and x.calls[card] == x.family[card]:
        for i in range(s.n_hand[player]):
            other = s.hand[player, i]
            if x.family[other] == x.family[card] and other != card:
                return 0
        if s.n_hand[player] > 1 and copies(s.hand[player], s.n_hand[player], card) > 1:
            return 0
    worth = card_worth(s, x, player, card)
    if x.ability[card] & Ability.SPY:
        worth += x.figures[player].keep_spy
    if x.ability[card] & Ability.TIGHT_BOND and x.figures[player].keep_bond:
        more = x.strength[card] * copies(s.deck[player], s.n_deck[player], card)
        worth += more * x.figures[player].keep_bond // 100
    return worth


@jit
def choice_value(s: State, x: Context, player: Player, move: Move) -> int:
    """Return the value of an answer to the open choice."""
    card = move_card(move)
    phase = s.phase
    if phase == Phase.MEDIC:
        return revival_gain(s, x, player, card, move_row(move))
    if phase == Phase.DECOY:
        return decoy_gain(s, x, player, move_row(move), card)
    if phase == Phase.DISCARD_TWO or phase == Phase.AUTOMA_DISCARD:
        return -hand_worth(s, x, player, card)
    if phase == Phase.WEATHER_FROM_DECK:
        return weather_gain(s, x, player, x.ability[card])
    if phase == Phase.BOND_COPY:
        if not bond_copy_in_deck(s, x, player, card):
            return 0
        return unit_gain(s, x, player, card, move_row(move))
    if phase == Phase.MARDROEME_ROW:
        gain = special_gain(s, x, player, card, move_row(move))
        return gain + berserkers_in_hand(s, x, player, move_row(move))
    if phase == Phase.STARTER:
        return 0
    if phase == Phase.RECIPIENT or phase == Phase.OPPONENT:
        return opponent_value(s, x, player, move_who(move))
    if phase == Phase.VOID_LEADER:
        return s.leader_state[move_who(move)] != LeaderState.VOID
    if phase in CARD_CHOICES:
        return card_worth(s, x, player, card)
    raise UnplayedCode("choice")


# -----------------------------------------------------------------------------
# Turns


@jit
def wins_ties(s: State, x: Context, side: Side) -> bool:
    """Report whether this side, and no other, has Nilfgaard and so wins ties."""
    side_wins, others_win = False, False
    for player in range(players(s, x)):
        if x.faction_ability[player] == FactionAbility.WIN_TIES:
            if x.side[player] == side:
                side_wins = True
            else:
                others_win = True
    return side_wins and not others_win


@jit
def turn_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Return a pass or the best move."""
    if count == 1:
        return x.moves[0]
    if has_many_sides(s, x):
        return many_move(s, x, player, count)
    side = x.side[player]
    ahead = lead(s, x, side)
    if wins_ties(s, x, side):
        ahead += 1
    if others_passed(s, x, side):
        return answer_to_pass(s, x, player, count, ahead)
    play = best_play(s, x, player, count)
    return PASS if should_pass(s, x, player, play, ahead) else play[0]


@jit
def should_pass(
    s: State, x: Context, player: Player, play: tuple[Move, int, int, int], ahead: int
) -> bool:
    """Report whether to leave the round to others who have not passed.

    `play` has the best other move, its gain, the gain of the two best moves, and the
    worth of the player's hand.
    """
    best, gain, reserve, hand = play
    side = x.side[player]
    figures = x.figures[player]
    now = situation(s, x, side)
    held = 0
    if figures.reach_share or figures.rest_held[now]:
        held = average_strength(s, x, side)
    # The round is won, and needs no more cards.
    if ahead > threat(s, x, player, held):
        return True
    if is_spy(s, x, player, best) and ahead < figures.spy_rest[now]:
        return False
    if gain < figures.useful[now]:
        return True
    if ahead >= lead_to_rest(s, x, player, hand, held):
        return True
    give_up = figures.give_up[now] + reserve * figures.give_up_reserve[now] // 100
    give_up += hand * figures.give_up_hand[now] // 100
    cards = figures.give_up_own[now] * cards_left(s, x, side)
    cards += figures.give_up_enemy[now] * cards_left(s, x, 1 - side)
    return -ahead > give_up * (players(s, x) // 2) + cards


@jit
def lead_to_rest(s: State, x: Context, player: Player, hand: int, held: int) -> int:
    """Return the lead that is large enough to pass.

    `hand` is the worth of the player's hand, `held` the `average_strength` of the
    opponents.
    """
    side = x.side[player]
    figures = x.figures[player]
    now = situation(s, x, side)
    own_cards = cards_left(s, x, side)
    enemy_cards = cards_left(s, x, 1 - side)
    rest = figures.rest[now] * (players(s, x) // 2)
    rest += figures.rest_hand[now] * hand // 100
    rest += figures.rest_own[now] * own_cards + figures.rest_enemy[now] * enemy_cards
    if figures.rest_held[now]:
        rest += figures.rest_held[now] * (enemy_cards * held // 10) // 100
    return rest


@jit
def threat(s: State, x: Context, player: Player, held: int) -> int:
    """Return the most that opponents who have not passed can add to their totals.

    They may hold any card of their hands and decks, whose `average_strength` is
    `held`.
    """
    figures = x.figures[player]
    side = x.side[player]
    loss = 10 * figures.reach
    if figures.reach_share:
        loss += figures.reach_share * held // 100
    cards, leaders = 0, 0
    for other in range(players(s, x)):
        if x.side[other] != side and not s.passed[other]:
            cards += s.n_hand[other]
            leaders += s.leader_state[other] == LeaderState.READY
    return cards * loss // 10 + leaders * figures.reach_leader


@jit
def average_strength(s: State, x: Context, side: Side) -> int:
    """Return the mean printed strength, in tenths, of the opponents' unplayed cards.

    They count together, as it is unknown which of them are in hand.
    """
    total, count = 0, 0
    for other in range(players(s, x)):
        if x.side[other] != side:
            count += s.n_hand[other] + s.n_deck[other]
            for i in range(s.n_hand[other]):
                total += x.strength[s.hand[other, i]]
            for i in range(s.n_deck[other]):
                total += x.strength[s.deck[other, i]]
    return 10 * total // max(count, 1)


@jit
def answer_to_pass(
    s: State, x: Context, player: Player, count: int, ahead: int
) -> Move:
    """Win the round as cheaply as possible after all passed, or leave it."""
    need = 1 - ahead
    figures = x.figures[player]
    side = x.side[player]
    last_gem = s.gems[side] == 1
    decides = last_gem or (figures.finish and s.gems[1 - side] == 1)
    cheapest, cheapest_worth = PASS, -NEVER_PLAYED
    biggest, biggest_gain = PASS, 0
    total = 0
    spy = PASS
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        if is_spy(s, x, player, move):
            # If the player stays ahead, a spy is two cards for one.
            if ahead > x.strength[move_card(move)]:
                return move
            spy = move
            continue
        gain = move_gain(s, x, player, move)
        worth = move_worth(s, x, player, move)
        if gain >= need and worth < cheapest_worth:
            cheapest, cheapest_worth = move, worth
        if gain > biggest_gain:
            biggest, biggest_gain = move, gain
        total += max(gain, 0)
    if need <= 0:
        return PASS
    edge = cards_left(s, x, side) - cards_left(s, x, 1 - side)
    fair = figures.fair_price + figures.fair_edge * edge
    if cheapest != PASS and (decides or cheapest_worth <= fair):
        return cheapest
    if last_gem and total < need and figures.finish and spy != PASS:
        return spy
    if last_gem or (total >= need and (decides or need <= figures.chase)):
        return biggest
    return PASS
