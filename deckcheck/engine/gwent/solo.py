"""The solo game: turns of the automa, rounds, hidden cards, heuristic, contract."""

from __future__ import annotations

from deckcheck.engine.gwent.abilities import resolve_stack
from deckcheck.engine.gwent.automa import (
    AUTOMA_ABILITIES,
    AUTOMA_LEADERS,
    NO_ROW,
    Source,
    draw,
    end_passive_leaders,
    gives_another_turn,
    move_agile_units,
    note_action,
    play,
    shuffle_leaders,
    take_random_unit,
    turn_up_leader,
)
from deckcheck.engine.gwent.board import draw_cards
from deckcheck.engine.gwent.codes import (
    PASS,
    Ability,
    AutomaAction,
    FactionAbility,
    Leader,
    Phase,
    RandomPick,
    Verb,
)
from deckcheck.engine.gwent.evaluation import (
    NEVER_PLAYED,
    is_spy,
    lead,
    move_gain,
    move_worth,
)
from deckcheck.engine.gwent.heuristic import choice_move, suppose_plans, wins_ties
from deckcheck.engine.gwent.leaders import use_leader
from deckcheck.engine.gwent.moves import (
    cards_left,
    choose,
    is_over,
    pass_move,
    play_card,
    returns,
)
from deckcheck.engine.gwent.moves import determinize as determinize_two
from deckcheck.engine.gwent.rounds import (
    FACTION_ABILITIES,
    RETURN_ROUND,
    RETURNING_UNITS,
    clean_up,
    draw_after_win,
    game_decided,
    keep_hand,
    lay_out,
    legal_moves,
    redraw,
    return_units,
    round_winner,
)
from deckcheck.engine.gwent.state import AUTOMA, USER
from deckcheck.engine.jit import Context, Move, Player, Side, State, entry, jit
from deckcheck.engine.primitives import (
    discard,
    extend_history,
    may_redraw,
    mix,
    move_card,
    move_row,
    move_verb,
    remove_from_hand,
    shuffle_deck,
    side_total,
)
from deckcheck.engine.registry import UnplayedCode

# -----------------------------------------------------------------------------
# The automa's turns, and the cards under its Decoys (rules 6.2 and 6.5.7)


@jit
def automa_turn(s: State, x: Context) -> None:
    """Play the top card. Weather gives another turn at once, without limit (6.2.3).

    In its first turn after a won round Northern Realms deploys two cards (6.6.1).
    """
    if s.n_deck[AUTOMA] == 0 and x.automa_reshuffles:
        reshuffle(s, x)
    cards = 1 + s.second_card
    s.second_card = 0
    play_top_cards(s, x, cards)


@jit
def play_top_cards(s: State, x: Context, cards: int) -> None:
    """Play this number of cards from the top of the deck, and more for weather."""
    s.in_turn = 1
    while cards > 0:
        cards -= 1
        card = draw(s)
        if card == 0:
            note_action(s, x, AutomaAction.NOTHING.value, card, NO_ROW, AUTOMA)
            break
        play(s, x, Source.HAND.value, card)
        if gives_another_turn(x, card):
            cards += 1
        cards += s.more_turns
        s.more_turns = 0
        move_agile_units(s, x)
    s.in_turn = 0


@jit
def take_more_turns(s: State, x: Context) -> None:
    """Take the extra turns for weather drawn out of turn (6.2.9)."""
    if s.more_turns:
        cards = s.more_turns
        s.more_turns = 0
        play_top_cards(s, x, cards)


@jit
def reshuffle(s: State, x: Context) -> None:
    """Shuffle the automa's discard pile to be its deck."""
    for i in range(s.n_discard[AUTOMA]):
        s.deck[AUTOMA, i] = s.discard[AUTOMA, i]
    s.n_deck[AUTOMA] = s.n_discard[AUTOMA]
    s.n_discard[AUTOMA] = 0
    shuffle_deck(s, x, AUTOMA)


@jit
def turn_up_hidden(s: State, x: Context) -> None:
    """Turn up the cards under Decoys in the order in which they were laid (6.5.8)."""
    while s.n_hidden > 0:
        i = 0
        while i < s.n_hidden:
            card = s.hidden[i, 0]
            note_action(s, x, AutomaAction.TURN_UP.value, card, NO_ROW, AUTOMA)
            discard(s, AUTOMA, s.hidden[i, 1])
            play(s, x, Source.HAND.value, card)
            i += 1
        s.n_hidden = 0
        take_more_turns(s, x)


# -----------------------------------------------------------------------------
# The course of a solo game: set-up, moves of the user, rounds (rules 6.1 to 6.6)
#
# The automa is never the player to move: it plays within the user's moves.


@entry
def set_up(s: State, x: Context) -> None:
    """Shuffle decks and the leader pile, and let the user draw (6.1, 6.2.1)."""
    lay_out(s, x)
    reset_automa(s, x)
    s.first = first_starter(x)
    s.starter = s.first
    s.redraws[AUTOMA] = 0
    draw_cards(s, USER, x.hand_size + s.extra_card[USER])
    s.turn = USER
    s.phase = Phase.REDRAW
    if not may_redraw(s, USER):
        keep_hand(s, x, USER)
    begin_play(s, x)


