"""Findings to report, and read back from outputs."""

import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards import Root
from deckcheck.decks import Deck, DeckSource, DeckText, LeftOut, find_deck_files
from deckcheck.findings import Finding, Position, Related, Severity, Span
from deckcheck.formats.model import Format
from deckcheck.reporters import REPORTERS, Style
from deckcheck.validation import DeckReport, Validation, Validator

# Judges decks, each by its own format if none is given.


def validate_files(
    targets: Sequence[str | Path], format: str | None = None, root: Root = None
) -> Validation:
    """Check every deck of files, folders and globs."""
    left_out = LeftOut()
    files = find_deck_files(list(map(str, targets)), left_out=left_out)
    return Validator(format, root).check_files(files, left_out)


def validate_text(
    text: str, path: str = "<text>", format: str | None = None, root: Root = None
) -> Validation:
    """Check every deck of a text; the suffix of `path` tells the syntax."""
    return Validator(format, root).check_all([DeckText(path, text)])


# Reads the findings back from every output of `deckcheck validate`.


def found_in(name: str, text: str) -> Counter[tuple[str, int, str]]:
    """Path, line and code of every finding of an output."""
    if name in ("json", "jsonl"):
        found = (
            [f for deck in json.loads(text)["decks"] for f in deck["findings"]]
            if name == "json"
            else [json.loads(line) for line in text.splitlines()]
        )
        return Counter((f["path"], f["start"]["line"], f["code"]) for f in found)
    if name == "gitlab":
        return Counter(
            (
                issue["location"]["path"],
                issue["location"]["lines"]["begin"],
                issue["description"][:5],
            )
            for issue in json.loads(text)
        )
    if name == "rdjson":
        return Counter(
            (
                found["location"]["path"],
                found["location"]["range"]["start"]["line"],
                found["code"]["value"][:5],
            )
            for found in json.loads(text)["diagnostics"]
        )
    if name == "sarif":
        places = [
            (result["locations"][0]["physicalLocation"], result["ruleId"])
            for result in json.loads(text)["runs"][0]["results"]
        ]
        return Counter(
            (place["artifactLocation"]["uri"], place["region"]["startLine"], code)
            for place, code in places
        )
    patterns = {
        "full": r"^\w+\[(?P<code>D\w\d+)\].*\n +--> (?P<path>.*?):(?P<line>\d+):",
        "concise": r"^(?P<path>.*?):(?P<line>\d+):\d+: \w+\[(?P<code>D\w\d+)\]",
        "github": r"^::\w+ file=(?P<path>.*?),line=(?P<line>\d+)"
        r".*?title=(?P<code>.{5})",
        "junit": r"^(?:\s*<.*>)?(?P<path>[^<>\n]*?):(?P<line>\d+):\d+: "
        r"\w+\[(?P<code>D\w\d+)\]",
        "markdown": r"^\| `(?P<path>.*?):(?P<line>\d+):\d+` \| "
        r"\W*\w+\W* (?P<code>.{5})",
    }
    matches = re.finditer(patterns[name], text, re.MULTILINE)
    return Counter((m["path"], int(m["line"]), m["code"]) for m in matches)


# Texts in which comments mark what is wrong.

WRONG = Path(__file__).parents[1] / "wrong"


class Marked(NamedTuple):
    """The place of a fault and what is said of it."""

    line: int
    column: int
    message: str
    help: str | None = None


class MarkedText(NamedTuple):
    """A text with one fault; the text begins on line `start` of its file."""

    text: str
    start: int
    fault: Marked

    def __str__(self) -> str:
        """`3:5: message`, by the lines of the text."""
        return f"{self.fault.line}:{self.fault.column}: {self.fault.message}"


def marked_in(name: str) -> list[MarkedText]:
    """The texts of a file in `tests/wrong`, between lines `---`, each with its fault.

    The comment `#   ^ message` stands below its line, with `^` below its column (`#^`
    for the first), and perhaps `# help: help` below that.
    """
    found, start = [], 1
    for text in (WRONG / name).read_text(encoding="utf-8").split("---\n"):
        found.append(MarkedText(text, start, _marked(text)))
        start += text.count("\n") + 1
    return found


def _marked(text: str) -> Marked:
    [mark] = re.finditer(r"^#( *)\^ (.*)$", text, re.MULTILINE)
    [help] = re.findall(r"^# help: (.*)$", text, re.MULTILINE) or [None]
    column = len(mark[1]) + 2 if mark[1] else 1
    return Marked(text[: mark.start()].count("\n"), column, mark[2], help)


# Runs to report, made without any card database.

TEXT = """\
Name: Swarm
Leader: Eredin
3 Nekker
2 Ghoul
\t4 Nekker // more
"""

FORMAT = Format(
    id="gwent/standard",
    game="gwent",
    name="standard",
    title="Standard",
    snapshot="2025-10",
    constraints=(),
    options=MappingProxyType({}),
    fingerprint="0123456789ab",
    origin="gwent/formats/standard.yaml",
)


def span(line: int, start: int, end: int) -> Span:
    return Span(Position(line, start), Position(line, end))


def finding(
    place: Span,
    message: str = "7 copies of `Nekker`, at most 3 allowed",
    severity: Severity = Severity.ERROR,
    *,
    notes: tuple[str, ...] = (),
    help: str | None = None,
    related: tuple[Related, ...] = (),
    path: str = "decks/swarm.deck",
) -> Finding:
    return Finding(
        code="DL103",
        name="too-many-copies",
        severity=severity,
        message=message,
        path=path,
        span=place,
        notes=notes,
        help=help,
        related=related,
    )


def report(*findings: Finding, text: str = TEXT, index: int = 0) -> DeckReport:
    source = DeckSource("decks/swarm.deck", index)
    deck = Deck(source, "Swarm", None, None, None, (), span(1, 7, 12), {})
    return DeckReport(source, deck, FORMAT, findings, text)


def written(
    name: str, *reports: DeckReport, color: bool = False, with_summary: bool = False
) -> str:
    """What the reporter `name` writes about `reports`."""
    stream = io.StringIO()
    run = Validation(reports)
    dict(REPORTERS)[name](run, stream, Style(color), with_summary)
    return stream.getvalue()
