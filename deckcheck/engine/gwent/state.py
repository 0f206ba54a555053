"""State and context records, of two, many and solo."""

from __future__ import annotations

import numpy as np

from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The records a game of Gwent lives in: the state `s` and the context `x`.
#
# Every field is an int64 cell or array. A record is passed to compiled code as a bare
# pointer, and copying a state is one assignment (`states[1] = states[0]`). Cards are
# numbers from 1 (see `context`), 0 is none. Sizes are generous upper bounds;
# going over one raises IndexError instead of playing a wrong game.

INT = np.int64

CARDS = 384  # different cards a card database may hold
DECK = 96  # cards in one deck, shuffled-in discards included
HAND = 48  # cards in one hand
PILE = 128  # cards in one discard pile
ROW = 48  # cards in one row
SIDE_DECK = 12  # different cards that wait in a side deck
STACK = 24  # played cards whose abilities are still to be carried out
MOVES = 256  # legal moves in one position
SCRIPT = 64  # scripted answers to random picks
ROWS = 3
WEATHERS = 4


# What a heuristic player goes by, in points of strength; values: `weights`.
# Four figures are for the gems left: 2 and 2, 2 and the other 1, 1 and 2, 1 and 1.
GEMS = 4
FIGURES = np.dtype(
    [
        # how much weighs what a move brings, is worth, and is worth more than it brings
        ("gain_weight", INT, (GEMS,)),
        ("worth_weight", INT, (GEMS,)),
        ("waste_weight", INT, (GEMS,)),
        ("spy_bonus", INT),
        ("agile_horn", INT),  # for the row that their own leader may double
        ("agile_ranged", INT),
        # worth of a card in an average use, of some besides their strength
        ("card", INT),  # one more card in hand
        ("hero", INT),
        ("medic", INT),
        ("horn_unit", INT),
        ("scorch_unit", INT),
        ("morale", INT),
        ("berserker", INT),
        ("muster", INT),  # percent of what it calls
        ("bond", INT),  # percent of the strength for each further copy in hand
        ("horn", INT),
        ("horn_hand", INT),  # percent of the units in hand for the row
        ("weather_hand", INT),  # the same, as a loss
        ("scorch", INT),
        ("decoy", INT),
        ("mardroeme", INT),
        ("mardroeme_hand", INT),  # percent of what Berserkers in hand for the row gain
        ("clear", INT),
        ("weather", INT),
        ("leader", INT),
        ("patient", INT),  # 1 to keep a leader who finds no card in a discard pile
        ("exchange", INT),  # percent of the worth of a leader's exchange of cards
        # gains that cannot be tried out
        ("second_revival", INT),  # of a medic that a medic revives
        ("bond_copy", INT),  # of the leader who plays a bond from the deck
        ("little", INT),  # of a leader who changes no strength, or seldom
        # when to pass: what a card of the other brings at most, and percent of the
        # average strength of those that they may hold
        ("reach", INT),
        ("reach_share", INT),
        ("reach_leader", INT),  # what a leader brings who is not used yet
        # a lead to rest on; what each card of their own and of the opponent adds to it;
        # percent of the worth of their hand, and of the strength the opponent may hold
        ("rest", INT, (GEMS,)),
        ("rest_own", INT, (GEMS,)),
        ("rest_enemy", INT, (GEMS,)),
        ("rest_hand", INT, (GEMS,)),
        ("rest_held", INT, (GEMS,)),
        # too far behind to follow, the same, and percent of the two best moves
        ("give_up", INT, (GEMS,)),
        ("give_up_own", INT, (GEMS,)),
        ("give_up_enemy", INT, (GEMS,)),
        ("give_up_reserve", INT, (GEMS,)),
        ("give_up_hand", INT, (GEMS,)),
        ("useful", INT, (GEMS,)),  # what the best move has to bring
        ("spy_rest", INT, (GEMS,)),  # a lead on which no spy is played any more
        # when the opponent has passed
        ("fair_price", INT),  # the most a card may be worth that wins such a round
        ("fair_edge", INT),  # more for each card more than the opponent's
        ("chase", INT),  # how far behind to start making up with several cards
        ("finish", INT),  # 1 to win a round at any price that wins the game
        # redraws and choices
        ("redraw_margin", INT),  # so much less than the average is given back
        ("keep_spy", INT),
        ("keep_bond", INT),  # percent of the strength for each copy in the deck
        ("clockwise", INT),  # 1 to prefer, of equal players, those who sit next
    ]
)


