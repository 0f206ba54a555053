"""Reports of runs and of plans, and of what changed, as commands and in Python."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from closed_schema import closed_schema
from tidy_frames import assert_tidy, check_columns, frames_of

import deckcheck
from deckcheck.cli import main
from deckcheck.findings import UsageError
from deckcheck.studies.registry import reported

Captured = pytest.CaptureFixture[str]
STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
NAMES = ("mo_swarm", "nr_siege_masters", "sk_berserkers")
DECKS = [STANDARD / f"{name}.deck" for name in NAMES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs `old` and `new` of two players, and `plan` of two experiments."""
    folder = tmp_path_factory.mktemp("runs")
    for name, policy in (("old", "random"), ("new", "sane_random")):
        deckcheck.simulate(DECKS, run=folder / name, games=40, policies=policy)
    plan = folder / "plan.toml"
    decks = json.dumps(list(map(str, DECKS[:2])))
    plan.write_text(
        f"[defaults]\ngames = 10\npolicies = ['random']\n"
        f"[experiments.first]\ndecks = {decks}\n"
        f"[experiments.second]\ndecks = {decks}\nseed = 2\n",
        encoding="utf-8",
    )
    words = ["--plan", str(plan), "--run", str(folder / "plan"), "-q", "-j", "1"]
    page = folder / "at_once.html"
    assert main(["simulate", *words, "--output-format", f"html:{page}"]) == 0
    return folder


def printed(capsys: Captured, *words: str) -> str:
    capsys.readouterr()
    assert main(["report", *words]) == 0
    return capsys.readouterr().out


class TestPlans:
    def test_a_plan_is_reported_experiment_by_experiment(
        self, folder: Path, capsys: Captured
    ) -> None:
        run = str(folder / "plan")
        table = printed(capsys, run)
        document = json.loads(printed(capsys, run, "--output-format", "json"))

        assert table.index("first\n=====") < table.index("second\n======")
        assert [each["name"] for each in document["experiments"]] == ["first", "second"]

    def test_it_has_one_page(self, folder: Path, capsys: Captured) -> None:
        page = printed(capsys, str(folder / "plan"), "--output-format", "html")

        assert page == (folder / "at_once.html").read_text(encoding="utf-8")
        assert "<h1>2 experiments</h1>" in page
        assert page.index(">first: The match<") < page.index(">second: The match<")
        assert '<a href="#part-2-match">second</a>' in page
        assert page.count("<li><a href") == 2

    def test_it_is_one_tidy_table(self, folder: Path) -> None:
        run = reported([folder / "plan"])
        frame = deckcheck.frame(folder / "plan")
        written = frames_of(run.writers, run.what)

        check_columns(frame)
        assert set(frame["experiment"]) == {"first", "second"}
        for read in written:
            check_columns(read)
            assert read.equals(frame.drop(columns="run"))

    def test_two_plans_cannot_be_compared(self, folder: Path, capsys: Captured) -> None:
        words = ["report", "--compare", str(folder / "plan"), str(folder / "old")]

        assert main(words) == 2
        told = capsys.readouterr().err
        assert "holds 2 runs of a plan" in told
        assert str(folder / "plan" / "second") in told

    def test_there_is_no_meta_of_a_plan(self, folder: Path, capsys: Captured) -> None:
        assert main(["meta", str(folder / "plan")]) == 2
        told = capsys.readouterr().err
        assert "holds 2 runs of a plan" in told
        assert str(folder / "plan" / "second") in told


class TestFrames:
    def test_of_several_runs_there_is_one(self, folder: Path) -> None:
        result = deckcheck.resume(folder / "old")
        frame = deckcheck.frame(result, folder / "new", other=deckcheck.meta(result))

        check_columns(frame)
        assert [*dict.fromkeys(frame["run"])] == ["1", str(folder / "new"), "other"]
        own = frame[frame["run"] == "1"].drop(columns="run")
        assert own.equals(result.to_frame())

    @pytest.mark.parametrize("runs", [[], [7], [{}], ["nowhere"]])
    def test_of_anything_else_there_is_none(self, runs: list[object]) -> None:
        with pytest.raises(UsageError):
            deckcheck.frame(*runs)  # type: ignore[arg-type]

    def test_a_run_is_not_in_it_twice(self, folder: Path) -> None:
        with pytest.raises(UsageError, match=r"a run twice\. Give each run a name"):
            deckcheck.frame(folder / "old", folder / "old")


