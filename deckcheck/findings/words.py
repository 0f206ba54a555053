"""Words and quotes for messages."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["choice", "plural", "printable", "quote", "sentence"]


def printable(text: str) -> str:
    """`text` with control characters, which may steer a terminal, shown as U+FFFD."""
    if text.isprintable():
        return text
    import re

    steering = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
    return re.sub(steering, "\ufffd", text)


def quote(text: str, limit: int = 60) -> str:
    """User text in back-ticks, safe to print, at most `limit` characters of it."""
    shown = printable(text)
    if len(shown) > limit:
        shown = shown[: limit - 3].rstrip() + "..."
    return f"`{shown}`"


def plural(number: int, noun: str) -> str:
    """`1 card`, `2 cards`, `2 copies`: English nouns of players only."""
    if number == 1:
        return f"1 {noun}"
    stem, end = (noun[:-1], "ies") if noun.endswith("y") else (noun, "s")
    return f"{number} {stem}{end}"


def choice(options: Sequence[str], word: str = "or") -> str:
    """Back-ticked options as a sentence lists them: `a`, `b` or `c`."""
    quoted = [quote(option) for option in options]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def sentence(text: str) -> str:
    """`text` in sentence case: its first letter is a capital."""
    return text[:1].upper() + text[1:]
