"""Letters of other alphabets that look like Latin ones, as in `Sсorch`."""

from __future__ import annotations

import unicodedata

_CYRILLIC = (
    "АВЕЅІЈКМНОРСТХУаеѕіјорсухһԁԛԝьвкмнт",
    "ABESIJKMHOPCTXYaesijopcyxhdqwbvkmht",
)
_GREEK = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγ", "ABEZHIKMNOPTYXaiknopuxy")
_LATIN = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])


def as_latin(text: str) -> str:
    """`text` with Latin letters in place of those that look like them."""
    return text.translate(_LATIN)


def foreign_letters(text: str) -> str:
    """What stands in for Latin letters: `с is Cyrillic`; empty where nothing does."""
    letters = dict.fromkeys(letter for letter in text if ord(letter) in _LATIN)
    if not letters:
        return ""
    names = (unicodedata.name(letter).partition(" ")[0] for letter in letters)
    alphabets = {name.capitalize() for name in names}
    shown = ", ".join(f"`{letter}`" for letter in letters)
    verb = "is" if len(letters) == 1 else "are"
    return f"{shown} {verb} {' and '.join(sorted(alphabets))}"
