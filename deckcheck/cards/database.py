"""The cards, leaders and factions of one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.cache import Sources
from deckcheck.cards.changes import Change, applied
from deckcheck.cards.models import Card, Faction, Game, Leader
from deckcheck.cards.names import Lookup, NameIndex, find_name
from deckcheck.findings.digest import short_digest

if TYPE_CHECKING:
    from deckcheck.cards.attributes import Description


REMEMBERED = 2_000
"""Up to how many names that are no card are remembered with their suggestions."""


class CardDatabase:
    """One game's data, all of it checked; mappings are by id, in the order of files.

    `root` is the folder of card databases that it was read from, `sources` the files.
    After `changes` by sets, `origin` has the data of the game alone.
    """

    def __init__(
        self,
        game: Game,
        cards: Mapping[str, Card],
        leaders: Mapping[str, Leader],
        root: Path,
        sources: Sources,
    ) -> None:
        self.game = game
        self.cards = cards
        self.leaders = leaders
        self.root = root
        self.sources = sources
        self.changes: Sequence[Change] = ()
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

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change whenever the data changes its meaning."""
        return short_digest(
            [self.game, list(self.cards.values()), list(self.leaders.values())]
        )

    def with_changes(self, changes: Sequence[Change]) -> CardDatabase:
        """The database of the game after what sets do to it."""
        if not changes:
            return self
        cards = applied(self.cards, Card, changes)
        leaders = applied(self.leaders, Leader, changes)
        db = CardDatabase(self.game, cards, leaders, self.root, self.sources)
        db.changes, db.origin = changes, self
        return db

    def sets_of(self, ids: Iterable[str], *, only_own: bool = False) -> tuple[str, ...]:
        """The sets that add these cards and leaders, in order; see `Change.file_name`.

        `only_own` leaves out those that a format of ours names.
        """
        wanted = set(ids)
        added = (change for change in self.changes if change.was is None)
        return tuple(
            sorted(
                {
                    change.file_name
                    for change in added
                    if change.record.id in wanted and (change.is_own or not only_own)
                }
            )
        )

    def find_card(self, text: str, *, suggest: bool = True) -> Lookup:
        """Find a card by id, name or alias; case, accents and dashes do not matter.

        Names in other languages are looked at when no English one fits. Where cards
        are described, the words of the description stand in any order. `suggest` says
        whether anybody reads suggestions, which take a thousand times as long.
        """
        if self.description is not None:
            return self.description.find(text)
        card_lookup = self._known_cards.get(text)
        if card_lookup is None:
            indexes = self._indexes(self._card_names, "cards")
            card_lookup = find_name(text, indexes, suggest=suggest).among(self.cards)
            if card_lookup.id is not None or (
                suggest and len(self._known_cards) < REMEMBERED
            ):
                self._known_cards[text] = card_lookup
        return card_lookup

    def removed(self, text: str) -> Change | None:
        """What removed the card of this name, if a set did."""
        if not self.gone:
            return None
        names = NameIndex()
        for id, change in self.gone.items():
            names.add(id, change.name, (id, *change.record.aliases))
        lookup = find_name(text, self._indexes(names, "cards"), suggest=False)
        return self.gone.get(lookup.id or "")

    @cached_property
    def gone(self) -> Mapping[str, Change]:
        """What removed a card, by the id of the card."""
        return {
            change.record.id: change for change in self.changes if change.now is None
        }

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
        indexes = self._indexes(self._leader_names, "leaders")
        return find_name(text, indexes, frozenset(own), suggest=suggest)

    def find_faction(self, text: str) -> Lookup:
        """Find a faction by id, name or alias."""
        return find_name(text, self._indexes(self._faction_names, "factions"))

    def _indexes(self, english: NameIndex, section: str) -> Iterator[NameIndex]:
        yield english
        yield self._translated[section]

    @cached_property
    def _translated(self) -> Mapping[str, NameIndex]:
        if self.origin is not None:
            # The files of names know what sets remove, and nothing of what they add.
            return self.origin._translated
        from deckcheck.cards.translations import index_translations

        english = {
            "cards": self._card_names,
            "leaders": self._leader_names,
            "factions": self._faction_names,
        }
        return index_translations(self.root, self.game.id, english)

    @cached_property
    def _card_names(self) -> NameIndex:
        index = NameIndex()
        for card in self.cards.values():
            index.add(card.id, card.name, (card.id, *card.aliases))
        return index

    @cached_property
    def _leader_names(self) -> NameIndex:
        index = NameIndex()
        for leader in self.leaders.values():
            index.add(leader.id, leader.full_name, leader_names(leader))
        return index

    @cached_property
    def _faction_names(self) -> NameIndex:
        index = NameIndex()
        for faction in self.game.factions:
            index.add(faction.id, faction.name, (faction.id, *faction.aliases))
        return index


def leader_names(leader: Leader) -> tuple[str, ...]:
    """What a leader may be called, apart from name and title together.

    The article of a title may be left out: `Foltest Siegemaster`, `Siegemaster`.
    """
    names = [leader.id, leader.name, *leader.aliases]
    if leader.title:
        short = leader.title.removeprefix("The ")
        titles = (leader.title, short)
        names += titles
        names += [
            f"{name} {t}" for name in (leader.name, *leader.aliases) for t in titles
        ]
    return tuple(names)
