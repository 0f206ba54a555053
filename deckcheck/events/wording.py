"""The sentences of letters, in the language of their player.

Each language is a file of `languages/`: sentences by an id, with named placeholders,
and words for placeholders. The English file has every sentence. Letters take their
sentences by id. Messages of rules are recognised by their English text: a message
without a fitting sentence or a translation stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card, Faction, LeaderRecord, Name, full_name
from deckcheck.cards.translations import read_names
from deckcheck.documents.readers import Source
from deckcheck.fields import CLOSED
from deckcheck.messages import sentence

ENGLISH_CODE = "en"
LANGUAGES_FOLDER = Path(__file__).with_name("languages")

_FIELD_PATTERN = re.compile(r"\{(\w+)\}")
_NUMBER_FIELDS = frozenset({"number", "allowed", "required", "line"})
_PLURAL_WORD = re.compile(r"(?<=\(\?P<number>\\d\+\)\\ )(\w+?)(ies|s)\b")
_LIST_BREAKS = re.compile(r"(, | and | or |; )")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The file of a language."""

    __pydantic_config__ = CLOSED

    language: Name
    words: dict[Name, Name] = field(default_factory=dict)
    sentences: dict[Name, str] = field(default_factory=dict)


def languages() -> tuple[str, ...]:
    """Return the codes of the languages with a file."""
    return tuple(sorted(file.stem for file in LANGUAGES_FOLDER.glob("*.yaml")))


@cache
def catalogue(code: str) -> Catalogue:
    """Read the file of a language. Raises ValueError with all of its defects."""
    defects: list[object] = []
    file = LANGUAGES_FOLDER / f"{code}.yaml"
    source = Source.open(file, file.name)
    read_catalogue = source.read_record(Catalogue, source.document.data, (), defects)  # type: ignore[arg-type]
    if read_catalogue is None or defects:
        raise ValueError("\n".join(map(str, defects)))
    return read_catalogue


@cache
def patterns() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each English sentence, in the order of the file."""
    return {
        id: _make_pattern(text)
        for id, text in catalogue(ENGLISH_CODE).sentences.items()
    }


def _make_pattern(text: str) -> re.Pattern[str]:
    escaped = re.escape(text)
    fields = re.sub(r"\\\{(\w+)\\\}", _match_field, escaped)
    return re.compile(_PLURAL_WORD.sub(_match_singular_or_plural, fields))


def _match_field(field: re.Match[str]) -> str:
    what = r"\d+" if field[1] in _NUMBER_FIELDS else ".+?"
    return f"(?P<{field[1]}>{what})"


def _match_singular_or_plural(word: re.Match[str]) -> str:
    end = "(?:y|ies)" if word[2] == "ies" else "s?"
    return f"{word[1]}{end}"


class Wording:
    """Writes sentences in a language, with the names of cards in it."""

    def __init__(self, code: str, database: CardDatabase) -> None:
        self.code = code
        self.database = database
        self.own = catalogue(code)
        self.english = catalogue(ENGLISH_CODE)
        self.names = dict(self._translate_names())

    def say(self, id: str, **values: object) -> str:
        """Write a sentence of a letter."""
        text = self.own.sentences.get(id) or self.english.sentences[id]
        shown = {key: str(value) for key, value in values.items()}
        return _FIELD_PATTERN.sub(lambda field: shown[field[1]], text)

    def translate(self, message: str) -> str:
        """Return a message in the language, or unchanged without a translation."""
        matches = ((id, p.fullmatch(message)) for id, p in patterns().items())
        id, match = next(((id, match) for id, match in matches if match), ("", None))
        if match is None or self.code == ENGLISH_CODE or id not in self.own.sentences:
            return message
        values = {key: self.value(text) for key, text in match.groupdict().items()}
        return sentence(self.say(id, **values))

    def value(self, text: str) -> str:
        """Translate the value of a place in a sentence: names and words."""
        whole = self.word(text)
        if whole is not None:
            return whole
        parts = _LIST_BREAKS.split(text)
        if len(parts) == 1:
            return text
        return "".join(self._translate_part(part) for part in parts)

    def _translate_part(self, part: str) -> str:
        if part in (" and ", " or "):
            return f" {self.word(part.strip()) or part.strip()} "
        return self.word(part) or part

    def word(self, text: str) -> str | None:
        """Translate a name or a word, in back-ticks if it has them."""
        if text.startswith("`") and text.endswith("`"):
            name = self.names.get(text[1:-1])
            return None if name is None else f"`{name}`"
        words = self.own.words
        return self.names.get(text) or words.get(text) or words.get(f"{text}s")

    def name(self, record: Card | LeaderRecord | Faction) -> str:
        """Return the name of a card, a leader with its title, or a faction."""
        return self.names.get(full_name(record), full_name(record))

    def _translate_names(self) -> Iterator[tuple[str, str]]:
        """Yield the names of cards, leaders and factions, by the English names."""
        if self.code == ENGLISH_CODE:
            return
        root = self.database.root
        game = self.database.game.id
        for section, names in read_names(root, game, self.code):
            records = getattr(self.database, section)
            for id, name in names.items():
                if id in records:
                    first = name if isinstance(name, str) else name[0]
                    yield full_name(records[id]), first
