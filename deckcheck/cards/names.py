"""Find cards, leaders and factions by the names that players write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

_SEPARATORS = re.compile(r"[\W_]+")
# Letters that Unicode does not decompose, although a typist replaces them.
_BASE_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
MAX_SUGGESTIONS = 3
MAX_RANKED_NAMES = 12
"""Names that are ranked for these suggestions: several may mean the same card."""
MAX_NAME_LENGTH = 200
MIN_LIKENESS = 70
"""Minimum likeness, from 0 to 100, of a suggested name."""
WORD_LIKENESS = 65
"""Minimum likeness of a suggested word of a small vocabulary."""
LIKENESS_GAP = 20
"""Maximum distance in likeness between the best suggestion and any other."""
PART_LIKENESS = 82
"""Minimum likeness of a text and some words of a longer name."""
PART_WEIGHT = 0.9
"""Weight of the likeness of such a part, beside that of a whole name."""
ENGLISH_LEAD = 5
"""Lead in likeness that a name in another language needs to precede an English name."""
SHORTEST_START = 3
"""Fewest letters of a text that may be the beginning of a name (`Yen`)."""
START_LIKENESS = 75
"""Likeness of a name and its beginning."""
SHORTEST_PART = 4
"""Fewest letters of a text that may be a part of a name (`Commando`)."""


class Lookup(NamedTuple):
    """The result of looking up a name."""

    id: str | None = None
    """The id, if the name has a single meaning."""
    candidates: tuple[str, ...] = ()
    """The ids that the name may mean, if there are several."""
    suggestions: tuple[str, ...] = ()
    """Up to three display names, if the name is unknown."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that the name may mean."""
        return self.candidates if self.id is None else (self.id,)

    def among(self, allowed_ids: Container[str]) -> Lookup:
        """Return the lookup without ids outside of `allowed_ids`."""
        ids = tuple(id for id in self.ids if id in allowed_ids)
        if len(ids) == 1:
            return Lookup(ids[0])
        return Lookup(None, ids, self.suggestions)


class NamePart(NamedTuple):
    """Some words of a longer name: `commando` of `bluestripescommando`."""

    text: str
    name: str


class Spelling(NamedTuple):
    """A name as it is spelt, normalised too, and the ids that it means."""

    key: str
    name: str
    ids: tuple[str, ...]


def normalise(text: str) -> str:
    """Return the letters and digits of a name, without case and accents.

    For example, "Yennefer: the Conjurer" becomes "yennefertheconjurer".
    """
    text = text.casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize(
            "NFKD", text.translate(_BASE_LETTERS)
        ).casefold()
        # Some letters decompose into those again.
        decomposed = decomposed.translate(_BASE_LETTERS)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _SEPARATORS.sub("", text)


class NameIndex:
    """Names and the ids that they mean. A name may mean several."""

    def __init__(self) -> None:
        self._shown: dict[str, dict[str, str]] = {}
        self._spelt: dict[str, str] = {}

    def add(self, id: str, display: str, names: Iterable[str]) -> None:
        """Add `display` and each of `names` as a name of `id`, before any is sought."""
        for name in (display, *names):
            key = normalise(name)
            if key:
                self._shown.setdefault(key, {}).setdefault(id, display)
                self._spelt.setdefault(key, name)

    def ids(self, text: str) -> tuple[str, ...]:
        """Return all ids that a name means. A very long text is not a name."""
        if len(text) > MAX_NAME_LENGTH:
            return ()
        return tuple(self._shown.get(normalise(text), ()))

    def displays(self, key: str) -> dict[str, str]:
        """Return the display names of the ids that a normalised name means, by id."""
        return self._shown.get(key, {})

    def spellings(self) -> Iterator[Spelling]:
        """Yield every name as it is spelt."""
        for key, name in self._spelt.items():
            yield Spelling(key, name, tuple(self._shown[key]))

    @cached_property
    def parts(self) -> list[NamePart]:
        """The parts of each name of several words, made when first needed."""
        parts = []
        for key, name in self._spelt.items():
            parts += [NamePart(normalise(run), key) for run in _join_word_runs(name)]
        return parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)