def state_dtype(players: int, sides: int) -> np.dtype[np.void]:
    """Return the record of a game with `players` players on `sides` sides.

    A side has rows, a discard pile and gems; a player has a deck, a hand and a leader.
    """
    return np.dtype(
        [
            ("rng", INT, (4,)),  # the chance of this game
            ("phase", INT),
            ("turn", INT),  # the player to move
            ("round_no", INT),  # from 1
            ("starter", INT),  # who started this round
            ("first", INT),  # who started the game
            ("winner", INT),  # the winning side, -1 for none
            ("turns", INT),  # moves made so far
            ("history", INT),  # 32-bit hash of the moves so far
            ("resuming", INT),  # 1 while Skellige units return at the start of a round
            ("picked", INT),  # the card in the air: of a random revival, a Decoy, a spy
            ("picked_row", INT),  # the row of a spy that waits for its recipient
            ("to_discard", INT),  # cards Destroyer of Worlds still has to discard
            ("voiding", INT),  # 1 + the White Flame player who chooses a leader, or 0
            ("gems", INT, (sides,)),
            ("points", INT, (players,)),  # of a free-for-all
            ("gained", INT, (players,)),  # points of the round just ended
            ("next_member", INT, (sides,)),  # the player who starts for the side next
            ("passed", INT, (players,)),
            ("redraws", INT, (players,)),  # redraws left
            ("leader", INT, (players,)),
            ("leader_state", INT, (players,)),
            ("double_spies", INT),  # passive leaders in force, see `set_up_leaders`
            ("random_revival", INT),
            ("half_weather", INT, (sides,)),
            ("extra_card", INT, (players,)),
            ("returning", INT, (players,)),  # Skellige players whose units still return
            ("n_hand", INT, (players,)),
            ("hand", INT, (players, HAND)),  # sorted
            ("seen", INT, (players, HAND)),  # who knows it, see `known_mark`
            ("n_deck", INT, (players,)),
            ("deck", INT, (players, DECK)),  # the top card is the last one
            ("side_deck", INT, (players, SIDE_DECK)),  # copies left
            ("n_discard", INT, (sides,)),
            ("discard", INT, (sides, PILE)),
            ("n_row", INT, (sides, ROWS)),
            ("row", INT, (sides, ROWS, ROW)),
            ("slot", INT, (sides, ROWS)),  # the special beside the row
            ("slot_card", INT, (sides, ROWS)),
            ("leader_horn", INT, (sides, ROWS)),
            ("total", INT, (sides, ROWS)),  # kept up to date by `rescore`, as are
            ("morale", INT, (sides, ROWS)),  # how many cards of the row boost morale
            ("horns", INT, (sides, ROWS)),  # and how many have a horn
            ("weather", INT, (WEATHERS,)),  # 0, or 1 + the player who played it
            ("weather_card", INT, (WEATHERS,)),
            ("n_stack", INT),
            ("stack", INT, (STACK, 3)),  # card, row, side or -1
            ("n_removed", INT),  # cards that left the game
            ("n_summons", INT),
            ("summons", INT, (STACK, 3)),  # side, row left, card that left
        ]
    )


NUMBERS = ("gems", "hand_size", "redraws")
FLAGS: Flags = {
    "next_starter": {"alternate": "starters_alternate"},
    "starter_after_draw": {"same": "same_starter_after_draw"},
    "leader_on_empty_hand": {"forbidden": "empty_hand_passes"},
    "decoy_without_target": {"allowed": "decoy_needs_no_target"},
    "special_without_effect": {"forbidden": "special_needs_effect"},
    "repeated_weather": {"forbidden": "repeated_weather_forbidden"},
    "base_zero_under_weather": {"becomes_one": "zero_becomes_one"},
    "king_bran": {"result_rounded_down": "bran_rounds_result_down"},
    "skellige_return": {"play": "returning_units_play"},
    "kept_summoner_summons": {True: "kept_summoner_summons"},
    "decoyed_summoner_summons": {True: "decoyed_summoner_summons"},
    "summoned_row": {"summoner": "summoned_joins_row"},
    "summoned_card_leaves": {"removed": "summoned_card_vanishes"},
    "berserker_without_side_card": {"leaves": "berserker_leaves"},
    "pirate_spares_itself": {False: "pirate_hits_itself"},
    "leader_without_effect": {"forbidden": "leader_needs_effect"},
    "hope_of_the_aen_seidhe": {"both": "hope_moves_both_sides"},
    "leader_target": {"with_effect": "leader_wants_target"},
    "arnjolf": {"any_bond": "any_bond_chosen"},
    "leader_row_scorch": {"each": "leader_scorches_all"},
    "pirate_at_a_table": {"each": "pirate_scorches_each"},
    "northern_realms_draw": {
        "with_points": "realms_draw_for_points",
        "alone": "realms_draw_alone",
    },
    "skellige_rounds": {"from_third": "skellige_returns_often"},
    "target_together": {"all": "target_shared", "goes_on": "shared_target_goes_on"},
    "nobody_can_play": {"draw": "exhausted_is_draw"},
    "neutral_colour": {"none": "neutrals_colourless"},
    "team_starter": {"first": "same_member_starts"},
    "tied_starter": {"same": "tied_starter_stays", "lot": "tied_starter_by_lot"},
    "white_flame": {"all": "flame_voids_all", "opponents": "flame_voids_opponents"},
}
"""The options of play, see `registry.fill_options`."""


