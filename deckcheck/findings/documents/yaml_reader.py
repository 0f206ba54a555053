"""YAML documents, read event by event.

Events rather than composed nodes: anchors, tags and further documents are still
visible in them, and depth is bounded before anything recurses.
"""

from __future__ import annotations

import re

import yaml
from yaml import events
from yaml.reader import ReaderError

from deckcheck.findings.documents.builder import Builder, integer
from deckcheck.findings.documents.model import (
    TOO_DEEP,
    Document,
    DocumentError,
    Text,
    decode,
)

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DIGITS = frozenset("-0123456789")
_WORDS = {"": None, "null": None, "true": True, "false": False}
_PROBLEMS = {
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
"""What libyaml says, and the same in words of the person who wrote the file."""


def read_yaml(source: bytes | str) -> Document:
    """Read one YAML document.

    Only decimal integers, `true`, `false` and `null` (or nothing) are typed, when they
    stand without quotes; `no`, `12:30`, `0x1F`, `1_000`, dates and the like stay text.
    Raises DocumentError for bad syntax and encodings, for duplicate keys, anchors,
    aliases, tags, keys that are no text, a second document, and beyond MAX_BYTES or
    MAX_DEPTH.
    """
    text = Text(decode(source))
    builder = Builder(text)
    loader = getattr(yaml, "CLoader", yaml.Loader)
    try:
        for event in yaml.parse(text.content, Loader=loader):
            _take(builder, event)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, error) from None
    except (ReaderError, UnicodeEncodeError):
        raise _character_error(text) from None
    return builder.finish()


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
        # A block has no closing mark: its end event stands where the next thing starts.
        builder.close(end if end > start else None)
    elif isinstance(event, events.NodeEvent):
        _refuse_extras(builder, event, start, end)
        if builder.wants_key:
            builder.refuse("a key must be text, not a list or a mapping", start, end)
        is_list = isinstance(event, events.SequenceStartEvent)
        builder.open([] if is_list else {}, start)
    elif isinstance(event, events.DocumentStartEvent) and builder.is_begun:
        builder.refuse("only one document is allowed", start, end)


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
        if event.value in _WORDS:
            value = _WORDS[event.value]
        elif event.value[0] in _DIGITS and _INTEGER.fullmatch(event.value):
            value = integer(builder, event.value, start)
    elif event.style in ("|", ">"):
        end = start + len(builder.text.content[start:end].rstrip())
    builder.scalar(value, start, end)


def _syntax_error(text: Text, error: yaml.MarkedYAMLError) -> DocumentError:
    problem = str(error.problem or error.context or "bad syntax")
    mark = error.problem_mark or error.context_mark
    start = min(mark.index, len(text.content)) if mark else 0
    span = text.span(start)
    if text.content[start : start + 1] == "\t":
        return DocumentError("a tab cannot stand here", span, help="Indent with spaces")
    return DocumentError(_PROBLEMS.get(problem, problem), span)


def _character_error(text: Text) -> DocumentError:
    # Compiled here only: it takes longer than reading a file of cards.
    allowed = r"\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    bad = re.search(rf"[^{allowed}\U00010000-\U0010ffff]", text.content)
    start = bad.start() if bad else 0
    code_point = ord(text.content[start])
    message = f"character U+{code_point:04X} is not allowed in YAML"
    return DocumentError(message, text.span(start))
