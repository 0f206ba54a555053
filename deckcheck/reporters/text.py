"""Findings for people: full, concise, markdown, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from deckcheck.findings import Finding, Severity, Span, split_lines
from deckcheck.markup import code, message, plain, table_row
from deckcheck.messages import line_start, printable
from deckcheck.reporters.base import (
    left_out_line,
    name_formats,
    summarise,
    summary_lines,
    write_object,
)
from deckcheck.terminal import PLAIN, Style, width
from deckcheck.validation import DeckReport, Validation

if TYPE_CHECKING:
    from deckcheck.validation.documents import StatisticsDocument


# `full`: findings with the lines they are about, for people

MAX_RELATED = 8


def write_full(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write every finding with header, place, source lines, notes and help."""
    for report in run.parts:
        if not report.findings:
            continue
        lines = []
        if report.text:
            lines = split_lines(report.text)
        for finding in report.findings:
            stream.write(_write_finding(finding, lines, style) + "\n")
    if with_summary:
        for line in (*summary_lines(run, style), *name_formats(run)):
            stream.write(f"{line}\n")


def _write_finding(finding: Finding, lines: Sequence[str], style: Style) -> str:
    rows = list(draw_marks(lines, _list_marks(finding)))
    gutter = max((len(str(row.number)) for row in rows if row.number), default=1)
    bar = style.frame(f"{'':{gutter}} |")
    arrow = style.frame(" " * gutter + "-->")
    kind = style.severity(finding.severity, finding.kind)
    message = style.strong(f"{finding.name}: {printable(finding.message)}")
    out = [f"{kind} {message}", f"{arrow} {printable(finding.place)}"]
    if rows:
        out.append(bar)
    for row in rows:
        if row.number is not None:
            number = style.frame(f"{row.number:>{gutter}} |")
            out.append(f"{number} {row.text}".rstrip())
        elif row.mark is None:
            out.append(style.frame(row.text))
        elif row.mark.is_primary:
            out.append(f"{bar} {style.severity(finding.severity, row.text)}")
        else:
            out.append(f"{bar} {style.frame(row.text)}")
    remarks = [("note", note) for note in finding.notes]
    if finding.help is not None:
        remarks.append(("help", finding.help))
    if remarks and rows:
        out.append(bar)
    for remark, text in remarks:
        equals = style.frame(f"{'':{gutter}} =")
        out.append(f"{equals} {style.strong(remark)}: {printable(text)}")
    return "\n".join(out) + "\n"


def _list_marks(finding: Finding) -> list[CaretMark]:
    """Return the place of the finding and some related places."""
    related = finding.related[:MAX_RELATED]
    hidden = len(finding.related) - len(related)
    label = ""
    if hidden:
        label = f"and {hidden} more lines like these"
    marks = [CaretMark(finding.span, label, is_primary=True)]
    for other in related:
        marks.append(CaretMark(other.span, other.message, is_primary=False))
    return marks


# Source lines with carets under the place of a finding.

TAB_SPACES = "    "
MAX_LINE_WIDTH = 100
"""Characters of a line that are shown. Longer lines are cut around the mark."""
CONTEXT_WIDTH = 20
"""Characters before the mark in a cut line."""
CUT_MARK = "..."


@dataclass(frozen=True, slots=True)
class CaretMark:
    """A stretch to underline: with carets for the finding itself, else with dashes."""

    span: Span
    label: str
    is_primary: bool


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A source line, an underline, or `...` for lines that are left out."""

    text: str
    number: int | None = None
    """The number of a source line."""
    mark: CaretMark | None = None
    """The mark of an underline."""


def draw_marks(lines: Sequence[str], marks: Sequence[CaretMark]) -> Iterator[DrawnLine]:
    """Yield each marked line and then its underlines, in order.

    Tabs become spaces, control characters are escaped, and long lines are cut.
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
                yield DrawnLine(CUT_MARK)
            yield DrawnLine(before + marked + after, number)
        last = number
        sign = "^" if mark.is_primary else "-"
        underline = " " * width(before) + sign * max(width(marked), 1)
        yield DrawnLine(f"{underline} {mark.label}".rstrip(), mark=mark)


def _cut_line(source: str, start: int, end: int) -> tuple[str, str, str]:
    """Split the visible part of a line: before, inside and after the mark."""
    head, tail = "", ""
    if len(source) > MAX_LINE_WIDTH:
        if start > MAX_LINE_WIDTH // 2:
            cut = start - CONTEXT_WIDTH
            source = source[cut:]
            start -= cut
            end -= cut
            head = CUT_MARK
        if len(source) > MAX_LINE_WIDTH:
            source, tail = source[:MAX_LINE_WIDTH], CUT_MARK
            end = min(end, MAX_LINE_WIDTH)
    before = _show(source[:start])
    marked = _show(source[start:end])
    after = _show(source[end:])
    return head + before, marked, after + tail


