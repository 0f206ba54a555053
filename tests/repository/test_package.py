"""The package, its hooks, its releases and its tests."""

import errno
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from enum import EnumType
from importlib import import_module
from pathlib import Path

import junitparser
import pytest
from helpers.ci import ROOT, load, run_action, run_hook, run_template, template
from packaging.version import Version

from deckcheck import __version__
from deckcheck.cli.commands import COMMANDS
from deckcheck.engine import cache

# The hooks, the action and the template: what they say, and that it runs.

BAD = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n\n3 Balista\n"
HOOKS = load(".pre-commit-hooks.yaml")
SAMPLES = ROOT / "decks" / "gwent" / "standard"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with one legal and one broken deck, apart from each other."""
    repository = tmp_path / "repository"
    for name in ("good", "bad decks"):
        (repository / name).mkdir(parents=True)
    shutil.copy(SAMPLES / "mo_swarm.deck", repository / "good" / "swarm.deck")
    (repository / "bad decks" / "mine.deck").write_text(BAD)
    return repository


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    return tmp_path / "bin"


class TestHooks:
    """`.pre-commit-hooks.yaml`."""

    @pytest.mark.parametrize("hook", HOOKS, ids=["check", "format"])
    def test_pre_commit_gives_it_lists_alone(self, hook: dict[str, str]) -> None:
        program, command, *_ = shlex.split(hook["entry"])
        beside = "README.md README lists/readme.txt notes.md lists/.x.deck"
        taken = "lists/readme_player.deck anna.deck b.yaml zimní.txt c"

        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert (hook["language"], hook["require_serial"]) == ("python", True)
        assert program == "deckcheck"
        assert command in {each.name for each in COMMANDS}
        assert re.search(hook["files"], "lists/a.deck")
        assert not re.search(hook["files"], "lists/a.deck.bak")
        for name in (*beside.split(), *taken.split()):
            is_left_out = bool(re.search(hook["exclude"], name))
            assert is_left_out == (name in beside.split()), name

    def test_formats(self, folder: Path, bin: Path) -> None:
        (folder / "bad decks" / "mine.deck").unlink()
        deck = folder / "good" / "swarm.deck"
        canonical = run_hook("deckcheck-fmt", folder, bin)
        text = deck.read_text(encoding="utf-8")
        deck.write_text(text.replace("\n", "   \n"), encoding="utf-8")
        again = run_hook("deckcheck-fmt", folder, bin)

        assert (canonical.returncode, again.returncode) == (0, 0)
        assert deck.read_text(encoding="utf-8") == text


class TestAction:
    """`action.yml` and its script."""

    def test_every_input_is_used_and_none_is_read_as_a_command(self) -> None:
        action = load("action.yml")
        used = str(action["runs"])

        assert action["runs"]["using"] == "composite"
        for name, each in action["inputs"].items():
            assert f"inputs.{name} " in used
            assert isinstance(each["default"], str)
        for step in action["runs"]["steps"]:
            assert "${{" not in step.get("run", "")
            assert "uses" in step or step["shell"] == "bash"

    def test_the_script_has_the_variables_it_reads(self) -> None:
        step = load("action.yml")["runs"]["steps"][-1]
        script = (ROOT / "action.sh").read_text()

        read = set(re.findall(r"\$\{?(INPUT_\w+)", script))
        assert read == set(step["env"])

    def test_legal_decks_pass(self, folder: Path, bin: Path) -> None:
        options = "--exit-zero\r\n--rule\nmax specials 0\n"
        inputs = {"paths": "good", "format": "gwent/advanced", "options": options}
        done = run_action(folder, bin, **inputs)

        assert done.returncode == 0
        assert "at most 0 allowed" in done.stdout
        assert (bin / "output").read_text() == "exit-code=0\n"
        summary = (bin / "summary.md").read_text()
        assert "| The swarm | `good/swarm.deck` |" in summary

    def test_names_are_no_commands(self, folder: Path, bin: Path) -> None:
        paths = 'none"; touch hacked; $(touch hacked)'
        done = run_action(folder, bin, paths=paths)

        assert done.returncode == 2
        assert "does not exist" in done.stderr
        assert (bin / "output").read_text() == "exit-code=2\n"
        assert not (folder / "hacked").exists()


class TestTemplate:
    """`templates/deckcheck.yml`."""

    def test_a_finding_fails_and_is_in_both_reports(
        self, folder: Path, bin: Path
    ) -> None:
        done = run_template(folder, bin, paths='good "bad decks"')
        [job] = template().values()
        reports = job["artifacts"]["reports"]

        assert done.returncode == 1
        assert "--> bad decks/mine.deck:4:3" in done.stdout
        assert job["artifacts"]["when"] == "always"
        issues = json.loads((folder / reports["codequality"]).read_text())
        assert issues[0]["location"]["path"] == "bad decks/mine.deck"
        [suite] = junitparser.JUnitXml.fromfile(str(folder / reports["junit"][0]))
        assert (suite.tests, suite.failures) == (2, 1)

    def test_every_input_is_used(self) -> None:
        text = (ROOT / "templates" / "deckcheck.yml").read_text()
        head, jobs = text.split("\n---\n")

        known = re.findall(r"^    (\w+):$", head, re.MULTILINE)
        assert sorted(known) == sorted(set(re.findall(r"inputs\.(\w+)", jobs)))


# The image of a container: what its file says, and whether its parts would work.

LINES = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()


def test_begins_warm_and_runs_as_a_user_of_its_own() -> None:
    words = [line.split()[0] for line in LINES if re.match("[A-Z]", line)]
    warm = LINES.index("RUN deckcheck warmup")

    assert words[0] == "FROM"
    assert LINES.index("USER player") < warm
    assert LINES[-1] == 'ENTRYPOINT ["deckcheck"]'
    assert not any(line.startswith(("USER root", "ADD", "VOLUME")) for line in LINES)
    assert "ENV NUMBA_CACHE_DIR=/var/cache/deckcheck" in "\n".join(LINES[:warm])


@pytest.mark.parametrize("is_warm", [False, True])
def test_a_read_only_root_uses_what_is_compiled_there(
    tmp_path: Path, is_warm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that: with nothing in it the folder is of no use."""
    folder = tmp_path / f"engine-{cache.source_hash()}"
    folder.mkdir(mode=0o700)
    if is_warm:
        (folder / "warm-gwent").touch()

    def no_file(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    def no_folder() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "TemporaryFile", no_file)
    monkeypatch.setattr(tempfile, "gettempdir", no_folder)
    chosen, faults = cache.choose_cache_folder()

    assert chosen == (folder if is_warm else None)
    assert ("cannot be written: read-only file system" in faults) == (not is_warm)


