"""Set-up, redraws, legal moves, turns, end of rounds, points of a free-for-all."""

from __future__ import annotations

from deckcheck.engine.gwent.abilities import (
    SLOT_ABILITIES,
    deploy,
    has_decoy_target,
    resolve_stack,
)
from deckcheck.engine.gwent.board import (
    NOWHERE,
    PLAYER_ANSWER,
    TWO_PLAYERS,
    any_weather,
    arrive_summons,
    call_summons,
    clear_weather,
    draw_cards,
    has_many_sides,
    landing_side,
    leave_board,
    may_lie_in,
    note_member,
    only_row,
    partner,
    place,
    players,
    rescore_all,
    row_has_horn,
    row_has_unit,
    sides,
    starting_member,
    strength_if_laid,
    turn_berserkers,
    weather_index,
)
from deckcheck.engine.gwent.codes import (
    CHOOSE,
    KEEP_HAND,
    PASS,
    PLAY,
    REDRAW,
    START,
    USE_LEADER,
    VOID,
    Ability,
    FactionAbility,
    Kind,
    Phase,
    RandomPick,
    Slot,
    Weather,
)
from deckcheck.engine.gwent.leaders import (
    leader_has_effect,
    list_leader_choices,
    next_voider,
    set_up_leaders,
)
from deckcheck.engine.jit import (
    Card,
    Context,
    Move,
    Player,
    Row,
    Side,
    State,
    entry,
    jit,
)
from deckcheck.engine.primitives import (
    ROW_BIT,
    WHO_BIT,
    LeaderState,
    RowName,
    add,
    add_hand,
    add_once,
    add_to_deck_bottom,
    copies,
    copy_deck,
    discard,
    draw_below,
    largest,
    may_redraw,
    move_card,
    pick,
    read_answer,
    remove_from_discard,
    remove_from_hand,
    shuffle_deck,
    side_total,
)
from deckcheck.engine.registry import Carried

# -----------------------------------------------------------------------------
# The score of a free-for-all: points instead of gems (rules 4.3 to 4.5 and 4.7)


@jit
def target(s: State, x: Context) -> int:
    """Return the points that end the game: "players + 1" (4.4)."""
    return players(s, x) + 1


@jit
def scores_against(s: State, x: Context, player: Player, other: Player) -> bool:
    """Report whether a player scores against another: a higher total (4.3).

    "Ties give nothing, except to Nilfgaard". Two tied Nilfgaard both score (4.6.3).
    """
    total = side_total(s, x.side[player])
    other_total = side_total(s, x.side[other])
    if total == other_total:
        return x.faction_ability[player] == FactionAbility.WIN_TIES
    return total > other_total


@jit
def score_round(s: State, x: Context) -> None:
    """Give each player a point for each opponent beaten (4.3)."""
    for player in range(players(s, x)):
        s.gained[player] = 0
        for other in range(players(s, x)):
            if other != player and scores_against(s, x, player, other):
                s.gained[player] += 1
        s.points[player] += s.gained[player]


@jit
def is_won(s: State, x: Context) -> bool:
    """Report whether the target is reached, by option by a sole leader (4.7.6)."""
    best = largest(s.points, players(s, x))
    if best < target(s, x):
        return False
    is_alone = copies(s.points, players(s, x), best) == 1
    return is_alone or not x.shared_target_goes_on


@jit
def points_for_place(s: State, x: Context, player: Player) -> int:
    """Return the points that decide the place of a player.

    By option all players who reached the target are equal.
    """
    if largest(s.points, players(s, x)) >= target(s, x):
        if x.target_shared:
            return min(s.points[player], target(s, x))
        return s.points[player]
    # "if every hand is empty and no leader is left ... highest score wins" (4.7.7)
    return 0 if x.exhausted_is_draw else s.points[player]


@jit
def table_place(s: State, x: Context, player: Player) -> int:
    """Return the place of a player in an ended free-for-all (4.7.6, 4.7.7)."""
    rank = 1
    for other in range(players(s, x)):
        rank += points_for_place(s, x, other) > points_for_place(s, x, player)
    return rank


@jit
def draw_after_scoring(s: State, x: Context) -> None:
    """Let Northern Realms draw when nobody scored more points in the round (4.7.3).

    By option they must have scored, or nobody else may have scored as much.
    """
    best = largest(s.gained, players(s, x))
    shared = copies(s.gained, players(s, x), best) > 1
    if best == 0 and x.realms_draw_for_points:
        return
    if shared and x.realms_draw_alone:
        return
    for player in range(players(s, x)):
        draws = x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
        if draws and s.gained[player] == best:
            draw_cards(s, player, 1)


