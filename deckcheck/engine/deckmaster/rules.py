"""Deckmaster: the rules of play for placing, attacking, the set-up and moves."""

from __future__ import annotations

from deckcheck.engine.deckmaster.state import (
    ARROW_BIT,
    SPACE_MASK,
    SPACE_SET_COUNT,
    Status,
    card_parts,
)
from deckcheck.engine.jit import Card, Cells, Context, Move, Player, State, entry, jit
from deckcheck.engine.primitives import draw_below, extend_history, shuffle
from deckcheck.engine.registry import Carried

# -----------------------------------------------------------------------------
# Placing a card: fusion, attack, elements, scoring, and the end of the turn


@jit
def place_card(s: State, x: Context, player: Player, space: int, card: Card) -> None:
    """Put a card on a space and let it attack (rules 2.3, 2.4)."""
    power, element, arrows = card_parts(card)
    if s.card[space] != 0:
        # The power of the played card and the power left of the card below (rules 3.1)
        power += s.power[space]
        s.fusions += 1
    s.empty &= ~(1 << space)
    s.poisoned &= ~(1 << space)
    s.card[space] = card
    s.arrows[space] = arrows
    s.status[space] = Status.NEUTRAL
    s.power[space] = power
    attack(s, x, player, space, element)


@jit
def attack(s: State, x: Context, player: Player, space: int, element: int) -> None:
    """Attack along each arrow, in the order of the format (rules 4.1, 7.1)."""
    arrows = s.arrows[space]
    power = s.power[space]
    start = power
    for i in range(x.n_targets[space, arrows]):
        target = x.target[space, arrows, i] & SPACE_MASK
        back = x.target[space, arrows, i] >> ARROW_BIT
        if s.card[target] == 0:
            continue
        if x.power_at_start == 0:
            start = power
        power -= hit(s, x, player, target, back, start, element)
        if power <= 0:
            # "The attacker stops" (rules 7.6)
            clear_space(s, x, space)
            s.burnouts += 1
            s.points[player] += x.score_burnout
            return
    s.power[space] = power


@jit
def hit(
    s: State,
    x: Context,
    player: Player,
    target: int,
    back: int,
    power: int,
    element: int,
) -> int:
    """Attack a card with `power` and return the loss of the attacker.

    `back` is the arrow that points at the attacker.
    """
    old = s.status[target]
    left = s.power[target]
    retaliation = int(old == Status.BURNING)
    # The three cases of an attack (rules 4.2 to 4.4)
    if s.arrows[target] & back == 0 or old == Status.FROZEN:
        left -= power
    else:
        left -= max(power - left, 1)
    if left > 0:
        s.power[target] = left
        set_status(s, x, target, x.becomes[old, element])
        return retaliation
    clear_space(s, x, target)
    s.points[player] += 1
    return retaliation * (1 - x.dying_stay_quiet)


@jit
def set_status(s: State, x: Context, target: int, status: int) -> None:
    """Give a card its new status."""
    s.status[target] = status
    is_poisoned = int(status == Status.POISONED)
    s.poisoned = (s.poisoned & ~(1 << target)) | (is_poisoned << target)


STATUSES: dict[Status, Carried] = {
    Status.BURNING: hit,
    Status.FROZEN: hit,
    Status.POISONED: set_status,
}
"""The statuses, each with the function that has a branch for it."""


@jit
def clear_space(s: State, x: Context, space: int) -> None:
    """Take a card off the board."""
    s.card[space] = 0
    s.arrows[space] = 0
    s.power[space] = 0
    s.status[space] = Status.NEUTRAL
    s.empty |= 1 << space
    s.poisoned &= ~(1 << space)


@jit
def end_turn(s: State, x: Context) -> None:
    """Take 1 power from every poisoned card, without points (rules 2.5, 6.2)."""
    left = s.poisoned
    while left != 0:
        space = x.lowest[left]
        left &= left - 1
        s.power[space] -= 1
        if s.power[space] <= 0:
            clear_space(s, x, space)
            s.poison_deaths += 1


# -----------------------------------------------------------------------------
# The start of a game: an empty board, the deck face down, who begins (rules 1.1)


@entry
def set_up(s: State, x: Context) -> None:
    """Shuffle the deck, or make a random deck. `s.rng` is seeded, `x.coin` begins."""
    s.turn = s.first = x.coin
    s.turns = s.history = 0
    s.points[0] = s.points[1] = 0
    s.fusions = s.burnouts = s.poison_deaths = 0
    s.empty = SPACE_SET_COUNT - 1
    s.poisoned = 0
    for space in range(s.card.shape[0]):
        s.card[space] = s.arrows[space] = s.power[space] = s.status[space] = 0
    s.n_deck = x.n_deck
    if x.random_deck != 0:
        draw_random_cards(s, x, s.rng, s.n_deck)
        return
    for i in range(s.n_deck):
        s.deck[i] = x.deck[i]
    shuffle(s.deck, s.n_deck, s.rng)


@jit
def draw_random_cards(s: State, x: Context, rng: Cells, count: int) -> None:
    """Put a new random card in each of the lowest `count` places of the deck."""
    for i in range(count):
        s.deck[i] = x.drawn[draw_below(rng, x.n_drawn)]


# -----------------------------------------------------------------------------
# Moves: a move is the space, 0 to 8 row by row, on which the drawn card is placed


@entry
def legal_moves(s: State, x: Context) -> int:
    """List the empty spaces, or all nine if none is empty (rules 2.3)."""
    if s.n_deck == 0:
        return 0
    if s.empty == 0:
        for space in range(s.card.shape[0]):
            x.moves[space] = space
        return s.card.shape[0]
    count = 0
    for space in range(s.card.shape[0]):
        # Without a branch, which a processor could not guess.
        x.moves[count] = space
        count += (s.empty >> space) & 1
    return count


@entry
def apply_move(s: State, x: Context, move: Move) -> None:
    """Place the top card of the deck, end the turn, and give it to the opponent."""
    s.n_deck -= 1
    place_card(s, x, s.turn, move, s.deck[s.n_deck])
    end_turn(s, x)
    s.turns += 1
    s.history = extend_history(s.history, move)
    s.turn = 1 - s.turn
