"""Recognises texts that are no decks, and says how to make one of them."""

from __future__ import annotations

import re
from pathlib import PurePath

from deckcheck.decks.guessing import guess_by_content
from deckcheck.decks.recognising import SIGN, own_kind
from deckcheck.findings.options import option
from deckcheck.findings.words import quote

_LIST_ALONE = "Keep the lines of the list alone, or take the file away"
_LEVEL = r"(?:error|warning|note)\[D[A-Z]\d{3}\] "
_LOOKS = (
    (
        "<",
        r"(?i)<(?:!doctype html|!--|/?(?:a|b|body|br|code|div|h[1-6]|head|html|li|meta"
        r"|ol|p|pre|script|span|style|strong|table|tbody|td|title|tr|ul)\b)",
        "HTML",
        "Copy the text of the page, and save it as text",
    ),
    ("<", r"<(?:[!?]|/?[A-Za-z])", "XML", "Write the cards as text, a line each"),
    ("{", r"\{\\rtf", "RTF, of a word processor", "Save it as plain text"),
    (
        "",
        rf"{_LEVEL}|[^\n]*:\d+:\d+: {_LEVEL}|(?:## )?\d+ decks? checked\b",
        "a report of deckcheck",
        _LIST_ALONE,
    ),
)
"""How what is no deck begins, what it is, and what to do about it.

The first character stands before the rest, which would take its time for every deck.
"""

_OTHERS = {"json": "JSON in a file for text", "csv": "a table in a file for text"}


def not_a_deck(text: str, path: str, way: str) -> tuple[str, str] | None:
    """What else than a deck a text looks like, and what to do about it.

    `way` is how it would be read, a word of `WAYS`.
    """
    kind = own_kind(text, path)
    if kind is not None:
        help = f"Name a deck, or leave the file out with {option('exclude')}"
        return kind, help
    start = text.lstrip("\ufeff \t\r\n")
    for first, form, what, help in _LOOKS:
        if start.startswith(first) and re.match(form, start):
            return what, help
    if SIGN in text:
        return "a letter of deckcheck is in it", _LIST_ALONE
    may_be_other = way == "text" and (
        start.startswith(("{", "[")) or "card" in start.partition("\n")[0].lower()
    )
    other = guess_by_content(text) if may_be_other else ""
    if other in _OTHERS:
        stem = PurePath(path).stem
        return _OTHERS[other], f"Call the file {quote(f'{stem}.{other}')}"
    return None
