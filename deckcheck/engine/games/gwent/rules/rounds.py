"""Turns, passing, the end of a round and of the game (rules 1.3 and 1.4)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import (
    Ability,
    FactionAbility,
    Kind,
    Lot,
    Phase,
    RowName,
    Slot,
)
from deckcheck.engine.games.gwent.rules.abilities import deploy, resolve_stack
from deckcheck.engine.games.gwent.rules.board import landing_side, only_row, place
from deckcheck.engine.games.gwent.rules.free_for_all import (
    best_scorer,
    draw_after_scoring,
    score_round,
    target_reached,
)
from deckcheck.engine.games.gwent.rules.legal import nobody_can_play
from deckcheck.engine.games.gwent.rules.scoring import (
    rescore_all,
    side_total,
    unit_strength,
)
from deckcheck.engine.games.gwent.rules.seats import (
    has_many_sides,
    note_member,
    partner,
    players,
    sides,
    starting_member,
)
from deckcheck.engine.games.gwent.rules.side_deck import (
    arrive_summons,
    call_summons,
    leave_board,
    turn_berserkers,
)
from deckcheck.engine.games.gwent.rules.weather import clear_weather
from deckcheck.engine.games.gwent.rules.zones import draw_cards
from deckcheck.engine.jit import jit
from deckcheck.engine.piles import discard, remove_from_discard
from deckcheck.engine.scripted import pick
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

RETURN_ROUND = 3
RETURNING_UNITS = 2


@jit
def settle(s: State, x: Context) -> None:
    """After a turn: carry out what is on the stack, then pass the turn on.

    Stops where the player to move has a choice, and where the game is over. At the
    start of a round it lets the units of Skellige return first.
    """
    while True:
        resolve_stack(s, x, s.turn)
        if s.phase != Phase.PLAY:
            return
        if not s.resuming:
            next_turn(s, x, s.turn)
            return
        if not return_next(s, x):
            s.resuming = 0
            s.turn = s.starter
            if has_many_sides(s, x) and nobody_can_play(s, x):
                s.phase = Phase.OVER
            return


@jit
def next_turn(s: State, x: Context, player: Player) -> None:
    """The next player who has not passed is to move (1.3.2, 4.2, 5.4)."""
    count = players(s, x)
    for step in range(1, count + 1):
        other = (player + step) % count
        if not s.passed[other]:
            s.turn = other
            return


@jit
def pass_round(s: State, x: Context, player: Player) -> None:
    """Passing is final for the round; when all have passed the round ends (1.3.2)."""
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
    """The end of a round of a free-for-all: points in place of gems (4.3 to 4.5)."""
    score_round(s, x)
    if target_reached(s, x):
        s.phase = Phase.OVER
        return
    clean_up(s, x)
    draw_after_scoring(s, x)
    s.starter = best_scorer(s, x)
    start_round(s, x)


@jit
def round_winner(s: State, x: Context) -> Side:
    """The side with the higher total; a tie is won by Nilfgaard (1.7.2, 5.5.5)."""
    first, second = side_total(s, 0), side_total(s, 1)
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
    """Whether a side has no gems left; notes the winner, -1 for a draw (1.4.6)."""
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
    """Cards leave in the order of 1.4.3, steps b to e; horns and weather end."""
    for side in range(sides(s, x)):
        kept_row, kept = choose_kept_unit(s, x, side)
        for row in range(s.n_row.shape[1]):
            stays = kept if row == kept_row else -1
            clear_row(s, x, side, row, stays)
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
def clear_row(s: State, x: Context, side: Side, row: Row, stays: int) -> None:
    """All cards of a row leave, but the one at index `stays` (-1 for none)."""
    count = s.n_row[side, row]
    s.n_row[side, row] = 0
    for i in range(count):
        card = s.row[side, row, i]
        if i == stays:
            s.row[side, row, 0] = card
            s.n_row[side, row] = 1
            if x.kept_summoner_summons and x.ability[card] & Ability.SUMMON_AVENGER:
                call_summons(s, side, row, card)
        else:
            leave_board(s, x, side, row, card)


@jit
def choose_kept_unit(s: State, x: Context, side: Side) -> tuple[int, int]:
    """Monsters: a random non-hero unit of their side stays (1.7.3); (-1, -1): none."""
    for player in range(players(s, x)):
        if (
            x.side[player] == side
            and x.faction_ability[player] == FactionAbility.KEEP_ONE_UNIT
        ):
            return random_unit(s, x, player)
    return -1, -1


@jit
def is_own_unit(s: State, x: Context, player: Player, card: Card) -> bool:
    """Whether the faction of a player may keep or return this card: a non-hero unit.

    In a team it must be "a Monsters card or an enemy spy unit" (5.5.4), or a Skellige
    card or an enemy spy (5.5.7); the spies on a side are those of the enemy.
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
    """Row and index of a random unit that the player may keep; (-1, -1) for none."""
    side = x.side[player]
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if is_own_unit(s, x, player, s.row[side, row, i]):
                x.pool[count] = s.row[side, row, i]
                count += 1
    if count == 0:
        return -1, -1
    chosen = pick(s, x, count, Lot.KEPT.value, player, 1)
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            if is_own_unit(s, x, player, s.row[side, row, i]):
                if chosen == 0:
                    return row, i
                chosen -= 1
    return -1, -1