def context_dtype(players: int) -> np.dtype[np.void]:
    """Return the record of constant data: cards, decks, options, buffers."""
    return np.dtype(
        [
            # the card table, by card number
            ("strength", INT, (CARDS,)),
            ("kind", INT, (CARDS,)),
            ("rows", INT, (CARDS,)),  # bit mask
            ("ability", INT, (CARDS,)),
            ("family", INT, (CARDS,)),  # the muster family the card belongs to
            ("calls", INT, (CARDS,)),  # the family its muster calls, 0 for none
            ("answers", INT, (CARDS,)),  # 1 if a muster calls its family
            ("becomes", INT, (CARDS,)),  # what a berserker turns into
            ("summoned", INT, (CARDS,)),  # what its leaving summons
            ("side_index", INT, (CARDS,)),  # place in the side deck, -1 for none
            ("colour", INT, (CARDS,)),  # faction of a card, by its colour; 0 for none
            ("plain", INT, (CARDS,)),  # the number of the card in the database
            ("role", INT, (CARDS,)),  # what players look at, see `features`
            ("lane", INT, (CARDS,)),
            ("worth", INT, (CARDS,)),  # in an average use
            # the seats
            ("n_players", INT),
            ("n_sides", INT),
            ("side", INT, (players,)),
            ("faction_ability", INT, (players,)),
            ("leader", INT, (players,)),
            ("passive", INT, (players,)),
            ("musters", INT, (players,)),  # 1 if the deck has cards that a muster calls
            ("n_deck", INT, (players,)),
            ("deck", INT, (players, DECK)),
            ("by_place", INT, (players,)),  # 1: the places of the deck are shuffled
            ("side_deck", INT, (players, SIDE_DECK)),
            ("side_card", INT, (players, SIDE_DECK)),  # the cards of the side deck
            ("own_colour", INT, (players,)),  # the colour of the faction
            ("coin", INT),  # whom the coin lets begin
            *((name, INT) for name in option_fields(NUMBERS, FLAGS)),
            # players of the seats, and their own chance
            ("policy", INT, (players,)),
            ("figures", FIGURES, (players,)),
            ("first_figures", FIGURES),  # of `heuristic-1`
            ("budget", INT, (players,)),  # of players who have one
            ("rng", INT, (4,)),
            # buffers
            ("moves", INT, (MOVES,)),
            ("places", INT, (2 * DECK,)),  # cards of a shuffle by place
            ("pool", INT, (DECK + PILE,)),  # candidates of a pick, cards of a shuffle
            # scripted chance (scenarios)
            ("scripted", INT),
            ("n_script", INT),
            ("script_pos", INT),
            ("script_error", INT),
            ("script", INT, (SCRIPT,)),
            ("asked", INT, (2,)),  # pick without a right answer: its cause, player
            ("n_asked", INT),
            ("asked_cards", INT, (DECK + PILE,)),  # what it could be
        ]
    )


MOST_PLAYERS = 5

STATE = state_dtype(2, 2)
CONTEXT = context_dtype(2)
MANY_STATE = state_dtype(MOST_PLAYERS, MOST_PLAYERS)  # free-for-all and teams
MANY_CONTEXT = context_dtype(MOST_PLAYERS)


