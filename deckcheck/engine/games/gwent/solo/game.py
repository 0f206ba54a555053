"""Gwent solo, as the contract of the engine wants it: entrants are user and automa."""

from __future__ import annotations

from deckcheck.engine.encoding import move_card, move_row, move_verb
from deckcheck.engine.errors import UnplayedCode
from deckcheck.engine.games.gwent.codes import Phase, Verb
from deckcheck.engine.games.gwent.players.heuristic import suppose_plans
from deckcheck.engine.games.gwent.rules.encoding import CHOOSE
from deckcheck.engine.games.gwent.rules.leaders.using import use_leader
from deckcheck.engine.games.gwent.rules.legal import legal_moves as legal_moves_of_two
from deckcheck.engine.games.gwent.rules.moves import choose, play_card
from deckcheck.engine.games.gwent.rules.readings import (
    cards_left,
    discard_moves,
    first_player,
    is_over,
    pass_move,
    returns,
    rounds_played,
    to_move,
)
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.setup import keep_hand, redraw
from deckcheck.engine.games.gwent.solo.heuristic import heuristic_move
from deckcheck.engine.games.gwent.solo.hidden import determinize
from deckcheck.engine.games.gwent.solo.rounds import (
    after_move,
    begin_play,
    close_round,
    pass_solo,
    set_up,
)
from deckcheck.engine.games.gwent.solo.state import USER
from deckcheck.engine.history import extended
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.move_list import add_hand
from deckcheck.engine.piles import discard, remove_from_hand
from deckcheck.engine.types import Context, Move, Player, State

__all__ = [
    "apply_move",
    "cards_left",
    "determinize",
    "discard_moves",
    "first_player",
    "heuristic_move",
    "is_over",
    "legal_moves",
    "pass_move",
    "place",
    "points",
    "returns",
    "rounds_played",
    "score_margin",
    "seat_of",
    "set_up",
    "suppose_plans",
    "to_move",
    "wins_by_passing",
]

SAFE_LEAD = 15  # hardly any single card brings the automa more


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """1 for the winner and for both after a draw, 2 for the loser."""
    return 2 if s.winner == 1 - entrant else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Gems left."""
    return s.gems[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for who began, 1 for the other."""
    return 0 if entrant == s.first else 1


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Strength of the own side less that of the other."""
    return side_total(s, player) - side_total(s, 1 - player)


@entry
def legal_moves(s: State, x: Context) -> int:
    """Write the user's legal moves to `x.moves`; returns their number."""
    if s.phase == Phase.AUTOMA_DISCARD:
        return add_hand(s, x, USER, CHOOSE, 0)
    return legal_moves_of_two(s, x)


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move of the user, and the turn of the automa that follows."""
    verb = move_verb(move)
    s.turns += 1
    s.history = extended(s.history, move)
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
    """Play a card, use the leader, or answer the choice that either asked for."""
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
    """Whether the lead will most likely outlast the automa's last turn."""
    return s.phase == Phase.PLAY and score_margin(s, x, USER) > SAFE_LEAD
