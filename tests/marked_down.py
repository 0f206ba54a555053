"""What people see of Markdown, as GitHub and GitLab show it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["code_in", "shown_in"]

APART = "\u200b"
_LINKED = re.compile(
    r"@\w|#\d|[!$%&~^]\d|\bGH-\d|\w://|\bwww\.|:[\w+-]*[a-z+-][\w+-]*:", re.IGNORECASE
)
"""What these make links of, or small pictures, after everything else."""

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_MARKS = {"text", "code_inline", "softbreak", "strong_open", "strong_close"}


def shown_in(text: str) -> str:
    """The text that is seen, a line for each block, without what keeps signs apart.

    Raises AssertionError for markup that our outputs have no use for, and for what
    would be made a link.
    """
    return "\n".join(
        "".join(_seen(block)).replace(APART, "") for block in _blocks(text)
    )


def code_in(text: str) -> list[str]:
    """What is shown as code."""
    return [
        part.content
        for block in _blocks(text)
        for part in block.children or ()
        if part.type == "code_inline"
    ]


def _blocks(text: str) -> Iterator[Token]:
    for token in _PARSER.parse(text):
        assert token.type not in ("html_block", "code_block", "fence"), token
        if token.type == "inline":
            yield token


def _seen(block: Token) -> Iterator[str]:
    plain = ""
    for part in block.children or ():
        assert part.type in _MARKS, (part.type, block.content)
        if part.type == "text":
            plain += part.content
            yield part.content
        elif part.type == "code_inline":
            plain += "x"
            yield part.content
    assert _LINKED.search(plain) is None, (plain, block.content)
