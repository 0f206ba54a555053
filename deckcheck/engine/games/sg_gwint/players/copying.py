"""Copying a game: only what lies on the table, which is a small part of the records."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.types import Cells, Context, State, States


@jit
def copy_to(s: State, x: Context, copies: States, at: int) -> None:
    """Make the state at this place of `copies` the same game as `s`."""
    copy_game(copies[at], s, x)


@jit
def copy_game(t: State, s: State, x: Context) -> None:
    """Make `t` the same game as `s`. What lies behind the end of a zone stays."""
    copy_course(t, s)
    copy_choice(t, s)
    copy_seats(t, s)
    copy_hands(t, s, x)
    copy_rows(t, s)
    copy_piles(t, s)


@jit
def copy_cells(to: Cells, cells: Cells, count: int) -> None:
    """Copy the first cells of a list."""
    for i in range(count):
        to[i] = cells[i]


@jit
def copy_course(t: State, s: State) -> None:
    """How far the match has come."""
    copy_cells(t.rng, s.rng, s.rng.shape[0])
    t.phase = s.phase
    t.stage = s.stage
    t.turn = s.turn
    t.active = s.active
    t.turn_over = s.turn_over
    t.must_play = s.must_play
    t.round_no = s.round_no
    t.starter = s.starter
    t.first = s.first
    t.winner = s.winner
    t.last_winner = s.last_winner
    t.tied = s.tied
    t.turns = s.turns
    t.history = s.history
    t.coin = s.coin
    t.tossed = s.tossed
    t.n_tosses = s.n_tosses
    t.replays = s.replays


@jit
def copy_choice(t: State, s: State) -> None:
    """What is asked, and how many cards lie in the common zones."""
    t.asked = s.asked
    t.picked = s.picked
    t.picked_drop = s.picked_drop
    t.picked_side = s.picked_side
    t.picked_row = s.picked_row
    t.picked_index = s.picked_index
    t.acting = s.acting
    t.to_move = s.to_move
    t.n_moved = s.n_moved
    copy_cells(t.moved, s.moved, s.n_moved)
    t.last_ident = s.last_ident
    t.n_sky = s.n_sky
    t.sky_rows = s.sky_rows
    t.n_below = s.n_below
    t.n_lagers = s.n_lagers
    t.n_stack = s.n_stack
    t.n_removed = s.n_removed


@jit
def copy_seats(t: State, s: State) -> None:
    """The figures of the players."""
    for player in range(2):
        t.lives[player] = s.lives[player]
        t.passed[player] = s.passed[player]
        t.redraws[player] = s.redraws[player]
        t.leader_state[player] = s.leader_state[player]
        t.chooser[player] = s.chooser[player]
        t.choice_spent[player] = s.choice_spent[player]
        t.returning[player] = s.returning[player]
        t.n_linked[player] = s.n_linked[player]
        t.n_hand[player] = s.n_hand[player]
        t.n_deck[player] = s.n_deck[player]
        t.n_under[player] = s.n_under[player]
        t.n_discard[player] = s.n_discard[player]


@jit
def copy_hands(t: State, s: State, x: Context) -> None:
    """The cards of the players."""
    for p in range(2):
        copy_cells(t.linked[p], s.linked[p], s.n_linked[p])
        copy_cells(t.hand[p], s.hand[p], s.n_hand[p])
        copy_cells(t.seen[p], s.seen[p], s.n_hand[p])
        copy_cells(t.deck[p], s.deck[p], s.n_deck[p])
        copy_cells(t.under_seen[p], s.under_seen[p], s.n_under[p])
        copy_cells(t.reserves[p], s.reserves[p], x.n_reserves)
        copy_cells(t.discard[p], s.discard[p], s.n_discard[p])


@jit
def copy_rows(t: State, s: State) -> None:
    """The cards in the rows and beside them."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            count = s.n_row[side, row]
            t.n_row[side, row] = count
            copy_cells(t.row[side, row], s.row[side, row], count)
            copy_cells(t.extra[side, row], s.extra[side, row], count)
            copy_cells(t.ident[side, row], s.ident[side, row], count)
            copy_cells(t.stayed[side, row], s.stayed[side, row], count)
            t.slot[side, row] = s.slot[side, row]
            t.total[side, row] = s.total[side, row]


@jit
def copy_piles(t: State, s: State) -> None:
    """The weather, the cards that lie under others, and those on their way."""
    copy_cells(t.sky, s.sky, s.n_sky)
    for i in range(s.n_below):
        copy_cells(t.below[i], s.below[i], s.below.shape[1])
    for i in range(s.n_lagers):
        copy_cells(t.lagers[i], s.lagers[i], s.lagers.shape[1])
    for i in range(s.n_stack):
        copy_cells(t.stack[i], s.stack[i], s.stack.shape[1])