@jit
def best_scorer(s: State, x: Context) -> Player:
    """Return the starter of the next round: the round's best scorer (4.5).

    Among equals it is the first clockwise after the player who started this round
    (4.7.5). By option that player counts first, or chance decides.
    """
    count = players(s, x)
    if x.starters_alternate:
        return (s.starter + 1) % count
    best = largest(s.gained, count)
    if x.tied_starter_by_lot:
        return best_by_lot(s, x, best)
    first = 0 if x.tied_starter_stays else 1
    for step in range(first, first + count):
        player = (s.starter + step) % count
        if s.gained[player] == best:
            return player
    return s.starter


@jit
def best_by_lot(s: State, x: Context, best: int) -> Player:
    """Return a random best scorer. A scripted game answers with the player."""
    count = 0
    for player in range(players(s, x)):
        if s.gained[player] == best:
            x.pool[count] = player
            count += 1
    if count == 1:
        return x.pool[0]
    if not x.scripted:
        return x.pool[draw_below(s.rng, count)]
    cause = RandomPick.STARTER.value
    return x.pool[read_answer(x, count, cause, s.starter, PLAYER_ANSWER, True)]


# -----------------------------------------------------------------------------
# The legal moves


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves of the player to move to `x.moves` and return their number.

    The list has no repetitions. It is empty only when the game is over.
    """
    player = s.turn
    side = x.side[player]
    phase = s.phase
    if phase == Phase.PLAY:
        return list_turn_moves(s, x, player, side)
    if phase == Phase.REDRAW:
        return add_hand(s, x, player, REDRAW, add(x, 0, KEEP_HAND))
    if phase == Phase.MEDIC:
        return list_medic_moves(s, x, side)
    if phase == Phase.DECOY:
        return list_decoy_moves(s, x, side)
    if phase == Phase.STARTER:
        count = 0
        for who in range(players(s, x)):
            count = add(x, count, START | who << WHO_BIT)
        return count
    if phase == Phase.OVER:
        return 0
    if phase == Phase.VOID_LEADER:
        return add_opponents(s, x, side, VOID)
    if phase == Phase.RECIPIENT:
        return add_opponents(s, x, side, CHOOSE)
    return list_leader_choices(s, x, player)


@jit
def add_opponents(s: State, x: Context, side: Side, verb: int) -> int:
    """List a move for each opponent."""
    count = 0
    for who in range(players(s, x)):
        if x.side[who] != side:
            count = add(x, count, verb | who << WHO_BIT)
    return count


@jit
def nobody_can_play(s: State, x: Context) -> bool:
    """Report whether no player can do anything but pass (4.7.7)."""
    for player in range(players(s, x)):
        if list_turn_moves(s, x, player, x.side[player]) > 1:
            return False
    return True


@jit
def list_turn_moves(s: State, x: Context, player: Player, side: Side) -> int:
    """List the moves of a turn: pass, play a hand card, use the leader (1.3.1)."""
    count = add(x, 0, PASS)
    last = 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        if card == last:
            continue
        last = card
        if x.kind[card] <= Kind.HERO:
            for row in range(s.n_row.shape[1]):
                if may_lie_in(x, card, row):
                    count = add(x, count, PLAY | row << ROW_BIT | card)
        else:
            count = add_special_moves(s, x, side, card, count)
    if s.leader[player] and s.leader_state[player] == LeaderState.READY:
        stuck = x.empty_hand_passes and s.n_hand[player] == 0
        useless = x.leader_needs_effect and not leader_has_effect(s, x, player)
        if not stuck and not useless:
            count = add(x, count, USE_LEADER)
    return count


@jit
def add_special_moves(s: State, x: Context, side: Side, card: Card, count: int) -> int:
    """Append the ways to play a special or weather card."""
    ability = x.ability[card]
    if ability & SLOT_ABILITIES:
        for row in range(s.slot.shape[1]):
            # "one horn special per row", and Mardroeme uses the same slot
            if s.slot[side, row] != Slot.EMPTY:
                continue
            if not x.special_needs_effect or slot_has_effect(s, x, side, row, ability):
                count = add(x, count, PLAY | row << ROW_BIT | card)
        return count
    if ability & Ability.DECOY:
        if x.decoy_needs_no_target or has_decoy_target(s, x, side):
            count = add(x, count, PLAY | card)
        return count
    if x.kind[card] == Kind.WEATHER:
        if not weather_may_be_played(s, x, ability):
            return count
    elif x.special_needs_effect and not any_unit(s, x):
        return count
    return add(x, count, PLAY | card)


@jit
def weather_may_be_played(s: State, x: Context, ability: int) -> bool:
    """Report whether the options allow this weather, or its end, now."""
    index = weather_index(ability)
    if index == Weather.CLEAR:
        return not x.special_needs_effect or any_weather(s)
    is_there = s.weather[index] != 0
    return not (is_there and (x.repeated_weather_forbidden or x.special_needs_effect))


@jit
def slot_has_effect(s: State, x: Context, side: Side, row: Row, ability: int) -> bool:
    """Report whether a horn or Mardroeme laid now changes anything."""
    if ability & Ability.COMMANDERS_HORN:
        return row_has_unit(s, x, side, row) and not row_has_horn(s, side, row)
    for i in range(s.n_row[side, row]):
        if x.ability[s.row[side, row, i]] & Ability.BERSERKER:
            return True
    return False


@jit
def any_unit(s: State, x: Context) -> bool:
    """Report whether a non-hero unit is anywhere on the board."""
    for side in range(sides(s, x)):
        if has_decoy_target(s, x, side):
            return True
    return False


@jit
def list_medic_moves(s: State, x: Context, side: Side) -> int:
    """List each different unit of the pile, once for each row it may enter."""
    count = 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] == Kind.UNIT and (s.picked == 0 or s.picked == card):
            for row in range(s.n_row.shape[1]):
                if may_lie_in(x, card, row):
                    count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count


@jit
def list_decoy_moves(s: State, x: Context, side: Side) -> int:
    """List each different non-hero unit on the side, including enemy spies."""
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if x.kind[card] == Kind.UNIT:
                count = add_once(x, count, CHOOSE | row << ROW_BIT | card)
    return count


# -----------------------------------------------------------------------------
# Set-up and redraws, before the first turn (rules 1.2)


@entry
def set_up(s: State, x: Context) -> None:
    """Set up gems, leaders and decks. Then the coin, or Scoia'tael, decides who begins.

    `s.rng` must be seeded.
    """
    lay_out(s, x)
    begin_game(s, x)


@jit
def lay_out(s: State, x: Context) -> None:
    """Set up gems, leaders and shuffled decks on an empty board (rules 1.2.1).

    Decks are shuffled in the order of the players, so the two games of a game pair
    have the same shuffles.
    """
    s.round_no = 1
    s.winner = -1
    s.turns = 0
    s.history = 0
    s.resuming = 0
    s.picked = 0
    s.n_stack = 0
    s.n_summons = 0
    s.n_removed = 0
    clear_board(s, x)
    for player in range(players(s, x)):
        s.passed[player] = 0
        s.points[player] = 0
        s.gained[player] = 0
        s.redraws[player] = x.redraws
        s.returning[player] = 0
        s.n_hand[player] = 0
        copy_deck(s, x, player)
        for i in range(s.side_deck.shape[1]):
            s.side_deck[player, i] = x.side_deck[player, i]
        shuffle_deck(s, x, player)
    set_up_leaders(s, x)


@jit
def begin_game(s: State, x: Context) -> None:
    """Decide leaders to void and who begins, before the first card is drawn."""
    voider = next_voider(s, x)
    if voider >= 0:
        s.turn = voider
        s.phase = Phase.VOID_LEADER
        return
    chooser = starter_chooser(s, x)
    if chooser >= 0:
        s.turn = chooser
        s.phase = Phase.STARTER
    else:
        choose_starter(s, x, x.coin)


@jit
def clear_board(s: State, x: Context) -> None:
    """Set up an empty board with full gems."""
    for side in range(sides(s, x)):
        s.gems[side] = x.gems
        s.next_member[side] = -1
        s.n_discard[side] = 0
        for row in range(s.n_row.shape[1]):
            s.n_row[side, row] = 0
            s.slot[side, row] = Slot.EMPTY
            s.leader_horn[side, row] = 0
            s.total[side, row] = 0
            s.morale[side, row] = 0
            s.horns[side, row] = 0
    for index in range(s.weather.shape[0]):
        s.weather[index] = 0


@jit
def starter_chooser(s: State, x: Context) -> Player:
    """Return the Scoia'tael player who decides who begins, or -1.

    If both of two players are Scoia'tael the coin decides (1.7.4). With more players
    chance decides which Scoia'tael picks (4.6.5, 5.5.6). In a scripted game it is the
    first clockwise from the coin.
    """
    chooser = -1
    choosers = 0
    count = players(s, x)
    for step in range(count):
        player = (x.coin + step) % count
        if x.faction_ability[player] == FactionAbility.CHOOSE_STARTER:
            if chooser < 0:
                chooser = player
            choosers += 1
    if choosers > 1:
        if count == TWO_PLAYERS:
            return -1
        if not x.scripted:
            return find_chooser(s, x, draw_below(s.rng, choosers))
    return chooser


@jit
def find_chooser(s: State, x: Context, index: int) -> Player:
    """Return the Scoia'tael player at this index, by seats, or -1."""
    for player in range(players(s, x)):
        if x.faction_ability[player] == FactionAbility.CHOOSE_STARTER:
            if index == 0:
                return player
            index -= 1
    return -1


