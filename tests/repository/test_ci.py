"""The jobs of the documentation: they do what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import junitparser
import pytest
import yaml
from helpers.ci import ROOT, Done, environment, load, run, run_action, template

from deckcheck.cli import main

# The jobs for balance in `docs/how-to/ci.md`: they do what the page says.

REPOSITORY = Path(__file__).parents[2]
CI = (REPOSITORY / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
PAGE = CI.partition("## Balance\n")[2]
STANDARD = REPOSITORY / "decks" / "gwent" / "standard"
PLAN = """\
[experiments.duel]
decks = ["nr_siege_masters.deck", "mo_swarm.deck"]
policies = ["random"]
games = 100
expect = ["win_rate(mo_swarm) > 99%"]
"""


def jobs() -> list[Any]:
    """The files of the page that are YAML."""
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in blocks]


def commands(job: Any) -> list[list[str]]:
    """The commands of a job that are ours."""
    lines = [
        *(step.get("run", "") for step in job.get("steps", ())),
        *job.get("script", ()),
    ]
    return [shlex.split(line)[1:] for line in lines if line.startswith("deckcheck ")]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a plan that fails."""
    for name in ("nr_siege_masters", "mo_swarm"):
        shutil.copy(STANDARD / f"{name}.deck", tmp_path)
    (tmp_path / "balance.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("repository")
def test_the_workflow_of_github(capsys: pytest.CaptureFixture[str]) -> None:
    github, _ = jobs()
    [command] = commands(github["jobs"]["balance"])
    assert main([*command, "-q"]) == 1

    assert capsys.readouterr().out.startswith("::error file=balance.toml,line=5,")
    assert junitparser.JUnitXml.fromfile("balance.xml").failures == 1


@pytest.mark.usefixtures("repository")
def test_the_job_of_gitlab() -> None:
    _, gitlab = jobs()
    [command] = commands(gitlab["balance"])
    assert main([*command, "-q"]) == 1

    reports = gitlab["balance"]["artifacts"]["reports"]
    [issue] = json.loads(Path(reports["codequality"]).read_text())
    assert issue["location"] == {
        "path": "balance.toml",
        "lines": {"begin": 5, "end": 5},
    }
    assert junitparser.JUnitXml.fromfile(reports["junit"]).failures == 1


# The judged do not change the judge: pull requests, pinned versions, workflows.

DECK = ROOT / "decks" / "gwent" / "standard" / "nr_siege_masters.deck"
CONFIG = 'default-format = "./league.yaml"\n'
LEAGUE = "title: League\nextends: gwent/standard\nsnapshot: 2025-11\nconstraints:\n"
BAN = "  bans: {rule: banned, cards: [Scorch]}\n"
SYSTEMS = ["ubuntu-24.04", "macos-15", "windows-2025"]
WORKFLOWS = [
    ".github/workflows/tests.yml",
    ".github/workflows/release.yml",
    "examples/tournament/.github/workflows/decks.yml",
    ".github/workflows/docs.yml",
    ".github/workflows/nightly.yml",
]


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def pull_request(tmp_path: Path) -> Path:
    """A checkout of a pull request that lifts a ban in every way there is."""
    main_branch = tmp_path / "origin"
    (main_branch / "lists").mkdir(parents=True)
    (main_branch / "deckcheck.toml").write_text(CONFIG)
    (main_branch / "league.yaml").write_text(LEAGUE + BAN)
    git(main_branch, "init", "--quiet", "--initial-branch=main")
    git(main_branch, "add", "-A")
    git(main_branch, "commit", "--quiet", "-m", "main")
    folder = tmp_path / "checkout"
    git(tmp_path, "clone", "--quiet", str(main_branch), str(folder))
    git(folder, "checkout", "--quiet", "-b", "change")
    (folder / "lists").mkdir()
    text = DECK.read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("Format:")]
    (folder / "lists" / "anna.deck").write_text("\n".join(kept), encoding="utf-8")
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "change")


