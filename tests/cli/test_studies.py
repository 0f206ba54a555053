"""`meta --mine`, and what is said before a long run."""

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.commands import stdout_of

from deckcheck.cli.progress import Forecast
from deckcheck.playing.table import Table
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import Progress

Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = str(STANDARD / "nr_siege_masters.deck")
NEW = str(ROOT / "examples" / "compare" / "second_horn.deck")
SWARM, SHIPS = (str(STANDARD / f"{name}.deck") for name in ("mo_swarm", "sk_longships"))
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]


# `deckcheck meta --mine`: which of several decks to bring to a field.

MINE = ["meta", "--mine", OLD, NEW, SWARM]


def test_own_decks_meet_the_field_alone(capsys: Captured, tmp_path: Path) -> None:
    weights = tmp_path / "saturday.csv"
    weights.write_text("The swarm,3\nLongships of Skellige,1\n")
    fast = [*FAST, "--weights", str(weights), "--games", "100"]
    folder = str(tmp_path / "run")
    said = stdout_of(capsys, *MINE, *fast, "--run", folder)
    assert len(said.splitlines()) <= 24
    assert "Decks by their mean win rate over 2 opponents" in said
    assert "games 600 in game pairs, 100 of each version" in " ".join(said.split())
    assert stdout_of(capsys, "resume", folder) == said
    assert stdout_of(capsys, "compare", *MINE[2:], *fast) == said


# What is said before a long run.

JOB = Job(1, "a against b", Table("gwent", "two", ()), ("learned", "heuristic"), 99)
BEGUN = Progress(100, 1_000_000, 1.0, JOB, None, workers=2, ready=2)


def said(*progress: Progress, games: int | None = 9_000, least: int = 2) -> list[str]:
    sentences: list[str] = []
    passed: list[Progress] = []
    forecast = Forecast(passed.append, sentences.append, games, least)
    for each in progress:
        forecast(each)
    assert passed == list(progress)
    return sentences


def after(seconds: float, games: int) -> Progress:
    return replace(BEGUN, seconds=1.0 + seconds, games=100 + games)


def test_a_long_run_says_once_how_long_it_takes() -> None:
    """A million games of a thousand a second; a minute has 60,000 of them."""
    plain = "About 17 min here (learned-6 plays 1,000 games/s)"
    run = [BEGUN, after(6, 6_000)]
    once = [BEGUN, after(1, 1_000), after(6, 6_000), after(9, 3_000)]
    assert said(*once) == [f"{plain}. `--games 500` takes a minute"]
    # A number that would be refused is not named.
    assert said(*run, least=600) == said(*run, games=None) == [plain]

    # Of a million games that are resumed 700,000 are there.
    resumed = [replace(each, games=each.games + 700_000) for each in run]
    for forecast, time in ((resumed, "5 min"), ([BEGUN, after(6, 60)], "28 h")):
        [sentence] = said(*forecast, games=None)
        assert sentence.startswith(f"About {time} here ")
    # Where it is short or unknown nothing is said.
    for changed in ({"games_total": 50_000}, {"ready": 1}, {"until": "look 3"}):
        assert said(*(replace(each, **changed) for each in run)) == [], changed  # type: ignore[arg-type]
