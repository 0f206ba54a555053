"""Hidden information: the opponent's hand, and the order of the decks.

Both decklists are taken as known, as at tournaments with open lists; which of the
cards are in hand is not.
"""

from __future__ import annotations

from deckcheck.engine.games.gwent.rules.seats import players
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.engine.jit import entry, jit
from deckcheck.engine.rng import draw_below, seed_generator
from deckcheck.engine.shuffling import mix
from deckcheck.engine.types import Context, Player, State


@entry
def determinize(s: State, x: Context, player: Player) -> None:
    """Deal the cards that `player` cannot see anew, at random from `x.rng`.

    Hand cards that were seen stay. The future chance of the game is new as well.
    """
    for other in range(players(s, x)):
        unseen = 0
        # "they may look at each other's hands" (5.2)
        if x.side[other] != x.side[player]:
            unseen = take_unseen(s, x, player, other)
        for i in range(s.n_deck[other]):
            x.pool[unseen + i] = s.deck[other, i]
        mix(x.pool, unseen + s.n_deck[other], x.rng)
        for i in range(unseen):
            s.hand[other, i] = x.pool[i]
        for i in range(s.n_deck[other]):
            s.deck[other, i] = x.pool[unseen + i]
        if unseen > 0:
            sort_hand(s, other)
    seed_generator(
        s.rng, draw_below(x.rng, 1 << 30), draw_below(x.rng, 1 << 30), s.turns
    )


@jit
def take_unseen(s: State, x: Context, player: Player, other: Player) -> int:
    """Take the hand cards that `player` does not know into `x.pool`; returns how many.

    Their places are the first ones of the hand then.
    """
    unseen = 0
    for i in range(s.n_hand[other]):
        if not knows(s, x, player, other, i):
            x.pool[unseen] = s.hand[other, i]
            s.hand[other, i] = 0
            unseen += 1
    sort_hand(s, other)
    return unseen


@jit
def sort_hand(s: State, other: Player) -> None:
    """Bring a hand back into order; of equal cards by the marks of what was seen."""
    for i in range(1, s.n_hand[other]):
        card, seen = s.hand[other, i], s.seen[other, i]
        j = i
        while j > 0 and (
            s.hand[other, j - 1] > card
            or (s.hand[other, j - 1] == card and s.seen[other, j - 1] > seen)
        ):
            s.hand[other, j] = s.hand[other, j - 1]
            s.seen[other, j] = s.seen[other, j - 1]
            j -= 1
        s.hand[other, j] = card
        s.seen[other, j] = seen
