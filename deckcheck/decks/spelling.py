"""Names that are nearly those of cards: letter by letter, and nothing left over."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import normalise

WRONG_LETTERS = ((4, 1), (8, 2), (15, 3))
"""From how many letters on a name may have how many wrong, missing or too many."""

_NUMERAL = re.compile(r"[ivxlcdm\u00d7]+", re.I)
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def near_cards(name: str, database: CardDatabase) -> set[str]:
    """Return the ids of the cards that a name is but for a letter or two.

    Words of which the name of the card has none, and what may be a numeral, make it
    another name: `Decoy III`, `Decoyx`. `Roachh` is near `Roach` alone.
    """
    return {
        id
        for spelling, ids in near_names(name, database.card_spellings())
        for id in ids
        if spelling
    }


def near_names(
    name: str, spellings: Iterable[tuple[str, tuple[str, ...]]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the spellings, with all that they stand for, that a name is nearly."""
    from rapidfuzz.distance import OSA

    written = normalise(name)
    allowed = max((n for least, n in WRONG_LETTERS if len(written) >= least), default=0)
    numerals = list(filter(_is_numeral, name))
    if not allowed:
        return []
    words = len(_WORD.findall(name))
    near = []
    for spelling, ids in spellings:
        right = normalise(spelling)
        if OSA.distance(written, right, score_cutoff=allowed) > allowed:
            continue
        if numerals != list(filter(_is_numeral, spelling)):
            continue
        if words <= len(_WORD.findall(spelling)) and not _has_numeral(written, right):
            near.append((spelling, ids))
    return near


def _has_numeral(written: str, right: str) -> bool:
    """Report whether a name is the right one with what may be a numeral beside it."""
    before, _, after = written.partition(right)
    return written != before and _NUMERAL.fullmatch(before + after) is not None


def _is_numeral(letter: str) -> bool:
    """Report whether a character counts: a digit, `\u00b3`, `\u2462`, `\u2163`."""
    import unicodedata

    return unicodedata.numeric(letter, None) is not None
