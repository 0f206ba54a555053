"""What a player does not know: the opponent's hand, and the order of the decks.

Both decklists are taken as known, as at tournaments with open lists; which of the
cards are in hand is not.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.types import Context, Player, State

__all__ = ["determinize"]


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    Hand cards that were seen stay. The future chance of the game is new as well.
    """
    for other in range(players(s, x)):
        # "they may look at each other's hands" (5.2)
        if x.side[other] != x.side[player]:
            hide_hand(s, x, player, other)
        for i in range(s.n_deck[other] - 1, 0, -1):
            j = draw_below(x.rng, i + 1)
            card = s.deck[other, i]
            s.deck[other, i] = s.deck[other, j]
            s.deck[other, j] = card
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


@jit
def hide_hand(s: State, x: Context, player: Player, other: Player) -> None:
    """Exchange each hand card that `player` does not know for one of hand and deck."""
    for i in range(s.n_hand[other]):
        if knows(s, x, player, other, i):
            continue
        unseen = 0
        for j in range(i + 1, s.n_hand[other]):
            if not knows(s, x, player, other, j):
                x.pool[unseen] = j
                unseen += 1
        choice = draw_below(x.rng, s.n_deck[other] + unseen + 1)
        card = s.hand[other, i]
        if choice < s.n_deck[other]:
            s.hand[other, i] = s.deck[other, choice]
            s.deck[other, choice] = card
        elif choice < s.n_deck[other] + unseen:
            j = x.pool[choice - s.n_deck[other]]
            s.hand[other, i] = s.hand[other, j]
            s.hand[other, j] = card
    sort_hand(s, other)


@jit
def sort_hand(s: State, other: Player) -> None:
    """Bring a hand back into order, marks of what was seen included."""
    for i in range(1, s.n_hand[other]):
        card, seen = s.hand[other, i], s.seen[other, i]
        j = i
        while j > 0 and s.hand[other, j - 1] > card:
            s.hand[other, j] = s.hand[other, j - 1]
            s.seen[other, j] = s.seen[other, j - 1]
            j -= 1
        s.hand[other, j] = card
        s.seen[other, j] = seen
