"""JSON documents, read with a small scanner of our own.

The YAML reader does not accept all JSON: keys of more than 1024 characters, a key and
its colon on two lines, surrogate pairs (`\\ud83d\\ude00`) and leading tabs fail there.
"""

from __future__ import annotations

import json
import re

from deckcheck.findings.documents.builder import Builder, integer
from deckcheck.findings.documents.model import Document, DocumentError, Text, decode

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+"')
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[^\s\[\]{}:,\"]+")
_WORDS = {"null": None, "true": True, "false": False}
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_json(source: bytes | str) -> Document:
    """Read one JSON document; an empty text gives None.

    Numbers with a fraction or an exponent are float. Raises DocumentError for bad
    syntax and encodings, duplicate keys, and beyond MAX_BYTES or MAX_DEPTH.
    """
    return _Reader(Text(decode(source))).read()


class _Reader:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.builder = Builder(text)
        self.at = 0

    def read(self) -> Document:
        if self.peek():
            self.value()
            while self.builder.depth:
                self.step()
            if self.peek():
                raise self.error("the end of the text")
        return self.builder.finish()

    def peek(self) -> str:
        """The next character that is no space, or nothing at the end."""
        match = _SPACE.match(self.text.content, self.at)
        self.at = match.end() if match else self.at
        return self.text.content[self.at : self.at + 1]

    def error(self, expected: str) -> DocumentError:
        word = _WORD.match(self.text.content, self.at)
        shown = word[0][:40] if word else self.peek()
        message = f"expected {expected}, found " + (
            f"`{shown}`" if shown else "the end"
        )
        return DocumentError(
            message, self.text.span(self.at, self.at + len(shown) if shown else None)
        )

    def step(self) -> None:
        """Read what may come next inside a collection: an item or its end."""
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
            word = _WORD.match(self.text.content, start)
            if not word or word[0] not in _WORDS:
                raise self.error("a value")
            self.at = word.end()
            self.builder.scalar(_WORDS[word[0]], start, self.at)

    def string(self) -> str:
        match = _STRING.match(self.text.content, self.at)
        if not match:
            message = "text in double quotes does not end on its line"
            raise DocumentError(message, self.text.span(self.at))
        try:
            value = json.loads(match[0])
        except json.JSONDecodeError as error:
            place = self.at + error.pos
            message = "this escape sequence is not allowed"
            raise DocumentError(message, self.text.span(place)) from None
        if _SURROGATE.search(value):
            message = "half a surrogate pair is not a character"
            raise DocumentError(message, self.text.span(self.at, match.end()))
        self.at = match.end()
        return str(value)

    def number(self) -> int | float:
        match = _NUMBER.match(self.text.content, self.at)
        word = _WORD.match(self.text.content, self.at)
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
