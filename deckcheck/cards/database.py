"""The cards, leaders and factions of one game: loaded, translated, queried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from deckcheck.cards.models import (
    RECORDS,
    Card,
    CardChange,
    Condition,
    Faction,
    GameRecord,
    Identifier,
    LeaderRecord,
    Name,
    Text,
    applied,
)
from deckcheck.cards.names import Lookup, NameIndex, closest, find_name, normalise
from deckcheck.cards.storage import (
    CacheEntry,
    DatabaseError,
    Root,
    Sources,
    folder_of,
    list_defects,
    shown_path,
)
from deckcheck.fields import CLOSED
from deckcheck.files import DIGEST_LENGTH, full_digest, short_digest
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import choice, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description
    from deckcheck.cards.listing import CardsDocument
    from deckcheck.documents.model import Location
    from deckcheck.documents.readers import Source, SourceDefect


# Names in other languages: `card_db/<game>/names/<language>.yaml`.

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


SECTIONS = ("factions", "leaders", "cards")
"""What goes by names: the fields of a translation, and of a card database."""


def names_in(
    root: Path, game: str, language: str
) -> Iterator[tuple[str, Mapping[str, Names]]]:
    """Each of SECTIONS with its names in a language by the code of it, such as `de`.

    Nothing where the language has no file. Raises DatabaseError with every defect of
    the file.
    """
    file = root / game / "names" / f"{language}.yaml"
    if not file.exists():
        return
    defects: list[SourceDefect] = []
    opened = _open(file, root, defects)
    if opened is None or defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    for section in SECTIONS:
        yield section, getattr(opened[0], section)


def _open(
    file: Path, root: Path, defects: list[SourceDefect]
) -> tuple[Translation, Source] | None:
    """A file of names; None after adding defects."""
    from deckcheck.documents.readers import Source, SourceError

    try:
        source = Source.open(file, shown_path(file, root))
    except SourceError as error:
        defects.append(error.defect)
        return None
    translation = source.read(Translation, source.document.data, (), defects)
    return None if translation is None else (translation, source)


def index_translations(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> dict[str, NameIndex]:
    """The names of all languages in one index for each section.

    `english` are the English names of the same sections. A name that means different
    things in two languages stands for both. Raises DatabaseError with every defect.
    """
    digest = short_digest([sorted(index) for index in english.values()])
    kept = CacheEntry(f"names {game} {root} {digest}", (Translation,))
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
    translations = []
    defects: list[SourceDefect] = []
    for file in sorted((root / game / "names").glob("*.yaml")):
        opened = _open(file, root, defects)
        if opened is not None:
            read, source = opened
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
) -> Iterator[SourceDefect]:
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
            meant = f"is English for `{others[0]}`"
            if others == (id,):
                meant = "is the English name already"
            yield source.defect(at, f"`{name}` {meant}")


# All data of one game.

REMEMBERED = 2_000
"""Up to how many unknown names are remembered with their suggestions."""


class CardDatabase:
    """One game's data, all of it checked; mappings are by id, in the order of files.

    `root` is the folder of card databases that it was read from, `sources` the files.
    After `changes` by sets, `origin` has the data of the game alone.
    """

    def __init__(
        self,
        game: GameRecord,
        cards: Mapping[str, Card],
        leaders: Mapping[str, LeaderRecord],
        root: Path,
        sources: Sources,
    ) -> None:
        self.game = game
        self.cards = cards
        self.leaders = leaders
        self.root = root
        self.sources = sources
        self.changes: Sequence[CardChange] = ()
        self.origin: CardDatabase | None = None
        self._known_cards: dict[str, Lookup] = {}

    @cached_property
    def factions(self) -> Mapping[str, Faction]:
        """The factions by id."""
        return {faction.id: faction for faction in self.game.factions}

    @cached_property
    def description(self) -> Description | None:
        """Reads what decks write for a card, where cards are described by words."""
        if not self.game.attributes:
            return None
        from deckcheck.cards.attributes import Description

        return Description(self.game)

    @property
    def has_numbers(self) -> bool:
        """Whether a described card may start with a number, which is no count."""
        return self.description is not None and self.description.number is not None

    @cached_property
    def full_digest(self) -> str:
        """64 hex digits that change whenever the data changes its meaning."""
        records = (self.cards.values(), self.leaders.values())
        return full_digest([self.game, *map(list, records)])

    @property
    def digest(self) -> str:
        """The first twelve of these digits, which reports print."""
        return self.full_digest[:DIGEST_LENGTH]

    def with_changes(self, changes: Sequence[CardChange]) -> CardDatabase:
        """The database of the game after what sets do to it."""
        if not changes:
            return self
        cards = applied(self.cards, Card, changes)
        leaders = applied(self.leaders, LeaderRecord, changes)
        database = CardDatabase(self.game, cards, leaders, self.root, self.sources)
        database.changes, database.origin = changes, self
        return database

    def sets_of(self, ids: Iterable[str], *, only_own: bool = False) -> tuple[str, ...]:
        """The sets that add these cards and leaders, see `CardChange.file_name`.

        `only_own` leaves out those that a format of ours names.
        """
        wanted = set(ids)
        added = (change for change in self.changes if change.was is None)
        names = {
            change.file_name
            for change in added
            if change.record.id in wanted and (change.is_own or not only_own)
        }
        return tuple(sorted(names))

    def find_card(self, text: str, *, suggest: bool = True) -> Lookup:
        """Find a card by id, name or alias; case, accents and dashes do not matter.

        Names in other languages are looked at when no English one fits. Where cards
        are described, the words of the description stand in any order. `suggest` says
        whether anybody reads suggestions, which take a thousand times as long.
        """
        if self.description is not None:
            return self.description.find(text)
        lookup = self._known_cards.get(text)
        if lookup is None:
            indexes = self._indexes("cards")
            lookup = find_name(text, indexes, suggest=suggest).among(self.cards)
            is_kept = suggest and len(self._known_cards) < REMEMBERED
            if lookup.id is not None or is_kept:
                self._known_cards[text] = lookup
        return lookup

    def removed(self, text: str) -> CardChange | None:
        """What removed the card of this name, if a set did."""
        if not self.gone:
            return None
        names = NameIndex()
        for id, change in self.gone.items():
            names.add(id, change.name, (id, *change.record.aliases))
        lookup = find_name(text, self._indexes("cards", names), suggest=False)
        return self.gone.get(lookup.id or "")

    @cached_property
    def gone(self) -> Mapping[str, CardChange]:
        """What removed a card, by the id of the card."""
        removed = (change for change in self.changes if change.now is None)
        return {change.record.id: change for change in removed}

    def find_leader(
        self, text: str, faction: str | None = None, *, suggest: bool = True
    ) -> Lookup:
        """Find a leader by id, title, name with title, alias, or a name of its own.

        The exact id of a leader stands for no other, whatever others are called. Among
        several the leaders of `faction` win; a leader of another faction is still
        found.
        """
        if text in self.leaders:
            return Lookup(text)
        own = (lead.id for lead in self.leaders.values() if lead.faction == faction)
        indexes = self._indexes("leaders")
        return find_name(text, indexes, frozenset(own), suggest=suggest)

    def find_faction(self, text: str, *, suggest: bool = True) -> Lookup:
        """Find a faction by id, name or alias."""
        return find_name(text, self._indexes("factions"), suggest=suggest)

    def _indexes(
        self, section: str, english: NameIndex | None = None
    ) -> Iterator[NameIndex]:
        yield self._english[section] if english is None else english
        yield self._translated[section]

    @cached_property
    def _translated(self) -> Mapping[str, NameIndex]:
        if self.origin is not None:
            # The files of names know what sets remove, and nothing of what they add.
            return self.origin._translated
        return index_translations(self.root, self.game.id, self._english)

    @cached_property
    def _english(self) -> Mapping[str, NameIndex]:
        indexes = {section: NameIndex() for section in SECTIONS}
        for card in self.cards.values():
            indexes["cards"].add(card.id, card.name, (card.id, *card.aliases))
        for leader in self.leaders.values():
            indexes["leaders"].add(leader.id, leader.full_name, leader_names(leader))
        for faction in self.game.factions:
            names = (faction.id, *faction.aliases)
            indexes["factions"].add(faction.id, faction.name, names)
        return indexes


def leader_names(leader: LeaderRecord) -> tuple[str, ...]:
    """What a leader may be called, apart from name and title together.

    The article of a title may be left out: `Foltest Siegemaster`, `Siegemaster`.
    """
    names = [leader.id, leader.name, *leader.aliases]
    if leader.title:
        titles = (leader.title, leader.title.removeprefix("The "))
        own = (leader.name, *leader.aliases)
        names += [*titles, *(f"{name} {title}" for name in own for title in titles)]
    return tuple(names)


# Loads card databases: what was checked before from the cache, else from files.


def load_database(game: str, root: Root = None) -> CardDatabase:
    """Load and check the card database of a game; cached per process and folder.

    `root` has the folders of card databases, see `card_db_folders`. Raises
    DatabaseError for an unknown game and, with all of them at once, for defects in its
    files.
    """
    return _load(game, folder_of(game, root))


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    kept = CacheEntry(f"cards {game_id} {root}", RECORDS)
    sources = Sources.below(root / game_id)
    game_set = kept.recall()
    if game_set is None:
        from deckcheck.cards.checks import read_game

        game_set = read_game(root, game_id)
        kept.keep(game_set, sources)
    game, cards, leaders = game_set
    if game.attributes:
        from deckcheck.cards.attributes import described_cards

        cards = described_cards(game)
    by_id = {card.id: card for card in cards}
    leaders = {leader.id: leader for leader in leaders}
    return CardDatabase(game, by_id, leaders, root, sources)


# Choosing cards of a database by what is printed on them.

T = TypeVar("T")

_RANGE = re.compile(r"\s*(\d{1,4})?\s*(\.\.)?\s*(\d{1,4})?\s*")


LEADER = "leader"
"""The word for leaders, where a kind of cards is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFilter(Condition):
    """Which cards are meant, by their strength too.

    `strength` holds both inclusive bounds, None for one that is open; cards without
    a strength fit no bound. The kind `leader` means leaders.
    """

    strength: tuple[int | None, int | None] = (None, None)

    def matches(self, card: Card) -> bool:
        """Whether the card is meant."""
        return Condition.matches(self, card) and self._is_strong(card.strength)

    def matches_leader(self, leader: LeaderRecord) -> bool:
        """Whether the leader is meant."""
        return (
            LEADER in self.kinds
            and (not self.factions or leader.faction in self.factions)
            and not (self.rows or self.abilities)
            and self.strength == (None, None)
        )

    def _is_strong(self, strength: int | None) -> bool:
        low, high = self.strength
        if low is None and high is None:
            return True
        if strength is None:
            return False
        return (low is None or low <= strength) and (high is None or strength <= high)


