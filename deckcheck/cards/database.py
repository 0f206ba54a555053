"""The cards, leaders and factions of a game, and what their names mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.models import (
    CARD_RECORDS,
    Card,
    CardChange,
    Faction,
    GameRecord,
    LeaderRecord,
    apply_changes,
)
from deckcheck.cards.names import Lookup, NameIndex, Spelling, find_name
from deckcheck.cards.storage import CacheEntry, Root, Sources, find_game_folder
from deckcheck.cards.translations import NAMED_SECTIONS, index_translations
from deckcheck.files import FINGERPRINT_LENGTH, full_digest

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description

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
        """The first twelve digits of `full_digest`, which reports print."""
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
        """Yield the names of a section in English, then in all other languages."""
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


def load_database(game: str, root: Root = None) -> CardDatabase:
    """Load and check the card database of a game, once per process and folder.

    `root` has the folders of card databases, see `card_db_folders`. Raises
    DatabaseError for an unknown game and, all at once, for the defects in its files.
    """
    return _load(game, find_game_folder(game, root))


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    """Read the database from the cache, or check the files that have changed."""
    entry = CacheEntry(f"cards {game_id} {root}", CARD_RECORDS)
    sources = Sources.below(root / game_id)
    game_set = entry.recall()
    if game_set is None:
        from deckcheck.cards.reading import read_game

        game_set = read_game(root, game_id)
        entry.keep(game_set, sources)
    game, cards, leaders = game_set
    if game.attributes:
        from deckcheck.cards.attributes import make_described_cards

        cards = make_described_cards(game)
    by_id = {card.id: card for card in cards}
    leaders = {leader.id: leader for leader in leaders}
    return CardDatabase(game, by_id, leaders, root, sources)
