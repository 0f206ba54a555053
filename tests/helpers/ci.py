"""Runs what CI services and pre-commit run, as far as that can be done without them."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

__all__ = ["ROOT", "Done", "load", "run_action", "run_hook", "run_template", "template"]

ROOT = Path(__file__).parents[2]

Done = subprocess.CompletedProcess[str]


def load(path: str) -> Any:
    """The content of a YAML file of the project."""
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def environment(bin: Path, **more: str) -> dict[str, str]:
    """An environment in which `deckcheck` is the one that is tested."""
    bin.mkdir(exist_ok=True)
    program = bin / "deckcheck"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m deckcheck "$@"\n')
    program.chmod(0o755)
    kept = {key: os.environ[key] for key in os.environ if "DECKCHECK" not in key}
    path = f"{bin}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "PYTHONPATH": str(ROOT), **more}


def run(words: list[str], folder: Path, env: dict[str, str]) -> Done:
    return subprocess.run(
        words, cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def run_hook(id: str, folder: Path, bin: Path, files: str | None = None) -> Done:
    """Run a hook on the files that pre-commit would give it."""
    [hook] = [each for each in load(".pre-commit-hooks.yaml") if each["id"] == id]
    wanted = re.compile(files or hook["files"])
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
    )
    unwanted = re.compile(hook["exclude"])
    given = [n for n in names if wanted.search(n) and not unwanted.search(n)]
    return run([*shlex.split(hook["entry"]), *given], folder, environment(bin))


def run_action(folder: Path, bin: Path, **inputs: str) -> Done:
    """Run the script of the action with the variables that GitHub would set."""
    action = load("action.yml")
    step = action["runs"]["steps"][-1]
    defaults = {name: each["default"] for name, each in action["inputs"].items()}
    values = {**defaults, **inputs}
    values["base"] = inputs.get("base", "")
    given = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: values[m[1]], text)
        for name, text in step["env"].items()
    }
    env = environment(
        bin,
        **given,
        GITHUB_ACTIONS="true",
        GITHUB_ACTION_PATH=str(ROOT),
        GITHUB_WORKSPACE=str(folder),
        GITHUB_OUTPUT=str(bin / "output"),
        GITHUB_STEP_SUMMARY=str(bin / "summary.md"),
    )
    return run(["bash", "-e", "-o", "pipefail", "-c", step["run"]], folder, env)


def template(**inputs: str) -> dict[str, Any]:
    """The jobs of the GitLab template, with inputs put in."""
    text = (ROOT / "templates" / "deckcheck.yml").read_text(encoding="utf-8")
    head, jobs = text.split("\n---\n")
    known = yaml.safe_load(head)["spec"]["inputs"]
    assert set(inputs) <= set(known)
    values = {name: inputs.get(name, each["default"]) for name, each in known.items()}
    filled = re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda m: values[m[1]], jobs)
    content = yaml.safe_load(filled)
    assert isinstance(content, dict)
    return content


def run_template(folder: Path, bin: Path, base: str = "", **inputs: str) -> Done:
    """Run the script of the GitLab template, for a merge request to `base` if any."""
    [job] = template(**inputs).values()
    branch = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": base} if base else {}
    env = environment(bin, CI="true", GITLAB_CI="true", **branch)
    return run(["bash", "-e", "-c", "\n".join(job["script"])], folder, env)