@jit
def choose_starter(s: State, x: Context, starter: Player) -> None:
    """Let `starter` begin the game: draw the hands and start the redraws there."""
    s.first = starter
    s.starter = starter
    note_member(s, x, starter)
    for player in range(players(s, x)):
        # "Daisy of the Valley: 11 opening cards" (1.9.6)
        draw_cards(s, player, x.hand_size + s.extra_card[player])
    s.turn = starter
    s.phase = Phase.REDRAW
    if not may_redraw(s, starter):
        keep_hand(s, x, starter)


@jit
def redraw(s: State, x: Context, player: Player, card: Card) -> None:
    """Draw the replacement first, then shuffle the chosen card back (1.2.4)."""
    remove_from_hand(s, player, card)
    draw_cards(s, player, 1)
    add_to_deck_bottom(s, player, card)
    shuffle_deck(s, x, player)
    s.redraws[player] -= 1
    if not may_redraw(s, player):
        keep_hand(s, x, player)


@jit
def keep_hand(s: State, x: Context, player: Player) -> None:
    """End the player's redraws, then let the others redraw, then start round 1."""
    s.redraws[player] = 0
    count = players(s, x)
    for step in range(1, count):
        other = (player + step) % count
        if may_redraw(s, other):
            s.turn = other
            return
    s.phase = Phase.PLAY
    s.turn = s.starter


