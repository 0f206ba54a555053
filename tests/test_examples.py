"""The tournament of `examples/`: a broken list fails at its line, mended it passes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from ci_runs import (
    ROOT,
    Done,
    environment,
    load,
    run,
    run_action,
    run_hook,
    run_template,
)

TOURNAMENT = "examples/tournament"
LIST = "lists/carla_rossi.deck"
LINE = 22


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the tournament."""
    return shutil.copytree(ROOT / TOURNAMENT, tmp_path / "tournament")


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    return tmp_path / "bin"


def on_github(repository: Path, bin: Path) -> Done:
    """The step of the workflow that uses the action."""
    workflow = load(f"{TOURNAMENT}/.github/workflows/decks.yml")
    steps = workflow["jobs"]["decks"]["steps"]
    [step] = [each for each in steps if "deckcheck/deckcheck@" in each.get("uses", "")]
    return run_action(repository, bin, **step["with"])


def on_gitlab(repository: Path, bin: Path) -> Done:
    """The job that the template gives."""
    [included] = load(f"{TOURNAMENT}/.gitlab-ci.yml")["include"]
    assert (ROOT / included["file"]).is_file()
    return run_template(repository, bin, **included["inputs"])


def before_a_commit(repository: Path, bin: Path) -> Done:
    """The hook, on the files that its configuration names."""
    [repo] = load(f"{TOURNAMENT}/.pre-commit-config.yaml")["repos"]
    [hook] = repo["hooks"]
    return run_hook(hook["id"], repository, bin, hook["files"])


def players_on_github(repository: Path, bin: Path) -> Done:
    """The step of the workflow that looks at the players, run whatever came before."""
    workflow = load(f"{TOURNAMENT}/.github/workflows/decks.yml")
    steps = workflow["jobs"]["decks"]["steps"]
    [step] = [each for each in steps if "deckcheck event" in each.get("run", "")]
    assert step["if"] == "always()"
    env = environment(bin, GITHUB_STEP_SUMMARY=str(bin / "summary.md"))
    return run(step["run"].split(), repository, env)


def players_on_gitlab(repository: Path, bin: Path) -> Done:
    """The job that looks at the players."""
    [command] = load(f"{TOURNAMENT}/.gitlab-ci.yml")["players"]["script"]
    return run(command.split(), repository, environment(bin))


@pytest.mark.parametrize(
    ("check", "place"),
    [
        (on_github, f"::error file={LIST},line={LINE},"),
        (on_gitlab, f"--> {LIST}:{LINE}:3"),
        (before_a_commit, f"--> {LIST}:{LINE}:3"),
        (players_on_github, f"::error file={LIST},line={LINE},"),
        (players_on_gitlab, f"--> {LIST}:{LINE}:3"),
    ],
)
def test_a_broken_list_fails_at_its_line_and_mended_it_passes(
    check: object, place: str, repository: Path, bin: Path
) -> None:
    assert callable(check)
    deck = repository / LIST
    good = deck.read_text(encoding="utf-8")
    lines = good.splitlines()
    assert lines[LINE - 1] == "2 Balista"
    lines[LINE - 1] = "3 Balista"

    deck.write_text("\n".join(lines) + "\n", encoding="utf-8")
    broken = check(repository, bin)
    deck.write_text(good, encoding="utf-8")
    mended = check(repository, bin)

    assert (broken.returncode, mended.returncode) == (1, 0)
    assert place in broken.stdout + broken.stderr
    assert "3 copies of `Ballista`, at most 2 allowed" in broken.stdout + broken.stderr
    assert "Ballista" not in mended.stdout


def test_a_missing_list_fails(repository: Path, bin: Path) -> None:
    (repository / "lists" / "ben_ito.yaml").unlink()
    on_page = players_on_github(repository, bin)
    in_job = players_on_gitlab(repository, bin)

    assert (on_page.returncode, in_job.returncode) == (1, 1)
    assert "::error file=event.toml,line=5," in on_page.stdout
    assert "::Player `Ben Ito` has no list%0AAdd the list as" in on_page.stdout
    summary = (bin / "summary.md").read_text(encoding="utf-8")
    assert "| Ben Ito | no list |" in summary
    assert "Player `Ben Ito` has no list" in in_job.stdout
    report = (repository / "players.xml").read_text(encoding="utf-8")
    assert 'testcase name="Ben Ito"' in report


def test_the_page_about_ci_shows_the_step_and_the_job_for_players() -> None:
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
    blocks = [
        yaml.safe_load(text)
        for text in re.findall("```yaml\n(.*?)```", page, re.DOTALL)
    ]
    workflow = load(f"{TOURNAMENT}/.github/workflows/decks.yml")
    steps = workflow["jobs"]["decks"]["steps"]
    [step] = [each for each in steps if "deckcheck event" in each.get("run", "")]
    gitlab = load(f"{TOURNAMENT}/.gitlab-ci.yml")

    assert [step] in blocks
    assert {"players": gitlab["players"]} in blocks
