"""What is said of scenario files of Gwen't that are wrong, and where."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

COMMAND = (sys.executable, "-m", "deckcheck", "scenario", "--output-format", "json")
HEAD = "format: gwen_t/pool\n"
TWO = "players: {A: {hand: [2 rocket]}, B: {hand: [rocket]}}\n"

WRONG = {
    "turn_of_nobody": (f"turn: D\n{TWO}", (2, 7), "D does not play"),
    "row_of_another_card": (
        "players: {A: {hand: [rocket], close: [rocket]}}\n",
        *((2, 39), "`Rocket` belongs in the siege row"),
    ),
    "weather_in_a_row": (
        "players: {A: {hand: [rocket], siege: [winter]}}\n",
        *((2, 39), "`Winter` is no unit"),
    ),
    "a_seventh_player": (
        "players: {G: {hand: [rocket]}}\n",
        *((2, 11), "expected `A`, `B`, `C`, `D`, `E` or `F`, found `G`"),
    ),
    "weather_that_is_none": (
        f"weather: [rocket]\n{TWO}",
        *((2, 11), "`Rocket` is no weather"),
    ),
    "weather_without_a_list": (
        f"weather: winter\n{TWO}",
        *((2, 10), "expected a list, found `winter`", 'Write `["winter"]`'),
    ),
    "two_weathers": (
        f"weather: [winter, summer]\n{TWO}",
        *((2, 10), "too many entries: found 2, at most 1 allowed"),
    ),
    "weather_by_nobody": (
        f"weather: [{{card: winter, by: E}}]\n{TWO}",
        *((2, 30), "E does not play"),
    ),
    "nobody_to_play_against": (
        "players: {A: {hand: [rocket], gems: 0}}\n",
        *((2, 10), "fewer than two players have gems"),
    ),
    "half_an_order": (
        f"order: [B]\n{TWO}",
        *((2, 8), "the order names every player with gems once"),
    ),
    "a_large_hand": (
        "players: {A: {hand: [20 rocket]}}\n",
        *((2, 21), "20 cards found, 16 have room"),
    ),
    "dealt_in_round_2": (
        "deal: true\nround: 2\nplayers: {A: {deck: [rocket]}}\n",
        *((3, 8), "`round` cannot be given where the game is dealt"),
    ),
    "dealt_with_a_hand": (
        "deal: true\nplayers: {A: {hand: [rocket]}}\n",
        *((3, 21), "`hand` cannot be given where the game is dealt"),
    ),
    "all_have_passed": (
        "players: {A: {passed: true}, B: {passed: true}}\n",
        *((2, 10), "all players have passed"),
    ),
    "turn_of_who_has_passed": (
        "turn: A\nplayers: {A: {passed: true}, B: {hand: [rocket]}}\n",
        *((2, 7), "A has passed already"),
    ),
    "a_card_that_he_lacks": (
        f"{TWO}moves:\n  - {{player: A, play: winter}}\n",
        *((4, 23), "A cannot play Winter: it is not in the hand"),
    ),
    "a_move_of_nobody": (
        f"{TWO}moves:\n  - {{player: D, pass: true}}\n",
        *((4, 14), "D does not play"),
    ),
    "a_move_after_passing": (
        f"{TWO}moves:\n  - {{player: A, pass: true}}\n  - {{player: A, pass: true}}\n",
        *((5, 23), "A cannot pass: A has passed"),
    ),
    "dealt_without_a_deck": (
        "deal: true\nplayers: {A: {deck: [rocket]}}\n",
        *((2, 7), "B has no `deck` to be dealt from"),
    ),
    "two_actions": (
        f"{TWO}moves:\n  - {{player: A, play: rocket, pass: true}}\n",
        *((4, 5), "a move has one of `play`, `pass`, found `play` and `pass`"),
    ),
    "an_answer_to_no_question": (
        f"{TWO}random: [winter]\n",
        *((3, 10), "random answer `winter` was not used"),
    ),
}


@cache
def faults() -> dict[str, list[dict[str, object]]]:
    """What the command says of each file, all of them in one run."""
    with TemporaryDirectory() as folder:
        for name, (text, *_) in WRONG.items():
            file = Path(folder, f"{name}.yaml")
            file.write_text(HEAD + text, encoding="utf-8")
        run = subprocess.run(
            [*COMMAND, folder],
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 2, run.stderr
    scenarios = json.loads(run.stdout)["scenarios"]
    return {Path(entry["file"]).stem: entry["faults"] for entry in scenarios}


@pytest.mark.parametrize("name", WRONG)
def test_the_fault_is_told_at_its_place(name: str) -> None:
    _, place, message, *help = WRONG[name]
    [fault] = faults()[name]

    assert (fault["line"], fault["column"], fault["message"]) == (*place, message)
    assert not help or fault["help"] == help[0]
