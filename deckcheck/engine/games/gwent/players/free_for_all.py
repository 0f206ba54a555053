"""The rule-of-thumb player in a free-for-all: points by cards, not by gems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deckcheck.engine.encoding import move_card
from deckcheck.engine.games.gwent.codes import Phase
from deckcheck.engine.games.gwent.players.gains import lead, row_scorch_gain
from deckcheck.engine.games.gwent.players.weighing import (
    NEVER,
    best_play,
    is_spy,
    move_gain,
    move_worth,
)
from deckcheck.engine.games.gwent.rules.encoding import PASS
from deckcheck.engine.games.gwent.rules.free_for_all import scores_against, target
from deckcheck.engine.games.gwent.rules.leaders.scorches import scorched_row
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.seats import TWO, players
from deckcheck.engine.jit import dispatch, jit
from deckcheck.engine.types import Context, Move, Player, State

# The figures were found by play, as those of `heuristic`.
POINT = 14  # what a point is worth, in points of strength
REACH = 21  # no single card of another brings more than this
REST = 8  # for each opponent, a lead over the strongest to rest on
CHASE = 18  # how far behind to start making up with more than one card


@jit
def opponent_value(s: State, x: Context, player: Player, who: Player) -> int:
    """How good it is that this opponent gets a spy, or suffers from a leader."""
    total = side_total(s, x.side[who])
    if s.phase == Phase.OPPONENT:
        row = scorched_row(s.leader[player])
        if row < 0:
            return s.n_hand[who]
        return row_scorch_gain(s, x, x.side[who], row) * 4 + s.points[who]
    own = side_total(s, x.side[player])
    after = total + x.strength[s.picked]
    overtakes = total <= own and after >= own
    return -after - 4 * s.points[who] - 50 * overtakes


@jit
def beaten(s: State, x: Context, player: Player, more: int) -> int:
    """How many opponents the player would beat with `more` strength on the board."""
    count = 0
    own = side_total(s, x.side[player])
    for other in range(players(s, x)):
        if other != player:
            theirs = side_total(s, x.side[other])
            if own + more > theirs or (
                own + more == theirs and scores_against(s, x, player, other)
            ):
                count += 1
    return count


@jit
def table_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Pass, or the best of the moves, at a table of several opponents."""
    if nobody_follows(s, x, player):
        return last_word(s, x, player, count)
    best, gain, reserve, _ = best_play(s, x, player, count)
    if leaves(s, x, player, best, gain, reserve):
        return PASS
    return best


@jit
def no_table_move(s: State, x: Context, player: Player, count: int) -> Move:
    """Stands for `table_move` in the record of a duel, where nobody asks for it."""
    return PASS


def many_move(s: State, x: Context, player: Player, count: int) -> Move:
    """`table_move`, compiled only where a table may have several opponents."""
    has_room = s.n_row.shape[0] > TWO
    return (table_move if has_room else no_table_move)(s, x, player, count)


def implementation(s: Any, x: Any, player: Any, count: Any) -> Callable[..., Any]:
    """What compiled calls of `many_move` go to."""
    has_room = s.fields["n_row"].type.shape[0] > TWO
    chosen: Any = table_move if has_room else no_table_move
    return chosen.py_func


dispatch(many_move, implementation)


@jit
def nobody_follows(s: State, x: Context, player: Player) -> bool:
    """Whether all others have passed or have no card to play."""
    for other in range(players(s, x)):
        if other != player and not s.passed[other] and s.n_hand[other] > 0:
            return False
    return True


@jit
def someone_wins(s: State, x: Context, player: Player) -> bool:
    """Whether another would have the points needed if the round ended now."""
    for other in range(players(s, x)):
        if other != player:
            scored = s.points[other] + beaten(s, x, other, 0)
            if scored >= target(s, x):
                return True
    return False


@jit
def leaves(
    s: State, x: Context, player: Player, best: int, gain: int, reserve: int
) -> bool:
    """Whether to leave the round to those who are still in it.

    `reserve` is what the two best moves could add. The more opponents, the more points
    a round is worth, and the longer it is fought for.
    """
    ahead = lead_over_active(s, x, player)
    cards = 0
    for other in range(players(s, x)):
        if other != player and not s.passed[other]:
            cards = max(cards, s.n_hand[other])
    everybody = players(s, x) - 1
    if ahead > cards * REACH and beaten(s, x, player, 0) == everybody:
        return True
    if is_spy(s, x, player, best):
        return False
    if gain < 0:
        return True
    if someone_wins(s, x, player):
        return False
    if ahead >= REST * everybody:
        return True
    return -ahead * 2 > reserve * everybody


@jit
def lead_over_active(s: State, x: Context, player: Player) -> int:
    """The lead over the strongest opponent who has not passed."""
    best = 0
    for other in range(players(s, x)):
        if other != player and not s.passed[other]:
            best = max(best, side_total(s, x.side[other]))
    return side_total(s, x.side[player]) - best


@jit
def last_word(s: State, x: Context, player: Player, count: int) -> Move:
    """Nobody follows: buy the points that are worth their price."""
    now = beaten(s, x, player, 0)
    urgent = someone_wins(s, x, player)
    best, best_value = PASS, 0
    biggest, most, total = PASS, 0, 0
    for i in range(count):
        move = x.moves[i]
        if move == PASS:
            continue
        gain = move_gain(s, x, player, move)
        if is_spy(s, x, player, move):
            if lead(s, x, x.side[player]) > x.strength[move_card(move)]:
                return move
            continue
        if gain > most:
            biggest, most = move, gain
        total += max(gain, 0)
        won = beaten(s, x, player, gain) - now
        value = POINT * won - move_worth(s, x, player, move)
        if urgent:
            value -= NEVER * won
        if value > best_value:
            best, best_value = move, value
    if best == PASS and now < players(s, x) - 1:
        need = next_step(s, x, player)
        if total >= need and (urgent or need <= CHASE):
            return biggest
    if best == PASS and nobody_scores(s, x):
        # Rounds without a point could go on for ever.
        best, _, _, _ = best_play(s, x, player, count)
    return best


@jit
def nobody_scores(s: State, x: Context) -> bool:
    """Whether the round would give nobody a point if it ended now."""
    for player in range(players(s, x)):
        if beaten(s, x, player, 0) > 0:
            return False
    return True


@jit
def next_step(s: State, x: Context, player: Player) -> int:
    """The strength that is missing to beat one more opponent."""
    own = side_total(s, x.side[player])
    need = -NEVER
    for other in range(players(s, x)):
        theirs = side_total(s, x.side[other])
        if other != player and not scores_against(s, x, player, other):
            need = min(need, theirs - own + 1)
    return need
