"""Misspelt names of cards: a few wrong letters, and no other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from deckcheck.cards import CardDatabase
from deckcheck.cards.names import Spelling, normalise

WRONG_LETTERS = ((4, 1), (8, 2), (15, 3))
"""The shortest names that may have this many wrong, missing or extra letters."""

MAX_SEARCHED_WORDS = 60
"""The most words of a line that are searched for cards."""

MAX_NAME_WORDS = 6
"""The most words of the name of a card."""

_ROMAN_NUMERAL = re.compile(r"[ivxlcdm\u00d7]+", re.I)
_NAME_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def near_cards(
    name: str, database: CardDatabase, *, only_whole: bool = False
) -> set[str]:
    """Return the ids of the cards within a letter or two of a name.

    Words that the name of the card lacks, and a possible numeral, make another name:
    `Decoy III`, `Decoyx`. `Roachh` is near `Roach` alone. With `only_whole` a part of
    a name is not near: `Rochh` may be `Roach` as well as `Roche`, who is Vernon Roche.
    """
    near = set()
    for spelling in near_spellings(name, database.card_spellings):
        for id in spelling.ids:
            # A set may have removed the card.
            card = database.cards.get(id)
            key = normalise(card.name) if card is not None else spelling.key
            is_part = spelling.key in key and spelling.key != key
            if not (only_whole and is_part):
                near.add(id)
    return near


def is_near(name: str, known: str) -> bool:
    """Report whether two names differ by a letter or two."""
    return bool(near_spellings(name, [Spelling(normalise(known), known, ())]))


def near_spellings(name: str, spellings: Sequence[Spelling]) -> list[Spelling]:
    """Return the spellings within a letter or two of a name."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    written = normalise(name)
    allowed = _count_allowed(written)
    if not allowed:
        return []
    numerals = [letter for letter in name if _is_numeral(letter)]
    words = [normalise(word) for word in _NAME_WORD.findall(name)]
    keys = [spelling.key for spelling in spellings]
    found = extract(
        written, keys, scorer=OSA.distance, score_cutoff=allowed, limit=None
    )
    near = []
    for _, _, index in found:
        known = spellings[index]
        if numerals != [letter for letter in known.name if _is_numeral(letter)]:
            continue
        known_words = [normalise(word) for word in _NAME_WORD.findall(known.name)]
        if _fit_together(words, known_words) and not _has_numeral(written, known.key):
            near.append(known)
    return near


def names_card(text: str, database: CardDatabase, *, min_words: int = 1) -> bool:
    """Report whether some words in a row are exactly the name of a card."""
    words = text.split()[:MAX_SEARCHED_WORDS]
    for start in range(len(words)):
        last = min(start + MAX_NAME_WORDS, len(words))
        for end in range(start + min_words, last + 1):
            name = " ".join(words[start:end])
            if database.find_card(name, suggest=False).ids:
                return True
    return False


def _count_allowed(word: str) -> int:
    """Return how many letters of a name or a word may be wrong."""
    allowed = 0
    for letters, number in WRONG_LETTERS:
        if len(word) >= letters:
            allowed = number
    return allowed


def _fit_together(words: Sequence[str], known: Sequence[str]) -> bool:
    """Report whether each word is nearly a known word, or several without spaces."""
    from rapidfuzz.distance import OSA

    if not words:
        return False
    for cuts in combinations(range(1, len(known)), len(words) - 1):
        ends = pairwise((0, *cuts, len(known)))
        for word, (start, end) in zip(words, ends, strict=True):
            near = "".join(known[start:end])
            if OSA.distance(word, near) > _count_allowed(near):
                break
        else:
            return True
    return False


def has_number(name: str) -> bool:
    """Report whether a digit, or a word that may be a numeral, is in a name."""
    words = _NAME_WORD.findall(name)
    has_numeral = any(_ROMAN_NUMERAL.fullmatch(word) for word in words)
    return has_numeral or any(map(_is_numeral, name))


def _has_numeral(written: str, right: str) -> bool:
    """Report whether a name is the right name with a possible numeral beside it."""
    before, _, after = written.partition(right)
    return written != before and _ROMAN_NUMERAL.fullmatch(before + after) is not None


def _is_numeral(letter: str) -> bool:
    """Report whether a character counts: a digit, `\u00b3`, `\u2462`, `\u2163`."""
    import unicodedata

    return unicodedata.numeric(letter, None) is not None
