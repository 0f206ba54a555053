"""Cards that a deck describes, where a game has attributes and no list of cards.

Every combination of the attributes is a card: `3 fire up left`. Its name has one value
after the other, in the order of the game; a word for nothing stands next to a number
alone only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

from deckcheck.cards.models import Attribute, Card, CardAbility, GameRecord
from deckcheck.cards.names import Lookup, closest, normalise
from deckcheck.messages import choice, plural, quote, suggestion

ANY_NUMBER = 999
"""The copies of a card that a deck may hold as often as it likes."""

_WORD = re.compile(r"[^\s,;/+_]+")
_NUMBER = re.compile(r"[+\-\u2212\u2013]?\d[\d.]*")

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrongWord:
    """A defect of a description, between two of its characters.

    `instead` is the word that was probably meant, if the word is not known.
    """

    start: int
    end: int
    message: str
    help: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a description and its place."""

    text: str
    start: int
    end: int


def described_cards(game: GameRecord) -> Iterator[Card]:
    """Every card of a game whose cards are described, numbered in a fixed order."""
    ways = [list(_combinations(attribute)) for attribute in game.attributes]
    for number, values in enumerate(product(*ways), start=1):
        chosen = list(zip(game.attributes, values, strict=True))
        yield Card(
            id=_id(game, values),
            number=number,
            name=_name(game, values),
            kind=game.kinds[0],
            copies=ANY_NUMBER,
            provenance=game.provenances[0],
            strength=next((int(own[0]) for a, own in chosen if not a.values), None),
            # The words, so that limits and searches can speak of them.
            abilities=tuple(
                CardAbility(word) for a, own in chosen if a.values for word in own
            ),
        )


class Description:
    """Reads descriptions of the cards of one game."""

    def __init__(self, game: GameRecord) -> None:
        self.game = game
        self.owners = {
            normalise(word): attribute
            for attribute in game.attributes
            for word in (*attribute.values, attribute.nothing)
            if word is not None
        }
        names = [attribute.name for attribute in game.attributes]
        self.labels = {normalise(name + end) for name in names for end in ("", "s")}
        self.number = next((a for a in game.attributes if not a.values), None)

    def find(self, text: str) -> Lookup:
        """What a description stands for; one with misspelt words is suggested."""
        words = self.read(text)
        for wrong in reversed(() if isinstance(words, str) else words):
            if wrong.instead is None:
                return Lookup()
            text = text[: wrong.start] + wrong.instead + text[wrong.end :]
        meant = self.read(text)
        if not isinstance(meant, str):
            return Lookup()
        if meant == words:
            return Lookup(meant)
        names = (card.name for card in described_cards(self.game) if card.id == meant)
        return Lookup(suggestions=tuple(names))

    def read(self, text: str, said: str | None = None) -> str | tuple[WrongWord, ...]:
        """The id of the card that `text` describes, or all that is wrong with it.

        Words stand in any order, and the names of attributes may stand next to them.
        `said` is what messages quote, where the file says more than `text`.
        """
        said = text if said is None else said
        words: dict[str, list[Word]] = {a.name: [] for a in self.game.attributes}
        wrong: list[WrongWord] = []
        for match in _WORD.finditer(text):
            word = Word(match[0], match.start(), match.end())
            key = normalise(word.text)
            if self.number is not None and _NUMBER.fullmatch(word.text):
                words[self.number.name].append(word)
            elif key in self.owners:
                words[self.owners[key].name].append(word)
            elif key not in self.labels:
                wrong.append(self._unknown(word, said))
        for attribute in self.game.attributes:
            check = _wrong_values if attribute.values else _wrong_numbers
            wrong += check(attribute, words[attribute.name], said)
        if wrong:
            return tuple(sorted(wrong, key=lambda owner: (owner.start, owner.end)))
        values = tuple(_chosen(a, words[a.name]) for a in self.game.attributes)
        return _id(self.game, values)

    def _unknown(self, word: Word, text: str) -> WrongWord:
        known_words = list(self.owners)
        near = closest(normalise(word.text), known_words, limit=1)
        message = f"Unknown word {quote(word.text)} in {quote(text)}"
        beside = f", beside the {self.number.name}" if self.number is not None else ""
        help = suggestion(near, f"Words are {choice(known_words, 'and')}{beside}")
        return WrongWord(word.start, word.end, message, help, *near)


def ways(attribute: Attribute) -> int:
    """How many different values a card can have of an attribute."""
    if attribute.minimum is not None and attribute.maximum is not None:
        return attribute.maximum - attribute.minimum + 1
    number = len(attribute.values)
    return sum(comb(number, size) for size in range((attribute.most or 0) + 1))


def _combinations(attribute: Attribute) -> Iterator[Values]:
    if attribute.minimum is not None and attribute.maximum is not None:
        for number in range(attribute.minimum, attribute.maximum + 1):
            yield (str(number),)
    for size in range((attribute.most or -1) + 1):
        yield from combinations(attribute.values, size)


def _chosen(attribute: Attribute, words: list[Word]) -> Values:
    """The values that words stand for, in the order of the attribute."""
    if not attribute.values:
        return (str(int(words[0].text)),)
    keys = {normalise(word.text) for word in words}
    return tuple(value for value in attribute.values if normalise(value) in keys)


def _name(game: GameRecord, values: tuple[Values, ...]) -> str:
    words = [word for chosen in values for word in chosen]
    if len(words) < 2:
        # A number alone looks like a count.
        words += [a.nothing for a in game.attributes if a.nothing]
    return " ".join(words)


def _id(game: GameRecord, values: tuple[Values, ...]) -> str:
    """`power_3_fire_up_left`: values alone, but a number follows its name."""
    words: list[str] = []
    for attribute, chosen in zip(game.attributes, values, strict=True):
        words += chosen if attribute.values else (attribute.name, *chosen)
    return "_".join(words)


def _wrong_numbers(
    attribute: Attribute, words: list[Word], text: str
) -> Iterator[WrongWord]:
    name, bounds = attribute.name, f"{attribute.minimum} to {attribute.maximum}"
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


def _wrong_values(
    attribute: Attribute, words: list[Word], text: str
) -> Iterator[WrongWord]:
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
