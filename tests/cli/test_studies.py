"""The commands that weigh decks and cards: `compare`, `impact` and `redraws`."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import closed_schema

from deckcheck.cli import main
from deckcheck.cli.progress import Forecast
from deckcheck.playing.table import Table
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import Progress

# `deckcheck compare` as it is typed.

Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = str(STANDARD / "nr_siege_masters.deck")
EXAMPLES = ROOT / "examples" / "compare"
NEW, OTHER = (
    str(EXAMPLES / f"{name}.deck") for name in ("second_horn", "second_scorch")
)
SWARM, SHIPS = (str(STANDARD / f"{name}.deck") for name in ("mo_swarm", "sk_longships"))
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]


def run(*arguments: str) -> int:
    return main(["compare", *arguments, *FAST])


def test_the_answer_comes_first(capsys: Captured) -> None:
    assert run(OLD, NEW, "-n", "200", "--full") == 0

    lines = capsys.readouterr().out.splitlines()
    assert "Siege, 2 horns" in lines[0]
    assert any(line.startswith("all opponents ") for line in lines)
    assert any(line.startswith("The swarm ") for line in lines)
    assert "ended     after the games that were asked for" in lines
    assert "policies  sane_random 1" in lines


@pytest.mark.usefixtures("here")
def test_every_output_of_several_versions(capsys: Captured) -> None:
    outputs = [
        f"--output-format={name}:a.{name}" for name in ("json", "csv", "markdown")
    ]
    assert run(OLD, NEW, OTHER, "-n", "40", *outputs, "--output-format=table") == 0
    document = json.loads(Path("a.json").read_text())
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    page = Path("a.markdown").read_text()

    answer = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    assert answer.startswith("It is not clear whether `")
    assert re.search(r"; about [\d,]+ games would make it clear\.$", answer), answer
    jsonschema.validate(document, closed_schema("compare"))
    assert len(document["differences"]) == 3
    # Shared shuffles save games where versions differ by a card.
    assert all(each["saved"] > 1 for each in document["differences"])
    names = [version["name"] for version in document["versions"]]
    assert names[0] == "Siege masters"
    assert sorted(document["ranking"]) == sorted(names)
    opponents = ["The swarm", "Longships of Skellige"]
    assert [each["name"] for each in document["opponents"]] == opponents
    assert len(rows) == 3 * (3 + 3)
    assert [row["opponent"] for row in rows[::6]] == ["(all)", *opponents]
    baselines = ["", "Siege masters", "Siege masters"]
    assert [row["baseline"] for row in rows[2:5]] == baselines
    assert page.startswith("It is not clear whether **")
    assert page.count("###") == 3


def test_it_is_looked_until_it_is_clear(capsys: Captured) -> None:
    assert run(OLD, NEW, "--margin", "8", "--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("compare"))
    assert document["looks"] > 0


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
    assert "games 600 in mirrored pairs, 100 of each version" in " ".join(said.split())
    assert stdout_of(capsys, "resume", folder) == said
    assert stdout_of(capsys, "compare", *MINE[2:], *fast) == said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["meta", "--mine", OLD, *FAST], "`--mine` has one deck, which is no choice"),
        (["meta", "gone", "--mine", OLD, NEW, *FAST], "`gone` is named as a run, and"),
        (["meta", "gone", "--games", "7"], "`--games` goes with `--mine` only"),
        (["meta", "gone", *FAST[:2]], "`--against` goes with `--mine` only"),
        (
            ["compare", OLD, "--new-format", "gwent/advanced", "--weights", "gone"],
            "`--weights` does not go with `--new-format`",
        ),
    ],
)
def test_what_own_decks_do_not_go_with(
    capsys: Captured, arguments: list[str], message: str
) -> None:
    assert message in stderr_of(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([OLD], "Found 1 version, needs at least 2"),
        ([OLD, NEW, "--margin", "0"], "`--margin` is 0, must be 0.01 to 100"),
        ([OLD, NEW, "--margin", "x"], "`x` is not a number"),
        ([OLD, NEW, "-n", "0"], "`--games` is 0"),
        ([OLD, NEW, "--policy", "nobody"], "nobody"),
    ],
)
def test_misuse(capsys: Captured, arguments: list[str], message: str) -> None:
    assert run(*arguments) == 2

    assert message in capsys.readouterr().err


def test_illegal_decks_are_shown_and_do_not_play(capsys: Captured) -> None:
    broken = str(ROOT / "examples" / "broken" / "gwent" / "too-few-units.deck")

    assert run(OLD, broken) == 1
    captured = capsys.readouterr()
    assert "too-few-units" in captured.out
    assert "No game was played" in captured.err


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
    once = [BEGUN, after(1, 1_000), after(6, 6_000), after(9, 3_000)]

    assert said(*once) == [
        "About 17 min here (learned 3 plays 1,000 games/s); `--games 500` takes one "
        "minute"
    ]


def test_a_number_that_would_be_refused_is_not_named() -> None:
    run = [BEGUN, after(6, 6_000)]

    assert said(*run, least=600) == said(*run, games=None)
    assert said(*run, games=None) == [
        "About 17 min here (learned 3 plays 1,000 games/s)"
    ]


def test_hours() -> None:
    [sentence] = said(BEGUN, after(6, 60), games=None)

    assert sentence.startswith("About 28 h here ")


@pytest.mark.parametrize(
    "changed", [{"games_total": 50_000}, {"ready": 1}, {"until": "look 3"}]
)
def test_where_it_is_short_or_unknown_nothing_is_said(
    changed: dict[str, object],
) -> None:
    run = [replace(each, **changed) for each in (BEGUN, after(6, 6_000))]  # type: ignore[arg-type]

    assert said(*run) == []


# `deckcheck impact` as it is typed.


def impact_run(*arguments: str) -> int:
    return main(["impact", OLD, *FAST, "-n", "8", *arguments])


@pytest.mark.usefixtures("here")
def test_every_output_of_impact(capsys: Captured) -> None:
    outputs = [f"--output-format={name}:a.{name}" for name in ("json", "csv")]
    assert impact_run(*outputs, "--output-format=table") == 0

    lines = capsys.readouterr().out.splitlines()
    assert ", the least in first games, is worth " in lines[0]
    assert "Siege masters: what one copy of each card is worth (caused)" in lines
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("impact"))
    assert len(document["cards"]) == 22
    assert document["cut"] in {card["id"] for card in document["cards"]}
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    copies = [row["value"] for row in rows if row["metric"] == "copies"]
    assert len(copies) == 22
    assert {float(number) for number in copies} == {1, 2, 3}


def test_what_is_missing(capsys: Captured) -> None:
    assert "No deck given" in stderr_of(capsys, "impact")
    assert impact_run("--redraws", "--card", "Decoy") == 2
    assert "`--card` says what a card is worth" in capsys.readouterr().err


# `deckcheck impact --redraws` and `--hand` as they are typed.

HAND = "2 Ballista, 2 Catapult, Scorch, Clear Weather, Roach, Thaler, Decoy, Trebuchet"


def redraws_run(*arguments: str) -> int:
    return main(["impact", OLD, *FAST, "-n", "16", "-q", *arguments])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [["--redraws"], ["--hand", HAND]])
def test_every_output_of_redraws(words: list[str], capsys: Captured) -> None:
    is_hand = words[0] == "--hand"
    outputs = [f"--output-format={name}:a.{name}" for name in ("json", "csv", "html")]
    assert redraws_run(*words, *outputs, "--output-format=table") == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(("Redraw ", "It is not clear whether to redraw", "Keep"))
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("redraws"))
    assert len(document["redraws"]) == (38 if is_hand else 22)
    assert len(document["hand"]) == (10 if is_hand else 0)
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    metrics = {row["metric"] for row in rows}
    assert {"redrawn", "win_rate_kept", "win_rate_redrawn", "gain_redrawn"} <= metrics
    told = "Siege masters: each card of the dealt hand, kept or redrawn first"
    assert (told in lines) == (not is_hand)
    told = "this hand, with these cards redrawn and no others"
    assert (told in Path("a.html").read_text("utf-8")) == is_hand


def test_a_hand_that_cannot_be_dealt(capsys: Captured) -> None:
    assert redraws_run("--hand", "Roach, Thaler") == 2

    said = capsys.readouterr().err
    assert "error: `--hand` has 2 cards, `Siege masters` is dealt 10" in said
    assert "help: Name the whole hand, before redraws" in said
