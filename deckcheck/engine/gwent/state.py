"""Gwent: the records of state and context, for two players, a table and solo."""

from __future__ import annotations

import numpy as np

from deckcheck.engine.registry import Flags, option_fields

# -----------------------------------------------------------------------------
# The records a game of Gwent lives in: the state `s` and the context `x`
#
# Every field is an int64 cell or array. A record is passed to compiled code as a bare
# pointer, and copying a state is one assignment (`states[1] = states[0]`). Cards are
# numbers from 1 (see `context`), 0 is none. Sizes are generous upper bounds. Going over
# a size raises IndexError instead of playing a wrong game.

INT = np.int64

MAX_KINDS = 384  # different cards a card database may hold
MAX_DECK = 96  # cards in one deck, with discards that are shuffled into it
MAX_HAND = 48  # cards in one hand
MAX_PILE = 128  # cards in one discard pile
MAX_ROW = 48  # cards in one row
MAX_SIDE_DECK = 12  # different cards that wait in a side deck
MAX_STACK = 24  # played cards whose abilities are still to be carried out
MAX_MOVES = 256  # legal moves in one position
MAX_SCRIPT = 64  # scripted answers to random picks
ROWS = 3
WEATHER_COUNT = 4


# The figures of the heuristic, in points of strength, with values in `weights`. Some
# have a value for each case of gems left: 2 and 2, 2 and the opponent 1, 1 and 2, 1 and
# 1.
GEM_CASES = 4
FIGURES_TYPE = np.dtype(
    [
        # weights of the gain of a move, of its worth, and of worth beyond the gain
        ("gain_weight", INT, (GEM_CASES,)),
        ("worth_weight", INT, (GEM_CASES,)),
        ("waste_weight", INT, (GEM_CASES,)),
        ("spy_bonus", INT),
        ("agile_horn", INT),  # for the row that the player's leader may double
        ("agile_ranged", INT),
        # the worth of a card in an average use, for units besides their strength
        ("card", INT),  # one more card in hand
        ("hero", INT),
        ("medic", INT),
        ("horn_unit", INT),
        ("scorch_unit", INT),
        ("morale", INT),
        ("berserker", INT),
        ("muster", INT),  # percent of the strength of the called cards
        ("bond", INT),  # percent of the strength for each further copy in hand
        ("horn", INT),
        ("horn_hand", INT),  # percent of the units in hand for the row
        ("weather_hand", INT),  # percent of the units in hand for the rows, as a loss
        ("scorch", INT),
        ("decoy", INT),
        ("mardroeme", INT),
        ("mardroeme_hand", INT),  # percent of the gain of Berserkers in hand
        ("clear", INT),
        ("weather", INT),
        ("leader", INT),
        ("patient", INT),  # 1 to keep a leader who finds no card in a discard pile
        ("exchange", INT),  # percent of the worth of a leader's exchange of cards
        # gains that cannot be tried out
        ("second_revival", INT),  # of a medic that a medic revives
        ("bond_copy", INT),  # of the leader who plays a bond from the deck
        ("little", INT),  # of a leader who changes no strength, or seldom
        # the most that an opponent's card brings, and percent of the average strength
        # of the cards that opponents may hold
        ("reach", INT),
        ("reach_share", INT),
        ("reach_leader", INT),  # the most that an unused leader brings
        # the lead with which to pass, more for each card of both hands, percent of the
        # worth of the player's hand and of the strength that opponents may hold
        ("rest", INT, (GEM_CASES,)),
        ("rest_own", INT, (GEM_CASES,)),
        ("rest_enemy", INT, (GEM_CASES,)),
        ("rest_hand", INT, (GEM_CASES,)),
        ("rest_held", INT, (GEM_CASES,)),
        # the gap with which to pass, more for each card of both hands, percent of the
        # gain of the two best moves and of the worth of the hand
        ("give_up", INT, (GEM_CASES,)),
        ("give_up_own", INT, (GEM_CASES,)),
        ("give_up_enemy", INT, (GEM_CASES,)),
        ("give_up_reserve", INT, (GEM_CASES,)),
        ("give_up_hand", INT, (GEM_CASES,)),
        ("useful", INT, (GEM_CASES,)),  # the gain that the best move needs
        ("spy_rest", INT, (GEM_CASES,)),  # the lead with which no spy is played
        # when the opponent has passed
        ("fair_price", INT),  # the highest worth of a card that wins the round
        ("fair_edge", INT),  # more for each card by which the player has more
        ("chase", INT),  # the largest gap to close with several cards
        ("finish", INT),  # 1 to win a round that wins the game at any price
        # redraws and choices
        ("redraw_margin", INT),  # cards below the average by more are given back
        ("keep_spy", INT),
        ("keep_bond", INT),  # percent of the strength for each copy in the deck
        ("clockwise", INT),  # 1 to prefer the next clockwise among equal players
    ]
)


