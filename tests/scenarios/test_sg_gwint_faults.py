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

WRONG = {
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
