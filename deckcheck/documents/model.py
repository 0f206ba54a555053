"""A document: plain data, and the place in the text of every value and every key."""

from __future__ import annotations

from bisect import bisect_right
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Never

from deckcheck.findings import LINE_END, Position, Related, Span

MAX_BYTES = 4 * 2**20
MAX_DEPTH = 50
TOO_DEEP = f"values are nested deeper than {MAX_DEPTH} levels"

Location = Sequence[str | int]
"""The way to a value: keys and list indexes, as pydantic gives them in `loc`."""


class Reason(StrEnum):
    """The kind of defect that makes a document unreadable."""

    ENCODING = "encoding"
    SIZE = "size"
    SYNTAX = "syntax"
    DUPLICATE_KEY = "duplicate-key"
    UNSUPPORTED = "unsupported"


class DocumentError(ValueError):
    """An unreadable text, with a plain sentence and the place.

    `help` is the remedy, if any. `related` names other places involved, such as the
    first of two equal keys.
    """

    def __init__(
        self,
        message: str,
        span: Span,
        reason: Reason = Reason.SYNTAX,
        help: str | None = None,
        related: tuple[Related, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.reason = reason
        self.help = help
        self.related = related


class DocumentText:
    """A text whose character offsets can be turned into lines and columns.

    Lines end at LF, CR LF or CR and nowhere else, unlike in YAML.
    """

    # The cached property needs `__dict__`.
    __slots__ = ("__dict__", "content")

    def __init__(self, content: str) -> None:
        self.content = content

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self.content))]

    def position(self, offset: int) -> Position:
        """Return line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the stretch from `start` to `end`, by default a character."""
        if end is None:
            end = min(start + 1, len(self.content))
        return Span(self.position(start), self.position(max(start, end)))


_NO_KEYS: dict[str | int, tuple[int, int]] = {}
_NO_CHILDREN: dict[str | int, Node] = {}


class Node:
    """The place of a value, in offsets. A collection has dicts of its own."""

    __slots__ = ("children", "end", "keys", "start")

    def __init__(
        self,
        start: int,
        end: int,
        keys: dict[str | int, tuple[int, int]] = _NO_KEYS,
        children: dict[str | int, Node] = _NO_CHILDREN,
    ) -> None:
        self.start = start
        self.end = end
        self.keys = keys
        self.children = children


class Document:
    """Plain data (dict, list, str, int, float, bool, None) with its positions.

    Keys of mappings are always text. `data` is None for an empty text.
    """

    __slots__ = ("_root", "_text", "data")

    def __init__(self, data: object, text: DocumentText, root: Node) -> None:
        self.data = data
        self._text = text
        self._root = root

    def part(self, key: str) -> Document:
        """Return the value of a key of this mapping, with its places."""
        assert isinstance(self.data, dict)
        return Document(self.data[key], self._text, self._root.children[key])

    @property
    def text(self) -> str:
        """The text as decoded, without its byte order mark."""
        return self._text.content

    def span(self, location: Location = ()) -> Span:
        """Return the place of the value at `location`.

        Parts that lead nowhere are passed over, so the location of a missing field
        gives its mapping, and labels that pydantic inserts for unions do no harm. A
        part is also found within the only value of a mapping: `muster: {group: x}`
        may be seen as `{code: muster, group: x}`.
        """
        node, _ = self._find(location)
        return self._text.span(node.start, node.end)

    def key_span(self, location: Location) -> Span:
        """Return the place of the last key on the way to `location`, or its value."""
        node, key = self._find(location)
        return self._text.span(*(key or (node.start, node.end)))

    def _find(self, location: Location) -> tuple[Node, tuple[int, int] | None]:
        node = self._root
        key = None
        for part in location:
            inner = node
            if part not in node.children and len(node.children) == 1:
                (inner,) = node.children.values()
            if part in inner.children:
                key = inner.keys.get(part)
                node = inner.children[part]
        return node, key


