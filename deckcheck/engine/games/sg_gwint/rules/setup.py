"""Before the first turn (rules 2): announcements, hands, redraws, coin, Klepna."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card
from deckcheck.engine.games.sg_gwint.codes import (
    FactionAbility,
    LeaderState,
    Phase,
    Stage,
)
from deckcheck.engine.games.sg_gwint.rules.abilities import land
from deckcheck.engine.games.sg_gwint.rules.zones import (
    draw_cards,
    put_under_deck,
    remove_from_hand,
    shuffle_deck,
    take_from_reserves,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import copy_deck
from deckcheck.engine.types import Card, Context, Move, Player, Row, State


@jit
def lay_out(s: State, x: Context) -> None:
    """A fresh match on an empty board, with the decks in the order of the lists."""
    s.phase = Phase.PLAY
    s.stage = Stage.ANNOUNCING
    s.round_no = 1
    s.first = -1
    s.winner = -1
    s.last_winner = -1
    s.tied = 0
    s.turn_over = 0
    s.must_play = 0
    s.asked = 0
    s.picked = 0
    s.acting = 0
    s.n_stack = 0
    s.n_below = 0
    s.n_lagers = 0
    s.n_moved = 0
    s.n_sky = 0
    s.sky_rows = 0
    s.n_removed = 0
    s.last_ident = 0
    s.tossed = 0
    for player in range(2):
        lay_out_seat(s, x, player)


@jit
def lay_out_seat(s: State, x: Context, player: Player) -> None:
    """The lives, the leader, the deck and the reserves of a player."""
    s.lives[player] = x.lives
    s.passed[player] = 0
    s.chooser[player] = 0
    s.choice_spent[player] = 0
    s.returning[player] = 0
    s.leader_state[player] = (
        LeaderState.PASSIVE if x.passive[player] else LeaderState.READY
    )
    s.n_linked[player] = x.n_linked[player]
    for i in range(x.n_linked[player]):
        s.linked[player, i] = x.linked[player, i]
    s.n_hand[player] = 0
    s.n_discard[player] = 0
    s.n_under[player] = 0
    copy_deck(s, x, player)
    for i in range(x.n_reserves):
        s.reserves[player, i] = x.reserves[player, i]
    for row in range(s.n_row.shape[1]):
        s.n_row[player, row] = 0
        s.slot[player, row] = 0
        s.total[player, row] = 0


@jit
def announcing(s: State, x: Context) -> None:
    """Each Scoia'tael player says whether they will choose who starts (2.1)."""
    while s.asked < 2:
        player = s.asked
        s.asked += 1
        if x.faction_ability[player] == FactionAbility.CHOOSE_STARTER:
            s.phase = Phase.ANNOUNCE
            s.turn = player
            return
    s.stage = Stage.TOSSING if x.short_setup else Stage.DEALING


@jit
def announce(s: State, player: Player) -> None:
    """The player will choose who starts round 1, and has used the ability (7.8)."""
    s.chooser[player] = 1
    s.choice_spent[player] = 1


@jit
def deal(s: State, x: Context) -> None:
    """Shuffle and draw (2.2). Both games of a mirrored pair have the same shuffles."""
    for player in range(2):
        shuffle_deck(s, x, player)
        draw_cards(
            s, x, player, x.hand_size + x.leader_amount[player] * x.passive[player]
        )
        s.redraws[player] = x.redraws
    s.stage = Stage.REDRAWING


@jit
def may_redraw(s: State, player: Player) -> bool:
    """Whether the player has a redraw and a card to give, and gets another for it."""
    return s.redraws[player] > 0 and s.n_deck[player] > 0 and s.n_hand[player] > 0


@jit
def redrawing(s: State, x: Context) -> None:
    """The players redraw one after the other, in the order of the seats (2.11)."""
    for player in range(2):
        if may_redraw(s, player):
            s.phase = Phase.REDRAW
            s.turn = player
            return
    s.asked = 0
    if s.round_no > 1:
        s.stage = Stage.CLAIMING
    elif x.short_setup:
        s.stage = Stage.TURNS
    else:
        s.stage = Stage.TOSSING


@jit
def redraw(s: State, x: Context, player: Player, card: Card) -> None:
    """Put a card on the bottom of the deck and draw the top card (2.4)."""
    seen = remove_from_hand(s, player, card)
    put_under_deck(s, player, card, seen)
    draw_cards(s, x, player, 1)
    s.redraws[player] -= 1


@jit
def keep_hand(s: State, player: Player) -> None:
    """The player does not redraw any more."""
    s.redraws[player] = 0


@entry
def redrawn_card(s: State, move: Move) -> Card:
    """The card of the dealt hand that a move sends back, 0 for keeping it, else -1.

    The redraws of later rounds are others.
    """
    return move_card(move) if s.phase == Phase.REDRAW and s.round_no == 1 else -1


@jit
def tossing(s: State, x: Context) -> None:
    """The only player to announce it chooses, else the winner of the coin (2.6)."""
    s.tossed = 1
    if s.chooser[0] != s.chooser[1]:
        s.turn = 0 if s.chooser[0] else 1
        s.phase = Phase.STARTER
    elif x.coin_winner_starts:
        start_with(s, s.coin)
    else:
        s.turn = s.coin
        s.phase = Phase.STARTER


@jit
def start_with(s: State, player: Player) -> None:
    """`player` starts the round: the next stage begins."""
    s.starter = player
    s.active = player
    if s.round_no > 1:
        s.stage = Stage.RETURNING
        return
    s.first = player
    s.stage = Stage.OPENING


@jit
def opening(s: State, x: Context) -> None:
    """The starting player lays Klepna into any row of their side (2.7)."""
    klepna = x.opening_card[s.starter]
    s.stage = Stage.DEALING if x.short_setup else Stage.TURNS
    if klepna and take_from_reserves(s, x, klepna):
        s.picked = klepna
        s.turn = s.starter
        s.phase = Phase.KLEPNA


@jit
def lay_klepna(s: State, x: Context, player: Player, row: Row) -> None:
    """Lay Klepna; it is not a turn, unless by option (2.8)."""
    land(s, x, player, s.picked, player, row, 0)
    s.picked = 0
    if x.klepna_takes_turn:
        s.active = 1 - player
