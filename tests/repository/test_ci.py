"""The jobs of the documentation: they do what the page says."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import junitparser
import pytest
import yaml
from helpers.ci import (
    ROOT,
    Done,
    environment,
    load,
    run,
    run_action,
    run_template,
    template,
)
from helpers.commands import stdout_of

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
games = 40
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
def test_the_workflow_of_github_and_the_job_of_gitlab(
    capsys: pytest.CaptureFixture[str],
) -> None:
    github, gitlab = jobs()
    [command] = commands(github["jobs"]["balance"])
    said = stdout_of(capsys, *command, "-q", code=1)
    assert said.startswith("::error file=balance.toml,line=5,")
    assert junitparser.JUnitXml.fromfile("balance.xml").failures == 1

    [command] = commands(gitlab["balance"])
    assert main([*command, "-q"]) == 1
    reports = gitlab["balance"]["artifacts"]["reports"]
    [issue] = json.loads(Path(reports["codequality"]).read_text())
    lines = {"begin": 5, "end": 5}
    assert issue["location"] == {"path": "balance.toml", "lines": lines}
    assert junitparser.JUnitXml.fromfile(reports["junit"]).failures == 1


# Judged by the branch a change goes to: pull requests and merge requests.

DECK = ROOT / "decks" / "gwent" / "standard" / "nr_siege_masters.deck"
SYSTEMS = ["ubuntu-24.04", "macos-15", "windows-2025"]
WORKFLOWS = [
    ".github/workflows/tests.yml",
    ".github/workflows/release.yml",
    "examples/tournament/.github/workflows/decks.yml",
    ".github/workflows/docs.yml",
    ".github/workflows/nightly.yml",
]
LEAGUE, COMMON = "lists/rules/zimní liga.yaml", "lists/rules/common.yaml"
BASE, SET, EVENT = "ci/base.toml", "lists/rules/set.yaml", "event.toml"
OPEN = "title: League\nextends: gwent/standard\nsnapshot: 2025-11\n"
CARD = "- id: maid\n  name: Maid\n  faction: neutral\n  kind: hero\n  rows: [close]\n"
CARD += "  copies: 1\n  strength: "
# The judge lies among the lists, and each part of it names the next.
JUDGE = {
    "deckcheck.toml": f'extend = "{BASE}"\nexclude = ["db/gwent"]\n',
    BASE: f'default-format = "../{LEAGUE}"\ncard-db = "../db"\n',
    LEAGUE: "title: Cup\nextends: ./common.yaml\nsets: [set.yaml]\n",
    COMMON: f"{OPEN}constraints:\n  bans: {{rule: banned, cards: [Scorch]}}\n",
    SET: f"{CARD}1\n",
    EVENT: f'name = "Cup"\ndate = "2025-12-06"\nformat = "./{LEAGUE}"\n'
    'lists = "lists/players"\nplayers = ["Anna"]\n',
}
ANNA = "lists/players/anna.deck"
BANNED = "which is banned"


def git(folder: Path, *words: str) -> str:
    own = ("user.name=a", "user.email=a@b", "commit.gpgsign=false")
    own += ("protocol.file.allow=always",)
    settings = [word for setting in own for word in ("-c", setting)]
    return subprocess.run(
        ["git", *settings, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "change")


def legal() -> str:
    """A deck without a format, and without a banned card."""
    lines = DECK.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(x for x in lines if not x.startswith(("Format:", "Scorch")))


def illegal() -> str:
    return f"{legal()}Scorch\n"


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a league, and a checkout of a branch that goes to its main."""
    folder = tmp_path_factory.mktemp("league")
    origin, unused = folder / "origin", shutil.ignore_patterns("fields", "names")
    for name, text in {**JUDGE, ANNA: legal()}.items():
        write(origin, name, text)
    shutil.copytree(ROOT / "card_db" / "gwent", origin / "db" / "gwent", ignore=unused)
    git(origin, "init", "--quiet", "--initial-branch=main")
    commit(origin)
    git(folder, "clone", "--quiet", str(origin), "checkout")
    return folder


