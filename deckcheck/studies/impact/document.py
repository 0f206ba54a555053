"""The JSON document of what the cards of a deck are worth."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Interval, Ordinal, Share, one_of
from deckcheck.sim.results.run_document import Effect, RunDocument
from deckcheck.studies.impact.observed import WAYS


class ObservedDocument(TypedDict):
    """The games in which a card was seen in one way, compared with the others."""

    way: Annotated[str, one_of(WAYS)]
    """Where the card was seen: in the opening hand, drawn, played, or held."""
    games: Count
    """The number of games in which the card was seen like that."""
    win_rate: Share | None
    """The win rate in these games, 0 to 1; null without games."""
    difference: float | None
    """That win rate less the one in other games, -1 to 1; null with too few games."""
    interval: Interval | None
    """The 95 % interval of the difference; null with too few games."""
    false_discovery_rate: Share | None
    """The false discovery rate at which it is not chance, 0 to 1; null if unknown."""


class OpponentEffect(Effect):
    """The worth of a card against one opponent."""

    opponent: str
    """The name of the opponent."""


class AlternativeDocument(Effect):
    """The gain of the deck from another card in the place of a card."""

    id: str
    """The id of the other card."""
    name: str
    """The name of the other card."""


class CardDocument(TypedDict):
    """The worth of one copy of a card in the deck."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    worth: Effect
    """The gain of the deck from one copy in the place of an average card."""
    most_against: str
    """The opponent against whom the card is worth most, by the first trial."""
    observed: list[ObservedDocument]
    """Observed figures of the card, which show no cause; empty if games are missing."""
    against: list[OpponentEffect]
    """The worth against each opponent."""
    alternatives: list[AlternativeDocument]
    """The best cards to try in its place, the best first by the first trial."""


class ConfirmationDocument(TypedDict):
    """The card to cut as another policy plays the deck and its field."""

    policy: str
    """The policy that played."""
    games: Count
    """The number of games of each version of the deck."""
    worth: Effect
    """The gain of the deck from one copy in the place of an average card."""
    gain: Effect | None
    """The gain from the best card in its place; null if there is none."""


class ImpactDocument(RunDocument):
    """The output of `deckcheck impact --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 ranked cards by the games that measured them."""
    answer: str
    """The answer in a sentence or two."""
    deck: str
    """The name of the deck."""
    average: list[str]
    """The ids of the cards that stand for an average card."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    cut: str
    """The id of the card to cut."""
    cards: list[CardDocument]
    """The cards of the deck, the most valuable first by the first trial."""
    confirmed: ConfirmationDocument | None
    """The card to cut, played by another policy; null if none did."""