def lift_the_ban(folder: Path) -> None:
    (folder / "league.yaml").write_text(LEAGUE + BAN.replace("Scorch", "Dandelion"))


def exclude_lists(folder: Path) -> None:
    (folder / "deckcheck.toml").write_text(f'{CONFIG}exclude = ["anna.deck"]\n')
    (folder / "lists" / "good.deck").write_text(
        DECK.read_text(encoding="utf-8").replace("Scorch", "Dandelion")
    )


def lower_a_severity(folder: Path) -> None:
    text = f'{CONFIG}[severity]\nbanned-card = "off"\n'
    (folder / "deckcheck.toml").write_text(text)


def bring_a_configuration(folder: Path) -> None:
    text = 'default-format = "gwent/standard"\n'
    (folder / "lists" / "deckcheck.toml").write_text(text)


def use_another_name(folder: Path) -> None:
    (folder / ".deckcheck.toml").write_text('default-format = "gwent/standard"\n')
    (folder / "deckcheck.toml").unlink()


CHANGES = [lift_the_ban, exclude_lists, lower_a_severity, use_another_name]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_judge_does_not_count(
    change: Any, pull_request: Path, tmp_path: Path
) -> None:
    change(pull_request)
    commit(pull_request)
    own = run_action(pull_request, tmp_path / "bin", paths="lists")
    done = run_action(pull_request, tmp_path / "bin", paths="lists", base="main")

    assert own.returncode != 1
    assert done.returncode == 1
    assert "::error file=lists/anna.deck,line=" in done.stdout
    assert "which is banned" in done.stdout
    [warning] = re.findall("^::warning title=Judged by main::.*", done.stdout, re.M)
    assert "do not count" in warning
    assert git(pull_request, "status", "--porcelain") == ""


def test_without_a_change_nothing_is_said(pull_request: Path, tmp_path: Path) -> None:
    commit(pull_request)
    done = run_action(pull_request, tmp_path / "bin", paths="lists", base="main")

    assert done.returncode == 1
    assert "Judged by" not in done.stdout
    assert "which is banned" in done.stdout


def test_a_deck_of_the_pull_request_is_judged(
    pull_request: Path, tmp_path: Path
) -> None:
    deck = pull_request / "lists" / "anna.deck"
    text = deck.read_text(encoding="utf-8").replace("Scorch", "Thaler")
    deck.write_text(text.replace("Thaler\n", "", 1), encoding="utf-8")
    (pull_request / "notes of ours.md").write_text("x")
    commit(pull_request)
    done = run_action(pull_request, tmp_path / "bin", paths="lists", base="main")

    assert done.returncode == 0, done.stdout
    assert "notes of ours.md differ from main" in done.stdout
    assert (pull_request / "notes of ours.md").read_text() == "x"


def test_a_branch_that_cannot_be_fetched_ends_the_check(
    pull_request: Path, tmp_path: Path
) -> None:
    commit(pull_request)
    done = run_action(pull_request, tmp_path / "bin", paths="lists", base="gone")

    assert done.returncode == 2
    assert "::error title=deckcheck::Branch gone, whose configuration" in done.stdout
    assert (tmp_path / "bin" / "output").read_text() == "exit-code=2\n"


