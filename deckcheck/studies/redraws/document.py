"""The JSON document of the cards to send back."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Ordinal, Share
from deckcheck.sim.results.run_document import Effect, RunDocument, WinRate


class OwnDocument(TypedDict):
    """The redraws of the player's own choice."""

    share: Share
    """How often the player redraws at all, 0 to 1."""
    win_rate: WinRate
    """The win rate with these redraws."""
    gain: Effect
    """The gain from them compared with keeping the whole hand; 0 for any hand."""


class CardRedrawDocument(TypedDict):
    """A card of the dealt hand, kept and sent back in the same games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    share: Share
    """How often the player sends it back unasked, 0 to 1."""
    kept: WinRate
    """The win rate with the card kept, or with the whole hand kept if one was named."""
    sent: WinRate
    """The win rate with the card sent back first."""
    gain: Effect
    """The second less the first; these intervals hold together for all cards."""


class FreshCardDocument(Effect):
    """The gain from sending a card back, in fresh games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    games: Count
    """The number of games in which it was dealt."""


class FreshDocument(TypedDict):
    """The cards to send back, played again in fresh games."""

    policy: str
    """The policy that played."""
    cards: list[FreshCardDocument]
    """The cards, the best first by the first trial; these intervals hold together."""


class RedrawsDocument(RunDocument):
    """The output of `deckcheck impact --redraws --output-format json`."""

    schema_version: Literal[1]
    """The version of this document."""
    answer: str
    """The answer in a few sentences."""
    deck: str
    """The name of the deck."""
    hand: list[str]
    """The names of the cards of the hand that was dealt; empty for any hand."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    own: OwnDocument
    """The redraws of the player's own choice."""
    cards: list[CardRedrawDocument]
    """The cards by the gain from sending them back, the largest first."""
    fresh: list[FreshDocument]
    """The best of them in fresh games: by the same player, then by another one."""