# The package as it is built: every folder is a package, every module in the wheel.

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "deckcheck"


def test_every_folder_is_a_package() -> None:
    """A folder without it works from a checkout, and its types are not checked."""
    folders = {file.parent for file in PACKAGE.rglob("*.py")}

    assert [each for each in folders if not (each / "__init__.py").is_file()] == []


def modules() -> set[str]:
    files = PACKAGE.rglob("*.py")
    return {file.relative_to(REPOSITORY).as_posix() for file in files}


def test_no_enumeration_has_two_names_for_a_value() -> None:
    """The second would be an alias, such as a way to redraw that means another."""
    for name in sorted(modules()):
        module = import_module(name.removesuffix(".py").replace("/", "."))
        for each in vars(module).values():
            if isinstance(each, EnumType):
                assert len(each) == len(each.__members__), each


def test_git_ignores_no_module() -> None:
    """What git ignores is in no clone; hatchling leaves it out of the wheel, too."""
    answer = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        check=False,
        cwd=REPOSITORY,
        input="\n".join(sorted(modules())),
        capture_output=True,
        text=True,
    )

    assert (answer.returncode, answer.stdout) == (1, "")


@pytest.mark.slow
def test_the_wheel_holds_every_module(tmp_path: Path) -> None:
    build = [*("pip", "wheel", "--quiet", "--no-deps"), "--wheel-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", *build, str(REPOSITORY)], check=True)

    (wheel,) = tmp_path.glob("*.whl")
    assert modules() - set(zipfile.ZipFile(wheel).namelist()) == set()


# What must agree at a release: version, changelog, and the pages that pin it.

PINNED = re.compile(r"(?:@v|rev: v|ref: v|deckcheck==)(\d+\.\d+\.\d+)")
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
RELEASE = r"(\d+\.\d+\.\d+)(?:: first release| - \d{4}-\d{2}-\d{2})"


def list_sections() -> list[str]:
    """List the headings of the changelog, the newest first."""
    return SECTION.findall((REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"))


class TestVersion:
    def test_changelog_begins_with_the_version_of_the_package(self) -> None:
        newest, *older = list_sections()
        version = Version(__version__).base_version

        assert newest == "Unreleased" or newest.startswith(version)
        assert ".dev" in __version__ or newest != "Unreleased"
        assert all(re.fullmatch(RELEASE, heading) for heading in older)

    @pytest.mark.parametrize(
        "page",
        [
            "docs/how-to/ci.md",
            "examples/tournament/.github/workflows/decks.yml",
            "examples/tournament/.gitlab-ci.yml",
            "examples/tournament/.pre-commit-config.yaml",
            "templates/deckcheck.yml",
        ],
    )
    def test_pages_to_copy_pin_the_last_release(self, page: str) -> None:
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        releases = [re.match(RELEASE, heading) for heading in list_sections()]
        newest = next(release[1] for release in releases if release)

        assert set(PINNED.findall(text)) == {newest}


# How tests are kept: each module can be read, run and moved alone.

FOLDER = Path(__file__).parents[1]
# In programs that tests run, too.
IMPORT = re.compile(r"^\s*(?:from|import) +(?:\w+\.)*(test_\w+)\b", re.MULTILINE)
# A clock that is called, or imported to be called by another name.
CLOCK_VARIABLE = re.compile(
    r"\b(?:perf_counter|monotonic|process_time|thread_time|time)(?:_ns)?(?:\(| as )"
)


def test_modules_of_tests_need_no_other_and_no_clock() -> None:
    """A busy machine is no defect: what takes long is counted, or waited for.

    Files called `test_linear.py` compare CPU times of one text at two lengths.
    """
    for module in sorted(FOLDER.rglob("*.py")):
        text = module.read_text(encoding="utf-8")
        assert IMPORT.findall(text) == [], module
        if module.name != "test_linear.py":
            assert CLOCK_VARIABLE.findall(text) == [], module


def test_a_clock_is_seen() -> None:
    for line, clock in (
        ("elapsed = time.{}() - start", "perf_counter"),
        ("assert {}() - start < 1", "monotonic"),
        ("start = time.{}()", "time"),
        ("from time import {} as clock", "process_time_ns"),
    ):
        assert CLOCK_VARIABLE.search(line.format(clock)), line
