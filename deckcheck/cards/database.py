"""The cards, leaders and factions of a game: loaded, translated and queried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from deckcheck.cards.models import (
    CARD_RECORDS,
    Card,
    CardChange,
    Condition,
    Faction,
    GameRecord,
    Identifier,
    LeaderRecord,
    Name,
    Text,
    apply_changes,
)
from deckcheck.cards.names import (
    Lookup,
    NameIndex,
    Spelling,
    closest,
    find_name,
    normalise,
)
from deckcheck.cards.storage import (
    CacheEntry,
    DatabaseError,
    Root,
    Sources,
    find_game_folder,
    list_defects,
    shown_path,
)
from deckcheck.fields import CLOSED
from deckcheck.files import FINGERPRINT_LENGTH, full_digest, short_digest
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import choice, quote, suggestion

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description
    from deckcheck.cards.listing import CardsDocument
    from deckcheck.documents.model import Location
    from deckcheck.documents.readers import Source, SourceDefect


# Names in other languages: `card_db/<game>/names/<language>.yaml`

Names = Name | tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """The names of a language by id, where they differ from the English names.

    A card with several names has a list of them.
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


NAMED_SECTIONS = ("factions", "leaders", "cards")
"""The fields of a translation and of a card database whose entries have names."""


def read_names(
    root: Path, game: str, language: str
) -> Iterator[tuple[str, Mapping[str, Names]]]:
    """Yield each of NAMED_SECTIONS with its names in a language, such as `de`.

    Yields nothing if the language has no file. Raises DatabaseError with every defect
    of the file.
    """
    file = root / game / "names" / f"{language}.yaml"
    if not file.exists():
        return
    defects: list[SourceDefect] = []
    opened = _open_translation(file, root, defects)
    if opened is None or defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    for section in NAMED_SECTIONS:
        yield section, getattr(opened[0], section)


def _open_translation(
    file: Path, root: Path, defects: list[SourceDefect]
) -> tuple[Translation, Source] | None:
    """Read a file of names. Returns None after adding its defects."""
    from deckcheck.documents.readers import Source, SourceError

    try:
        source = Source.open(file, shown_path(file, root))
    except SourceError as error:
        defects.append(error.defect)
        return None
    translation = source.read_record(Translation, source.document.data, (), defects)
    return None if translation is None else (translation, source)


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
            for id, name, _ in _list_written(getattr(translation, section)):
                index.add(id, name, _split_title(name) if section == "leaders" else ())
    return indexes


def _read_translations(
    root: Path, game: str, english: Mapping[str, NameIndex]
) -> tuple[Translation, ...]:
    """Read all translations of a game. Raises DatabaseError with every defect."""
    translations = []
    defects: list[SourceDefect] = []
    for file in sorted((root / game / "names").glob("*.yaml")):
        opened = _open_translation(file, root, defects)
        if opened is not None:
            translation, source = opened
            translations.append(translation)
            for section, index in english.items():
                defects += _check_names(
                    source, section, getattr(translation, section), index
                )
    if defects:
        raise DatabaseError(list_defects(f"names of `{game}`", defects))
    return tuple(translations)


def _list_written(names: Mapping[str, Names]) -> Iterator[tuple[str, str, Location]]:
    """Yield each name with its id and its location in the section."""
    for id, written in names.items():
        if isinstance(written, str):
            yield id, written, (id,)
        else:
            for index, name in enumerate(written):
                yield id, name, (id, index)


def _split_title(name: str) -> tuple[str, ...]:
    """Split a leader's name from the title."""
    return tuple(part.strip() for part in name.split(",", 1))


