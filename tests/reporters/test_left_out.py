"""What lies beside the decks and was not read is in the summary of every output."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace

import jsonschema
import junitparser
import pytest
from closed_schema import closed_schema
from runs import report, written
from sarif_schema import SARIF_SCHEMA

from deckcheck.decks import LeftOut
from deckcheck.reporters import OUTPUTS, REPORTERS, Style
from deckcheck.reporters.text import STATISTICS
from deckcheck.validation import Validation

LEFT_OUT = LeftOut(Counter({".jpg": 2, "": 1}), own=1, excluded=3)
WORDS = "2 .jpg, 1 without suffix, 3 excluded, 1 of deckcheck's own"
RUN = Validation((report(),), left_out=LEFT_OUT)
# These are lists of findings, and have no summary.
BARE = {"jsonl", "gitlab", "rdjson"}


def shown(name: str, run: Validation = RUN, *, with_summary: bool = True) -> str:
    stream = io.StringIO()
    dict(REPORTERS)[name](run, stream, Style(False), with_summary)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["full", "concise", "markdown"])
def test_summaries_for_people(name: str) -> None:
    assert f"\nLeft out: {WORDS}\n" in shown(name)
    assert "Left out" not in shown(name, with_summary=False)


def test_counts_of_findings() -> None:
    stream = io.StringIO()
    STATISTICS["full"](RUN, stream, Style(False), True)

    assert f"\nLeft out: {WORDS}\n" in stream.getvalue()


def test_json_and_sarif() -> None:
    counts = {"others": {"": 1, ".jpg": 2}, "own": 1, "excluded": 3}
    content, log = json.loads(shown("json")), json.loads(shown("sarif"))

    jsonschema.Draft202012Validator(closed_schema("validate")).validate(content)
    assert content["left_out"] == counts
    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(log)
    assert log["runs"][0]["properties"] == {"leftOut": counts}


def test_junit() -> None:
    [suite] = junitparser.JUnitXml.fromstring(shown("junit"))

    [found] = suite.properties()
    assert (found.name, found.value) == ("left out", WORDS)


@pytest.mark.parametrize("with_summary", [True, False])
def test_github(with_summary: bool) -> None:
    """A notice, whether or not anybody wants the summary."""
    lines = shown("github", with_summary=with_summary).splitlines()

    assert f"::notice title=Files that are no decks::Left out: {WORDS}" in lines


def test_a_notebook() -> None:
    assert "Left out: 2 .jpg, 1 without suffix" in RUN._repr_html_()


@pytest.mark.parametrize("name", OUTPUTS)
def test_nothing_is_said_of_nothing(name: str) -> None:
    plain = shown(name, replace(RUN, left_out=LeftOut()))

    assert plain == written(name, report(), with_summary=True)
    assert "Left out" not in plain
    assert (shown(name) == plain) == (name in BARE)
