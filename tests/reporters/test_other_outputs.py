"""The outputs `concise`, `json` and `github`."""

from __future__ import annotations

import json

from runs import finding, report, span, written

import deckcheck
from deckcheck.findings import Position, Related, Severity, Span

ERROR = finding(
    span(5, 4, 10),
    notes=("A note",),
    help="Some help",
    related=(Related(span(3, 3, 9), "3 here"),),
)
WARNING = finding(span(1, 1, 5), "A, warning: 100 %", Severity.WARNING)


class TestConcise:
    """One line per finding, then the summary."""

    def test_a_line_per_finding(self) -> None:
        assert written("concise", report(WARNING, ERROR)) == (
            "decks/swarm.deck:1:1: warning[DL103] too-many-copies: A, warning: 100 %\n"
            "decks/swarm.deck:5:4: error[DL103] too-many-copies: "
            "7 copies of `Nekker`, at most 3 allowed\n"
        )

    def test_summary(self) -> None:
        shown = written("concise", report(), with_summary=True)

        assert shown == "1 deck checked, 1 legal\n"


class TestJson:
    """One object of a stable shape, whatever else is asked for."""

    def test_shape(self) -> None:
        shown = written("json", report(ERROR), report(index=1))

        assert json.loads(shown) == {
            "schema_version": 1,
            "tool": {"name": "deckcheck", "version": deckcheck.__version__},
            "digest": "0123456789ab",
            "summary": {
                "decks": 2,
                "legal": 1,
                "findings": 1,
                "suppressed": 0,
            },
            "left_out": {"others": {}, "own": 0, "excluded": 0},
            "changes": [],
            "decks": [
                {
                    "path": "decks/swarm.deck",
                    "index": 0,
                    "name": "Swarm",
                    "format": "gwent/standard",
                    "snapshot": "2025-10",
                    "legal": False,
                    "findings": [
                        {
                            "code": "DL103",
                            "name": "too-many-copies",
                            "severity": "error",
                            "message": "7 copies of `Nekker`, at most 3 allowed",
                            "path": "decks/swarm.deck",
                            "start": {"line": 5, "column": 4},
                            "end": {"line": 5, "column": 10},
                            "notes": ["A note"],
                            "help": "Some help",
                            "related": [
                                {
                                    "message": "3 here",
                                    "start": {"line": 3, "column": 3},
                                    "end": {"line": 3, "column": 9},
                                }
                            ],
                        }
                    ],
                },
                {
                    "path": "decks/swarm.deck",
                    "index": 1,
                    "name": "Swarm",
                    "format": "gwent/standard",
                    "snapshot": "2025-10",
                    "legal": True,
                    "findings": [],
                },
            ],
        }

    def test_no_deck_at_all(self) -> None:
        content = json.loads(written("json"))

        assert content["digest"] is None
        assert content["decks"] == []

    def test_colour_and_summary_change_nothing(self) -> None:
        plain = written("json", report(ERROR))

        assert plain == written("json", report(ERROR), color=True, with_summary=True)


class TestGithub:
    """Workflow commands, errors first, escaped."""

    def test_commands(self) -> None:
        assert written("github", report(WARNING, ERROR)).splitlines() == [
            "::error file=decks/swarm.deck,line=5,endLine=5,col=4,endColumn=10,"
            "title=DL103 too-many-copies::7 copies of `Nekker`, at most 3 allowed"
            "%0AA note%0ASome help",
            "::warning file=decks/swarm.deck,line=1,endLine=1,col=1,endColumn=5,"
            "title=DL103 too-many-copies::A, warning: 100 %25",
        ]

    def test_notes_are_notices(self) -> None:
        note = finding(span(1, 1, 2), severity=Severity.NOTE)

        assert written("github", report(note)).startswith("::notice file=")

    def test_paths_cannot_break_out(self) -> None:
        odd = finding(span(1, 1, 2), "x\n::error::y", path="a,b:c%\n.deck")

        [line] = written("github", report(odd)).splitlines()

        assert line.startswith("::error file=a%2Cb%3Ac%25%0A.deck,line=1,")
        assert line.endswith(r"::x\n::error::y")

    def test_a_span_over_lines_has_no_end_column(self) -> None:
        odd = finding(Span(Position(1, 5), Position(3, 2)))

        assert "line=1,endLine=3,col=5,title=" in written("github", report(odd))

    def test_the_summary_is_plain_text(self) -> None:
        shown = written("github", report(ERROR), color=True, with_summary=True)

        assert shown.endswith("\n1 deck checked, 1 illegal (1 error)\n")
