"""SG Gwint: the records of state and context, and how a game is copied."""

from __future__ import annotations

import numpy as np

from deckcheck.engine.jit import Cells, Context, State, States, jit
from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The records a game of SG Gwint lives in: the state `s` and the context `x`
#
# Cards are numbers from 1 (see `context`), 0 is none. The numbers of the second
# player's cards are higher by `HALF`. Sizes are generous upper bounds. Going over a
# size raises IndexError instead of playing a wrong game.

INT = np.int64

HALF = 512  # different cards a card database may hold, with the leaders' weather
CARD_NUMBERS = 2 * HALF
MAX_DECK = 80  # cards in one deck (rules 1.2)
MAX_HAND = 96  # cards in one hand
MAX_PILE = 224  # cards in one graveyard
MAX_ROW = 112  # cards in one row
MAX_RESERVES = 48  # different cards in the reserves
MAX_TOKENS = 24  # tokens of a kind that never runs out (rules 1.12)
MAX_SKY = 64  # weather cards
MAX_LINKED = 6  # cards that a leader brings
MAX_BELOW = 192  # cards under other cards
MAX_LAGERS = 192  # units that brought a lager in one round
MAX_MOVED = 12  # units that one Diplomacy moves
MAX_STACK = 256  # cards to come into play or to use their abilities
MAX_MOVES = 768  # legal moves in one position
MAX_SCRIPT = 64  # scripted answers to random picks
ROWS = 3

STATE = np.dtype(
    [
        ("rng", INT, (4,)),  # the chance of this game
        ("phase", INT),
        ("stage", INT),
        ("turn", INT),  # the player to move
        ("active", INT),  # the player of the turn, even while the opponent chooses
        ("turn_over", INT),  # 1 once the turn is spent
        ("must_play", INT),  # 1 after a leader that a card has to follow
        ("round_no", INT),  # from 1
        ("starter", INT),  # the player who starts this round
        ("first", INT),  # the player who started the game, -1 before that
        ("winner", INT),  # of the match, -1 for none
        ("last_winner", INT),  # of the round before, -1 for a tie
        ("tied", INT),  # 1 if the round before was a tie
        ("turns", INT),  # moves made so far
        ("history", INT),  # 32-bit hash of the moves so far
        ("coin", INT),  # the player who wins the coin toss
        ("tossed", INT),  # 1 once the toss is known to all
        ("n_tosses", INT),  # tosses of this game so far
        ("replays", INT),  # replays left
        ("asked", INT),  # number of players who were asked in this stage
        ("picked", INT),  # the card of an open choice, or 0
        ("picked_drop", INT),  # the abilities that this card does not use
        # side, row and index of the unit to move
        ("picked_side", INT),
        ("picked_row", INT),
        ("picked_index", INT),
        ("acting", INT),  # the unit whose ability asks for a choice, -1 for a special
        ("to_move", INT),  # units that Diplomacy may still move
        ("n_moved", INT),
        ("moved", INT, (MAX_MOVED,)),  # units that Diplomacy has moved
        ("lives", INT, (2,)),
        ("passed", INT, (2,)),
        ("redraws", INT, (2,)),
        ("leader_state", INT, (2,)),
        ("chooser", INT, (2,)),  # Scoia'tael: 1 announced for this round
        ("choice_spent", INT, (2,)),  # 1 once the ability is used
        ("returning", INT, (2,)),  # 1 while Skellige's units have still to return
        ("n_linked", INT, (2,)),
        ("linked", INT, (2, MAX_LINKED)),  # a leader's cards still to be laid
        ("n_hand", INT, (2,)),
        ("hand", INT, (2, MAX_HAND)),  # sorted, the player's own copies first
        ("seen", INT, (2, MAX_HAND)),  # 1 if the opponent knows the card
        ("n_deck", INT, (2,)),
        ("deck", INT, (2, MAX_DECK)),  # the top card is the last one
        ("n_under", INT, (2,)),  # bottom cards that the player has put there
        ("under_seen", INT, (2, MAX_DECK)),  # 1 if the opponent knows that card
        ("reserves", INT, (2, MAX_RESERVES)),  # copies left
        ("n_discard", INT, (2,)),
        ("discard", INT, (2, MAX_PILE)),  # the graveyards
        ("n_row", INT, (2, ROWS)),
        ("row", INT, (2, ROWS, MAX_ROW)),
        ("extra", INT, (2, ROWS, MAX_ROW)),  # strength added by the cards below
        ("ident", INT, (2, ROWS, MAX_ROW)),  # a unique number of each unit, from 1
        ("stayed", INT, (2, ROWS, MAX_ROW)),  # 1 if tenacity is used
        ("slot", INT, (2, ROWS)),  # the card in the slot of the row
        ("total", INT, (2, ROWS)),  # kept up to date by `rescore`
        ("last_ident", INT),
        ("n_sky", INT),
        ("sky", INT, (MAX_SKY,)),  # the weather cards
        ("sky_rows", INT),  # the rows under these weather cards, as a bit mask
        ("n_below", INT),
        ("below", INT, (MAX_BELOW, 2)),  # unit, card under it
        ("n_lagers", INT),
        ("lagers", INT, (MAX_LAGERS, 3)),  # unit that brought it, side, row
        ("n_stack", INT),
        ("stack", INT, (MAX_STACK, 4)),  # card, player, unit, abilities
        ("n_removed", INT),  # cards that left the game
    ]
)

