"""The JSON document of how a deck loses."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Ordinal, Share, ShareInterval
from deckcheck.sim.results.run_document import Effect, RunDocument


class ShareDocument(TypedDict):
    """A share of games with its interval."""

    share: Share
    """The share, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the share's interval, 0 to 1."""


class LossKindDocument(ShareDocument):
    """Losses of one kind, and their share of all losses."""

    rounds: list[Ordinal]
    """The rounds that cost the deck a gem, from 1."""


class ContrastDocument(TypedDict):
    """Something that happened, in losses and in wins."""

    id: str
    """The id of a card, or a word for what happened."""
    name: str
    """The name of the card, or what happened."""
    losses: ShareDocument
    """The share of losses in which it happened."""
    wins: ShareDocument | None
    """The share of wins in which it happened; null without a win."""
    difference: Effect | None
    """The share in losses less that in wins; null without a win."""


class ExampleDocument(TypedDict):
    """A loss that shows something well."""

    opponent: str
    """The name of the other deck."""
    game: Ordinal
    """The number of the game among those of both decks, for `replay --game`."""
    text: str
    """What it shows."""


class LossesDocument(RunDocument):
    """The output of `deckcheck report --losses DECK --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    answer: str
    """The answer in a sentence or two."""
    deck: str
    """The name of the deck."""
    sample: Count
    """The number of games that were observed."""
    wins: Count
    """The number of them that the deck won."""
    losses: Count
    """The number of them that the deck lost."""
    draws: Count
    """The number of them that nobody won."""
    margins: list[int] | None
    """The quartiles of the strength that was missing on the board at the end of
    losses; null without a loss."""
    kinds: list[LossKindDocument]
    """The losses by the rounds that were lost, the most frequent first."""
    signs: list[ContrastDocument]
    """What happened in losses and in wins; all intervals hold together."""
    cards: list[ContrastDocument]
    """The cards that the opponent played, in games against decks that hold them; all
    intervals hold together."""
    examples: list[ExampleDocument]
    """Losses that show best what happened, three at most."""
