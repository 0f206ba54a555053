"""Words and quotes for messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

__all__ = [
    "STEERING",
    "choice",
    "escaped",
    "joined",
    "nearest",
    "plural",
    "printable",
    "printable_lines",
    "quote",
    "sentence",
]

LONGEST_WORD = 40
LIKENESS = 0.7
SHORTEST_START = 3

STEERING = (
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What ends lines, moves the cursor, colours, or turns the direction of writing."""


def printable(text: str) -> str:
    """`text` on one line, with what may steer a terminal as a visible escape: `\\x1b`.

    That is every control character, line end, mark of writing direction and half of a
    surrogate pair. What is printable already stays as it is.
    """
    if text.isprintable():
        return text
    return re.sub(STEERING, lambda found: escaped(found[0]), text)


def printable_lines(text: str) -> str:
    """`text` of several lines, each of them printable; tabs stay."""
    if text.isprintable():
        return text
    return re.sub(
        STEERING, lambda one: one[0] if one[0] in "\n\t" else escaped(one[0]), text
    )


def escaped(character: str) -> str:
    """One character as Python would write it: `\\n`, `\\x1b`, `\\u202e`."""
    return ascii(character)[1:-1]


def quote(text: str, limit: int = 60) -> str:
    """User text in back-ticks, safe to print, at most `limit` characters of it."""
    shown = printable(text)
    if len(shown) > limit:
        shown = shown[: limit - 3].rstrip() + "..."
    return f"`{shown}`"


def plural(number: int, noun: str) -> str:
    """`1 card`, `2 cards`, `2 copies`, `2 lives`: English nouns of players only."""
    if number == 1:
        return f"1 {noun}"
    for end, several in (("y", "ies"), ("fe", "ves")):
        if noun.endswith(end):
            return f"{number} {noun.removesuffix(end)}{several}"
    return f"{number} {noun}s"


def choice(options: Sequence[str], word: str = "or") -> str:
    """Back-ticked options as a sentence lists them: `a`, `b` or `c`."""
    quoted = [quote(option) for option in options]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def joined(helps: Iterable[str | None]) -> str | None:
    """Several remedies as one, each once: `Did you mean `a`? Write `b``; or None."""
    found = [sentence(help) for help in dict.fromkeys(helps) if help]
    ended = (help if help[-1] in "?." else f"{help}." for help in found)
    return " ".join(ended) if len(found) > 1 else "".join(found) or None


def nearest(word: str, known: Iterable[str], limit: int = 1) -> list[str]:
    """The known words that `word` may be a misspelling of, whatever the case.

    The most likely one comes first; none comes where nothing is near. Half a word may
    stand for the whole.
    """
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in known}
    wanted = word[:LONGEST_WORD].lower()
    near = get_close_matches(wanted, by_lower, limit, LIKENESS)
    if not near and len(wanted) >= SHORTEST_START:
        near = [each for each in by_lower if each.startswith(wanted)][:limit]
    return [by_lower[each] for each in near]


def sentence(text: str) -> str:
    """`text` in sentence case: its first letter is a capital."""
    return text[:1].upper() + text[1:]
