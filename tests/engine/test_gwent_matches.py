"""Who may choose which deck in a tournament match, and who first: gwent 3.4 to 3.8."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.engine.gwent.context import (
    DRAWN,
    GwentMatchRules,
    GwentMatchState,
    match_rules,
)
from deckcheck.formats import load_format

DECKS = 3
RULES = GwentMatchRules()


def after(
    *games: tuple[int, int], coin: int = 0, rules: GwentMatchRules = RULES
) -> GwentMatchState:
    """The state after games of equal decks, each as its winner and the deck."""
    state = rules.begin(coin)
    for winner, deck in games:
        state = rules.after_game(state, winner, (deck, deck))
    return state


def choices(state: GwentMatchState) -> tuple[list[int], list[int]]:
    return RULES.open_decks(state, 0, DECKS), RULES.open_decks(state, 1, DECKS)


@pytest.mark.parametrize(
    ("games", "winner"),
    [
        ((), None),
        (((0, 0),), None),
        (((0, 0), (1, 0)), None),
        (((0, 0), (0, 1)), 0),
        (((1, 2), (1, 0)), 1),
        (((0, 0), (1, 0), (1, 2)), 1),
        (((0, 0), (DRAWN, 0), (DRAWN, 0)), None),
    ],
)
def test_3_4_two_games_of_three_win_the_match(
    games: tuple[tuple[int, int], ...], winner: int | None
) -> None:
    assert RULES.winner_of(after(*games)) == winner


@pytest.mark.parametrize("coin", [0, 1])
def test_3_5_a_coin_decides_who_is_first_to_choose(coin: int) -> None:
    state = RULES.begin(coin)

    assert state.first == coin
    assert choices(state) == ([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize("coin", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_3_6_the_winner_takes_a_new_deck_and_chooses_first(
    coin: int, winner: int
) -> None:
    state = after((winner, 1), coin=coin)

    assert state.first == winner
    assert choices(state)[winner] == [0, 2]
    assert choices(state)[1 - winner] == [0, 1, 2]


def test_3_6_a_deck_that_has_lost_may_come_back() -> None:
    # Side 0 lost with deck 1 or another, then won with deck 0.
    state = after((1, 2), (0, 0))

    assert choices(state) == ([1, 2], [0, 1])
    assert state.first == 0


def test_3_7_a_deck_that_has_won_cannot_be_used_again() -> None:
    state = after((0, 2), (1, 0))

    assert choices(state) == ([0, 1], [1, 2])


@pytest.mark.parametrize("games", [(), ((0, 1),), ((0, 1), (1, 1))])
def test_3_8_a_drawn_game_is_replayed_with_a_free_choice(
    games: tuple[tuple[int, int], ...],
) -> None:
    before = after(*games)

    assert after(*games, (DRAWN, 0)) == before


def test_3_8_a_format_may_replay_with_the_same_decks() -> None:
    rules = GwentMatchRules(replays_decks=True)
    drawn = after((0, 1), (DRAWN, 2), rules=rules)

    assert choices(drawn) == ([2], [2])
    assert choices(rules.after_game(drawn, 1, (2, 2))) == ([0, 2], [0, 1])


def test_3_6_a_format_may_want_a_deck_that_was_not_used() -> None:
    rules = GwentMatchRules(wants_unused=True)
    state = after((1, 1), (0, 0), rules=rules)

    # Side 0 has used decks 1 and 0 and must take 2; the loser is free.
    assert choices(state) == ([2], [0, 2])
    assert choices(after((1, 1), (0, 0))) == ([1, 2], [0, 2])


def test_options_of_the_format_decide() -> None:
    fmt = load_format("gwent/tournament")
    options = {**fmt.options, "drawn_match_game": "same_decks", "new_deck": "unused"}

    assert match_rules(fmt) == RULES
    assert match_rules(replace(fmt, options=options)) == GwentMatchRules(True, True)
