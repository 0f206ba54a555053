"""How results of scenarios are written, and how expectations are compared."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deckcheck.findings import Position, Span, UsageError
from deckcheck.scenarios import Failure, ScenarioFault, ScenarioResult
from deckcheck.scenarios.files import ChosenFile, find_scenarios
from deckcheck.scenarios.result import as_text, show_value, summarise_results
from deckcheck.scenarios.running import find_disagreements
from deckcheck.terminal import Style

PLACE = Span(Position(9, 5), Position(9, 7))
HOLDS = ScenarioResult("a.yaml")
FAILS = ScenarioResult("b.yaml", failures=(Failure(PLACE, "A.close", 12, 11),))
WRONG = ScenarioResult(
    "c.yaml", faults=(ScenarioFault("c.yaml", PLACE, "unknown card `x`"),)
)

SCENARIO = """\
format: gwent/standard
players:
  A: {hand: [ves], deck: [ballista, catapult]}
  B: {siege: [fire_elemental], row_specials: {siege: commanders_horn}}
weather: [{card: biting_frost, by: B}]
moves:
  - {player: A, play: ves}
expect:
  A: {close: 5, hand: [], deck: [catapult, ballista]}
  turn: A
"""


SOLO = """\
format: gwent/solo_leader
players:
  A: {faction: skellige, gems: 1, hand: [svanrige], close: [blueboy_lugos]}
  B:
    faction: monsters
    gems: 1
    deck: [decoy, fiend, griffin, nekker]
    leaders: [eredin_destroyer_of_worlds]
moves:
  - {player: A, play: svanrige}
  - {player: A, play: fiend, forbidden: true}
  - {player: A, pass: true}
"""
SEVERAL = """\
# She plays.
title: ves plays
format: gwent/standard
players: {A: {hand: [ves]}}
moves:
  - {player: A, play: ves}
expect: {A: {close: 5}}
---
# She does not.
title: ves stays
format: gwent/standard
players: {A: {hand: [ves]}}
moves:
  - {player: A, play: roach, forbidden: true}
expect: {A: {close: 5}}
---
title: nobody plays
format: gwent/standart
"""
FORBIDDEN = """\
format: gwent/standard
players: {A: {hand: [ves]}}
moves:
  - {player: B, pass: true, forbidden: it is the turn of A}
  - {player: A, play: ves, row: siege, forbidden: true}
  - {player: A, play: ballista, forbidden: it is a hero}
"""
FILES = {
    "forbidden.yaml": FORBIDDEN,
    "leader.yaml": SOLO.replace("close: [blueboy_lugos]", "close: [2 olaf]"),
    "notes.txt": "no scenario",
    "solo.yaml": SOLO,
    "some.yaml": SEVERAL,
    "ves.yaml": SCENARIO,
}
DID = """\
line 10: B plays Decoy with a card face down under it
line 11: A cannot play Fiend: it is not in the hand
line 12: B plays Griffin in the close row
line 12: B turns up Fiend, which lay under a Decoy
line 12: B plays Fiend in the close row
"""
REFUSED = """\
forbidden.yaml:6:44: move 3, forbidden: expected it is a hero, got it is not in the hand
forbidden.yaml: failed
line 4: B cannot pass: it is the turn of A
line 5: A cannot play Ves in the siege row: it belongs in the close row
line 6: A cannot play Ballista: it is not in the hand
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenarios")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "empty").mkdir()
    return folder


@pytest.fixture(scope="module")
def played(folder: Path) -> subprocess.CompletedProcess[str]:
    """All of them in one run."""
    outputs = ("--output-format", "text", "--output-format", "json:out.json")
    return run(folder, ".", "-v", *outputs)


@pytest.fixture(scope="module")
def entries(
    folder: Path, played: subprocess.CompletedProcess[str]
) -> dict[str, list[dict[str, Any]]]:
    """What JSON has of each file."""
    assert played.returncode == 2
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in json.loads((folder / "out.json").read_text())["scenarios"]:
        found.setdefault(entry["file"], []).append(entry)
    return found


Entries = dict[str, list[dict[str, Any]]]


def test_a_failure_shows_what_was_expected_and_what_came(folder: Path) -> None:
    done = run(folder, "ves.yaml")

    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout == (
        "ves.yaml:9:14: A.close: expected 5, got 1\n"
        "ves.yaml:9:33: A.deck: expected [catapult, ballista], "
        "got [ballista, catapult]\n"
        "ves.yaml:10:9: turn: expected A, got B\n"
        "A: 1 on the board, 2 gems, 2 cards in the deck\n"
        "  close     1  Ves 1\n"
        "  ranged    0\n"
        "  siege     0\n"
        "B: 12 on the board, 2 gems, 0 cards in the deck\n"
        "  close     0\n"
        "  ranged    0\n"
        "  siege    12  Fire Elemental 12, [Commander's Horn]\n"
        "round 1, weather Biting Frost, B to move\n"
        "\n"
        "1 scenario: 1 failed\n"
    )