@pytest.fixture
def origin(repositories: Path, tmp_path: Path) -> Path:
    """The repository, at its main branch."""
    return shutil.copytree(repositories / "origin", tmp_path / "origin")


@pytest.fixture
def pull_request(repositories: Path, origin: Path, tmp_path: Path) -> Path:
    """The checkout."""
    folder = shutil.copytree(repositories / "checkout", tmp_path / "checkout")
    git(folder, "remote", "set-url", "origin", str(origin))
    git(folder, "checkout", "--quiet", "-b", "change")
    return folder


def on_github(
    folder: Path, paths: str = "lists", base: str = "main", event: str = ""
) -> Done:
    """What the action says, its exit code being the one that the next step learns."""
    bin = folder.parent / "bin"
    bin.joinpath("output").unlink(missing_ok=True)
    done = run_action(folder, bin, paths=paths, event=event, base=base)
    assert (bin / "output").read_text() == f"exit-code={done.returncode}\n"
    return done


def on_gitlab(
    folder: Path, paths: str = "lists", base: str = "main", event: str = ""
) -> Done:
    """What the job of the template says."""
    return run_template(folder, folder.parent / "bin", base, paths=paths, event=event)


# Both ask the same command: the template of GitLab is mostly tried in the night.
SLOW = pytest.mark.slow
BOTH = pytest.mark.parametrize(
    "judged", [on_github, pytest.param(on_gitlab, marks=SLOW)]
)
Judged = Callable[..., Done]


FREE = "db/gwent/formats/free.yaml"
OTHER = "lists/rules/other.yaml"
CHANGES: dict[str, dict[str, str | None]] = {
    "lift the ban": {LEAGUE: OPEN},
    "lift it in what is extended": {COMMON: OPEN},
    "rename the format": {LEAGUE: None, OTHER: JUDGE[LEAGUE]},
    "bring cards": {SET: f"{CARD}15\n"},
    "bring a format": {
        FREE: "title: Free\nextends: standard\n",
        ANNA: f"Format: gwent/free\n{illegal()}",
    },
    "exclude lists": {
        "deckcheck.toml": JUDGE["deckcheck.toml"].replace("db/gwent", "anna.deck"),
        "lists/good.deck": legal(),
    },
    "lower a severity": {BASE: f'{JUDGE[BASE]}[severity]\nbanned-card = "off"\n'},
    "use another name": {
        ".deckcheck.toml": 'default-format = "gwent/standard"\n',
        "deckcheck.toml": None,
    },
    "change the event": {EVENT: JUDGE[EVENT].replace(f"./{LEAGUE}", "gwent/standard")},
    "make the format a folder": {LEAGUE: None, f"{LEAGUE}/other.deck": legal()},
    "make the format a link": {LEAGUE: f"-> ../../{OTHER}", OTHER: OPEN},
}
"""Files with another text, none or a link; each alone would lift the ban."""


def change(folder: Path, name: str) -> str:
    """Change the files of a checkout, and return the first of them."""
    for file, text in CHANGES[name].items():
        (folder / file).unlink(missing_ok=True)
        if text is not None and text.startswith("-> "):
            (folder / file).symlink_to(text.removeprefix("-> "))
        elif text is not None:
            write(folder, file, text)
    return next(iter(CHANGES[name]))


# Of several at once none may count.
TOGETHER = (
    (
        *("lift the ban", "bring cards", "lower a severity"),
        *("lift it in what is extended", "exclude lists", "change the event"),
    ),
    ("rename the format", "use another name"),
    ("bring a format",),
)