def _check_names(
    source: Source, section: str, names: Mapping[str, Names], english: NameIndex
) -> Iterator[SourceDefect]:
    """Yield a defect for each name with another meaning, there or in English."""
    owners: dict[str, str] = {}
    for id, name, in_section in _list_written(names):
        location = (section, *in_section)
        key = normalise(name)
        if id not in english.ids(id):
            yield source.key_defect((section, id), f"unknown id `{id}`")
        elif not key:
            yield source.defect(location, f"`{name}` has no letters or digits")
        elif (owner := owners.setdefault(key, id)) != id:
            yield source.defect(location, f"`{name}` is also a name of `{owner}`")
        elif others := english.ids(name):
            meant = f"is English for `{others[0]}`"
            if others == (id,):
                meant = "is the English name already"
            yield source.defect(location, f"`{name}` {meant}")


# All data of a game

MAX_REMEMBERED_NAMES = 2_000
"""Most names to remember with what was found for them."""


class CardDatabase:
    """The checked data of a game. Mappings are by id, in the order of the files.

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
        """The reader of card descriptions, if words describe the game's cards."""
        if not self.game.attributes:
            return None
        from deckcheck.cards.attributes import Description

        return Description(self.game)

    @property
    def has_numbers(self) -> bool:
        """Whether a described card may start with a number of its own."""
        return self.description is not None and self.description.number is not None

    @cached_property
    def full_digest(self) -> str:
        """A hash of 64 hex digits that changes with the meaning of the data."""
        records = (self.cards.values(), self.leaders.values())
        return full_digest([self.game, *map(list, records)])

    @property
    def fingerprint(self) -> str:
        """The first twelve digits of the full fingerprint, which reports print."""
        return self.full_digest[:FINGERPRINT_LENGTH]

    def with_changes(self, changes: Sequence[CardChange]) -> CardDatabase:
        """Return the database of the game after the changes of sets."""
        if not changes:
            return self
        cards = apply_changes(self.cards, Card, changes)
        leaders = apply_changes(self.leaders, LeaderRecord, changes)
        database = CardDatabase(self.game, cards, leaders, self.root, self.sources)
        database.changes = changes
        database.origin = self
        return database

    def sets_adding(
        self, ids: Iterable[str], *, only_own: bool = False
    ) -> tuple[str, ...]:
        """Return the names of the sets that add these cards and leaders.

        They are as in `CardChange.file_name`. `only_own` leaves out the sets of
        built-in formats.
        """
        wanted = set(ids)
        names = set()
        for change in self.changes:
            is_addition = change.was is None and change.record.id in wanted
            if is_addition and (change.is_own or not only_own):
                names.add(change.file_name)
        return tuple(sorted(names))

    def find_card(self, text: str, *, suggest: bool = True) -> Lookup:
        """Find a card by id, name or alias, regardless of case, accents and dashes.

        Names in other languages count when no English name fits. Words of a description
        may be in any order. Pass `suggest=False` when nobody reads suggestions, which
        take a thousand times as long.
        """
        if self.description is not None:
            return self.description.find(text)
        lookup = self._known_cards.get(text)
        if lookup is None:
            indexes = self._make_indexes("cards")
            lookup = find_name(text, indexes, suggest=suggest).among(self.cards)
            is_kept = suggest and len(self._known_cards) < MAX_REMEMBERED_NAMES
            if lookup.id is not None or is_kept:
                self._known_cards[text] = lookup
        return lookup

    @cached_property
    def card_spellings(self) -> tuple[Spelling, ...]:
        """Every name of cards, in all languages."""
        indexes = self._make_indexes("cards")
        return tuple(spelling for index in indexes for spelling in index.spellings())

    def find_removal(self, text: str) -> CardChange | None:
        """Return the change that removed the card of this name, if a set did."""
        if not self.removals:
            return None
        names = NameIndex()
        for id, change in self.removals.items():
            names.add(id, change.name, (id, *change.record.aliases))
        lookup = find_name(text, self._make_indexes("cards", names), suggest=False)
        return self.removals.get(lookup.id or "")

    @cached_property
    def removals(self) -> Mapping[str, CardChange]:
        """The changes that removed cards, by the id of the card."""
        removed = (change for change in self.changes if change.now is None)
        return {change.record.id: change for change in removed}

    def find_leader(
        self, text: str, faction: str | None = None, *, suggest: bool = True
    ) -> Lookup:
        """Find a leader by id, title, name with title, or alias.

        The exact id of a leader has no other meaning. Leaders of `faction` have
        priority among several, but a leader of another faction is found, too.
        """
        if text in self.leaders:
            return Lookup(text)
        leaders = self.leaders.values()
        preferred = frozenset(lead.id for lead in leaders if lead.faction == faction)
        indexes = self._make_indexes("leaders")
        return find_name(text, indexes, preferred, suggest=suggest)

    def find_faction(self, text: str, *, suggest: bool = True) -> Lookup:
        """Find a faction by id, name or alias."""
        return find_name(text, self._make_indexes("factions"), suggest=suggest)

    def _make_indexes(
        self, section: str, english: NameIndex | None = None
    ) -> Iterator[NameIndex]:
        yield self._english[section] if english is None else english
        yield self._translations[section]

    @cached_property
    def _translations(self) -> Mapping[str, NameIndex]:
        if self.origin is not None:
            # The files of names include removed cards, and no card that a set adds.
            return self.origin._translations
        return index_translations(self.root, self.game.id, self._english)

    @cached_property
    def _english(self) -> Mapping[str, NameIndex]:
        indexes = {section: NameIndex() for section in NAMED_SECTIONS}
        for card in self.cards.values():
            indexes["cards"].add(card.id, card.name, (card.id, *card.aliases))
        for leader in self.leaders.values():
            indexes["leaders"].add(leader.id, leader.full_name, leader_names(leader))
        for faction in self.game.factions:
            names = (faction.id, *faction.aliases)
            indexes["factions"].add(faction.id, faction.name, names)
        return indexes


