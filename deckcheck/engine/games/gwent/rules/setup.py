"""Set-up and redraws (rules 1.2): until the first turn."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card
from deckcheck.engine.games.gwent.codes import FactionAbility, Phase, Slot
from deckcheck.engine.games.gwent.rules.leaders.passive import (
    next_voider,
    set_up_leaders,
)
from deckcheck.engine.games.gwent.rules.seats import TWO, note_member, players, sides
from deckcheck.engine.games.gwent.rules.zones import draw_cards
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import (
    add_to_deck_bottom,
    copy_deck,
    remove_from_hand,
    shuffle_deck,
)
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Move, Player, State


@entry
def set_up(s: State, x: Context) -> None:
    """Gems, leaders, shuffled decks; then the coin, or Scoia'tael, decides who begins.

    `s.rng` must be seeded.
    """
    lay_out(s, x)
    begin_game(s, x)


@jit
def lay_out(s: State, x: Context) -> None:
    """Gems, leaders and shuffled decks on an empty board (rules 1.2.1).

    Decks are shuffled in the order of the players, so the two games of a mirrored pair
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
    """What is decided before the first card is drawn: leaders to void, who begins."""
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
    """An empty board with full gems."""
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
    """The Scoia'tael player who decides who begins; -1 for none.

    With two players who both are Scoia'tael the coin decides (1.7.4); with more,
    chance decides which of them picks (4.6.5, 5.5.6): in a scripted game it is the
    first one clockwise from the coin.
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
        if count == TWO:
            return -1
        if not x.scripted:
            return drawn_chooser(s, x, draw_below(s.rng, choosers))
    return chooser


@jit
def drawn_chooser(s: State, x: Context, drawn: int) -> Player:
    """The Scoia'tael player whom chance has drawn, counted by seats."""
    for player in range(players(s, x)):
        if x.faction_ability[player] == FactionAbility.CHOOSE_STARTER:
            if drawn == 0:
                return player
            drawn -= 1
    return -1


@jit
def choose_starter(s: State, x: Context, starter: Player) -> None:
    """`starter` begins the game: hands are drawn, redraws start there."""
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
def may_redraw(s: State, player: Player) -> bool:
    """Whether the player has a redraw left, a card to give and one to take."""
    return s.redraws[player] > 0 and s.n_deck[player] > 0 and s.n_hand[player] > 0


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
    """The player is done redrawing; then the others redraw, then round 1 starts."""
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
    """The card that a move sends back, 0 for one that keeps the hand, else -1."""
    return move_card(move) if s.phase == Phase.REDRAW else -1
