"""The jobs for balance in `docs/how-to/ci.md`: they do what the page says."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import junitparser
import pytest
import yaml

from deckcheck.cli import main

ROOT = Path(__file__).parents[2]
CI = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
PAGE = CI.partition("## Balance\n")[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
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


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a plan that fails."""
    for name in ("nr_siege_masters", "mo_swarm"):
        shutil.copy(STANDARD / f"{name}.deck", tmp_path)
    (tmp_path / "balance.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)


def test_the_workflow_of_github(capsys: pytest.CaptureFixture[str]) -> None:
    github, _ = jobs()
    [command] = commands(github["jobs"]["balance"])
    assert main([*command, "-q"]) == 1

    assert capsys.readouterr().out.startswith("::error file=balance.toml,line=5,")
    assert junitparser.JUnitXml.fromfile("balance.xml").failures == 1


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
