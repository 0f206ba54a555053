"""Leaders who reach into discard piles (rules 1.9.2)."""

from __future__ import annotations

from deckcheck.engine.encoding import WHO_BIT, move_card, move_who
from deckcheck.engine.games.gwent.codes import Kind, Phase
from deckcheck.engine.games.gwent.rules.encoding import CHOOSE
from deckcheck.engine.games.gwent.rules.seats import (
    enemy_side,
    has_many_sides,
    players,
    sides,
)
from deckcheck.engine.games.gwent.rules.zones import KNOWN_TO_ALL, add_to_hand
from deckcheck.engine.jit import jit
from deckcheck.engine.move_list import add_once
from deckcheck.engine.piles import remove_from_discard, shuffle_deck
from deckcheck.engine.types import Card, Context, Move, Player, State


@jit
def may_be_taken(x: Context, card: Card) -> bool:
    """Whether The Relentless may take a card of an enemy pile: no heroes."""
    return x.kind[card] != Kind.HERO


@jit
def enemy_pile_has_card(s: State, x: Context, player: Player) -> bool:
    """Whether an enemy pile holds a card that The Relentless may take."""
    for enemy in range(sides(s, x)):
        if enemy != x.side[player]:
            for i in range(s.n_discard[enemy]):
                if may_be_taken(x, s.discard[enemy, i]):
                    return True
    return False


@jit
def offer_enemy_discard(s: State, x: Context, player: Player) -> None:
    """The Relentless: a card of an enemy pile comes into the hand."""
    if enemy_pile_has_card(s, x, player):
        s.phase = Phase.ENEMY_DISCARD


@jit
def enemy_discard_moves(s: State, x: Context, player: Player) -> int:
    """Each card that The Relentless may take, of several opponents with its owner."""
    count = 0
    for other in range(players(s, x)):
        enemy = x.side[other]
        if enemy != x.side[player]:
            who = other << WHO_BIT if has_many_sides(s, x) else 0
            for i in range(s.n_discard[enemy]):
                if may_be_taken(x, s.discard[enemy, i]):
                    count = add_once(x, count, CHOOSE | who | s.discard[enemy, i])
    return count


@jit
def take_from_enemy_discard(s: State, x: Context, player: Player, move: Move) -> None:
    """Take the chosen card into the hand, where everybody knows it."""
    if has_many_sides(s, x):
        enemy = x.side[move_who(move)]
    else:
        enemy = enemy_side(s, x, x.side[player])
    remove_from_discard(s, enemy, move_card(move))
    add_to_hand(s, player, move_card(move), KNOWN_TO_ALL)


@jit
def offer_own_discard(s: State, x: Context, player: Player) -> None:
    """Bringer of Death: a card of the own pile comes back into the hand."""
    if s.n_discard[x.side[player]] > 0:
        s.phase = Phase.OWN_DISCARD


@jit
def own_discard_moves(s: State, x: Context, player: Player) -> int:
    """Each different card of the own pile."""
    count = 0
    side = x.side[player]
    for i in range(s.n_discard[side]):
        count = add_once(x, count, CHOOSE | s.discard[side, i])
    return count


@jit
def restore_from_own_discard(s: State, x: Context, player: Player, move: Move) -> None:
    """Take the chosen card into the hand, where everybody knows it."""
    remove_from_discard(s, x.side[player], move_card(move))
    add_to_hand(s, player, move_card(move), KNOWN_TO_ALL)


@jit
def any_discard(s: State, x: Context) -> bool:
    """Whether a card lies in any discard pile."""
    for side in range(sides(s, x)):
        if s.n_discard[side] > 0:
            return True
    return False


@jit
def reshuffle_discards(s: State, x: Context) -> None:
    """Crach: all players put their discard piles back into their decks and shuffle.

    In a scripted game the pile goes below the deck, its top card first.
    """
    for player in range(players(s, x)):
        put_below_deck(s, x, player)
    for side in range(sides(s, x)):
        s.n_discard[side] = 0
    for player in range(players(s, x)):
        shuffle_deck(s, x, player)


@jit
def put_below_deck(s: State, x: Context, player: Player) -> None:
    """The player's cards of the pile go below the deck."""
    side = x.side[player]
    own = 0
    for i in range(s.n_discard[side]):
        own += takes_back(s, x, player, s.discard[side, i])
    for i in range(s.n_deck[player] - 1, -1, -1):
        s.deck[player, i + own] = s.deck[player, i]
    s.n_deck[player] += own
    own = 0
    for i in range(s.n_discard[side]):
        if takes_back(s, x, player, s.discard[side, i]):
            s.deck[player, own] = s.discard[side, i]
            own += 1


@jit
def takes_back(s: State, x: Context, player: Player, card: Card) -> bool:
    """Whether a card of the pile is the player's; partners share a pile (5.6.8).

    It is the partner's whose colour it bears; the first partner's if it is of neither.
    """
    keeper = -1
    for other in range(players(s, x)):
        if x.side[other] == x.side[player]:
            if keeper < 0 or x.colour[card] == x.own_colour[other]:
                keeper = other
    return keeper == player
