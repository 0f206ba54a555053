"""Placing a card: fusion, attack, elements, scoring, and the end of the turn."""

from __future__ import annotations

from deckcheck.engine.games.deckmaster.codes import Status, card_parts
from deckcheck.engine.games.deckmaster.state import BACK, SPACE
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, State


@jit
def place_card(s: State, x: Context, player: Player, space: int, card: Card) -> None:
    """Put a card on a space and let it attack (rules 2.3, 2.4)."""
    power, element, arrows = card_parts(card)
    if s.card[space] != 0:
        # The power of the played card and the current one of the card below (rules 3.1)
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
    arrows, power = s.arrows[space], s.power[space]
    start = power
    for i in range(x.n_targets[space, arrows]):
        target = x.target[space, arrows, i] & SPACE
        back = x.target[space, arrows, i] >> BACK
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
    """One attack with `power`; returns what the attacker loses by it.

    `back` is the arrow that points at the attacker.
    """
    old, left = s.status[target], s.power[target]
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
    """Every poisoned card loses 1 power; nobody gets a point (rules 2.5, 6.2)."""
    left = s.poisoned
    while left != 0:
        space = x.lowest[left]
        left &= left - 1
        s.power[space] -= 1
        if s.power[space] <= 0:
            clear_space(s, x, space)
            s.poison_deaths += 1
