"""Plays games in which one player redraws as an experiment wants it.

It is compiled only where somebody wants to know it, see `kernel` for all other games.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    redrawn_card,
    set_up,
    to_move,
)
from deckcheck.engine.errors import GameDoesNotEnd
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.piles import remove_from_deck, shuffle_deck
from deckcheck.playing.kernel import MAX_TURNS, Game, note_outcome, start_game
from deckcheck.playing.watching import count_hand
from deckcheck.policies.choose import choose_move

NOT_DEALT = -1


class Way(IntEnum):
    """How the player has to redraw."""

    OWN = 0  # as they like
    KEPT = 1  # as they like, but never a certain card
    SENT = 2  # a certain card first, then as they like
    ALL_KEPT = 3  # nothing


@entry
def play_redraws(
    states: Any,
    contexts: Any,
    workspaces: Any,
    seed: Any,
    games: Any,
    outcomes: Any,
    player: Any,
    way: Any,
    card: Any,
    hand: Any,
    slots: Any,
    dealt: Any,
    sent: Any,
    at: Any,
) -> Any:
    """Play each of `games` as `play_games` does, but `player` redraws in a `Way`.

    `card` is the certain card of some ways, and `hand` has the cards that are dealt to
    the player, none for any. `slots[card]` is the place of a card in `dealt[game,
    slot]`, the copies in the hand before redraws, and in `sent[game, slot]`, which is
    1 if the first redraw sent it back, 2 if the second was the first to do so, and 0 if
    none did. The last place of `sent` is 1 and one more for each redraw, 0 if the
    player could make none, and NOT_DEALT if hands have another size in this game.
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
        play_one(s, x, p, player, way, card, hand, slots, dealt[i], sent[i])
        note_outcome(s, x, outcomes, i)


@jit
def play_one(
    s: Any,
    x: Any,
    p: Any,
    player: Any,
    way: Any,
    card: Any,
    hand: Any,
    slots: Any,
    dealt: Any,
    sent: Any,
) -> Any:
    """Play one game."""
    set_up(s, x)
    made = sent.shape[0] - 1
    while not is_over(s):
        mover = to_move(s)
        count = legal_moves(s, x)
        is_redraw = mover == player and redrawn_card(s, x.moves[0]) >= 0
        if is_redraw and sent[made] == 0 and hand.shape[0] not in (0, s.n_hand[player]):
            sent[made] = NOT_DEALT
        is_redraw = is_redraw and sent[made] >= 0
        if is_redraw:
            if sent[made] == 0:
                sent[made] = 1
                deal_hand(s, x, player, hand)
                count_hand(s, player, slots, dealt)
                count = legal_moves(s, x)
            count = keep_allowed(s, x, count, way, card, sent[made])
        move = choose_move(s, x, p, x.policy[mover], count)
        if is_redraw:
            note_redraw(redrawn_card(s, move), slots, sent)
        apply_move(s, x, move)
        if s.turns > MAX_TURNS:
            raise GameDoesNotEnd("the game does not end")


@jit
def deal_hand(s: Any, x: Any, player: Any, hand: Any) -> Any:
    """Give the player the cards of `hand`, if any, as if the shuffle had done so."""
    if hand.shape[0] == 0:
        return
    for i in range(s.n_hand[player]):
        s.deck[player, s.n_deck[player]] = s.hand[player, i]
        s.n_deck[player] += 1
    for i in range(hand.shape[0]):
        remove_from_deck(s, player, hand[i])
        s.hand[player, i] = hand[i]
    shuffle_deck(s, x, player)


@jit
def keep_allowed(s: Any, x: Any, count: Any, way: Any, card: Any, number: Any) -> Any:
    """Leave the moves that `way` allows as redraw `number`; returns how many."""
    left = 0
    for i in range(count):
        out = redrawn_card(s, x.moves[i])
        if (
            (way == Way.KEPT.value and out == card)
            or (way == Way.SENT.value and number == 1 and out != card)
            or (way == Way.ALL_KEPT.value and out > 0)
        ):
            continue
        x.moves[left] = x.moves[i]
        left += 1
    return left


@jit
def note_redraw(out: Any, slots: Any, sent: Any) -> Any:
    """Note a redraw, and with which one a card is sent back for the first time."""
    made = sent.shape[0] - 1
    if out <= 0:
        return
    slot = slots[out]
    if slot >= 0 and sent[slot] == 0:
        sent[slot] = sent[made]
    sent[made] += 1
