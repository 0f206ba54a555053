"""A thousand decks of all kinds in one run: every output is valid and says the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import junitparser
import pytest
from closed_schema import closed_schema
from jsonschema import Draft202012Validator
from mixed_decks import write_mixed_decks
from read_findings import found_in
from sarif_schema import SARIF_SCHEMA

from deckcheck.cli import main
from deckcheck.reporters import OUTPUTS

NUMBER = 1_000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the decks, and every output of two runs: `json.1`, `json.2`."""
    folder = tmp_path_factory.mktemp("mixed")
    write_mixed_decks(folder / "decks", NUMBER)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        for run in (1, 2):
            words = [f"--output-format={name}:{name}.{run}" for name in OUTPUTS]
            assert main(["validate", "decks", *words]) == 1
    return folder


def read(results: Path, name: str) -> str:
    return (results / f"{name}.1").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_file_is_checked_and_all_kinds_are_among_them(results: Path) -> None:
    document = json.loads(read(results, "json"))
    decks = document["decks"]

    assert len(decks) == NUMBER
    assert {deck["path"].rpartition(".")[2] for deck in decks} == {
        *("deck", "txt", "yaml", "yml", "json", "csv")
    }
    assert {deck["format"] for deck in decks} == {
        *("gwent/standard", "gwent/advanced", None)
    }
    assert 300 < document["summary"]["legal"] < 700
    families = {f["code"][:2] for deck in decks for f in deck["findings"]}
    assert {"DP", "DC", "DL", "DF"} <= families
    codes = {f["code"] for deck in decks for f in deck["findings"]}
    assert {"DP108", "DP110", "DP111", "DP201"} <= codes


@pytest.mark.slow
def test_the_languages_are_understood(results: Path) -> None:
    """Every deck that nothing was done to is legal, whatever its language."""
    decks = json.loads(read(results, "json"))["decks"]
    for deck in decks:
        index = int(Path(deck["path"]).stem.removeprefix("deck_"))
        if index % 10 < 4 and index % 20 != 19:
            assert deck["legal"], deck


@pytest.mark.slow
@pytest.mark.parametrize("name", OUTPUTS)
def test_both_runs_write_the_same_bytes(name: str, results: Path) -> None:
    assert (results / f"{name}.1").read_bytes() == (results / f"{name}.2").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", OUTPUTS)
def test_every_output_has_the_same_findings(name: str, results: Path) -> None:
    found = found_in(name, read(results, name))

    assert found.total() > 600
    assert found == found_in("json", read(results, "json"))


def is_json(text: str) -> None:
    Draft202012Validator(closed_schema("validate")).validate(json.loads(text))


def is_jsonl(text: str) -> None:
    validator = Draft202012Validator(closed_schema("validate-jsonl"))
    for line in text.splitlines():
        validator.validate(json.loads(line))


def is_sarif(text: str) -> None:
    Draft202012Validator(SARIF_SCHEMA).validate(json.loads(text))


def is_junit(text: str) -> None:
    [suite] = junitparser.JUnitXml.fromstring(text.encode())
    cases = list(suite)
    failed = [case for case in cases if case.is_failure]
    assert len(cases) == suite.tests == NUMBER
    assert len(failed) == suite.failures > 300


def is_gitlab(text: str) -> None:
    issues = json.loads(text)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["lines"]["begin"] >= 1
        assert issue["description"]


def is_rdjson(text: str) -> None:
    document = json.loads(text)
    assert document["source"]["name"] == "deckcheck"
    for diagnostic in document["diagnostics"]:
        assert diagnostic["severity"] in {"ERROR", "WARNING", "INFO"}
        assert diagnostic["message"]


def is_github(text: str) -> None:
    *commands, _summary = text.splitlines()
    for command in commands:
        assert command.startswith(("::error ", "::warning ", "::notice "))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("json", is_json),
        ("jsonl", is_jsonl),
        ("sarif", is_sarif),
        ("junit", is_junit),
        ("gitlab", is_gitlab),
        ("rdjson", is_rdjson),
        ("github", is_github),
    ],
)
def test_is_valid(name: str, check: Callable[[str], None], results: Path) -> None:
    check(read(results, name))
