"""The outputs `jsonl`, `gitlab`, `rdjson`, `junit` and `markdown`."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import junitparser
import pytest
from runs import finding, report, span, written

from deckcheck.findings import Related, Severity

ERROR = finding(
    span(5, 4, 10),
    notes=("A note",),
    help="Some help",
    related=(Related(span(3, 3, 9), "3 here"),),
)
WARNING = finding(span(1, 1, 5), "A | <warning>: `a|b` *100* %", Severity.WARNING)
NOTE = finding(span(2, 1, 7), "A note", Severity.NOTE)


class TestJsonl:
    """One line per finding, each with its deck."""

    def test_a_line(self) -> None:
        [line] = written("jsonl", report(ERROR, index=2), report()).splitlines()

        content = json.loads(line)
        assert content["code"] == "DL103"
        assert content["start"] == {"line": 5, "column": 4}
        assert content["help"] == "Some help"
        assert (content["deck"], content["index"]) == ("Swarm", 2)
        assert (content["format"], content["snapshot"]) == ("gwent/standard", "2025-10")

    def test_a_line_ends_nowhere_else(self) -> None:
        strange = finding(span(1, 1, 5), "A\x85b\u2028c\u2029d")
        [line] = written("jsonl", report(strange)).splitlines()

        assert json.loads(line)["message"] == "A\x85b\u2028c\u2029d"

    def test_legal_decks_give_nothing(self) -> None:
        assert written("jsonl", report(), with_summary=True) == ""


class TestGitlab:
    """A Code Quality report."""

    def test_an_issue(self) -> None:
        [issue] = json.loads(written("gitlab", report(ERROR)))

        assert len(issue.pop("fingerprint")) == 32
        assert issue == {
            "description": "DL103 too-many-copies: "
            "7 copies of `Nekker`, at most 3 allowed",
            "check_name": "too-many-copies",
            "severity": "major",
            "location": {"path": "decks/swarm.deck", "lines": {"begin": 5, "end": 5}},
        }

    def test_severities_and_fingerprints(self) -> None:
        issues = json.loads(written("gitlab", report(WARNING, NOTE, ERROR, ERROR)))

        assert [i["severity"] for i in issues] == ["minor", "info", "major", "major"]
        assert len({issue["fingerprint"] for issue in issues}) == 4

    def test_no_finding_is_an_empty_list(self) -> None:
        assert json.loads(written("gitlab", report())) == []


class TestRdjson:
    """The Reviewdog Diagnostic Format."""

    def test_a_diagnostic(self) -> None:
        content = json.loads(written("rdjson", report(ERROR)))

        assert content["source"] == {"name": "deckcheck"}
        [found] = content["diagnostics"]
        assert found["message"].endswith("at most 3 allowed\nA note\nSome help")
        assert found["severity"] == "ERROR"
        assert found["code"] == {"value": "DL103 too-many-copies"}
        assert found["location"] == {
            "path": "decks/swarm.deck",
            "range": {
                "start": {"line": 5, "column": 4},
                "end": {"line": 5, "column": 10},
            },
        }
        [other] = found["related_locations"]
        assert other["message"] == "3 here"
        assert other["location"]["range"]["start"] == {"line": 3, "column": 3}

    def test_columns_count_bytes(self) -> None:
        text = "3 Eithné 希 x"

        [found] = json.loads(
            written("rdjson", report(finding(span(1, 8, 11)), text=text))
        )["diagnostics"]

        assert found["location"]["range"] == {
            "start": {"line": 1, "column": 8},
            "end": {"line": 1, "column": 14},
        }


class TestJunit:
    """One case per deck, as another program reads them."""

    def test_read_back(self) -> None:
        shown = written("junit", report(WARNING, ERROR, ERROR), report(index=1))
        [suite] = junitparser.JUnitXml.fromstring(shown.encode())

        illegal, legal = suite
        assert (suite.tests, suite.failures, suite.errors) == (2, 1, 0)
        assert (illegal.name, legal.name) == ("Swarm", "Swarm (deck 2)")
        assert illegal.classname == "decks/swarm.deck"
        [failure] = illegal.result
        assert failure.type == "too-many-copies"
        assert failure.message == (
            "2 errors, the first: 7 copies of `Nekker`, at most 3 allowed"
        )
        assert failure.text.count("swarm.deck:5:4: error[DL103]") == 2
        assert "Some help" in failure.text
        assert "warning[DL103]" in illegal.system_out
        assert legal.is_passed

    def test_a_warning_does_not_fail(self) -> None:
        [suite] = junitparser.JUnitXml.fromstring(
            written("junit", report(WARNING)).encode()
        )

        [case] = suite
        assert case.is_passed
        assert "A | <warning>: `a|b` *100* %" in case.system_out

    @pytest.mark.parametrize("odd", ["\0", "\x1b[31m", "\ufffe", "\ud800", "]]>&\n\"'"])
    def test_no_text_breaks_the_document(self, odd: str) -> None:
        shown = written("junit", report(finding(span(1, 1, 2), odd, path=odd)))

        ElementTree.fromstring(shown.encode())


class TestMarkdown:
    """Tables that nothing in a deck can break."""

    def test_tables(self) -> None:
        shown = written("markdown", report(ERROR), report(), with_summary=True)

        assert shown == (
            "## 2 decks checked, 1 legal, 1 illegal (1 error)\n"
            "\n"
            "| place | finding | message | what to do |\n"
            "|---|---|---|---|\n"
            "| `decks/swarm.deck:5:4` | **error** DL103 too-many-copies "
            "| 7 copies of `Nekker`, at most 3 allowed | Some help |\n"
            "\n"
            "| deck | file | format | verdict |\n"
            "|---|---|---|---|\n"
            "| Swarm | `decks/swarm.deck` | gwent/standard | **illegal** |\n"
            "| Swarm | `decks/swarm.deck` | gwent/standard | legal |\n"
            "\n"
            "gwent/standard (2025-10), digest 0123456789ab\n"
        )

    def test_text_is_no_markup(self) -> None:
        shown = written("markdown", report(WARNING))

        assert r"| A \| \<warning\>: `a\|b` \*100\* % |" in shown

    def test_a_path_with_a_back_tick_and_a_line_end(self) -> None:
        shown = written("markdown", report(finding(span(1, 1, 2), path="a`b\n|c")))

        assert "| ``a`b\\n\\|c:1:1`` |" in shown

    def test_nothing_at_all(self) -> None:
        assert written("markdown", report()) == ""
