"""Markdown as our outputs write it: no text in it is taken for markup, or links.

GitHub and GitLab also turn `@name`, `#1`, `GH-1`, `:name:` and addresses into links
and notifications, whatever stands before them. An invisible character in between keeps
them from it; written as `&#8203;`, it can be seen in the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from deckcheck.findings.words import printable

APART = "&#8203;"
_MARKUP = re.compile(r"[\\`*_\[\]<>~&#$]")
_LINKED = re.compile(
    r"""
      (?<= [@#!$%^&~] ) (?= \w )     # people, issues, requests, labels, epics
    | (?<= \b GH- ) (?= \d )
    | (?<= : ) (?= // )
    | (?<= \b www ) (?= \. )
    | (?<= : ) (?= [a-z0-9_+-]+ : )  # small pictures
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED = re.compile(r"`([^`]*)`")


def plain(text: str) -> str:
    """`text`, such as a name, on one line and as it reads: nothing in it is markup."""
    shown = " ".join(printable(text).split())
    return APART.join(_MARKUP.sub(r"\\\g<0>", part) for part in _LINKED.split(shown))


def code(text: str) -> str:
    """`text` as code, which holds no markup and no links."""
    shown = printable(text)
    if not shown.strip():
        return ""
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    room = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{room}{shown}{room}{fence}"


def bold(text: str) -> str:
    """`text` in bold, and otherwise plain."""
    shown = plain(text)
    return f"**{shown}**" if shown else ""


def message(text: str, quoted: Callable[[str], str] = code) -> str:
    """A sentence of ours: what it has in back-ticks is `quoted`, the rest is plain."""
    parts = _QUOTED.split(printable(text))
    return "".join(
        quoted(part) if i % 2 else _between(part) for i, part in enumerate(parts)
    )


def table_row(cells: Iterable[str]) -> str:
    """A row of a table, of cells that are Markdown already."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _between(text: str) -> str:
    """A part of a sentence, with the spaces at its ends."""
    shown = plain(text)
    if not shown:
        return " " if text else ""
    return " " * text[0].isspace() + shown + " " * text[-1].isspace()