def state_dtype(players: int, sides: int) -> np.dtype[np.void]:
    """Return the record of a game with `players` players on `sides` sides.

    A side has rows, a discard pile and gems. A player has a deck, a hand and a leader.
    """
    return np.dtype(
        [
            ("rng", INT, (4,)),  # the chance of this game
            ("phase", INT),
            ("turn", INT),  # the player to move
            ("round_no", INT),  # from 1
            ("starter", INT),  # the player who started this round
            ("first", INT),  # the player who started the game
            ("winner", INT),  # the winning side, -1 for none
            ("turns", INT),  # moves made so far
            ("history", INT),  # 32-bit hash of the moves so far
            ("resuming", INT),  # 1 while Skellige units return at the start of a round
            ("picked", INT),  # the revived unit, Decoy or spy of an open choice, or 0
            ("picked_row", INT),  # the row of a spy whose recipient is to be chosen
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
            ("hand", INT, (players, MAX_HAND)),  # sorted
            ("seen", INT, (players, MAX_HAND)),  # who knows the card, see `known_mark`
            ("n_deck", INT, (players,)),
            ("deck", INT, (players, MAX_DECK)),  # the top card is the last one
            ("side_deck", INT, (players, MAX_SIDE_DECK)),  # copies left
            ("n_discard", INT, (sides,)),
            ("discard", INT, (sides, MAX_PILE)),
            ("n_row", INT, (sides, ROWS)),
            ("row", INT, (sides, ROWS, MAX_ROW)),
            ("slot", INT, (sides, ROWS)),  # the special beside the row
            ("slot_card", INT, (sides, ROWS)),
            ("leader_horn", INT, (sides, ROWS)),
            # kept up to date by `rescore`
            ("total", INT, (sides, ROWS)),
            ("morale", INT, (sides, ROWS)),  # number of cards that boost morale
            ("horns", INT, (sides, ROWS)),  # number of cards with a horn
            ("weather", INT, (WEATHER_COUNT,)),  # 0, or 1 + the player who played it
            ("weather_card", INT, (WEATHER_COUNT,)),
            ("n_stack", INT),
            ("stack", INT, (MAX_STACK, 3)),  # card, row, side or -1
            ("n_removed", INT),  # cards that left the game
            ("n_summons", INT),
            ("summons", INT, (MAX_STACK, 3)),  # side, row left, card that left
        ]
    )


NUMBER_OPTIONS = ("gems", "hand_size", "redraws")
OPTION_FLAGS: Flags = {
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
            ("strength", INT, (MAX_KINDS,)),
            ("kind", INT, (MAX_KINDS,)),
            ("rows", INT, (MAX_KINDS,)),  # bit mask
            ("ability", INT, (MAX_KINDS,)),
            ("family", INT, (MAX_KINDS,)),  # the muster family the card belongs to
            ("calls", INT, (MAX_KINDS,)),  # family that its muster calls, or 0
            ("answers", INT, (MAX_KINDS,)),  # 1 if a muster calls its family
            ("becomes", INT, (MAX_KINDS,)),  # the card of a transformed berserker
            ("summoned", INT, (MAX_KINDS,)),  # the card summoned when it leaves
            ("side_index", INT, (MAX_KINDS,)),  # index in the side deck, or -1
            ("colour", INT, (MAX_KINDS,)),  # faction of a card, by colour, or 0
            ("plain", INT, (MAX_KINDS,)),  # the number of the card in the database
            ("role", INT, (MAX_KINDS,)),  # for the views of players, see `features`
            ("lane", INT, (MAX_KINDS,)),
            ("worth", INT, (MAX_KINDS,)),  # in an average use
            # the seats
            ("n_players", INT),
            ("n_sides", INT),
            ("side", INT, (players,)),
            ("faction_ability", INT, (players,)),
            ("leader", INT, (players,)),
            ("passive", INT, (players,)),
            ("musters", INT, (players,)),  # 1 if the deck has cards that a muster calls
            ("n_deck", INT, (players,)),
            ("deck", INT, (players, MAX_DECK)),
            ("by_place", INT, (players,)),  # 1: the places of the deck are shuffled
            ("side_deck", INT, (players, MAX_SIDE_DECK)),
            ("side_card", INT, (players, MAX_SIDE_DECK)),  # the cards of the side deck
            ("own_colour", INT, (players,)),  # the colour of the faction
            ("coin", INT),  # the player whom the coin lets begin
            *((name, INT) for name in option_fields(NUMBER_OPTIONS, OPTION_FLAGS)),
            # players of the seats, and their own chance
            ("policy", INT, (players,)),
            ("figures", FIGURES_TYPE, (players,)),
            ("first_figures", FIGURES_TYPE),  # of `heuristic-1`
            ("budget", INT, (players,)),  # of players with a budget
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
            ("script", INT, (MAX_SCRIPT,)),
            ("asked", INT, (2,)),  # cause and player of a pick without a right answer
            ("n_asked", INT),
            ("asked_cards", INT, (MAX_DECK + MAX_PILE,)),  # the right answers
        ]
    )