def leader_names(leader: LeaderRecord) -> tuple[str, ...]:
    """Return the names of a leader, except for name and title together.

    The article of a title may be left out: `Foltest Siegemaster`, `Siegemaster`.
    """
    names = [leader.id, leader.name, *leader.aliases]
    if leader.title:
        titles = (leader.title, leader.title.removeprefix("The "))
        for title in titles:
            names.append(title)
            names += [f"{name} {title}" for name in (leader.name, *leader.aliases)]
    return tuple(names)


# Loading: from the cache if the files are unchanged since they were checked


def load_database(game: str, root: Root = None) -> CardDatabase:
    """Load and check the card database of a game, once per process and folder.

    `root` has the folders of card databases, see `card_db_folders`. Raises
    DatabaseError for an unknown game and, all at once, for the defects in its files.
    """
    return _load(game, find_game_folder(game, root))


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    entry = CacheEntry(f"cards {game_id} {root}", CARD_RECORDS)
    sources = Sources.below(root / game_id)
    game_set = entry.recall()
    if game_set is None:
        from deckcheck.cards.checks import read_game

        game_set = read_game(root, game_id)
        entry.keep(game_set, sources)
    game, cards, leaders = game_set
    if game.attributes:
        from deckcheck.cards.attributes import make_described_cards

        cards = make_described_cards(game)
    by_id = {card.id: card for card in cards}
    leaders = {leader.id: leader for leader in leaders}
    return CardDatabase(game, by_id, leaders, root, sources)


# Choosing cards of a database by their text

T = TypeVar("T")

_RANGE_PATTERN = re.compile(r"\s*(\d{1,4})?\s*(\.\.)?\s*(\d{1,4})?\s*")