def test_json_has_the_final_position(entries: Entries) -> None:
    [entry] = entries["ves.yaml"]
    players = entry["players"]

    assert entry["ok"] is False
    assert entry["failures"][0] == {
        "line": 9,
        "column": 14,
        "what": "A.close",
        "expected": 5,
        "came": 1,
    }
    assert players["A"]["close"] == {
        "total": 1,
        "cards": [{"card": "ves", "strength": 1}],
    }
    assert players["A"]["hand"] == []
    assert players["A"]["deck_size"] == 2
    assert players["B"]["total"] == 12
    assert players["B"]["row_specials"]["siege"] == "commanders_horn"
    assert (players["B"]["gems"], players["B"]["discard"]) == (2, [])
    assert entry["weather"] == ["biting_frost"]
    assert (entry["round"], entry["turn"]) == (1, "B")
    assert (entry["over"], entry["winner"]) == (False, None)


def test_it_is_told_what_the_automa_did_and_why_moves_are_forbidden(
    played: subprocess.CompletedProcess[str],
) -> None:
    assert DID in played.stdout
    assert REFUSED in played.stdout


def test_json_says_by_id_what_the_automa_did_and_which_leader_came(
    entries: Entries,
) -> None:
    [entry] = entries["leader.yaml"]

    assert entry["automa"][1] == {
        "line": 12,
        "text": "B plays Griffin in the close row",
        "card": "griffin",
        "row": "close",
        "side": "B",
    }
    assert entry["automa"][4] == {
        "line": 12,
        "text": "B turns up Eredin, Destroyer of Worlds",
        "leader": "eredin_destroyer_of_worlds",
    }


def test_json_has_the_reason_of_a_refusal(entries: Entries) -> None:
    [entry] = entries["forbidden.yaml"]

    assert entry["refusals"][1] == {
        "line": 5,
        "column": 51,
        "message": "A cannot play Ves in the siege row: it belongs in the close row",
        "reason": "it belongs in the close row",
    }


def test_each_scenario_of_a_file_has_an_outcome_of_its_own(
    played: subprocess.CompletedProcess[str], entries: Entries
) -> None:
    assert played.stderr.splitlines() == [
        "error: some.yaml:18:9: unknown format `gwent/standart`",
        "help: Did you mean `gwent/standard`?",
    ]
    said = [line for line in played.stdout.splitlines() if line.startswith("some.")]
    assert said == [
        "some.yaml#ves plays: ok",
        "some.yaml:15:21: A.close: expected 5, got 0",
        "some.yaml#ves stays: failed",
    ]
    assert "line 14: A cannot play Roach: it is not in the hand\n" in played.stdout
    assert played.stdout.endswith("\n7 scenarios: 3 failed, 1 could not be played\n")
    some = entries["some.yaml"]
    assert [(entry["title"], entry["ok"]) for entry in some] == [
        *(("ves plays", True), ("ves stays", False), ("nobody plays", False))
    ]
    assert some[1]["failures"][0]["line"] == 15


def test_one_is_played_by_its_title(folder: Path) -> None:
    done = run(folder, "some.yaml#ves plays")

    assert done.returncode == 0
    assert done.stdout.startswith("A: 5 on the board")
    assert done.stdout.endswith("\n1 scenario: ok\n")


def test_a_title_that_none_has_is_misuse(folder: Path) -> None:
    done = run(folder, "some.yaml#ves play")

    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: `some.yaml` has no scenario `ves play`",
        "help: Did you mean `ves plays`?",
    ]


def test_text_lists_failures_and_the_summary_counts() -> None:
    assert as_text([HOLDS, FAILS]) == "b.yaml:9:5: A.close: expected 12, got 11\n"
    painted = as_text([HOLDS, FAILS], style=Style(color=True))
    assert painted == "b.yaml:9:5: \x1b[31mA.close: expected 12, got 11\x1b[0m\n"

    assert summarise_results([HOLDS]) == "1 scenario: ok"
    assert summarise_results([HOLDS, HOLDS]) == "2 scenarios: all ok"
    assert summarise_results([HOLDS, FAILS]) == "2 scenarios: 1 failed"
    both = "2 scenarios: 1 failed, 1 could not be played"
    assert summarise_results([FAILS, WRONG]) == both


def test_values_are_shown_as_files_state_them() -> None:
    for value, words in (
        (None, "nothing"),
        (True, "true"),
        (12, "12"),
        ("draw", "draw"),
        ([], "[]"),
        (["ghoul", "ghoul", "ves"], "[2 ghoul, ves]"),
        ([32, 32, 10], "[32, 32, 10]"),
        ([{"card": "biting_frost", "by": "B"}], "[biting_frost by B]"),
        ({"close": "mardroeme"}, "{close: mardroeme}"),
    ):
        assert show_value(value) == words


