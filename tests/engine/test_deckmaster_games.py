"""Whole games of Deckmaster: who begins, the shuffled deck, and what is hidden."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from deckmaster_boards import DATABASE, opened, seated

from deckcheck.engine.contract import (
    apply_move,
    cards_left,
    determinize,
    first_player,
    heuristic_move,
    is_over,
    legal_moves,
    rounds_played,
    set_up,
)
from deckcheck.engine.deckmaster.context import card_numbers, random_cards
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import EngineError
from deckcheck.playing.kernel import start_game

DECK = {"power_3_fire_up": 10, "power_5": 2, "power_1_left_right": 18}
DECKS = pytest.mark.parametrize("cards", [DECK, None], ids=["one deck", "random"])


def begun(
    cards: dict[str, int] | None, beginner: int = 0, seed: int = 1
) -> tuple[Any, Any, Any]:
    states, x = opened(seated(cards))
    start_game(states[0], x, seed, 0, 0, beginner)
    set_up(states[0], x)
    return states, states[0], x


@DECKS
def test_lots_decide_who_begins_and_the_shuffles_are_the_same(
    cards: dict[str, int] | None,
) -> None:
    games = [begun(cards, beginner)[1] for beginner in (0, 1)]

    assert [int(first_player(s)) for s in games] == [0, 1]
    assert games[0].deck.tolist() == games[1].deck.tolist()


def test_the_shared_deck_is_shuffled_whole() -> None:
    numbers = card_numbers(DATABASE)
    expected = Counter({numbers[card]: count for card, count in DECK.items()})
    orders = [tuple(begun(DECK, seed=seed)[1].deck[:30].tolist()) for seed in range(5)]

    assert all(Counter(order) == expected for order in orders)
    assert len(set(orders)) == 5


def test_random_decks_are_new_in_every_game() -> None:
    decks = {tuple(begun(None, seed=seed)[1].deck.tolist()) for seed in range(5)}

    assert len(decks) == 5


@DECKS
def test_players_know_the_drawn_card_and_no_more(
    cards: dict[str, int] | None,
) -> None:
    states, s, x = begun(cards)
    changed = 0
    while not is_over(s):
        states[1] = s
        other = states[1]
        seed_generator(x.rng, int(s.turns), 1, 0)
        determinize(other, x, int(s.turn))
        top = int(s.n_deck) - 1

        assert other.deck[top] == s.deck[top]
        assert other.card.tolist() == s.card.tolist()
        if cards is not None:
            assert sorted(other.deck[:top]) == sorted(s.deck[:top])

        changed += other.deck[:top].tolist() != s.deck[:top].tolist()
        count = legal_moves(s, x)
        move = int(heuristic_move(s, x, count))

        assert move == int(heuristic_move(other, x, legal_moves(other, x)))

        apply_move(s, x, move)

    assert changed > 20


def test_the_figures_of_a_game_follow_the_deck() -> None:
    _, s, x = begun(DECK)
    seen = []
    while not is_over(s):
        seen.append((int(rounds_played(s)), int(cards_left(s, x, 0)), s.turn))

        assert cards_left(s, x, 0) + cards_left(s, x, 1) == 1

        apply_move(s, x, x.moves[legal_moves(s, x) - 1])

    assert len(seen) == 30
    assert seen[0] == (1, 1, 0)
    assert rounds_played(s) == 15
    assert cards_left(s, x, 0) + cards_left(s, x, 1) == 0


@pytest.mark.parametrize(
    ("model", "sizes"),
    [("by_number", [1, 1, 1, 1, 1]), ("by_value", [1, 4, 6, 4, 1])],
)
def test_random_cards_follow_the_model(model: str, sizes: list[int]) -> None:
    cards = list(random_cards(model))
    arrows = Counter(((card - 1) % 16).bit_count() for card in cards)
    parts = Counter((card - 1) // 16 for card in cards)
    share = len(cards) // sum(sizes)

    assert arrows == {size: share * part for size, part in enumerate(sizes)}
    assert set(parts.values()) == {len(cards) // 20}


@pytest.mark.parametrize("cards", [{}, {"power_5": 61}])
def test_decks_that_cannot_be_played_are_refused(cards: dict[str, int]) -> None:
    with pytest.raises(EngineError, match="plays decks of 1 to 60 cards"):
        seated(cards)
