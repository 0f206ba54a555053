"""Single hits and whole placements of Deckmaster with known results."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from deckmaster_boards import laid_out, on

from deckcheck.engine.contract import apply_move, is_over, legal_moves
from deckcheck.engine.deckmaster.rules import end_turn, place_card
from deckcheck.engine.jit import entry

HITS = Path(__file__).with_name("deckmaster_hits.csv")
CENTRE, EAST = 4, 5


@entry
def place_only(s: Any, x: Any, space: Any) -> Any:
    """A placement without the end of the turn."""
    place_card(s, x, s.turn, space, s.deck[s.n_deck - 1])


@entry
def tick(s: Any, x: Any) -> Any:
    """The end of a turn alone."""
    end_turn(s, x)


def hits() -> list[Any]:
    with HITS.open(encoding="utf-8", newline="") as file:
        return [pytest.param(row, id=row["case"]) for row in csv.DictReader(file)]


def test_there_are_28_hits() -> None:
    assert len(hits()) == 28


@pytest.mark.parametrize("row", hits())
def test_a_hit_and_the_tick_after_it(row: dict[str, str]) -> None:
    """The attacker is set down to the right of its target, with an arrow to the left.

    A target that opposes has an arrow to the right.
    """
    board = [""] * 9
    board[CENTRE] = row["target"]
    s, x = laid_out(board, [f"{row['attacker']} left", "1"])
    place_only(s, x, EAST)
    power, *words = on(s, CENTRE).split() or [""]

    assert power == row["hit"]
    assert [w for w in words if w not in ("right", "fire", "ice", "poison")] == (
        [row["hit_status"]] if row["hit_status"] else []
    )
    assert on(s, EAST).partition(" ")[0] == row["attacker_after"].replace("0", "")
    assert s.points[s.turn] == int(row["points"])

    tick(s, x)

    assert on(s, CENTRE).partition(" ")[0] == row["ended"]
    assert s.points[s.turn] == int(row["points"])


FULL = ["1", "1", "1", "1", "2 poisoned", "1", "1", "1", "1"]


@pytest.mark.parametrize(
    ("board", "play", "after", "points"),
    [
        pytest.param(
            ["", "3 burning", "", "3", "", "", "", "", ""],
            ("2 up left", 4, {}),
            ["", "1 burning", "", "2", "1 up left", "", "", "", ""],
            0,
            id="a burning card weakens the next attack",
        ),
        pytest.param(
            ["", "3 burning", "", "3", "", "", "", "", ""],
            ("2 up left", 4, {"attack_power": "start"}),
            ["", "1 burning", "", "1", "1 up left", "", "", "", ""],
            0,
            id="unless the power at the start counts",
        ),
        pytest.param(
            ["", "3 burning", "", "3", "", "", "", "", ""],
            ("1 up left", 4, {}),
            ["", "2 burning", "", "3", "", "", "", "", ""],
            0,
            id="an attacker that burns out attacks no further",
        ),
        pytest.param(
            FULL,
            ("3 fire", 4, {}),
            ["1", "1", "1", "1", "5 fire", "1", "1", "1", "1"],
            0,
            id="a fusion is neutral, and no tick follows",
        ),
        pytest.param(
            ["", "", "", "", "", "4", "", "", ""],
            ("3 poison right", 4, {}),
            ["", "", "", "", "3 poison right", "", "", "", ""],
            0,
            id="poison takes the last power without a point",
        ),
        pytest.param(
            ["", "", "", "4 up", "", "", "", "", ""],
            ("4 up down", 0, {}),
            ["4 up down", "", "", "3 up", "", "", "", "", ""],
            0,
            id="equal powers cost one, and off the board nothing is hit",
        ),
        pytest.param(
            ["", "", "", "", "1 burning", "", "", "", ""],
            ("1 left", 5, {"score_burnout": True}),
            [""] * 9,
            2,
            id="a burn-out may score",
        ),
        pytest.param(
            ["", "", "", "", "1 burning", "", "", "", ""],
            ("1 left", 5, {"dying_card_retaliates": False}),
            ["", "", "", "", "", "1 left", "", "", ""],
            1,
            id="a dying card may stay quiet",
        ),
        pytest.param(
            ["", "", "", "", "3 burning", "", "", "", ""],
            ("1 poison left", 5, {"second_status": "stays_out"}),
            ["", "", "", "", "2 burning", "", "", "", ""],
            0,
            id="a second status may stay out",
        ),
        pytest.param(
            ["", "3 burning", "", "3 burning", "", "1", "", "", ""],
            ("2 up left right", 4, {"attack_order": "up_right_down_left"}),
            ["", "1 burning", "", "2 burning", "", "", "", "", ""],
            1,
            id="the order of attacks may differ",
        ),
    ],
)
def test_a_placement(
    board: list[str],
    play: tuple[str, int, dict[str, Any]],
    after: list[str],
    points: int,
) -> None:
    card, space, options = play
    s, x = laid_out(board, [card, "1"], **options)
    player = int(s.turn)

    assert space in x.moves[: legal_moves(s, x)]

    apply_move(s, x, space)

    assert [on(s, each) for each in range(9)] == after
    assert s.points[player] == points
    assert s.points[1 - player] == 0
    assert s.turn == 1 - player


def test_the_last_card_ends_the_game_after_its_tick() -> None:
    s, x = laid_out(["1 poisoned", *[""] * 8], ["1"])
    apply_move(s, x, 8)

    assert is_over(s)
    assert on(s, 0) == ""
