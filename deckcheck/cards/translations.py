"""Names in other languages: `card_db/<game>/names/<language>.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.cards.cache import Kept, Sources
from deckcheck.cards.errors import DatabaseError, list_defects
from deckcheck.cards.names import NameIndex, normalise
from deckcheck.cards.root import shown_path
from deckcheck.cards.words import Identifier, Name
from deckcheck.findings.digest import short_digest
from deckcheck.findings.fields import CLOSED

if TYPE_CHECKING:
    from deckcheck.findings.documents import Defect, Location, Source


Names = Name | tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """The names of one language by id, where they differ from the English ones.

    What goes by several names has a list of them.
    """

    __pydantic_config__ = CLOSED

    language: Name
    """The name of the language."""
    cards: dict[Identifier, Names] = field(default_factory=dict)
    """The names of cards by id."""
    leaders: dict[Identifier, Names] = field(default_factory=dict)
    """The names of leaders by id, with the title: `Foltest, Re di Temeria`."""
    factions: dict[Identifier, Names] = field(default_factory=dict)
    """The names of factions by id."""


class FirstNames(NamedTuple):
    """The names of one language by id, the first of several."""

    cards: Mapping[str, str]
    leaders: Mapping[str, str]
    factions: Mapping[str, str]


def names_in(root: Path, game: str, language: str) -> FirstNames:
    """The names in a language by its code, such as `de`; none where it has no file.

    Raises DatabaseError with every defect of the file.
    """
    from deckcheck.findings.documents import Source, SourceError

    file = root / game / "names" / f"{language}.yaml"
    if not file.exists():
        return FirstNames({}, {}, {})
    defects: list[Defect] = []
    translation = None
    try:
        source = Source.open(file, shown_path(file, root))
        translation = source.read(Translation, source.document.data, (), defects)
    except SourceError as error:
        defects.append(error.defect)
    if translation is None or defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    return FirstNames(
        *map(_firsts, (translation.cards, translation.leaders, translation.factions))
    )


def _firsts(names: Mapping[str, Names]) -> dict[str, str]:
    return {
        id: name if isinstance(name, str) else name[0] for id, name in names.items()
    }


def index_translations(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> dict[str, NameIndex]:
    """The names of all languages in one index for each section.

    `english` are the English names of the same sections. A name that means different
    things in two languages stands for both. Raises DatabaseError with every defect.
    """
    digest = short_digest([sorted(index) for index in english.values()])
    kept = Kept(f"names {game} {root} {digest}", (Translation,))
    translations: tuple[Translation, ...] | None = kept.recall()
    if translations is None:
        sources = Sources.below(root / game)
        translations = _read(root, game, english)
        kept.keep(translations, sources)
    indexes = {section: NameIndex() for section in english}
    for translation in translations:
        for section, index in indexes.items():
            for id, name, _ in _written(getattr(translation, section)):
                index.add(id, name, _parts(name) if section == "leaders" else ())
    return indexes


def _read(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> tuple[Translation, ...]:
    from deckcheck.findings.documents import Source, SourceError

    translations = []
    defects: list[Defect] = []
    for file in sorted((root / game / "names").glob("*.yaml")):
        try:
            source = Source.open(file, shown_path(file, root))
        except SourceError as error:
            defects.append(error.defect)
            continue
        read = source.read(Translation, source.document.data, (), defects)
        if read is not None:
            translations.append(read)
            for section, index in english.items():
                defects += _check(source, section, getattr(read, section), index)
    if defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    return tuple(translations)


def _written(names: Mapping[str, Names]) -> Iterator[tuple[str, str, Location]]:
    """Each name with its id, and where it is written below the section."""
    for id, english_name in names.items():
        if isinstance(english_name, str):
            yield id, english_name, (id,)
        else:
            for place, name in enumerate(english_name):
                yield id, name, (id, place)


def _parts(name: str) -> tuple[str, ...]:
    """A leader's name and title, each alone."""
    return tuple(part.strip() for part in name.split(",", 1))


def _check(
    source: Source, section: str, names: Mapping[str, Names], english: NameIndex
) -> Iterator[Defect]:
    """Within a language a name is that of one record, and no English one of another."""
    owners: dict[str, str] = {}
    for id, name, place in _written(names):
        at = (section, *place)
        key = normalise(name)
        if id not in english.ids(id):
            yield source.key_defect((section, id), f"unknown id `{id}`")
        elif not key:
            yield source.defect(at, f"`{name}` has no letters or digits")
        elif (owner := owners.setdefault(key, id)) != id:
            yield source.defect(at, f"`{name}` is also a name of `{owner}`")
        elif others := english.ids(name):
            is_own = others == (id,)
            meant = (
                "is the English name already"
                if is_own
                else f"is English for `{others[0]}`"
            )
            yield source.defect(at, f"`{name}` {meant}")
