"""What is said of scenario files of SG Gwint that are wrong, and where."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

COMMAND = (sys.executable, "-m", "deckcheck", "scenario", "--output-format", "json")
HEAD = "format: sg_gwint/approximation\n"
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

WRONG = {
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
    _, place, message, help = WRONG[name]
    found = [
        (f["line"], f["column"], f["message"], f.get("help")) for f in faults()[name]
    ]

    assert found == [(*place, message, help)]
