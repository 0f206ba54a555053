"""What the rule-of-thumb player of Gwent knows to do, on boards made by hand."""

from __future__ import annotations

import pytest

from deckcheck.engine.contract import heuristic_move, legal_moves, set_up
from deckcheck.engine.gwent.codes import KEEP_HAND, PASS, PLAY, REDRAW, START, Phase
from deckcheck.engine.primitives import ROW_BIT, WHO_BIT
from deckcheck.playing.kernel import start_game

SIEGE_MASTERS, ARCHERS = "Siege masters", "The beautiful archers"
CLOSE, RANGED = 0, 1


@pytest.fixture
def number(tables):
    """The number of a card in the engine, by its English name."""
    names = {card.name: i for i, card in enumerate(tables.database.cards.values(), 1)}
    return names.__getitem__


def begin(tables, a, b, policy="heuristic"):
    """A game of two decks, at its first decision."""
    numbers = [[deck.name for deck in tables.decks].index(name) for name in (a, b)]
    states, contexts = tables.open(tables.seat(*numbers, policy, policy))
    start_game(states[0], contexts[0], 1, 0, 0, 0)
    set_up(states[0], contexts[0])
    return states[0], contexts[0]


def decide(s, x):
    return int(heuristic_move(s, x, legal_moves(s, x)))


def give(s, player, *cards):
    """These cards are the hand of a player."""
    s.n_hand[player] = len(cards)
    s.hand[player, : len(cards)] = sorted(cards)
    s.seen[player, : len(cards)] = 0


def other_has_passed(tables, number, card, *, gems, strength=10):
    """The player's turn; the other has passed with this strength, one card is left."""
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    s.phase, s.turn, s.passed[1] = Phase.PLAY, 0, 1
    s.gems[:] = gems
    s.leader_state[:] = 1
    s.row[1, CLOSE, 0], s.n_row[1, CLOSE] = number("Geralt of Rivia"), 1
    s.total[1, CLOSE] = strength
    give(s, 0, number(card))
    return s, x


@pytest.mark.parametrize("decks", [(ARCHERS, SIEGE_MASTERS), (SIEGE_MASTERS, ARCHERS)])
def test_who_may_choose_lets_the_other_begin(tables, decks):
    s, x = begin(tables, *decks)

    assert s.phase == Phase.STARTER
    assert decide(s, x) == START | (1 - s.turn) << WHO_BIT


@pytest.mark.parametrize("decks", [(ARCHERS, SIEGE_MASTERS), (SIEGE_MASTERS, ARCHERS)])
def test_the_first_version_lets_the_first_seat_begin(tables, decks):
    s, x = begin(tables, *decks, policy="heuristic-1")

    assert decide(s, x) == START


def test_a_card_that_wins_the_match_is_not_too_dear(tables, number):
    hero = "Cirilla Fiona Elen Riannon"
    s, x = other_has_passed(tables, number, hero, gems=(2, 1))

    assert decide(s, x) == PLAY | CLOSE << ROW_BIT | number(hero)


def test_nothing_is_spent_on_a_round_that_cannot_be_won(tables, number):
    hero = "Cirilla Fiona Elen Riannon"
    board = other_has_passed(tables, number, hero, gems=(2, 1), strength=40)

    assert decide(*board) == PASS


def test_on_the_last_gem_a_spy_may_draw_what_wins(tables, number):
    spy = "Prince Stennis"
    s, x = other_has_passed(tables, number, spy, gems=(1, 1))

    assert decide(s, x) == PLAY | CLOSE << ROW_BIT | number(spy)


def test_spies_are_not_given_back(tables, number):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    assert s.phase == Phase.REDRAW
    give(s, s.turn, number("Prince Stennis"), number("Thaler"))

    assert decide(s, x) == KEEP_HAND


def test_the_weakest_card_is_given_back(tables, number):
    s, x = begin(tables, SIEGE_MASTERS, SIEGE_MASTERS)
    weak = number("Kaedweni Siege Expert")
    give(s, s.turn, weak, number("Geralt of Rivia"))

    assert decide(s, x) == REDRAW | weak
