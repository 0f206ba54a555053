"""The basis of a result: program, format, decks, sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.engine.cache import code_hash
from deckcheck.fields import CLOSED
from deckcheck.formats import Format
from deckcheck.sim.bot_errors import compare_with_known_decks
from deckcheck.version import __version__

# Identifies the build that plays: results are reproducible with the same one only.


@dataclass(frozen=True, slots=True)
class Program:
    """The version of deckcheck, and a hash of the code of its engine."""

    __pydantic_config__ = CLOSED

    version: str
    engine: str

    @staticmethod
    @cache
    def here() -> Program:
        """Return the running program."""
        return Program(__version__, code_hash())

    def __str__(self) -> str:
        return f"deckcheck {self.version} with engine {self.engine}"


# Provenance of a run: format, options of play, decks, and sources of the card data.

GUESSED_STATUSES = ("assumed", "placeholder")


@dataclass(frozen=True, slots=True)
class PlayedDeck:
    """A deck in words."""

    faction: str
    """The faction, or "" without one."""
    leader: str
    """The leader, or "" without one."""
    cards: int
    """The number of cards."""
    copies: tuple[tuple[str, int], ...]
    """The names of its cards with their numbers, in the order of the deck."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The facts for judging figures, in addition to the run itself."""

    game: str
    """The id of the game. The id of a format need not begin with it."""
    options: tuple[tuple[str, str | int | bool], ...]
    """The options of play."""
    decks: tuple[PlayedDeck, ...]
    """The decks in the order of the run."""
    cards: int
    """The number of different cards in them."""
    guessed: tuple[str, ...]
    """The names of the cards that no source describes."""
    sources: tuple[str, ...]
    """The sources of the other cards."""
    fingerprint: str
    """A hash of all card data."""
    known_share: float | None
    """The result of `compare_with_known_decks`."""


def collect_provenance(
    fmt: Format, database: CardDatabase, decks: Iterable[Deck]
) -> Provenance:
    """Return the facts behind the games of these decks."""
    played = list(decks)
    ids: set[str] = set()
    for deck in played:
        ids.update(deck.counts())
    ids &= set(database.cards)
    guessed: list[str] = []
    sources: set[str] = set()
    for id in sorted(ids):
        card = database.cards[id]
        if card.provenance in GUESSED_STATUSES:
            guessed.append(card.name)
        else:
            sources.add(card.provenance)
    return Provenance(
        game=fmt.game,
        options=tuple(fmt.options.items()),
        decks=tuple(_describe_deck(deck, database) for deck in played),
        cards=len(ids),
        guessed=tuple(guessed),
        sources=tuple(sorted(sources)),
        fingerprint=database.fingerprint,
        known_share=compare_with_known_decks(played, database),
    )


def _describe_deck(deck: Deck, database: CardDatabase) -> PlayedDeck:
    faction = database.factions.get(deck.faction or "")
    leader = database.leaders.get(deck.leader or "")
    counts = deck.counts()
    copies = []
    for id, number in counts.items():
        if id in database.cards:
            copies.append((database.cards[id].name, number))
    return PlayedDeck(
        faction=faction.name if faction else "",
        leader=leader.full_name if leader else "",
        cards=sum(counts.values()),
        copies=tuple(copies),
    )
