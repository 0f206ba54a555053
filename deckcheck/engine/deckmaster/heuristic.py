"""The rule-of-thumb player: one placement ahead, and what it gives the opponent."""

from __future__ import annotations

from deckcheck.engine.deckmaster.rules import end_turn, place_card
from deckcheck.engine.deckmaster.state import BACK, SPACE, Status
from deckcheck.engine.jit import Context, Move, State, entry, jit

EVERYWHERE = 15  # all four arrows
TOP_POWER = 5
POINT = 10  # five powers, and an arrow points somewhere half of the time


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """The placement whose points exceed by most what the next card may then take.

    It looks at the board and the drawn card alone.
    """
    player, card = s.turn, s.deck[s.n_deck - 1]
    keep(s, x)
    best, best_value = x.moves[0], -1000
    for i in range(count):
        space = x.moves[i]
        place_card(s, x, player, space, card)
        end_turn(s, x)
        value = POINT * (s.points[player] - x.kept_points[player])
        if s.n_deck > 1:
            value -= best_reply(s, x)
        put_back(s, x)
        if value > best_value:
            best, best_value = space, value
    return best


@jit
def best_reply(s: State, x: Context) -> int:
    """What a card that nobody knows can take from its best space, in tenths."""
    best = 0
    for space in range(s.card.shape[0]):
        if s.empty == 0 or s.card[space] == 0:
            best = max(best, threat(s, x, space))
    return best


@jit
def threat(s: State, x: Context, space: int) -> int:
    """The powers that destroy a neighbour of a space, out of five, added up.

    A card that is played on another is stronger by it.
    """
    total = 0
    for i in range(x.n_targets[space, EVERYWHERE]):
        target = x.target[space, EVERYWHERE, i] & SPACE
        back = x.target[space, EVERYWHERE, i] >> BACK
        if s.card[target] == 0:
            continue
        points_back = s.arrows[target] & back != 0
        opposes = int(points_back and s.status[target] != Status.FROZEN)
        power = s.power[target]
        if opposes == 0:
            power -= s.power[space]
        if power <= TOP_POWER:
            total += x.kills[opposes, max(power, 1)]
    return total


@jit
def keep(s: State, x: Context) -> None:
    """Remember all that a placement changes."""
    for space in range(s.card.shape[0]):
        x.kept_card[space] = s.card[space]
        x.kept_arrows[space] = s.arrows[space]
        x.kept_power[space] = s.power[space]
        x.kept_status[space] = s.status[space]
    x.kept_points[0], x.kept_points[1] = s.points[0], s.points[1]
    x.kept_counts[0], x.kept_counts[1] = s.empty, s.poisoned
    x.kept_counts[2], x.kept_counts[3] = s.fusions, s.burnouts
    x.kept_counts[4] = s.poison_deaths


@jit
def put_back(s: State, x: Context) -> None:
    """Go back to what was kept."""
    for space in range(s.card.shape[0]):
        s.card[space] = x.kept_card[space]
        s.arrows[space] = x.kept_arrows[space]
        s.power[space] = x.kept_power[space]
        s.status[space] = x.kept_status[space]
    s.points[0], s.points[1] = x.kept_points[0], x.kept_points[1]
    s.empty, s.poisoned = x.kept_counts[0], x.kept_counts[1]
    s.fusions, s.burnouts = x.kept_counts[2], x.kept_counts[3]
    s.poison_deaths = x.kept_counts[4]