def _show(source: str) -> str:
    return printable(source.replace("\t", TAB_SPACES))


# `concise`: a line per finding


def write_concise(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write `path:line:column: error[DL102] too-many-cards: message`."""
    for report in run.parts:
        for finding in report.findings:
            kind = style.severity(finding.severity, finding.kind)
            text = f"{finding.name}: {printable(finding.message)}"
            stream.write(f"{line_start(finding.place)}: {kind} {text}\n")
    if with_summary:
        stream.writelines(f"{line}\n" for line in summary_lines(run, style))


# `line`: a single line for a chat

MAX_NAMED_DECKS = 3
"""The most illegal decks that `line` names."""


def write_line(run: Validation, stream: TextIO, *_: object) -> None:
    """Write the summary, and the first error of the first illegal decks."""
    illegal = [report for report in run.reports if not report.legal]
    phrases = []
    for report in illegal[:MAX_NAMED_DECKS]:
        name = report.name or report.source.path
        error = next(f for f in report.findings if f.severity is Severity.ERROR)
        phrases.append(f"{name}: {error.message}")
    if len(illegal) > MAX_NAMED_DECKS:
        phrases.append(f"{len(illegal) - MAX_NAMED_DECKS} more")
    text = "; ".join(summary_lines(run, PLAIN))
    if phrases:
        text = f"{text}: {'; '.join(phrases)}"
    stream.write(f"{printable(' '.join(text.split()))}\n")


# `markdown`: tables for people, for a page, a comment or a summary of a CI job


def write_markdown(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a table of the findings. The summary adds a table of the decks."""
    if with_summary:
        stream.write(f"## {summarise(run, PLAIN)}\n")
    if run.findings:
        stream.write("\n| place | finding | message | remedy |\n")
        stream.write("|---|---|---|---|\n")
    for report in run.parts:
        stream.writelines(map(_format_row, report.findings))
    if with_summary:
        stream.writelines(_write_decks(run))


def _format_row(finding: Finding) -> str:
    position = code(finding.place)
    severity = finding.severity.value
    if finding.severity is Severity.ERROR:
        severity = f"**{severity}**"
    kind = f"{severity} {finding.code} {finding.name}"
    parts = (message(finding.message), message(finding.help or ""))
    return f"{table_row([position, kind, *parts])}\n"


def _write_decks(run: Validation) -> Iterator[str]:
    yield "\n| deck | file | format | verdict |\n|---|---|---|---|\n"
    for report in run.reports:
        yield _write_deck(report)
    for line in (*left_out_line(run), *name_formats(run)):
        yield f"\n{message(line)}\n"


def _write_deck(report: DeckReport) -> str:
    name, fmt = "unreadable", "none"
    if report.name is not None:
        name = plain(report.name)
    if report.format is not None:
        fmt = plain(report.format.id)
    verdict = "legal" if report.legal else "**illegal**"
    return f"{table_row([name, code(report.source.path), fmt, verdict])}\n"


# Counts of each kind of finding

Count = tuple[str, str, Severity, int]
"""Code, name and severity of a kind of finding, and how often it occurs."""


def count_findings(run: Validation) -> list[Count]:
    """Count each kind of finding, the most frequent kind first, then by code."""
    numbers = Counter((f.code, f.name, f.severity) for f in run.findings)
    counts = [(*kind, number) for kind, number in numbers.items()]
    return sorted(counts, key=lambda count: (-count[-1], *count[:-1]))


def _write_text(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a line per kind: how often, code, name."""
    counts = count_findings(run)
    wide = max((len(str(number)) for *_, number in counts), default=1)
    if counts:
        wide = max(wide, len("count"))
        stream.write("count  finding\n")
    for kind_code, name, severity, number in counts:
        kind = f"{severity}[{kind_code}]"
        stream.write(f"{number:>{wide}}  {style.severity(severity, kind)} {name}\n")
    if with_summary:
        stream.writelines(f"{line}\n" for line in summary_lines(run, style))


def _write_json(
    run: Validation, stream: TextIO, style: Style, with_summary: bool
) -> None:
    """Write a list of objects."""
    document: StatisticsDocument = [
        {"code": code, "name": name, "severity": severity.value, "count": number}
        for code, name, severity, number in count_findings(run)
    ]
    write_object(document, stream)


STATISTICS_WRITERS = {"full": _write_text, "concise": _write_text, "json": _write_json}
"""The writers of `--statistics`, by the output that they replace."""
