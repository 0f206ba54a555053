"""JSON as our outputs write it: readable, and nothing in it steers a terminal."""

from __future__ import annotations

import re

from deckcheck.findings.words import STEERING

__all__ = ["json_text"]


def json_text(
    content: object, indent: int | None = 2, *, sort_keys: bool = False
) -> str:
    """One JSON document and a line end, on one line if `indent` is None.

    Letters of any language stand as they are. Control characters, line ends and marks
    of writing direction are escaped, also those that JSON itself lets pass.
    """
    import json

    text = json.dumps(content, ensure_ascii=False, indent=indent, sort_keys=sort_keys)
    if not text.isascii() or "\x7f" in text:
        # Those below the space are escaped already; a line end is one of the layout.
        text = re.sub(STEERING, _kept_or_escaped, text)
    return text + "\n"


def _kept_or_escaped(found: re.Match[str]) -> str:
    return "\n" if found[0] == "\n" else f"\\u{ord(found[0]):04x}"