def card_filter(
    database: CardDatabase,
    *,
    factions: Sequence[str] = (),
    kinds: Sequence[str] = (),
    rows: Sequence[str] = (),
    abilities: Sequence[str] = (),
    strength: str | None = None,
    words: Sequence[str] = (),
) -> CardFilter:
    """The filter that words of a player describe; UsageError for an unknown word.

    Factions go by any of their names, the other words as `database.game` lists them,
    spaces and dashes for `_`. `strength` is `5`, `5..10`, `5..` or `..4`. Each of
    `words` is a faction, kind, row or ability.
    """
    game = database.game
    known_kinds = (*game.kinds, *([LEADER] if database.leaders else ()))
    named = {
        "kind": [_word("kind", word, known_kinds) for word in kinds],
        "row": [_word("row", word, game.rows) for word in rows],
        "ability": [_word("ability", word, game.abilities) for word in abilities],
        "faction": [_faction(database, word) for word in factions],
    }
    allowed = {"kind": known_kinds, "row": game.rows, "ability": game.abilities}
    for what, word in _meant(database, words, allowed):
        named[what].append(word)
    return CardFilter(
        factions=tuple(named["faction"]),
        kinds=tuple(named["kind"]),
        rows=tuple(named["row"]),
        abilities=tuple(named["ability"]),
        strength=(None, None) if strength is None else _range(strength),
    )


