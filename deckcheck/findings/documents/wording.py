"""How messages name values, and the word that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "show"]

LONGEST = 40
LIKENESS = 0.75


def show(value: object) -> str:
    """A value as a message names it: text in back-ticks, collections by their kind."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case bool():
            return f"`{str(value).lower()}`"
    text = str(value)
    return f"`{text[:LONGEST]}...`" if len(text) > LONGEST else f"`{text}`"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: a suggestion, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word[:LONGEST], known, n=1, cutoff=LIKENESS)
    return f", did you mean `{close[0]}`?" if close else ""