def decode(source: bytes | str) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises DocumentError for any other encoding, and for more than MAX_BYTES.
    """
    start = DocumentText("").span(0)
    data = source
    if isinstance(data, str):
        data = data.encode(errors="surrogatepass")
    if len(data) > MAX_BYTES:
        message = f"file has more than {MAX_BYTES} bytes"
        raise DocumentError(message, start, Reason.SIZE)
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    if source.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        raise _encoding_error("file is UTF-16 or UTF-32, not UTF-8", start)
    try:
        return source.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        before = DocumentText(error.object[: error.start].decode())
        line, column = before.position(len(before.content))
        span = Span(Position(line, column), Position(line, column + 1))
        byte = error.object[error.start]
        message = f"byte 0x{byte:02x} is not UTF-8 text"
        raise _encoding_error(message, span) from None


def _encoding_error(message: str, span: Span) -> DocumentError:
    return DocumentError(message, span, Reason.ENCODING, "Save the file as UTF-8")


# Builds a document from the events of a reader of any syntax

MAX_DIGITS = 18


class Builder:
    """Puts keys, scalars and collections together. Offsets are in characters.

    The reader alternates the keys and values of a mapping. Nothing here recurses, so
    depth is bounded by MAX_DEPTH alone.
    """

    def __init__(self, text: DocumentText) -> None:
        self.text = text
        self.is_begun = False
        """Whether a value has been taken."""
        self.wants_key = False
        """Whether the next thing is a key of a mapping, or the mapping's end."""
        self._data: object = None
        self._root = Node(0, 0)
        self._open: list[tuple[dict[str, object] | list[object], Node]] = []
        self._key = ""

    @property
    def is_empty(self) -> bool:
        """Whether the innermost open collection has nothing in it yet."""
        return not self._open[-1][0]

    @property
    def depth(self) -> int:
        """How many collections are open."""
        return len(self._open)

    def take_key(self, name: str, start: int, end: int) -> None:
        """Take the key of the next value. Raises DocumentError for a repeated key."""
        node = self._open[-1][1]
        if name in node.keys:
            first = self.text.span(*node.keys[name])
            raise DocumentError(
                f"key `{name}` is given twice",
                self.text.span(start, end),
                Reason.DUPLICATE_KEY,
                related=(Related(first, "first given here"),),
            )
        node.keys[name] = (start, end)
        self._key = name
        self.wants_key = False

    def take_scalar(self, value: object, start: int, end: int) -> None:
        """Take a value other than a collection."""
        self._add(value, Node(start, end))

    def open(self, data: dict[str, object] | list[object], start: int) -> None:
        """Start a collection, given as an empty dict or list."""
        if len(self._open) == MAX_DEPTH:
            self.refuse(TOO_DEEP, start)
        node = Node(start, start, {}, {})
        self._add(data, node)
        self._open.append((data, node))
        self.wants_key = isinstance(data, dict)

    def close(self, end: int | None = None) -> None:
        """End the innermost collection, by default with its last value."""
        node = self._open.pop()[1]
        if end is None:
            last = next(reversed(node.children.values()), None)
            key = next(reversed(node.keys.values()), (0, 0))
            end = max(last.end if last else 0, key[1])
        node.end = end
        self.wants_key = bool(self._open) and isinstance(self._open[-1][0], dict)

    def refuse(self, message: str, start: int, end: int | None = None) -> Never:
        """Raise DocumentError: readable syntax that a document may not use."""
        raise DocumentError(message, self.text.span(start, end), Reason.UNSUPPORTED)

    def finish(self) -> Document:
        """Return the document, once everything is closed."""
        return Document(self._data, self.text, self._root)

    def _add(self, value: object, node: Node) -> None:
        if not self._open:
            self._data = value
            self._root = node
            self.is_begun = True
            return
        parent, parent_node = self._open[-1]
        if isinstance(parent, list):
            parent_node.children[len(parent)] = node
            parent.append(value)
        else:
            parent_node.children[self._key] = node
            parent[self._key] = value
            self.wants_key = True


def parse_integer(builder: Builder, digits: str, start: int) -> int:
    """Return the value of a decimal integer. Raises DocumentError for a huge number."""
    if len(digits) > MAX_DIGITS:
        raise DocumentError(
            f"number has {len(digits)} digits, at most {MAX_DIGITS} allowed",
            builder.text.span(start, start + len(digits)),
            Reason.UNSUPPORTED,
            "Put it in quotes if it is meant as text",
        )
    return int(digits)


# Text that remembers its place


class PlacedText(str):
    """Text from a file, with its origin: `deckcheck.toml:3:9`."""

    __slots__ = ("origin",)

    origin: str

    def __new__(cls, text: str, origin: str) -> PlacedText:
        """Return the text with its origin."""
        placed = super().__new__(cls, text)
        placed.origin = origin
        return placed
