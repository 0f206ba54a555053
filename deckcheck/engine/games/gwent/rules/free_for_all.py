"""The score of a free-for-all: points instead of gems (rules 4.3 to 4.5 and 4.7)."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import FactionAbility, Lot
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.games.gwent.rules.zones import PLAYER_ANSWER, draw_cards
from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.scripted import lack_answer
from deckcheck.engine.types import Context, Player, State


@jit
def target(s: State, x: Context) -> int:
    """The points that end the game: "players + 1" (4.4)."""
    return players(s, x) + 1


@jit
def scores_against(s: State, x: Context, player: Player, other: Player) -> bool:
    """Whether a player scores against another now: a higher total (4.3).

    "Ties give nothing, except to Nilfgaard"; two tied Nilfgaard both score (4.6.3).
    """
    own, theirs = side_total(s, x.side[player]), side_total(s, x.side[other])
    if own == theirs:
        return x.faction_ability[player] == FactionAbility.WIN_TIES
    return own > theirs


@jit
def score_round(s: State, x: Context) -> None:
    """Each player scores a point for each opponent beaten (4.3)."""
    for player in range(players(s, x)):
        s.gained[player] = 0
        for other in range(players(s, x)):
            if other != player and scores_against(s, x, player, other):
                s.gained[player] += 1
        s.points[player] += s.gained[player]


@jit
def target_reached(s: State, x: Context) -> bool:
    """Whether a player has the points needed (4.4)."""
    for player in range(players(s, x)):
        if s.points[player] >= target(s, x):
            return True
    return False


@jit
def standing(s: State, x: Context, player: Player) -> int:
    """What the places go by: points, or by option whether the target is reached."""
    if target_reached(s, x):
        if x.target_shared:
            return min(s.points[player], target(s, x))
        return s.points[player]
    # "if every hand is empty and no leader is left ... highest score wins" (4.7.7)
    return 0 if x.exhausted_is_draw else s.points[player]


@jit
def table_place(s: State, x: Context, player: Player) -> int:
    """The place of a player in an ended free-for-all (4.7.6, 4.7.7)."""
    place = 1
    for other in range(players(s, x)):
        place += standing(s, x, other) > standing(s, x, player)
    return place


@jit
def most_gained(s: State, x: Context) -> int:
    """The most points that a player scored in the round."""
    best = 0
    for player in range(players(s, x)):
        best = max(best, s.gained[player])
    return best


@jit
def best_scorers(s: State, x: Context) -> int:
    """How many players scored most in the round."""
    best = most_gained(s, x)
    count = 0
    for player in range(players(s, x)):
        count += s.gained[player] == best
    return count


@jit
def draw_after_scoring(s: State, x: Context) -> None:
    """Northern Realms draws when nobody scored more points in the round (4.7.3)."""
    best = most_gained(s, x)
    shared = best_scorers(s, x) > 1
    for player in range(players(s, x)):
        if (
            x.faction_ability[player] == FactionAbility.DRAW_AFTER_WIN
            and s.gained[player] == best
            and not (shared and x.realms_draw_alone)
        ):
            draw_cards(s, player, 1)


@jit
def best_scorer(s: State, x: Context) -> Player:
    """The starter of the next round: the player who scored most in this one (4.5).

    Of several, the first one clockwise from the left of the player who started this
    one (4.7.5), or by option from that player on, or a lot decides.
    """
    count = players(s, x)
    if x.starters_alternate:
        return (s.starter + 1) % count
    best = most_gained(s, x)
    if x.tied_starter_by_lot:
        return best_by_lot(s, x, best)
    first = 0 if x.tied_starter_stays else 1
    for step in range(first, first + count):
        player = (s.starter + step) % count
        if s.gained[player] == best:
            return player
    return s.starter


@jit
def best_by_lot(s: State, x: Context, best: int) -> Player:
    """A random one of the best scorers; a scripted game answers with the player."""
    count = 0
    for player in range(players(s, x)):
        if s.gained[player] == best:
            x.pool[count] = player
            count += 1
    if count == 1 or x.script_error:
        return x.pool[0]
    if not x.scripted:
        return x.pool[draw_below(s.rng, count)]
    if x.script_pos < x.n_script:
        for i in range(count):
            if x.script[x.script_pos] == PLAYER_ANSWER - x.pool[i]:
                x.script_pos += 1
                return x.pool[i]
    lack_answer(x, count, Lot.STARTER.value, s.starter)
    return x.pool[0]
