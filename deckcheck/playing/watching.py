"""Plays games and watches the hand of one player, for games in which hands are held.

It is compiled only where somebody wants to know it, see `kernel` for all other games.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    set_up,
    to_move,
)
from deckcheck.engine.errors import GameDoesNotEnd
from deckcheck.engine.jit import entry, jit
from deckcheck.playing.kernel import MAX_TURNS, Game, note_outcome, start_game
from deckcheck.policies.choose import choose_move


class Seen(IntEnum):
    """The ways in which a game may see a card, as columns."""

    OPENING = 0  # in the hand with which the player made the first move but redraws
    DRAWN = 1  # came to the hand later
    PLAYED = 2  # left the hand by a move of the player
    HELD = 3  # in hand at the end


@entry
def watch_games(
    states: Any,
    contexts: Any,
    workspaces: Any,
    seed: Any,
    games: Any,
    outcomes: Any,
    player: Any,
    slots: Any,
    seen: Any,
    held: Any,
    at: Any,
) -> Any:
    """Play each of `games` as `play_games` does, and write to `seen` what was seen.

    `slots[card]` is the place of a card in `seen[game, slot, way]`, -1 for none. `held`
    is a working array of two rows with a cell for each slot.
    """
    s, p = states[0], workspaces[0]
    for i in range(games.shape[0]):
        at[0] = i
        x = contexts[games[i, Game.CONTEXT.value]]
        start_game(
            s,
            x,
            seed,
            games[i, Game.STREAM.value],
            games[i, Game.COUNTER.value],
            games[i, Game.BEGINNER.value],
        )
        watch_game(s, x, p, player, slots, seen[i], held)
        note_outcome(s, x, outcomes, i)


@jit
def watch_game(
    s: Any, x: Any, p: Any, player: Any, slots: Any, seen: Any, held: Any
) -> Any:
    """Play one game; `held` has the copies in hand before a move, and after it."""
    set_up(s, x)
    opened = False
    while not is_over(s):
        mover = to_move(s)
        count = legal_moves(s, x)
        move = choose_move(s, x, p, x.policy[mover], count)
        count_hand(s, player, slots, held[0])
        cards = s.n_hand[player]
        left = s.n_deck[player]
        apply_move(s, x, move)
        if s.turns > MAX_TURNS:
            raise GameDoesNotEnd("the game does not end")
        count_hand(s, player, slots, held[1])
        changed = s.n_hand[player] != cards or s.n_deck[player] != left
        # A redraw gives a card for a card: it leaves hand and deck as large as before.
        if mover == player and changed and not opened:
            opened = True
            note_held(seen, held[0], Seen.OPENING.value)
        if opened:
            note_changes(seen, held, mover == player)
    count_hand(s, player, slots, held[0])
    note_held(seen, held[0], Seen.HELD.value)
    if not opened:
        note_held(seen, held[0], Seen.OPENING.value)


@jit
def count_hand(s: Any, player: Any, slots: Any, held: Any) -> Any:
    """Count the copies in hand of each card that has a slot."""
    for slot in range(held.shape[0]):
        held[slot] = 0
    for i in range(s.n_hand[player]):
        slot = slots[s.hand[player, i]]
        if slot >= 0:
            held[slot] += 1


@jit
def note_held(seen: Any, held: Any, way: Any) -> Any:
    """Note the cards that are held."""
    for slot in range(held.shape[0]):
        if held[slot] > 0:
            seen[slot, way] = 1


@jit
def note_changes(seen: Any, held: Any, is_own: Any) -> Any:
    """Note the cards that came to the hand, and those that left it by an own move."""
    for slot in range(held.shape[1]):
        if held[1, slot] > held[0, slot]:
            seen[slot, Seen.DRAWN.value] = 1
        elif held[1, slot] < held[0, slot] and is_own:
            seen[slot, Seen.PLAYED.value] = 1