def test_paths_outside_of_the_repository_end_the_check(
    pull_request: Path, tmp_path: Path
) -> None:
    lower_a_severity(pull_request)
    commit(pull_request)
    done = run_action(pull_request, tmp_path / "bin", paths="../origin", base="main")

    assert done.returncode == 2
    assert "name paths inside of the repository" in done.stdout


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--fail-on warning", 1),
        ("--fail-on=warning", 1),
        ("--fail-on\nwarning\n", 1),
        ("--rule 'max specials 0' --fail-on error", 1),
        ("--rule\nmax specials 0", 1),
        ("--exit-zero --rule 'max specials 0'", 0),
        ("--rule 'max specials 0", 2),
        ("", 0),
    ],
)
def test_options_in_a_line(options: str, code: int, tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    lists.mkdir()
    deck = DECK.read_text(encoding="utf-8").replace("Name: ", "")
    text = "\n".join(line for line in deck.splitlines() if line[:1] != "#")
    (lists / "a.deck").write_text(text, encoding="utf-8")
    done = run_action(tmp_path, tmp_path / "bin", paths="lists", options=options)

    assert done.returncode == code, done.stdout + done.stderr


def run_judge(folder: Path, bin: Path) -> Done:
    """Run what the GitLab template does before it checks."""
    [job] = template().values()
    [script] = [line for line in job["before_script"] if "git fetch" in line]
    env = environment(bin, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main")
    return run(["bash", "-e", "-c", script], folder, env)


@pytest.mark.parametrize("change", [lower_a_severity, bring_a_configuration])
def test_the_template_takes_the_configuration_of_the_branch(
    change: Any, pull_request: Path, tmp_path: Path
) -> None:
    change(pull_request)
    commit(pull_request)
    done = run_judge(pull_request, tmp_path / "bin")

    assert done.returncode == 0, done.stderr
    assert "differs from main, whose version counts" in done.stdout
    assert (pull_request / "deckcheck.toml").read_text() == CONFIG
    assert not (pull_request / "lists" / "deckcheck.toml").exists()


@pytest.mark.parametrize("path", WORKFLOWS)
def test_workflows_pin_what_they_use_and_may_do_little(path: str) -> None:
    workflow = load(path)

    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in str(workflow)
    for job in workflow["jobs"].values():
        systems = job.get("strategy", {}).get("matrix", {}).get("system")
        assert job["runs-on"] == ("${{ matrix.system }}" if systems else SYSTEMS[0])
        assert systems in (None, SYSTEMS)
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            used = step.get("uses", "")
            is_ours = used.startswith("deckcheck/deckcheck@v")
            assert not used or is_ours or re.search("@[0-9a-f]{40}$", used), used
    comments = re.findall(r"uses: (\S+)@[0-9a-f]{40}(.*)", (ROOT / path).read_text())
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", version) for _, version in comments)


def test_the_tests_are_those_of_ci_run() -> None:
    jobs = load(WORKFLOWS[0])["jobs"]

    assert jobs["run"]["steps"][-1]["run"] == "bash .ci/run"
    nightly = load(WORKFLOWS[4])["jobs"]["run"]["steps"]
    assert nightly[-1]["run"] == "bash .ci/nightly"


def test_the_tests_run_where_players_are() -> None:
    systems = load(WORKFLOWS[0])["jobs"]["systems"]

    assert systems["strategy"]["matrix"] == {
        "system": SYSTEMS,
        "python": ["3.11", "3.12", "3.13", "3.14"],
    }
    assert systems["steps"][-1]["run"] == 'pytest -q -n 2 -m "not slow"'


def test_publishing_is_trusted_and_apart_from_building() -> None:
    release = load(WORKFLOWS[1])
    publish = release["jobs"]["publish"]

    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "release"
    assert publish["needs"] == "build"
    assert not any("run" in step for step in publish["steps"])
    assert "permissions" not in release["jobs"]["build"]
    assert "password" not in str(release)


def test_the_action_installs_fixed_versions() -> None:
    steps = load("action.yml")["runs"]["steps"]
    pins = (ROOT / "templates" / "constraints.txt").read_text().splitlines()[1:]

    assert re.search("@[0-9a-f]{40}$", steps[0]["uses"])
    assert "--constraint" in steps[1]["run"]
    names = {line.partition("==")[0] for line in pins}
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in pins)
    project = (ROOT / "pyproject.toml").read_text()
    [needed] = re.findall(r"^dependencies = \[(.*?)^\]", project, re.M | re.S)
    wanted = {name.lower() for name in re.findall(r'"([A-Za-z0-9-]+)', needed)}
    assert wanted <= names


def test_nothing_of_ours_installs_the_newest_version() -> None:
    files = [*ROOT.glob("examples/tournament/.*.yml"), *ROOT.glob("templates/*.yml")]
    for file in files:
        for line in file.read_text().splitlines():
            if "pip install" in line:
                assert re.search(r"deckcheck==\d|inputs\.package", line), line


class TestSarifOfMisuse:
    """SARIF is there whenever it was asked for."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a.deck").write_bytes(DECK.read_bytes())

    def notification(self) -> dict[str, Any]:
        log = json.loads(Path("out.sarif").read_text(encoding="utf-8"))
        [found] = log["runs"]
        assert found["results"] == []
        [invocation] = found["invocations"]
        assert invocation["executionSuccessful"] is False
        assert invocation["exitCode"] == 2
        [told] = invocation["toolConfigurationNotifications"]
        assert told["level"] == "error"
        assert isinstance(told, dict)
        return told

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["a.deck", "--format", "gwent/standart"], "Unknown format"),
            (["a.deck", "--bogus"], "No such option `--bogus`"),
            (["gone.deck"], "`gone.deck` does not exist"),
        ],
    )
    @pytest.mark.parametrize(
        "output",
        [
            ["--output-format", "sarif:out.sarif"],
            ["--output-format=sarif:out.sarif"],
            ["--output-format", "sarif", "-o", "out.sarif"],
        ],
    )
    def test_the_error_is_in_it(
        self, words: list[str], message: str, output: list[str]
    ) -> None:
        assert main(["validate", *output, *words]) == 2

        assert message.lower() in self.notification()["message"]["text"].lower()

    def test_a_defect_of_the_configuration_has_its_place(self) -> None:
        Path("deckcheck.toml").write_text('exclud = ["a"]\n')
        words = ["--output-format", "sarif:out.sarif"]
        assert main(["validate", "a.deck", *words]) == 2

        [place] = self.notification()["locations"]
        where = place["physicalLocation"]
        assert where["artifactLocation"]["uri"] == "deckcheck.toml"
        assert where["region"]["startLine"] == 1

    def test_it_replaces_a_log_and_nothing_else(self) -> None:
        words = ["validate", "--bogus", "--output-format"]
        Path("out.sarif").write_text("mine\n")
        main([*words, "sarif:out.sarif"])
        assert Path("out.sarif").read_text() == "mine\n"
        main([*words, "sarif:a.deck"])
        assert Path("a.deck").read_bytes() == DECK.read_bytes()

        Path("out.sarif").unlink()
        main(["validate", "a.deck", "--output-format", "sarif:out.sarif"])
        main([*words, "sarif:out.sarif"])
        assert "--bogus" in self.notification()["message"]["text"]

    def test_an_event_and_standard_output(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["event", "gone.toml", "--output-format", "sarif"]) == 2

        log = json.loads(capsys.readouterr().out)
        assert log["runs"][0]["invocations"][0]["exitCode"] == 2
        assert main(["validate", "gone.deck"]) == 2
        assert capsys.readouterr().out == ""


def test_the_workflow_of_the_example_takes_the_event_of_the_branch(
    pull_request: Path, tmp_path: Path
) -> None:
    text = (ROOT / WORKFLOWS[2]).read_text()
    steps = yaml.safe_load(text)["jobs"]["decks"]["steps"]
    [step] = [each for each in steps if "FETCH_HEAD" in each.get("run", "")]
    origin = tmp_path / "origin"
    (origin / "event.toml").write_text("one\n")
    git(origin, "add", "-A")
    git(origin, "commit", "--quiet", "-m", "event")
    (pull_request / "event.toml").write_text("another\n")
    commit(pull_request)
    env = {**os.environ, "GITHUB_BASE_REF": "main"}
    done = run(["bash", "-e", "-c", step["run"]], pull_request, env)

    assert done.returncode == 0, done.stderr
    assert "::warning file=event.toml::" in done.stdout
    assert (pull_request / "event.toml").read_text() == "one\n"
