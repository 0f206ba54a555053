"""Findings for people: `full`, counts, and what was left out."""

import io
import json
from collections import Counter
from dataclasses import replace

from helpers.findings import finding, report, span, written

from deckcheck.decks import LeftOut
from deckcheck.findings import Position, Severity, Span
from deckcheck.reporters import OUTPUTS, REPORTERS, Style
from deckcheck.reporters.text import STATISTICS_WRITERS
from deckcheck.validation import Validation

# The output `full`: what people read.


class TestText:
    """Columns hold whatever the characters are."""

    def caret_line(self, text: str, place: Span) -> str:
        shown = written("full", report(finding(place), text=text))
        return shown.split("\n")[4]

    def test_columns_are_those_that_are_shown(self) -> None:
        assert self.caret_line("3 希里 x", span(1, 3, 5)) == "  |   ^^^^"
        assert self.caret_line("希里 x", span(1, 4, 5)) == "  |      ^"
        assert self.caret_line("Eithne\u0301 x", span(1, 9, 10)) == "  |        ^"
        assert self.caret_line("\u2694\ufe0f x", span(1, 4, 5)) == "  |   ^"

    def test_invisible_characters_are_seen_and_counted(self) -> None:
        text = "2 Ne\u200bk\xadker\ufeff x"
        shown = written("full", report(finding(span(1, 3, 12)), text=text))

        line, carets = shown.split("\n")[3:5]
        assert line == r"1 | 2 Ne\u200bk\xadker\ufeff x"
        assert carets == "  |   " + "^" * len(r"Ne\u200bk\xadker\ufeff")
        assert self.caret_line(text, span(1, 13, 14)).index("^") == line.index("x", 20)

    def test_control_characters_are_not_passed_on(self) -> None:
        shown = written(
            "full",
            report(finding(span(1, 1, 4), message="a\x1b[31m"), text="a\x1b[31mb\x07"),
        )

        assert "\x1b" not in shown
        assert "\x07" not in shown

    def test_a_long_line_is_cut_around_the_mark(self) -> None:
        text = "x" * 300 + "HERE" + "y" * 300
        shown = written("full", report(finding(span(1, 301, 305)), text=text))
        line, carets = shown.split("\n")[3:5]

        assert len(line) < 120
        assert line.startswith("1 | ...xxx")
        assert line.endswith("yyy...")
        assert line.index("HERE") == carets.index("^")
        assert carets.endswith("^^^^")
        # A span over several lines is marked on its first.
        place = Span(Position(3, 1), Position(5, 3))
        assert "3 | 3 Nekker\n  | ^^^^^^^^\n" in written("full", report(finding(place)))

    def test_a_place_behind_the_last_line_shows_no_line(self) -> None:
        shown = written("full", report(finding(span(99, 1, 2), help="Help")))
        empty = written("full", report(finding(span(1, 1, 1), help="Help"), text=""))
        returns = written("full", report(finding(span(2, 1, 2)), text="a\r\nbc\rd"))

        assert shown.endswith(" --> decks/swarm.deck:99:1\n  = help: Help\n\n")
        assert empty.endswith(" --> decks/swarm.deck:1:1\n  = help: Help\n\n")
        assert "2 | bc\n" in returns


def test_colours_are_only_added() -> None:
    reports = report(finding(span(3, 3, 9), help="Help", notes=("Note",)))
    plain = written("full", reports, with_summary=True)

    painted = written("full", reports, color=True, with_summary=True)

    assert "\x1b[1;31merror[DL103]\x1b[0m" in painted
    for code in ("1;31", "1", "34", "32", "0"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted == plain


# What lies beside the decks and was not read is in the summary of every output.

LEFT_OUT = LeftOut(Counter({".jpg": 2, "": 1}), recognised=1, excluded=3)
WORDS = "2 .jpg, 1 without suffix, 3 excluded, 1 of deckcheck's own"
RUN = Validation((report(),), left_out=LEFT_OUT)
# These are lists of findings, and have no summary.
BARE = {"jsonl", "gitlab", "rdjson"}


def shown(name: str, run: Validation = RUN, *, with_summary: bool = True) -> str:
    stream = io.StringIO()
    dict(REPORTERS)[name](run, stream, Style(False), with_summary)
    return stream.getvalue()


def test_summaries_for_people() -> None:
    stream = io.StringIO()
    STATISTICS_WRITERS["full"](RUN, stream, Style(False), True)

    assert f"\nNot checked: {WORDS}\n" in stream.getvalue()
    for name in ("full", "concise", "markdown"):
        assert f"\nNot checked: {WORDS}\n" in shown(name), name
        assert "Not checked" not in shown(name, with_summary=False), name
    # A notice, whether or not anybody wants the summary.
    for with_summary in (True, False):
        lines = shown("github", with_summary=with_summary).splitlines()
        assert f"::notice title=Files other than decks::Not checked: {WORDS}" in lines


def test_sarif() -> None:
    counts = {"others": {"": 1, ".jpg": 2}, "own": 1, "excluded": 3}
    [run] = json.loads(shown("sarif"))["runs"]

    assert run["properties"] == {"leftOut": counts}


def test_a_notebook() -> None:
    """It has what the other outputs say besides the findings."""
    page = replace(RUN, notes=("An older format is used",))._repr_html_()

    assert "Not checked: 2 .jpg, 1 without suffix" in page
    assert "An older format is used" in page


def test_nothing_is_said_of_nothing() -> None:
    for name in OUTPUTS:
        plain = shown(name, replace(RUN, left_out=LeftOut()))
        assert plain == written(name, report(), with_summary=True), name
        assert "Not checked" not in plain, name
        assert (shown(name) == plain) == (name in BARE), name


# Counts of findings.

COPIES = finding(span(3, 3, 9))
UNKNOWN = replace(COPIES, code="DC101", name="unknown-card", path="a.deck")
REPEATED = replace(
    COPIES, code="DC104", name="repeated-card", severity=Severity.NOTE, path="a.deck"
)
STATISTICS_RUN = Validation((report(COPIES, REPEATED), report(UNKNOWN, *[COPIES] * 9)))


def test_the_most_frequent_come_first() -> None:
    stream = io.StringIO()
    STATISTICS_WRITERS["full"](STATISTICS_RUN, stream, Style(color=True), True)
    painted = stream.getvalue()

    assert "10  \x1b[1;31merror[DL103]\x1b[0m too-many-copies\n" in painted
    assert painted.endswith("2 illegal\x1b[0m (11 errors, 1 note)\n")