class TestChanges:
    def test_they_are_json(self, folder: Path, capsys: Captured) -> None:
        runs = [str(folder / name) for name in ("old", "new")]
        words = ["--compare", *runs, "--output-format"]
        document = json.loads(printed(capsys, *words, "json"))
        rows = list(csv.DictReader(io.StringIO(printed(capsys, *words, "csv"))))

        jsonschema.Draft202012Validator.check_schema(closed_schema("changes"))
        jsonschema.validate(document, closed_schema("changes"))
        assert document["settings"][0] == "policies is sane_random, not random"
        assert document["answer"].startswith(("No change", "1 of", "2 of", "3 of"))
        differences = [row for row in rows if row["metric"] == "difference"]
        changes = [*document["decks"], *document["changes"]]
        for each, row in zip(changes, differences, strict=True):
            by = each["after"]["win_rate"] - each["before"]["win_rate"]
            assert each["difference"] == pytest.approx(by, abs=1e-5)
            assert float(row["value"]) == each["difference"]
            assert float(row["low"]) == each["interval"][0]

    def test_a_run_did_not_change_from_itself(self, folder: Path) -> None:
        run = folder / "old"
        text = deckcheck.report_of(run, run, output_format="json")
        document = json.loads(text)

        assert {each["difference"] for each in document["changes"]} == {0}
        assert document["settings"] == document["alone"] == []
        assert document["answer"] == (
            "Nothing can have changed: both runs had the same games."
        )
        assert all(each["same_games"] for each in document["changes"])


class TestInPython:
    @pytest.mark.parametrize("name", ["html", "table", "markdown", "csv", "json"])
    def test_a_run_is_reported_as_the_command_does(
        self, folder: Path, capsys: Captured, name: str
    ) -> None:
        run = folder / "old"
        expected = printed(capsys, str(run), "--output-format", name)

        assert deckcheck.report_of(run, output_format=name) == expected

    def test_so_is_a_result(self, folder: Path) -> None:
        result = deckcheck.resume(folder / "old")

        assert deckcheck.report_of(result) == deckcheck.report_of(folder / "old")

    def test_and_what_to_bring(self, folder: Path, capsys: Captured) -> None:
        run = folder / "old"
        found = deckcheck.meta(run, weights={"the swarm": 3, "Berserkers": 1})
        weights = folder / "field.csv"
        weights.write_text("The swarm,3\nBerserkers,1\n", encoding="utf-8")
        words = ["meta", str(run), "--weights", str(weights)]
        capsys.readouterr()
        assert main([*words, "--output-format", "json"]) == 0

        assert json.loads(capsys.readouterr().out) == found.to_dict()
        assert deckcheck.meta(deckcheck.resume(run), weights=weights) == found
        frame = assert_tidy(found, "share", "expected")
        shares = frame[frame["metric"] == "share"]
        assert list(shares["deck"]) == [p.name for p in found.players]
        assert "<h1>What to bring, of 3 decks</h1>" in deckcheck.report_of(found)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["x"], "does not exist"),
            ([7], "report_of"),
            ([{}], "report_of"),
            ([], "Got 0 runs, expected 1"),
            (["a", "b", "c"], "Got 3 runs, expected 2"),
        ],
    )
    def test_misuse(
        self, tmp_path: Path, arguments: list[object], message: str
    ) -> None:
        named = [tmp_path / a if isinstance(a, str) else a for a in arguments]

        with pytest.raises(UsageError, match=message):
            deckcheck.report_of(*named)

    def test_of_weights(self, folder: Path) -> None:
        for weights, message in (
            ({"The swamp": 1}, "No deck of this field is called `The swamp`"),
            ({"The swarm": -1}, "weight of `The swarm` is -1"),
            ({"The swarm": 0}, "expects nobody"),
            ({"The swarm": "3"}, "weight of `The swarm` is '3'"),
        ):
            with pytest.raises(UsageError, match=message):
                deckcheck.meta(folder / "old", weights=weights)  # type: ignore[arg-type]

    def test_of_outputs(self, folder: Path) -> None:
        with pytest.raises(UsageError, match="Unknown output `htm`") as caught:
            deckcheck.report_of(folder / "old", output_format="htm")

        assert caught.value.help == "Did you mean `html`?"
