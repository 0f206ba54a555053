"""The hooks, the action and the template: what they say, and that it runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import junitparser
import pytest
from ci_runs import ROOT, load, run_action, run_hook, run_template, template

from deckcheck.cli.commands import COMMANDS

BAD = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n\n3 Balista\n"
HOOKS = load(".pre-commit-hooks.yaml")
SAMPLES = ROOT / "decks" / "gwent" / "standard"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with one legal and one broken deck, apart from each other."""
    for name in ("good", "bad decks"):
        (tmp_path / "repository" / name).mkdir(parents=True)
    text = (SAMPLES / "mo_swarm.deck").read_text(encoding="utf-8")
    repository = tmp_path / "repository"
    (repository / "good" / "swarm.deck").write_text(text, encoding="utf-8")
    (repository / "bad decks" / "mine.deck").write_text(BAD)
    return repository


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    return tmp_path / "bin"


class TestHooks:
    """`.pre-commit-hooks.yaml`."""

    @pytest.mark.parametrize("hook", HOOKS, ids=["check", "format"])
    def test_has_what_pre_commit_asks_for(self, hook: dict[str, object]) -> None:
        program, command, *_ = shlex.split(str(hook["entry"]))

        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"
        assert hook["require_serial"] is True
        assert program == "deckcheck"
        assert command in {each.name for each in COMMANDS}

    @pytest.mark.parametrize("hook", HOOKS, ids=["check", "format"])
    def test_takes_text_decks(self, hook: dict[str, str]) -> None:
        assert re.search(hook["files"], "lists/a.deck")
        assert not re.search(hook["files"], "lists/a.deck.bak")

    def test_checks(self, folder: Path, bin: Path) -> None:
        broken = run_hook("deckcheck", folder, bin)
        good = run_hook("deckcheck", folder, bin, "^good/")

        assert (broken.returncode, good.returncode) == (1, 0)
        assert "--> bad decks/mine.deck:4:3" in broken.stdout
        assert good.stdout.startswith("1 deck checked, 1 legal\n")

    def test_heeds_what_is_excluded(self, folder: Path, bin: Path) -> None:
        (folder / "deckcheck.toml").write_text('exclude = ["bad decks"]\n')

        assert run_hook("deckcheck", folder, bin).returncode == 0

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
        done = run_action(folder, bin, paths="good")

        assert done.returncode == 0
        assert done.stdout == "1 deck checked, 1 legal\n"
        assert (bin / "output").read_text() == "exit-code=0\n"
        assert "| The swarm | `good/swarm.deck` |" in (bin / "summary.md").read_text()

    def test_a_finding_fails_at_its_line(self, folder: Path, bin: Path) -> None:
        done = run_action(folder, bin, paths="good\nbad decks\n", sarif="out.sarif")

        assert done.returncode == 1
        assert "\n::error file=bad decks/mine.deck,line=4," in done.stdout
        assert (bin / "output").read_text() == "exit-code=1\n"
        log = json.loads((folder / "out.sarif").read_text())
        assert log["runs"][0]["results"]

    def test_format_and_options(self, folder: Path, bin: Path) -> None:
        options = "--exit-zero\r\n--rule\nmax specials 0\n"
        inputs = {"paths": "good", "format": "gwent/advanced", "options": options}
        done = run_action(folder, bin, **inputs)

        assert done.returncode == 0
        assert "at most 0 allowed" in done.stdout

    def test_misuse_is_told_apart(self, folder: Path, bin: Path) -> None:
        done = run_action(folder, bin, paths="none")

        assert done.returncode == 2
        assert "`none` does not exist" in done.stderr
        assert (bin / "output").read_text() == "exit-code=2\n"

    def test_names_are_no_commands(self, folder: Path, bin: Path) -> None:
        done = run_action(folder, bin, paths='"; touch hacked; $(touch hacked)')

        assert done.returncode == 2
        assert not (folder / "hacked").exists()


class TestTemplate:
    """`templates/deckcheck.yml`."""

    def test_legal_decks_pass(self, folder: Path, bin: Path) -> None:
        done = run_template(folder, bin, paths="good")

        assert done.returncode == 0
        assert json.loads((folder / "gl-code-quality-report.json").read_text()) == []

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
        [suite] = junitparser.JUnitXml.fromfile(str(folder / reports["junit"]))
        assert (suite.tests, suite.failures) == (2, 1)

    def test_options(self, folder: Path, bin: Path) -> None:
        inputs = {"paths": "good", "options": "--rule 'max specials 0'"}

        assert run_template(folder, bin, **inputs).returncode == 1

    def test_every_input_is_used(self) -> None:
        text = (ROOT / "templates" / "deckcheck.yml").read_text()
        head, jobs = text.split("\n---\n")

        known = re.findall(r"^    (\w+):$", head, re.MULTILINE)
        assert sorted(known) == sorted(set(re.findall(r"inputs\.(\w+)", jobs)))
