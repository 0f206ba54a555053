"""The JSON document of formats."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from deckcheck.cards.document import CardDocument, ChangeDocument
from deckcheck.findings.json_schema import Digest, Ordinal, Tool


class ConstraintDocument(TypedDict):
    """A constraint of a format."""

    name: str
    """The key of the constraint in the format file."""
    rule: str
    """The rule that judges it, such as `count`."""
    settings: dict[str, object]
    """The settings of the rule."""
    statement: str
    """The statement of the rules that it follows; empty for a house rule."""
    origin: str
    """The file that introduced the constraint or changed it last."""


class SeatingDocument(TypedDict):
    """The way in which decks meet."""

    play: str
    """The way in which decks meet, such as `duel`."""
    min_players: Ordinal
    """The smallest number of players at one game."""
    max_players: Ordinal
    """The largest number of players at one game."""
    holds: str
    """The content of one file: a deck, a lineup, a team or a table."""
    min_decks: Ordinal
    """The smallest number of decks in one file."""
    max_decks: Ordinal
    """The largest number of decks in one file."""
    single_deck: bool
    """Whether a file with one deck is judged too."""


class FormatDocument(TypedDict):
    """A format."""

    id: str
    """The id of the format, such as `gwent/standard`."""
    game: str
    """The id of the game."""
    title: str
    """The title of the format."""
    snapshot: str
    """The date from which on the format is like this."""
    digest: Digest
    """A hash of the format's rules and its cards."""
    origin: str
    """The file of the format."""
    constraints: list[ConstraintDocument]
    """The constraints that decks are judged by."""
    options: dict[str, str | int | bool]
    """The options of play, by name."""
    seating: SeatingDocument
    """The way in which decks meet."""
    extra_cards: list[CardDocument]
    """The cards that sets add."""
    changes: list[ChangeDocument]
    """The cards and leaders that sets add, change or remove."""


class DifferenceDocument(TypedDict):
    """One thing in which two formats differ."""

    about: str
    """The kind of difference: `seating`, `constraint`, `card` or `option`."""
    name: str
    """The name of the constraint, card or option."""
    old: str | None
    """The value in the first format, in words; null if it has none."""
    new: str | None
    """The value in the second format, in words; null if it has none."""


class FormatsDocument(TypedDict):
    """The output of `deckcheck formats --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    formats: list[FormatDocument]
    """The formats that were listed, shown or compared."""
    differences: NotRequired[list[DifferenceDocument]]
    """The differences of two formats; of `diff` only."""