@entry
def redrawn_card(s: State, move: Move) -> Card:
    """Return the card that a move sends back, 0 for a kept hand, else -1."""
    return move_card(move) if s.phase == Phase.REDRAW else -1


# -----------------------------------------------------------------------------
# Turns, passing, the end of a round and of the game (rules 1.3 and 1.4)

RETURN_ROUND = 3
RETURNING_UNITS = 2


@jit
def settle(s: State, x: Context) -> None:
    """Carry out the stack after a turn, then pass the turn on.

    Stops where the player to move has a choice, and where the game is over. At the
    start of a round it lets the units of Skellige return first.
    """
    while True:
        resolve_stack(s, x, s.turn)
        if s.phase != Phase.PLAY:
            return
        if not s.resuming:
            advance_turn(s, x, s.turn)
            return
        if not return_next(s, x):
            s.resuming = 0
            s.turn = s.starter
            if has_many_sides(s, x) and nobody_can_play(s, x):
                s.phase = Phase.OVER
            return


@jit
def advance_turn(s: State, x: Context, player: Player) -> None:
    """Give the turn to the next player who has not passed (1.3.2, 4.2, 5.4)."""
    count = players(s, x)
    for step in range(1, count + 1):
        other = (player + step) % count
        if not s.passed[other]:
            s.turn = other
            return


@jit
def pass_round(s: State, x: Context, player: Player) -> None:
    """Pass, finally for the round, which ends when all have passed (1.3.2)."""
    s.passed[player] = 1
    for other in range(players(s, x)):
        if not s.passed[other]:
            return
    end_round(s, x)