NUMBER_OPTIONS = (
    "lives",
    "hand_size",
    "redraws",
    "cards_per_round",
    "redraws_per_round",
    "replays",
    "demotivation_size",
)
OPTION_FLAGS: Flags = {
    "setup_order": {"short": "short_setup"},
    "coin_winner": {"starts": "coin_winner_starts"},
    "klepna_is_turn": {True: "klepna_takes_turn"},
    "after_free_leader": {"play_or_discard": "discard_follows_leader"},
    "shielded_count_for_scorch": {False: "scorch_ignores_shielded"},
    "boosts_include_self": {False: "boosts_spare_self"},
    "lagers_stack": {True: "lagers_stack"},
    "weather_effect": {"to_one": "weather_to_one"},
    "immune_keeps_lager": {False: "immune_loses_lager"},
    "revived_abilities": {"idle": "revived_are_idle"},
    "pulled_card": {"hand": "pulled_to_hand"},
    "lager_ends": {"with_its_unit": "lager_leaves"},
    "diplomacy_repeats": {True: "moved_again"},
    "guardian_side": {"owner": "summoned_to_owner"},
    "linked_cards": {"alone": "linked_alone"},
    "starter_after_tie": {
        "other": "other_starts_after_tie",
        "same": "same_starts_after_tie",
    },
    "shield_stops_own_text": {"both": "shielded_go", "neither": "shielded_stay"},
}
"""The options of play, see `registry.fill_options`."""

