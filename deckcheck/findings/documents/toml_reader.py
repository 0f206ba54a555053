"""TOML documents: tomllib reads the values, a small scanner finds their places."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, time

from deckcheck.findings.documents.model import (
    MAX_DEPTH,
    TOO_DEEP,
    Document,
    DocumentError,
    Node,
    Reason,
    Text,
    decode,
)
from deckcheck.findings.finding import Position, Span

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
# Only single characters are repeated possessively: before Python 3.11.5 a group that
# holds a choice matches wrongly then (https://github.com/python/cpython/issues/106052).
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_MANY_PARTS = re.compile(
    rf"(?:^[ \t]*+\[{{0,2}}|[{{,])(?:[ \t]*+{_PART}[ \t]*+\.){{{MAX_DEPTH}}}",
    re.MULTILINE,
)
_BARE_VALUE = re.compile(r"[^,\]}#\r\n]*")
_STRING = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*"{3,5}'
    r"|'''[^']*+(?:'(?!'')[^']*+)*'{3,5}"
    r'|"[^"\\]*+(?:\\.[^"\\]*+)*"'
    r"|'[^']*+'",
    re.DOTALL,
)


def read_toml(source: bytes | str) -> Document:
    """Read one TOML document; dates and times become text.

    Raises DocumentError for bad syntax and encodings, and beyond MAX_BYTES or
    MAX_DEPTH.
    """
    text = Text(decode(source))
    dotted = _TOO_MANY_PARTS.search(text.content)
    if dotted is not None:
        # The time that tomllib takes grows with the square of their number.
        message = f"a key has more than {MAX_DEPTH} parts"
        raise DocumentError(message, text.span(dotted.start()), Reason.UNSUPPORTED)
    try:
        data = _plain(tomllib.loads(text.content))
        return Document(data, text, _Scanner(text.content).scan())
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(text, str(error)) from None
    except RecursionError:
        raise DocumentError(TOO_DEEP, text.span(0), Reason.UNSUPPORTED) from None
    except ValueError:
        # Of a number with thousands of digits.
        message = "a number is too long"
        raise DocumentError(message, text.span(0), Reason.UNSUPPORTED) from None


def _syntax_error(text: Text, message: str) -> DocumentError:
    where = _WHERE.search(message)
    place = text.position(len(text.content))
    if where is not None and where[1]:
        place = Position(int(where[1]), int(where[2]))
    return DocumentError(_WHERE.sub("", message), Span(place, place))


def _plain(value: object, depth: int = 0) -> object:
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return value


class _Scanner:
    """Finds keys and values in a text that tomllib has accepted."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.at = 0

    def scan(self) -> Node:
        root = table = Node(0, len(self.content), {}, {})
        while self.peek():
            if self.content[self.at] == "[":
                table = self.header(root)
            else:
                self.entry(table)
        return root

    def peek(self) -> str:
        """The next character that is neither space nor comment, if any."""
        self.skip(_BLANK)
        return self.content[self.at : self.at + 1]

    def skip(self, pattern: re.Pattern[str]) -> str:
        skipped = pattern.match(self.content, self.at)
        self.at = skipped.end() if skipped else self.at
        return skipped[0] if skipped else ""

    def header(self, root: Node) -> Node:
        """`[table]` or `[[table]]`: the node that the next entries belong to."""
        is_item = self.content.startswith("[[", self.at)
        self.at += 1 + is_item
        node = root
        names = self.names()
        for name, start, end in names:
            node = _enter(node, name, start, end)
            is_last = (name, start, end) == names[-1]
            if 0 in node.children and not (is_item and is_last):
                node = node.children[len(node.children) - 1]
        if is_item:
            _, start, end = names[-1]
            place = len(node.children)
            node.children[place] = Node(start, end, {}, {})
            node = node.children[place]
        self.skip(_SPACE)
        self.at += 1 + is_item
        return node

    def names(self) -> list[tuple[str, int, int]]:
        """A key, dotted or not: its parts and where each stands."""
        parts = []
        while True:
            self.skip(_SPACE)
            start = self.at
            written = self.skip(_BARE_KEY) or self.skip(_STRING)
            name = written
            if written[:1] in ("'", '"'):
                name = tomllib.loads(f"key = {written}")["key"]
            parts.append((name, start, self.at))
            self.skip(_SPACE)
            if not self.content.startswith(".", self.at):
                return parts
            self.at += 1

    def entry(self, table: Node) -> None:
        *above, (name, start, end) = self.names()
        for part in above:
            table = _enter(table, *part)
        self.at += 1
        self.skip(_SPACE)
        table.keys[name] = (start, end)
        table.children[name] = self.value()

    def value(self) -> Node:
        start = self.at
        mark = self.content[start : start + 1]
        node = Node(start, start, {}, {})
        if mark in ("[", "{"):
            closing = "]" if mark == "[" else "}"
            self.at += 1
            while self.peek() not in (closing, ""):
                if self.content[self.at] == ",":
                    self.at += 1
                elif mark == "{":
                    self.entry(node)
                else:
                    node.children[len(node.children)] = self.value()
            self.at += 1
        elif not self.skip(_STRING):
            written = self.skip(_BARE_VALUE)
            self.at -= len(written) - len(written.rstrip())
        node.end = self.at
        return node


def _enter(node: Node, name: str, start: int, end: int) -> Node:
    """The table of that name below `node`, a new one if there is none."""
    if name not in node.children:
        node.keys[name] = (start, end)
        node.children[name] = Node(start, end, {}, {})
    return node.children[name]
