"""Deckmaster against an independent model in plain Python, and against exact play.

The model is written from the statements of the rules and shares nothing with the
engine but the words of cards. The solver knows the order of the deck and searches
every line of play, once with the model and once with the engine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from deckmaster_boards import bare_table, laid_out, on, opened

from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    score_margin,
)

WAYS = (("up", -1, 0), ("left", 0, -1), ("right", 0, 1), ("down", 1, 0))
BACK = {"up": "down", "left": "right", "right": "left", "down": "up"}
MAKES = {"fire": "burning", "ice": "frozen", "poison": "poisoned"}
CANCELS = {("fire", "frozen"), ("ice", "burning")}

# A card of the model: power, element, arrows, status; a board: nine cards or None.
Card = tuple[int, str, frozenset[str], str]
Board = tuple[Card | None, ...]


def card_of(text: str) -> Card:
    power, *words = text.split()
    element = next((word for word in words if word in MAKES), "")
    arrows = frozenset(word for word in words if word in BACK)
    status = next((word for word in words if word in MAKES.values()), "")
    return int(power), element, arrows, status


def placed(board: Board, card: Card, space: int) -> tuple[Board, int]:
    """The board after a placement and the end of the turn, and the points for it."""
    cards = list(board)
    below = cards[space]
    power, element, arrows, _ = card
    power += below[0] if below else 0
    points = 0
    cards[space] = (power, element, arrows, "")
    for way, down, right in WAYS:
        row, column = space // 3 + down, space % 3 + right
        if way not in arrows or not (0 <= row < 3 and 0 <= column < 3):
            continue
        place = row * 3 + column
        target = cards[place]
        if target is None:
            continue
        left, theirs, pointing, status = target
        if BACK[way] not in pointing or status == "frozen":
            left -= power
        elif power > left:
            left -= power - left
        else:
            left -= 1
        if status == "burning":
            power -= 1
        if left <= 0:
            cards[place] = None
            points += 1
        else:
            if (element, status) in CANCELS:
                status = ""
            elif element:
                status = MAKES[element]
            cards[place] = (left, theirs, pointing, status)
        cards[space] = (power, element, arrows, "") if power > 0 else None
        if power <= 0:
            break
    return tuple(ticked(card) for card in cards), points


def ticked(card: Card | None) -> Card | None:
    if card is None or card[3] != "poisoned":
        return card
    return (card[0] - 1, *card[1:]) if card[0] > 1 else None


def spaces(board: Board) -> list[int]:
    return [i for i in range(9) if board[i] is None] or list(range(9))


@cache
def best_by_model(board: Board, deck: tuple[Card, ...]) -> int:
    """Points of the player to move less those of the other, with best play."""
    if not deck:
        return 0
    return max(value_by_model(board, deck, space) for space in spaces(board))


def value_by_model(board: Board, deck: tuple[Card, ...], space: int) -> int:
    after, points = placed(board, deck[0], space)
    return points - best_by_model(after, deck[1:])


def best_by_engine(states: Any, x: Any, depth: int, player: int) -> int:
    """The same by copies of states of the engine, as margin for `player`."""
    s = states[depth]
    if is_over(s):
        return int(score_margin(s, x, player))
    moves = x.moves[: legal_moves(s, x)].tolist()
    values = []
    for move in moves:
        states[depth + 1] = s
        apply_move(states[depth + 1], x, move)
        values.append(best_by_engine(states, x, depth + 1, player))
    return max(values) if s.turn == player else min(values)


def random_card(chance: random.Random, *, lies: bool = False) -> str:
    words = [str(chance.randint(1, 5 + 2 * lies))]
    words += [chance.choice(["", *MAKES])]
    words += chance.sample(list(BACK), chance.randint(0, 4))
    words += [chance.choice(["", *MAKES.values()])] * lies
    return " ".join(word for word in words if word)


def positions(number: int, cards: int) -> Iterator[tuple[list[str], list[str]]]:
    """Boards with at most `cards` empty spaces, and decks of that many cards."""
    for seed in range(number):
        chance = random.Random(seed)
        board = [random_card(chance, lies=True) for _ in range(9)]
        for space in chance.sample(range(9), chance.randint(0, cards)):
            board[space] = ""
        yield board, [random_card(chance) for _ in range(cards)]


def set_out(board: list[str], deck: list[str]) -> tuple[Any, Any]:
    """The position as states of the engine, one for each depth of a search."""
    s, x = laid_out(board, deck)
    states, _ = opened(bare_table(()), len(deck) + 1)
    states[0] = s
    return states, x


def as_model(board: list[str]) -> Board:
    return tuple(card_of(text) if text else None for text in board)


def test_the_engine_places_cards_as_the_model_does() -> None:
    for board, deck in positions(120, 5):
        s, x = laid_out(board, deck)
        model, points = as_model(board), [0, 0]
        chance = random.Random(len(board[0]))
        for turn, text in enumerate(deck):
            assert sorted(x.moves[: legal_moves(s, x)].tolist()) == spaces(model)

            space = chance.choice(spaces(model))
            apply_move(s, x, space)
            model, gained = placed(model, card_of(text), space)
            points[turn % 2] += gained
            mine = [card_of(on(s, i)) if on(s, i) else None for i in range(9)]

            assert mine == list(model)
            assert s.points.tolist() == points


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_both_find_the_same_value_of_best_play(cards: int) -> None:
    for board, deck in positions({1: 40, 2: 12, 3: 2}[cards], cards):
        states, x = set_out(board, deck)
        value = best_by_model(as_model(board), tuple(map(card_of, deck)))

        assert best_by_engine(states, x, 0, 0) == value


def test_nobody_beats_best_play_and_the_heuristic_often_finds_it() -> None:
    """With the last card the heuristic plays exactly; before, it loses little."""
    lost = []
    for board, deck in positions(60, 1):
        s, x = laid_out(board, deck)
        move = int(heuristic_move(s, x, legal_moves(s, x)))
        model, cards = as_model(board), tuple(map(card_of, deck))
        lost.append(best_by_model(model, cards) - value_by_model(model, cards, move))

    assert lost == [0] * 60


def test_the_heuristic_loses_less_than_a_random_player_to_best_play() -> None:
    lost, random_loss = 0.0, 0.0
    for board, deck in positions(60, 2):
        s, x = laid_out(board, deck)
        move = int(heuristic_move(s, x, legal_moves(s, x)))
        model, cards = as_model(board), tuple(map(card_of, deck))
        best = best_by_model(model, cards)
        values = [value_by_model(model, cards, space) for space in spaces(model)]
        lost += best - value_by_model(model, cards, move)
        random_loss += best - sum(values) / len(values)

    assert 0 <= lost < random_loss / 3
