"""Finding cards, leaders and factions by the names players write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

_IGNORED = re.compile(r"[\W_]+")
# Letters that are no base letter with an accent to Unicode, but are to a typist.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
SUGGESTIONS = 3
LONGEST = 200
LIKENESS = 70
"""Least likeness, from 0 to 100, of a name that is suggested for another."""
WORD_LIKENESS = 65
"""The same of a word of a small vocabulary."""
MISSPELT = 75
"""From what likeness on a name that is written alone is a misspelt card."""
LIKENESS_GAP = 20
"""How much less like than the best a suggestion may be."""
PART_LIKENESS = 82
"""Least likeness of a text and the words of a longer name that it resembles."""
ENGLISH_LEAD = 5
"""How much more like than an English name another must be to be suggested before it."""
SHORTEST_START = 3
"""From how many letters on a text may be the beginning of a name (`Yen`)."""
START_LIKENESS = 75
"""The likeness of a name and its beginning."""
SHORTEST_PART = 4
"""From how many letters on a text may be a part of a name (`Commando`)."""


class Lookup(NamedTuple):
    """The result of looking up a name.

    `id` if it is one thing; `candidates`, ids, if it may be several; `suggestions`, up
    to three display names, if it is nothing known.
    """

    id: str | None = None
    candidates: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """All that the name may stand for."""
        return self.candidates if self.id is None else (self.id,)

    def among(self, allowed_ids: Container[str]) -> Lookup:
        """The same without ids that are not known."""
        kept = tuple(id for id in self.ids if id in allowed_ids)
        if len(kept) == 1:
            return Lookup(kept[0])
        return Lookup(None, kept, self.suggestions)


class NamePart(NamedTuple):
    """Some words of a longer name: `commando` of `bluestripescommando`."""

    text: str
    name: str


def normalise(text: str) -> str:
    """The letters and digits of a name: no case, accents, quotes, dashes or spaces."""
    text = text.casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS)).casefold()
        # Some letters decompose into those again.
        decomposed = decomposed.translate(_LETTERS)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _IGNORED.sub("", text)


class NameIndex:
    """Names and the ids they stand for; a name may stand for several."""

    def __init__(self) -> None:
        self._shown: dict[str, dict[str, str]] = {}
        self._spelt: dict[str, str] = {}

    def add(self, id: str, display: str, names: Iterable[str]) -> None:
        """Let each of `names`, and `display`, stand for `id`."""
        for name in (display, *names):
            key = normalise(name)
            if key:
                self._shown.setdefault(key, {}).setdefault(id, display)
                self._spelt.setdefault(key, name)

    def ids(self, text: str) -> tuple[str, ...]:
        """All ids that the name stands for."""
        return tuple(self._shown.get(normalise(text[:LONGEST]), ()))

    def shown(self, key: str) -> dict[str, str]:
        """The ids that a normalised name stands for, and how each is displayed."""
        return self._shown.get(key, {})

    @cached_property
    def parts(self) -> list[NamePart]:
        """Some words of each name that has several; made when first asked for."""
        return [
            NamePart(normalise(part), key)
            for key, name in self._spelt.items()
            for part in _runs(name)
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)


def find_name(
    text: str,
    indexes: Iterable[NameIndex],
    preferred: frozenset[str] = frozenset(),
    *,
    suggest: bool = True,
) -> Lookup:
    """Look a name up: the first index that has it decides, the rest are not asked for.

    `preferred` ids win over others of the same name. Suggestions take the longest:
    `suggest` says whether anybody reads them.
    """
    asked = []
    for index in indexes:
        ids = index.ids(text)
        ids = tuple(id for id in ids if id in preferred) or ids
        if len(ids) == 1:
            return Lookup(ids[0])
        if ids:
            return Lookup(candidates=ids)
        asked.append(index)
    return Lookup(suggestions=_suggest(text, asked) if suggest else ())


def _suggest(text: str, indexes: list[NameIndex]) -> tuple[str, ...]:
    keys = dict.fromkeys(key for index in indexes for key in index)
    parts = [part for index in indexes for part in index.parts]
    scores = _likenesses(normalise(text[:LONGEST]), list(keys), parts, 12, LIKENESS)
    lead = {word: ENGLISH_LEAD for word in scores if indexes[0].shown(word)}
    close = sorted(scores, key=lambda word: -scores[word] - lead.get(word, 0))
    shown: dict[str, str] = {}
    # The first index has the names in English, which stand where they are close too.
    for index in indexes:
        for key in close:
            shown = {**index.shown(key), **shown}
    ids = [id for key in close for index in indexes for id in index.shown(key)]
    return tuple(shown[id] for id in dict.fromkeys(ids))[:SUGGESTIONS]


def closest(text: str, names: Iterable[str], limit: int = SUGGESTIONS) -> list[str]:
    """The known words most like `text`, best first; none that are hardly like it."""
    words = list(names)
    parts = [NamePart(normalise(part), word) for word in words for part in _runs(word)]
    return list(_likenesses(text, words, parts, limit, WORD_LIKENESS))


def _runs(name: str) -> Iterator[str]:
    """The words of a name that follow each other, fewer than all."""
    words = [word for word in re.split(r"[\W_]+", name) if word]
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            if end - start < len(words):
                yield "".join(words[start:end])


def _likenesses(
    text: str, words: list[str], parts: list[NamePart], limit: int, least: int
) -> dict[str, float]:
    """The words that are like `text`, best first, and how much: up to 100.

    `parts` of words count too, a little less.
    """
    from rapidfuzz import fuzz, process

    scores = {
        word: score
        for word, score, _ in process.extract(
            text, words, scorer=fuzz.ratio, limit=limit, score_cutoff=least
        )
    }
    if len(text) >= SHORTEST_PART:
        longer = [part for part in parts if len(part.text) >= SHORTEST_PART]
        for _, score, at in process.extract(
            text,
            [part.text for part in longer],
            scorer=fuzz.ratio,
            limit=limit,
            score_cutoff=PART_LIKENESS,
        ):
            word = longer[at].name
            scores[word] = max(scores.get(word, 0), 0.9 * score)
    if len(text) >= SHORTEST_START:
        for word in words:
            if word.startswith(text):
                scores[word] = max(scores.get(word, 0), START_LIKENESS)
    best = max(scores.values(), default=0)
    ranked = sorted(scores, key=lambda word: -scores[word])
    close = [word for word in ranked if scores[word] >= best - LIKENESS_GAP]
    return {word: scores[word] for word in close[:limit]}


def is_misspelt(name: str, suggestions: tuple[str, ...]) -> bool:
    """Whether a name is nearly one of those that are suggested for it."""
    if not suggestions:
        return False
    from rapidfuzz import fuzz

    own = normalise(name)
    return any(fuzz.ratio(own, normalise(near)) >= MISSPELT for near in suggestions)


# Letters of other alphabets that look like Latin ones, as in `Sсorch`.

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
