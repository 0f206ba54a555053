"""The names of cards, leaders and factions in languages other than English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.models import Identifier, Name
from deckcheck.cards.names import NameIndex, normalise
from deckcheck.cards.storage import (
    CacheEntry,
    DatabaseError,
    Sources,
    list_defects,
    shown_path,
)
from deckcheck.fields import CLOSED
from deckcheck.files import short_digest

if TYPE_CHECKING:
    from deckcheck.documents.model import Location
    from deckcheck.documents.readers import Source, SourceDefect

OneOrMoreNames = Name | tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """The names of a language by id, where they differ from the English names.

    A card with several names has a list of them.
    """

    __pydantic_config__ = CLOSED

    language: Name
    """The name of the language."""
    cards: dict[Identifier, OneOrMoreNames] = field(default_factory=dict)
    """The names of cards by id."""
    leaders: dict[Identifier, OneOrMoreNames] = field(default_factory=dict)
    """The names of leaders by id, with the title: `Foltest, Re di Temeria`."""
    factions: dict[Identifier, OneOrMoreNames] = field(default_factory=dict)
    """The names of factions by id."""


NAMED_SECTIONS = ("factions", "leaders", "cards")
"""The fields of a translation and of a card database whose entries have names."""


def read_names(
    root: Path, game: str, language: str
) -> Iterator[tuple[str, Mapping[str, OneOrMoreNames]]]:
    """Yield each of NAMED_SECTIONS with its names in a language, such as `de`.

    Yields nothing if the language has no file. Raises DatabaseError with every defect
    of the file.
    """
    file = root / game / "names" / f"{language}.yaml"
    if not file.exists():
        return
    defects: list[SourceDefect] = []
    translation, _ = _open_translation(file, root, defects)
    if defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    for section in NAMED_SECTIONS:
        yield section, getattr(translation, section)


def _open_translation(
    file: Path, root: Path, defects: list[SourceDefect]
) -> tuple[Translation, Source | None]:
    """Read a file of names and add its defects.

    The translation has no names, and the source is None, if they cannot be read.
    """
    from deckcheck.documents.readers import Source, SourceError

    try:
        source = Source.open(file, shown_path(file, root))
    except SourceError as error:
        defects.append(error.defect)
        return Translation(""), None
    translation = source.read_record(Translation, source.document.data, (), defects)
    if translation is None:
        return Translation(""), None
    return translation, source


def index_translations(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> dict[str, NameIndex]:
    """Return an index of the names in all languages for each section.

    `english` are the English names of the same sections. A name with different meanings
    in two languages has both. Raises DatabaseError with every defect.
    """
    fingerprint = short_digest([sorted(index) for index in english.values()])
    entry = CacheEntry(f"names {game} {root} {fingerprint}", (Translation,))
    translations: tuple[Translation, ...] | None = entry.recall()
    if translations is None:
        sources = Sources.below(root / game)
        translations = _read_translations(root, game, english)
        entry.keep(translations, sources)
    indexes = {section: NameIndex() for section in english}
    for translation in translations:
        for section, index in indexes.items():
            for id, name, _ in _list_names(getattr(translation, section)):
                index.add(id, name, _split_title(name) if section == "leaders" else ())
    return indexes


def _read_translations(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> tuple[Translation, ...]:
    """Read all translations of a game. Raises DatabaseError with every defect."""
    translations = []
    defects: list[SourceDefect] = []
    for file in sorted((root / game / "names").glob("*.yaml")):
        translation, source = _open_translation(file, root, defects)
        translations.append(translation)
        if source is not None:
            for section, index in english.items():
                names = getattr(translation, section)
                defects += _check_names(source, section, names, index)
    if defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    return tuple(translations)


def _list_names(
    names: Mapping[str, OneOrMoreNames],
) -> Iterator[tuple[str, str, Location]]:
    """Yield each name with its id and its location in the section."""
    for id, one_or_more in names.items():
        if isinstance(one_or_more, str):
            yield id, one_or_more, (id,)
        else:
            for index, name in enumerate(one_or_more):
                yield id, name, (id, index)


def _split_title(name: str) -> tuple[str, ...]:
    """Return a leader's name and title, or the name alone."""
    return tuple(part.strip() for part in name.split(",", 1))


def _check_names(
    source: Source,
    section: str,
    names: Mapping[str, OneOrMoreNames],
    english: NameIndex,
) -> Iterator[SourceDefect]:
    """Yield a defect for each name with another meaning, there or in English."""
    owners: dict[str, str] = {}
    for id, name, location_in_section in _list_names(names):
        location = (section, *location_in_section)
        key = normalise(name)
        if id not in english.ids(id):
            yield source.key_defect((section, id), f"unknown id `{id}`")
            continue
        if not key:
            yield source.defect(location, f"`{name}` has no letters or digits")
            continue
        owner = owners.setdefault(key, id)
        english_ids = english.ids(name)
        if owner != id:
            yield source.defect(location, f"`{name}` is also a name of `{owner}`")
        elif english_ids == (id,):
            yield source.defect(location, f"`{name}` is the English name already")
        elif english_ids:
            message = f"`{name}` is English for `{english_ids[0]}`"
            yield source.defect(location, message)
