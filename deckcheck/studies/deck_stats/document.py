"""The JSON document of decks in figures."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Amount, Count, Ordinal, Share, Tool


class PartDocument(TypedDict):
    """Some cards of a deck."""

    cards: Count
    """The number of cards."""
    strength: Count
    """Their printed strength together."""


class ExposureDocument(TypedDict):
    """The units that a weather card can reach."""

    weather: str
    """The kind of weather."""
    rows: list[str]
    """The rows that it affects."""
    cards: Count
    """The number of units that it can reach."""
    strength: Count
    """Their printed strength together."""
    movable: Count
    """The number of these units that could lie in another row."""


class OpeningDocument(TypedDict):
    """The first hand."""

    size: Ordinal
    """The number of cards in hand."""
    redraws: Count
    """The number of cards that may be redrawn."""
    strength: Amount
    """The mean printed strength of the hand before redraws."""
    spread: Amount
    """The standard deviation of that strength."""


class OddsDocument(TypedDict):
    """The probability of holding cards of a group."""

    group: str
    """The name of the group."""
    ids: list[str]
    """The ids of the cards of the group."""
    copies: Count
    """The number of copies in the deck."""
    mean: Amount
    """The mean number of them in the hand as dealt."""
    opening: Share
    """The probability of at least `at_least` in the hand as dealt, 0 to 1."""
    redrawn: Share
    """The same after redraws that look for them, 0 to 1."""
    drawn: Share | None
    """The same once all cards that draw were played, 0 to 1; null without such."""


class DeckStatsDocument(TypedDict):
    """A deck in figures."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str
    """The name of the deck."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was like this."""
    digest: str
    """A hash of the format's rules and its cards."""
    legal: bool
    """Whether the deck is legal in the format."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The id of the deck's leader; null if it has none."""
    cards: Count
    """The number of cards."""
    units: PartDocument
    """The cards that have a strength."""
    kinds: dict[str, Count]
    """The number of cards of each kind."""
    factions: dict[str, Count]
    """The number of cards of each faction, by its name."""
    rows: dict[str, PartDocument]
    """The units that can lie in each row."""
    abilities: dict[str, Count]
    """The number of cards with each ability, the most common first."""
    copies: dict[str, Count]
    """The number of different cards with one copy, two copies, and so on."""
    weather: list[ExposureDocument]
    """The units that each weather card can reach."""
    scorch: PartDocument
    """The strongest units, which scorch destroys."""
    opening: OpeningDocument | None
    """The first hand; null in games without hands."""
    odds: list[OddsDocument]
    """The probabilities of holding cards of each group."""


class StatsDocument(TypedDict):
    """The output of `deckcheck stats --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    at_least: Ordinal
    """The number of cards that the probabilities are for."""
    decks: list[DeckStatsDocument]
    """The decks, in the order in which they were named."""
