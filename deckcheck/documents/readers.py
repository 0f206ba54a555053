"""Readers of JSON, YAML and TOML, and a file with the defects found in it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from copy import deepcopy
from datetime import date, datetime, time
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
    parse_integer,
)
from deckcheck.files import open_file
from deckcheck.findings import Position, Span
from deckcheck.messages import printable

if TYPE_CHECKING:
    from deckcheck.documents.records import Wrong

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
    """Reads a JSON text from `offset` on, and builds its document."""

    def __init__(self, text: DocumentText) -> None:
        self.text = text
        self.builder = Builder(text)
        self.offset = 0

    def read_document(self) -> Document:
        if self.peek():
            self.read_value()
            while self.builder.depth:
                self.read_item()
            if self.peek():
                raise self.error("the end of the text")
        return self.builder.finish()

    def peek(self) -> str:
        """Return the next character after spaces, or nothing at the end."""
        match = _JSON_SPACE.match(self.text.content, self.offset)
        if match:
            self.offset = match.end()
        return self.text.content[self.offset : self.offset + 1]

    def error(self, expected: str) -> DocumentError:
        """Return the error that something else was found here."""
        word = _JSON_WORD.match(self.text.content, self.offset)
        shown = word[0][:40] if word else self.peek()
        if not shown:
            message = f"expected {expected}, found the end"
            return DocumentError(message, self.text.span(self.offset))
        message = f"expected {expected}, found `{shown}`"
        return DocumentError(
            message, self.text.span(self.offset, self.offset + len(shown))
        )

    def read_item(self) -> None:
        """Read the next item of a collection, or its end."""
        is_mapping = self.builder.wants_key
        is_empty = self.builder.is_empty
        closing = "}" if is_mapping else "]"
        mark = self.peek()
        if mark == closing:
            self.offset += 1
            self.builder.close(self.offset)
            return
        if not is_empty:
            if mark != ",":
                raise self.error(f"`,` or `{closing}`")
            self.offset += 1
        if is_mapping:
            self.read_key()
        self.read_value()

    def read_key(self) -> None:
        """Read a key and its colon."""
        if self.peek() != '"':
            raise self.error("a key in double quotes")
        start = self.offset
        self.builder.take_key(self.read_string(), start, self.offset)
        if self.peek() != ":":
            raise self.error("`:`")
        self.offset += 1

    def read_value(self) -> None:
        """Read a plain value, or the start of a collection."""
        mark = self.peek()
        start = self.offset
        if mark in ("{", "["):
            self.offset += 1
            self.builder.open({} if mark == "{" else [], start)
        elif mark == '"':
            self.builder.take_scalar(self.read_string(), start, self.offset)
        elif mark == "-" or mark.isdigit():
            self.builder.take_scalar(self.read_number(), start, self.offset)
        else:
            word = _JSON_WORD.match(self.text.content, start)
            if not word or word[0] not in _JSON_WORDS:
                raise self.error("a value")
            self.offset = word.end()
            self.builder.take_scalar(_JSON_WORDS[word[0]], start, self.offset)

    def read_string(self) -> str:
        """Return the text in double quotes that begins here."""
        match = _JSON_STRING.match(self.text.content, self.offset)
        if not match:
            message = "text in double quotes does not end on its line"
            raise DocumentError(message, self.text.span(self.offset))
        try:
            value = json.loads(match[0])
        except json.JSONDecodeError as error:
            message = "this escape sequence is not allowed"
            span = self.text.span(self.offset + error.pos)
            raise DocumentError(message, span) from None
        if _LONE_SURROGATE.search(value):
            message = "half a surrogate pair is not a character"
            raise DocumentError(message, self.text.span(self.offset, match.end()))
        self.offset = match.end()
        return str(value)

    def read_number(self) -> int | float:
        """Return the number that begins here."""
        match = _JSON_NUMBER.match(self.text.content, self.offset)
        word = _JSON_WORD.match(self.text.content, self.offset)
        if not match or not word or match.end() != word.end():
            raise self.error("a number")
        start = self.offset
        self.offset = match.end()
        if match[2] is None and match[3] is None:
            return parse_integer(self.builder, match[1], start)
        value = float(match[0])
        if value in (float("inf"), float("-inf")):
            message = f"number `{match[0][:40]}` is too large"
            raise DocumentError(message, self.text.span(start, self.offset))
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
            _take_event(builders[-1], event)
    except yaml.MarkedYAMLError as error:
        raise _yaml_error(text, error) from None
    except (ReaderError, UnicodeEncodeError):
        raise _character_error(text) from None
    return [builder.finish() for builder in builders]


def _take_event(builder: Builder, event: events.Event) -> None:
    """Add a scalar, or the start or end of a collection, to the document."""
    first, last = event.start_mark, event.end_mark
    assert first is not None
    assert last is not None
    start, end = first.index, last.index
    if isinstance(event, events.ScalarEvent):
        if event.anchor is not None or event.tag is not None:
            _refuse_extras(builder, event, start, end)
        if builder.wants_key:
            builder.take_key(event.value, start, end)
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
    """Raise DocumentError for an alias, an anchor or a tag."""
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
    """Add a scalar, typed if it has no quotes."""
    value: object = event.value
    if event.implicit[0]:
        if event.value in _YAML_WORDS:
            value = _YAML_WORDS[event.value]
        elif event.value[0] in _INTEGER_SIGNS and _YAML_INTEGER.fullmatch(event.value):
            value = parse_integer(builder, event.value, start)
    elif event.style in ("|", ">"):
        end = start + len(builder.text.content[start:end].rstrip())
    builder.take_scalar(value, start, end)


def _yaml_error(text: DocumentText, error: yaml.MarkedYAMLError) -> DocumentError:
    problem = str(error.problem or error.context or "bad syntax")
    mark = error.problem_mark or error.context_mark
    start = min(mark.index, len(text.content)) if mark else 0
    span = text.span(start)
    if text.content[start : start + 1] == "\t":
        message = "a tab is not allowed here"
        return DocumentError(message, span, help="Indent with spaces")
    return DocumentError(_YAML_PROBLEMS.get(problem, problem), span)


def _character_error(text: DocumentText) -> DocumentError:
    """Return the error about the first character that YAML does not allow."""
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
        data = _dates_as_text(tomllib.loads(text.content))
        return Document(data, text, _TomlScanner(text.content).scan())
    except tomllib.TOMLDecodeError as error:
        other = _OTHER_FORMATS.get(text.content.lstrip()[:1])
        if other is not None:
            raise DocumentError(other, text.span(0)) from None
        raise _toml_error(text, str(error)) from None
    except RecursionError:
        raise DocumentError(TOO_DEEP, text.span(0), Reason.UNSUPPORTED) from None
    except ValueError:
        # A number with thousands of digits.
        message = "a number is too long"
        raise DocumentError(message, text.span(0), Reason.UNSUPPORTED) from None


_OTHER_FORMATS = {"{": "this is JSON, not TOML", "<": "this is HTML or XML, not TOML"}
"""The formats of other files, by a first character that TOML does not have."""


def _toml_error(text: DocumentText, message: str) -> DocumentError:
    """Return the error of tomllib, with its place apart from its message."""
    stated = _TOML_POSITION.search(message)
    position = text.position(len(text.content))
    if stated is not None and stated[1]:
        position = Position(int(stated[1]), int(stated[2]))
    return DocumentError(_TOML_POSITION.sub("", message), Span(position, position))


def _dates_as_text(value: object, depth: int = 0) -> object:
    """Return a value with dates and times as text, at any depth."""
    if depth > MAX_DEPTH:
        raise RecursionError  # as tomllib does for still deeper values
    if isinstance(value, dict):
        return {key: _dates_as_text(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_dates_as_text(inner, depth + 1) for inner in value]
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return value


class _TomlScanner:
    """Finds the places of keys and values in a text that tomllib has accepted."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.offset = 0

    def scan(self) -> Node:
        """Return the places of all keys and values."""
        root = Node(0, len(self.content), {}, {})
        table = root
        while self.peek():
            if self.content[self.offset] == "[":
                table = self.read_header(root)
            else:
                self.read_entry(table)
        return root

    def peek(self) -> str:
        """Return the next character after spaces and comments, if any."""
        self.skip(_TOML_BLANK)
        return self.content[self.offset : self.offset + 1]

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Skip the text that fits a pattern, and return it."""
        skipped = pattern.match(self.content, self.offset)
        if skipped is None:
            return ""
        self.offset = skipped.end()
        return skipped[0]

    def read_header(self, root: Node) -> Node:
        """Read `[table]` or `[[table]]`. Return the node for the next entries."""
        is_item = self.content.startswith("[[", self.offset)
        brackets = 2 if is_item else 1
        self.offset += brackets
        node = root
        names = self.read_names()
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
        self.offset += brackets
        return node

    def read_names(self) -> list[tuple[str, int, int]]:
        """Read a key, dotted or not. Return its parts and their places."""
        parts = []
        while True:
            self.skip(_TOML_SPACE)
            start = self.offset
            written = self.skip(_BARE_KEY) or self.skip(_TOML_STRING)
            name = written
            if written[:1] in ("'", '"'):
                name = tomllib.loads(f"key = {written}")["key"]
            parts.append((name, start, self.offset))
            self.skip(_TOML_SPACE)
            if not self.content.startswith(".", self.offset):
                return parts
            self.offset += 1

    def read_entry(self, table: Node) -> None:
        """Read a key and its value into a table."""
        *above, (name, start, end) = self.read_names()
        for part in above:
            table = _enter(table, *part)
        self.offset += 1
        self.skip(_TOML_SPACE)
        table.keys[name] = (start, end)
        table.children[name] = self.read_value()

    def read_value(self) -> Node:
        """Read a value, and return its place."""
        start = self.offset
        mark = self.content[start : start + 1]
        node = Node(start, start, {}, {})
        if mark in ("[", "{"):
            closing = "]" if mark == "[" else "}"
            self.offset += 1
            while self.peek() not in (closing, ""):
                if self.content[self.offset] == ",":
                    self.offset += 1
                elif mark == "{":
                    self.read_entry(node)
                else:
                    node.children[len(node.children)] = self.read_value()
            self.offset += 1
        elif not self.skip(_TOML_STRING):
            written = self.skip(_BARE_VALUE)
            self.offset -= len(written) - len(written.rstrip())
        node.end = self.offset
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
    """Read a file, or standard input for None. Raises SourceError."""
    try:
        stream = nullcontext(sys.stdin.buffer) if file is None else open_file(file)
        with stream as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"file cannot be read: {error.strerror or error}"
        defect = SourceDefect(path, DocumentText("").span(0), message)
        raise SourceError(defect) from None
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
        defects += self._defects_of_record(wrongs, location)
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
        record, wrongs = read_record(shape, data)
        defects += self._defects_of_record(wrongs, ())
        if record is not None or not isinstance(data, dict):
            return record
        rest = deepcopy(data)
        for wrong in wrongs:
            _leave_out(rest, wrong.location)
        return read_record(shape, {**default, **rest})[0]

    def _defects_of_record(
        self, wrongs: Iterable[Wrong], location: Location
    ) -> Iterator[SourceDefect]:
        for wrong in wrongs:
            wrong_location = (*location, *wrong.location)
            if wrong.is_key:
                yield self.key_defect(wrong_location, wrong.message)
            else:
                yield self.defect(wrong_location, wrong.message)


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
