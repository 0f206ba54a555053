"""What the command says of scenario files of solo that make no sense."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOLO = "format: gwent/solo\n"
WRONG = {
    "hand_of_the_automa": (
        SOLO + "players: {B: {hand: [ves]}}\n",
        (2, 21),
        "`hand`: an automa has none",
    ),
    "passed_automa": (
        SOLO + "players: {B: {passed: true}}\n",
        (2, 23),
        "`passed`: an automa has none",
    ),
    "user_who_has_passed": (
        SOLO + "players: {A: {passed: true}}\n",
        (2, 23),
        "A has passed: the automa has had its last turn, the round is over",
        "Let A pass in `moves`; the automa answers",
    ),
    "hidden_cards_of_the_user": (
        SOLO + "players: {A: {hidden: [ves]}}\n",
        (2, 23),
        "`hidden`: only an automa has them",
    ),
    "leader_pile_without_automa": (
        "format: gwent/standard\nplayers: {B: {leaders: [king_bran]}}\n",
        (2, 24),
        "`leaders`: only an automa has them",
    ),
    "leaders_without_the_variant": (
        SOLO + "players: {B: {leaders: [king_bran]}}\n",
        (2, 24),
        "the format plays without the automa's leaders",
    ),
    "weather_of_the_user": (
        SOLO + "players: {A: {hand: [clear_weather, biting_frost]}}\n",
        (2, 37),
        "A has no weather but Clear Weather in solo (gwent 6.1.3)",
        "Only The Relentless as A's leader can take one (gwent 6.2.10)",
    ),
    "weather_that_the_user_played": (
        SOLO + "weather: [{card: biting_frost, by: A}]\n",
        (2, 36),
        "A has no weather but Clear Weather in solo (gwent 6.1.3)",
        "Only The Relentless as A's leader can take one (gwent 6.2.10)",
    ),
    "move_of_the_automa": (
        SOLO + "moves: [{player: B, pass: true}]\n",
        (2, 27),
        "B cannot pass: the automa plays after each move of A",
    ),
    "chance_between_equal_cards": (
        SOLO + "players: {A: {hand: [2 ves]}, B: {deck: [siege_technician], "
        "discard: [fringilla_vigo, assire_var_anahid]}}\n"
        "moves: [{player: A, play: ves}]\n",
        (3, 9),
        "chance decides which card B takes of those that are equally good: "
        "Fringilla Vigo or Assire var Anahid",
        "Say which: `random: [fringilla_vigo]`, for example",
    ),
    "chance_between_equal_rows": (
        SOLO + "options: {automa_ties: random}\n"
        "players: {A: {hand: [2 ves]}, B: {faction: scoiatael, deck: [yaevinn]}}\n"
        "moves: [{player: A, play: ves}]\n",
        (4, 9),
        "chance decides which row B takes of those that are equally good: "
        "close or ranged",
        "Say which: `random: [close]`, for example",
    ),
    "chance_of_a_leader": (
        "format: gwent/solo_leader\nplayers: {A: {gems: 1, close: [ves]}, "
        "B: {faction: nilfgaard, discard: [cynthia, albrich], "
        "leaders: [emhyr_invader_of_the_north]}}\nmoves: [{player: A, pass: true}]\n",
        (3, 9),
        "chance decides which unit B's leader brings back: Cynthia or Albrich",
        "Say which: `random: [cynthia]`, for example",
    ),
    "turn_of_the_automa": (
        SOLO + "turn: B\n",
        (2, 7),
        "the automa never is to move: it plays after each move of A",
    ),
    "too_many_hidden_cards": (
        SOLO + "players: {B: {hidden: [25 ghoul]}}\n",
        (2, 23),
        "25 cards found, 24 have room",
    ),
}


@pytest.fixture(scope="module")
def entries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrong")
    for name, (text, *_) in WRONG.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", ".", "--output-format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2, run.stderr
    entries = json.loads(run.stdout)["scenarios"]
    return {Path(entry["file"]).stem: entry for entry in entries}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_reported_where_it_is_wrong(name, entries):
    _, (line, column), message, *help = WRONG[name]

    assert entries[name]["ok"] is False
    assert entries[name]["faults"] == [
        {
            "line": line,
            "column": column,
            "message": message,
            "help": help[0] if help else None,
        }
    ]
