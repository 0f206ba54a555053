"""Patterns of paths, as `--exclude` and the configuration write them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote

__all__ = ["PathPatterns", "anchored"]

# `**` between slashes matches any folders; `*` and `?` never match a slash.
_PARTS = r"(?s:\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|.)"
_KNOWN = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


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
    """

    def __init__(self, patterns: Iterable[str], folder: str | None = None) -> None:
        here = folder or os.getcwd()
        self._patterns = [_compiled(anchored(each, here)) for each in patterns]

    def match(self, path: str | os.PathLike[str]) -> int | None:
        """The index of the first pattern that matches `path`, None if none does."""
        if not self._patterns:
            return None
        absolute = os.path.abspath(path).replace(os.sep, "/")
        for index, pattern in enumerate(self._patterns):
            if pattern.match(absolute):
                return index
        return None


def _compiled(pattern: str) -> re.Pattern[str]:
    # The same folders written twice would be tried in every way.
    parts = re.findall(_PARTS, re.sub(r"(?:\*\*/)+", "**/", pattern))
    try:
        return re.compile("".join(map(_translated, parts)) + r"(?:/.*)?\Z", re.DOTALL)
    except re.error:
        raise UsageError(f"{quote(pattern)} is not a valid path pattern") from None


def _translated(part: str) -> str:
    if part in _KNOWN:
        return _KNOWN[part]
    if part[0] != "[" or len(part) < 3:
        return re.escape(part)
    is_negated = part[1] in "!^"
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", part[1 + is_negated : -1])
    return f"[^/{inner}]" if is_negated else f"[{inner}]"
