"""`deckcheck replay` from its arguments to its outputs and exit codes."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema

from deckcheck.cli import main
from deckcheck.cli import replay as stepping
from deckcheck.replays.model import Replay, Seated, Step, ToldGame
from deckcheck.replays.narration import turning_points
from deckcheck.replays.outputs import WRITERS, Telling
from deckcheck.terminal import PLAIN

Captured = pytest.CaptureFixture[str]

DECKS = Path(__file__).parents[2] / "decks" / "deckmaster" / "standard"
DECK = str(sorted(DECKS.glob("*.deck"))[0])
FAST = ("--policy", "random", "--seed", "3")


def step(number: int, player: str | None, text: str, *notes: str) -> Step:
    lines = (f"position after {number}",)
    return Step(number, 1, player, text, notes, {"A": number}, False, lines, {})


GAME = ToldGame(
    players={"A": Seated("Siege", "heuristic"), "B": Seated("Swarm", None)},
    steps=(
        step(0, None, "deal", "A holds Ves"),
        step(1, "A", "play Ves in the close row", "weather: none"),
        step(2, "A", "pass", "round 1 ends: all have passed"),
    ),
    winner="A",
    outcome=(1, 2, 0, 0, 1, 2, 2, 0, 0, 1, 0, 0),
)
REPLAY = Replay("f", "2025-10", "d", 1, ("Siege*", "Swarm"), "game", 3, (GAME,))


def written(name: str, replay: Replay = REPLAY, *, positions: bool = False) -> str:
    import io

    stream = io.StringIO()
    dict(WRITERS)[name](Telling(replay, positions), stream, PLAIN, True)
    return stream.getvalue()


def test_text_has_deal_rounds_moves_and_result() -> None:
    assert written("text") == (
        "Game 3 of Siege* against Swarm\n"
        "f@2025-10, digest d, seed 1\n"
        "\n"
        "A: Siege, played by heuristic\n"
        "B: Swarm\n"
        "\n"
        "Deal\n"
        "       A holds Ves\n"
        "\n"
        "Round 1\n"
        "  1  A: play Ves in the close row                   A 1\n"
        "       weather: none\n"
        "  2  A: pass                                        A 2\n"
        "       round 1 ends: all have passed\n"
        "\n"
        "A wins\n"
    )


def test_text_may_have_positions() -> None:
    assert "         position after 1\n" in written("text", positions=True)


def test_markdown_is_safe() -> None:
    text = written("markdown")

    assert text.startswith("## Game 3 of Siege\\* against Swarm\n")
    assert "1. **A**: play Ves in the close row (A 1)\n    - weather: none\n" in text


def test_a_page_links_the_turning_points_and_draws_the_chances() -> None:
    chances = ({"A": 0.5, "B": 0.5}, {"A": 0.75, "B": 0.25}, {"A": 1.0, "B": 0.0})
    pairs = zip(GAME.steps, chances, strict=True)
    steps = tuple(replace(step, chances=chance) for step, chance in pairs)
    game = replace(GAME, steps=steps, turning_points=turning_points(steps))
    page = written("html", replace(REPLAY, games=(game,)))

    assert "<p>A wins with Siege</p>" in page
    sentence = "the chance of A goes from 50 % to 75 %"
    assert (
        f'<a href="#game-1-1">Move 1, A: play Ves in the close row: {sentence}' in page
    )
    assert 'id="game-1-1"' in page
    # From the middle of the drawing to its top.
    assert 'class="mean" d="M48.0 130.0L474.0 75.0L900.0 20.0"' in page
    assert "<svg" not in written("html", REPLAY)


def test_json_fits_its_schema() -> None:
    document = json.loads(written("json"))

    jsonschema.validate(document, closed_schema("replay"))
    assert document["games"][0]["places"] == [1, 2]


def test_watching_shows_a_position_at_a_time(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter(["", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(keys))
    stepping.step_through(REPLAY, PLAIN)

    out = capsys.readouterr().out
    assert "position after 1" in out
    assert "position after 2" not in out


def test_watching_ends_with_the_result(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "")
    stepping.step_through(REPLAY, PLAIN)

    assert capsys.readouterr().out.endswith("A wins\n")


def test_watching_needs_a_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", open(__file__))  # noqa: SIM115

    assert main(["replay", DECK, "--watch"]) == 2
    assert "`--watch` needs a terminal" in capsys.readouterr().err


def test_a_game_of_decks_and_of_their_run_is_the_same(
    capsys: Captured, tmp_path: Path
) -> None:
    run = str(tmp_path / "run")
    args = [DECK, "--games", "20", *FAST]
    assert main(["simulate", *args, "--run", run, "-qq", "--jobs", "1"]) == 0
    assert main(["replay", *args, "--game", "5"]) == 0
    of_decks = capsys.readouterr().out

    assert main(["replay", run, "--game", "5"]) == 0
    assert capsys.readouterr().out == of_decks
    assert of_decks.startswith("Game 5 of player 1 (random), ")
    assert "the game ends: the board is full" in of_decks


def test_pairs_that_are_one_game_have_one(capsys: Captured, tmp_path: Path) -> None:
    """Scoia'tael choose who begins: 20 games are 10, as the games table has them."""
    run, table = str(tmp_path / "run"), tmp_path / "games.csv"
    folder = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
    decks = [
        str(folder / f"{name}.deck") for name in ("mo_swarm", "st_beautiful_archers")
    ]
    args = [*decks, "--policy", "heuristic-1", "--games", "20", "--jobs", "1", "-qq"]
    assert main(["simulate", *args, "--run", run, "--games-table", str(table)]) == 0
    with open(table, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    capsys.readouterr()

    assert [row["game"] for row in rows] == [str(n) for n in range(1, 11)]
    assert main(["replay", run, "--game", "10", "--output-format", "json"]) == 0
    [game] = json.loads(capsys.readouterr().out)["games"]
    names = {"A": "The swarm", "B": "The beautiful archers", None: ""}
    assert names[game["winner"]] == rows[9]["winner"]
    assert main(["replay", run, "--game", "11"]) == 2
    remedy = capsys.readouterr().err
    assert "the last is 10" in remedy
    assert "`deckcheck resume FOLDER --games 22`" in remedy
    assert main(["resume", run, "--games", "22", "-qq"]) == 0
    assert main(["replay", run, "--game", "11"]) == 0


def test_a_run_has_so_many_games(capsys: Captured, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    args = [DECK, "--games", "19", *FAST]
    assert main(["simulate", *args, "--run", run, "-qq", "--jobs", "1"]) == 0

    assert main(["replay", run, "--game", "20"]) == 0
    capsys.readouterr()
    assert main(["replay", run, "--game", "21"]) == 2
    error, help = capsys.readouterr().err.splitlines()
    assert error.startswith("error: This run has no game 21 of `")
    assert error.endswith(": the last is 20")
    assert help == (
        "help: Name one from 1 to 20, or play more: "
        "`deckcheck resume FOLDER --games 21`"
    )
    assert main(["replay", *args, "--game", "21"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "0"], "`--game` is 0, must be 1 to"),
        (["--pairing", "Siege,Swarm"], "No pairing `Siege,Swarm`"),
        (["--output-format", "csv"], "Unknown output `csv`"),
    ],
)
def test_what_is_not_there_is_misuse(
    capsys: Captured, arguments: list[str], message: str
) -> None:
    assert main(["replay", DECK, *FAST, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_run_has_its_own_settings(capsys: Captured, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    args = [DECK, "--games", "4", *FAST, "--run", run, "-qq", "--jobs", "1"]
    assert main(["simulate", *args]) == 0

    assert main(["replay", run, "--seed", "4"]) == 2
    assert "`--seed` goes with decks" in capsys.readouterr().err