def find_name(
    text: str,
    indexes: Iterable[NameIndex],
    preferred: frozenset[str] = frozenset(),
    *,
    suggest: bool,
) -> Lookup:
    """Look a name up in the first index with it.

    `preferred` ids win over other ids of the same name. Pass `suggest=False` when
    nobody reads suggestions, since making them takes longest.
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
    """Return the display names of the ids whose names are most like `text`."""
    keys: dict[str, None] = {}
    parts = []
    for index in indexes:
        keys |= dict.fromkeys(index)
        parts += index.parts
    scores = _rank_by_likeness(
        normalise(text[:MAX_NAME_LENGTH]),
        list(keys),
        parts,
        limit=MAX_RANKED_NAMES,
        least=MIN_LIKENESS,
    )
    lead = {word: ENGLISH_LEAD for word in scores if indexes[0].displays(word)}
    close = sorted(scores, key=lambda word: -scores[word] - lead.get(word, 0))
    display_names: dict[str, str] = {}
    # The first index has the names in English, which are shown if they are close.
    for index in indexes:
        for key in close:
            display_names = index.displays(key) | display_names
    ids: dict[str, None] = {}
    for key in close:
        for index in indexes:
            ids |= dict.fromkeys(index.displays(key))
    return tuple(display_names[id] for id in ids)[:MAX_SUGGESTIONS]


def closest(text: str, names: Iterable[str], limit: int = MAX_SUGGESTIONS) -> list[str]:
    """Return the known words most like `text`, best first, without unlike words.

    For example, `closest("silge", ["siege", "ranged"])` is `["siege"]`.
    """
    words = list(names)
    parts: list[NamePart] = []
    for word in words:
        parts += [NamePart(normalise(run), word) for run in _join_word_runs(word)]
    return list(_rank_by_likeness(text, words, parts, limit, WORD_LIKENESS))


def _join_word_runs(name: str) -> Iterator[str]:
    """Yield each run of consecutive words of a name, except the whole name."""
    words = [word for word in re.split(r"[\W_]+", name) if word]
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            if end - start < len(words):
                yield "".join(words[start:end])


def _rank_by_likeness(
    text: str, words: list[str], parts: list[NamePart], limit: int, least: int
) -> dict[str, float]:
    """Return the words like `text`, best first, with likenesses up to 100.

    `parts` of words count too, a little less.
    """
    from rapidfuzz import fuzz, process

    scores: dict[str, float] = {}
    for word, score, _ in process.extract(
        text, words, scorer=fuzz.ratio, limit=limit, score_cutoff=least
    ):
        scores[word] = score
    if len(text) >= SHORTEST_PART:
        longer = [part for part in parts if len(part.text) >= SHORTEST_PART]
        for _, score, index in process.extract(
            text,
            [part.text for part in longer],
            scorer=fuzz.ratio,
            limit=limit,
            score_cutoff=PART_LIKENESS,
        ):
            word = longer[index].name
            scores[word] = max(scores.get(word, 0), PART_WEIGHT * score)
    if len(text) >= SHORTEST_START:
        for word in words:
            if word.startswith(text):
                scores[word] = max(scores.get(word, 0), START_LIKENESS)
    best = max(scores.values(), default=0)
    ranked = sorted(scores, key=lambda word: -scores[word])
    close = [word for word in ranked if scores[word] >= best - LIKENESS_GAP]
    return {word: scores[word] for word in close[:limit]}


# Letters of other alphabets that look like Latin letters, as in `Sсorch`

_CYRILLIC_LETTERS = (
    "АВЕЅІЈКМНОРСТХУаеѕіјорсухһԁԛԝьвкмнт",
    "ABESIJKMHOPCTXYaesijopcyxhdqwbbkmht",
)
_GREEK_LETTERS = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγ", "ABEZHIKMNOPTYXaikvopuxy")
_LATIN_LOOKALIKES = str.maketrans(
    _CYRILLIC_LETTERS[0] + _GREEK_LETTERS[0], _CYRILLIC_LETTERS[1] + _GREEK_LETTERS[1]
)


def as_latin(text: str) -> str:
    """Replace letters that look like Latin letters by these."""
    return text.translate(_LATIN_LOOKALIKES)


def foreign_letters(text: str) -> str:
    """Name the letters in place of Latin letters, for example "`с` is Cyrillic".

    Returns an empty string if all letters are Latin.
    """
    letters: list[str] = []
    alphabets: set[str] = set()
    for letter in text:
        if ord(letter) in _LATIN_LOOKALIKES and letter not in letters:
            letters.append(letter)
            alphabet = unicodedata.name(letter).partition(" ")[0]
            alphabets.add(alphabet.capitalize())
    if not letters:
        return ""
    shown = ", ".join(f"`{letter}`" for letter in letters)
    verb = "is" if len(letters) == 1 else "are"
    return f"{shown} {verb} {' and '.join(sorted(alphabets))}"
