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


def test_json_fits_its_schema(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "--margin", "8", "--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("compare"))
    assert document["looks"] > 0
    assert len(document["differences"]) == 3
    # Shared shuffles save games where versions differ by a card.
    assert all(each["saved"] > 1 for each in document["differences"])
    assert document["versions"][0]["name"] == "Siege masters"
    assert sorted(document["ranking"]) == sorted(
        v["name"] for v in document["versions"]
    )
    assert [each["name"] for each in document["opponents"]] == [
        "The swarm",
        "Longships of Skellige",
    ]


def test_csv_has_a_row_for_each_version_and_each_two(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "40", "--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 3 * (3 + 3)
    assert [row["opponent"] for row in rows[::6]] == [
        "(all)",
        "The swarm",
        "Longships of Skellige",
    ]
    assert [row["baseline"] for row in rows[2:5]] == [
        "",
        "Siege masters",
        "Siege masters",
    ]


def test_markdown_of_several_versions(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "40", "--output-format", "markdown") == 0

    page = capsys.readouterr().out
    assert page.startswith("It is not clear whether **")
    assert page.count("###") == 3


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


def test_illegal_decks_may_be_let_play(capsys: Captured) -> None:
    broken = str(ROOT / "examples" / "broken" / "gwent" / "too-many-copies.deck")

    assert run(OLD, broken, "-n", "20", "--allow-illegal") == 0
    assert "is illegal in gwent/standard" in capsys.readouterr().out


def test_of_several_versions_the_best_need_not_be_clear(capsys: Captured) -> None:
    assert run(OLD, NEW, OTHER, "-n", "20") == 0

    answer = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    assert answer.startswith("It is not clear whether `")
    assert re.search(r"; about [\d,]+ games would make it clear\.$", answer), answer


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

IMPACT_STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SIEGE, IMPACT_SWARM, IMPACT_SHIPS = (
    str(IMPACT_STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
IMPACT_FAST = [
    "--against",
    IMPACT_SWARM,
    "--against",
    IMPACT_SHIPS,
    "--policy",
    "sane_random",
    "-n",
    "8",
]


def impact_run(*arguments: str) -> int:
    return main(["impact", SIEGE, *IMPACT_FAST, *arguments])


def test_json_of_impact_fits_its_schema(capsys: Captured) -> None:
    assert impact_run("--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("impact"))
    assert len(document["cards"]) == 22
    assert document["cut"] in {card["id"] for card in document["cards"]}


def test_csv_has_a_row_for_each_card(capsys: Captured) -> None:
    assert impact_run("--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    copies = [row["value"] for row in rows if row["metric"] == "copies"]
    assert len(copies) == 22
    assert {float(number) for number in copies} == {1, 2, 3}


def test_the_answer_of_impact_comes_first(capsys: Captured) -> None:
    assert impact_run() == 0

    lines = capsys.readouterr().out.splitlines()
    assert ", the least in first games, is worth " in lines[0]
    assert "Siege masters: what one copy of each card is worth (caused)" in lines


def test_what_is_missing(capsys: Captured) -> None:
    assert "No deck given" in stderr_of(capsys, "impact")
    assert impact_run("--redraws", "--card", "Decoy") == 2
    assert "`--card` says what a card is worth" in capsys.readouterr().err


# `deckcheck impact --redraws` and `--hand` as they are typed.

HAND = "2 Ballista, 2 Catapult, Scorch, Clear Weather, Roach, Thaler, Decoy, Trebuchet"
REDRAWS_FAST = [
    "--against",
    IMPACT_SWARM,
    IMPACT_SHIPS,
    "--policy",
    "sane_random",
    "-n",
    "16",
    "-q",
]


def redraws_run(*arguments: str) -> int:
    return main(["impact", SIEGE, *REDRAWS_FAST, *arguments])


@pytest.mark.parametrize("words", [["--redraws"], ["--hand", HAND]])
def test_json_of_redraws_fits_its_schema(words: list[str], capsys: Captured) -> None:
    assert redraws_run(*words, "--output-format", "json") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("redraws"))
    assert len(document["redraws"]) == (38 if "--hand" in words else 22)
    assert len(document["hand"]) == (10 if "--hand" in words else 0)


def test_the_answer_of_redraws_comes_first(capsys: Captured) -> None:
    assert redraws_run("--redraws") == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(("Redraw `", "It is not clear whether to redraw"))
    assert "Siege masters: each card of the dealt hand, kept or redrawn first" in lines


def test_csv_and_a_page(tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "hand.html"
    outputs = ["--output-format", "csv", "--output-format", f"html:{page}"]
    assert redraws_run("--hand", HAND, *outputs) == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    metrics = {row["metric"] for row in rows}
    assert {"redrawn", "win_rate_kept", "win_rate_redrawn", "gain_redrawn"} <= metrics
    assert "this hand, with these cards redrawn and no others" in page.read_text(
        "utf-8"
    )


def test_kept_or_not_the_result_is_the_same(tmp_path: Path, capsys: Captured) -> None:
    words = ["--redraws", "--output-format", "json"]
    folder = str(tmp_path / "run")
    redraws_run(*words)
    plain = json.loads(capsys.readouterr().out)
    redraws_run(*words, "--run", folder)
    kept = capsys.readouterr().out
    assert stdout_of(capsys, "resume", folder, "-q", "--output-format", "json") == kept
    untimed = {"seconds": None, "jobs": None, "games_per_second": None}
    assert json.loads(kept) == {**plain, **untimed}
    assert "kept or redrawn first" in stdout_of(capsys, "report", folder)


def test_a_hand_that_cannot_be_dealt(capsys: Captured) -> None:
    assert redraws_run("--hand", "Roach, Thaler") == 2

    said = capsys.readouterr().err
    assert "error: `--hand` has 2 cards, `Siege masters` is dealt 10" in said
    assert "help: Name the whole hand, before redraws" in said