@pytest.mark.parametrize(
    ("changes", "judged", "paths"),
    [
        *((changes, on_github, ".") for changes in TOGETHER),
        *(
            pytest.param((name,), judged, paths, marks=SLOW)
            for judged, paths in ((on_github, "."), (on_gitlab, "lists"))
            for name in CHANGES
        ),
    ],
)
def test_a_change_of_the_judge_does_not_count_and_is_said(
    changes: Sequence[str], paths: str, judged: Judged, pull_request: Path
) -> None:
    write(pull_request, ANNA, illegal())
    names = [change(pull_request, name) for name in changes]
    commit(pull_request)
    event = EVENT if "change the event" in changes else ""
    done = judged(pull_request, paths, event=event)

    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert ("Unknown format" if "bring a format" in changes else BANNED) in said
    assert ANNA in said
    lines = [line for line in said.splitlines() if "does not count" in line]
    assert all(f"`{name}`" in "".join(lines) for name in names)
    assert "set.yaml:" not in said
    assert len(git(pull_request, "worktree", "list").splitlines()) == 1


@pytest.mark.parametrize(("judged", "paths"), [(on_github, "."), (on_gitlab, "lists")])
def test_a_legal_list_is_all_that_a_player_needs(
    paths: str, judged: Judged, pull_request: Path
) -> None:
    write(pull_request, ANNA, legal().replace("Name: ", "Name: New "))
    write(pull_request, "notes of ours.md", "x")
    commit(pull_request)
    done = judged(pull_request, paths, event=EVENT)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Cup: 1 player, 1 list, 1 legal" in done.stdout
    assert "does not count" not in done.stdout + done.stderr
    assert "1 deck checked, 1 legal" in done.stdout
    assert git(pull_request, "status", "--porcelain").replace("??", "").split() == (
        [] if judged is on_github else sorted(REPORTS)
    )


REPORTS = ["deckcheck.xml", "gl-code-quality-report.json", "players.xml"]


@BOTH
def test_a_branch_that_is_gone_and_paths_outside_end_the_check(
    judged: Judged, pull_request: Path
) -> None:
    write(pull_request, ANNA, legal().replace("Name: ", "Name: New "))
    commit(pull_request)
    gone, outside = judged(pull_request, base="gone"), judged(pull_request, "../origin")

    assert (gone.returncode, outside.returncode) == (2, 2)
    assert "whose configuration counts, cannot be" in gone.stdout
    assert "Name paths inside the checkout" in outside.stderr


# Nothing of a pull request runs.

MODULES = ["pip/__main__.py", "deckcheck/__main__.py", "yaml.py", "typing.py", "git"]


@pytest.mark.parametrize(
    ("judged", "is_hostile"),
    [
        (on_github, True),
        pytest.param(on_github, False, marks=SLOW),
        pytest.param(on_gitlab, True, marks=SLOW),
    ],
)
def test_no_module_of_a_pull_request_runs(
    judged: Judged, is_hostile: bool, pull_request: Path, tmp_path: Path
) -> None:
    text = "open('hacked', 'w')\n"
    for name in MODULES if is_hostile else ["notes/typing.md"]:
        write(pull_request, name, text)
    commit(pull_request)
    env = {
        **environment(tmp_path / "bin", PIP_NO_INDEX="1"),
        "GITHUB_ACTION_PATH": "/nowhere",
        "RUNNER_TEMP": str(tmp_path),
    }
    if judged is on_github:
        step = load("action.yml")["runs"]["steps"][1]
        folder = step["working-directory"].replace("${{ runner.temp }}", str(tmp_path))
        words, place = step["run"], Path(folder)
    else:
        [job] = template().values()
        words, place = job["before_script"][0], pull_request
    installed = run(["bash", "-e", "-c", words], place, env)
    done = judged(pull_request)

    assert "ERROR: " in installed.stderr  # of the real pip, which finds nothing here
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [*tmp_path.rglob("hacked"), *Path().glob("hacked")]


# Names of files are no commands.

NAMES = ["-a b", "zimní\\tä", "::stop-commands::x", "docs\\n::stop-commands::x", " ::x"]


