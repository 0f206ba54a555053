"""Hands, decks and discard piles as numbers, as far as the player knows them."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import Kind
from deckcheck.engine.games.gwent.players.seeing.gains import gain
from deckcheck.engine.games.gwent.players.seeing.opposing import rival, side_of
from deckcheck.engine.games.gwent.players.seeing.roles import ROLES, Role
from deckcheck.engine.games.gwent.rules.zones import KNOWN_TO_ALL, knows
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.heaps import clear_sums, count_card, note
from deckcheck.engine.types import Card, Context, Player, State, Workspace


@jit
def sum_families(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Add up strength by family in hand and deck together.

    Only families that a muster calls are asked for.
    """
    for i in range(q.n_called[player]):
        q.called[player, q.families[player, i]] = 0
    q.n_called[player] = 0
    if not x.musters[player]:
        return
    for i in range(s.n_hand[player]):
        call_card(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        call_card(x, q, player, s.deck[player, i])


@jit
def call_card(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Add the strength of a card to that of its family, if a muster calls it."""
    if x.answers[card]:
        family = x.family[card]
        q.called[player, family] += x.strength[card]
        q.families[player, q.n_called[player]] = family
        q.n_called[player] += 1


@jit
def clear_heaps(q: Workspace) -> None:
    """Make all heaps empty, and what is counted of them zero."""
    clear_sums(q)
    q.exposed, q.doubled, q.bonded, q.mustered = 0, 0, 0, 0
    q.known, q.known_worth = 0, 0


@jit
def read_own_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heaps 0 and 1: the own hand, the own deck; gains 0 and 1: now, and in general."""
    family, last, copies = 0, 0, 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        count_card(x, q, 0, card, ROLES)
        # Who at a table looked at a hand is "the only one who knows the cards seen".
        q.exposed += s.seen[player, i] & KNOWN_TO_ALL
        copies = copies + 1 if card == last else 0
        last = card
        # The second card of a muster family brings nothing more.
        if x.role[card] == Role.MUSTER:
            if x.calls[card] == x.family[card] and x.family[card] == family:
                q.doubled += 1
                continue
            family = x.family[card]
            q.mustered += q.called[player, x.calls[card]]
        elif x.role[card] == Role.BOND:
            q.bonded += 2 * copies * x.strength[card]
        note(q, 0, gain(s, x, q, player, card))
        note(q, 1, x.worth[card])
    for i in range(s.n_deck[player]):
        count_card(x, q, 1, s.deck[player, i], ROLES)


@jit
def read_enemy_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heap 2: cards known in the enemy's hand; heap 3: those in hand or deck.

    Gains 2 and 3 are of these two, gains 4 what the cards of heap 3 bring in general.
    """
    enemy = rival(s, q, player)
    for i in range(s.n_hand[enemy]):
        card = s.hand[enemy, i]
        if knows(s, x, player, enemy, i):
            count_card(x, q, 2, card, ROLES)
            note(q, 2, gain(s, x, q, enemy, card))
            q.known += 1
            q.known_worth += x.worth[card]
        else:
            read_unseen(s, x, q, enemy, card)
    for i in range(s.n_deck[enemy]):
        read_unseen(s, x, q, enemy, s.deck[enemy, i])


@jit
def read_unseen(s: State, x: Context, q: Workspace, enemy: Player, card: Card) -> None:
    """A card that is in the enemy's hand or deck."""
    count_card(x, q, 3, card, ROLES)
    note(q, 3, gain(s, x, q, enemy, card))
    note(q, 4, x.worth[card])


@jit
def read_discards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """What a medic of the player finds in the pile, and the best it could revive."""
    side = side_of(s, x, player)
    units, total, best, second = 0, 0, 0, 0
    for i in range(s.n_discard[side]):
        card = s.discard[side, i]
        if x.kind[card] != Kind.UNIT:
            continue
        units += 1
        total += x.strength[card]
        value = gain(s, x, q, player, card)
        if x.role[card] == Role.MUSTER:
            value = x.strength[card]
        elif x.role[card] == Role.SPY:
            q.dead_spies[player] += 1
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    q.dead[player] = units
    q.dead_strength[player] = total
    q.second_revival[player] = second
    q.revival[player] = best
