"""Readers of JSON, YAML and TOML, and a file with the defects found in it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from copy import deepcopy
from datetime import date, datetime, time
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from yaml import events
from yaml.reader import ReaderError

from deckcheck.documents.model import (
    MAX_BYTES,
    MAX_DEPTH,
    TOO_DEEP,
    Builder,
    Document,
    DocumentError,
    DocumentText,
    Location,
    Node,
    Reason,
    decode,
    integer,
)
from deckcheck.files import open_file
from deckcheck.findings import Position, Span
from deckcheck.messages import printable

# JSON documents, read with a small scanner of our own.
#
# The YAML reader does not accept all JSON: keys of more than 1024 characters, a key and
# its colon on two lines, surrogate pairs (`\ud83d\ude00`) and leading tabs fail there.

_JSON_SPACE = re.compile(r"[ \t\r\n]*")
_JSON_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+"')
_JSON_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_JSON_WORD = re.compile(r"[^\s\[\]{}:,\"]+")
_JSON_WORDS = {"null": None, "true": True, "false": False}
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_json(source: bytes | str) -> Document:
    """Read a JSON document. An empty text gives None.

    Numbers with a fraction or an exponent are float. Raises DocumentError for bad
    syntax and encodings, duplicate keys, and beyond MAX_BYTES or MAX_DEPTH.
    """
    return _JsonReader(DocumentText(decode(source))).read_document()


class _JsonReader:
    def __init__(self, text: DocumentText) -> None:
        self.text = text
        self.builder = Builder(text)
        self.at = 0

    def read_document(self) -> Document:
        if self.peek():
            self.value()
            while self.builder.depth:
                self.step()
            if self.peek():
                raise self.error("the end of the text")
        return self.builder.finish()

    def peek(self) -> str:
        """Return the next character after spaces, or nothing at the end."""
        match = _JSON_SPACE.match(self.text.content, self.at)
        self.at = match.end() if match else self.at
        return self.text.content[self.at : self.at + 1]

    def error(self, expected: str) -> DocumentError:
        word = _JSON_WORD.match(self.text.content, self.at)
        shown = word[0][:40] if word else self.peek()
        if not shown:
            message = f"expected {expected}, found the end"
            return DocumentError(message, self.text.span(self.at))
        message = f"expected {expected}, found `{shown}`"
        return DocumentError(message, self.text.span(self.at, self.at + len(shown)))

    def step(self) -> None:
        """Read the next item of a collection, or its end."""
        is_mapping, is_empty = self.builder.wants_key, self.builder.is_empty
        closing = "}" if is_mapping else "]"
        mark = self.peek()
        if mark == closing:
            self.at += 1
            self.builder.close(self.at)
            return
        if not is_empty:
            if mark != ",":
                raise self.error(f"`,` or `{closing}`")
            self.at += 1
        if is_mapping:
            self.key()
        self.value()

    def key(self) -> None:
        if self.peek() != '"':
            raise self.error("a key in double quotes")
        start = self.at
        self.builder.key(self.string(), start, self.at)
        if self.peek() != ":":
            raise self.error("`:`")
        self.at += 1

    def value(self) -> None:
        mark = self.peek()
        start = self.at
        if mark in ("{", "["):
            self.at += 1
            self.builder.open({} if mark == "{" else [], start)
        elif mark == '"':
            self.builder.scalar(self.string(), start, self.at)
        elif mark == "-" or mark.isdigit():
            self.builder.scalar(self.number(), start, self.at)
        else:
            word = _JSON_WORD.match(self.text.content, start)
            if not word or word[0] not in _JSON_WORDS:
                raise self.error("a value")
            self.at = word.end()
            self.builder.scalar(_JSON_WORDS[word[0]], start, self.at)

    def string(self) -> str:
        match = _JSON_STRING.match(self.text.content, self.at)
        if not match:
            message = "text in double quotes does not end on its line"
            raise DocumentError(message, self.text.span(self.at))
        try:
            value = json.loads(match[0])
        except json.JSONDecodeError as error:
            message = "this escape sequence is not allowed"
            span = self.text.span(self.at + error.pos)
            raise DocumentError(message, span) from None
        if _LONE_SURROGATE.search(value):
            message = "half a surrogate pair is not a character"
            raise DocumentError(message, self.text.span(self.at, match.end()))
        self.at = match.end()
        return str(value)

    def number(self) -> int | float:
        match = _JSON_NUMBER.match(self.text.content, self.at)
        word = _JSON_WORD.match(self.text.content, self.at)
        if not match or not word or match.end() != word.end():
            raise self.error("a number")
        start, self.at = self.at, match.end()
        if match[2] is None and match[3] is None:
            return integer(self.builder, match[1], start)
        value = float(match[0])
        if value in (float("inf"), float("-inf")):
            message = f"number `{match[0][:40]}` is too large"
            raise DocumentError(message, self.text.span(start, self.at))
        return value


# YAML documents, read event by event.
#
# Events rather than composed nodes: anchors, tags and further documents are still
# visible in them, and depth is bounded before anything recurses.

_YAML_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_INTEGER_SIGNS = frozenset("-0123456789")
_YAML_WORDS = {"": None, "null": None, "true": True, "false": False}
_YAML_PROBLEMS = {
    "mapping values are not allowed in this context": "a `:` is not expected here",
    "could not find expected ':'": "a `:` is missing after this key",
    "did not find expected key": "a key is expected at this indentation",
    "did not find expected '-' indicator": "a `-` is expected at this indentation",
    "did not find expected ',' or ']'": "a `,` or `]` is missing",
    "did not find expected ',' or '}'": "a `,` or `}` is missing",
    "found unexpected end of stream": "the closing quote is missing",
    "found character that cannot start any token": "no value can start like this",
    "exceeded maximum nesting depth": TOO_DEEP,
}
"""Our sentences for the errors of libyaml."""


def read_yaml(source: bytes | str) -> Document:
    """Read a YAML document.

    Only decimal integers, `true`, `false` and `null` (or nothing) are typed, without
    quotes. Values such as `no`, `12:30`, `0x1F`, `1_000` and dates stay text. Raises
    DocumentError for bad syntax and encodings, for duplicate keys, anchors, aliases,
    tags, keys other than text, a second document, and beyond MAX_BYTES or MAX_DEPTH.
    """
    return _read_yaml(source, as_stream=False)[0]


def read_yaml_stream(source: bytes | str) -> list[Document]:
    """Read the documents of a YAML stream, separated by `---`, at least one document.

    Their places are in the whole text. Raises DocumentError like `read_yaml`.
    """
    return _read_yaml(source, as_stream=True)


def _read_yaml(source: bytes | str, *, as_stream: bool) -> list[Document]:
    text = DocumentText(decode(source))
    builders = [Builder(text)]
    loader = getattr(yaml, "CLoader", yaml.Loader)
    try:
        for event in yaml.parse(text.content, Loader=loader):
            is_start = isinstance(event, events.DocumentStartEvent)
            if as_stream and is_start and builders[-1].is_begun:
                builders.append(Builder(text))
            _take(builders[-1], event)
    except yaml.MarkedYAMLError as error:
        raise _yaml_error(text, error) from None
    except (ReaderError, UnicodeEncodeError):
        raise _character_error(text) from None
    return [builder.finish() for builder in builders]


def _take(builder: Builder, event: events.Event) -> None:
    first, last = event.start_mark, event.end_mark
    assert first is not None
    assert last is not None
    start, end = first.index, last.index
    if isinstance(event, events.ScalarEvent):
        if event.anchor is not None or event.tag is not None:
            _refuse_extras(builder, event, start, end)
        if builder.wants_key:
            builder.key(event.value, start, end)
        else:
            _take_scalar(builder, event, start, end)
    elif isinstance(event, events.CollectionEndEvent):
        # A block has no closing mark: its end event is where the next value starts.
        builder.close(end if end > start else None)
    elif isinstance(event, events.NodeEvent):
        _refuse_extras(builder, event, start, end)
        if builder.wants_key:
            builder.refuse("a key must be text, not a list or a mapping", start, end)
        is_list = isinstance(event, events.SequenceStartEvent)
        builder.open([] if is_list else {}, start)
    elif isinstance(event, events.DocumentStartEvent) and builder.is_begun:
        builder.refuse("a second document is not allowed", start, end)


def _refuse_extras(
    builder: Builder, event: events.NodeEvent, start: int, end: int
) -> None:
    if isinstance(event, events.AliasEvent):
        builder.refuse(f"alias `*{event.anchor}` is not allowed", start, end)
    if event.anchor is not None:
        builder.refuse(f"anchor `&{event.anchor}` is not allowed", start, end)
    tag = getattr(event, "tag", None)
    if tag is not None:
        builder.refuse(f"tag `{tag}` is not allowed", start, end)


def _take_scalar(
    builder: Builder, event: events.ScalarEvent, start: int, end: int
) -> None:
    value: object = event.value
    if event.implicit[0]:
        if event.value in _YAML_WORDS:
            value = _YAML_WORDS[event.value]
        elif event.value[0] in _INTEGER_SIGNS and _YAML_INTEGER.fullmatch(event.value):
            value = integer(builder, event.value, start)
    elif event.style in ("|", ">"):
        end = start + len(builder.text.content[start:end].rstrip())
    builder.scalar(value, start, end)


def _yaml_error(text: DocumentText, error: yaml.MarkedYAMLError) -> DocumentError:
    problem = str(error.problem or error.context or "bad syntax")
    mark = error.problem_mark or error.context_mark
    start = min(mark.index, len(text.content)) if mark else 0
    span = text.span(start)
    if text.content[start : start + 1] == "\t":
        return DocumentError(
            "a tab is not allowed here", span, help="Indent with spaces"
        )
    return DocumentError(_YAML_PROBLEMS.get(problem, problem), span)


def _character_error(text: DocumentText) -> DocumentError:
    # Compiled here only: it takes longer than reading a file of cards.
    allowed = r"\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    bad = re.search(rf"[^{allowed}\U00010000-\U0010ffff]", text.content)
    start = bad.start() if bad else 0
    code_point = ord(text.content[start])
    message = f"character U+{code_point:04X} is not allowed in YAML"
    return DocumentError(message, text.span(start))


# TOML documents: tomllib reads the values, a small scanner finds their places

_TOML_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
# Only single characters are repeated possessively: before Python 3.11.5 a group that
# holds a choice matches wrongly then (https://github.com/python/cpython/issues/106052).
_TOML_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*")
_TOML_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_MANY_PARTS = re.compile(
    rf"(?:^[ \t]*+\[{{0,2}}|[{{,])(?:[ \t]*+{_KEY_PART}[ \t]*+\.){{{MAX_DEPTH}}}",
    re.MULTILINE,
)
_BARE_VALUE = re.compile(r"[^,\]}#\r\n]*")
_TOML_STRING = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*"{3,5}'
    r"|'''[^']*+(?:'(?!'')[^']*+)*'{3,5}"
    r'|"[^"\\]*+(?:\\.[^"\\]*+)*"'
    r"|'[^']*+'",
    re.DOTALL,
)


def read_toml(source: bytes | str) -> Document:
    """Read a TOML document. Dates and times become text.

    Raises DocumentError for bad syntax and encodings, and beyond MAX_BYTES or
    MAX_DEPTH.
    """
    text = DocumentText(decode(source))
    dotted = _TOO_MANY_PARTS.search(text.content)
    if dotted is not None:
        # The time that tomllib takes grows with the square of their number.
        message = f"a key has more than {MAX_DEPTH} parts"
        raise DocumentError(message, text.span(dotted.start()), Reason.UNSUPPORTED)
    try:
        data = _plain(tomllib.loads(text.content))
        return Document(data, text, _Scanner(text.content).scan())
    except tomllib.TOMLDecodeError as error:
        other = _NO_TOML.get(text.content.lstrip()[:1])
        if other is not None:
            raise DocumentError(other, text.span(0)) from None
        raise _toml_error(text, str(error)) from None
    except RecursionError:
        raise DocumentError(TOO_DEEP, text.span(0), Reason.UNSUPPORTED) from None
    except ValueError:
        # A number with thousands of digits.
        message = "a number is too long"
        raise DocumentError(message, text.span(0), Reason.UNSUPPORTED) from None


_NO_TOML = {"{": "this is JSON, not TOML", "<": "this is HTML or XML, not TOML"}
"""The kind of a file by a first character that TOML does not have."""


def _toml_error(text: DocumentText, message: str) -> DocumentError:
    stated = _TOML_POSITION.search(message)
    position = text.position(len(text.content))
    if stated is not None and stated[1]:
        position = Position(int(stated[1]), int(stated[2]))
    return DocumentError(_TOML_POSITION.sub("", message), Span(position, position))


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
        """Return the next character after spaces and comments, if any."""
        self.skip(_TOML_BLANK)
        return self.content[self.at : self.at + 1]

    def skip(self, pattern: re.Pattern[str]) -> str:
        skipped = pattern.match(self.content, self.at)
        self.at = skipped.end() if skipped else self.at
        return skipped[0] if skipped else ""

    def header(self, root: Node) -> Node:
        """Read `[table]` or `[[table]]`. Return the node for the next entries."""
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
            item = Node(start, end, {}, {})
            node.children[len(node.children)] = item
            node = item
        self.skip(_TOML_SPACE)
        self.at += 1 + is_item
        return node

    def names(self) -> list[tuple[str, int, int]]:
        """Read a key, dotted or not: its parts and their places."""
        parts = []
        while True:
            self.skip(_TOML_SPACE)
            start = self.at
            written = self.skip(_BARE_KEY) or self.skip(_TOML_STRING)
            name = written
            if written[:1] in ("'", '"'):
                name = tomllib.loads(f"key = {written}")["key"]
            parts.append((name, start, self.at))
            self.skip(_TOML_SPACE)
            if not self.content.startswith(".", self.at):
                return parts
            self.at += 1

    def entry(self, table: Node) -> None:
        *above, (name, start, end) = self.names()
        for part in above:
            table = _enter(table, *part)
        self.at += 1
        self.skip(_TOML_SPACE)
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
        elif not self.skip(_TOML_STRING):
            written = self.skip(_BARE_VALUE)
            self.at -= len(written) - len(written.rstrip())
        node.end = self.at
        return node


def _enter(node: Node, name: str, start: int, end: int) -> Node:
    """Return the table of that name below `node`, after adding it if necessary."""
    if name not in node.children:
        node.keys[name] = (start, end)
        node.children[name] = Node(start, end, {}, {})
    return node.children[name]


# A file of the project or of a user, and the defects found in it

T = TypeVar("T")


class SourceDefect(NamedTuple):
    """A fault at a place of a file, as text `path:line:column: message`."""

    path: str
    span: Span
    message: str

    def __str__(self) -> str:
        start = self.span.start
        return printable(f"{self.path}:{start.line}:{start.column}: {self.message}")


class SourceError(ValueError):
    """An unreadable file, with the reason."""

    def __init__(self, defect: SourceDefect) -> None:
        super().__init__(str(defect))
        self.defect = defect


def _read_file(file: Path | None, path: str, read: Callable[[bytes], T]) -> T:
    try:
        with nullcontext(sys.stdin.buffer) if file is None else open_file(file) as s:
            content = s.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"file cannot be read: {error.strerror or error}"
        raise SourceError(
            SourceDefect(path, DocumentText("").span(0), message)
        ) from None
    try:
        return read(content)
    except DocumentError as error:
        raise SourceError(SourceDefect(path, error.span, error.message)) from None


class Source(NamedTuple):
    """A document and the path under which messages name its file."""

    path: str
    document: Document

    @classmethod
    def open(
        cls,
        file: Path | None,
        path: str,
        read: Callable[[bytes], Document] = read_yaml,
    ) -> Source:
        """Read the file, by default as YAML. None is standard input.

        Raises SourceError if the file is unreadable or not a document.
        """
        return cls(path, _read_file(file, path, read))

    @classmethod
    def open_stream(cls, file: Path | None, path: str) -> list[Source]:
        """Open the documents of a YAML file, at least one document, like `open`."""
        documents = _read_file(file, path, read_yaml_stream)
        return [cls(path, document) for document in documents]

    def part(self, key: str) -> Source:
        """Return the value of a key of a mapping as a document."""
        return Source(self.path, self.document.part(key))

    def defect(self, location: Location, message: str) -> SourceDefect:
        """Return a defect of the value at `location`."""
        return SourceDefect(self.path, self.document.span(location), message)

    def key_defect(self, location: Location, message: str) -> SourceDefect:
        """Return a defect of the last key on the way to `location`."""
        return SourceDefect(self.path, self.document.key_span(location), message)

    def read_record(
        self,
        shape: type[T],
        data: object,
        location: Location,
        defects: list[SourceDefect],
    ) -> T | None:
        """Read `data` at `location` as a record, and add its defects to `defects`.

        Returns None if they leave no record. A record may have unknown keys, see
        `records.read_record`.
        """
        from deckcheck.documents.records import read_record

        record, wrongs = read_record(shape, data)
        for wrong in wrongs:
            defect = self.key_defect if wrong.is_key else self.defect
            defects.append(defect((*location, *wrong.location), wrong.message))
        return record

    def read_valid_parts(
        self, shape: type[T], defects: list[SourceDefect], default: Mapping[str, object]
    ) -> T | None:
        """Read the record of the document without its wrong parts, for further checks.

        A wrong value or list is left out, and added to `defects`. `default` has values
        of required keys. Returns None if nothing is left.
        """
        from deckcheck.documents.records import read_record

        data = self.document.data
        record = self.read_record(shape, data, (), defects)
        if record is not None or not isinstance(data, dict):
            return record
        rest = deepcopy(data)
        for wrong in read_record(shape, data)[1]:
            _leave_out(rest, wrong.location)
        return read_record(shape, {**default, **rest})[0]


def _leave_out(data: dict[str, Any], location: Location) -> None:
    """Remove the value at a location, or the list with it."""
    keys = list(takewhile(lambda part: isinstance(part, str), location))
    for key in keys[:-1]:
        inner = data.get(str(key))
        if not isinstance(inner, dict):
            break
        data = inner
    if keys:
        data.pop(str(keys[-1]), None)
