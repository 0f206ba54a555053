"""What `learned` sees of a board of SG Gwint is what the rules make of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from deciding import choose_move
from samples import opened, sample_decks

from deckcheck.engine.contract import apply_move, is_over, legal_moves, set_up
from deckcheck.engine.jit import entry
from deckcheck.engine.sg_gwint.board import (
    lagers_of_units,
    lead,
    rescore_all,
    strongest,
)
from deckcheck.engine.sg_gwint.codes import Verb
from deckcheck.engine.sg_gwint.context import card_numbers, lane_of, role_of
from deckcheck.engine.sg_gwint.features import Lane, Role, gain, look
from deckcheck.engine.sg_gwint.heuristic import card_worth
from deckcheck.engine.sg_gwint.state import copy_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import seat, set_table
from deckcheck.policies.workspace import learned_dtype

FORMAT = load_format("sg_gwint/approximation")
CARDS = database_of(FORMAT)
NUMBERS = card_numbers(CARDS)
SEEDS = 4
ROWS = [(side, row) for side in range(2) for row in range(3)]


@entry
def look_at(s, x, q, player):
    """What a player sums up of a position."""
    look(s, x, q, player)


@entry
def total_under(s, x, place, sky_rows, slot):
    """The total of a row if this weather and this card of its slot worked on it."""
    side, row = place
    t = x.trial[0]
    copy_game(t, s, x)
    t.sky_rows = sky_rows
    t.slot[side, row] = slot
    rescore_all(t, x)
    return t.total[side, row]


@entry
def strongest_in(s, x, side, row):
    """The strongest unit of a row by the rules."""
    return strongest(s, x, side, row)


@entry
def lagers_in(s, x, side, row):
    """How many lagers units have brought to a row."""
    return lagers_of_units(s, x, side, row, 0)


@entry
def gain_of(s, x, q, player, card):
    """What a card is said to bring."""
    return gain(s, x, q, player, card)


@entry
def gain_by(s, x, player, move):
    """What a move brings."""
    copy_game(x.trial[0], s, x)
    apply_move(x.trial[0], x, move)
    return lead(x.trial[0], player) - lead(s, player)


@entry
def worth_of(s, x, player, card):
    """What the rule-of-thumb player takes a card for."""
    return card_worth(s, x, player, card)


@pytest.fixture(scope="module")
def view() -> Any:
    return np.zeros(1, learned_dtype("sg_gwint", "duel")).view(np.recarray)[0]


def positions(view: Any) -> Iterator[tuple[Any, Any]]:
    """The positions of some games, each with what the player at turn sums up of it."""
    for seed in range(SEEDS):
        decks = sample_decks("sg_gwint")
        seats = [seat(decks[(seed + i) % len(decks)], "sane_random") for i in range(2)]
        _, s, x = opened(set_table(FORMAT, CARDS, seats))
        start_game(s, x, seed, 0, 0, seed % 2)
        set_up(s, x)
        while not is_over(s):
            look_at(s, x, view, s.turn)
            yield s, x
            count = legal_moves(s, x)
            apply_move(s, x, int(choose_move(s, x, x.policy[s.turn], count)))


def test_it_sees_what_weather_and_lagers_would_change(view: Any) -> None:
    lager = NUMBERS["mahakam_lager"]
    seen = {"fade": 0, "lift": 0}
    for s, x in positions(view):
        for side, row in ROWS:
            bit, slot, total = 1 << row, s.slot[side, row], s.total[side, row]
            if x.kind[slot] == 0 or slot == lager:
                other = total_under(s, x, (side, row), s.sky_rows ^ bit, slot)
                assert view.fade[side, row] == abs(total - other)
                seen["fade"] += total != other
            if slot == 0 and lagers_in(s, x, side, row) == 0:
                other = total_under(s, x, (side, row), s.sky_rows, lager)
                assert view.lift[side, row] == other - total
                seen["lift"] += total != other

    assert min(seen.values()) > 100


def test_it_sees_what_is_strongest(view: Any) -> None:
    for s, x in positions(view):
        for side, row in ROWS:
            assert view.best[side, row] == max(strongest_in(s, x, side, row), 0)


def test_what_plain_units_bring_is_what_they_say(view: Any) -> None:
    compared = 0
    for s, x in positions(view):
        player, count = s.turn, legal_moves(s, x)
        found: dict[int, int] = {}
        for move in x.moves[:count].tolist():
            card = move & 4095
            if move >> 24 == Verb.PLAY and x.role[card] <= Role.AGILE:
                best = found.get(card, -1)
                found[card] = max(best, int(gain_by(s, x, player, move)))
        for card, most in found.items():
            assert gain_of(s, x, view, player, card) == most
            compared += 1

    assert compared > 100


@pytest.mark.parametrize(
    ("id", "role", "lane"),
    [
        ("letho_of_gulet", Role.SHIELDED, Lane.SHIELDED),
        ("griffin", Role.CLOSE, Lane.CLOSE),
        ("odim", Role.BRINGER, Lane.SIEGE),
        ("biting_frost", Role.FROST, Lane.AGILE),
        ("skellige_storm", Role.STORM, Lane.AGILE),
        ("mahakam_lager", Role.LAGER, Lane.AGILE),
        ("yennefer_of_vengerberg", Role.MEDIC, Lane.SHIELDED),
    ],
)
def test_a_card_has_the_role_that_decides_its_use(
    id: str, role: Role, lane: Lane
) -> None:
    assert (role_of(CARDS.cards[id]), lane_of(CARDS.cards[id])) == (role, lane)


def test_cards_in_company_are_worth_more(view: Any) -> None:
    s, x = next(positions(view))
    crone, infantry = NUMBERS["crone_whispess"], NUMBERS["poor_infantry"]
    s.n_deck[0], s.n_hand[0] = 2, 2
    s.deck[0, :2] = [NUMBERS["crone_brewess"], NUMBERS["crone_weavess"]]
    s.hand[0, :2] = infantry
    together = x.strength[s.deck[0, :2]].sum()

    assert x.worth[crone] == x.strength[crone]
    assert worth_of(s, x, 0, crone) == x.strength[crone] + together
    assert worth_of(s, x, 0, infantry) == 2 * x.strength[infantry]


def test_a_card_that_is_laid_is_not_valued_by_sums_of_another_game(view: Any) -> None:
    """What a muster finds is summed for hands and decks; this one is in neither."""
    s, x = next(positions(view))
    musters = np.flatnonzero(x.role == Role.MUSTER)
    for card in musters[:6].tolist():
        called = []
        for before in (0, 50):
            view.called[:] = before
            s.picked = card
            look_at(s, x, view, 0)
            called.append(int(view.called[0, x.calls[card]]))
        s.picked = 0

        assert called[0] == called[1]
    assert len(musters) > 0
