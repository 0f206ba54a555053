"""The output `sarif`: what the standard asks for, and what services rely on."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from runs import finding, report, span, written
from sarif_schema import SARIF_SCHEMA

from deckcheck.findings import Related, Severity
from deckcheck.reporters import machine
from deckcheck.validation import DeckReport

ERROR = finding(
    span(5, 4, 10),
    notes=("A note",),
    help="Some help",
    related=(Related(span(3, 3, 9), "3 here"), Related(span(3, 3, 9), "and here")),
)
WARNING = finding(span(1, 1, 5), "A warning", Severity.WARNING)
NOTE = finding(span(1, 1, 5), "A note", Severity.NOTE)


def run_of(*reports: DeckReport) -> dict[str, Any]:
    """The run of a log that fits the schema."""
    log = json.loads(written("sarif", *reports))
    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(log)
    [run] = log["runs"]
    assert isinstance(run, dict)
    return run


def test_a_result() -> None:
    [result] = run_of(report(ERROR))["results"]

    assert result["ruleId"] == "DL103"
    assert result["level"] == "error"
    assert result["message"]["text"] == (
        "7 copies of `Nekker`, at most 3 allowed\nA note\nSome help"
    )
    [place] = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "decks/swarm.deck", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 5, "startColumn": 4, "endLine": 5, "endColumn": 10},
    }
    assert [other["id"] for other in result["relatedLocations"]] == [1, 2]


def test_rules_are_explained_by_their_own_texts() -> None:
    run = run_of(report(WARNING, ERROR, NOTE))

    [rule] = run["tool"]["driver"]["rules"]
    assert rule["id"] == "DL103"
    assert rule["name"] == "TooManyCopies"
    assert "**Why:**" in rule["help"]["markdown"]
    assert "```" in rule["help"]["markdown"]
    assert "```" not in rule["help"]["text"]
    assert {result["ruleIndex"] for result in run["results"]} == {0}
    levels = [result["level"] for result in run["results"]]
    assert levels == ["warning", "error", "note"]


def test_no_finding_is_a_run_without_results() -> None:
    run = run_of(report())

    assert run["results"] == run["tool"]["driver"]["rules"] == []


@pytest.mark.parametrize(
    ("path", "uri", "base"),
    [
        ("a b/Eithné #1.deck", "a%20b/Eithn%C3%A9%20%231.deck", "%SRCROOT%"),
        ("<stdin>", "%3Cstdin%3E", "%SRCROOT%"),
        ("../up.deck", "../up.deck", "%SRCROOT%"),
        ("/tmp/x.deck", "file:///tmp/x.deck", None),
        ("bad\udcff.deck", "bad%FF.deck", "%SRCROOT%"),
        ("a:b.deck", "a%3Ab.deck", "%SRCROOT%"),
    ],
)
def test_paths_are_addresses(path: str, uri: str, base: str | None) -> None:
    [result] = run_of(report(finding(span(1, 1, 2), path=path)))["results"]

    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert (artifact["uri"], artifact.get("uriBaseId")) == (uri, base)


def test_fingerprints_differ() -> None:
    results = run_of(report(ERROR, ERROR, WARNING))["results"]

    assert (
        len({result["partialFingerprints"]["deckcheck/v1"] for result in results}) == 3
    )


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("level", "fatal"),
        ("message", {"text": ""}),
        ("ruleIndex", -1),
        ("partialFingerprints", {"deckcheck/v1": 1}),
        ("locations", [{"physicalLocation": {}}]),
        ("colour", "red"),
    ],
)
def test_the_schema_refuses_what_the_standard_does_not_know(
    part: str, value: object
) -> None:
    log = json.loads(written("sarif", report(ERROR)))
    log["runs"][0]["results"][0][part] = value

    assert not jsonschema.Draft202012Validator(SARIF_SCHEMA).is_valid(log)


def test_no_more_results_than_services_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors come before warnings and notes, and what is left out is said."""
    monkeypatch.setattr(machine, "MOST_RESULTS", 2)
    run = run_of(report(NOTE, WARNING, ERROR))
    [invocation] = run["invocations"]
    [notification] = invocation["toolExecutionNotifications"]

    assert [result["level"] for result in run["results"]] == ["warning", "error"]
    assert invocation["executionSuccessful"]
    assert notification["message"]["text"] == (
        "3 findings, of which the 2 gravest are results: code scanning takes no more. "
        "The output `json` has all of them"
    )
    assert "invocations" not in run_of(report(WARNING, ERROR))
