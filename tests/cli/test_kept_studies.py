"""Comparisons and impact that are kept in folders, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_files import change_document

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.run_files import read_document

Captured = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = str(STANDARD / "nr_siege_masters.deck")
NEW = str(ROOT / "examples" / "compare" / "second_horn.deck")
SWARM, SHIPS = (str(STANDARD / f"{name}.deck") for name in ("mo_swarm", "sk_longships"))
FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random", "-q"]
COMPARE = ["compare", OLD, NEW, *FAST]
IMPACT = ["impact", OLD, *FAST, "-n", "16"]


def output(capsys: Captured, *words: str) -> str:
    assert main([*words, "--output-format", "json"]) == 0
    return capsys.readouterr().out


def refused(capsys: Captured, *words: str) -> str:
    assert main(list(words)) == 2
    return " ".join(capsys.readouterr().err.split())


@pytest.fixture
def compared(tmp_path: Path, capsys: Captured) -> str:
    """The folder of a comparison of 40 games."""
    folder = str(tmp_path / "compared")
    output(capsys, *COMPARE, "-n", "40", "--run", folder)
    return folder


@pytest.mark.parametrize("words", [[*COMPARE, "--margin", "8"], IMPACT])
def test_kept_or_not_the_result_is_the_same(
    words: list[str], tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "run"
    plain = json.loads(output(capsys, *words))
    kept = output(capsys, *words, "--run", str(folder))

    assert output(capsys, *words, "--run", str(folder)) == kept
    assert output(capsys, "resume", str(folder)) == kept
    untimed = {"seconds": None, "jobs": None, "games_per_second": None}
    assert json.loads(kept) == {**plain, **untimed}
    assert json.loads((folder / "run.json").read_text())["kind"] == words[0]


def test_a_fixed_number_of_games_can_be_more(compared: str, capsys: Captured) -> None:
    longer = output(capsys, "resume", compared, "--games", "80", "-q")

    assert json.loads(longer)["games"] == 80
    again = json.loads(output(capsys, *COMPARE, "-n", "80"))
    assert json.loads(longer)["checksum"] == again["checksum"]
    assert json.loads(longer)["differences"] == again["differences"]


def test_what_cannot_be_extended(tmp_path: Path, capsys: Captured) -> None:
    clear, impact = (str(tmp_path / name) for name in ("clear", "impact"))
    output(capsys, *COMPARE, "--margin", "9", "--run", clear)
    output(capsys, *IMPACT, "--run", impact)

    said = refused(capsys, "resume", clear, "--games", "999999")
    assert "A comparison that ends when it is clear has no number of games" in said
    said = refused(capsys, "resume", impact, "--games", "999999")
    assert "A run of `impact` cannot be extended" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*COMPARE, "-n", "40", "--seed", "2"], "seed is 1, not 2"),
        ([*COMPARE, "-n", "60"], "has 40 games, not 60"),
        ([*COMPARE, "-n", "20"], "games is 40, not 20"),
        ([*COMPARE], "games is 40, not none"),
        (["compare", NEW, OLD, *FAST, "-n", "40"], "a deck is `Siege masters`, not"),
        (["compare", OLD, NEW, SHIPS, *FAST, "-n", "40"], "versions are 2, not 3"),
        (IMPACT, "it is of `compare`, not of `impact`"),
        (["simulate", OLD, SWARM, "-q"], "it is of `compare`, not of `simulate`"),
    ],
)
def test_another_study_is_refused_and_says_what_differs(
    words: list[str], said: str, compared: str, capsys: Captured
) -> None:
    assert said in refused(capsys, *words, "--run", compared)


@pytest.mark.parametrize("words", [[*COMPARE, "-n", "40"], IMPACT])
def test_they_are_reported_without_playing(
    words: list[str], tmp_path: Path, capsys: Captured
) -> None:
    folder, page = tmp_path / "run", tmp_path / "page.html"
    kept = output(capsys, *words, "--run", str(folder))
    blocks = (folder / "blocks.jsonl").read_bytes()

    assert output(capsys, "report", str(folder), "--html", str(page)) == kept
    assert main(["resume", str(folder), "-q", "--output-format", "html"]) == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")
    assert deckcheck.report_of(folder) == page.read_text(encoding="utf-8")
    (folder / "blocks.jsonl").write_bytes(blocks[: blocks.index(b"\n") + 1])
    said = refused(capsys, "report", str(folder))
    assert "is not complete" in said
    assert f"`deckcheck resume {folder}` plays what is missing" in said
    said = refused(capsys, "report", str(folder), "--all-matchups")
    assert f"is for simulations, this is a run of `{words[0]}`" in said


@pytest.mark.parametrize("command", ["meta", "replay"])
def test_commands_for_simulations_say_so(
    command: str, compared: str, capsys: Captured
) -> None:
    said = refused(capsys, command, compared)

    assert "holds a run of `compare`, not of `simulate`" in said
    assert f"`deckcheck resume {compared}` prints its result" in said


def test_kinds_are_not_merged(compared: str, tmp_path: Path, capsys: Captured) -> None:
    impact = str(tmp_path / "impact")
    output(capsys, *IMPACT, "--run", impact)

    said = refused(capsys, "merge", compared, impact, "--run", str(tmp_path / "both"))
    assert "are of different runs: it is of `compare`, not of `impact`" in said


@pytest.mark.parametrize("option", ["--all-matchups", "--games-table=games.csv"])
def test_options_of_simulations(option: str, compared: str, capsys: Captured) -> None:
    said = refused(capsys, "resume", compared, option)

    assert "is for simulations, this is a run of `compare`" in said


def test_shards_of_a_comparison(tmp_path: Path, capsys: Captured) -> None:
    whole = output(capsys, *COMPARE, "-n", "40", "--run", str(tmp_path / "whole"))
    shards = []
    for shard in ("1/2", "2/2"):
        shards.append(str(tmp_path / shard.replace("/", "of")))
        main([*COMPARE, "-n", "40", "--run", shards[-1], "--shard", shard])
    merged = str(tmp_path / "merged")
    assert main(["merge", *shards, "--run", merged]) == 0
    capsys.readouterr()

    assert output(capsys, "resume", merged) == whole


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (COMPARE, "A comparison looks at all games to see whether it is clear"),
        ([*COMPARE, "-n", "2"], "2 games are too few for 2 shards"),
    ],
)
def test_what_cannot_be_played_in_shards(
    words: list[str], said: str, tmp_path: Path, capsys: Captured
) -> None:
    folder = str(tmp_path / "run")
    assert said in refused(capsys, *words, "--run", folder, "--shard", "1/2")
    assert "goes with `--run FOLDER` only" in refused(capsys, *words, "--shard", "1/2")


@pytest.mark.parametrize("command", ["impact", "tune", "build", "solve"])
def test_what_has_no_shards_offers_none(command: str, capsys: Captured) -> None:
    assert "No such option `--shard`" in refused(capsys, command, "--shard", "1/2")


def test_a_damaged_question(compared: str, capsys: Captured) -> None:
    file = Path(compared, "run.json")
    document = read_document(file)
    for wrong, said in (
        ({"margin": "wide"}, "`request`: "),
        ({"margin": 0}, "`--margin` is 0"),
        ({"width": 3}, "`request`: "),
    ):
        request = {**document["request"], **wrong}
        change_document(file, request=request)
        assert said in refused(capsys, "resume", compared)
    change_document(file, request=document["request"], kind="guess")
    for command in ("resume", "report"):
        assert "does not support runs of `guess`" in refused(capsys, command, compared)
