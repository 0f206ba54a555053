"""Effects of Gwen't: the test vectors of the project, and what follows from its rules.

Vectors 1 to 8 are facts of the project's own tests, 9 to 11 are computed by hand.
"""

from __future__ import annotations

import pytest
from gwen_t_board import ROWS, Board, unit, weather

from deckcheck.engine.contract import score_margin
from deckcheck.engine.gwen_t.state import WEATHER_ROWS


def test_vector_1_a_boost_of_its_own_row():
    board = Board(unit("Boost", "close", 10, "morale_boost"))
    board.lay(0, "close", "mobilized_infantry", 5)
    board.lay(0, "close", "grenadier_division", 20)
    board.lay(0, "ranged", "artillery_division", 10)
    board.enter(0, "boost")

    assert board.shown(0, "close") == [6, 21, 10]
    assert board.shown(0, "ranged") == [10]


def test_vector_2_a_boost_of_another_row():
    board = Board(unit("Wing", "ranged", 10, "morale_boost", "close"))
    board.lay(0, "ranged", "artillery_division", 10)
    board.lay(0, "close", "infantry_division", 10)
    board.lay(0, "close", "mobilized_infantry", 5)
    board.enter(0, "wing")

    assert board.shown(0, "close") == [11, 6]
    assert board.shown(0, "ranged") == [10, 10]


def test_vector_3_a_bond_doubles_its_own_name_only():
    board = Board(
        *(unit("L", "close", 10, "tight_bond"), unit("C", "close", 20)),
        unit("S", "ranged", 10),
    )
    board.lay(0, "ranged", "s", 10)
    board.lay(0, "close", "l", 5)
    board.lay(0, "close", "c", 20)
    board.enter(0, "l")

    assert board.shown(0, "close") == [10, 20, 20]
    assert board.shown(0, "ranged") == [10]


def test_vector_4_a_bond_with_another_row():
    board = Board(unit("S", "siege", 5, "tight_bond", "ranged"))
    board.lay(0, "ranged", "s", 10)
    board.lay(0, "siege", "s", 5)
    board.enter(0, "s")

    assert board.shown(0, "ranged") == [20]
    assert board.shown(0, "siege") == [5, 10]


def seasons():
    """A close row of 21 and 10, and something in the ranged row of both players."""
    board = Board()
    for player in range(2):
        board.lay(player, "close", "grenadier_division", 21)
        board.lay(player, "close", "infantry_division", 10)
        board.lay(player, "ranged", "tactical_bomber_wing", 15)
    return board


def test_vector_5_winter():
    board = seasons()
    board.enter(0, "winter")

    for player in range(2):
        assert board.shown(player, "close") == [1, 1]
        assert board.shown(player, "ranged") == [15]


def test_vector_6_then_autumn():
    board = seasons()
    board.enter(0, "winter", "autumn")

    for player in range(2):
        assert board.shown(player, "close") == [21, 10]
        assert board.shown(player, "ranged") == [1]


def test_vector_7_a_unit_comes_in_the_fog():
    board = Board(unit("S", "ranged", 10))
    board.enter(0, "autumn", "s")

    assert board.shown(0, "ranged") == [1]


def test_vector_8_then_spring():
    board = seasons()
    board.enter(0, "winter", "spring")

    for player in range(2):
        assert board.shown(player, "close") == [21, 10]


@pytest.mark.parametrize(
    ("cards", "row", "expected"),
    [
        (["rocket"], "siege", [30]),
        (["rocket"] * 2, "siege", [60, 60]),
        (["rocket"] * 3, "siege", [120, 120, 60]),
        (["mobilized_infantry"], "close", [5]),
        (["mobilized_infantry"] * 2, "close", [10, 10]),
        (["mobilized_infantry"] * 3, "close", [20, 20, 10]),
        (["mobilized_infantry", "armoured_division"], "close", [6, 15]),
        (
            ["mobilized_infantry", "armoured_division", "mobilized_infantry"],
            *("close", [12, 15, 10]),
        ),
    ],
)
def test_vectors_9_to_11(cards, row, expected):
    board = Board()
    board.enter(0, *cards)

    assert board.shown(0, row) == expected


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("effect", sorted(WEATHER_ROWS)[:-1])
def test_weather_covers_the_row_that_is_given(effect, row):
    """Statement 5.3: "takes a row as well"."""
    board = Board(weather("Season", effect.name.lower(), row))
    for each in ROWS:
        board.lay(0, each, "infantry_division", 10)
    board.enter(1, "season")

    shown = {each: board.shown(0, each) for each in ROWS}
    assert shown == {each: [1 if each == row else 10] for each in ROWS}


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("on", ROWS)
def test_a_boost_reaches_the_row_that_is_given(row, on):
    """Statement 5.3."""
    board = Board(unit("Wing", row, 10, "morale_boost", on))
    for each in ROWS:
        board.lay(0, each, "infantry_division", 10)
    board.enter(0, "wing")

    assert [board.shown(0, each)[0] for each in ROWS] == [10 + (e == on) for e in ROWS]


def test_weather_raises_a_unit_that_is_weaker():
    """Statement 5.7; no unit of the pool is."""
    board = Board(unit("Recruit", "close", 0))
    board.lay(0, "close", "recruit", 0)
    board.enter(1, "winter")

    assert board.shown(0, "close") == [1]
    assert score_margin(board.s, board.x, 0) == 1


def test_bonuses_under_weather_wait_for_spring():
    """Statement 5.6."""
    board = Board()
    board.enter(0, "summer", "rocket", "rocket")

    assert board.shown(0, "siege") == [1, 1]

    board.enter(1, "spring")

    assert board.shown(0, "siege") == [60, 60]


def test_effects_stay_on_the_own_side():
    """Statement 5.8."""
    board = Board()
    board.lay(1, "siege", "rocket", 30)
    board.lay(1, "close", "infantry_division", 10)
    board.enter(0, "rocket", "armoured_division")

    assert board.shown(0, "siege") == [30]
    assert board.shown(1, "siege") == [30]
    assert board.shown(1, "close") == [10]


def test_the_margin_is_what_the_rows_show():
    board = Board(players=3)
    board.lay(0, "close", "infantry_division", 10)
    board.lay(1, "ranged", "artillery_division", 40)
    board.lay(2, "siege", "rocket", 25)

    assert [score_margin(board.s, board.x, p) for p in range(3)] == [-30, 15, -15]

    board.enter(0, "autumn")

    assert [score_margin(board.s, board.x, p) for p in range(3)] == [-15, -24, 15]