@jit
def reset_automa(s: State, x: Context) -> None:
    """Reset at the start of a game all that only the solo game has."""
    s.trying = 0
    s.in_turn = 0
    s.by_leader = 0
    s.second_card = 0
    s.more_turns = 0
    s.n_hidden = 0
    s.automa_half_weather = 0
    s.automa_double_spies = 0
    s.agile_bonus[AUTOMA] = 0
    s.n_leaders = x.n_leaders
    for i in range(x.n_leaders):
        s.leaders[i] = x.leaders[i]
    shuffle_leaders(s, x)


@jit
def first_starter(x: Context) -> Player:
    """Return the starter: the automa (6.2.4), unless the user is Scoia'tael."""
    if x.faction_ability[USER] == FactionAbility.CHOOSE_STARTER:
        return USER
    return AUTOMA


@jit
def begin_play(s: State, x: Context) -> None:
    """Begin the first round when the redraws are over."""
    if s.phase == Phase.PLAY:
        s.turn = USER
        if s.starter == AUTOMA:
            automa_turn(s, x)


@jit
def after_move(s: State, x: Context) -> None:
    """Finish a move of the user and let the automa answer. Stops at a choice.

    Using the leader is a turn and is answered as well (6.2.7).
    """
    resolve_stack(s, x, USER)
    if s.phase != Phase.PLAY:
        return
    if s.resuming:
        start_turns(s, x)
    elif not (s.by_leader and x.leader_unanswered):
        automa_turn(s, x)


@jit
def pass_solo(s: State, x: Context) -> None:
    """Let the user pass, the automa take a last turn, and the round end (6.2.4)."""
    s.passed[USER] = 1
    automa_turn(s, x)
    if not x.hidden_after_leader:
        turn_up_hidden(s, x)
    if s.n_leaders > 0 and side_total(s, USER) > side_total(s, AUTOMA):
        turn_up_leader(s, x)
        take_more_turns(s, x)
    if s.phase == Phase.PLAY:
        close_round(s, x)


@jit
def close_round(s: State, x: Context) -> None:
    """Compare the totals, take gems, clear the board and start the next round."""
    turn_up_hidden(s, x)
    user_total = side_total(s, USER)
    automa_total = side_total(s, AUTOMA)
    note_action(s, x, AutomaAction.COUNT.value, user_total, automa_total, AUTOMA)
    winner = round_winner(s, x)
    for side in range(s.gems.shape[0]):
        if side != winner:
            s.gems[side] -= 1
    if game_decided(s, x):
        s.phase = Phase.OVER
        return
    clean_up(s, x)
    end_passive_leaders(s, x)
    if winner == USER:
        draw_after_win(s, x, USER)
    elif winner == AUTOMA:
        # "after winning a round it deploys a second card in its first turn"
        ability = x.faction_ability[AUTOMA]
        s.second_card = ability == FactionAbility.DRAW_AFTER_WIN
    start_round(s, x, winner)


@jit
def start_round(s: State, x: Context, winner: Side) -> None:
    """Start the next round. A Scoia'tael user begins after a win (6.6.2)."""
    s.round_no += 1
    s.passed[USER] = 0
    s.starter = first_starter(x) if winner == USER else AUTOMA
    is_time = s.round_no == RETURN_ROUND
    for player in range(s.returning.shape[0]):
        has_ability = x.faction_ability[player] == FactionAbility.RETURN_TWO_UNITS
        s.returning[player] = is_time and has_ability
    s.phase = Phase.PLAY
    s.turn = USER
    s.resuming = 1
    start_turns(s, x)


@jit
def start_turns(s: State, x: Context) -> None:
    """Return units of Skellige (1.7.5), then take the first turn of the round."""
    for step in range(s.returning.shape[0]):
        player = (s.starter + step) % s.returning.shape[0]
        if s.returning[player]:
            s.returning[player] = 0
            if player == AUTOMA and x.returning_units_play:
                replay_units(s, x)
            else:
                return_units(s, x, player)
            resolve_stack(s, x, USER)
            if s.phase != Phase.PLAY:
                return
    s.resuming = 0
    if s.starter == AUTOMA:
        automa_turn(s, x)


@jit
def replay_units(s: State, x: Context) -> None:
    """Play two random units of the automa's pile, by option."""
    for _ in range(RETURNING_UNITS):
        card = take_random_unit(s, x, RandomPick.RETURNING.value)
        if card:
            play(s, x, Source.HAND.value, card)