@jit
def draw_after_win(s: State, x: Context, winner: Side) -> None:
    """Northern Realms draw a card after winning a round (1.7.1)."""
    for player in range(players(s, x)):
        if (
            x.side[player] == winner
            and x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
        ):
            draw_cards(s, player, 1)


@jit
def next_starter(s: State, x: Context, winner: Side) -> Player:
    """The starter of the round after one that `winner` has won, -1 for a draw."""
    if x.starters_alternate:
        return (s.starter + 1) % players(s, x)
    if winner < 0:
        if x.same_starter_after_draw:
            return s.starter
        winner = 1 - x.side[s.starter]
    return starting_member(s, x, winner)


@jit
def start_round(s: State, x: Context) -> None:
    """Next round, with Skellige's return in round 3 (1.7.5)."""
    s.round_no += 1
    note_member(s, x, s.starter)
    returns = s.round_no == RETURN_ROUND or (
        x.skellige_returns_often and s.round_no > RETURN_ROUND
    )
    for player in range(players(s, x)):
        s.passed[player] = 0
        s.returning[player] = (
            returns and x.faction_ability[player] == FactionAbility.RETURN_TWO_UNITS
        )
    s.phase = Phase.PLAY
    s.resuming = 1


@jit
def return_next(s: State, x: Context) -> int:
    """Return the units of the next Skellige player; 0 when nobody is left."""
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
    """Two random non-hero units of the pile come back: put, or by option played."""
    side = x.side[player]
    for done in range(RETURNING_UNITS):
        count = 0
        for i in range(s.n_discard[side]):
            if is_own_unit(s, x, player, s.discard[side, i]):
                x.pool[count] = s.discard[side, i]
                count += 1
        if count == 0:
            break
        wanted = 1 if order_matters(x, count) else RETURNING_UNITS - done
        card = x.pool[pick(s, x, count, Lot.RETURNING.value, player, wanted)]
        remove_from_discard(s, side, card)
        if x.returning_units_play:
            row = landing_row(s, x, player, card)
            deploy(s, x, player, card, row)
        else:
            row = better_row(s, x, side, card)
            place(s, x, side, row, card)
            turn_berserkers(s, x, side, row)


@jit
def order_matters(x: Context, count: int) -> bool:
    """Whether it may matter which of the units in `x.pool` returns first."""
    if x.returning_units_play:
        return True
    for i in range(count):
        if x.ability[x.pool[i]] & Ability.AGILE:
            return True
    return False


@jit
def landing_row(s: State, x: Context, player: Player, card: Card) -> Row:
    """The better row of a card that is played; spies that are agile lie close."""
    side = landing_side(s, x, player, card)
    return better_row(s, x, side, card) if side >= 0 else only_row(x, card)


@jit
def better_row(s: State, x: Context, side: Side, card: Card) -> Row:
    """The row in which a card counts more; close if it makes no difference."""
    row = only_row(x, card)
    if not x.ability[card] & Ability.AGILE:
        return row
    best = -1
    for other in range(RowName.CLOSE.value, RowName.SIEGE.value):
        last = s.n_row[side, other]
        s.row[side, other, last] = card
        s.n_row[side, other] += 1
        value = unit_strength(s, x, side, other, last)
        s.n_row[side, other] -= 1
        if value > best:
            best, row = value, other
    return row
