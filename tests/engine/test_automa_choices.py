"""The automa's choices against all others, tried here one by one (rules 6.2.5)."""

from __future__ import annotations

import pytest
from solo_tables import opened, play_on, seat

from deckcheck.cards import load_database
from deckcheck.engine.gwent.automa import automa_turn
from deckcheck.engine.gwent.board import rescore_all
from deckcheck.engine.gwent.codes import Ability, Kind
from deckcheck.engine.gwent.context import card_numbers
from deckcheck.engine.jit import entry
from deckcheck.playing.table import new_states

NUMBERS = card_numbers(load_database("gwent"))
MEDIC = NUMBERS["siege_technician"]
HORN = NUMBERS["commanders_horn"]
PLAIN = (0, int(Ability.TIGHT_BOND))
AUTOMA = 1


@entry
def take_turn(s, x):
    """One turn of the automa."""
    automa_turn(s, x)


@entry
def recount(s, x):
    """All totals anew."""
    rescore_all(s, x)


def lead_of(s):
    return int(s.total[1].sum() - s.total[0].sum())


def lay(s, card, row):
    s.row[AUTOMA, row, s.n_row[AUTOMA, row]] = card
    s.n_row[AUTOMA, row] += 1


def moves_nothing(s, x):
    """Whether no agile unit of the automa could move after the card."""
    cards = [s.row[AUTOMA, row, : s.n_row[AUTOMA, row]] for row in range(3)]
    return not any(x.ability[c] & Ability.AGILE for row in cards for c in row)


def leads_with_medic(s, x, spare):
    """The lead for each unit of the pile that the medic could bring back."""
    pile = {int(card) for card in s.discard[AUTOMA, : s.n_discard[AUTOMA]]}
    for card in [card for card in pile if x.kind[card] == Kind.UNIT]:
        spare[0] = s
        lay(spare[0], MEDIC, 2)
        lay(spare[0], card, int(x.rows[card]).bit_length() - 1)
        recount(spare[0], x)
        yield lead_of(spare[0])


def leads_with_horn(s, x, spare):
    """The lead for each row beside which the horn could lie."""
    for row in range(3):
        if not s.slot[AUTOMA, row]:
            spare[0] = s
            spare[0].slot[AUTOMA, row] = 1
            recount(spare[0], x)
            yield lead_of(spare[0])


def with_plain_pile(s, x):
    """Give the automa a pile of units that do nothing but count."""
    deck = [int(card) for card in s.deck[AUTOMA, : s.n_deck[AUTOMA]]]
    pile = [c for c in deck if x.kind[c] != Kind.UNIT or x.ability[c] in PLAIN][:12]
    s.discard[AUTOMA, : len(pile)] = pile
    s.n_discard[AUTOMA] = len(pile)


@pytest.mark.parametrize("card", [MEDIC, HORN], ids=["medic", "horn"])
def test_no_other_choice_gives_a_greater_lead(card):
    """Random games; in a copy of them the card is on top of the automa's deck."""
    others = leads_with_medic if card == MEDIC else leads_with_horn
    several = 0
    for seed in range(2):
        table = seat("skellige", "nilfgaard", leader=seed)
        states, s, x = opened(table, seed)
        spare = new_states(table.game, table.variant, 1)
        for _ in play_on(s, x, 1):
            if not moves_nothing(s, x):
                continue
            states[1] = s
            states[1].deck[AUTOMA, s.n_deck[AUTOMA] - 1] = card
            with_plain_pile(states[1], x)
            leads = list(others(states[1], x, spare))
            take_turn(states[1], x)
            several += len(set(leads)) > 1

            assert not leads or lead_of(states[1]) == max(leads)

    assert several > 8
