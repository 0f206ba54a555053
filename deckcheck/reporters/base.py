"""The contract of a reporter, source lines with carets, fingerprints."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol, TextIO, TypeAlias, TypeVar

from deckcheck.cards.models import describe_changes
from deckcheck.files import relative_path
from deckcheck.findings import Finding, Severity, Span, split_lines
from deckcheck.markup import json_pieces
from deckcheck.messages import plural, printable
from deckcheck.terminal import Style, width
from deckcheck.validation import DeckReport, FileReport, Validation

# The contract of a reporter


class Reporter(Protocol):
    """Writes the verdicts of a run to a stream.

    `with_summary` asks for a closing summary, if the output has a summary. Reporters
    that ignore `style` and `with_summary` take `*_`.
    """

    def __call__(
        self, run: Validation, stream: TextIO, style: Style, with_summary: bool
    ) -> None: ...


def summarise(run: Validation, style: Style) -> str:
    """Sum a run up: `3 decks checked, 2 legal, 1 illegal (2 errors, 1 warning)`."""
    total = len(run.reports)
    legal = sum(report.legal for report in run.reports)
    parts = [f"{plural(total, 'deck')} checked"]
    if legal:
        parts.append(style.good(f"{legal} legal"))
    if legal < total:
        parts.append(style.severity(Severity.ERROR, f"{total - legal} illegal"))
    return ", ".join(parts) + count_severities(run)


def summary_lines(run: Validation, style: Style) -> list[str]:
    """Return the summary, and a line about other files."""
    return [summarise(run, style), *left_out_line(run)]


def left_out_line(run: Validation) -> list[str]:
    """Return the line `Not checked: 2 .jpg, 1 excluded`, if anything was left out."""
    return [f"Not checked: {run.left_out}"] if run.left_out else []


def count_severities(run: Validation) -> str:
    """Return ` (2 errors, 1 warning, 3 suppressed)`, or empty text."""
    numbers = Counter(finding.severity for finding in run.findings)
    counts = [plural(numbers[s], s.value) for s in Severity if numbers[s]]
    suppressed = sum(len(report.suppressed) for report in run.reports)
    if suppressed:
        counts.append(f"{suppressed} suppressed")
    if run.whole is not None:
        known = len(run.whole.findings) - len(run.findings)
        counts.append(f"{known} in the baseline")
    return f" ({', '.join(counts)})" if counts else ""


def name_formats(run: Validation) -> list[str]:
    """Return a line like `gwent/standard (2025-10), fingerprint 0123456789ab`.

    A line for each set of the user names the changes of cards.
    """
    names = [f"{fmt.id} ({fmt.month})" for fmt in run.formats]
    if not names:
        return []
    head = ", ".join([*names, f"rules fingerprint {run.fingerprint}"])
    return [printable(line) for line in (head, *describe_changes(run.changes))]


def full_message(finding: Finding) -> str:
    """Return the message with notes and help, a line each."""
    help = [finding.help] if finding.help else []
    return "\n".join(map(printable, [finding.message, *finding.notes, *help]))


def write_object(content: object, stream: TextIO) -> None:
    """Write a JSON document, indented by two spaces, with a line end."""
    stream.writelines(json_pieces(content))


# Source lines with carets under the place of a finding

TAB_SPACES = "    "
MAX_LINE_WIDTH = 100
CONTEXT_WIDTH = 20
CUT_MARK = "..."


@dataclass(frozen=True, slots=True)
class CaretMark:
    """A stretch to underline: with carets for the finding itself, else with dashes."""

    span: Span
    label: str
    is_primary: bool


def draw(
    lines: Sequence[str], marks: Sequence[CaretMark]
) -> Iterator[tuple[int | None, str, CaretMark | None]]:
    """Yield each marked line and then its underlines, in order.

    A line is (number, text, None), an underline (None, text, mark), and left-out lines
    (None, "...", None). Tabs become spaces, control characters are escaped, and long
    lines are cut around the mark.
    """
    last = None
    for mark in sorted(marks, key=lambda mark: (mark.span, not mark.is_primary)):
        number = mark.span.start.line
        if number > len(lines):
            continue
        source = lines[number - 1]
        start = min(mark.span.start.column - 1, len(source))
        end = len(source)
        if mark.span.end.line == number:
            end = min(max(mark.span.end.column - 1, start), end)
        before, marked, after = _cut_line(source, start, end)
        if number != last:
            if last is not None and number > last + 1:
                yield None, CUT_MARK, None
            yield number, before + marked + after, None
        last = number
        sign = "^" if mark.is_primary else "-"
        underline = " " * width(before) + sign * max(width(marked), 1)
        yield None, f"{underline} {mark.label}".rstrip(), mark


def _cut_line(source: str, start: int, end: int) -> tuple[str, str, str]:
    """Split the visible part of a line: before, inside and after the mark."""
    head, tail = "", ""
    if len(source) > MAX_LINE_WIDTH:
        if start > MAX_LINE_WIDTH // 2:
            cut = start - CONTEXT_WIDTH
            source = source[cut:]
            start = start - cut
            end = end - cut
            head = CUT_MARK
        if len(source) > MAX_LINE_WIDTH:
            source, tail = source[:MAX_LINE_WIDTH], CUT_MARK
            end = min(end, MAX_LINE_WIDTH)
    parts = (source[:start], source[start:end], source[end:])
    before, marked, after = (part.replace("\t", TAB_SPACES) for part in parts)
    return head + printable(before), printable(marked), printable(after) + tail


# Paths as CI services need them: from the root of the repository on

REPOSITORY_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Variables in which GitHub and GitLab name the folder of the repository."""

