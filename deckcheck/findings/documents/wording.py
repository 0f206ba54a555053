"""Words for values in messages, and the word that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.findings.words import nearest

LONGEST = 40


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


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a message about an unknown word: a suggestion, or nothing."""
    close = nearest(word, words)
    return f", did you mean `{close[0]}`?" if close else ""