def _meant(
    database: CardDatabase, words: Sequence[str], allowed: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """What the words of a player name, and those as the game writes them.

    A name can be several words, and a plural.
    """
    by_name = {
        normalise(word): (what, word)
        for what, known in allowed.items()
        for word in known
    }
    start = 0
    while start < len(words):
        for stop in range(len(words), start, -1):
            text = " ".join(words[start:stop])
            name = normalise(text)
            singular = [
                name,
                *(name.removesuffix(end) for end in ("s", "es")),
                re.sub("ies$", "y", name),
            ]
            faction = database.find_faction(text).id
            meant = next((by_name[n] for n in singular if n in by_name), None)
            if meant or faction:
                yield meant or ("faction", faction or "")
                start = stop
                break
        else:
            text = " ".join(words[start:])
            raise UsageError(
                f"No faction, kind, row or ability is called {quote(text)}",
                f"Look for a card with `deckcheck cards find {text}`",
            )


def _faction(database: CardDatabase, text: str) -> str:
    lookup = database.find_faction(text)
    if lookup.id is not None:
        return lookup.id
    names = lookup.suggestions or tuple(f.name for f in database.game.factions)
    if not names:
        help = f"{database.game.name} has no factions"
        raise UsageError(f"Unknown faction {quote(text)}", help)
    raise _unknown("faction", text, lookup.suggestions, names)


def _word(what: str, text: str, allowed: Sequence[str]) -> str:
    by_name = {normalise(word): word for word in allowed}
    # Two games may differ in a `_` only.
    word = text if text in allowed else by_name.get(normalise(text))
    if word is not None:
        return word
    near = [by_name[name] for name in closest(normalise(text), by_name)]
    raise _unknown(what, text, near, allowed)


def _unknown(
    what: str, text: str, near: Sequence[str], allowed: Sequence[str]
) -> UsageError:
    help = suggestion(near, f"Known: {choice(allowed, 'and')}")
    return UsageError(f"Unknown {what} {quote(text)}", help)


def _range(text: str) -> tuple[int | None, int | None]:
    match = _RANGE.fullmatch(text)
    low, dots, high = match.groups() if match else (None, None, None)
    if (low or high) is None or (dots is None and high is not None):
        message = f"{quote(text)} is not a range of strengths"
        raise UsageError(message, "Write `5`, `5..10`, `5..` or `..4`")
    least = int(low) if low else None
    most = least if dots is None else int(high) if high else None
    if least is not None and most is not None and least > most:
        help = f"Write the smaller figure first: `{most}..{least}`"
        raise UsageError(f"No strength fits the range {quote(text)}", help)
    return least, most


def find_cards(database: CardDatabase, text: str) -> list[Card]:
    """The cards whose id, name or alias is `text`; else those that have it in one."""
    if ids := database.find_card(text).ids:
        return [database.cards[id] for id in ids]
    cards = list(database.cards.values())
    return _holding(text, cards, lambda c: (c.name, c.id, *c.aliases))


def find_leaders(database: CardDatabase, text: str) -> list[LeaderRecord]:
    """The leaders that `text` names; else those that have it in one of their names."""
    if ids := database.find_leader(text).ids:
        return [database.leaders[id] for id in ids]
    return _holding(text, list(database.leaders.values()), leader_names)


def _holding(
    text: str, records: list[T], names: Callable[[T], tuple[str, ...]]
) -> list[T]:
    part = normalise(text)
    return [r for r in records if part and any(part in normalise(n) for n in names(r))]


def named_records(
    database: CardDatabase, text: str
) -> tuple[list[Card], list[LeaderRecord]]:
    """The card or leader that `text` names, or all that share the name.

    Raises UsageError with suggestions when nothing has the name.
    """
    card, leader = database.find_card(text), database.find_leader(text)
    if card.id is not None:
        return [database.cards[card.id]], []
    if leader.id is not None:
        return [], [database.leaders[leader.id]]
    if not (card.ids or leader.ids):
        raise unknown_name(database, text)
    cards = [database.cards[id] for id in card.ids]
    return cards, [database.leaders[id] for id in leader.ids]


def unknown_name(database: CardDatabase, text: str) -> UsageError:
    """The error for a name that no card and no leader has."""
    card, leader = database.find_card(text), database.find_leader(text)
    near = card.suggestions or leader.suggestions
    command = f"`deckcheck cards --game {database.game.id}` lists all"
    message = f"Unknown card or leader {quote(text)}"
    return UsageError(message, suggestion(near, command))


def known_game(game: str, games: Sequence[str]) -> str:
    """The id of a game as a player writes it; UsageError for an unknown one."""
    return _word("game", game, games)


# Cards and leaders in words, as lists show them


def row_of(database: CardDatabase, card: Card) -> tuple[str, ...]:
    """Return a card in words, a cell for each column of a list of cards."""
    return (
        card.name,
        _faction_of(database, card),
        card.kind,
        " or ".join(card.rows),
        "" if card.strength is None else str(card.strength),
        ", ".join(ability.code for ability in card.abilities),
        _copies_of(database, card),
    )


def _copies_of(database: CardDatabase, card: Card) -> str:
    """How many copies a deck can hold; empty where there is no limit."""
    if database.description is not None:
        return ""
    return str(card.copies) if card.deckable else "side deck"


def _faction_of(database: CardDatabase, card: Card) -> str:
    return database.factions[card.faction].name if card.faction else ""


def texts_of(
    database: CardDatabase, records: Sequence[Card | LeaderRecord]
) -> list[Text]:
    """Return what the abilities of cards and leaders do, in the order of the game."""
    codes: set[str] = set()
    for record in records:
        if isinstance(record, Card):
            codes.update(ability.code for ability in record.abilities)
        else:
            codes.add(record.ability)
    return [text for text in database.game.texts if text.ability in codes]


def lines_of_card(database: CardDatabase, card: Card) -> list[tuple[str, str]]:
    """Return all that is known of a card: words, and what they say, which may be ""."""
    abilities = []
    for ability in card.abilities:
        target = database.cards[ability.target].name if ability.target else ""
        group = f"gathers `{ability.group}`" if ability.group else ""
        row = f"{ability.row} row" if ability.row else ""
        about = f" ({target or group or row})" if target or group or row else ""
        abilities.append(ability.code + about)
    return [
        ("id", card.id),
        ("faction", _faction_of(database, card)),
        ("kind", card.kind),
        ("row", " or ".join(card.rows)),
        ("strength", "" if card.strength is None else str(card.strength)),
        ("abilities", ", ".join(abilities)),
        ("copies", _copies_of(database, card).replace("side deck", "side deck only")),
        ("aliases", ", ".join(card.aliases)),
        ("source", card.provenance),
    ]


def lines_of_leader(
    database: CardDatabase, leader: LeaderRecord
) -> list[tuple[str, str]]:
    """Return the same of a leader."""
    return [
        ("id", leader.id),
        ("faction", database.factions[leader.faction].name),
        ("ability", leader.ability + (" (passive)" if leader.passive else "")),
        ("aliases", ", ".join(leader.aliases)),
        ("source", leader.provenance),
    ]


def cards_document(
    database: CardDatabase, cards: Sequence[Card], leaders: Sequence[LeaderRecord]
) -> CardsDocument:
    """Return cards and leaders as `deckcheck schema cards-output` describes them."""
    return {
        "schema_version": 1,
        "tool": tool(),
        "game": database.game.id,
        "digest": database.digest,
        "cards": [asdict(card) for card in cards],
        "leaders": [asdict(leader) for leader in leaders],
        "texts": [asdict(text) for text in texts_of(database, [*cards, *leaders])],
    }