_NO_FILE = re.compile(r"<|DC[0-9]+_")
"""How the name of standard input and of a share code begins."""

Part = TypeVar("Part", DeckReport, FileReport)


def repository_paths(
    folder: Path | None = None, fallback: Path | None = None
) -> Callable[[str], str]:
    """Return the function that changes shown paths to paths from the root on.

    Shown paths start from `folder`, by default the working folder. The root is the
    folder that a CI service names, else the nearest folder above with `.git`, else
    `fallback`. Without a root, and outside of the root, a path stays as it is.
    """
    start = os.path.realpath(folder or os.curdir)
    root = _find_root(start)
    if root is None and fallback is not None:
        root = os.path.realpath(fallback)
    if root is None:
        return str

    @cache
    def locate(path: str) -> str:
        if _NO_FILE.match(path):
            return path
        parent, name = os.path.split(os.path.join(start, path))
        relative = relative_path(os.path.join(os.path.realpath(parent), name), root)
        is_outside = os.path.isabs(relative) or relative.split(os.sep)[0] == os.pardir
        return path if is_outside else relative.replace(os.sep, "/")

    return locate


def _find_root(start: str) -> str | None:
    for variable in REPOSITORY_VARIABLES:
        root = os.path.realpath(os.environ.get(variable) or os.devnull)
        if Path(start).is_relative_to(root):
            return root
    for folder in (Path(start), *Path(start).parents):
        if os.path.lexists(folder / ".git"):
            return str(folder)
    return None


def in_repository(run: Validation, fallback: Path | None = None) -> Validation:
    """Return the run with paths from the root on, see `repository_paths`."""
    locate = repository_paths(run.folder, fallback)
    if locate is str:
        return run
    return replace(
        run,
        reports=tuple(_move_report(report, locate) for report in run.reports),
        files=tuple(_move_report(report, locate) for report in run.files),
        whole=run.whole and in_repository(run.whole, fallback),
    )


def _move_report(report: Part, locate: Callable[[str], str]) -> Part:
    findings = (replace(f, path=locate(f.path)) for f in report.findings)
    source = replace(report.source, path=locate(report.source.path))
    return replace(report, source=source, findings=tuple(findings))


# Fingerprints that identify a finding from run to run

FINGERPRINT_LENGTH = 32


Identity: TypeAlias = tuple[str, str, str, str, int]
"""Code, path, name of the deck, words pointed at, and the number of equal findings."""


def fingerprint_findings(run: Validation) -> Iterator[tuple[Finding, str]]:
    """Yield every finding in order with its fingerprint, 32 hex digits, each unique."""
    for finding, identity in identify_findings(run):
        parts = "\0".join(map(str, identity))
        data = parts.encode("utf-8", errors="surrogatepass")
        yield finding, sha256(data).hexdigest()[:FINGERPRINT_LENGTH]


def identify_findings(run: Validation) -> Iterator[tuple[Finding, Identity]]:
    """Yield every finding in order with its identity, each unique in a run.

    Lines may move and numbers of a message may change without changing it.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    text, lines = "", [""]
    for report in run.parts:
        if report.findings and report.text is not text:
            text, lines = report.text, split_lines(report.text)
        for finding in report.findings:
            words = _text_at(lines, finding.span)
            identity = (finding.code, finding.path, report.name or "", words)
            seen[identity] += 1
            yield finding, (*identity, seen[identity])


def _text_at(lines: Sequence[str], span: Span) -> str:
    """Return the text of a span on its first line, with single spaces."""
    start, end = span
    line = lines[start.line - 1] if start.line <= len(lines) else ""
    stop = end.column - 1 if end.line == start.line else len(line)
    return " ".join(line[start.column - 1 : stop].split())
