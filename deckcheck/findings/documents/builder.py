"""Builds a document from the events of a reader, whichever syntax it reads."""

from __future__ import annotations

from typing import Never

from deckcheck.findings.documents.model import (
    MAX_DEPTH,
    TOO_DEEP,
    Document,
    DocumentError,
    Node,
    Reason,
    Text,
)
from deckcheck.findings.finding import Related

MAX_DIGITS = 18


class Builder:
    """Puts keys, scalars and collections together; offsets are in characters.

    The reader sees to it that keys and values of a mapping take turns. Nothing here
    recurses, so depth is bounded by MAX_DEPTH alone.
    """

    def __init__(self, text: Text) -> None:
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

    def key(self, name: str, start: int, end: int) -> None:
        """Take the key of the next value; refuse one that the mapping has already."""
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

    def scalar(self, value: object, start: int, end: int) -> None:
        """Take a value that is no collection."""
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
        """End the innermost collection; without `end` it ends with its last value."""
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
        """The document, once everything is closed."""
        return Document(self._data, self.text, self._root)

    def _add(self, value: object, node: Node) -> None:
        if not self._open:
            self._data, self._root = value, node
            self.is_begun = True
            return
        parent, place = self._open[-1]
        if isinstance(parent, list):
            place.children[len(parent)] = node
            parent.append(value)
        else:
            place.children[self._key] = node
            parent[self._key] = value
            self.wants_key = True


def integer(builder: Builder, digits: str, start: int) -> int:
    """The value of a decimal integer; refuse one that no deck or card can mean."""
    if len(digits) > MAX_DIGITS:
        raise DocumentError(
            f"number has {len(digits)} digits, at most {MAX_DIGITS} allowed",
            builder.text.span(start, start + len(digits)),
            Reason.UNSUPPORTED,
            "Put it in quotes if it is meant as text",
        )
    return int(digits)