def new_states(count: int, dtype: np.dtype[np.void] = STATE) -> np.recarray:
    """`count` empty states; element 0 is the game, the others are for search."""
    return np.zeros(count, dtype).view(np.recarray)


def new_context(dtype: np.dtype[np.void] = CONTEXT) -> np.recarray:
    """Return one empty context in an array of length 1."""
    return np.zeros(1, dtype).view(np.recarray)


# -----------------------------------------------------------------------------
# The records of solo: those of two players, and what the automa needs (rules 6).
#
# Player and side 0 are the user, player and side 1 the automa.

USER = 0
AUTOMA = 1

LEADERS = 12  # leaders of one faction
HIDDEN = 24  # cards under Decoys
DEPTH = 16  # choices of the automa in one play
OPTIONS = PILE + 32  # what it can choose from at once
ACTIONS = 64  # actions of the automa within one move of the user
TIES = 32  # equally good plans that chance chooses from


def add_fields(
    base: np.dtype[np.void], *fields: tuple[object, ...]
) -> np.dtype[np.void]:
    """Return a record with more fields at its start.

    At its end they would make it a subtype of `base` to numba, which then calls what
    it has compiled for `base` instead of compiling anew.
    """
    return np.dtype([*fields, *base.descr])


SOLO_STATE = add_fields(
    state_dtype(2, 2),
    ("trying", INT),  # 1 in a copy in which the automa tries a plan
    ("in_turn", INT),  # 1 during a turn of the automa
    ("by_leader", INT),  # 1 while the user's turn is the use of the leader
    ("second_card", INT),  # 1 if Northern Realms deploys two cards next (6.6.1)
    ("more_turns", INT),  # turns that drawn weather has given (6.2.9)
    ("n_hidden", INT),
    ("hidden", INT, (HIDDEN, 2)),  # card, Decoy above it
    ("n_leaders", INT),
    ("leaders", INT, (LEADERS,)),  # the automa's pile, the top one last
    ("automa_half_weather", INT),  # passive leaders that were turned up
    ("automa_double_spies", INT),
    ("agile_bonus", INT, (2,)),
)

SOLO_FLAGS: Flags = {
    "automa_leaders": {True: "automa_leaders"},
    "automa_aim": {"own_total": "automa_aims_at_own_total"},
    "automa_ties": {"random": "automa_ties_random"},
    "clear_weather_chains": {False: "clear_weather_ends_turn"},
    "drawn_weather_chains": {
        False: "drawn_weather_ends_turn",
        "in_its_turn": "late_weather_ends_turn",
    },
    "automa_empty_deck": {"reshuffles": "automa_reshuffles"},
    "leader_answered": {False: "leader_unanswered"},
    "revealed_leader": {"shuffled_back": "leader_shuffled_back"},
    "automa_moves_heroes": {True: "automa_moves_heroes"},
    "automa_hidden_cards": {"after_leader": "hidden_after_leader"},
    "automa_faction_abilities": {False: "automa_without_faction"},
    "automa_passive_leaders": {"game": "automa_passives_stay"},
    "automa_scorch": {"both_sides": "automa_scorch_compares_both"},
    "automa_relentless": {
        "heroes": "relentless_takes_heroes",
        "units": "relentless_takes_units",
    },
}
"""Those that only solo has (rules 6)."""

SOLO_CONTEXT = add_fields(
    context_dtype(2),
    ("n_leaders", INT),
    ("leaders", INT, (LEADERS,)),
    *((name, INT) for name in option_fields((), SOLO_FLAGS)),
    # the automa's search for the best way to play a card
    ("trial", SOLO_STATE, (1,)),
    ("n_plan", INT),
    ("plan", INT, (DEPTH,)),  # which option each choice takes
    ("n_options", INT, (DEPTH,)),
    ("depth", INT),  # choices made so far
    ("rank", INT),  # of equally good plans the lowest rank is chosen
    ("option", INT, (OPTIONS,)),  # rank << 16 | row << 12 | card
    ("tie", INT, (TIES, DEPTH)),
    ("tie_length", INT, (TIES,)),
    ("tie_option", INT, (TIES, DEPTH)),  # what the choices of a plan chose
    ("tie_counts", INT, (TIES,)),  # 1 while a script has not ruled it out
    ("chosen", INT, (DEPTH,)),
    # what the automa has done, until somebody asks
    ("n_actions", INT),
    ("actions", INT, (ACTIONS, 4)),  # action, card or leader, row, side
)