@BOTH
def test_a_list_may_have_any_name_and_it_commands_nothing(
    judged: Judged, pull_request: Path
) -> None:
    paths = [f"{folder}{name}.deck" for name in NAMES for folder in ("", "lists/")]
    for path in paths:
        write(pull_request, path, illegal())
    commit(pull_request)
    bad = judged(pull_request, ".")
    git(pull_request, "clean", "--quiet", "--force")
    for path in paths:
        write(pull_request, path, legal())
    good = judged(pull_request, ".")

    assert (bad.returncode, good.returncode) == (1, 0), bad.stderr + good.stderr
    assert bad.stdout.count(BANNED) == len(paths)
    for line in (bad.stdout + bad.stderr + good.stdout + good.stderr).splitlines():
        assert not line.lstrip().startswith(("::stop", "::x"))


def test_concise_begins_no_line_with_a_command(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["::stop-commands::x", " ::x", "-a"]
    for name in names:
        write(here, f"{name}.deck", illegal())
    words = ["-q", "--format", "gwent/standard", "--rule", "ban Scorch"]
    assert main(["validate", ".", "--output-format", "concise", *words]) == 1
    lines = stdout_of(capsys, "validate", ".", "--show-files").splitlines()
    assert len(lines) >= 2 * len(names)
    assert all(line.startswith("./") for line in lines)


# A list cannot excuse itself.


@BOTH
def test_a_list_cannot_excuse_itself_and_the_branch_can(
    judged: Judged, origin: Path, pull_request: Path
) -> None:
    write(pull_request, ANNA, f"# deckcheck: ignore[banned-card]\n{illegal()}")
    commit(pull_request)
    done = judged(pull_request, event=EVENT)
    assert done.returncode == 1
    assert done.stdout.count(BANNED) == 2

    change(origin, "lower a severity")
    change(origin, "change the event")
    commit(origin)
    assert judged(pull_request, event=EVENT).returncode == 0


# Links, folders, submodules and shallow clones.


@BOTH
@pytest.mark.parametrize("is_folder", [True, pytest.param(False, marks=SLOW)])
def test_a_link_is_no_list_nor_what_lies_behind_one(
    is_folder: bool, judged: Judged, pull_request: Path
) -> None:
    if is_folder:
        (pull_request / "lists").rename(pull_request / "others")
        (pull_request / "lists").symlink_to("others")
    else:
        (pull_request / ANNA).unlink()
        (pull_request / ANNA).symlink_to("../../.git/config")
    commit(pull_request)
    done = judged(pull_request)

    assert done.returncode == 1
    link = "it is a link, or in a linked folder" if is_folder else "it is a link"
    assert link in done.stdout
    assert "[remote" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "target", ["../outside", pytest.param("deckcheck.toml", marks=SLOW)]
)
def test_a_report_never_goes_through_a_link(target: str, pull_request: Path) -> None:
    (pull_request / REPORTS[0]).symlink_to(target)
    commit(pull_request)
    done = on_gitlab(pull_request)

    assert done.returncode == 2
    assert f"`{REPORTS[0]}` is a link in the checkout" in done.stderr
    assert not (pull_request.parent / "outside").exists()
    assert (pull_request / "deckcheck.toml").read_text() == JUDGE["deckcheck.toml"]


