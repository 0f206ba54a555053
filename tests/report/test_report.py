"""Reports of runs, tables and fields of decks."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import assert_tidy, check_columns, frames_of
from helpers.results import SIEGE, STANDARD, SWARM, deck, result_of

import deckcheck
from deckcheck.cli import main
from deckcheck.findings import UsageError
from deckcheck.studies.field import make_result_field
from deckcheck.studies.registry import read_reported

# Fields of decks, from results of simulations.


def test_decks_that_have_not_met_are_named() -> None:
    result = result_of(deck("Siege"), deck("Swarm"), deck("Spies"))
    with pytest.raises(UsageError, match="`Siege` and `Spies` have not met"):
        make_result_field(replace(result, tables=(result.tables[0], result.tables[2])))
    with pytest.raises(UsageError, match="no decks that met"):
        make_result_field(replace(result, tables=()))


# Reports of runs and of plans, and of what changed, as commands and in Python.

Captured = pytest.CaptureFixture[str]
DECKS = [SWARM, SIEGE, STANDARD / "sk_berserkers.deck"]


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


class TestPlans:
    def test_it_has_one_page(self, folder: Path, capsys: Captured) -> None:
        capsys.readouterr()
        words = ["report", str(folder / "plan"), "--output-format", "html"]
        page = stdout_of(capsys, *words)

        assert page == (folder / "at_once.html").read_text(encoding="utf-8")
        assert "<h1>2 experiments</h1>" in page
        assert page.index(">first: The match<") < page.index(">second: The match<")
        assert '<a href="#part-2-match">second</a>' in page
        assert page.count("<li><a href") == 2

    def test_it_is_one_tidy_table(self, folder: Path) -> None:
        run = read_reported([folder / "plan"], None)
        frame = deckcheck.frame(folder / "plan")
        written = frames_of(run.writers, run.what)

        check_columns(frame)
        assert set(frame["experiment"]) == {"first", "second"}
        for read in written:
            check_columns(read)
            assert read.equals(frame.drop(columns="run"))

    def test_two_plans_cannot_be_compared(self, folder: Path, capsys: Captured) -> None:
        plan = str(folder / "plan")
        for words in (
            ["report", "--compare", plan, str(folder / "old")],
            ["meta", plan],
        ):
            told = stderr_of(capsys, *words)
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
    def test_a_run_did_not_change_from_itself(self, folder: Path) -> None:
        run = folder / "old"
        text = deckcheck.report_of(run, run, output_format="json")
        document = json.loads(text)

        assert {each["difference"] for each in document["changes"]} == {0}
        assert document["settings"] == document["alone"] == []
        assert document["answer"] == (
            "Both runs played the same games, with the same results."
        )
        assert all(each["same_games"] for each in document["changes"])


class TestInPython:
    def test_a_run_is_reported_as_the_command_does(
        self, folder: Path, capsys: Captured
    ) -> None:
        """And so is a result."""
        run, place = folder / "old", folder / "reported"
        names = ("html", "table", "markdown", "csv", "json")
        files = [f"--output-format={name}:{place}.{name}" for name in names]
        assert main(["report", str(run), "--full", *files]) == 0
        result = deckcheck.resume(run)

        for name, of in zip(names, (run, result, run, result, run), strict=True):
            written = place.with_suffix(f".{name}").read_text(encoding="utf-8")
            assert deckcheck.report_of(of, output_format=name, full=True) == written
        with pytest.raises(UsageError, match=r"Unknown output `htm`.*`html`"):
            deckcheck.report_of(run, output_format="htm")

    def test_and_what_to_bring(self, folder: Path, capsys: Captured) -> None:
        run = folder / "old"
        found = deckcheck.meta(run, weights={"the swarm": 3, "Berserkers": 1})
        weights = folder / "field.csv"
        weights.write_text("The swarm,3\nBerserkers,1\n", encoding="utf-8")
        words = ["meta", str(run), "--weights", str(weights), "--output-format", "json"]

        assert json.loads(stdout_of(capsys, *words)) == found.to_dict()
        assert deckcheck.meta(deckcheck.resume(run), weights=weights) == found
        frame = assert_tidy(found, "share", "expected")
        shares = frame[frame["metric"] == "share"]
        assert list(shares["deck"]) == [p.name for p in found.players]
        assert "<h1>What to bring, of 3 decks</h1>" in deckcheck.report_of(found)

    def test_misuse(self, tmp_path: Path) -> None:
        for arguments, message in (
            (["x"], "does not exist"),
            ([7], "report_of"),
            ([{}], "report_of"),
            ([], "Got 0 runs, expected 1"),
            (["a", "b", "c"], "Got 3 runs, expected 2"),
        ):
            named = [tmp_path / a if isinstance(a, str) else a for a in arguments]

            with pytest.raises(UsageError, match=message):
                deckcheck.report_of(*named)