@jit
def end_round(s: State, x: Context) -> None:
    """Decide the round, take gems, clear the board and start the next round."""
    if has_many_sides(s, x):
        end_table_round(s, x)
        return
    winner = round_winner(s, x)
    for side in range(sides(s, x)):
        if side != winner:
            s.gems[side] -= 1
    if game_decided(s, x):
        s.phase = Phase.OVER
        return
    clean_up(s, x)
    if winner >= 0:
        draw_after_win(s, x, winner)
    s.starter = next_starter(s, x, winner)
    start_round(s, x)


@jit
def end_table_round(s: State, x: Context) -> None:
    """End a round of a free-for-all: points in place of gems (4.3 to 4.5)."""
    score_round(s, x)
    if is_won(s, x):
        s.phase = Phase.OVER
        return
    clean_up(s, x)
    draw_after_scoring(s, x)
    s.starter = best_scorer(s, x)
    start_round(s, x)


@jit
def round_winner(s: State, x: Context) -> Side:
    """Return the side with the higher total, Nilfgaard on a tie (1.7.2, 5.5.5)."""
    first = side_total(s, 0)
    second = side_total(s, 1)
    if first != second:
        return 0 if first > second else 1
    winner = -1
    for player in range(players(s, x)):
        if x.faction_ability[player] == FactionAbility.WIN_TIES:
            if winner >= 0 and winner != x.side[player]:
                return -1
            winner = x.side[player]
    return winner


@jit
def game_decided(s: State, x: Context) -> bool:
    """Report whether a side has no gems left and record the winner (1.4.6)."""
    alive = 0
    for side in range(sides(s, x)):
        if s.gems[side] > 0:
            alive += 1
            s.winner = side
    if alive == sides(s, x):
        s.winner = -1
        return False
    if alive == 0:
        s.winner = -1
    return True


@jit
def clean_up(s: State, x: Context) -> None:
    """Remove cards in the order of 1.4.3, steps b to e, then horns and weather."""
    for side in range(sides(s, x)):
        kept_row, kept_index = choose_kept_unit(s, x, side)
        for row in range(s.n_row.shape[1]):
            clear_row(s, x, side, row, kept_index if row == kept_row else NOWHERE)
    for side in range(sides(s, x)):
        for row in range(s.slot.shape[1]):
            if s.slot[side, row] != Slot.EMPTY:
                discard(s, side, s.slot_card[side, row])
                s.slot[side, row] = Slot.EMPTY
            s.leader_horn[side, row] = 0
    clear_weather(s, x)
    arrive_summons(s, x)
    rescore_all(s, x)


@jit
def clear_row(s: State, x: Context, side: Side, row: Row, kept_index: int) -> None:
    """Remove all cards of a row except for the card at `kept_index`, if any."""
    count = s.n_row[side, row]
    s.n_row[side, row] = 0
    for i in range(count):
        card = s.row[side, row, i]
        if i == kept_index:
            s.row[side, row, 0] = card
            s.n_row[side, row] = 1
            if x.kept_summoner_summons and x.ability[card] & Ability.SUMMON_AVENGER:
                call_summons(s, side, row, card)
        else:
            leave_board(s, x, side, row, card)


@jit
def choose_kept_unit(s: State, x: Context, side: Side) -> tuple[int, int]:
    """Return row and index of the unit that stays for Monsters (1.7.3), or NOWHERE."""
    for player in range(players(s, x)):
        keeps = x.faction_ability[player] == FactionAbility.KEEP_ONE_UNIT
        if keeps and x.side[player] == side:
            return random_unit(s, x, player)
    return NOWHERE, NOWHERE


@jit
def is_own_unit(s: State, x: Context, player: Player, card: Card) -> bool:
    """Report whether a faction may keep or return this card: a non-hero unit.

    In a team it must be "a Monsters card or an enemy spy unit" (5.5.4), or a Skellige
    card or an enemy spy (5.5.7). All spies on a side came from the enemy.
    """
    if x.kind[card] != Kind.UNIT:
        return False
    return (
        partner(s, x, player) == player
        or x.colour[card] == x.own_colour[player]
        or x.ability[card] & Ability.SPY != 0
    )


@jit
def random_unit(s: State, x: Context, player: Player) -> tuple[int, int]:
    """Return row and index of a random unit that the player may keep, or NOWHERE."""
    side = x.side[player]
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if is_own_unit(s, x, player, s.row[side, row, i]):
                x.pool[count] = s.row[side, row, i]
                count += 1
    if count == 0:
        return NOWHERE, NOWHERE
    chosen = pick(s, x, count, RandomPick.KEPT.value, player, 1)
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if is_own_unit(s, x, player, s.row[side, row, i]):
                if chosen == 0:
                    return row, i
                chosen -= 1
    return NOWHERE, NOWHERE