FOG: list[dict[str, Any]] = [{"card": "fog", "by": by} for by in "AB"]


def test_expectations_agree_or_disagree_at_a_key() -> None:
    """Without a third entry they agree."""
    for expected, came, *way in (
        ({"hand": ["ves", "ghoul"]}, {"hand": ["ghoul", "ves"]}),
        ({"hand": ["ves"]}, {"hand": ["ves", "ves"]}, "hand"),
        ({"hand": ["ves", "ves"]}, {"hand": ["ves", "ghoul"]}, "hand"),
        ({"deck": ["ves", "ghoul"]}, {"deck": ["ves", "ghoul"]}),
        ({"deck": ["ves", "ghoul"]}, {"deck": ["ghoul", "ves"]}, "deck"),
        ({"strengths": {"close": [8, 2]}}, {"strengths": {"close": [2, 8]}}),
        ({"cards": {"close": []}}, {"cards": {"close": ["ves"]}}, "cards", "close"),
        ({"cards": {}}, {"cards": {"close": ["ves"]}}, "cards"),
        ({"row_specials": {}}, {"row_specials": {"close": None}}),
        ({"gems": 1}, {"gems": True}, "gems"),
        ({"weather": [{"card": "fog"}]}, {"weather": FOG[1:]}),
        ({"weather": FOG[:1]}, {"weather": FOG[1:]}, "weather"),
        ({"winner": None}, {"winner": None}),
        ({}, {"turn": "A"}),
    ):
        found = [each[0] for each in find_disagreements(expected, came)]
        assert found == ([tuple(way)] if way else []), (expected, came)


class TestFiles:
    def test_a_folder_gives_its_yaml_files_in_order(self, tmp_path: Path) -> None:
        for name in ("b.yaml", "a.yml", "c.txt", ".hidden.yaml", "sub/d.yaml"):
            file = tmp_path / name
            file.parent.mkdir(exist_ok=True)
            file.touch()

        names = [chosen.file.name for chosen in find_scenarios([str(tmp_path)])]

        assert names == ["a.yml", "b.yaml", "d.yaml"]

    def test_what_is_no_file_is_left_out_with_a_note(self, here: Path) -> None:
        (here / "pipes").mkdir()
        (here / "ves.yaml").touch()
        os.mkfifo("pipe.yaml")
        os.mkfifo("pipes/pipe.yaml")
        os.mkdir("folder.yaml")
        notes: list[str] = []

        assert ChosenFile(Path("ves.yaml")) in find_scenarios(["."], notes)
        assert notes == [
            "`pipe.yaml` is left out: it is a named pipe, not a file",
            "`pipes/pipe.yaml` is left out: it is a named pipe, not a file",
        ]
        with pytest.raises(UsageError, match="no scenario: `pipes/pipe"):
            find_scenarios(["pipes"])

    def test_a_file_named_twice_is_played_once(self, folder: Path) -> None:
        file = str(folder / "ves.yaml")

        found = find_scenarios([file, str(folder), file])
        assert found.count(ChosenFile(Path(file))) == 1

    def test_titles_are_chosen_from_a_file(self, folder: Path) -> None:
        file = folder / "ves.yaml"
        for targets, titles in (
            (["{}#a"], ("a",)),
            (["{}#a", "{}#b"], ("a", "b")),
            (["{}#a", "{}", "{}#b"], ()),
        ):
            named = [target.format(file) for target in targets]
            assert find_scenarios(named) == [ChosenFile(file, titles)]

    def test_a_file_may_have_a_hash_in_its_name(self, tmp_path: Path) -> None:
        for name in ("ves", "ves#a"):
            (tmp_path / name).touch()

        assert find_scenarios([f"{tmp_path}/ves#a"]) == [ChosenFile(tmp_path / "ves#a")]

    def test_nothing_to_play_is_misuse(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder)
        for target, message in (
            ("nowhere.yaml", "`nowhere.yaml` does not exist"),
            ("empty", "folder `empty` holds no scenario"),
            ("nowhere.yaml#ves", "`nowhere.yaml#ves` does not exist"),
            ("no*.yaml", "Nothing matches `no*.yaml`"),
        ):
            with pytest.raises(UsageError) as error:
                find_scenarios([target])
            assert error.value.message == message


def test_a_compiled_engine_is_refused_in_one_sentence(folder: Path) -> None:
    code = (
        "import sys; from deckcheck.engine import jit; from deckcheck.cli import main;"
        "sys.exit(main(['scenario', 'ves.yaml']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: Scenarios are played by the engine uncompiled, here it is compiled",
        "help: Play them in a process of their own, or set NUMBA_DISABLE_JIT=1",
    ]
