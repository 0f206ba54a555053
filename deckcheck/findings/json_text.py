"""JSON as our outputs write it: readable, and nothing in it steers a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from deckcheck.findings.words import HIDDEN
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.findings.json_schema import Tool

PARTS_AT_ONCE = 10_000
"""Of some bytes each."""


def tool() -> Tool:
    """This program, as documents name it."""
    return {"name": "deckcheck", "version": __version__}


def document_head(version: int = 1) -> dict[str, Any]:
    """What every document of ours begins with, by which it is known among decks.

    `version` is that of its keys.
    """
    return {"schema_version": version, "tool": tool()}


def json_text(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> str:
    """One JSON document and a line end, on one line if `indent` is None.

    Letters of any language stand as they are. What is hidden is escaped, also what JSON
    itself lets pass: control characters, marks of writing direction, and the like.
    """
    return "".join(json_pieces(content, indent, sort_keys=sort_keys))


def json_pieces(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> Iterator[str]:
    """The same in pieces, for documents whose text would fill the memory."""
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    # On one line it is written at once, and fast.
    parts = (
        iter([encoder.encode(content)])
        if indent is None
        else encoder.iterencode(content)
    )
    while piece := "".join(islice(parts, PARTS_AT_ONCE)):
        if not piece.isascii() or "\x7f" in piece:
            # Those below the space are escaped already; a line end is one of the
            # layout.
            piece = re.sub(HIDDEN, _kept_or_escaped, piece)
        yield piece
    yield "\n"


def _kept_or_escaped(match: re.Match[str]) -> str:
    import json

    return "\n" if match[0] == "\n" else json.dumps(match[0])[1:-1]