@jit
def draw_after_win(s: State, x: Context, winner: Side) -> None:
    """Let Northern Realms draw a card after winning a round (1.7.1)."""
    for player in range(players(s, x)):
        draws = x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
        if draws and x.side[player] == winner:
            draw_cards(s, player, 1)


@jit
def next_starter(s: State, x: Context, winner: Side) -> Player:
    """Return the starter of the round after a win of `winner`, -1 for a draw."""
    if x.starters_alternate:
        return (s.starter + 1) % players(s, x)
    if winner < 0:
        if x.same_starter_after_draw:
            return s.starter
        winner = 1 - x.side[s.starter]
    return starting_member(s, x, winner)


@jit
def start_round(s: State, x: Context) -> None:
    """Start the next round, with Skellige's return in round 3 (1.7.5)."""
    s.round_no += 1
    note_member(s, x, s.starter)
    is_time = s.round_no == RETURN_ROUND
    if x.skellige_returns_often:
        is_time = s.round_no >= RETURN_ROUND
    for player in range(players(s, x)):
        s.passed[player] = 0
        has_ability = x.faction_ability[player] == FactionAbility.RETURN_TWO_UNITS
        s.returning[player] = is_time and has_ability
    s.phase = Phase.PLAY
    s.resuming = 1


@jit
def return_next(s: State, x: Context) -> int:
    """Return the units of the next Skellige player. 0 when nobody is left."""
    count = players(s, x)
    for step in range(count):
        player = (s.starter + step) % count
        if s.returning[player]:
            s.returning[player] = 0
            s.turn = player
            return_units(s, x, player)
            return 1
    return 0


@jit
def return_units(s: State, x: Context, player: Player) -> None:
    """Bring back two random non-hero units of the pile. By option they are played."""
    side = x.side[player]
    for returned in range(RETURNING_UNITS):
        count = 0
        for i in range(s.n_discard[side]):
            if is_own_unit(s, x, player, s.discard[side, i]):
                x.pool[count] = s.discard[side, i]
                count += 1
        if count == 0:
            break
        wanted = 1 if order_matters(x, count) else RETURNING_UNITS - returned
        card = x.pool[pick(s, x, count, RandomPick.RETURNING.value, player, wanted)]
        remove_from_discard(s, side, card)
        if x.returning_units_play:
            # An agile spy that may go to several opponents goes to the close row.
            landing = landing_side(s, x, player, card)
            row = only_row(x, card)
            if landing >= 0:
                row = better_row(s, x, landing, card)
            deploy(s, x, player, card, row)
        else:
            row = better_row(s, x, side, card)
            place(s, x, side, row, card)
            turn_berserkers(s, x, side, row)


@jit
def order_matters(x: Context, count: int) -> bool:
    """Report whether the order in which units of `x.pool` return may matter."""
    if x.returning_units_play:
        return True
    for i in range(count):
        if x.ability[x.pool[i]] & Ability.AGILE:
            return True
    return False


@jit
def better_row(s: State, x: Context, side: Side, card: Card) -> Row:
    """Return the row in which a card counts more, close if both are equal."""
    row = only_row(x, card)
    if not x.ability[card] & Ability.AGILE:
        return row
    best = -1
    for other in range(RowName.CLOSE.value, RowName.SIEGE.value):
        value = strength_if_laid(s, x, side, other, card)
        if value > best:
            best, row = value, other
    return row


# -----------------------------------------------------------------------------
# The abilities of factions, each with the function that has a branch for it

FACTION_ABILITIES: dict[FactionAbility, Carried] = {
    FactionAbility.DRAW_AFTER_WIN: draw_after_win,
    FactionAbility.WIN_TIES: round_winner,
    FactionAbility.KEEP_ONE_UNIT: choose_kept_unit,
    FactionAbility.CHOOSE_STARTER: starter_chooser,
    FactionAbility.RETURN_TWO_UNITS: start_round,
}
FACTION_ABILITIES_AT_TABLE = FACTION_ABILITIES | {
    FactionAbility.DRAW_AFTER_WIN: draw_after_scoring,
    FactionAbility.WIN_TIES: scores_against,
}