CONTEXT = np.dtype(
    [
        # the card table, by card number
        ("strength", INT, (CARD_NUMBERS,)),
        ("kind", INT, (CARD_NUMBERS,)),
        ("rows", INT, (CARD_NUMBERS,)),  # bit mask of its rows, or of weather's rows
        ("ability", INT, (CARD_NUMBERS,)),
        ("shield", INT, (CARD_NUMBERS,)),
        ("family", INT, (CARD_NUMBERS,)),  # the muster family the card belongs to
        ("calls", INT, (CARD_NUMBERS,)),  # the family its muster calls, 0 for none
        ("summoned", INT, (CARD_NUMBERS,)),  # the card that a guardian brings
        ("becomes", INT, (CARD_NUMBERS,)),  # the card into which it transforms
        ("brings", INT, (CARD_NUMBERS,)),  # the card that it brings from the reserves
        ("brought", INT, (CARD_NUMBERS,)),  # the number of cards that it brings
        ("reinforces", INT, (CARD_NUMBERS,)),  # the strength of its reinforcement
        ("adds", INT, (CARD_NUMBERS,)),  # the strength it adds to the card above it
        ("relocates", INT, (CARD_NUMBERS,)),  # the number of units Diplomacy moves
        ("returns", INT, (CARD_NUMBERS,)),  # 1 if it may return from the graveyard
        ("plain", INT, (CARD_NUMBERS,)),  # the number of the card in the database
        ("owner", INT, (CARD_NUMBERS,)),
        ("reserve_index", INT, (CARD_NUMBERS,)),  # place in the reserves, -1 for none
        ("pulled", INT, (CARD_NUMBERS,)),  # 1 if the leader of its owner may take it
        # the card table for the views of players, see `features`
        ("role", INT, (CARD_NUMBERS,)),
        ("lane", INT, (CARD_NUMBERS,)),
        ("worth", INT, (CARD_NUMBERS,)),  # in an average use
        # the seats
        ("faction_ability", INT, (2,)),
        ("leader", INT, (2,)),
        ("passive", INT, (2,)),
        ("free", INT, (2,)),
        ("leader_card", INT, (2,)),  # the leader as a weather card
        ("leader_amount", INT, (2,)),
        ("n_linked", INT, (2,)),
        ("linked", INT, (2, MAX_LINKED)),
        ("n_deck", INT, (2,)),
        ("deck", INT, (2, MAX_DECK)),
        ("by_place", INT, (2,)),  # 1: the places of the deck are shuffled
        ("n_reserves", INT),
        ("reserves", INT, (2, MAX_RESERVES)),
        ("reserve_card", INT, (2, MAX_RESERVES)),
        ("opening_card", INT, (2,)),  # Klepna, 0 for none
        ("demotivation", INT, (2,)),  # the token, 0 for none
        ("coin", INT),  # the player who wins the first coin toss
        *((name, INT) for name in option_fields(NUMBER_OPTIONS, OPTION_FLAGS)),
        # players of the seats, and their own chance
        ("policy", INT, (2,)),
        ("budget", INT, (2,)),  # of players with a budget
        ("rng", INT, (4,)),
        # buffers
        ("moves", INT, (MAX_MOVES,)),
        ("places", INT, (2 * MAX_DECK,)),  # cards during a shuffle, by place
        ("pool", INT, (MAX_DECK + MAX_PILE,)),  # for picks and shuffles
        # scripted chance (scenarios)
        ("scripted", INT),
        ("n_script", INT),
        ("script_pos", INT),
        ("script_error", INT),
        ("asked", INT, (2,)),  # cause and player of a pick without a right answer
        ("n_asked", INT),
        ("asked_cards", INT, (MAX_DECK + MAX_PILE,)),  # the right answers
        ("script", INT, (MAX_SCRIPT,)),
        ("coins", INT, (MAX_SCRIPT,)),  # the winners of tosses after the first
        # the heuristic tries moves on copies
        ("trial", STATE, (3,)),
        ("tried", INT, (3, MAX_MOVES)),
    ]
)


# -----------------------------------------------------------------------------
# Copying a game: only the cards on the table, a small part of the records


@jit
def copy_to(s: State, x: Context, copies: States, index: int) -> None:
    """Make the state at `index` of `copies` the same game as `s`."""
    copy_game(copies[index], s, x)


@jit
def copy_game(t: State, s: State, x: Context) -> None:
    """Make `t` the same game as `s`. Cells after the end of a zone stay."""
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
    """Copy the progress of the match."""
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
    """Copy the pending choice and the sizes of the common zones."""
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
    """Copy the numbers of the players."""
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
    """Copy the cards of the players."""
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
    """Copy the cards in the rows and beside them."""
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
    """Copy the weather, the cards below others, and the stack."""
    copy_cells(t.sky, s.sky, s.n_sky)
    for i in range(s.n_below):
        copy_cells(t.below[i], s.below[i], s.below.shape[1])
    for i in range(s.n_lagers):
        copy_cells(t.lagers[i], s.lagers[i], s.lagers.shape[1])
    for i in range(s.n_stack):
        copy_cells(t.stack[i], s.stack[i], s.stack.shape[1])