# -----------------------------------------------------------------------------
# Hidden information of the automa: all that it has not yet turned up


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Shuffle the automa's deck with the cards under its Decoys, and its leaders.

    The order of the user's own deck and the future chance of the game are new as well.
    """
    for i in range(s.n_hidden):
        x.pool[i] = s.hidden[i, 0]
    for i in range(s.n_deck[AUTOMA]):
        x.pool[s.n_hidden + i] = s.deck[AUTOMA, i]
    mix(x.pool, s.n_hidden + s.n_deck[AUTOMA], x.rng)
    for i in range(s.n_hidden):
        s.hidden[i, 0] = x.pool[i]
    for i in range(s.n_deck[AUTOMA]):
        s.deck[AUTOMA, i] = x.pool[s.n_hidden + i]
    mix(s.leaders, s.n_leaders, x.rng)
    determinize_two(s, x, player)


# -----------------------------------------------------------------------------
# The heuristic against the automa: honest, and good at passing

# These numbers were found by play against automas of all factions, in this order: with
# two gems each, one gem ahead, one gem behind, on the last gem each.
REST_LEAD = (7, 9, 7, 11)  # a lead to pass with, before the automa's last turn
GIVE_UP_LEAD = (18, 13, 1000, 1000)  # too far behind to follow in a round
MIN_GAIN = (1, 5, -4, 4)  # a move that gains no more is worse than passing
WORTH_WEIGHT = (5, 2, 3, 0)  # the weight of a card's worth, in tenths of its gain


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the heuristic's move among the `count` moves in `x.moves`."""
    if s.phase == Phase.PLAY:
        return turn_move(s, x, count)
    return choice_move(s, x, USER, count)


@jit
def turn_move(s: State, x: Context, count: int) -> Move:
    """Return a pass or the best move. A spy comes first: two cards for one."""
    if count == 1:
        return x.moves[0]
    ahead = lead(s, x, USER)
    if wins_ties(s, x, USER):
        ahead += 1
    gems = 2 * (s.gems[USER] == 1) + (s.gems[AUTOMA] == 1)
    best, gain = best_play(s, x, count, WORTH_WEIGHT[gems])
    if is_spy(s, x, USER, best):
        return best
    is_decided = ahead >= REST_LEAD[gems] or -ahead > GIVE_UP_LEAD[gems]
    if is_decided or gain <= MIN_GAIN[gems]:
        return PASS
    return best


@jit
def best_play(s: State, x: Context, count: int, weight: int) -> tuple[Move, int]:
    """Return the best playing move and its gain.

    The automa answers every turn, so the gain decides. Cards worth more in another
    round wait. A loss of strength comes last.
    """
    best, best_value, best_gain = PASS, 100 * NEVER_PLAYED, NEVER_PLAYED
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, USER, move)
        value = 10 * gain - weight * move_worth(s, x, USER, move)
        if is_spy(s, x, USER, move):
            value -= 100 * NEVER_PLAYED
        elif gain < 0:
            value += 10 * NEVER_PLAYED
        if value > best_value:
            best, best_value, best_gain = move, value, gain
    return best, best_gain


# -----------------------------------------------------------------------------
# The functions of the contract. The entrants are user and automa.

SAFE_LEAD = 15  # hardly any single card brings the automa more

# The automa's abilities. The user plays as in a duel.
CARRIED_OUT = {
    "solo": {
        Ability: AUTOMA_ABILITIES,
        Leader: AUTOMA_LEADERS,
        FactionAbility: FACTION_ABILITIES
        | {
            FactionAbility.DRAW_AFTER_WIN: close_round,
            FactionAbility.CHOOSE_STARTER: first_starter,
            FactionAbility.RETURN_TWO_UNITS: start_round,
        },
    }
}


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Return the gems left."""
    return s.gems[entrant]


@entry
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return 0 for the entrant who began, 1 for the other."""
    return 0 if entrant == s.first else 1


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the player's strength minus the opponent's."""
    return side_total(s, player) - side_total(s, 1 - player)


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move of the user, and the turn of the automa that follows."""
    verb = move_verb(move)
    s.turns += 1
    s.history = extend_history(s.history, move)
    if verb == Verb.PASS:
        pass_solo(s, x)
    elif verb == Verb.REDRAW:
        redraw(s, x, USER, move_card(move))
        begin_play(s, x)
    elif verb == Verb.KEEP_HAND:
        keep_hand(s, x, USER)
        begin_play(s, x)
    elif s.phase == Phase.AUTOMA_DISCARD:
        remove_from_hand(s, USER, move_card(move))
        discard(s, x.side[USER], move_card(move))
        s.phase = Phase.PLAY
        close_round(s, x)
    else:
        take_turn(s, x, move)
        after_move(s, x)


@jit
def take_turn(s: State, x: Context, move: Move) -> None:
    """Play a card, use the leader, or answer the choice that is open."""
    verb = move_verb(move)
    if verb == Verb.CHOOSE:
        choose(s, x, USER, move)
        return
    s.by_leader = verb == Verb.LEADER
    if s.by_leader:
        use_leader(s, x, USER)
    elif verb == Verb.PLAY:
        play_card(s, x, USER, move_card(move), move_row(move))
    else:
        raise UnplayedCode("verb")


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Report whether the lead will most likely outlast the last turn."""
    return s.phase == Phase.PLAY and score_margin(s, x, USER) > SAFE_LEAD