MOST_PLAYERS = 5

STATE = state_dtype(2, 2)
CONTEXT = context_dtype(2)
MANY_STATE = state_dtype(MOST_PLAYERS, MOST_PLAYERS)  # free-for-all and teams
MANY_CONTEXT = context_dtype(MOST_PLAYERS)


def new_states(count: int, dtype: np.dtype[np.void] = STATE) -> np.recarray:
    """Return `count` empty states. Element 0 is the game, the others are for search."""
    return np.zeros(count, dtype).view(np.recarray)


def new_context(dtype: np.dtype[np.void]) -> np.recarray:
    """Return an empty context in an array of length 1."""
    return np.zeros(1, dtype).view(np.recarray)


# -----------------------------------------------------------------------------
# The records of solo: the records of two players, with the automa's fields (rules 6)
#
# Player and side 0 are the user, player and side 1 the automa.

USER = 0
AUTOMA = 1

MAX_LEADERS = 12  # leaders of one faction
MAX_HIDDEN = 24  # cards under Decoys
MAX_DEPTH = 16  # choices of the automa in one play
MAX_OPTIONS = MAX_PILE + 32  # options of one choice
MAX_ACTIONS = 64  # actions of the automa within one move of the user
MAX_TIES = 32  # equally good plans that chance chooses from


def add_fields(
    base: np.dtype[np.void], *fields: tuple[object, ...]
) -> np.dtype[np.void]:
    """Return a record with more fields at its start.

    With the fields at its end, numba would take the record for a subtype of `base` and
    call code compiled for `base`.
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
    ("hidden", INT, (MAX_HIDDEN, 2)),  # card, Decoy above it
    ("n_leaders", INT),
    ("leaders", INT, (MAX_LEADERS,)),  # the automa's pile, with the top leader last
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
"""The options that only solo has (rules 6)."""

SOLO_CONTEXT = add_fields(
    context_dtype(2),
    ("n_leaders", INT),
    ("leaders", INT, (MAX_LEADERS,)),
    *((name, INT) for name in option_fields((), SOLO_FLAGS)),
    # the automa's search for the best way to play a card
    ("trial", SOLO_STATE, (1,)),
    ("n_plan", INT),
    ("plan", INT, (MAX_DEPTH,)),  # which option each choice takes
    ("n_options", INT, (MAX_DEPTH,)),
    ("depth", INT),  # choices made so far
    ("rank", INT),  # of equally good plans the lowest rank is chosen
    ("option", INT, (MAX_OPTIONS,)),  # rank << 16 | row << 12 | card
    ("tie", INT, (MAX_TIES, MAX_DEPTH)),
    ("tie_length", INT, (MAX_TIES,)),
    ("tie_option", INT, (MAX_TIES, MAX_DEPTH)),  # the chosen options of each plan
    ("tie_counts", INT, (MAX_TIES,)),  # 1 while a script has not ruled the plan out
    ("chosen", INT, (MAX_DEPTH,)),  # the chosen options of the present plan
    # the automa's actions since they were last read
    ("n_actions", INT),
    ("actions", INT, (MAX_ACTIONS, 4)),  # action, card or leader, row, side
)
