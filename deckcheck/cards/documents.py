"""The JSON documents of cards, of leaders, of sets, and of files left out."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.documents.records import Count, Digest, DocumentHead, Ordinal


class ChangeDocument(TypedDict):
    """A card or leader that a set adds, changes or removes."""

    set: str
    """The file of the set."""
    about: Literal["card", "leader"]
    """Whether a card or a leader changes."""
    id: str
    """The id of the card or leader."""
    name: str
    """The name of the card or leader, with its title."""
    was: str | None
    """The card or leader before, in words; null if the set adds it."""
    now: str | None
    """The card or leader with the set, in words; null if the set removes it."""


class AbilityDocument(TypedDict):
    """An ability of a card."""

    code: str
    """The code of the ability."""
    group: str | None
    """The family of cards that the ability gathers; null for none."""
    target: str | None
    """The id of the card that it reaches for; null for none."""
    row: str | None
    """The row that it acts on; null for that of the card."""
    amount: int | None
    """The number that the ability needs; null if it needs none."""
    rows: list[str]
    """The rows that it acts on, if there are several."""


class CardDocument(TypedDict):
    """A card."""

    id: str
    """The id of the card."""
    number: Ordinal
    """The permanent number of the card within its game."""
    name: str
    """The English name of the card."""
    kind: str
    """The kind of the card, such as `unit`."""
    copies: Ordinal
    """The number of copies that a deck can hold."""
    provenance: str
    """Where the data of the card is from."""
    faction: str | None
    """The id of the card's faction; null in games without factions."""
    rows: list[str]
    """The rows that the card can be played to; empty for cards that are no units."""
    strength: Count | None
    """The printed strength; null for cards that are no units."""
    abilities: list[AbilityDocument]
    """The abilities of the card."""
    deckable: bool
    """Whether decks can hold it; if not, it comes into play by other cards."""
    aliases: list[str]
    """Other names of the card."""
    shield: bool
    """Whether the card is untouchable."""
    tags: list[str]
    """Words that other cards may refer to."""
    known: bool
    """Whether more than the name of the card is public."""


class LeaderDocument(TypedDict):
    """A leader."""

    id: str
    """The id of the leader."""
    number: Ordinal
    """The permanent number of the leader within the game."""
    name: str
    """The English name of the leader."""
    title: str
    """The title of the leader; empty for none."""
    faction: str
    """The id of the leader's faction."""
    ability: str
    """The code of the leader's ability."""
    passive: bool
    """Whether the ability works without being used."""
    provenance: str
    """Where the data of the leader is from."""
    aliases: list[str]
    """Other names of the leader."""
    amount: int | None
    """The number that the ability needs; null if it needs none."""
    target: str | None
    """The id of the card that the ability reaches for; null for none."""
    rows: list[str]
    """The rows that the ability acts on."""
    kind: str | None
    """The kind of the cards that the ability is about; null for none."""
    tag: str | None
    """The tag of the cards that the ability is about; null for none."""
    cards: list[str]
    """The ids of the cards that the ability is about."""
    free: bool
    """Whether the leader can be used in addition to a turn."""
    known: bool
    """Whether more than the name of the leader is public."""


class TextDocument(TypedDict):
    """An ability in a sentence."""

    ability: str
    """The code of the ability."""
    statement: str
    """The statement of the rules that has all of it."""
    text: str
    """The effect of the ability, in a sentence."""


class CardsDocument(DocumentHead):
    """The output of `deckcheck cards --output-format json`."""

    game: str
    """The id of the game."""
    digest: Digest
    """A hash of the game's cards."""
    cards: list[CardDocument]
    """The cards that match."""
    leaders: list[LeaderDocument]
    """The leaders that match."""
    texts: list[TextDocument]
    """The effects of the abilities of these cards and leaders."""


class LeftOutDocument(TypedDict):
    """Files that were found and are not decks."""

    others: dict[str, Count]
    """The number of files of other kinds, by suffix."""
    own: Count
    """The number of files that deckcheck wrote, and that say so."""
    excluded: Count
    """The number of files that patterns exclude."""
