"""Hands, decks and graveyards as numbers, as far as the player knows them."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability
from deckcheck.engine.games.sg_gwint.players.seeing.gains import gain
from deckcheck.engine.games.sg_gwint.players.seeing.roles import ROLES, Role
from deckcheck.engine.games.sg_gwint.rules.hidden import is_seen
from deckcheck.engine.games.sg_gwint.rules.targets import can_fetch, can_return
from deckcheck.engine.jit import jit
from deckcheck.engine.seeing.heaps import clear_sums, count_card, note
from deckcheck.engine.types import Card, Context, Player, State, Workspace


@jit
def clear_heaps(q: Workspace) -> None:
    """Make all heaps empty, and what is counted of them zero."""
    clear_sums(q)
    q.exposed, q.doubled, q.bonded = 0, 0, 0
    q.known, q.known_worth = 0, 0
    for side in range(2):
        q.fetched[side] = 0


@jit
def is_open(s: State, player: Player, viewer: Player, i: int) -> bool:
    """Whether the viewer knows this card of a hand."""
    return player == viewer or s.seen[player, i] != 0


@jit
def sum_families(
    s: State, x: Context, q: Workspace, player: Player, viewer: Player
) -> None:
    """Add up by family the strength that a muster may find in the deck.

    Of the enemy that is all that the viewer does not know to be in the hand.
    """
    if s.picked > 0:
        forget(x, q, player, s.picked)
    for i in range(s.n_hand[player]):
        forget(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        forget(x, q, player, s.deck[player, i])
    for i in range(s.n_hand[player]):
        if not is_open(s, player, viewer, i):
            call_card(x, q, player, s.hand[player, i])
    for i in range(s.n_deck[player]):
        call_card(x, q, player, s.deck[player, i])


@jit
def forget(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Make the sums that are asked of a card zero."""
    q.called[player, x.family[card]] = 0
    q.called[player, x.calls[card]] = 0


@jit
def call_card(x: Context, q: Workspace, player: Player, card: Card) -> None:
    """Add the strength of a card to that of its family."""
    if not x.shield[card]:
        q.called[player, x.family[card]] += x.strength[card]


@jit
def read_own_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heaps 0 and 1: the own hand, the own deck; gains 0 and 1: now, and in general."""
    family, last, copies = 0, 0, 0
    for i in range(s.n_hand[player]):
        card = s.hand[player, i]
        count_card(x, q, 0, card, ROLES)
        q.exposed += s.seen[player, i] != 0
        copies = copies + 1 if card == last else 0
        last = card
        # The second card of a muster family brings nothing more.
        if x.role[card] == Role.MUSTER and x.calls[card] == x.family[card]:
            if x.family[card] == family:
                q.doubled += 1
            family = x.family[card]
        elif x.role[card] == Role.BOND:
            q.bonded += 2 * copies * x.strength[card]
        note(q, 0, gain(s, x, q, player, card))
        note(q, 1, worth(x, q, player, card))
    for i in range(s.n_deck[player]):
        card = s.deck[player, i]
        count_card(x, q, 1, card, ROLES)
        note_fetched(s, x, q, player, card)


@jit
def worth(x: Context, q: Workspace, player: Player, card: Card) -> int:
    """What a card brings in general, with the family that it calls."""
    if x.ability[card] & Ability.MUSTER:
        return x.worth[card] + q.called[player, x.calls[card]]
    return x.worth[card]


@jit
def note_fetched(
    s: State, x: Context, q: Workspace, player: Player, card: Card
) -> None:
    """The best card that a leader could take out of the deck."""
    if can_fetch(x, player, card):
        brought = gain(s, x, q, player, card)
        q.fetched[player] = max(q.fetched[player], brought)


@jit
def read_enemy_cards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """Heap 2: cards known in the enemy's hand; heap 3: those in hand or deck.

    Gains 2 and 3 are of these two, gains 4 what the cards of heap 3 bring in general.
    Cards that are known to lie under the deck are left out.
    """
    enemy = 1 - player
    q.unseen = 0
    for i in range(s.n_hand[enemy]):
        card = s.hand[enemy, i]
        if s.seen[enemy, i]:
            count_card(x, q, 2, card, ROLES)
            note(q, 2, gain(s, x, q, enemy, card))
            q.known += 1
            q.known_worth += worth(x, q, enemy, card)
        else:
            read_unseen(s, x, q, enemy, card)
    for i in range(s.n_deck[enemy]):
        if not is_seen(s, enemy, i):
            read_unseen(s, x, q, enemy, s.deck[enemy, i])


@jit
def read_unseen(s: State, x: Context, q: Workspace, enemy: Player, card: Card) -> None:
    """A card that is in the enemy's hand or deck."""
    q.unseen += 1
    count_card(x, q, 3, card, ROLES)
    note(q, 3, gain(s, x, q, enemy, card))
    note(q, 4, worth(x, q, enemy, card))
    note_fetched(s, x, q, enemy, card)


@jit
def read_discards(s: State, x: Context, q: Workspace, player: Player) -> None:
    """What may return from the graveyard, and the best of it."""
    units, total, best, second = 0, 0, 0, 0
    for i in range(s.n_discard[player]):
        card = s.discard[player, i]
        if not can_return(x, card):
            continue
        units += 1
        total += x.strength[card]
        value = x.worth[card]
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    q.dead[player] = units
    q.dead_strength[player] = total
    q.revival[player] = best
    q.second_revival[player] = second