LEADER_KIND = "leader"
"""The word for leaders among the kinds of cards that can be searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFilter(Condition):
    """A condition on cards that includes their strength.

    The kind `leader` means leaders.
    """

    strength: tuple[int | None, int | None] = (None, None)
    """Both inclusive bounds, None for an open bound. Cards without strength fit no
    bound.
    """

    def matches(self, card: Card) -> bool:
        """Report whether a card fits."""
        return Condition.matches(self, card) and self._is_strong(card.strength)

    def matches_leader(self, leader: LeaderRecord) -> bool:
        """Report whether a leader fits."""
        return (
            LEADER_KIND in self.kinds
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


def make_card_filter(
    database: CardDatabase,
    *,
    factions: Sequence[str] = (),
    kinds: Sequence[str] = (),
    rows: Sequence[str] = (),
    abilities: Sequence[str] = (),
    strength: str | None = None,
    words: Sequence[str] = (),
) -> CardFilter:
    """Return the filter that the words of a player describe.

    Factions go by any of their names, the other words as `database.game` lists them,
    with spaces and dashes for `_`. `strength` is `5`, `5..10`, `5..` or `..4`. Each of
    `words` is a faction, kind, row or ability. Raises UsageError for an unknown word.
    """
    game = database.game
    known_kinds = list(game.kinds)
    if database.leaders:
        known_kinds.append(LEADER_KIND)
    named = {
        "kind": [_find_word("kind", word, known_kinds) for word in kinds],
        "row": [_find_word("row", word, game.rows) for word in rows],
        "ability": [_find_word("ability", word, game.abilities) for word in abilities],
        "faction": [_find_faction(database, word) for word in factions],
    }
    allowed = {"kind": known_kinds, "row": game.rows, "ability": game.abilities}
    for what, word in _resolve_words(database, words, allowed):
        named[what].append(word)
    return CardFilter(
        factions=tuple(named["faction"]),
        kinds=tuple(named["kind"]),
        rows=tuple(named["row"]),
        abilities=tuple(named["ability"]),
        strength=(None, None) if strength is None else _parse_range(strength),
    )


def _resolve_words(
    database: CardDatabase, words: Sequence[str], allowed: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield each word of a player as a category and the game's own spelling.

    A name can be several words, and a plural.
    """
    by_name: dict[str, tuple[str, str]] = {}
    for what, known in allowed.items():
        for word in known:
            by_name[normalise(word)] = (what, word)
    start = 0
    while start < len(words):
        for stop in range(len(words), start, -1):
            text = " ".join(words[start:stop])
            name = normalise(text)
            singular = [
                name,
                name.removesuffix("s"),
                name.removesuffix("es"),
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


def _find_faction(database: CardDatabase, text: str) -> str:
    lookup = database.find_faction(text)
    if lookup.id is not None:
        return lookup.id
    names = lookup.suggestions or tuple(f.name for f in database.game.factions)
    if not names:
        help = f"{database.game.name} has no factions"
        raise UsageError(f"Unknown faction {quote(text)}", help)
    raise _unknown_word_error("faction", text, lookup.suggestions, names)


def _find_word(what: str, text: str, allowed: Sequence[str]) -> str:
    by_name = {normalise(word): word for word in allowed}
    # Two games may differ in a `_` only.
    word = text if text in allowed else by_name.get(normalise(text))
    if word is not None:
        return word
    near = [by_name[name] for name in closest(normalise(text), by_name)]
    raise _unknown_word_error(what, text, near, allowed)


def _unknown_word_error(
    what: str, text: str, near: Sequence[str], allowed: Sequence[str]
) -> UsageError:
    help = suggestion(near, f"Known: {choice(allowed, 'and')}")
    return UsageError(f"Unknown {what} {quote(text)}", help)


def _parse_range(text: str) -> tuple[int | None, int | None]:
    match = _RANGE_PATTERN.fullmatch(text)
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
    """Return the cards named `text`, else the cards with `text` in a name."""
    if ids := database.find_card(text).ids:
        return [database.cards[id] for id in ids]
    cards = list(database.cards.values())
    return _find_containing(text, cards, lambda c: (c.name, c.id, *c.aliases))


def find_leaders(database: CardDatabase, text: str) -> list[LeaderRecord]:
    """Return the leaders named `text`, else the leaders with `text` in a name."""
    if ids := database.find_leader(text).ids:
        return [database.leaders[id] for id in ids]
    return _find_containing(text, list(database.leaders.values()), leader_names)


def _find_containing(
    text: str, records: list[T], names: Callable[[T], tuple[str, ...]]
) -> list[T]:
    """Return the records with a name that contains a text. An empty text has none."""
    part = normalise(text)
    if not part:
        return []
    found: list[T] = []
    for record in records:
        if any(part in normalise(name) for name in names(record)):
            found.append(record)
    return found


def find_records(
    database: CardDatabase, text: str
) -> tuple[list[Card], list[LeaderRecord]]:
    """Return the card or leader named `text`, or all that share an ambiguous name.

    A card comes before a leader of the same name. Raises UsageError with suggestions
    for an unknown name.
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
    """Return the error for a name that no card and no leader has."""
    card, leader = database.find_card(text), database.find_leader(text)
    near = card.suggestions or leader.suggestions
    command = f"`deckcheck cards --game {database.game.id}` lists all"
    message = f"Unknown card or leader {quote(text)}"
    return UsageError(message, suggestion(near, command))


def find_game(game: str, games: Sequence[str]) -> str:
    """Return the id of a game as a player writes it. Raises UsageError if unknown."""
    return _find_word("game", game, games)


# Cards and leaders in words, as lists show them


def card_row(database: CardDatabase, card: Card) -> tuple[str, ...]:
    """Return a card in words, a cell for each column of a list of cards."""
    return (
        card.name,
        _faction_name(database, card),
        card.kind,
        " or ".join(card.rows),
        "" if card.strength is None else str(card.strength),
        ", ".join(ability.code for ability in card.abilities),
        _describe_copies(database, card),
    )


def _describe_copies(database: CardDatabase, card: Card) -> str:
    """Return how many copies a deck can hold, or an empty string without a limit."""
    if database.description is not None:
        return ""
    return str(card.copies) if card.deckable else "side deck"


def _faction_name(database: CardDatabase, card: Card) -> str:
    return database.factions[card.faction].name if card.faction else ""


def ability_texts(
    database: CardDatabase, records: Sequence[Card | LeaderRecord]
) -> list[Text]:
    """Return the texts of abilities of cards and leaders, in the order of the game."""
    codes: set[str] = set()
    for record in records:
        if isinstance(record, Card):
            codes.update(ability.code for ability in record.abilities)
        else:
            codes.add(record.ability)
    return [text for text in database.game.texts if text.ability in codes]


def describe_card(database: CardDatabase, card: Card) -> list[tuple[str, str]]:
    """Return everything known of a card, as pairs of a label and a text or ""."""
    abilities = []
    for ability in card.abilities:
        target = database.cards[ability.target].name if ability.target else ""
        group = f"gathers `{ability.group}`" if ability.group else ""
        row = f"{ability.row} row" if ability.row else ""
        about = f" ({target or group or row})" if target or group or row else ""
        abilities.append(ability.code + about)
    return [
        ("id", card.id),
        ("faction", _faction_name(database, card)),
        ("kind", card.kind),
        ("row", " or ".join(card.rows)),
        ("strength", "" if card.strength is None else str(card.strength)),
        ("abilities", ", ".join(abilities)),
        (
            "copies",
            _describe_copies(database, card).replace("side deck", "side deck only"),
        ),
        ("aliases", ", ".join(card.aliases)),
        ("source", card.provenance),
    ]


def describe_leader(
    database: CardDatabase, leader: LeaderRecord
) -> list[tuple[str, str]]:
    """Return everything known of a leader, as pairs of a label and a text."""
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
        "fingerprint": database.fingerprint,
        "cards": [asdict(card) for card in cards],
        "leaders": [asdict(leader) for leader in leaders],
        "texts": [asdict(text) for text in ability_texts(database, [*cards, *leaders])],
    }
