"""What is said of wrong scenarios of the other games."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

# What is said of wrong cards in scenarios of Deckmaster: in the words of the file.


@pytest.mark.parametrize("card", ["3 fire ice", "3 fire ice burning", "ice 2 fire"])
def test_a_wrong_card_on_the_board_is_quoted_as_it_stands(
    card: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.yaml"
    board = f'board: ["{card}", "", "", "", "", "", "", "", ""]\n'
    file.write_text("rule: deckmaster 8.6\nformat: deckmaster/standard\n" + board)

    # Scenarios are played uncompiled, for which they need a process of their own.
    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert f":3:9: `{card}` has `" in done.stderr


# What is said of scenario files of Gwen't that are wrong, and where.

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


# What is said of scenario files of SG Gwint that are wrong, and where.

SG_GWINT_FAULTS_HEAD = "format: sg_gwint/approximation\n"
KEPT = (
    "players:\n  A: {faction: monsters, close: [fiend, griffin], passed: true}\n"
    "  B: {faction: skellige}\n"
)
BACK = (
    "round: 2\nplayers:\n"
    "  A: {faction: skellige, lives: 1, close: [olaf], discard: [udalryk, svanrige]}\n"
    "  B: {faction: nilfgaard, passed: true}\nmoves: [{player: A, pass: true}]\n"
)
RETURNING = (
    "round: 2\nplayers:\n  A: {faction: skellige, lives: 1, close: [olaf], "
    "deck: [3 fiend], discard: [birna_bran, 2 udalryk, svanrige]}\n"
    "  B: {faction: nilfgaard, passed: true}\nmoves:\n"
)
PASS = "  - {player: A, pass: true, random: [birna_bran, udalryk]}\n"
OPEN = (
    (7, 5),
    "A has to choose the unit that the medic returns",
    "Add `choose` to this move, one of: Udalryk; Svanrige; Olaf",
)

SG_GWINT_FAULTS_WRONG = {
    "open_choice_at_the_end": (f"{RETURNING}{PASS}", *OPEN),
    "open_choice_before_a_move": (
        f"{RETURNING}{PASS}  - {{player: A, play: olaf}}\n",
        *OPEN,
    ),
    "chance_after_redraws_left_out": (
        f"{RETURNING}  - {{player: A, pass: true}}\n  - {{player: A, play: fiend}}\n",
        (7, 5),
        "chance decides which unit returns to A as Skellige: "
        "Birna Bran, Udalryk, Svanrige or Olaf",
        "Say which: `random: [birna_bran]`, for example",
    ),
    "chance_before_the_redraws": (
        f"{RETURNING}{PASS}  - {{player: A, redraw: fiend}}\n",
        (7, 38),
        "random answer `birna_bran` was not used",
        "Remove it, or write it with the move after which chance decides",
    ),
    "choice_before_the_redraws": (
        f"{RETURNING}  - {{player: A, pass: true, choose: [svanrige]}}\n"
        "  - {player: A, redraw: fiend}\n",
        (7, 38),
        "Svanrige cannot be chosen: there is nothing left to choose",
        "An answer stands with the move after which its question comes",
    ),
    "choice_of_a_player_for_a_unit": (
        f"{RETURNING}{PASS[:-2]}, choose: [B]}}\n",
        (7, 69),
        "B cannot be chosen: a card is to be chosen",
        "Possible: Udalryk; Svanrige; Olaf",
    ),
    "choice_of_the_row_where_it_lies": (
        "players: {A: {hand: [placeholder_manipulator]}, B: {close: [fiend]}}\n"
        "moves: [{player: A, play: placeholder_manipulator, choose: [close]}]\n",
        (3, 61),
        "the close row cannot be chosen: it lies there already",
        "Possible: the ranged row; the siege row",
    ),
    "klepna_of_nobody": (
        "options: {klepna: if_listed}\nplayers: {A: {reserves: []}}\n"
        "moves: [{player: A, klepna: close}]\n",
        (4, 29),
        "A cannot lay Klepna into the close row: A has no Klepna",
        "Legal moves: pass",
    ),
    "klepna_in_a_turn": (
        "players: {A: {faction: skellige}}\nmoves: [{player: A, klepna: close}]\n",
        (3, 29),
        "A cannot lay Klepna into the close row: "
        "Klepna is laid before the first turn, by the player who starts",
        "Legal moves: pass",
    ),
    "chance_of_monsters": (
        f"{KEPT}moves: [{{player: B, pass: true}}]\n",
        (5, 9),
        "chance decides which unit A keeps as Monsters: Fiend or Griffin",
        "Say which: `random: [fiend]`, for example",
    ),
    "impossible_chance": (
        f"{KEPT}moves: [{{player: B, pass: true, random: [ghoul]}}]\n",
        (5, 42),
        "`ghoul` is no possible outcome of the random pick",
        "Chance decides which unit A keeps as Monsters: Fiend or Griffin",
    ),
    "chance_of_skellige": (
        BACK,
        (6, 9),
        "chance decides which unit returns to A as Skellige: Udalryk, Svanrige or Olaf",
        "Say which: `random: [udalryk]`, for example",
    ),
    "chance_of_the_order": (
        BACK.replace("close: [olaf]", "close: [cerys]"),
        (6, 9),
        "chance decides which unit returns to A as Skellige: Udalryk or Svanrige",
        "Say which: `random: [udalryk]`, for example",
    ),
    "dealt_without_a_deck": (
        "deal: true\nplayers: {A: {deck: [fiend]}}\n",
        (2, 7),
        "B has no `deck` to be dealt from",
        "Give B a `deck`, its top card first",
    ),
    "dealt_with_a_faction_alone": (
        "deal: true\nplayers: {A: {faction: monsters}, B: {deck: [fiend]}}\n",
        (3, 14),
        "A has no `deck` to be dealt from",
        "Give A a `deck`, its top card first",
    ),
}


@cache
def sg_gwint_faults_faults() -> dict[str, list[dict[str, object]]]:
    """What the command says of each file, all of them in one run."""
    with TemporaryDirectory() as folder:
        for name, (text, *_) in SG_GWINT_FAULTS_WRONG.items():
            file = Path(folder, f"{name}.yaml")
            file.write_text(SG_GWINT_FAULTS_HEAD + text, encoding="utf-8")
        run = subprocess.run(
            [*COMMAND, folder],
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 2, run.stderr
    scenarios = json.loads(run.stdout)["scenarios"]
    return {Path(entry["file"]).stem: entry["faults"] for entry in scenarios}


@pytest.mark.parametrize("name", SG_GWINT_FAULTS_WRONG)
def test_a_fault_of_sg_gwint_is_told_at_its_place(name: str) -> None:
    _, place, message, help = SG_GWINT_FAULTS_WRONG[name]
    found = [
        (f["line"], f["column"], f["message"], f.get("help"))
        for f in sg_gwint_faults_faults()[name]
    ]

    assert found == [(*place, message, help)]
