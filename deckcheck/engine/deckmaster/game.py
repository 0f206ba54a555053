"""Deckmaster: the heuristic, its hidden information, and functions of the contract."""

from __future__ import annotations

import sys

from deckcheck.engine.contract import register
from deckcheck.engine.deckmaster.context import card_numbers, fill_context, find_variant
from deckcheck.engine.deckmaster.rules import (
    STATUSES,
    apply_move,
    draw_random_cards,
    end_turn,
    legal_moves,
    place_card,
    set_up,
)
from deckcheck.engine.deckmaster.state import (
    ARROW_BIT,
    CONTEXT,
    SPACE_MASK,
    STATE,
    Element,
    Status,
)
from deckcheck.engine.jit import Cells, Context, Move, Player, State, entry, jit
from deckcheck.engine.primitives import draw_below, mix, renew_chance, seed_generator

ALL_ARROWS = 15  # all four arrows
TOP_POWER = 5
POINT_WORTH = 10  # replies per point: five powers, each with the arrow in half of them
NO_VALUE = -1000  # below the value of every placement


@entry
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the placement with the largest gain less the likely reply.

    It looks at the board and the drawn card alone.
    """
    player = s.turn
    card = s.deck[s.n_deck - 1]
    keep_position(s, x)
    best, best_value = x.moves[0], NO_VALUE
    for i in range(count):
        space = x.moves[i]
        place_card(s, x, player, space, card)
        end_turn(s, x)
        value = POINT_WORTH * (s.points[player] - x.kept_points[player])
        if s.n_deck > 1:
            value -= best_reply(s, x)
        restore_position(s, x)
        if value > best_value:
            best, best_value = space, value
    return best


@jit
def best_reply(s: State, x: Context) -> int:
    """Return the expected best reply of an unknown card, in tenths of a point."""
    best = 0
    for space in range(s.card.shape[0]):
        if s.empty == 0 or s.card[space] == 0:
            best = max(best, threat(s, x, space))
    return best


@jit
def threat(s: State, x: Context, space: int) -> int:
    """Return how many of the five powers destroy each neighbour of a space, added up.

    A card played on another has the power of both.
    """
    total = 0
    for i in range(x.n_targets[space, ALL_ARROWS]):
        target = x.target[space, ALL_ARROWS, i] & SPACE_MASK
        back = x.target[space, ALL_ARROWS, i] >> ARROW_BIT
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
def keep_position(s: State, x: Context) -> None:
    """Keep in the context all that a placement changes."""
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
def restore_position(s: State, x: Context) -> None:
    """Restore the position that `keep_position` kept."""
    for space in range(s.card.shape[0]):
        s.card[space] = x.kept_card[space]
        s.arrows[space] = x.kept_arrows[space]
        s.power[space] = x.kept_power[space]
        s.status[space] = x.kept_status[space]
    s.points[0], s.points[1] = x.kept_points[0], x.kept_points[1]
    s.empty, s.poisoned = x.kept_counts[0], x.kept_counts[1]
    s.fusions, s.burnouts = x.kept_counts[2], x.kept_counts[3]
    s.poison_deaths = x.kept_counts[4]


# -----------------------------------------------------------------------------
# Hidden information: the deck below its top card (rules 8.27)


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Put the rest of the deck into a random order, or draw a random one, by `x.rng`.

    The top card is drawn and seen by both. A named deck is known except for its
    order, a random deck is unknown.
    """
    below = max(s.n_deck - 1, 0)
    if x.random_deck != 0:
        draw_random_cards(s, x, x.rng, below)
    else:
        mix(s.deck, below, x.rng)
    renew_chance(s, x)


# -----------------------------------------------------------------------------
# The functions of the contract

# The records of the state and of the context, by variant of the game.
RECORD_TYPES = {"two": (STATE, CONTEXT)}
CARRIED_OUT = {
    "two": {
        Status: STATUSES,
        # An element gives the status of its number, which carries it out.
        Element: dict.fromkeys(Element, tuple(Status)),
    }
}


@entry
def is_over(s: State) -> bool:
    """Report whether the deck is empty (rules 2.5)."""
    return s.n_deck == 0


@entry
def returns(s: State, x: Context, player: Player) -> int:
    """Return 2 for more points than the opponent, 1 for equal points, else 0 (6.3)."""
    if s.points[0] == s.points[1]:
        return 1
    return 2 if s.points[player] > s.points[1 - player] else 0


@entry
def place(s: State, x: Context, entrant: int) -> int:
    """Return 1 for the winner and for both after a draw, 2 for the loser."""
    return 2 if s.points[entrant] < s.points[1 - entrant] else 1


@entry
def points(s: State, x: Context, entrant: int) -> int:
    """Return the points for destroyed cards."""
    return s.points[entrant]


@entry
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return 0 for the player who began, 1 for the opponent."""
    return (entrant - s.first) % s.points.shape[0]


@entry
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the points of the player less the points of the opponent."""
    return s.points[player] - s.points[1 - player]


@entry
def rounds_played(s: State) -> int:
    """Return the number of the current round, in which each player places a card."""
    return max((s.turns + 1) // s.points.shape[0], 1)


@entry
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Return 1 for the player to move, with the drawn card, as there is no hand."""
    return int(s.n_deck > 0 and s.turn == entrant)


@entry
def count_hand(s: State, player: Player, slots: Cells, held: Cells) -> None:
    """Count nothing: there is no hand."""
    held[:] = 0


@entry
def count_unplayed(s: State, player: Player) -> tuple[int, int]:
    """Return the cards of the deck that both draw from: there is no hand."""
    return 0, s.n_deck


@entry
def pass_move(s: State, x: Context) -> Move:
    """Return -1, as nobody can pass: the drawn card must be placed (rules 8.19)."""
    return -1


@entry
def wins_by_passing(s: State, x: Context) -> bool:
    """Return False, as nobody can pass."""
    return False


register(sys.modules[__name__], STATE)
