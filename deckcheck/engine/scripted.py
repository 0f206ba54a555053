"""Random picks, which a scripted game answers with the cards of its script."""

from __future__ import annotations

from deckcheck.engine.jit import jit
from deckcheck.engine.rng import draw_below
from deckcheck.engine.types import Card, Context, Player, State


@jit
def pick(
    s: State, x: Context, count: int, lot: int, player: Player, wanted: int
) -> int:
    """Index of a random one of the `count` candidates in `x.pool`.

    `wanted` cards will be picked from them one after another, for `player`; if that is
    all of them, or they are all the same card, a script need not answer. A scripted
    game answers with the next card of the script.
    """
    if not x.scripted:
        return draw_below(s.rng, count)
    if x.script_error:
        return 0
    chosen = -1
    if x.script_pos < x.n_script:
        chosen = candidate(x, count, x.script[x.script_pos])
    if chosen >= 0:
        x.script_pos += 1
        return chosen
    if count <= wanted or is_one_card(x, count):
        return 0
    lack_answer(x, count, lot, player)
    return 0


@jit
def candidate(x: Context, count: int, card: Card) -> int:
    """Index of a candidate that is this card, -1 if none is."""
    for i in range(count):
        if x.plain[x.pool[i]] == card:
            return i
    return -1


@jit
def is_one_card(x: Context, count: int) -> bool:
    """Whether all candidates are copies of one card."""
    for i in range(1, count):
        if x.plain[x.pool[i]] != x.plain[x.pool[0]]:
            return False
    return True


@jit
def lack_answer(x: Context, count: int, lot: int, player: Player) -> None:
    """Keep what a pick from `x.pool` is about that lacks a right answer.

    `script_error` becomes 1 if there is none, and 2 if it is not among the candidates.
    """
    x.script_error = 1
    if x.script_pos < x.n_script:
        x.script_pos += 1
        x.script_error = 2
    x.asked[0] = lot
    x.asked[1] = player
    x.n_asked = count
    for i in range(count):
        x.asked_cards[i] = x.pool[i]
