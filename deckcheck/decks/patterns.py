"""Patterns of paths, as `--exclude` and the configuration write them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote

# `*` and `?` never match a slash; `**` between slashes matches any folders.
_PARTS = r"(?s:\?|\[[!^]?\]?[^\]/]*\]|.)"
_END = r"(?=/|\Z)"
LONGEST = 4096
"""The most characters of a pattern, which are those of the longest path of Linux."""


def anchored(pattern: str, folder: str) -> str:
    """`pattern` as an absolute one: what it means when it is written in `folder`.

    A pattern without a slash, such as `drafts` or `*.bak`, means that name at any
    depth. One with a slash is a path from `folder` on.
    """
    bare = pattern.replace(os.sep, "/").removeprefix("./").rstrip("/")
    if bare.startswith("/"):
        return bare
    base = re.sub(r"([*?[])", r"[\1]", folder.replace(os.sep, "/").rstrip("/"))
    return f"{base}/{bare}" if "/" in bare else f"{base}/**/{bare}"


class PathPatterns:
    """Patterns that match a path, or any folder it lies in.

    Relative patterns are taken from `folder`, the working folder if none is given.
    Raises UsageError for one that is not valid or longer than any path.
    """

    def __init__(self, patterns: Iterable[str], folder: str | None = None) -> None:
        here = folder or os.getcwd()
        self._patterns = [_compiled(pattern, here) for pattern in patterns]

    def match(self, path: str | os.PathLike[str]) -> int | None:
        """The index of the first pattern that matches `path`, None if none does."""
        if not self._patterns:
            return None
        absolute = os.path.abspath(path).replace(os.sep, "/")
        for index, pattern in enumerate(self._patterns):
            if pattern.match(absolute):
                return index
        return None


def _compiled(stated: str, folder: str) -> re.Pattern[str]:
    """A pattern of `folder` as a regular expression that takes no time to speak of.

    Each star is as short as it can be, for good: what follows it then has the most
    left. No other way through the path is tried: there can be very many.
    """
    if len(stated) > LONGEST:
        help = f"A pattern has at most {LONGEST} characters"
        raise UsageError(f"The pattern {quote(stated)} is too long", help)
    pattern = anchored(stated, folder)
    first, *groups = re.split(r"(?:/\*\*)+(?=/|$)", pattern)
    start, *names = first.split("/")
    text = _name(start) + _names(names)
    for group in groups:
        # Below it is every path that goes on.
        characters = _names(group.split("/")[1:]) if group else "/"
        text += rf"(?>(?:/[^/]*)*?{characters})"
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        raise UsageError(f"{quote(stated)} is not a valid path pattern") from None


def _names(names: Iterable[str]) -> str:
    """Names of folders below each other, and perhaps of a file."""
    return "".join(f"/{_name(name)}" for name in names) + _END


def _name(name: str) -> str:
    """One name between slashes."""
    first, *others = ("".join(map(_translated, part)) for part in _chunks(name))
    *middle, last = others or [""]
    stars = "".join(f"(?>[^/]*?{part})" for part in middle)
    return first + stars + (f"(?>[^/]*{last}{_END})" if others else "")


def _chunks(name: str) -> list[list[str]]:
    """The signs of a name between its stars."""
    chunks: list[list[str]] = [[]]
    for part in re.findall(_PARTS, name):
        if part != "*":
            chunks[-1].append(part)
        elif chunks[-1] or len(chunks) == 1:
            chunks.append([])
    return chunks


def _translated(part: str) -> str:
    if part == "?":
        return "[^/]"
    if part[0] != "[" or len(part) < 3:
        return re.escape(part)
    is_negated = part[1] in "!^"
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", part[1 + is_negated : -1])
    return f"[^/{inner}]" if is_negated else f"[{inner}]"
