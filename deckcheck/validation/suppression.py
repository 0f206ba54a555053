"""Suppression comments: read, and applied to the findings of a file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath

from deckcheck.decks.findings import (
    MALFORMED_SUPPRESSION,
    SUPPRESSION_SIGN,
    UNKNOWN_SUPPRESSION,
    UNUSED_SUPPRESSION,
)
from deckcheck.decks.lines import list_lines, read_comments
from deckcheck.decks.model import Line
from deckcheck.findings import LINE_END, Finding, Span, on_line
from deckcheck.messages import nearest, quote, suggestion
from deckcheck.rules import DECK_RULES
from deckcheck.validation.verdicts import DeckReport

# Reads suppression comments: `# deckcheck: ignore[too-many-copies]`

MAX_IGNORES = 1_000

_DIRECTIVE_PATTERN = re.compile(r"(?:#|//)\s*deckcheck\s*:\s*(?P<body>(?P<verb>\w*).*)")
_IGNORE_PATTERN = re.compile(r"ignore\s*\[(?P<names>[^\]]*)\]")
_COMMENT_PATTERN = re.compile(rf".*?(?:{LINE_END.pattern}|\Z)", re.DOTALL)
_NAME_PATTERN = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


@dataclass(frozen=True, slots=True)
class Ignore:
    """A name of a suppression comment."""

    name: str | None
    """The name or code of a finding, or None if none can be read."""
    span: Span
    line: int | None
    """The line that it is for, or None for the whole file."""
    is_alone: bool
    """Whether the comment has a line of its own."""


def find_ignores(text: str, path: str) -> list[Ignore]:
    """Return every suppression in a file. The suffix of `path` determines the syntax.

    JSON has no comments, so it has none. At most MAX_IGNORES are read.
    """
    comments = list_comments(text, path) if SUPPRESSION_SIGN in text else []
    ignores: list[Ignore] = []
    first: int | None = None
    for comment in comments:
        match = _DIRECTIVE_PATTERN.search(comment.text)
        if match is None:
            continue
        if first is None:
            first = _find_first_line(text)
        names = _read_names(comment, match, first)
        ignores += islice(names, MAX_IGNORES - len(ignores))
    return ignores


def list_comments(text: str, path: str) -> list[Line]:
    """Return every comment in a file. The suffix of `path` determines the syntax."""
    suffix = PurePath(path).suffix.lower()
    if suffix in (".yaml", ".yml"):
        return list(_iterate_yaml_comments(text))
    return [] if suffix == ".json" else list(read_comments(text))


def _find_first_line(text: str) -> int:
    """Return the number of the first line besides comments and separators."""
    lines = (line.span.start.line for line in list_lines(text) if line.text.strip("-"))
    return next(lines, 0)


def _read_names(comment: Line, match: re.Match[str], first: int) -> Iterator[Ignore]:
    number = comment.span.start.line
    is_alone = not comment.remark
    line = None if is_alone and number < first else number

    def ignore(name: str | None, start: int, end: int) -> Ignore:
        return Ignore(name, comment.part(start, end), line, is_alone)

    body = match["body"].rstrip()
    start = match.start("body")
    ignored = _IGNORE_PATTERN.match(body)
    is_read = False
    if ignored is not None:
        offset = start + ignored.start("names")
        for name in _NAME_PATTERN.finditer(ignored["names"]):
            is_read = True
            yield ignore(name[0], offset + name.start(), offset + name.end())
    if not is_read and _is_suppression(match["verb"], body):
        yield ignore(None, match.start(), start + len(body))


def _is_suppression(verb: str, body: str) -> bool:
    """Report whether a comment to deckcheck was probably meant as a suppression."""
    return "[" in body or bool(nearest(verb, ["ignore"]))


def _iterate_yaml_comments(text: str) -> Iterator[Line]:
    """Yield every comment of a YAML text, without `#` in values."""
    values = _find_yaml_values(text)
    starts = [start for start, _ in values]
    offset = 0
    for number, line in enumerate(_COMMENT_PATTERN.findall(text), start=1):
        for sign in re.finditer(r"(?:^|(?<=\s))#", line):
            index = offset + sign.start()
            before = bisect_right(starts, index)
            if not before or index >= values[before - 1][1]:
                beside = line[: sign.start()].strip()
                comment = line[sign.start() :].rstrip("\r\n")
                start = sign.start() + 1
                span = on_line(number, start, start + len(comment))
                yield Line(comment, span, remark=beside)
                break
        offset += len(line)


def _find_yaml_values(text: str) -> list[tuple[int, int]]:
    """Return the spans of the values and keys of a YAML text that contain a `#`."""
    import yaml

    loader = getattr(yaml, "CLoader", yaml.Loader)
    values = []
    try:
        for token in yaml.scan(text, Loader=loader):
            start, end = token.start_mark.index, token.end_mark.index
            if isinstance(token, yaml.ScalarToken) and "#" in text[start:end]:
                values.append((start, end))
    except (yaml.YAMLError, UnicodeEncodeError):
        # Reported by the reader; everything before the defect has been seen.
        pass
    return values


# Applies suppression comments to the findings of a file

_Key = tuple[int | None, str]
"""A line, None for the whole file, and the name of a finding."""

_NAME_BY_CODE = {rule.code: rule.name for rule in DECK_RULES}
_REMOVE_HELP = "Remove it"
_MOVE_HELP = (
    "Write it at the end of the line it is about, or above the first line of the file"
)


def suppress(reports: Sequence[DeckReport]) -> list[DeckReport]:
    """Remove the findings that comments of a file ignore, and report useless comments.

    `reports` are the reports of all decks of the file. A deck without a verdict keeps
    its findings: no comment makes it legal.
    """
    first = reports[0]
    ignores = find_ignores(first.text, first.source.path)
    if not ignores:
        return list(reports)
    used: set[_Key] = set()
    by_place = _by_place(ignores)
    remaining = [_apply_ignores(report, by_place, used) for report in reports]
    is_judged = all(report.format is not None for report in reports)
    for ignore in ignores:
        finding = _check_comment(ignore, first.source.path)
        key = _ignore_key(ignore)
        is_used = key in used and by_place[key] is ignore
        if finding is None and is_judged and not is_used:
            finding = _make_unused_finding(ignore, first.source.path)
        if finding is not None:
            index = _find_deck(remaining, finding.span.start.line)
            remaining[index] = remaining[index].with_finding(finding)
    return remaining


def _ignore_key(ignore: Ignore) -> _Key:
    name = ignore.name or ""
    return ignore.line, _NAME_BY_CODE.get(name.upper(), name.lower())


def _by_place(ignores: Iterable[Ignore]) -> dict[_Key, Ignore]:
    """Return the first comment of each name on each line."""
    by_place: dict[_Key, Ignore] = {}
    for ignore in ignores:
        by_place.setdefault(_ignore_key(ignore), ignore)
    return by_place


def _apply_ignores(
    report: DeckReport, ignores: Container[_Key], used: set[_Key]
) -> DeckReport:
    """Return the report without ignored findings, and add the comments to `used`."""
    if report.format is None:
        return report
    findings = []
    suppressed = []
    for finding in report.findings:
        # A comment on the line has priority over a comment for the file.
        for key in ((finding.span.start.line, finding.name), (None, finding.name)):
            if key in ignores:
                used.add(key)
                suppressed.append(finding)
                break
        else:
            findings.append(finding)
    return replace(report, findings=tuple(findings), suppressed=tuple(suppressed))


def _check_comment(ignore: Ignore, path: str) -> Finding | None:
    """Return the defect of a comment with any deck, or None."""
    if ignore.name is None:
        message = "A suppression needs the name of a finding"
        help = "Write `# deckcheck: ignore[name]`"
        return MALFORMED_SUPPRESSION.at(path, ignore.span, message, help=help)
    names = _NAME_BY_CODE.values()
    if ignore.name.lower() in names or ignore.name.upper() in _NAME_BY_CODE:
        return None
    help = suggestion(nearest(ignore.name, names), "`deckcheck rule` lists them")
    message = f"Unknown finding {quote(ignore.name)}"
    return UNKNOWN_SUPPRESSION.at(path, ignore.span, message, help=help)


def _make_unused_finding(ignore: Ignore, path: str) -> Finding:
    name = quote(ignore.name or "")
    if ignore.line is None:
        message, help = f"The file has no finding {name} to suppress", _REMOVE_HELP
    else:
        message = f"The line has no finding {name} to suppress"
        help = _MOVE_HELP if ignore.is_alone else _REMOVE_HELP
    return UNUSED_SUPPRESSION.at(path, ignore.span, message, help=help)


def _find_deck(reports: Sequence[DeckReport], line: int) -> int:
    """Return the index of the deck that a line of the file belongs to."""
    last = 0
    for index, report in enumerate(reports):
        if report.deck is not None and report.deck.span.start.line <= line:
            last = index
    return last
