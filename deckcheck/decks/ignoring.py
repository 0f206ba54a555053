"""Reads suppression comments: `# deckcheck: ignore[too-many-copies]`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from deckcheck.decks.lines import Comment, read_comments, read_lines
from deckcheck.decks.suppressions import SIGN
from deckcheck.findings import Position, Span
from deckcheck.findings.words import nearest

MAX_IGNORES = 1_000

_DIRECTIVE = re.compile(r"(?:#|//)\s*deckcheck\s*:\s*(?P<body>(?P<verb>\w*).*)")
_IGNORE = re.compile(r"ignore\s*\[(?P<names>[^\]]*)\]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_NAME = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One name of a suppression comment; `name` is None where none can be read.

    `line` is the line it is about, None for the whole file. `is_alone` means that
    the comment has a line of its own.
    """

    name: str | None
    span: Span
    line: int | None
    is_alone: bool


def find_ignores(text: str, path: str) -> list[Ignore]:
    """Every suppression in a file; the suffix of `path` gives the syntax.

    JSON has no comments, so it has none. No more than MAX_IGNORES are read.
    """
    comments = comments_of(text, path) if SIGN in text else []
    directives = [(comment, _DIRECTIVE.search(comment.text)) for comment in comments]
    if not any(match for _, match in directives):
        return []
    first = _first_line(text)
    ignores = (
        ignore
        for comment, match in directives
        if match is not None
        for ignore in _read(comment, match, first)
    )
    return list(islice(ignores, MAX_IGNORES))


def comments_of(text: str, path: str) -> list[Comment]:
    """Every comment in a file; the suffix of `path` tells the syntax."""
    suffix = PurePath(path).suffix.lower()
    if suffix in (".yaml", ".yml"):
        return list(_yaml_comments(text))
    return [] if suffix == ".json" else list(read_comments(text))


def _first_line(text: str) -> int:
    """The number of the first line that is more than a comment or a separator."""
    lines = (line.number for line in read_lines(text) if line.text.strip("-"))
    return next(lines, 0)


def _read(comment: Comment, match: re.Match[str], first: int) -> Iterator[Ignore]:
    is_file = comment.is_alone and comment.number < first
    line = None if is_file else comment.number

    def ignore(name: str | None, start: int, end: int) -> Ignore:
        place = Position(comment.number, comment.column + start)
        stop = Position(comment.number, comment.column + end)
        return Ignore(name, Span(place, stop), line, comment.is_alone)

    body, start = match["body"].rstrip(), match.start("body")
    ignored = _IGNORE.match(body)
    is_read = False
    if ignored is not None:
        offset = start + ignored.start("names")
        for name in _NAME.finditer(ignored["names"]):
            is_read = True
            yield ignore(name[0], offset + name.start(), offset + name.end())
    if not is_read and _is_meant(match["verb"], body):
        yield ignore(None, match.start(), start + len(body))


def _is_meant(verb: str, body: str) -> bool:
    """Whether a comment to deckcheck was to be a suppression: not every one is."""
    return "[" in body or bool(nearest(verb, ["ignore"]))


def _yaml_comments(text: str) -> Iterator[Comment]:
    """Every comment of a YAML text; `#` within a value is none."""
    values = _yaml_values(text)
    starts = [start for start, _ in values]
    offset = 0
    for number, line in enumerate(_LINE.findall(text), start=1):
        for sign in re.finditer(r"(?:^|(?<=\s))#", line):
            at = offset + sign.start()
            before = bisect_right(starts, at)
            if not before or at >= values[before - 1][1]:
                is_alone = not line[: sign.start()].strip()
                comment = line[sign.start() :].rstrip("\r\n")
                yield Comment(number, sign.start() + 1, comment, is_alone)
                break
        offset += len(line)


def _yaml_values(text: str) -> list[tuple[int, int]]:
    """The places of the values and keys of a YAML text that hold a `#`."""
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
