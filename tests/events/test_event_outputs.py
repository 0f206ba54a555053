"""Every output of an event: what `validate` writes, and what is said of players."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest
from closed_schema import closed_schema
from sarif_schema import SARIF_SCHEMA

from deckcheck.cli import main
from deckcheck.events.pages import EVENT_WRITERS
from deckcheck.reporters import OUTPUTS

Captured = pytest.CaptureFixture[str]


def written(output: str, capsys: Captured, *words: str) -> str:
    words = ("--output-format", output, "--reveal", *words)
    assert main(["event", "event.toml", *words]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_there_are_those_of_validate_and_a_page() -> None:
    assert {name for name, _ in EVENT_WRITERS} == {*OUTPUTS, "html"}


@pytest.mark.parametrize("output", [name for name, _ in EVENT_WRITERS])
def test_each_tells_every_problem(
    troubled: Path, capsys: Captured, output: str
) -> None:
    text = written(output, capsys)

    assert "`" in text or "\u201c" in text
    plain = text.replace("\u201c", "`").replace("\u201d", "`")
    assert "Player `Cleo` has no list" in plain
    assert "The list belongs to no player" in plain
    assert "5 copies of `Ballista`, at most 2 allowed" in plain
    if output not in ("concise", "gitlab"):
        assert "lists/cleo.deck" in plain
        assert "Remove 3 copies of `Ballista`" in plain
    assert written(output, capsys) == text


def test_json(troubled: Path, capsys: Captured) -> None:
    content: dict[str, Any] = json.loads(written("json", capsys))

    jsonschema.Draft202012Validator(closed_schema("event-output")).validate(content)
    assert content["summary"] == {
        "decks": 3,
        "legal": 2,
        "findings": 3,
        "suppressed": 0,
    }
    event = content["event"]
    assert (event["name"], event["sound"]) == ("Winter cup", False)
    assert [(p["name"], p["verdict"]) for p in event["players"]] == [
        ("Anna Nowák", "legal"),
        ("Ben Ito", "illegal"),
        ("Cleo", "no list"),
    ]
    assert [each["path"] for each in event["players"][1]["lists"]] == [
        "lists/ben_ito.deck"
    ]
    assert [each["code"] for each in event["players"][2]["findings"]] == ["DE101"]
    assert [each["code"] for each in event["findings"]] == ["DE102"]


def test_jsonl(troubled: Path, capsys: Captured) -> None:
    lines = [json.loads(line) for line in written("jsonl", capsys).splitlines()]

    for line in lines:
        jsonschema.Draft202012Validator(closed_schema("validate-jsonl")).validate(line)
    assert {(line["code"], line["path"], line["deck"]) for line in lines} == {
        ("DE101", "event.toml", None),
        ("DE102", "lists/dora.deck", None),
        ("DL103", "lists/ben_ito.deck", "Siege masters"),
    }


def test_junit(troubled: Path, capsys: Captured) -> None:
    suites = junitparser.JUnitXml.fromstring(written("junit", capsys))
    cases = [case for suite in suites for case in suite]

    assert (suites.tests, suites.failures) == (5, 3)
    failed = {case.name: case.classname for case in cases if case.result}
    assert failed == {
        "Cleo": "event.toml",
        "dora.deck": "lists/dora.deck",
        "Siege masters": "lists/ben_ito.deck",
    }


def test_sarif(troubled: Path, capsys: Captured) -> None:
    content = json.loads(written("sarif", capsys))

    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(content)
    [run] = content["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert set(rules) == {"DE101", "DE102", "DL103"}
    assert "An event with this finding:" in rules["DE101"]["help"]["text"]


def test_github(
    troubled: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of the job gets the page of the event."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.path.abspath("summary.md"))
    lines = written("github", capsys).splitlines()

    assert (
        "::error file=event.toml,line=5,endLine=5,col=37,endColumn=43,"
        "title=DE101 missing-list::Player `Cleo` has no list"
        "%0AAdd the list as `lists/cleo.deck`"
    ) in lines
    assert lines[-1].startswith("Winter cup: 3 players, 2 lists, 1 legal, 1 illegal")
    assert "| Cleo |  | no list |" in Path("summary.md").read_text(encoding="utf-8")


def test_several_outputs_and_a_file_for_the_rest(
    troubled: Path, capsys: Captured
) -> None:
    words = ["--output-format", "html:page.html", "--output-format", "concise"]
    assert main(["event", "event.toml", *words, "-o", "found.txt"]) == 1

    assert capsys.readouterr().out == ""
    assert "<h1>Winter cup</h1>" in Path("page.html").read_text(encoding="utf-8")
    assert "DE101" in Path("found.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--output-format", "yaml"], "Unknown output `yaml`"),
        (["--output-format", "htm"], "Did you mean `html`?"),
        (["--output-format", "html:"], "Output `html:` names no file"),
        (
            ["--output-format", "html", "--output-format", "json"],
            "Only one output can go to standard output",
        ),
        (
            ["--output-format", "html:a", "--output-format", "json:a"],
            "Two outputs go to `a`",
        ),
        (
            ["--output-format", "html", "--output-format", "json", "-o", "a"],
            "Two outputs go to `a`",
        ),
        (["--output-format", "html:a", "-o", "b"], "No output is left for `b`"),
    ],
)
def test_misused_outputs(
    cup: Path, capsys: Captured, words: list[str], message: str
) -> None:
    assert main(["event", "event.toml", *words]) == 2
    assert message in capsys.readouterr().err
    assert not Path("a").exists()


def test_colours_and_quiet(troubled: Path, capsys: Captured) -> None:
    assert "\x1b[1;31merror[DE101]" in written("full", capsys, "--color", "always")
    assert "Winter cup" not in written("concise", capsys, "-q")
    assert written("full", capsys, "-qq") == ""
