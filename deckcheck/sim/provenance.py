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
        """The one that is running."""
        return Program(__version__, code_hash())

    def __str__(self) -> str:
        return f"deckcheck {self.version} with engine {self.engine}"


# Provenance of a run: format, options of play, decks, and sources of the card data.

GUESSED = ("assumed", "placeholder")


@dataclass(frozen=True, slots=True)
class PlayedDeck:
    """A deck in words: faction and leader, empty for none, and how many cards.

    `copies` has the names of its cards with their numbers, in the order of the deck.
    """

    faction: str
    leader: str
    cards: int
    copies: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """The facts for judging figures, in addition to the run itself.

    `options` are those of play, `decks` in the order of the run. Of the different
    `cards` in them, `guessed` are the names of those that no source describes, and
    `sources` where the others come from. `digest` is that of all card data.
    """

    options: tuple[tuple[str, str | int | bool], ...]
    decks: tuple[PlayedDeck, ...]
    cards: int
    guessed: tuple[str, ...]
    sources: tuple[str, ...]
    digest: str


def provenance_of(
    fmt: Format, database: CardDatabase, decks: Iterable[Deck]
) -> Provenance:
    """What games of these decks stand on."""
    files = list(decks)
    ids = sorted({id for deck in files for id in deck.counts()} & set(database.cards))
    cards = [database.cards[id] for id in ids]
    guessed = [card.name for card in cards if card.provenance in GUESSED]
    sources = {card.provenance for card in cards} - set(GUESSED)
    return Provenance(
        options=tuple(fmt.options.items()),
        decks=tuple(_in_words(deck, database) for deck in files),
        cards=len(cards),
        guessed=tuple(guessed),
        sources=tuple(sorted(sources)),
        digest=database.digest,
    )


def _in_words(deck: Deck, database: CardDatabase) -> PlayedDeck:
    faction = database.factions.get(deck.faction or "")
    leader = database.leaders.get(deck.leader or "")
    return PlayedDeck(
        faction.name if faction else "",
        leader.full_name if leader else "",
        sum(deck.counts().values()),
        tuple(
            (database.cards[id].name, n)
            for id, n in deck.counts().items()
            if id in database.cards
        ),
    )
