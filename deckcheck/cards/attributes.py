"""Cards that a deck describes, where a game has attributes and no list of cards.

Every combination of the attributes is a card, for example `3 fire up left`. The name
has the values in the order of the game's attributes. Only a number alone is followed by
the word for an absent value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import comb

from deckcheck.cards.models import Attribute, Card, CardAbility, GameRecord
from deckcheck.cards.names import Lookup, closest, normalise
from deckcheck.messages import choice, plural, quote, suggestion

ANY_NUMBER = 999
"""The copies of a card that a deck may hold as often as it likes."""

_WORD_PATTERN = re.compile(r"[^\s,;/+_]+")
_NUMBER_PATTERN = re.compile(r"[+\-\u2212\u2013]?\d[\d.]*")

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrongWord:
    """A defect of a description, between two of its characters."""

    start: int
    end: int
    message: str
    help: str
    instead: str | None = None
    """The most similar known word, if the word is unknown."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a description and its place."""

    text: str
    start: int
    end: int


def make_described_cards(game: GameRecord) -> Iterator[Card]:
    """Yield every card of a game whose cards are described, in a fixed order."""
    choices = [list(_list_values(attribute)) for attribute in game.attributes]
    for number, values in enumerate(product(*choices), start=1):
        strength: int | None = None
        words: Values = ()
        for attribute, chosen in zip(game.attributes, values, strict=True):
            if attribute.values:
                words += chosen
            elif strength is None:
                strength = int(chosen[0])
        yield Card(
            id=_make_id(game, values),
            number=number,
            name=_make_name(game, values),
            kind=game.kinds[0],
            copies=ANY_NUMBER,
            provenance=game.provenances[0],
            strength=strength,
            # Words are abilities, so that limits and searches can name them.
            abilities=tuple(map(CardAbility, words)),
        )


class Description:
    """A reader of the descriptions of the cards of a game."""

    def __init__(self, game: GameRecord) -> None:
        self.game = game
        self.owners: dict[str, Attribute] = {}
        self.labels: set[str] = set()
        for attribute in game.attributes:
            words = (*attribute.values, attribute.nothing or "")
            self.owners |= {normalise(word): attribute for word in words if word}
            self.labels |= {normalise(attribute.name), normalise(f"{attribute.name}s")}
        self.number = next((a for a in game.attributes if not a.values), None)

    def find(self, text: str) -> Lookup:
        """Look up the card that a description means.

        If words are misspelt, the most similar card is suggested.
        """
        words = self.read(text)
        if isinstance(words, str):
            return Lookup(words)
        for wrong in reversed(words):
            if wrong.instead is None:
                return Lookup()
            text = text[: wrong.start] + wrong.instead + text[wrong.end :]
        meant = self.read(text)
        for card in make_described_cards(self.game):
            if card.id == meant:
                return Lookup(suggestions=(card.name,))
        return Lookup()

    def read(self, text: str, shown: str | None = None) -> str | tuple[WrongWord, ...]:
        """Return the id of the card that `text` describes, or all its defects.

        Words may be in any order and may have the names of attributes beside them.
        Messages quote `shown`, where the file has more than `text`.
        """
        if shown is None:
            shown = text
        words: dict[str, list[Word]] = {a.name: [] for a in self.game.attributes}
        wrong: list[WrongWord] = []
        for match in _WORD_PATTERN.finditer(text):
            word = Word(match[0], match.start(), match.end())
            key = normalise(word.text)
            if self.number is not None and _NUMBER_PATTERN.fullmatch(word.text):
                words[self.number.name].append(word)
            elif key in self.owners:
                words[self.owners[key].name].append(word)
            elif key not in self.labels:
                wrong.append(self._refuse_word(word, shown))
        for attribute in self.game.attributes:
            check = _check_words if attribute.values else _check_number
            wrong += check(attribute, words[attribute.name], shown)
        if wrong:
            return tuple(sorted(wrong, key=lambda owner: (owner.start, owner.end)))
        values = tuple(_choose_values(a, words[a.name]) for a in self.game.attributes)
        return _make_id(self.game, values)

    def _refuse_word(self, word: Word, text: str) -> WrongWord:
        """Return the defect of a word that no attribute has."""
        known_words = list(self.owners)
        near = closest(normalise(word.text), known_words, limit=1)
        message = f"Unknown word {quote(word.text)} in {quote(text)}"
        beside = f", beside the {self.number.name}" if self.number is not None else ""
        help = suggestion(near, f"Words are {choice(known_words, 'and')}{beside}")
        return WrongWord(word.start, word.end, message, help, *near)


