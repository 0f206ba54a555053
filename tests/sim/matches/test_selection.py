"""How decks are chosen: `optimal` is what every other way of thinking finds, too."""

from __future__ import annotations

import random

import pytest

from deckcheck.engine.gwent.context import GwentMatchRules, GwentMatchState
from deckcheck.findings import UsageError
from deckcheck.sim.matches import number_of
from deckcheck.sim.selection import (
    Chances,
    check_selection,
    choices,
    match_value,
    solve,
)

RULES = GwentMatchRules()

Table = list[list[Chances]]
History = tuple[tuple[int, int, int], ...]
"""Decided games: winner, deck of side 0, deck of side 1."""


def random_table(seed: int, draws: float, rows: int = 3, columns: int = 3) -> Table:
    chance = random.Random(seed)

    def cell() -> Chances:
        draw = draws * chance.random()
        return Chances((1 - draw) * chance.random(), draw)

    return [[cell() for _ in range(columns)] for _ in range(rows)]


class BruteForce:
    """The match played out from the words of the rulebook, choice by choice.

    It knows no states: who chooses first and what is open is read off the games
    played, and the worth of a replay after a draw is found by repetition.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sizes = (len(table), len(table[0]))

    def value(self, history: History, coin: int) -> float:
        """How likely side 0 wins the match from here on."""
        winners = [winner for winner, *_ in history]
        for side in (0, 1):
            if winners.count(side) == 2:
                return 1.0 - side
        first = winners[-1] if winners else coin
        open_to = [
            [
                deck
                for deck in range(self.sizes[side])
                if all(game[0] != side or game[1 + side] != deck for game in history)
            ]
            for side in (0, 1)
        ]
        worth = {
            (a, b): (
                self.value((*history, (0, a, b)), coin),
                self.value((*history, (1, a, b)), coin),
            )
            for a in open_to[0]
            for b in open_to[1]
        }
        before, replay = -1.0, 0.5
        while abs(replay - before) > 1e-12:
            before = replay
            replay = self.best_of(first, open_to, worth, replay)
        return replay

    def best_of(
        self,
        first: int,
        open_to: list[list[int]],
        worth: dict[tuple[int, int], tuple[float, float]],
        replay: float,
    ) -> float:
        """One choice after the other, a draw being worth `replay`."""

        def game(a: int, b: int) -> float:
            win, draw = self.table[a][b]
            won, lost = worth[a, b]
            return win * won + draw * replay + (1 - win - draw) * lost

        if first == 0:
            return max(min(game(a, b) for b in open_to[1]) for a in open_to[0])
        return min(max(game(a, b) for a in open_to[0]) for b in open_to[1])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("draws", [0.0, 0.6])
def test_optimal_equals_brute_force(seed: int, draws: float) -> None:
    table = random_table(seed, draws)
    plans, brute = solve(table, RULES), BruteForce(table)

    for coin in (0, 1):
        expected = brute.value((), coin)
        assert plans[RULES.begin(coin)].value == pytest.approx(expected, abs=1e-9)
    assert 0 <= match_value(plans, RULES) <= 1


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (4, 2)])
def test_lineups_of_other_sizes(rows: int, columns: int) -> None:
    table = random_table(7, 0.3, rows, columns)

    value = BruteForce(table).value((), 0)
    assert solve(table, RULES)[RULES.begin(0)].value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_is_better_than_the_chosen_one(seed: int) -> None:
    """In every state: whatever else is chosen is worth no more to who chooses."""
    table = random_table(seed, 0.4)
    plans = solve(table, RULES)

    def worth(state: GwentMatchState, a: int, b: int) -> float:
        win, draw = table[a][b]
        won = (state.won[0] | {a}, state.won[1])
        lost = (state.won[0], state.won[1] | {b})
        values = [
            1.0 if len(won[0]) == 2 else plans[GwentMatchState(won, 0)].value,
            0.0 if len(lost[1]) == 2 else plans[GwentMatchState(lost, 1)].value,
        ]
        return (win * values[0] + (1 - win - draw) * values[1]) / (1 - draw)

    assert len(plans) == 1 * 2 + 3 + 3 + 9 * 2
    for state, plan in plans.items():
        sign = 1 if state.first == 0 else -1
        firsts = RULES.open_decks(state, state.first, 3)
        seconds = RULES.open_decks(state, 1 - state.first, 3)
        of_first = {}
        for deck in firsts:
            pairs = [(deck, o) if state.first == 0 else (o, deck) for o in seconds]
            replies = {
                pair[1 - state.first]: sign * worth(state, *pair) for pair in pairs
            }
            reply = plan.replies[deck]
            assert reply is not None
            assert replies[reply] == pytest.approx(min(replies.values()))
            of_first[deck] = replies[reply]
        assert of_first[plan.first] == pytest.approx(max(of_first.values()))
        assert plan.value == pytest.approx(sign * of_first[plan.first])


@pytest.mark.parametrize("seed", range(3))
def test_an_unused_deck_is_a_restriction_of_the_winner_alone(seed: int) -> None:
    table = random_table(seed, 0.2)
    rules = GwentMatchRules(wants_unused=True)
    plans = solve(table, rules)

    for state, plan in plans.items():
        assert plan.first not in state.used[state.first]
        loser = 1 - state.first
        assert len(RULES.open_decks(state, loser, 3)) == 3 - len(state.won[loser])


def test_replays_with_the_same_decks_are_worth_the_same() -> None:
    table = random_table(4, 0.8)
    same = solve(table, GwentMatchRules(replays_decks=True))

    assert match_value(same, RULES) == match_value(solve(table, RULES), RULES)


def test_a_plan_never_chooses_what_is_closed() -> None:
    plans = solve(random_table(3, 0.2), RULES)

    for state, plan in plans.items():
        assert plan.first in RULES.open_decks(state, state.first, 3)
        closed = set(range(3)) - set(RULES.open_decks(state, state.first, 3))
        assert {deck for deck in range(3) if plan.replies[deck] is None} == closed


def test_equal_lineups_are_even() -> None:
    table = random_table(5, 0.2)
    for a in range(3):
        table[a][a] = Chances((1 - table[a][a].draw) / 2, table[a][a].draw)
        for b in range(a):
            win, draw = table[b][a]
            table[a][b] = Chances(1 - win - draw, draw)

    assert match_value(solve(table, RULES), RULES) == pytest.approx(0.5)


def test_decks_that_only_draw_are_worth_half_a_match() -> None:
    assert match_value(solve([[Chances(0.0, 1.0)] * 3] * 3, RULES), RULES) == 0.5


def test_of_equal_choices_the_first_of_the_file_is_taken() -> None:
    plans = solve([[Chances(0.5, 0.0)] * 3] * 3, RULES)

    assert plans[RULES.begin(1)].first == 0
    assert plans[RULES.begin(1)].replies == (0, 0, 0)


@pytest.mark.parametrize(
    ("selection", "expected"), [("fixed", [1]), ("random", [1, 2])]
)
def test_other_ways_to_choose(selection: str, expected: list[int]) -> None:
    state = GwentMatchState((frozenset({0}), frozenset()), 0)
    open_decks = choices(selection, RULES, state, 0, 3, opposing=None, plans={})

    assert open_decks == expected


def test_an_unknown_way_is_misuse() -> None:
    with pytest.raises(UsageError) as caught:
        check_selection("clever")

    assert caught.value.message == "Unknown selection `clever`"
    assert caught.value.help == "Selections are `optimal`, `random` and `fixed`"


def test_random_numbers_are_even() -> None:
    drawn = [number_of(1, pair, 0) % 3 for pair in range(9000)]

    assert all(2850 < drawn.count(deck) < 3150 for deck in range(3))
    assert number_of(1, 2) != number_of(2, 1)
