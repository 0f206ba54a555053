"""Readings of the state of a game."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import FactionAbility, Phase
from deckcheck.engine.games.sg_gwint.rules.encoding import PASS
from deckcheck.engine.games.sg_gwint.rules.legal import discard_moves as last_discards
from deckcheck.engine.games.sg_gwint.rules.scoring import lead
from deckcheck.engine.jit import entry
from deckcheck.engine.types import Context, Move, Player, State


@entry
def to_move(s: State) -> Player:
    """The player who has to decide."""
    return s.turn


@entry
def is_over(s: State) -> bool:
    """Whether a player has lost both lives, or the match is drawn."""
    return s.phase == Phase.OVER


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """2 for the winner, 0 for the loser, 1 each for an overall draw."""
    if s.winner < 0:
        return 1
    return 2 if s.winner == player else 0


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """A draw is place 1 for both."""
    return 2 if s.winner == 1 - entrant else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Lives left."""
    return s.lives[entrant]


@entry
def seat_of(s: State, x: Context, entrant: int) -> int:
    """0 for who began; until that is decided, for whom the coin favours."""
    return (entrant - (x.coin if s.first < 0 else s.first)) % 2


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Strength of the own side less that of the other."""
    return lead(s, player)


@entry
def first_player(s: State) -> Player:
    """The player who began the game."""
    return s.first


@entry
def rounds_played(s: State) -> int:
    """Number of the current round."""
    return s.round_no


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Cards in hand."""
    return s.n_hand[entrant]


@entry
def pass_move(s: State, x: Context) -> Move:
    """Passing is possible on a turn, but not after a leader that is no turn (3.10)."""
    return PASS if s.phase == Phase.PLAY and not s.must_play else -1


@entry
def discard_moves(s: State, x: Context, count: int) -> int:
    """How many of the `count` moves, the last ones, discard (rules 3.3)."""
    return last_discards(s, x, count)


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Whether the other has passed and the round is won as it stands."""
    player = s.turn
    ahead = lead(s, player)
    wins_tie = (
        x.faction_ability[player] == FactionAbility.WIN_TIES
        and x.faction_ability[1 - player] != FactionAbility.WIN_TIES
    )
    return (
        s.phase == Phase.PLAY
        and s.passed[1 - player] != 0
        and (ahead > 0 or (ahead == 0 and wins_tie))
    )