@BOTH
def test_a_submodule_is_neither_judge_nor_list(
    judged: Judged, origin: Path, pull_request: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write(other, "league.yaml", OPEN)
    git(other, "init", "--quiet")
    commit(other)
    git(pull_request, "submodule", "--quiet", "add", str(other), "lists/more")
    commit(pull_request)
    assert judged(pull_request).returncode == 0

    git(origin, "submodule", "--quiet", "add", str(other), "rules")
    write(origin, BASE, 'default-format = "../rules/league.yaml"\n')
    commit(origin)
    done = judged(pull_request)
    assert done.returncode == 2
    assert "rules/league.yaml` does not exist" in done.stderr


@BOTH
@pytest.mark.parametrize("is_shallow", [True, pytest.param(False, marks=SLOW)])
def test_a_clone_stays_as_deep_as_it_is(
    is_shallow: bool, judged: Judged, origin: Path, pull_request: Path
) -> None:
    write(origin, "notes.md", "x")
    commit(origin)
    if is_shallow:
        words = ["clone", "--quiet", "--depth=1", origin.as_uri()]
        git(origin.parent, *words, str(pull_request := origin.parent / "shallow"))
    write(pull_request, ANNA, illegal())
    commit(pull_request)
    change(pull_request, "lift the ban")
    done = judged(pull_request)

    assert done.returncode == 1
    assert BANNED in done.stdout
    shown = git(pull_request, "rev-parse", "--is-shallow-repository")
    assert shown == f"{is_shallow}\n".lower()


def test_options_in_a_line(tmp_path: Path) -> None:
    deck = DECK.read_text(encoding="utf-8").replace("Name: ", "")
    write(tmp_path, "lists/a.deck", re.sub("^#.*\n", "", deck, flags=re.MULTILINE))
    for options, code in (
        ("--rule\nmax specials 0", 1),
        ("--exit-zero --rule 'max specials 0'", 0),
        ("--rule 'max specials 0", 2),
    ):
        done = run_action(tmp_path, tmp_path / "bin", paths="lists", options=options)
        assert done.returncode == code, done.stdout + done.stderr


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


# SARIF is there whenever it was asked for.


@pytest.fixture
def misused(here: Path) -> Callable[..., dict[str, Any]]:
    """Run `validate` wrongly on a deck, and return the notification in its SARIF."""
    write(here, "a.deck", DECK.read_text("utf-8"))

    def run_wrongly(*words: str) -> dict[str, Any]:
        assert main(["validate", *words]) == 2
        [found] = json.loads(Path("out.sarif").read_text("utf-8"))["runs"]
        [invocation] = found["invocations"]
        [told] = invocation["toolConfigurationNotifications"]
        assert found["results"] == []
        assert invocation["executionSuccessful"] is False
        assert (invocation["exitCode"], told["level"]) == (2, "error")
        assert isinstance(told, dict)
        return told

    return run_wrongly


Misused = Callable[..., dict[str, Any]]


def test_a_usage_error_is_in_sarif(misused: Misused) -> None:
    output = "--output-format sarif:out.sarif"
    for words, message in (
        (f"{output} a.deck --format gwent/standart", "unknown format"),
        (f"{output.replace(' ', '=')} a.deck --bogus", "no such option `--b"),
        ("--output-format sarif -o out.sarif gone.deck", "`gone.deck` does not"),
    ):
        assert message in misused(*words.split())["message"]["text"].lower(), words

    Path("deckcheck.toml").write_text('exclud = ["a"]\n')
    [place] = misused("a.deck", *output.split())["locations"]
    where = place["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "deckcheck.toml"
    assert where["region"]["startLine"] == 1


def test_sarif_of_misuse_replaces_a_log_and_nothing_else(misused: Misused) -> None:
    words = ["validate", "--bogus", "--output-format"]
    Path("out.sarif").write_text("mine\n")
    main([*words, "sarif:out.sarif"])
    assert Path("out.sarif").read_text() == "mine\n"
    main([*words, "sarif:a.deck"])
    assert Path("a.deck").read_bytes() == DECK.read_bytes()

    Path("out.sarif").unlink()
    main(["validate", "a.deck", "--output-format", "sarif:out.sarif"])
    told = misused("--bogus", "--output-format", "sarif:out.sarif")
    assert "--bogus" in told["message"]["text"]
    if hasattr(os, "mkfifo"):  # a pipe is left alone
        os.mkfifo("pipe.sarif")
        with open(os.open("pipe.sarif", os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
            main([*words, "sarif:pipe.sarif"])
            assert not pipe.read()