def count_values(attribute: Attribute) -> int:
    """Return the number of different values that a card can have of an attribute."""
    if attribute.minimum is not None and attribute.maximum is not None:
        return attribute.maximum - attribute.minimum + 1
    number = len(attribute.values)
    return sum(comb(number, size) for size in range((attribute.most or 0) + 1))


def _list_values(attribute: Attribute) -> Iterator[Values]:
    """Yield each value, a tuple of words, that a card can have of an attribute."""
    if attribute.minimum is not None and attribute.maximum is not None:
        for number in range(attribute.minimum, attribute.maximum + 1):
            yield (str(number),)
    for size in range((attribute.most or -1) + 1):
        yield from combinations(attribute.values, size)


def _choose_values(attribute: Attribute, words: list[Word]) -> Values:
    """Return the values that words mean, in the order of the attribute."""
    if not attribute.values:
        return (str(int(words[0].text)),)
    keys = {normalise(word.text) for word in words}
    return tuple(value for value in attribute.values if normalise(value) in keys)


def _make_name(game: GameRecord, values: tuple[Values, ...]) -> str:
    words = list(chain.from_iterable(values))
    if len(words) < 2:
        # A number alone looks like a count.
        words += [a.nothing for a in game.attributes if a.nothing]
    return " ".join(words)


def _make_id(game: GameRecord, values: tuple[Values, ...]) -> str:
    """Return an id such as `power_3_fire_up_left`: numbers follow their name."""
    words: list[str] = []
    for attribute, chosen in zip(game.attributes, values, strict=True):
        words += chosen if attribute.values else (attribute.name, *chosen)
    return "_".join(words)


def _check_number(
    attribute: Attribute, words: list[Word], text: str
) -> Iterator[WrongWord]:
    """Yield the defects of an attribute's number, which has to be given once."""
    name = attribute.name
    bounds = f"{attribute.minimum} to {attribute.maximum}"
    if not words:
        message = f"{quote(text)} has no {name}"
        help = f"Write a {name} from {bounds} in front"
        yield WrongWord(0, len(text), message, help)
        return
    first, *more = words
    if not _is_within(attribute, first.text):
        message = f"{name.capitalize()} {quote(first.text, 30)}, {bounds} allowed"
        help = f"Write a {name} from {bounds}"
        yield WrongWord(first.start, first.end, message, help)
    for word in more[:1]:
        message = f"{quote(text)} has {plural(len(words), name)}, 1 allowed"
        help = f"Keep one of them; a number of copies is `{quote(first.text)[1:-1]}x`"
        yield WrongWord(word.start, word.end, message, help)


def _is_within(attribute: Attribute, number: str) -> bool:
    digits = number.lstrip("0") or "0"
    if not number.isdecimal() or len(digits) > 9:
        return False
    return (attribute.minimum or 0) <= int(digits) <= (attribute.maximum or 0)


def _check_words(
    attribute: Attribute, words: list[Word], text: str
) -> Iterator[WrongWord]:
    """Yield the first defect of an attribute's words, and each repeated word."""
    seen: list[str] = []
    for word in words:
        key = normalise(word.text)
        if key in seen:
            message = f"{quote(text)} has {quote(word.text)} twice"
            yield WrongWord(word.start, word.end, message, "Keep one of them")
            continue
        seen.append(key)
        is_beside = len(seen) > 1 and normalise(attribute.nothing or "") in seen
        if is_beside or len(seen) > (attribute.most or 0):
            names = [quote(word.text) for word in words]
            message = f"{quote(text)} has {' and '.join(dict.fromkeys(names))}, "
            message += f"at most {plural(attribute.most or 0, attribute.name)} allowed"
            yield WrongWord(word.start, word.end, message, "Keep one of them")
            return
