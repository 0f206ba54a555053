"""The course of a solo game: set-up, moves of the user, rounds (rules 6.1 to 6.6).

The automa never is to move: it plays within the user's moves.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Deed, FactionAbility, Lot, Phase
from deckcheck.engine.games.gwent.rules.abilities import resolve_stack
from deckcheck.engine.games.gwent.rules.rounds import (
    RETURN_ROUND,
    RETURNING_UNITS,
    clean_up,
    draw_after_win,
    game_decided,
    return_units,
    round_winner,
)
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.setup import keep_hand, lay_out, may_redraw
from deckcheck.engine.games.gwent.rules.zones import (
    draw_cards,
)
from deckcheck.engine.games.gwent.solo.automa import play
from deckcheck.engine.games.gwent.solo.cards import CARD, take_random_unit
from deckcheck.engine.games.gwent.solo.deeds import note_deed
from deckcheck.engine.games.gwent.solo.leaders import (
    end_passive_leaders,
    shuffle_leaders,
    turn_up_leader,
)
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.engine.games.gwent.solo.turns import (
    automa_turn,
    take_more_turns,
    turn_up_hidden,
)
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.types import Context, Player, Side, State


@entry
def set_up(s: State, x: Context) -> None:
    """Decks and the leader pile are shuffled, the user draws a hand (6.1, 6.2.1)."""
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
    """Everything that only solo knows, at the start of a game."""
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
    """The automa begins (6.2.4), unless the user is Scoia'tael (6.6.2)."""
    if x.faction_ability[USER] == FactionAbility.CHOOSE_STARTER:
        return USER
    return AUTOMA


@jit
def begin_play(s: State, x: Context) -> None:
    """After the redraws the first round begins."""
    if s.phase == Phase.PLAY:
        s.turn = USER
        if s.starter == AUTOMA:
            automa_turn(s, x)


@jit
def after_move(s: State, x: Context) -> None:
    """Finish a move of the user, then the automa answers; stops where a choice is due.

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
    """The user passes, the automa takes one last turn, the round ends (6.2.4)."""
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
    own, theirs = side_total(s, USER), side_total(s, AUTOMA)
    note_deed(s, x, Deed.COUNT.value, own, theirs, AUTOMA)
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
    """The next round; a Scoia'tael user begins after a won one (6.6.2)."""
    s.round_no += 1
    s.passed[USER] = 0
    s.starter = first_starter(x) if winner == USER else AUTOMA
    for player in range(s.returning.shape[0]):
        s.returning[player] = (
            s.round_no == RETURN_ROUND
            and x.faction_ability[player] == FactionAbility.RETURN_TWO_UNITS
        )
    s.phase = Phase.PLAY
    s.turn = USER
    s.resuming = 1
    start_turns(s, x)


@jit
def start_turns(s: State, x: Context) -> None:
    """Units of Skellige return (1.7.5), then the first turn of the round is taken."""
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
    """Two random units of the automa's pile are played, where the format says so."""
    for _ in range(RETURNING_UNITS):
        card = take_random_unit(s, x, Lot.RETURNING.value)
        if card:
            play(s, x, CARD, card)
